"""The settings of `gw serve` and `gw proxy`: where they listen, how much of what they take."""

from pathlib import Path
from typing import Annotated, Literal

from groundwire.config._section import (
    Address,
    Duration,
    OneIsAList,
    Section,
    address,
    duration,
    setting,
)


class ServeSection(Section):
    """The HTTP service and its page."""

    host: str = setting(
        "127.0.0.1", "The address to listen at; one that others reach needs a token (`gw token`)."
    )
    port: int = setting(8765, "The port; 0 takes a free one.", ge=0, le=65_535, loosens="never")
    deadline: Duration = duration(
        "30s", "The longest a request may take, waiting included.", loosens="higher"
    )
    read_timeout: Duration = duration(
        "10s", "The longest a client may take to send a request.", loosens="higher"
    )
    max_body_mb: float = setting(
        4,
        "Larger requests are refused; a token may have a limit of its own.",
        gt=0,
        loosens="higher",
    )
    rate_per_minute: int = setting(
        1_200,
        "Requests of one token or address; a token may have a rate of its own.",
        ge=1,
        loosens="higher",
    )
    max_active: int = setting(
        4, "Requests that are worked on at once.", ge=1, le=1_024, loosens="never"
    )
    max_waiting: int = setting(
        32,
        "Requests that may wait for their turn; more are told to come again.",
        ge=0,
        le=100_000,
        loosens="never",
    )
    max_connections: int = setting(512, "Connections that are open at once.", ge=1, loosens="never")
    max_jobs: int = setting(
        100, "Jobs that may wait; more are told to come again.", ge=1, loosens="never"
    )
    jobs_kept: Duration = duration("7d", "How long what a job came to is kept.", loosens="never")
    shutdown_grace: Duration = duration(
        "20s", "How long work under way may go on when the service is stopped.", loosens="never"
    )
    cors_origins: Annotated[list[str], OneIsAList] = setting(
        [], "Pages of other sites that may call, as in https://intranet.example; none."
    )
    files: Path | None = setting(
        None, "The folder that a `base_path` of a request may lie in; unset: none may be named."
    )


class ProxySection(Section):
    """The proxy between a program and its language model."""

    upstream: Address | None = address("The service that answers, as in https://api.openai.com/v1.")
    host: str = setting("127.0.0.1", "The address to listen at.")
    port: int = setting(8766, "The port; 0 takes a free one.", ge=0, le=65_535, loosens="never")
    allow_others: bool = setting(
        False,
        "Listen at an address that others reach: whoever reaches it may use it.",
        loosens="on",
    )
    mode: Literal["correct", "mark", "annotate", "off"] = setting(
        "annotate",
        "What does not stand is told in a header and a field (`annotate`), also in the text "
        "(`mark`), or the model is asked once to correct itself (`correct`); `off`: all passes.",
        loosens=("correct", "mark", "annotate", "off"),
    )
    budget: Duration = duration(
        "2s", "The longest a verification may hold up a response.", loosens="lower"
    )
    timeout: Duration = duration(
        "10m", "The longest the service behind may be silent.", loosens="never"
    )
    max_body_mb: float = setting(32, "Larger requests are refused.", gt=0, loosens="higher")
