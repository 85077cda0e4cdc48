"""From settings to something that answers."""

from collections.abc import Callable

from groundwire.answer._answerer import Answerer
from groundwire.answer._documents import Documents
from groundwire.answer._draft import Drafter, DraftVerifier, LLMDrafter
from groundwire.config import Config, thresholds_of
from groundwire.errors import ConfigError
from groundwire.evidence import Index, Searcher, index_path, make_breaker, make_embedder
from groundwire.terms import Terminology, open_terminology, own_vocabularies


def open_answerer(
    config: Config,
    *,
    verifier: DraftVerifier | None = None,
    progress: Callable[[str], None] | None = None,
) -> Answerer:
    """A missing index is no error until documents are asked for; no file is made for it."""
    path = index_path(config)
    terminology = _terminology(config, progress)
    return Answerer(
        _documents(config) if path.exists() else None,
        terminology,
        config.answer,
        drafter=_drafter(config),
        verifier=verifier,
        absent=f"There is no index at {path}.",
    )


def _documents(config: Config) -> Documents:
    index = Index(index_path(config))
    searcher = Searcher(
        index,
        thresholds=thresholds_of(config.evidence),
        embedder=make_embedder(config.evidence),
        breaker=make_breaker(config),
    )
    return Documents(index, searcher, config)


def _terminology(config: Config, progress: Callable[[str], None] | None) -> Terminology | None:
    """None where no vocabulary is set up: then no question is about a term."""
    terms = config.terms
    own = own_vocabularies(config)
    files = terms.vocabulary or (own.is_dir() and any(own.iterdir()))
    if not files and terms.skosmos.base_url is None:
        return None
    return open_terminology(config, progress=progress)


def _drafter(config: Config) -> Drafter | None:
    wanted = config.answer.drafting
    if wanted == "quotes" or (wanted == "auto" and config.llm.model is None):
        return None
    if config.llm.model is None:
        raise ConfigError("answer.drafting is llm, but no model is set.", hint="Set llm.model.")
    from groundwire.llm import build_client

    return LLMDrafter(build_client(config), context_words=config.llm.context_words)
