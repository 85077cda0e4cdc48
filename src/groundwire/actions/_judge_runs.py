"""Claims about what was run: commands, installations, pull requests."""

import re

from groundwire._patterns import lazy_pattern
from groundwire.actions._claims import CommandExecuted, CommandFor
from groundwire.actions._evidence import Ended, Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.actions._judge_tests import NO_TRACE
from groundwire.text import is_negation, placed_words, word_set
from groundwire.traces import checks_in

_INSTALLS = (
    "pip install", "pip3 install", "uv add", "uv pip install", "poetry add", "pipx install",
    "conda install", "mamba install", "npm install", "npm i", "npm add", "pnpm add",
    "pnpm install", "yarn add", "bun add", "bun install", "cargo add", "cargo install", "go get",
    "go install", "gem install", "bundle add", "composer require", "dotnet add package",
    "apt install", "apt-get install", "apk add", "dnf install", "yum install", "brew install",
)  # fmt: skip
_BRANCHES = ("git checkout -b", "git switch -c", "git switch --create", "git worktree add")
_PULL_REQUESTS = ("gh pr create", "glab mr create", "hub pull-request", "gh api", "curl")


_IDLE = frozenset(
    {"--dry-run", "--no-run", "--collect-only", "--co", "--help", "--version", "--list", "--check"}
)
"""Options with which a program does not do what it is for."""
_LOOKS = frozenset({"--check"})
"""Those with which one may still say that it was run."""


def judge_command(claim: CommandExecuted, evidence: Evidence) -> Ruling:
    history = evidence.history
    if history is None:
        return NO_TRACE
    commands = evidence.commands
    same, similar = commands.find(claim.command)
    if not claim.ran:
        return _not_run(claim, same, similar, evidence)
    may_be = evidence.may_have_run(claim.command)
    if not same:
        return _not_found(claim, similar, history, may_be=may_be)
    ruling = _ended(claim, same, may_be=may_be)
    if claim.branch is None or ruling.status != "verified":
        return ruling
    return _on_branch(claim.branch, same[-1][0], evidence, history, ruling)


# such as "git checkout -b fix", "git switch main", "git init -b main"
_SWITCH = lazy_pattern(
    r"\bgit (?:checkout|switch|init)(?: -[bBc]| --create| --orphan| -q| --initial-branch)*[ =]"
    r"(?P<branch>[\w./-]+)(?=\s*(?:$|[;&|]))"
)
# such as "a288689"
_HASH = lazy_pattern(r"[0-9a-f]{7,40}")


def _on_branch(
    branch: str, run: Run, evidence: Evidence, history: History, ruling: Ruling
) -> Ruling:
    """By the branch that was last switched to, by git's own line, or by where the files are."""
    earlier = [one for one in history.own_runs() if one.order <= run.order and one.exit_code == 0]
    named = [found["branch"] for one in earlier for found in _SWITCH.finditer(one.command)]
    switched = [one for one in named if not evidence.is_path(one)]
    known = switched[-1] if switched else evidence.branch
    # git says so itself: "[main a288689] Turn debug off"
    if known == branch or any(f"[{branch} " in text for text in history.spoken):
        return ruling
    is_told = history.complete and not evidence.may_have_run("git checkout")
    if known is None or _HASH.fullmatch(known) or not is_told:
        return Ruling("unverified", f"{ruling.detail}; nothing tells on which branch", "unknown")
    return Ruling("failed", f"{ruling.detail}, but on {known}, not {branch}", "unknown")


def _not_found(
    claim: CommandExecuted, similar: Run | None, history: History, *, may_be: bool
) -> Ruling:
    """No run of it is in the trace."""
    if similar is not None and (may_be or not _names_what_nothing_does(claim, history)):
        return Ruling("unverified", f"event {similar.event_id} ran something like it", "unknown")
    if may_be:
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    own = (run for run in history.own_runs() if claim.command in run.command.split())
    named = next(own, None)
    if named is not None:
        # "I ran `TestMid`": what was run may be named by what it was run on
        return Ruling("unverified", f"event {named.event_id} names it", "unknown")
    return Ruling("failed", "no command in the trace is this one", "unknown")


