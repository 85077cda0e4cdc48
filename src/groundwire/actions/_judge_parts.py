"""Claims about what the code defines under a name, by its definitions before the work and now."""

from collections import Counter

from groundwire._patterns import lazy_pattern
from groundwire.actions._claims import PartChanged, TestsChanged, TextPresent
from groundwire.actions._code import Code, Found, is_test
from groundwire.actions._content import squeeze
from groundwire.actions._definitions import definitions_in, plain_value, value_in
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._judge_state import judge_text

# such as "`add`", "`add()`"
_NAME = lazy_pattern(r"`([^\W\d]\w*)(?:\(\))?`")


def judge_part(claim: PartChanged, evidence: Evidence) -> Ruling:
    code = evidence.code
    if code is None:
        return _untold("nothing tells what the code was before the work")
    path = None if claim.file_path is None else evidence.key(claim.file_path)
    if path is None and code.is_everywhere(claim.name):
        return _untold("too much of the code has that name")
    old, new = code.defined(claim.name, path)
    if claim.deed == "set":
        return _set(claim, new, evidence)
    if not old and not new:
        return _undefined(claim, evidence)
    if _texts(old) == _texts(new):
        return _as_before(claim, code, old, path)
    return _other(claim, code, old, new, evidence)


def _set(claim: PartChanged, found: list[Found], evidence: Evidence) -> Ruling:
    """Its value is told by the one line that sets it, where that is written out."""
    value = value_in(found[0][1].text) if len(found) == 1 else None
    wanted = plain_value(claim.values[0])
    if value is None or wanted is None:
        return _untold("its value is not told by one line")
    if value == wanted:
        return Ruling("verified", f"it is {claim.values[0]}: {found[0][0]}")
    if str(value) in str(wanted) or str(wanted) in str(value):
        return _untold("it is set to something like it")
    path = found[0][0]
    if not claim.behaves and _was_set(claim.name, wanted, path, evidence):
        return _untold(f"it is {value}, but was {claim.values[0]} for a while: {path}")
    return _refuted(f"it is {value}, not {claim.values[0]}: {path}")


def _was_set(name: str, value: object, path: str, evidence: Evidence) -> bool:
    """Whether something that was written in between gave it that value, or may have."""
    effects = [change.effect for change in evidence.changes(path)]
    pieces = [*(edit.new for one in effects for edit in one.replacements)]
    pieces += [one.content for one in effects if one.content is not None]
    is_written = any(
        one.name == name and value_in(one.text) == value
        for piece in pieces
        for one in definitions_in(piece)
    )
    return is_written or any(name in command for command in evidence.commands_on(path))


def judge_tests_changed(claim: TestsChanged, evidence: Evidence) -> Ruling:
    """Whichever test is meant: where none was changed it was not."""
    code = evidence.code
    if code is None:
        return _untold("nothing tells what the tests were before the work")
    if not code.changed_tests:
        return _refuted("all tests are as before the work")
    more = code.tests(code.now) - code.tests(code.before)
    is_so = (claim.deed == "added" and more > 0) or (claim.deed == "removed" and more < 0)
    places = ", ".join(code.changed_tests[:3])
    for name in _NAME.findall(claim.said.text) if claim.said else ():
        if not any(name in code.now.get(path, "") for path in code.changed_tests):
            # "a test for `add`" is not shown by one of `mul`
            return _untold(f"no test that was changed names {name}: {places}")
    if is_so and not code.untold:
        return Ruling("verified", f"tests were {claim.deed}: {places}")
    return _untold(f"some tests may have been changed, not told which: {places}")


def _texts(found: list[Found]) -> list[tuple[str, str]]:
    return sorted((path, one.text.rstrip()) for path, one in found)


def _untold(detail: str) -> Ruling:
    return Ruling("unverified", detail, "anchor_mismatch")


def _refuted(detail: str) -> Ruling:
    return Ruling("failed", detail, "anchor_mismatch")


def _undefined(claim: PartChanged, evidence: Evidence) -> Ruling:
    """Nothing has that name: what was added would be there."""
    if claim.deed == "added" and evidence.is_nowhere(claim.name):
        return _refuted("nothing of that name is there")
    is_put = claim.deed == "added" and claim.file_path is not None
    told = _put_in(claim.name, claim.file_path or "", evidence) if is_put else None
    return told or _untold("nothing that is defined has that name")


def _put_in(name: str, path: str, evidence: Evidence) -> Ruling | None:
    """Whether a file has what was added to it, a marker or an import, that nothing defines."""
    now, before = evidence.text(path), evidence.text_before(path)
    if now is None or _is_spelled(name, before or ""):
        return None
    if not _is_spelled(name, now):
        effects = [change.effect for change in evidence.changes(evidence.key(path))]
        edits = (edit.new for effect in effects for edit in effect.replacements)
        written = "\n".join((*edits, *(effect.content or "" for effect in effects)))
        is_gone = _is_spelled(name, written)
        claimed = TextPresent(file_path=path, snippet=name)
        return None if is_gone else judge_text(claimed, evidence)
    is_new = before is not None and name in now
    return Ruling("verified", f"it was put into {path}") if is_new else None


