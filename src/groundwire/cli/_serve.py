"""The HTTP service and who may call it: `gw serve`, `gw token`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, plain_table, print_json, say
from groundwire.cli._shared import JsonFlag, load_settings, open_engine, require_extra

if TYPE_CHECKING:
    from groundwire.serve import Token


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")
    ] = None,
) -> None:
    """Serve HTTP and the page until it is stopped. Without a token only this machine is served."""
    parts = ("fastapi", "uvicorn", "jinja2", "python_multipart")
    require_extra("serve", *parts, needed_for="`gw serve`")
    from groundwire.serve import run_server

    with open_engine(context, {"serve.host": host, "serve.port": port}) as engine:
        run_server(engine, _say)


def _say(address: str) -> None:
    say(f"Groundwire is at {address}", beside=True)


app = typer.Typer(help="Tokens of those who may call the service.", no_args_is_help=True)


@app.command("add")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Whose it is, or what it is for.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help="verify, memory, review or observe; may be repeated. Default: verify."),
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="After this it is refused, as in 12h or 90d.")
    ] = None,
    rate: Annotated[int | None, typer.Option(min=1, help="Requests a minute.")] = None,
    max_body_mb: Annotated[
        float | None, typer.Option(min=0.001, help="Megabytes of one request.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a token and show it, once. From then on every request needs one."""
    from groundwire.config import parse_duration
    from groundwire.errors import InputError
    from groundwire.serve import SCOPES, TokenStore

    wanted = scope or ["verify"]
    known = [one for one in SCOPES if one in wanted]
    if len(known) < len(set(wanted)):
        raise InputError("There is no such scope.", hint=f"Scopes are {', '.join(SCOPES)}.")
    try:
        ends_s = None if expires is None else parse_duration(expires).total_seconds()
    except ValueError as error:
        raise InputError(f"--expires {expires!r}: {error}.") from error
    with TokenStore.of(load_settings(context).config) as store:
        text, token = store.add(
            *(name, known), expires_in_s=ends_s, rate_per_minute=rate, max_body_mb=max_body_mb
        )
    if as_json:
        print_json({"token": text, **token.model_dump(mode="json")})
    else:
        say(text)
        say("It is not shown again; only its hash is kept.", beside=True)


@app.command("list")
def list_tokens(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every token that was made, and whether it still counts."""
    from groundwire.serve import TokenStore

    with TokenStore.of(load_settings(context).config) as store:
        tokens = store.all()
    if as_json:
        print_json([token.model_dump(mode="json") for token in tokens])
        return
    table = plain_table("id", "name", "scopes", "state", "made")
    for token in tokens:
        made = f"{token.created_at:%Y-%m-%d}"
        table.add_row(token.id, token.name, " ".join(token.scopes), _state(token), made)
    console().print(table)


@app.command("revoke")
def revoke(
    context: typer.Context,
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Its id in `gw token list`.")],
    as_json: JsonFlag = False,
) -> None:
    """Refuse a token from now on."""
    from groundwire.serve import TokenStore

    with TokenStore.of(load_settings(context).config) as store:
        token = store.revoke(identifier)
    if as_json:
        print_json(token.model_dump(mode="json"))
    else:
        say(f"{token.id} ({token.name}) is revoked.")


def _state(token: "Token") -> str:
    if token.revoked_at is not None:
        return "revoked"
    if token.expires_at is None:
        return "in use"
    return "expired" if token.expires_at <= datetime.now(UTC) else f"until {token.expires_at:%F}"
