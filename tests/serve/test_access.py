"""Who may call: missing, wrong, expired and revoked tokens, other sites, other names."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import ConfigError, InputError
from groundwire.serve import SCOPES, TokenStore, create_app
from groundwire.serve._service import Service
from tests.serve.conftest import new_token
from tests.serve.running import Running, service

CHECK = {"text": "The mast is 42 m high.", "evidence": ["The mast is 42 m high."]}
Closed = tuple[Running, str]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        bearer("gw_00000000_wrong"),
        {"Authorization": "Bearer"},
        bearer("gw__"),
        {"Authorization": "Basic dXNlcjpwYXNz"},
        {"Cookie": "groundwire_token=gw_00000000_wrong"},
    ],
    ids=["none", "wrong", "empty", "hollow", "basic", "cookie"],
)
def test_without_a_right_token_nothing_is_done(
    closed_service: Closed, headers: dict[str, str]
) -> None:
    """401 with what to do, on every route but the probes."""
    run, _ = closed_service
    for method, path in (("POST", "/v1/check"), ("GET", "/metrics"), ("GET", "/v1/nothing")):
        body = CHECK if method == "POST" else None
        answered = run.call(method, path, json=body, headers=headers)
        assert answered.status_code == 401, path
        assert answered.json()["code"] == "token"
        assert "gw token add" in answered.json()["hint"]
        assert answered.headers["www-authenticate"].startswith("Bearer")
    assert run.call("GET", "/healthz").status_code == 200


def test_a_right_token_is_let_in_and_a_cookie_counts_for_the_page_alone(
    closed_service: Closed,
) -> None:
    """So that no page of another site can use a browser's cookie on the API."""
    run, token = closed_service
    assert run.post("/v1/check", CHECK, **bearer(token)).status_code == 200
    cookie = {"Cookie": f"groundwire_token={token}"}
    assert run.post("/v1/check", CHECK, **cookie).status_code == 401
    assert run.call("GET", "/", headers=cookie).status_code == 200


def test_expired_and_revoked_tokens_are_refused(closed_service: Closed) -> None:
    """At once, without a restart."""
    run, _ = closed_service
    expired = new_token(run.home, "verify", expires_in_s=-1.0)
    assert run.post("/v1/check", CHECK, **bearer(expired)).status_code == 401
    revoked = new_token(run.home, "verify")
    assert run.post("/v1/check", CHECK, **bearer(revoked)).status_code == 200
    with TokenStore.of(run.engine.config) as store:
        assert store.revoke(revoked.split("_")[1]).revoked_at is not None
    assert run.post("/v1/check", CHECK, **bearer(revoked)).status_code == 401


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says_and_no_more(closed_service: Closed, scope: str) -> None:
    """403 names the scope that is missing."""
    run, _ = closed_service
    token = new_token(run.home, scope)
    wanted = {"verify": "/v1/jobs", "memory": "/v1/memory/pending"}
    wanted |= {"review": "/v1/reviews", "observe": "/v1/audit-log"}
    for needed, path in wanted.items():
        status = run.call("GET", path, headers=bearer(token)).status_code
        assert (status == 403) == (needed != scope), path


def test_tokens_are_kept_as_hashes(tmp_path: Path) -> None:
    """Whoever reads the file cannot call with what stands in it."""
    with TokenStore(tmp_path / "tokens.sqlite") as store:
        text, token = store.add("ci", ["verify"], expires_in_s=60.0)
        assert store.find(text) == token
        assert token.expires_at is not None
        assert token.expires_at > datetime.now(UTC)
        with pytest.raises(InputError, match="needs a scope"):
            store.add("ci", [])
        with pytest.raises(InputError, match="no token"):
            store.revoke("nobody")
    secret = text.split("_", 2)[2]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret.encode() not in stored
    assert (tmp_path / "tokens.sqlite").stat().st_mode & 0o077 == 0


def test_others_are_served_only_with_tokens(tmp_path: Path) -> None:
    """An address beyond this machine is refused while there is none, and then asks for one."""
    overrides = {"home": tmp_path / "home", "serve.host": "0.0.0.0"}  # noqa: S104
    config = load_config(environ={}, overrides=overrides, directory=tmp_path).config
    with Engine(config) as engine:
        with pytest.raises(ConfigError, match="gw token add"):
            create_app(engine)
        new_token(tmp_path / "home", "verify")
        create_app(engine)
        made = Service(engine)
        made.tokens.revoke(made.tokens.all()[0].id)
        assert not made.access.is_open
        made.close()


def test_the_service_closes_for_good_with_the_first_token(tmp_path: Path) -> None:
    """A revoked token does not open it again."""
    with service(tmp_path / "home") as run:
        assert run.post("/v1/check", CHECK).status_code == 200
        token = new_token(run.home, "verify")
        assert run.post("/v1/check", CHECK).status_code == 401
        with TokenStore.of(run.engine.config) as store:
            store.revoke(token.split("_")[1])
        assert run.post("/v1/check", CHECK).status_code == 401


def test_the_open_service_answers_to_this_machines_names_alone(open_service: Running) -> None:
    """A name that another site points here is no way in."""
    for name, status in (("localhost:1", 200), ("[::1]:80", 200), ("evil.example", 403)):
        answered = open_service.call("GET", "/healthz", headers={"Host": name})
        assert answered.status_code == status, name


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
    ids=str,
)
def test_what_another_sites_page_sends_is_refused(
    open_service: Running, headers: dict[str, str]
) -> None:
    """For the API and the page; reading is prevented by the browser, as no CORS header comes."""
    assert open_service.post("/v1/check", CHECK, **headers).status_code == 403
    answered = open_service.call("POST", "/check", data={"text": "x"}, headers=headers)
    assert answered.status_code == 403
    assert "access-control-allow-origin" not in answered.headers


def test_sites_that_the_owner_names_may_call(tmp_path: Path) -> None:
    """CORS is off by default and on by setting, for those sites alone."""
    allowed = {"Origin": "https://intranet.example"}
    ask = {"Access-Control-Request-Method": "POST"}
    with service(tmp_path / "home", serve__cors_origins=["https://intranet.example"]) as run:
        preflight = run.call("OPTIONS", "/v1/check", headers=allowed | ask)
        assert preflight.headers["access-control-allow-origin"] == allowed["Origin"]
        assert run.post("/v1/check", CHECK, **allowed).status_code == 200
        assert run.post("/v1/check", CHECK, Origin="https://evil.example").status_code == 403


def test_signing_in_sets_a_cookie_that_no_script_reads(closed_service: Closed) -> None:
    """A browser without a token is shown where to give one."""
    run, token = closed_service
    page = {"Accept": "text/html"}
    turned = run.call("GET", "/trail", headers=page)
    assert (turned.status_code, turned.headers["location"]) == (303, "/sign-in")
    assert run.call("GET", "/sign-in", headers=page).status_code == 200
    wrong = run.call("POST", "/sign-in", data={"token": "gw_x_y"}, headers=page)
    assert wrong.status_code == 401
    right = run.call("POST", "/sign-in", data={"token": token}, headers=page)
    cookie = right.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