def _not_run(
    claim: CommandExecuted,
    same: list[tuple[Run, Ended]],
    similar: Run | None,
    evidence: Evidence,
) -> Ruling:
    """It is said not to have been run: one run that ended well refutes it."""
    ended_well = [run for run, code in same if code == 0]
    if ended_well:
        return Ruling("failed", f"event {ended_well[-1].event_id} ran it", "unknown")
    is_told = evidence.history is not None and evidence.history.complete
    if same or similar is not None or not is_told or evidence.may_have_run(claim.command):
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    return Ruling("verified", "no command in the trace is this one")


def _names_what_nothing_does(claim: CommandExecuted, history: History) -> bool:
    """Whether a plain word of it (`push`, `clippy`, `--coverage`) is in no command of the trace.

    Short options and paths may be written in several ways, and so may what has a short form.
    """
    words = claim.command.split()
    plain = [word for word in words if word.isidentifier() and len(word) > 1]
    long = [word.partition("=")[0] for word in words if _LONG_OPTION.fullmatch(word)]
    lines = [run.command for run in history.runs]
    short = {letter for line in lines for one in _SHORT_OPTIONS.findall(line) for letter in one}
    long = [word for word in long if word not in _COSMETIC and word[2] not in short]
    if words[0] == "go":  # its long options have one dash
        long += [word for word in words if _GO_OPTION.fullmatch(word)]
    paths = [word.strip("\"'").rstrip("/").rpartition("/")[2] for word in words[1:] if "/" in word]
    stems = [path.partition(".")[0] for path in paths if "*" not in path]
    stems = [stem for stem in stems if len(stem) > 2]  # noqa: PLR2004
    return any(all(word not in line for line in lines) for word in (*plain, *long, *stems))


# such as "-race"
_GO_OPTION = lazy_pattern(r"-[a-z]{3,}")
# such as "--coverage", "--config=x"
_LONG_OPTION = lazy_pattern(r"--[a-z][\w-]+(?:=\S*)?")
# such as "am" of "git commit -am x"
_SHORT_OPTIONS = lazy_pattern(r"(?<!\S)-([A-Za-z]+)")
_COSMETIC = word_set("--verbose --quiet --silent --color --colors --no-color --yes --run --ci")


def _idle(stated: list[str]) -> frozenset[str]:
    return _IDLE | {"-n"} if stated[0] in {"make", "gmake", "ninja"} else _IDLE


def _words_of_line(command: str) -> set[str]:
    """The words of a line, whatever quotes stand around them."""
    return {word.strip("\"'`();") for word in command.split()}


def _ended(claim: CommandExecuted, same: list[tuple[Run, Ended]], *, may_be: bool) -> Ruling:
    stated = claim.command.split()
    as_written = [pair for pair in same if pair[0].command.split() == stated]
    stated_options = _words_of_line(claim.command)
    is_idle = all((_words_of_line(run.command) - stated_options) & _idle(stated) for run, _ in same)
    is_idle = is_idle or (_only_listed(same) and mode_of_line(claim.command) == "run")
    if claim.times is not None and len({run.order for run, _ in same}) < claim.times:
        detail = f"it was run {len(same)} times, not {claim.times}"
        return Ruling("unverified" if may_be else "failed", detail, "unknown")
    if not as_written and is_idle:
        detail = f"event {same[-1][0].event_id} ran it, but only to list or to try"
        looked = all(_LOOKS & _words_of_line(run.command) for run, _ in same)
        return Ruling("unverified" if may_be or looked else "failed", detail, "unknown")
    for run, code in as_written or same:
        if _is_so(claim, code):
            return Ruling("verified", f"event {run.event_id} ran it")
    for run, code in same:
        if _is_so(claim, code):
            detail = f"event {run.event_id} ran something like it, which ended so"
            return Ruling("unverified", detail, "unknown")
    # what is only known not to be 0 may be any other code
    codes = [code for _, code in same if isinstance(code, int) or (code and claim.exit_code == 0)]
    if len(codes) < len(same):
        detail = f"event {same[-1][0].event_id} ran it; how it ended is not recorded"
        return Ruling("unverified", detail, "unknown")
    wanted = "another" if claim.exit_code is None else claim.exit_code
    detail = f"it ended with exit code {codes[-1]}, not {wanted}"
    if codes[-1] == "not_zero":
        detail = "it failed, or was not reached because something before it did"
    return Ruling("failed", f"{detail} (event {same[-1][0].event_id})", "unknown")


