"""The code before and after the work: what it defines under a name, and what bears on that."""

import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from groundwire._patterns import lazy_pattern
from groundwire.actions._definitions import Definition, definitions_in, lines_naming, loose_lines

MAX_CODE_CHARS = 4_000_000
"""In more code nobody looks for what bears on what."""
MAX_NAMED_CHARS = 1_000_000
"""Of a name that more of it has, nobody asks what it is."""
Found = tuple[str, Definition]
"""A definition, and the path of its file."""

# what people or other programs read: "README.md", "run.log", "LICENSE"; no code is defined there
_NO_CODE = lazy_pattern(
    r"(?i)(?!.*(?:cmakelists|requirements)[^/]*$).*\.(?:md|rst|adoc|txt|log|csv|tsv|diff|patch|lock|out)"
    r"|(?:.*/)?(?:readme|license|changelog|notice|authors)"
)
# what no program reads: "README.md", "LICENSE"
_PAGE = lazy_pattern(
    r"(?i).*\.(?:md|rst|adoc)|(?:.*/)?(?:readme|license|changelog|notice)(?:\.txt)?"
)
# a file of tests: "tests/a.py", "src/a.test.js", "a_spec.rb", "AddTest.java", "t/a.t"
_OF_TESTS = lazy_pattern(
    r"(?:.*/)?(?:tests?|specs?|__tests__|testing|t)/.*"
    r"|(?:.*/)?(?:tests?_[^/]*|conftest\.py|[^/]*(?:[._-](?:test|spec)s?|[a-z](?:Test|Spec)s?)\.\w+"
    r"|[^/]*\.(?:bats|t))"
)
# a test by what stands above it or by its own name: "#[test]", "@Test", "def test_a", "it('…"
_TEST = lazy_pattern(
    r"\s*(?:\#\[test|@Test\b|\[(?:Fact|Test)|(?:it|test|@test|add_test)\b|[^\n]*\btest_)"
)
# such as "assert add(1, 2) == 3", "expect(x)", "def test_a"
_SPEAKS_OF_TESTS = lazy_pattern(r"(?i)test|spec|assert|expect|should|check|case")
# such as "add", "MAX_SIZE"
_WORD = lazy_pattern(r"[^\W\d]\w*")


def is_of_tests(path: str) -> bool:
    return _OF_TESTS.fullmatch(path) is not None


