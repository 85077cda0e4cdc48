import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from groundwire.actions import SchemaRegistry, TaskVerifier, VerificationResult
from groundwire.errors import InputError, MissingExtra, UnreadableSource
from tests.actions.helpers import output

QUERY_RESULT = {
    "type": "object",
    "required": ["documents"],
    "properties": {"documents": {"type": "array", "items": {"type": "string"}}},
}


class QueryResult(BaseModel):
    documents: list[str]


def check(registry: SchemaRegistry, result: Any, **more: Any) -> VerificationResult:
    event = {"id": "call-1", "tool": "mind:rag-query", "arguments": {}, "result": result, **more}
    return TaskVerifier(schemas=registry).verify_sync(output(), [event])


def registry(schema: Any, **options: Any) -> SchemaRegistry:
    known = SchemaRegistry(**options)
    known.register("mind:rag-query", schema)
    return known


@pytest.mark.parametrize("schema", [QUERY_RESULT, QueryResult])
def test_an_output_that_does_not_follow_its_schema_fails_level_2(schema: Any) -> None:
    good = check(registry(schema), {"documents": ["a"]})
    assert (good.valid, good.level) == (True, 2)
    bad = check(registry(schema), {"files": []})
    assert (bad.valid, bad.level) == (False, 2)
    [error] = bad.errors
    assert error.category == "schema_mismatch"
    assert "mind:rag-query (event call-1)" in error.message
    assert "documents" in error.message


def test_text_that_is_json_is_read(tmp_path: Path) -> None:
    known = registry(QUERY_RESULT)
    assert check(known, json.dumps({"documents": []})).valid
    assert check(known, [{"type": "text", "text": '{"documents": []}'}]).valid
    assert not check(known, "plain words").valid


def test_without_a_schema_level_2_does_not_run() -> None:
    result = check(SchemaRegistry(), {"anything": 1})
    assert result.levels_run == (1,)


def test_a_call_that_failed_has_no_output_to_check() -> None:
    assert check(registry(QUERY_RESULT), "Error: down", is_error=True).levels_run == (1,)


def test_a_server_prefix_is_looked_behind() -> None:
    known = SchemaRegistry()
    known.register("query", QUERY_RESULT)
    event = {"tool": "mcp__mind__query", "result": {}}
    assert not TaskVerifier(schemas=known).verify_sync(output(), [event]).valid


@pytest.mark.parametrize(
    "manifest",
    [
        {"tools": [{"name": "mind:rag-query", "output_schema": QUERY_RESULT}]},
        {"tools": {"mind:rag-query": {"output": {"schema": QUERY_RESULT}}}},
        {"tools": {"mind:rag-query": "schemas.json#/$defs/QueryResult"}},
        {"tools": [{"id": "mind:rag-query", "outputSchema": "one.json"}]},
    ],
)
def test_manifests_name_schemas_in_several_ways(tmp_path: Path, manifest: Any) -> None:
    (tmp_path / "schemas.json").write_text(json.dumps({"$defs": {"QueryResult": QUERY_RESULT}}))
    (tmp_path / "one.json").write_text(json.dumps(QUERY_RESULT))
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest))
    known = SchemaRegistry()
    known.load_manifest(path)
    assert check(known, {"documents": []}).valid
    assert not check(known, {}).valid


def test_what_an_mcp_server_declares_can_be_registered() -> None:
    known = SchemaRegistry()
    known.register_mcp_tools(
        {"tools": [{"name": "mind:rag-query", "outputSchema": QUERY_RESULT}, {"name": "other"}]}
    )
    assert len(known) == 1
    assert not check(known, {}).valid


def test_only_allowed_modules_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "evil_twin.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for reference, allowed in [("evil:X", ()), ("evil_twin:X", ("evil",)), ("os:system", ("x",))]:
        with pytest.raises(InputError, match="not allowed"):
            check(registry(reference, allowed_modules=allowed), {})
    assert "evil" not in sys.modules
    assert "evil_twin" not in sys.modules


def test_an_allowed_model_is_imported_once() -> None:
    name = f"{__name__}:QueryResult"
    known = registry(name, allowed_modules=[__name__.split(".", maxsplit=1)[0]])
    assert check(known, {"documents": []}).valid
    assert not check(known, {}).valid


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "no such type"}, "is not valid"),
        ("tests.nowhere:X", "cannot be imported"),
        ("tests.verify:X", "cannot be imported"),
        ("../outside.json", "leaves"),
    ],
)
def test_a_bad_schema_is_named_with_its_tool(schema: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        check(registry(schema, allowed_modules=["tests"]), {})
    assert "mind:rag-query" in str(caught.value)


@pytest.mark.parametrize("text", ["{", "- 1", "tools: 5", "tools: [{name: x}]"])
def test_a_bad_manifest_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "manifest.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"manifest\.yaml"):
        SchemaRegistry().load_manifest(path)
    with pytest.raises(UnreadableSource, match=r"nowhere\.yaml"):
        SchemaRegistry().load_manifest(tmp_path / "nowhere.yaml")


def test_a_reference_to_the_network_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def no_network(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket, "create_connection", no_network)
    with pytest.raises(InputError, match="cannot be resolved"):
        check(registry({"$ref": "https://example.invalid/schema.json"}), {})


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(MissingExtra, match=r"groundwire\[schemas\]"):
        check(registry(QUERY_RESULT), {})
