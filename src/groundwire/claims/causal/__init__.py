"""What a text says causes what, read from its wording."""

from groundwire.claims.causal._drafts import CausalDrafts, draft_edges
from groundwire.claims.causal._labels import label_of, variable_type
from groundwire.claims.causal._match import VariableNames
from groundwire.claims.causal._read import CausalReading, read_causal
from groundwire.claims.causal._roots import roots, spelled_apart
from groundwire.claims.causal._variables import Vocabulary, acronyms_in

__all__ = [
    "CausalDrafts",
    "CausalReading",
    "VariableNames",
    "Vocabulary",
    "acronyms_in",
    "draft_edges",
    "label_of",
    "read_causal",
    "roots",
    "spelled_apart",
    "variable_type",
]
