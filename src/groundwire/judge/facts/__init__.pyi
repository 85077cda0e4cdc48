from groundwire.judge.facts._check import (
    EvidenceValues as EvidenceValues,
    Finding as Finding,
    check_values as check_values,
)
