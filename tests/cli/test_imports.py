"""The command line parses, calls the engine and prints: it wires nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import groundwire.cli

COMMANDS = sorted(Path(groundwire.cli.__file__).parent.glob("_*.py"))
FREE = {"_patterns", "cli", "config", "engine", "errors", "model", "observe"}
ALSO = {
    "actions": {"is_readable_by_others", "parse_output"},
    "agents": {
        *("HOOK_AGENTS", "hook_command_of", "hook_status", "install_hook", "open_conversation"),
        *("rehearse_hook", "uninstall_hook"),
    },
    "diagnose": {"to_markdown"},
    "encoder": {"QuestionReader", "SpanReader"},
    "evaluate": {
        *("StatusRow", "benchmark_claims", "benchmark_status", "benchmark_steps"),
        *("AnswerRow", "SpanRow", "benchmark_answers", "benchmark_spans"),
        *("benchmark_traces", "read_traces"),
        *("add_line", "calibrate_judge", "calibration_text", "compare", "corpus_beside"),
        *("corrected_case", "is_questions", "read_claims", "read_results", "read_rows"),
        *("results_text", "run_evaluation", "settings_for", "starter_set", "thresholds_text"),
        *("to_html", "to_junit", "to_sarif", "tune_on", "write_lines"),
    },
    "gate": {"gate_health"},
    "evidence": {"READERS", "read_document", "read_evidence"},
    "graph": {
        *("changed_sources", "load_graph"),
        *("to_graphml", "to_html", "to_mermaid", "to_svg"),
    },
    "judge": {
        *("JUDGES", "Estimate", "Question"),
        *("deep_gain", "has_deep_model", "install_model", "remove_model"),
    },
    "llm": {"PROVIDERS", "probe"},
    "memory": {"FactFilter"},
    "serve": {"SCOPES", "TokenStore", "run_mcp_http", "run_mcp_stdio", "run_proxy", "run_server"},
    "store": {"write_whole"},
    "traces": {"TRACES"},
}
"""Reading what the user names, working with an engine, and writing for people."""


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every (folder, name) of ours that is imported to run, not only to annotate."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("groundwire."):
            folder = (node.module or "").split(".")[1]
            yield from ((folder, alias.name) for alias in node.names)
        yield from _imports(node)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda path: path.stem)
def test_a_command_builds_nothing_itself(command: Path) -> None:
    """No judge, index, vocabulary or client is made outside the engine."""
    tree = ast.parse(command.read_text(encoding="utf-8"))
    used = set(_imports(tree))
    assert [
        f"{folder}.{name}"
        for folder, name in sorted(used)
        if folder not in FREE and name not in ALSO.get(folder, set())
    ] == []
