"""Language models: one client with limiter, retries, caps and accounting; one file per provider."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.llm._build import (
        PROVIDERS,
        Clients,
        build_client,
        call_policy,
        judge_model,
    )
    from groundwire.llm._caller import Caller, CallPolicy
    from groundwire.llm._client import LLMClient, Structured
    from groundwire.llm._faults import (
        BackendBrokeOff,
        BackendUnreachable,
        Place,
        from_status,
        not_readable,
        retry_after,
    )
    from groundwire.llm._gguf import GGUFReader, refuse_other_files
    from groundwire.llm._http import PerLoop, from_transport, http_client
    from groundwire.llm._ledger import Accounting, Stream, Used
    from groundwire.llm._limiter import Limiter
    from groundwire.llm._probe import Probe, probe
    from groundwire.llm._schema import portable_schema
    from groundwire.llm._sdk_provider import reveal
    from groundwire.llm._spending import DayLedger, Spending
    from groundwire.llm._types import (
        Call,
        Capabilities,
        Completion,
        Provider,
        ProviderKind,
        TokenPosition,
        Usage,
        sendable,
    )

__all__ = [
    "PROVIDERS",
    "Accounting",
    "BackendBrokeOff",
    "BackendUnreachable",
    "Call",
    "CallPolicy",
    "Caller",
    "Capabilities",
    "Clients",
    "Completion",
    "DayLedger",
    "GGUFReader",
    "LLMClient",
    "Limiter",
    "PerLoop",
    "Place",
    "Probe",
    "Provider",
    "ProviderKind",
    "Spending",
    "Stream",
    "Structured",
    "TokenPosition",
    "Usage",
    "Used",
    "build_client",
    "call_policy",
    "from_status",
    "from_transport",
    "http_client",
    "judge_model",
    "not_readable",
    "portable_schema",
    "probe",
    "refuse_other_files",
    "retry_after",
    "reveal",
    "sendable",
]

__getattr__ = door(
    __name__,
    {
        "_build": "PROVIDERS Clients build_client call_policy judge_model",
        "_caller": "Caller CallPolicy",
        "_client": "LLMClient Structured",
        "_faults": """
            BackendBrokeOff BackendUnreachable Place from_status not_readable retry_after
        """,
        "_gguf": "GGUFReader refuse_other_files",
        "_http": "PerLoop from_transport http_client",
        "_ledger": "Accounting Stream Used",
        "_limiter": "Limiter",
        "_probe": "Probe probe",
        "_schema": "portable_schema",
        "_sdk_provider": "reveal",
        "_spending": "DayLedger Spending",
        "_types": """
            Call Capabilities Completion Provider ProviderKind TokenPosition Usage sendable
        """,
    },
)
