from groundwire.engine._engine import (
    Engine as Engine,
    audit_trace as audit_trace,
    default_engine as default_engine,
    verify_claim as verify_claim,
    verify_claims as verify_claims,
)
from groundwire.engine._records import Records as Records
