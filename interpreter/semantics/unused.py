"""Options that nothing asks for.

An option counts as used when its name stands anywhere in the rules as a value: in a body, a table cell, a text, or a
change that some variant makes. The search is in the syntax, since what a variant that is not in force would ask for
is not understood.

Invariant: what is reported could be taken out of the file without changing any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.diagnostics import Diagnostics
from interpreter.semantics.describe import plain_name
from interpreter.semantics.project import Project
from interpreter.syntax import ast

__all__ = ["report_unused_options"]


def report_unused_options(project: Project, sink: Diagnostics) -> None:
    """Warns of options that nothing asks for (D230)."""
    if project.has_errors:
        return
    if project.unused_options is None:
        project.unused_options = _unused(project)
    for option in project.unused_options:
        sink.warning("D230", f"option `{option.name.text}` is not used", option.name.span)


def _unused(project: Project) -> list[ast.OptionDeclaration]:
    """The options of which nothing speaks."""
    options = list(project.options)
    if not options:
        return []
    used: set[str] = set()
    cells: list[str] = []
    for node in _nodes(project.declarations):
        if isinstance(node, ast.NamedThing):
            used.add(node.name.text)
        elif isinstance(node, ast.Cell):
            cells.append(plain_name(node.text))
    names = ((option, option.name.text) for option in options)
    return [option for option, name in names if name not in used and not any(name in text for text in cells)]


def _nodes(start: Any) -> Iterator[ast.Node]:
    """Every node of some trees."""
    waiting: list[Any] = [start]
    while waiting:
        at = waiting.pop()
        if isinstance(at, list | tuple):
            waiting.extend(at)
        elif isinstance(at, ast.Node):
            yield at
            waiting.extend(getattr(at, field.name) for field in attrs.fields(type(at)) if field.name != "span")
