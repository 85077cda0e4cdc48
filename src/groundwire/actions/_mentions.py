"""Files and commands that prose names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.text import placed_words, word_set

Role = Literal["object", "place", "aside"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A file named in prose. `role`: what the verb acts on, where it acts, or neither.

    `stands_alone`: no noun follows that would make it "the a.py imports".
    """

    path: str
    role: Role = "object"
    stands_alone: bool = True
    in_code: bool = False
    is_guess: bool = False
    """It may be code as well ("`hello.in`", "`self.data`"): it counts if there is such a file."""


_EXTENSIONS = word_set(
    """py pyi js jsx ts tsx mjs cjs json jsonl yaml yml toml md mdx rst txt html htm css scss sass
    less go rs java kt kts c h cc cpp hpp cs rb php sh bash zsh fish sql ini cfg conf lock xml svg
    vue svelte swift ipynb proto tf gradle env csv tsv lua r jl scala clj ex exs erl hs ml dart nix
    mod sum t pl pm bats bat ps1 mk cmake dockerfile properties graphql prisma astro tex bib log
    patch diff png jpg jpeg gif ico webp pdf tmp bak orig dat bin exe jar war zip gz tar tgz xz bz2
    sqlite sqlite3 db parquet pkl npy whl deb rpm pem crt j2 jinja jinja2 erb haml adoc plist csproj
    sln fsproj xaml snap cert tmpl tpl ejs hbs nim zig cr sol elm coffee litcoffee tfvars tfstate
    hcl po pot gemspec podspec bazel bzl aux bbl rmd qmd fsx f90 f95 pas vhd vhdl asm cu cuh wat
    wasm pyx pxd rkt scm groovy jsonc json5 ndjson avro thrift fbs xsd xsl xslt ttl resx storyboard
    xib pbxproj xcconfig qml twig pug styl mts cts psd eps ttf woff
    woff2 mp3 mp4 wav pyc dll dylib vcxproj editorconfig njk rake gyp tcl vb fnl purs
    agda kdl rego nomad dtsi kicad odt docx xlsx pptx"""
)
DOT_FILES = word_set(
    """.gitignore .gitattributes .gitmodules .dockerignore .editorconfig .prettierrc .prettierignore
    .eslintrc .eslintignore .npmrc .nvmrc .npmignore .babelrc .env .flake8 .pylintrc .coveragerc
    .python-version .tool-versions .htaccess .mailmap .clang-format .rspec .yarnrc .rubocop.yml
    .stylelintrc .browserslistrc .hgignore .bazelrc .ruby-version .node-version"""
)
"""Files whose name is all extension; other names with a stop in front may be anything."""
KNOWN_NAMES = word_set(
    """readme changelog license makefile dockerfile gemfile rakefile procfile justfile notice
    contributing codeowners vagrantfile jenkinsfile"""
)
# such as "`find . -name x`"
CODE = lazy_pattern(r"`[^`\n]+`")


def without_code(text: str) -> str:
    """As many characters, but code has no words: the stop in "find . -name x" ends no sentence."""
    return CODE.sub(lambda match: f"`{'x' * (len(match[0]) - 2)}`", text)


# such as "`src/app.py`", "src/app.py"
_TOKEN = lazy_pattern(r"`(?P<code>[^`\n]+)`|(?P<bare>[\w@./~-]*\w[\w@./~+-]*)")
_PLACES = word_set("to in into inside within from on zu zur zum aus")
_ASIDES = word_set(
    """für mit von for of with like using via by than per about as at against see matching under
    next beside behind between without after before during since because that which when where
    while"""
)
# such as "a.py, b.py", "a.py and"; in "the a.py imports" another noun follows
_FOLLOWERS = lazy_pattern(
    r"\s*(?:$|[,.;:()+&\u2013\u2014-]|(?:and|or|to|from|in|with|for|so|as|since|because|which|that"
    r"|after|afterwards|before|once|already|when|now|at|on|during|instead|and|files?|module|script|folder|directory|entirely|completely|accordingly|too|again|using|by)\b)",
    re.IGNORECASE,
)
# such as "hello.in", "data.v2"
_GUESS = lazy_pattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,7}")
# such as "f(x)", "a::b", "https://x"
_NOT_A_PATH = lazy_pattern(r"[\s()=<>*?|\"'{}$]|::|->|://")


