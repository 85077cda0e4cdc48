from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.ground import _agent
from groundwire.observe import metrics
from tests.ground.make import agent_for, hypothesis, write_reports


def engine() -> Engine:
    return Engine(load_config(overrides={"evidence.embedder": "off"}).config)


def test_documents_are_grounded_and_an_edge_is_asked_about_by_name(tmp_path: Path) -> None:
    out = tmp_path / "graph.json"
    with engine() as opened:
        report = opened.ground_sync([write_reports(tmp_path / "docs")], out=out)
        right = opened.verify_edge_sync("a full disk", "write errors", graph=report.graph)
        wrong = opened.verify_edge_sync("write errors", "full disks", graph=report.graph)
        with pytest.raises(InputError, match="no index"):
            opened.verify_edge_sync("rain", "floods")
    assert out.exists()
    assert (right.edge.id, right.edge.edge_status) == ("full_disk->write_error", "grounded")
    assert (wrong.edge.edge_status, wrong.edge.reason) == ("rejected", "reversed")


async def _asked(engine_: Engine, folder: Path) -> str:
    report = await engine_.ground([folder])
    outcome = await engine_.verify_edge("full disk", "write error", graph=report.graph)
    return outcome.edge.edge_status


@pytest.mark.anyio
async def test_both_can_be_awaited_from_any_loop(tmp_path: Path) -> None:
    opened = engine()
    assert await _asked(opened, write_reports(tmp_path / "docs")) == "grounded"
    await opened.aclose()


@pytest.mark.anyio
async def test_every_turn_of_the_loop_is_a_span_with_its_queries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[str, dict[str, Any]]] = []

    class Span:
        def __init__(self, attributes: dict[str, Any]) -> None:
            self.attributes = attributes

        def set_attribute(self, name: str, value: Any) -> None:
            self.attributes[name] = value

    @contextmanager
    def recorded(name: str, **attributes: Any) -> Iterator[Span]:
        seen.append((name, attributes))
        yield Span(attributes)

    monkeypatch.setattr(_agent, "span", recorded)
    metrics.cache_clear()
    edge = hypothesis("full disk", "write error")
    await agent_for(edge, texts=["The full disk was replaced."]).verify_edge(edge)
    turns = [attributes for name, attributes in seen if name == "grounding.iteration"]
    assert [turn["iteration"] for turn in turns] == [1, 2, 3]
    assert [len(turn["attempted_queries"]) for turn in turns] == [3, 4, 5]
    assert metrics().value("grounding_iterations_total") == 3
    assert metrics().value("grounding_edges_total", status="rejected", reason="not_mentioned") == 1
