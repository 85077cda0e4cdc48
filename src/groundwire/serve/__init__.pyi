from groundwire.serve._app import create_app as create_app
from groundwire.serve._client import Client as Client, ServiceError as ServiceError
from groundwire.serve._jobs import Job as Job, JobProgress as JobProgress
from groundwire.serve._mcp import (
    mcp_server as mcp_server,
    run_mcp_http as run_mcp_http,
    run_mcp_stdio as run_mcp_stdio,
)
from groundwire.serve._proxy import proxy_app as proxy_app, run_proxy as run_proxy
from groundwire.serve._server import run_server as run_server
from groundwire.serve._tokens import (
    SCOPES as SCOPES,
    Scope as Scope,
    Token as Token,
    TokenStore as TokenStore,
)
