"""What all providers over an official SDK have in common: where they are, and their clients."""

from typing import Any, ClassVar

from groundwire.llm._faults import Place
from groundwire.llm._http import PerLoop, load_extra
from groundwire.llm._schema import Negotiation
from groundwire.llm._types import Capabilities
from groundwire.observe import keep_secret


class SDKProvider:
    """A subclass says which SDK it is over and connects to it."""

    name: str
    own_address: ClassVar[str]
    sdk: ClassVar[str]
    """The module to import, which the extra of the provider's name installs."""
    declared: ClassVar[Capabilities]

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        reasoning_effort: str | None = None,
        key_setting: str = "llm.api_key",
        model_setting: str = "llm.model",
    ) -> None:
        self.model = model
        self._address = base_url or self.own_address
        self._api_key = api_key
        keep_secret(api_key or "")
        self._reasoning_effort = reasoning_effort
        self._place = Place(
            self.name,
            model,
            self._address,
            has_key=bool(api_key),
            key_setting=key_setting,
            model_setting=model_setting,
        )
        self._negotiation = Negotiation(self.declared)
        self._clients: PerLoop[Any] = PerLoop(
            load_extra(self.sdk, self.name), self._connect, self._disconnect
        )

    def capabilities(self, model: str) -> Capabilities:
        return self._negotiation.capabilities(model)

    async def aclose(self) -> None:
        await self._clients.aclose()

    def _connect(self) -> Any:
        raise NotImplementedError

    async def _disconnect(self, client: Any) -> None:
        await client.close()
