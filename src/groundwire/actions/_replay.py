"""A file's past, replayed from what a trace recorded of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.actions._content import Content, normal
from groundwire.traces import FileEffect

MAX_PAST_TEXTS = 50


@dataclass(frozen=True, slots=True)
class Change:
    """One event's effect on one file. A refused one changed nothing."""

    order: int
    event_id: str
    effect: FileEffect
    refused: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as a tool showed it; perhaps not all of it."""

    order: int
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """A file after one change. Content and hash are there as far as the trace tells them."""

    order: int
    event_id: str
    effect: FileEffect
    content: Content | None
    content_hash: str | None

    @property
    def sure(self) -> bool:
        return self.effect.sure

    @property
    def deleted(self) -> bool:
        return self.effect.action == "delete"


def replayed(changes: Sequence[Change], start: str | None = None) -> list[Version]:
    """The file after each change, from a known text or from none."""
    versions = []
    text = start
    for change in changes:
        text = apply_effect(text, change.effect)
        content = None if text is None else Content.of_text(text)
        digest = change.effect.content_hash
        versions.append(Version(change.order, change.event_id, change.effect, content, digest))
    return versions


def replayed_to(changes: Sequence[Change], readings: Sequence[Reading], now: str) -> list[Version]:
    """The same where the text of today is known and nothing else has changed the file since.

    What a tool showed of the file is believed if the edits after it lead to today's text exactly;
    else the edits are taken back from today's text, one by one.
    """
    last_reset = max((c.order for c in changes if c.effect.action != "edit"), default=0)
    for reading in readings:
        if reading.order < last_reset:
            continue
        earlier = [change for change in changes if change.order < reading.order]
        later = replayed([c for c in changes if c.order > reading.order], reading.text)
        if later and later[-1].content is not None and later[-1].content.texts == (now,):
            return filled_backwards(replayed(earlier), reading.text) + later
    return filled_backwards(replayed(changes), now)


def apply_effect(text: str | None, effect: FileEffect) -> str | None:
    """The text after a change, None where it is no longer known."""
    if effect.action == "delete" or not effect.sure:
        return None
    if effect.action == "write":
        return None if effect.content is None else normal(effect.content)
    if text is None or not effect.replacements:
        return None
    for replacement in effect.replacements:
        old, new = normal(replacement.old), normal(replacement.new)
        if replacement.line is not None:
            lines = text.split("\n")
            lines[replacement.line : replacement.line] = new.removesuffix("\n").split("\n")
            text = "\n".join(lines)
        elif not old or (text.count(old) != 1 and not replacement.everywhere):
            return None  # which of several places a tool takes is not known
        else:
            text = text.replace(old, new)
    return text


def filled_backwards(versions: list[Version], now: str) -> list[Version]:
    filled: list[Version] = []
    text: str | None = now
    for version in reversed(versions):
        if text is not None and not _shows(text, version.effect):
            text = None
        if version.content is None and text is not None:
            version = replace(version, content=Content.of_text(text))  # noqa: PLW2901
        text = _taken_back(text, version.effect)
        filled.append(version)
    return filled[::-1]


def _shows(text: str, effect: FileEffect) -> bool:
    """Whether a text can be what the change left behind."""
    if not effect.sure or effect.action != "edit" or not effect.replacements:
        return False
    return all(normal(replacement.new) in text for replacement in effect.replacements)


def _taken_back(text: str | None, effect: FileEffect) -> str | None:
    for replacement in reversed(effect.replacements):
        new = normal(replacement.new)
        is_clear = replacement.line is None and not replacement.everywhere and bool(new)
        if text is None or not is_clear or text.count(new) != 1:
            return None
        text = text.replace(new, normal(replacement.old), 1)
    return text


def past_texts(changes: Sequence[Change], now: str | None) -> Iterator[str]:
    """Texts the file may have had: what it is, with its recorded edits taken back in turn."""
    text = now
    if text is not None:
        yield text
    for change in changes[: -MAX_PAST_TEXTS - 1 : -1]:
        effect = change.effect
        text = _taken_back(text, effect) if text is not None and _shows(text, effect) else None
        if text is None:
            return
        yield text
