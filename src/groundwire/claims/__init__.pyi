from groundwire.claims._extract import (
    extract_claims as extract_claims,
    read_claim as read_claim,
)
