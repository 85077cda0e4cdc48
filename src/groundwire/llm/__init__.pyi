from groundwire.llm._build import (
    PROVIDERS as PROVIDERS,
    Clients as Clients,
    build_client as build_client,
    call_policy as call_policy,
    judge_model as judge_model,
)
from groundwire.llm._caller import Caller as Caller, CallPolicy as CallPolicy, Limiter as Limiter
from groundwire.llm._client import LLMClient as LLMClient
from groundwire.llm._faults import (
    BackendBrokeOff as BackendBrokeOff,
    BackendProse as BackendProse,
    BackendUnreachable as BackendUnreachable,
    Place as Place,
    from_status as from_status,
    not_readable as not_readable,
    prose_instead as prose_instead,
    retry_after as retry_after,
)
from groundwire.llm._gguf import GGUFReader as GGUFReader, refuse_other_files as refuse_other_files
from groundwire.llm._http import (
    PerLoop as PerLoop,
    from_transport as from_transport,
    http_client as http_client,
    probe as probe,
    reveal as reveal,
)
from groundwire.llm._spending import DayLedger as DayLedger, Spending as Spending
from groundwire.llm._types import (
    Call as Call,
    Capabilities as Capabilities,
    Completion as Completion,
    Provider as Provider,
    ProviderKind as ProviderKind,
    TokenPosition as TokenPosition,
    Usage as Usage,
    portable_schema as portable_schema,
    sendable as sendable,
)
