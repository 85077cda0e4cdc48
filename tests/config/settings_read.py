"""Which settings the code reads, found in its syntax without running it.

A section is followed through names, attributes, parameters and returned values as far as their
annotations and assignments tell; whatever is then taken from it is read. What cannot be followed
counts as not read, so that a mistake of this reader shows as a failing test, never as a pass.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

from pydantic import BaseModel

Sections = Mapping[str, type[BaseModel]]
Read = tuple[str, str]
"""The name of a section's class, and of a field of it; a called function has no section."""


def unread_keys(
    tree: type[BaseModel], sources: Iterable[Path], through: Mapping[str, Read]
) -> list[str]:
    """The dotted keys of the leaves under `tree` that nothing in these files reads.

    `through` names, for keys that are read inside `config`, what others call to have it done.
    """
    read = _reads(sources, {one.__name__: one for one in _sections_of(tree)})
    leaves = [(key, through.get(key, (owner, name))) for key, owner, name in _leaves(tree)]
    return [key for key, way in leaves if way not in read]


def _leaves(section: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name, field in section.model_fields.items():
        nested = field.annotation
        if isinstance(nested, type) and issubclass(nested, BaseModel):
            yield from _leaves(nested, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", section.__name__, name


def _sections_of(section: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield section
    for field in section.model_fields.values():
        for one in (field.annotation, *get_args(field.annotation)):
            if isinstance(one, type) and issubclass(one, BaseModel):
                yield from _sections_of(one)


def _reads(sources: Iterable[Path], sections: Sections) -> set[Read]:
    texts = [path.read_text(encoding="utf-8") for path in sources]
    # a section comes from `groundwire.config`, or from what somebody calls their config
    modules = [ast.parse(text) for text in texts if "config" in text]
    returned = {
        node.name: found
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (found := _named(node.returns, sections))
    }
    return {read for module in modules for read in _Reader(sections, returned).of(module)}


def _named(annotation: ast.expr | None, sections: Sections) -> str | None:
    """The section that an annotation names: `X`, `"X"`, `X | None`."""
    if annotation is None:
        return None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    names = [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)]
    return next((name for name in names if name in sections), None)


class _Reader:
    """Reads one module. `known` holds names and `self.` attributes whose section is known."""

    def __init__(self, sections: Sections, returned: Mapping[str, str]) -> None:
        self._sections = sections
        self._returned = returned

    def of(self, module: ast.Module) -> set[Read]:
        return self._in_scope(module, {})

    def _in_scope(self, scope: ast.AST, outer: Mapping[str, str]) -> set[Read]:
        known = {**outer, **self._annotated(scope)}
        while (more := {**known, **self._assigned(scope, known)}) != known:
            known = more
        read = {one for node in _own_nodes(scope) for one in self._read(node, known)}
        for inner in _inner_scopes(scope):
            read |= self._in_scope(inner, known)
        return read

    def _annotated(self, scope: ast.AST) -> dict[str, str]:
        found: dict[str, str] = {}
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            given = scope.args
            for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs):
                if section := _named(argument.annotation, self._sections):
                    found[argument.arg] = section
        for node in _own_nodes(scope):
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                continue
            if section := _named(node.annotation, self._sections):
                where = "self." if isinstance(scope, ast.ClassDef) else ""
                found[where + node.target.id] = section
        return found

    def _assigned(self, scope: ast.AST, known: Mapping[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in _own_nodes(scope):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    name = _name_of(target)
                    if name and (section := self._section(node.value, known)):
                        found[name] = section
            if isinstance(node, ast.NamedExpr) and (section := self._section(node.value, known)):
                found[node.target.id] = section
        if isinstance(scope, ast.ClassDef):  # what a method puts on `self`, all methods know
            for method in _inner_scopes(scope):
                inner = {**known, **self._annotated(method)}
                assigned = self._assigned(method, inner).items()
                found |= {name: one for name, one in assigned if name.startswith("self.")}
        return found

    def _section(self, node: ast.expr, known: Mapping[str, str]) -> str | None:
        """The section an expression gives, where that can be told."""
        found: str | None = None
        match node:
            case ast.BoolOp():
                parts = (self._section(part, known) for part in node.values)
                found = next(filter(None, parts), None)
            case ast.Call(func=ast.Attribute(value=owner, attr="model_copy")):
                found = self._section(owner, known)
            case ast.Call():
                last = (_name_of(node.func) or "").rsplit(".", 1)[-1]
                found = last if last in self._sections else self._returned.get(last)
            case ast.Name() | ast.Attribute() if (name := _name_of(node)) in known:
                found = known[name or ""]
            case ast.Attribute(attr="config" | "_config") if "Config" in self._sections:
                found = "Config"
            case ast.Attribute():
                found = self._held_by(node, known)
        return found

    def _held_by(self, node: ast.Attribute, known: Mapping[str, str]) -> str | None:
        owner = self._section(node.value, known)
        field = self._sections[owner].model_fields.get(node.attr) if owner else None
        held = (field.annotation, *get_args(field.annotation)) if field else ()
        return next(
            (one.__name__ for one in held if isinstance(one, type) and issubclass(one, BaseModel)),
            None,
        )

    def _read(self, node: ast.AST, known: Mapping[str, str]) -> Iterator[Read]:
        match node:
            case ast.Attribute(ctx=ast.Load()):
                if owner := self._section(node.value, known):
                    yield owner, node.attr
            case ast.Call(func=ast.Name(id=called)):
                yield "", called
                # a field chosen by its name at run time may be any of the section's
                if called == "getattr" and (owner := self._section(node.args[0], known)):
                    yield from ((owner, name) for name in self._sections[owner].model_fields)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@cache
def _own_nodes(scope: ast.AST) -> tuple[ast.AST, ...]:
    """Everything in a scope but what is in the functions and classes inside it."""
    found: list[ast.AST] = []
    waiting = [scope]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            found.append(child)
            if not isinstance(child, _SCOPES):
                waiting.append(child)
    return tuple(found)


def _inner_scopes(scope: ast.AST) -> Iterator[ast.AST]:
    return (node for node in _own_nodes(scope) if isinstance(node, _SCOPES))


def _name_of(node: ast.expr) -> str | None:
    """`settings`, or `self._settings`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := _name_of(node.value)):
        return f"{owner}.{node.attr}"
    return None
