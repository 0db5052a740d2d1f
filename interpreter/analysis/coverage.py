"""Which lines of the rules were ever used, over any number of games.

The program marks a line when it is worked out: a line of a value or relation, a row and cell of a table, a statement,
an option that is taken. What it could mark is read off the program itself, so a line counts as never used only if it
could have been. Games in several configurations are added up by place in the file, not by program.

Invariant: `used` is a subset of `all`; adding games never takes anything away.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from interpreter.diagnostics import Span
from interpreter.ir import code
from interpreter.ir.program import Program
from interpreter.ir.rewrite import visit_program

__all__ = ["Coverage"]


@define
class Coverage:
    """Lines that can be used, and those that were."""

    all: set[Span] = field(factory=set)
    """Every place that can be used in some configuration that was played."""
    used: set[Span] = field(factory=set)
    """Those that were."""

    def add(self, program: Program, marks: Mapping[int, int]) -> None:
        """Adds the games of one program; `marks` counts uses by number of the span."""
        spans = program.spans
        self.all.update(spans[node.span] for node in visit_program(program) if isinstance(node, code.Mark))
        counted = {spans[number] for number, count in marks.items() if count and 0 <= number < len(spans)}
        self.used.update(counted & self.all)

    @property
    def percent(self) -> float:
        """How much was used, of a hundred; all of nothing is a hundred."""
        return 100.0 * len(self.used) / len(self.all) if self.all else 100.0

    def unused(self) -> dict[str, list[Span]]:
        """What was never used, in reading order, by file."""
        by_file: dict[str, list[Span]] = {}
        for span in sorted(self.all - self.used):
            by_file.setdefault(span.path, []).append(span)
        return by_file