def _is_spelled(name: str, text: str) -> bool:
    """Whether a text has a name in some spelling: "`dry_run`" may be "dry-run" or "DryRun"."""
    return _JOINT.sub("", name).lower() in _JOINT.sub("", text).lower()


# what joins the words of a name: the hyphen of "dry-run"
_JOINT = lazy_pattern("[-_]")


def _as_before(claim: PartChanged, code: Code, found: list[Found], path: str | None) -> Ruling:
    """Every definition of that name is as it was, whichever is meant."""
    if claim.deed == "kept":
        return _untold("where it was before is not known") if code.untold else _KEPT
    if claim.behaves and all(is_test(*one) for one in found):
        return _untold("it is as before the work; but a test ends otherwise by what it tests")
    if code.is_mentioned_anew(claim.name, path):
        return _untold("it is as before the work; but what mentions it is not")
    # what is not called a test means what is tested, where both have the name
    meant = found if claim.test else [one for one in found if not is_test(*one)] or found
    if claim.deed == "changed" and (other := code.bearing(meant, mended=claim.mended)):
        return _untold(f"it is as before the work; but {other} may bear on it")
    if code.untold:
        return _untold("it is as before the work; but some files are not, and nothing tells how")
    detail = "it was there before the work" if claim.deed == "added" else "it is as before the work"
    return _refuted(f"{detail}: {found[0][0]}")


_KEPT = Ruling("verified", "it is as before the work")


def _other(
    claim: PartChanged, code: Code, old: list[Found], new: list[Found], evidence: Evidence
) -> Ruling:
    """Some definition of that name came, went, or is another."""
    places = ", ".join(sorted({path for path, _ in new or old})[:3])
    if code.untold & {path for path, _ in new}:
        return _untold("nothing tells what it was before the work")
    if sorted(squeeze(one.text) for _, one in old) == sorted(squeeze(one.text) for _, one in new):
        moved = [path for path, _ in old] != [path for path, _ in new]
        is_so = moved and claim.deed == "changed"
        return Ruling("verified", f"it was moved: {places}") if is_so else _untold("it was moved")
    if claim.deed == "kept":
        is_told = len(old) == len(new) == 1 and _without_remarks(old) != _without_remarks(new)
        return _refuted(f"it was changed: {places}") if is_told else _untold(f"one was: {places}")
    is_so = {
        "changed": True,
        "added": len(new) > len(old),
        "removed": len(new) < len(old),
    }[claim.deed]
    if not is_so:
        return _untold(f"it was changed, not {claim.deed}: {places}")
    detail = f"it was {claim.deed}: {places}"
    nowhere = [
        one for one in claim.values if _CALL.fullmatch(one) and evidence.is_nowhere(one[:-1])
    ]
    if nowhere and claim.behaves:
        return _refuted(f"{detail}; but {nowhere[0]} is nowhere")
    other = _not_shown(claim, code, old, new) if claim.deed == "changed" else ""
    return _untold(f"{detail}; but {other}") if other else Ruling("verified", detail)


def _not_shown(claim: PartChanged, code: Code, old: list[Found], new: list[Found]) -> str:
    """What is said of it beside that it was changed, and does not stand there."""
    was, is_now = _lines(old), _lines(new)
    whole, come = _bare("\n".join(is_now)), _bare("\n".join(is_now - was))
    gone = _bare("\n".join(was))
    for value in claim.values:
        name = value.removesuffix("()")
        is_other = code.is_everywhere(name) or any(code.defined(name))
        if _bare(value) not in whole + gone and not is_other:
            return f"{value} is not in it"
    if claim.behaves and not any(_bare(value) in come for value in claim.values):
        return "what it does now was not looked at"
    return ""


def _lines(found: list[Found]) -> Counter[str]:
    return Counter(line.strip() for _, one in found for line in one.text.split("\n"))


def _without_remarks(found: list[Found]) -> list[str]:
    """What it does, whatever is remarked about it."""
    return [squeeze(line) for line in _lines(found) if line and not _REMARK.match(line)]


# such as "# why", "// why", "/* why"
_REMARK = lazy_pattern(r"#|//|/\*|\*|--|;")


def _bare(code: str) -> str:
    """As code is compared: without white space and quotation marks."""
    return _VARIED.sub("", code.removesuffix("()"))


# such as "round()"
_CALL = lazy_pattern(r"[^\W\d]\w{2,}\(\)")
# what is written in several ways: a blank, a quotation mark
_VARIED = lazy_pattern(r"[\s\"'`]+")