def _only_listed(same: list[tuple[Run, Ended]]) -> bool:
    """Whether every run of it was of a checker that was told to do something else."""
    modes = {check.mode for run, _ in same for check in run.checks}
    return bool(modes) and modes <= {"list", "collect", "dry", "no-run"}


def mode_of_line(command: str) -> str | None:
    checks = checks_in(command)
    return checks[-1].mode if checks else None


def judge_purpose(claim: CommandFor, evidence: Evidence) -> Ruling:
    """One of the commands that do it was run. What is only like one of them proves nothing."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    return _DONE_BY[claim.purpose](claim, evidence, history)


def _asked_to_merge(_: CommandFor, evidence: Evidence, history: History) -> Ruling:
    same = [run for one in _PULL_REQUESTS[:3] for run in evidence.commands.find(one)[0]]
    if same:
        return _ended(CommandExecuted(command=_PULL_REQUESTS[0], exit_code=0), same, may_be=True)
    may_be = any(hint in run.command for run in history.own_runs() for hint in _PULL_REQUESTS)
    if may_be or evidence.may_have_run("pr create") or evidence.may_have_run("curl"):
        return Ruling("unverified", "the trace does not tell whether it was done", "unknown")
    return Ruling("failed", "no command in the trace does this", "unknown")


def _started(_: CommandFor, __: Evidence, history: History) -> Ruling:
    """The project's own program: any command that may have run its code may have been it."""
    if history.ran_project or history.unclear or not history.complete:
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    return Ruling("failed", "no command in the trace runs a program", "unknown")


def _branched(_: CommandFor, evidence: Evidence, history: History) -> Ruling:
    made = [run for one in _BRANCHES for run in evidence.commands.find(one)[0]]
    if made:
        return _ended(CommandExecuted(command=_BRANCHES[0], exit_code=0), made, may_be=True)
    may_be = any(
        "git" in run.command and re.search(r"branch|checkout|switch|worktree|clone", run.command)
        for run in history.own_runs()
    )
    if may_be or evidence.may_have_run("git"):
        return Ruling("unverified", "the trace does not tell whether it was done", "unknown")
    return Ruling("failed", "no command in the trace makes a branch", "unknown")


def _installed(claim: CommandFor, evidence: Evidence, history: History) -> Ruling:
    """A package by its name, or by the folder or file it comes from."""
    found = [run for one in _INSTALLS for run in evidence.commands.find(one)[0]]
    found = [
        (run, code) for run, code in found if not (_IDLE - _LOOKS) & _words_of_line(run.command)
    ]
    if not claim.subject:
        return _installed_any(claim, found, evidence, history)
    named = [pair for pair in found if _names_package(claim.subject, pair[0].command)]
    if named:
        code = None if claim.failed else 0
        wanted = CommandExecuted(command=claim.subject, exit_code=code, failed=claim.failed)
        return _ended(wanted, named, may_be=True)
    whole = [pair for pair in found if pair[1] in {0, None} and _takes_a_list(pair[0].command)]
    unknown = not history.complete or evidence.commands.inner is None
    is_meant = any(claim.subject in run.command for run, _ in found)
    is_listed = any(
        claim.subject in (evidence.text(path) or claim.subject)
        for path in _MANIFESTS
        if whole and evidence.tree is not None and evidence.tree.entry(path) == "there"
    )
    is_elsewhere = whole and not any(
        evidence.tree is not None and evidence.tree.entry(path) == "there" for path in _MANIFESTS
    )
    if (
        unknown
        or is_meant
        or is_listed
        or is_elsewhere
        or evidence.may_have_run(f"install {claim.subject}")
    ):
        return Ruling("unverified", "the trace does not tell whether it was done", "unknown")
    return Ruling("failed", "no command in the trace does this", "unknown")


def _installed_any(
    claim: CommandFor, found: list[tuple[Run, Ended]], evidence: Evidence, history: History
) -> Ruling:
    """Something was installed, or nothing: "I installed the dependencies", "no package was"."""
    told = claim.said.text if claim.said is not None else ""
    known = {run.command for run, _ in found}
    others = [run.command for run in history.own_runs() if run.command not in known]
    is_open = (
        any(_may_install(one) for one in others)
        or _FETCHES.search(told) is not None
        or not history.complete
    )
    is_open = is_open or evidence.may_have_run("install")
    done = [run for run, code in found if code == 0]
    may_be = [run for run, code in found if code in {0, None}]
    if done and (not claim.ran or (claim.failed and len(done) == len(found) and not is_open)):
        return Ruling("failed", f"event {done[-1].event_id} did: {done[-1].command}", "unknown")
    if claim.failed and len(may_be) < len(found):
        return Ruling("verified", "an installation failed")
    if not (claim.failed or may_be or is_open):
        detail = "no installation succeeded" if found else "no command in the trace does this"
        return Ruling("failed" if claim.ran else "verified", detail, "unknown")
    if done and not claim.failed:
        return _installed_named(told, found)
    return Ruling("unverified", "the trace does not tell whether it was done", "unknown")


