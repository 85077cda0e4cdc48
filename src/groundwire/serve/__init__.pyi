from groundwire.serve._app import create_app as create_app
from groundwire.serve._client import Client as Client, ServiceError as ServiceError
from groundwire.serve._jobs import Job as Job, JobProgress as JobProgress
from groundwire.serve._server import run_server as run_server
from groundwire.serve._tokens import (
    SCOPES as SCOPES,
    Scope as Scope,
    Token as Token,
    TokenStore as TokenStore,
)