def mentions(text: str) -> Iterator[Mention]:
    """The files a piece of prose names, each with the part it plays."""
    tokens = list(_TOKEN.finditer(text))
    paths = [
        as_path(match["code"], in_code=True) if match["code"] else as_path(match["bare"])
        for match in tokens
    ]
    is_guess = not any(paths)
    if is_guess:
        paths = [
            one["code"] if one["code"] and _GUESS.fullmatch(one["code"]) else None for one in tokens
        ]
    role: Role = "object"
    last_end = 0
    for match, path in zip(tokens, paths, strict=True):
        if path is None:
            continue
        between = text[last_end : match.start()]
        role = _role(between, role if last_end else "object")
        last_end = match.end()
        alone = bool(_FOLLOWERS.match(text[match.end() :]))
        yield Mention(path, role, alone, in_code=bool(match["code"]), is_guess=is_guess)


def _role(before: str, previous: Role) -> Role:
    """The last preposition before a name decides; in a list the role goes on."""
    if re.fullmatch(r"\s*(?:,|and|&|,\s*and|or|plus|/)\s*", before):
        return previous
    for word in reversed(placed_words(before)):
        if word.low in _PLACES:
            return "place"
        if word.low in _ASIDES:
            return "aside"
    return "object"


def as_path(token: str, *, in_code: bool = False) -> str | None:
    token = token.strip().rstrip(".,:;") if not in_code else token.strip()
    if not token or _NOT_A_PATH.search(token) or token.startswith(("-", "@")):
        return None
    name = token.rstrip("/").rsplit("/", 1)[-1]
    if name.lower() in KNOWN_NAMES:
        return token
    stem, dot, extension = name.rpartition(".")
    if dot and extension.lower() in _EXTENSIONS and (stem or token.startswith(".")):
        is_named = any(map(str.isalpha, stem or extension)) or (in_code and "/" in token)
        return token if is_named else None
    if in_code and ("/" in token or re.fullmatch(r"\.\w[\w.-]+", token)):
        return token
    return None


TOOLS = word_set(
    """cargo npm npx pip pip3 pytest cmake make go git black ruff prettier gofmt tsc jest vitest
    webpack vite mvn maven gradle composer bundle rustfmt eslint yarn pnpm poetry uv sphinx mkdocs
    isort rspec phpunit dotnet terraform goimports autopep8 yapf clang-format shfmt sed awk cp mv
    tar patch sort tee curl wget build script compiler formatter linter installer generator
    bundler
    command test tests ctest mocha node python java javac gcc"""
)
"""What may have done something in an agent's place."""


def is_tool(command: str) -> bool:
    """ "make", "npm run build", "./gen.sh"."""
    program = command.split(maxsplit=1)[0].lower() if command.strip() else ""
    return program in TOOLS or program.endswith((".py", ".sh", ".js", ".rb", ".pl"))


# what is a test by its name alone: "test_add", "TestMid", "testCents", "t/a.t"
LIKE_A_TEST = lazy_pattern(
    r"(?:tests?_\w+|Test[A-Z0-9]\w*|test[A-Z]\w*|\w+_tests?|\S+\.t)", re.IGNORECASE
)

# such as "npm run build", "python -m pytest -q tests", "mypy"
_BARE_COMMAND = lazy_pattern(
    r"""\s*(?:(?:the|a|full)\s+)*(?P<command>
    (?:npm|yarn|pnpm|bun)\s+(?:run\s+)?[\w:-]+ | npx\s+[\w@/-]+
    | (?:python3?\s+-m\s+)?pytest\b(?:\s+--?[\w-]+|\s+[\w./:-]+\.py\S*|\s+tests?\b/?)*
    | python3?\s+-m\s+\w+ | (?:make|cargo|mvn|gradle|\./gradlew)\s+[\w-]+
    | go\s+(?:test|build|vet)\b(?:\s+\./\.\.\.)? | docker\s+build | ruff\s+check
    | (?:tox|nox|ruff|mypy|eslint|tsc|jest|vitest)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
# such as "the command `make`", "tests with `pytest -q`"
_CODE_COMMAND = lazy_pattern(
    r"\s*(?:(?:the|a|full)\s+)*(?:command\s+|(?:\w+\s+){0,2}?tests?\s+(?:with|via|using)\s+)?`(?P<command>[^`\n]+)`"
)


def command_in(text: str) -> str | None:
    """The command right after "ran": in backticks, or one everybody writes without."""
    match = _CODE_COMMAND.match(text) or _BARE_COMMAND.match(text)
    return match["command"].strip().lstrip("$ ").strip() or None if match else None
