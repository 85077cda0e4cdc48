"""What all providers over an official SDK have in common: where they are, and their clients."""

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import SecretStr

from groundwire.config import Config, is_loopback
from groundwire.errors import ConfigError
from groundwire.llm._faults import Place
from groundwire.llm._http import PerLoop, load_extra
from groundwire.llm._schema import Negotiation
from groundwire.llm._types import Capabilities, Provider, ProviderKind
from groundwire.observe import Log, keep_secret

journal = Log("llm")


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


def hosted(name: str, provider: Callable[..., Provider], *, key_variable: str) -> ProviderKind:
    """A provider at an address, which takes a key: its own variable, or `llm.api_key`."""

    def build(config: Config, model: str) -> Provider:
        own = name == config.llm.provider
        base_url = config.llm.base_url if own else None
        customary: SecretStr | None = getattr(config.llm.keys, name)
        key = reveal((config.llm.api_key if own else None) or customary)
        setting = f"{key_variable}{' or llm.api_key' if own else ''}"
        if key is None and base_url is None:
            raise ConfigError(f"The provider {name} needs an API key.", hint=f"Set {setting}.")
        if key is not None and (base_url or "").startswith("http:") and not is_loopback(base_url):
            journal.warn("llm_key_unencrypted", address=base_url)
        return provider(
            model,
            base_url=base_url,
            api_key=key,
            reasoning_effort=config.llm.reasoning_effort,
            key_setting=setting,
            model_setting="llm.model" if own else "llm.haiku_model",
        )

    return ProviderKind(build)


def reveal(key: SecretStr | None) -> str | None:
    """A key's value, which from now on is redacted wherever it would be written."""
    value = key.get_secret_value().strip() if key is not None else ""
    keep_secret(value)
    return value or None
