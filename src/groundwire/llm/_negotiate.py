"""Optional parameters that a model does not know are left out, and remembered, per model."""

import re
from collections import defaultdict
from collections.abc import Iterable

from groundwire.errors import BackendUnsupported
from groundwire.llm._faults import Place
from groundwire.llm._types import Capabilities
from groundwire.observe import Log

journal = Log("llm")

# leaving these out changes how well a model is asked, not what it is asked
DISPENSABLE = frozenset({"temperature", "reasoning_effort", "thinking", "stream_options"})
# leaving these out would change what comes back: the caller has to know
NEEDED = {"logprobs": "logprobs", "output_schema": "native_schema"}


class Negotiation:
    """What a server has refused so far, and what its models have shown they can do."""

    def __init__(self, declared: Capabilities) -> None:
        self._declared = declared
        self._refused: defaultdict[str, set[str]] = defaultdict(set)
        self._learned: dict[tuple[str, str], bool] = {}

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(
            logprobs=self._learned.get((model, "logprobs"), self._declared.logprobs),
            native_schema=self._learned.get((model, "native_schema"), self._declared.native_schema),
            max_top_logprobs=self._declared.max_top_logprobs,
        )

    def learn(self, model: str, capability: str, *, offered: bool) -> None:
        self._learned[model, capability] = offered

    def refused(self, model: str) -> set[str]:
        return self._refused[model]

    def give_way(self, place: Place, wording: str, sent: Iterable[str]) -> bool:
        """Whether a 400 names something we can do without; raises when we cannot."""
        names = list(sent)
        for name in (each for each in names if _names(wording, each)):
            if name in NEEDED:
                # a server may offer both and yet not both at once: nothing is learned from that
                raise self.missing(place, NEEDED[name], learn=not NEEDED.keys() <= set(names))
            if name in DISPENSABLE or name == "max_tokens":
                self._refused[place.model].add(name)
                journal.warn("llm_parameter_dropped", model=place.model, parameter=name)
                return True
        return False

    def missing(self, place: Place, capability: str, *, learn: bool = True) -> BackendUnsupported:
        """The model does not offer something; from now on that is known."""
        if learn:
            self.learn(place.model, capability, offered=False)
        what, instead = {
            "logprobs": ("gives no log probabilities", "Set llm.estimation to sampling."),
            "native_schema": ("cannot be held to a JSON Schema", "Use another model."),
        }[capability]
        return BackendUnsupported(
            f"The model {place.model!r} of {place} {what}.", capability=capability, hint=instead
        )


_SPELLINGS = {
    "logprobs": r"log_?prob",
    "output_schema": r"response_(?:format|schema)|json_schema|output_config|structured output",
    "thinking": r"thinking",
    "max_tokens": r"max_(?:completion_)?tokens",
}


def _names(wording: str, parameter: str) -> bool:
    return re.search(_SPELLINGS.get(parameter, parameter), wording, re.IGNORECASE) is not None