def _installed_named(told: str, found: list[tuple[Run, Ended]]) -> Ruling:
    """Of the packages that commands name, those that are told of must have been installed."""
    codes: dict[str, list[Ended]] = {}
    for run, code in found:
        for word in _packages(run.command) - _VERBS:
            if not word.startswith((".", "-")) and re.search(
                rf"(?<![\w-]){re.escape(word)}(?![\w-])", told
            ):
                codes.setdefault(word, []).append(code)
    missing = [word for word, ended in codes.items() if None not in ended and 0 not in ended]
    for word in missing:
        told = told.replace(word, "")
    if missing and not any(is_negation(word.text) for word in placed_words(told)):
        return Ruling("failed", f"the installation of {missing[0]} failed", "unknown")
    if missing or not all(0 in ended for ended in codes.values()):
        return Ruling("unverified", "not all that was to be installed was", "unknown")
    lists = [run for run, code in found if code == 0 and _takes_a_list(run.command)]
    if codes or lists:
        last = lists[-1] if lists else found[-1][0]
        return Ruling("verified", f"event {last.event_id} did: {last.command}")
    return Ruling("unverified", "which of the installations is meant is not told", "unknown")


def _may_install(command: str) -> bool:
    """Whether it may fetch a package in another way than those above: "uv sync", "npm ci"."""
    words = _words_of_line(command)
    is_git = "git" in words and "add" in words
    return bool(_FETCH & words) and not (is_git or (_IDLE - _LOOKS) & words)


_FETCH = word_set(
    """install i add ci get sync restore bootstrap setup download fetch wget curl ensurepip require
    upgrade update brew conda mamba mod"""
)
# who fetches what it runs: "npx installed prettier"
_FETCHES = lazy_pattern(r"(?i)\b(?:npx|uvx?|bunx|pipx|cargo|maven|mvn|gradle|docker|go)\b")

_DONE_BY = {
    "install": _installed,
    "branch": _branched,
    "program": _started,
    "pull-request": _asked_to_merge,
}


def _takes_a_list(command: str) -> bool:
    """Whether an installation may bring what it does not name: a list, a project, dependencies."""
    words = _words_of_line(command)
    named = [word for word in words if not word.startswith("-") and word not in _VERBS]
    return len(named) <= 1 or bool({"-r", "-e", "--requirement", "--editable", "."} & words)


_VERBS = word_set("install add i ci get require pip pip3 npm pnpm yarn bun uv poetry python3 -m")


def _names_package(subject: str, command: str) -> bool:
    """`npm install ./vendor/helper` installs helper, `pip install "requests>=2"` requests."""
    return _VERSION.sub("", subject) in _packages(command) or subject in _words_of_line(command)


def _packages(command: str) -> set[str]:
    """The last names of its words, without versions."""
    words = _words_of_line(command)
    return {_VERSION.sub("", word.rstrip("/").rpartition("/")[2]) for word in words}


# what follows the name of a package: "==2.0", "@^1.2", "[extra]", "-1.0.tar.gz"
_VERSION = lazy_pattern(r"(?<=\w)(?:[=<>~!@\[].*|-\d[\w.-]*)$")
_MANIFESTS = (
    "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "requirements.txt",
    "pyproject.toml", "poetry.lock", "uv.lock", "Cargo.toml", "Cargo.lock", "go.mod", "go.sum",
    "Gemfile", "Gemfile.lock", "composer.json", "composer.lock", "setup.py", "setup.cfg",
)  # fmt: skip
"""Files that name what a project needs, and what that needs."""


def _is_so(claim: CommandExecuted, code: Ended) -> bool:
    if claim.failed:
        return isinstance(code, int) and code != 0
    return claim.exit_code is None or code == claim.exit_code
