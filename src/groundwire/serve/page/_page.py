"""What a browser gets: one view a page, each a call of the engine that is then rendered."""

from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from jinja2 import Environment, PackageLoader
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from groundwire.serve._access import COOKIE
from groundwire.serve._problems import Problem
from groundwire.serve._service import Service
from groundwire.serve.page._shown import bar_width, excerpt, tag_of
from groundwire.serve.page._views import VIEWS

PAGES = (
    ("/", "Check"),
    ("/ask", "Ask"),
    ("/graph", "Graph"),
    ("/diagnose", "Diagnose"),
    ("/audit", "Audit"),
    ("/memory", "Memory"),
    ("/trail", "Trail"),
    ("/review", "Review"),
    ("/health", "Health"),
)
MARKS = {"grounded": "✓", "unsupported": "?", "contradicted": "✗", "unverifiable": "–"}
_STATIC = {
    "htmx.min.js": "text/javascript",
    "page.js": "text/javascript",
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
}
_COOKIE_S = 8 * 3600


class Page:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._version = version("groundwire")
        self._templates = Environment(
            loader=PackageLoader("groundwire.serve.page"),
            autoescape=True,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {"excerpt": excerpt, "tag": tag_of, "bar": bar_width}
        self._templates.globals |= {"marks": MARKS}
        for name in self._templates.list_templates():
            self._templates.get_template(name)  # compiled now, not while somebody waits
        folder = files("groundwire.serve.page") / "static"
        self._static = {name: (folder / name).read_bytes() for name in _STATIC}

    def add_to(self, app: FastAPI) -> None:
        options: dict[str, Any] = {"include_in_schema": False}
        for path, method, template, view in VIEWS:
            app.add_api_route(
                *(path, self._endpoint(template, view)),
                methods=[method],
                response_class=HTMLResponse,
                **options,
            )
        app.add_api_route("/static/{name}", self._send_static, **options)
        app.add_api_route("/sign-in", self._sign_in_form, **options)
        app.add_api_route("/sign-in", self._sign_in, methods=["POST"], **options)

    def _endpoint(self, template: str, view: Any) -> Any:
        async def show(request: Request) -> Response:
            found = await view(self._service, request)
            if isinstance(found, Response):
                return found
            status = found["problem"].status if found.get("problem") else 200
            return HTMLResponse(
                self._render(template, request.headers, found), status, {"Vary": "HX-Request"}
            )

        return show

    def _render(self, template: str, headers: Headers, found: Mapping[str, Any]) -> str:
        is_part = "hx-request" in headers and "hx-history-restore-request" not in headers
        name = template.partition(".")[0].capitalize()
        known = {"Verdict": "Trail", "Sign_in": "Sign in"}
        here = known.get(name, name)
        return self._templates.get_template(template).render(
            layout="fragment.html" if is_part else "base.html",
            pages=PAGES,
            title=here,
            here=here,
            version=self._version,
            can_sign_out=not self._service.access.is_open,
            **found,
        )

    def error(self, problem: Problem, headers: Headers) -> tuple[int, dict[str, str], str]:
        """A problem as a page; whoever has no token is shown where to give one."""
        if problem.status == 401:  # noqa: PLR2004
            where = {"HX-Redirect": "/sign-in"} if "hx-request" in headers else {}
            return 303, where | {"Location": "/sign-in"}, ""
        sent = problem.headers | {"Content-Type": "text/html; charset=utf-8"}
        page = self._render("error.html", headers, {"problem": problem})
        return problem.status, sent, page

    async def _send_static(self, name: str) -> Response:
        if name not in self._static:
            raise Problem(404, "not_found", "There is nothing at this address.")
        headers = {"Cache-Control": "public, max-age=86400"}
        return Response(self._static[name], 200, headers, _STATIC[name])

    async def _sign_in_form(self, request: Request) -> Response:
        return HTMLResponse(self._render("sign_in.html", request.headers, {"is_signed_out": True}))

    async def _sign_in(self, request: Request) -> Response:
        """The token goes into a cookie that no script reads and no other site makes use of."""
        async with request.form() as form:
            given = str(form.get("token", "")).strip()
        if self._service.tokens.find(given) is None:
            problem = Problem(401, "token", "The token is wrong, expired or revoked.")
            found = {"problem": problem, "is_signed_out": True}
            return HTMLResponse(self._render("sign_in.html", request.headers, found), 401)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            *(COOKIE, given),
            max_age=_COOKIE_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer
