"""Trees and games as indented text.

The classes themselves say what there is to print, so a new node needs nothing here. Things that are compared by
identity and referred to from many places are printed in full where they are declared and by name elsewhere.

Invariant: the text holds no addresses and no paths outside the rules, so it can be compared with an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields, has

from interpreter.diagnostics import Span
from interpreter.semantics.model import Game, Understood
from interpreter.semantics.types import Type

__all__ = ["dump_game", "dump_tree"]

_INDENT = "  "
_MOST_IN_LINE = 100
_LONGEST_DATA = 400


def dump_tree(node: object) -> str:
    """A syntax tree, each node with its line."""
    return "\n".join(_lines(node, "", 0, refer=False))


def dump_game(game: Game) -> str:
    """An understood game: everything declared, in order."""
    lines = [f'Game "{game.title}"']
    for item in fields(Game):
        if item.name in ("names", "tests", "path", "title"):
            continue
        value = getattr(game, item.name)
        if isinstance(value, dict):
            lines.append(f"{_INDENT}{item.name}:")
            for each in value.values():
                lines += _lines(each, "", 2, refer=False)
        else:
            lines += _lines(value, f"{item.name}: ", 1, refer=item.name == "score")
    return "\n".join(lines)


def _lines(value: object, head: str, depth: int, *, refer: bool) -> Iterator[str]:
    indent = _INDENT * depth
    short = _short(value, refer)
    if short is not None:
        yield f"{indent}{head}{short}"
        return
    if isinstance(value, tuple | list):
        if not value:
            yield f"{indent}{head}()"
            return
        inline = [_short(item, refer) for item in value]
        joined = ", ".join(text for text in inline if text is not None)
        if all(text is not None for text in inline) and len(joined) <= _MOST_IN_LINE:
            yield f"{indent}{head}({joined})"
            return
        if head:
            yield f"{indent}{head}"
        for item in value:
            yield from _lines(item, "- " if not head else "", depth + (1 if head else 0), refer=refer)
        return
    if isinstance(value, dict):
        yield f"{indent}{head}" + ("{}" if not value else "")
        for key, item in value.items():
            yield from _lines(item, f"{key}: ", depth + 1, refer=True)
        return
    span = getattr(value, "span", None)
    place = f"  [{span.start.line}:{span.start.column}]" if isinstance(span, Span) else ""
    yield f"{indent}{head}{type(value).__name__}{place}"
    for item in fields(type(value)):  # type: ignore[arg-type]
        inner = getattr(value, item.name)
        if item.name in ("span", "_kept") or isinstance(inner, Span) or inner is None or inner == () or inner == "":
            continue
        yield from _lines(inner, f"{item.name}: ", depth + 1, refer=True)


def _short(value: object, refer: bool) -> str | None:
    """A value in one word or line; None for what needs lines of its own."""
    if isinstance(value, Type):
        name = getattr(value, "name", "")
        bounds = f" {value.low}..{value.high}" if hasattr(value, "low") and hasattr(value, "high") else ""
        return f"{type(value).__name__}{' ' + name if name else ''}{bounds}{' or none' if value.optional else ''}"
    if isinstance(value, str | int | bool) or value is None:
        return repr(value) if isinstance(value, str) else str(value)
    if isinstance(value, Span):
        return f"{value.start.line}:{value.start.column}"
    if refer and not isinstance(value, Understood) and _has_identity(value):
        return f"<{type(value).__name__} {getattr(value, 'name', '')}>"
    if isinstance(value, tuple | list) and value and all(isinstance(item, int) for item in value):
        text = ", ".join(map(str, value))
        return f"({text if len(text) <= _LONGEST_DATA else text[:_LONGEST_DATA] + ', ...'})"
    if not isinstance(value, tuple | list | dict) and not has(type(value)):
        return f"<{type(value).__name__}>"
    if not isinstance(value, tuple | list | dict) and not fields(type(value)):  # type: ignore[arg-type]
        return type(value).__name__
    return None


def _has_identity(value: object) -> bool:
    """Whether a thing is declared once and referred to from elsewhere."""
    return has(type(value)) and type(value).__eq__ is object.__eq__ and hasattr(value, "name")
