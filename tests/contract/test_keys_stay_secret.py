"""A key never appears in logs, errors, audit rows, spans or `config show`."""

import io
import json
import logging
import traceback
from datetime import timedelta
from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.errors import BackendError, BackendRefused
from groundwire.judge import Question, build_backend
from groundwire.model import ClaimResult, Clamp, VerifierInfo
from groundwire.observe import AuditTrail, Log, configure_logs
from groundwire.testing import Fault, OpenAIServer
from tests.cli.conftest import (
    Run,
    gw as gw,  # noqa: PLC0414
)

KEY = "orchard-gate-7431-ladder"  # like no known kind of key


async def refused(server: OpenAIServer) -> BackendError:
    """What a judge answers when the server refuses the key, repeating it."""
    config = load_config(
        environ={"OPENAI_API_KEY": KEY},
        overrides={
            "llm.model": "m",
            "llm.base_url": server.base_url,
            "hallucination.backend.type": "self",
        },
    ).config
    backend = build_backend(config)
    (answer,) = await backend.estimate([Question(claim="c", context="e")])
    await backend.aclose()  # type: ignore[attr-defined]
    assert isinstance(answer, BackendRefused)
    return answer


@pytest.mark.anyio
async def test_errors_and_everything_logged_on_the_way(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stream = io.StringIO()
    configure_logs("debug", "json", stream)
    with OpenAIServer(Fault("wrong_key")) as server:
        error = await refused(server)
        assert server.key_of(server.asked[0].headers) == KEY  # it was sent, so it could leak
    try:
        raise error
    except BackendRefused:
        Log("test").error("failed", reason=str(error), trace=traceback.format_exc())
    assert "[REDACTED]" in stream.getvalue()
    for written in (str(error), repr(error), stream.getvalue(), caplog.text):
        assert KEY not in written


@pytest.mark.anyio
async def test_audit_rows(tmp_path: Path) -> None:
    with OpenAIServer(Fault("wrong_key")) as server:
        error = await refused(server)
    trail = AuditTrail(tmp_path / "audit.sqlite", retention=timedelta(days=1), max_rows=10)
    result = ClaimResult(
        claim=f"The key is {KEY}.",
        status="unverifiable",
        flagged=False,
        reason="backend_refused",
        message=str(error),
        target=0.75,
        clamp=Clamp(low=0.01, high=0.99),
        verifier=VerifierInfo(backend="self", ran=False),
    )
    trail.record("check", "req-1", [result], headers={"authorization": f"Bearer {KEY}"})
    trail.close()
    assert KEY.encode() not in (tmp_path / "audit.sqlite").read_bytes()


def test_config_show(gw: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GROUNDWIRE_EXTERNAL__API_KEY", KEY)
    for done in (gw("config", "show"), gw("config", "show", "--json")):
        assert done.returncode == 0
        assert KEY not in done.stdout + done.stderr
    shown = json.loads(gw("config", "show", "--json").stdout)
    assert shown["llm.keys.openai"] == {
        "value": "********",
        "source": "environment OPENAI_API_KEY",
    }


def test_settings_do_not_show_keys_when_printed() -> None:
    config = load_config(environ={"OPENAI_API_KEY": KEY}).config
    assert KEY not in repr(config) + str(config) + config.model_dump_json()
