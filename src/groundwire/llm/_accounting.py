"""What was used: per model, per request, and in the metrics."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from groundwire.llm._types import Usage
from groundwire.observe import current_request, metrics

MAX_REQUESTS = 1_000
"""The oldest requests are forgotten beyond this; the sums per model are kept."""


@dataclass(frozen=True)
class Used:
    """`cost` is `None` as soon as one of the calls has no known price."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    def plus(self, usage: Usage) -> "Used":
        return Used(
            self.calls + 1,
            self.input_tokens + usage.input_tokens,
            self.output_tokens + usage.output_tokens,
            None if self.cost is None or usage.cost is None else self.cost + usage.cost,
        )


class Accounting:
    def __init__(self) -> None:
        self._models: dict[str, Used] = {}
        self._requests: OrderedDict[str, Used] = OrderedDict()
        self._lock = Lock()

    def record(self, provider: str, model: str, usage: Usage) -> None:
        context = current_request()
        with self._lock:
            self._models[model] = self._models.get(model, Used()).plus(usage)
            if context is not None:
                key = context.request_id
                self._requests[key] = self._requests.get(key, Used()).plus(usage)
                while len(self._requests) > MAX_REQUESTS:
                    self._requests.popitem(last=False)
        counted = metrics()
        for direction, tokens in (("in", usage.input_tokens), ("out", usage.output_tokens)):
            counted.count(
                "llm_tokens_total", tokens, provider=provider, model=model, direction=direction
            )
        if usage.cost:
            counted.count("llm_cost_total", usage.cost, provider=provider, model=model)

    def by_model(self) -> dict[str, Used]:
        with self._lock:
            return dict(self._models)

    def of_request(self, request_id: str) -> Used:
        with self._lock:
            return self._requests.get(request_id, Used())
