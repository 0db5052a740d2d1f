"""Makes long blocks out of short ones, and drops those that nothing leads to.

A lowering makes a block wherever a machine might be entered or left. Every step from block to block costs a turn of
the backend's loop, and every variable that lives in two blocks costs a slot of the state, so what always follows one
another is put together: a procedure with a single caller is returned from by a plain jump; jumps to blocks that only
jump on are shortened; a block is appended to the only one that jumps to it.

Blocks are numbered anew afterwards, in their old order, wherever a number stands: in terminators, in `BlockNumber`s,
in `Program.start` and in the entries of phases.

Invariant: every block can be reached from the start or from an entry; none jumps to a block that only it jumps to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.flow import roots, successors
from interpreter.ir.program import Entry, Program
from interpreter.ir.rewrite import rewrite_block, rewrite_function, same_expr, visit_block, visit_body


def merge(program: Program) -> Program:
    """The program with fewer, longer blocks."""
    program = _with_plain_returns(program)
    blocks = _shortened(program)
    program = evolve(program, blocks=blocks, start=_final(blocks, program.start))
    _append(program)
    return _renumbered(program)


def retarget(end: c.Terminator, new: Callable[[int], int]) -> c.Terminator:
    """The terminator with other numbers for the blocks that it names."""
    match end:
        case c.Jump(target):
            return c.Jump(new(target))
        case c.Branch(condition, then, otherwise):
            then, otherwise = new(then), new(otherwise)
            return c.Branch(condition, then, otherwise)
        case c.Ask(_, resume, otherwise):
            return evolve(end, resume=new(resume), otherwise=new(otherwise))
    return end


# ------------------------------------------------------------------------------------------------ returns


def _with_plain_returns(program: Program) -> Program:
    """Turns a `JumpSlot` into a `Jump` where the slot can hold one block only, and forgets such slots."""
    ways: dict[int, set[int]] = {}  # what a way back may be, by slot
    blocks = [program.blocks[number] for number in _reached(program)]
    for block in blocks:
        if isinstance(block.end, c.JumpSlot):
            ways.setdefault(block.end.slot, set())
    for entry in program.entries.values():
        for slot, number in entry.stores:
            ways.get(slot, set()).add(number)
    bodies = [visit_body(function.body) for function in program.functions.values()]
    for node in chain(*bodies, *(visit_block(block) for block in blocks)):
        match node:
            case c.Store(slot, c.BlockNumber(number)):
                ways.get(slot, set()).add(number)
            case c.Load(slot) | c.Store(slot, _):  # used for something else: leave it alone
                ways.pop(slot, None)
            case c.Fill(base, count, _):
                for slot in range(base, base + count):
                    ways.pop(slot, None)
    single = {slot: numbers.pop() for slot, numbers in ways.items() if len(numbers) == 1}
    if not single:
        return program

    def drop(stmt: c.Stmt) -> c.Body:
        return () if isinstance(stmt, c.Store) and stmt.slot in single else (stmt,)

    def plain(end: c.Terminator) -> c.Terminator:
        return c.Jump(single[end.slot]) if isinstance(end, c.JumpSlot) and end.slot in single else end

    blocks = [rewrite_block(block, same_expr, drop) for block in program.blocks]
    return evolve(
        program,
        functions={name: rewrite_function(f, same_expr, drop) for name, f in program.functions.items()},
        blocks=[evolve(block, end=plain(block.end)) for block in blocks],
        entries={
            name: Entry(entry.block, tuple(pair for pair in entry.stores if pair[0] not in single))
            for name, entry in program.entries.items()
        },
    )


# ------------------------------------------------------------------------------------------------ shortening


def _final(blocks: list[c.Block], number: int) -> int:
    """The block where one really arrives by way of empty blocks that only jump on."""
    seen = set()
    while not blocks[number].body and isinstance(end := blocks[number].end, c.Jump) and number not in seen:
        seen.add(number)
        number = end.target
    return number


def _shortened(program: Program) -> list[c.Block]:
    blocks = []
    for block in program.blocks:
        end = retarget(block.end, lambda number: _final(program.blocks, number))
        if isinstance(end, c.Jump) and not program.blocks[end.target].body:
            onward = retarget(program.blocks[end.target].end, lambda number: _final(program.blocks, number))
            if isinstance(onward, c.JumpSlot | c.Branch):  # as well decided here
                end = onward
        blocks.append(evolve(block, end=end))
    return blocks


def _append(program: Program) -> None:
    """Appends blocks to the only block that jumps to them, in place."""
    blocks = program.blocks
    arrivals = [0] * len(blocks)
    for root in roots(program):
        arrivals[root] += 2
    reached = _reached(program)
    for number in reached:
        for target in successors(blocks[number].end):
            arrivals[target] += 1
        for node in visit_block(blocks[number]):
            if isinstance(node, c.BlockNumber):
                arrivals[node.block] += 2
    for number in reached:
        block = blocks[number]
        while isinstance(block.end, c.Jump) and block.end.target != number and arrivals[block.end.target] == 1:
            target = block.end.target
            follower = blocks[target]
            block = c.Block(block.body + follower.body, follower.end, block.label or follower.label)
            blocks[number] = block
            blocks[target] = c.Block((), c.Stop(), follower.label)  # nothing leads here any more


def _reached(program: Program) -> list[int]:
    """The numbers of the blocks that something leads to, rising."""
    seen = set(roots(program))
    waiting = list(seen)
    while waiting:
        block = program.blocks[waiting.pop()]
        for target in successors(block.end):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
        for node in visit_block(block):
            if isinstance(node, c.BlockNumber) and node.block not in seen:
                seen.add(node.block)
                waiting.append(node.block)
    return sorted(seen)


# ------------------------------------------------------------------------------------------------ numbers


def _renumbered(program: Program) -> Program:
    numbers = {old: new for new, old in enumerate(_reached(program))}
    return evolve(
        program,
        functions={name: rewrite_function(f, _counting(numbers)) for name, f in program.functions.items()},
        blocks=[_moved(program.blocks[old], numbers) for old in numbers],
        start=numbers[program.start],
        entries={
            name: Entry(numbers[entry.block], tuple((slot, numbers[block]) for slot, block in entry.stores))
            for name, entry in program.entries.items()
        },
    )


def _counting(numbers: Mapping[int, int]) -> Callable[[c.Expr], c.Expr]:
    return lambda expr: c.BlockNumber(numbers[expr.block]) if isinstance(expr, c.BlockNumber) else expr


def _moved(block: c.Block, numbers: Mapping[int, int]) -> c.Block:
    block = rewrite_block(block, _counting(numbers))
    return evolve(block, end=retarget(block.end, numbers.__getitem__))


__all__ = ["merge", "retarget"]