@dataclass(frozen=True)
class Code:
    """The texts of all files, before and now; `untold` are those changed from what nobody knows."""

    before: Mapping[str, str]
    now: Mapping[str, str]
    untold: frozenset[str] = frozenset()
    _defined: dict[tuple[str, str | None], tuple[list[Found], list[Found]]] = field(
        default_factory=dict
    )

    @cached_property
    def changed(self) -> list[str]:
        """Files that are new, gone or other than before, but for pages that no program reads."""
        return [
            path
            for path in self._paths()
            if self.before.get(path) != self.now.get(path) and not is_page(path)
        ]

    def _paths(self) -> Iterator[str]:
        yield from self.now
        yield from (path for path in self.before if path not in self.now)

    def defined(self, name: str, path: str | None = None) -> tuple[list[Found], list[Found]]:
        """What has a name, before and now; with a path, in that file alone."""
        key = name, path
        if key not in self._defined:
            new = _named(self.now, name, path)
            changed = set(self.changed)
            kept = [found for found in new if found[0] not in changed]
            old = {one: self.before[one] for one in changed & self.before.keys()}
            self._defined[key] = [*kept, *_named(old, name, path)], new
        return self._defined[key]

    def is_everywhere(self, name: str) -> bool:
        """Whether so much of the code has a name that nobody looks for what it defines."""
        chars = sum(len(text) for text in self.now.values() if name in text)
        return chars > MAX_NAMED_CHARS

    def is_mentioned_anew(self, name: str, path: str | None = None) -> bool:
        """Whether a line that has the name came or went: what is said may be said of its use."""
        return any(
            lines_naming(self.before.get(one, ""), name)
            != lines_naming(self.now.get(one, ""), name)
            for one in (self.changed if path is None else [path])
        )

    @cached_property
    def changed_tests(self) -> list[str]:
        """Files in which a test may have been changed: their place or what was changed tells so."""
        return [
            path
            for path in dict.fromkeys((*self.changed, *self.untold))
            if is_of_tests(path)
            or path in self.untold
            or _SPEAKS_OF_TESTS.search(_difference(self.before.get(path), self.now.get(path)))
        ]

    def tests(self, texts: Mapping[str, str]) -> int:
        """How many tests some texts define."""
        return sum(
            is_test(path, one)
            for path, text in texts.items()
            if is_code(path)
            for one in definitions_in(text)
            if one.is_block
        )

    def bearing(self, found: Sequence[Found], *, mended: bool) -> str:
        """A file that was changed and may bear on definitions that were not; "" if none may.

        A function does something else if what it calls does, or a value it reads is another. A
        fault in it may also be mended where it is called (`mended`). What is done to a test is
        done among the tests; that it no longer fails may be done anywhere.
        """
        of_tests = any(is_test(*one) for one in found)
        own = {path for path, _ in found}
        changed = self.changed
        if of_tests and not mended and all(is_test(*one) for one in found):
            changed = [one for one in changed if is_of_tests(one) or one in own]
        is_large = sum(map(len, self.now.values())) > MAX_CODE_CHARS
        if self.untold or is_large or (of_tests and mended):
            return next(iter((*sorted(self.untold), *changed)), "")
        near = self._near({one.name for _, one in found}, both_ways=mended)
        return next((path for path in changed if self._touches(path, near, is_own=path in own)), "")

    def _touches(self, path: str, near: set[str], *, is_own: bool) -> bool:
        """Whether the change of a file is one of these names, or of what belongs to all."""
        old, new = self.before.get(path), self.now.get(path)
        if _is_data(path, new if old is None else old):
            return old is not None or self._is_read(path)
        if _changed_names(old or "", new or "") & near:
            return True
        was, is_now = loose_lines(old or ""), loose_lines(new or "")
        lines = (was - is_now) + (is_now - was)
        told = {word for line in lines for word in _WORD.findall(line)}
        return bool(lines) and (is_own or bool(told & near))

    def _is_read(self, path: str) -> bool:
        """Whether code names a file of data that was not there before."""
        name = posixpath.basename(path)
        return any(name in text for text in self.before.values())

    def _near(self, names: set[str], *, both_ways: bool) -> set[str]:
        """The names, and those that they use, and so on; both ways: also those that use them."""
        reached, open_names = set(names), list(names)
        used, users = self._uses
        while open_names:
            name = open_names.pop()
            more = used.get(name, set()) | (users.get(name, set()) if both_ways else set())
            open_names += more - reached
            reached |= more
        return reached

    @cached_property
    def _uses(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Which names each definition has in its own lines, and which definitions have a name."""
        texts = {**self.before, **self.now}
        blocks = [
            (path, one)
            for path, text in texts.items()
            if is_code(path)
            for one in definitions_in(text)
            if one.is_block or one.is_top
        ]
        known = {one.name for _, one in blocks}
        used: dict[str, set[str]] = {}
        users: dict[str, set[str]] = {}
        for path, one in blocks:
            # a class does what its methods do
            used.setdefault(one.name, set()).update(known & set(_WORD.findall(one.text)))
            # tests use everything, and mend nothing
            if one.is_block and not is_of_tests(path):
                for word in known & set(_WORD.findall(one.own)):
                    users.setdefault(word, set()).add(one.name)
        return used, users


def is_code(path: str) -> bool:
    return _NO_CODE.fullmatch(path) is None


def is_page(path: str) -> bool:
    return _PAGE.fullmatch(path) is not None


def is_test(path: str, found: Definition) -> bool:
    return is_of_tests(path) or _TEST.match(found.text) is not None


def _named(texts: Mapping[str, str], name: str, path: str | None) -> list[Found]:
    return [
        (one, found)
        for one, text in texts.items()
        if name in text and (path is None or one == path) and is_code(one)
        for found in definitions_in(text)
        if found.name == name
    ]


def _is_data(path: str, text: str | None) -> bool:
    """A file that defines no function or class: what it holds is read by some."""
    return not is_code(path) or not any(one.is_block for one in definitions_in(text or ""))


def _difference(old: str | None, new: str | None) -> str:
    """The lines that came or went."""
    was, is_now = (Counter((text or "").split("\n")) for text in (old, new))
    return "\n".join((was - is_now) + (is_now - was))


def _changed_names(old: str, new: str) -> set[str]:
    """Names whose own lines are others than before."""
    before = Counter((one.name, one.own) for one in definitions_in(old))
    after = Counter((one.name, one.own) for one in definitions_in(new))
    return {name for name, _ in (before - after) + (after - before)}
