"""Which blocks of a program are printed inside others, as the branches that they are; the same for every backend."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.flow import roots, successors
from interpreter.ir.program import Program
from interpreter.ir.rewrite import visit_block

_DEEPEST = 12
"""Blocks are nested in one another at most so deep."""


def nested_blocks(program: Program) -> set[int]:
    """Blocks that are entered from one place only, a branch or a decision without options: printed there."""
    arrivals = [0] * len(program.blocks)
    parent: dict[int, int] = {}
    for root in roots(program):
        arrivals[root] += 2
    for number, block in enumerate(program.blocks):
        for target in successors(block.end):
            arrivals[target] += 1
            parent[target] = number
        if isinstance(block.end, c.Ask):
            arrivals[block.end.resume] += 2
        for node in visit_block(block):
            if isinstance(node, c.BlockNumber):
                arrivals[node.block] += 2
    nested: set[int] = set()
    depths: dict[int, int] = {}
    for number in range(len(program.blocks)):
        chain = []
        here = number
        while here not in depths and arrivals[here] == 1 and here not in chain:
            chain.append(here)
            here = parent[here]
        depth = depths.setdefault(here, 0)  # a block with several ways in, or one of a ring that nothing enters
        for below in reversed(chain):
            if below == here:
                continue
            depth = (depth + 1) % _DEEPEST
            depths[below] = depth
            if depth:
                nested.add(below)
    return nested


__all__ = ["nested_blocks"]
