from groundwire.answer._answerer import Answerer as Answerer, open_answerer as open_answerer
from groundwire.answer._documents import Documents as Documents
from groundwire.answer._draft import (
    Drafter as Drafter,
    DraftVerifier as DraftVerifier,
    LLMDrafter as LLMDrafter,
)
from groundwire.answer._route import Plan as Plan, Router as Router
