"""Gives a slot of the state to every variable of a machine that must outlive a block.

Between two blocks a game may stop, be saved, and go on elsewhere; so nothing may be left in a variable of the host. The
names of variables of machines are unique in the whole program. Those that occur in two blocks or more, those that are
`forced` (read by the functions of a decision) and those that a function reads by `FrameVar` get a slot; the
others stay variables of their block. A statement that binds a variable (a loop, a draw of chance) keeps binding it and
stores it at once.

Invariant: no `Frame...` operation is left, and no block reads a variable that it has not set itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.program import Layout, Program, SlotGroup
from interpreter.ir.rewrite import rewrite_block, rewrite_function, variables, visit_block, visit_program

LOW, HIGH = -(2**63), 2**63 - 1
"""Bounds of a slot whose content nobody declared: it may be a bit set."""


def place_locals(
    program: Program, forced: Collection[str] = frozenset(), arrays: Mapping[str, int] | None = None
) -> Program:
    """Places variables into the state; a group "frame" of its own for each, by its name.

    `forced` names variables that need a slot even if they occur in one block; `arrays` gives the number of slots of
    those that are arrays (lists and maps).
    """
    sizes = arrays or {}
    names = _shared(program, forced, sizes)
    layout = Layout(program.layout.size, list(program.layout.groups))
    slots = {name: _add(layout, name, sizes.get(name, 1)) for name in names}
    placer = _Placer(slots)
    return evolve(
        program,
        layout=layout,
        initial=(*program.initial, *[0] * (layout.size - len(program.initial))) if program.initial else (),
        functions={
            name: rewrite_function(f, placer.frame_expr, placer.frame_stmt) for name, f in program.functions.items()
        },
        blocks=[rewrite_block(block, placer.expr, placer.stmt) for block in program.blocks],
    )


def _shared(program: Program, forced: Collection[str], arrays: Mapping[str, int]) -> list[str]:
    """The variables that need slots, in order of first occurrence."""
    home: dict[str, int] = {}  # the block where a variable was first met
    shared = dict.fromkeys(
        node.name
        for node in visit_program(program)
        if isinstance(node, c.FrameVar | c.FrameAt | c.FrameAssign | c.FrameStoreAt)
    )
    for number, block in enumerate(program.blocks):
        for node in visit_block(block):
            for name in variables(node):
                if home.setdefault(name, number) != number or name in forced or name in arrays:
                    shared[name] = None
    for name in sorted(set(forced) | set(arrays)):
        shared.setdefault(name, None)
    return list(shared)


def _add(layout: Layout, name: str, count: int) -> int:
    group = SlotGroup(name, "frame", layout.size, max(count, 1), LOW, HIGH, visible="nobody")
    return layout.add(group).base


class _Placer:
    """Rewrites operations on variables that have slots."""

    def __init__(self, slots: Mapping[str, int]) -> None:
        self.slots = slots

    def frame_expr(self, expr: c.Expr) -> c.Expr:
        """In a function, whose own variables may be named like those of a machine."""
        match expr:
            case c.FrameVar(name):
                return c.Load(self.slots[name])
            case c.FrameAt(name, c.Int(index)):
                return c.Load(self.slots[name] + index)
            case c.FrameAt(name, index):
                return c.LoadAt(self.slots[name], index)
        return expr

    def frame_stmt(self, stmt: c.Stmt) -> c.Body:
        match stmt:
            case c.FrameAssign(name, value):
                return (c.Store(self.slots[name], value),)
            case c.FrameStoreAt(name, c.Int(index), value):
                return (c.Store(self.slots[name] + index, value),)
            case c.FrameStoreAt(name, index, value):
                return (c.StoreAt(self.slots[name], index, value),)
        return (stmt,)

    def expr(self, expr: c.Expr) -> c.Expr:
        """In a block."""
        if isinstance(expr, c.Var) and expr.name in self.slots:
            return c.Load(self.slots[expr.name])
        return self.frame_expr(expr)

    def stmt(self, stmt: c.Stmt) -> c.Body:
        match stmt:
            case c.Assign(name, value):
                return (c.Store(self.slots[name], value),) if name in self.slots else (stmt,)
            case c.Chance() | c.Pop():
                return (stmt, *self._kept(stmt.var))
            case c.ForRange() | c.ForItems() | c.ForBits() | c.ForList():
                return (evolve(stmt, body=(*self._kept(stmt.var), *stmt.body)),)
            case c.ForRow():
                kept = tuple(store for name in stmt.vars for store in self._kept(name))
                return (evolve(stmt, body=kept + stmt.body),)
        return self.frame_stmt(stmt)

    def _kept(self, name: str) -> c.Body:
        """Stores what a statement has just bound."""
        return (c.Store(self.slots[name], c.Var(name)),) if name in self.slots else ()


__all__ = ["place_locals"]
