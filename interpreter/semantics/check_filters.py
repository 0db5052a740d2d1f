"""Whether every part of a `where` speaks of its candidate.

A `where` reaches to the end of its line. A part behind an `and` that says nothing about the candidate was most often
meant to stand outside: `no pool where face is cooking and built(Farm) = 0` asks both of the dice. Only parts behind the
last one that speaks of the candidate are reported, and none that hangs on options alone.

Invariant: what is reported has the same answer for every candidate.
"""

from __future__ import annotations

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import walk
from interpreter.semantics.model import Const, Expr, Filter, Game, Local, LocalRef, Logic

__all__ = ["check_filters"]


def check_filters(game: Game, sink: Diagnostics) -> None:
    """Report trailing parts of filters that do not speak of the candidate."""
    for node in walk.survey(game).nodes:
        if isinstance(node, Filter) and node.condition is not None:
            parts = list(_parts(node.condition))
            silent: Expr | None = None
            for part in reversed(parts[1:]):
                if _speaks_of(part, node.local):
                    break
                silent = part
            if silent is not None and _speaks_of(parts[0], node.local) and not isinstance(silent, Const):
                sink.warning(
                    "D314",
                    "this part of the `where` does not speak of the candidate",
                    silent.span,
                    "asked anew of every candidate",
                    help="a `where` reaches to the end of the line: put the part first, or the filter in brackets",
                )


def _parts(node: Expr) -> list[Expr]:
    """What is joined by `and`, left to right."""
    if isinstance(node, Logic) and node.op == "and":
        return [*_parts(node.left), *_parts(node.right)]
    return [node]


def _speaks_of(node: Expr, local: Local) -> bool:
    return any(isinstance(at, LocalRef) and at.local is local for at in walk.descend(node))
