"""A whole program as one Python module that can be read, run and stepped through.

The module has a tuple for each constant array, a function for each function of the program, one for each block where
a game may be entered, and the loops that go from block to block. A block's function works on the state `S` and returns
the number of the next block, the codes of the options when somebody must decide, or None when the game is over. A
block with a single way in by a branch is printed inside its predecessor, as the `if` that it is.

Two texts of one program: the unwatched one draws chance from the state and says nothing; in the watched one every
function takes a watcher `T` too and reports marks, events and chance to it.

Invariant: `spans` has one entry for each line of `text`, the number of the span that the line comes from or -1.
"""

from __future__ import annotations

from attrs import frozen

from interpreter.backends.marks import first_span, span_of
from interpreter.backends.nesting import nested_blocks
from interpreter.backends.python.expressions import ExpressionPrinter
from interpreter.backends.python.names import Names
from interpreter.backends.python.statements import Lines, StatementPrinter
from interpreter.backends.work import declared_turns, work_of
from interpreter.ir.flow import is_exit
from interpreter.ir.program import CHOICE, DECISION, PC, FunctionCode, Program

_WIDTH = 100
"""Rows of arrays are wrapped at about this width."""


@frozen
class Module:
    """Generated Python. `functions` and `arrays`: the Python names of those of the program."""

    text: str
    spans: tuple[int, ...]
    functions: dict[str, str]
    arrays: dict[str, str]


def generate(program: Program, watched: bool) -> str:
    """The text of a Python module that plays the program."""
    return _Generator(program, watched, with_arrays=True).module().text


def generate_module(program: Program, watched: bool) -> Module:
    """The module with the tables that lead from its lines back to the rules.

    Its constant arrays are not written out, since a board's may be long: whoever runs the text has to provide them.
    """
    return _Generator(program, watched, with_arrays=False).module()


_UNWATCHED_LOOPS = f'''
def run(S):
    """From the program counter to the next decision (its options) or the end (None)."""
    block = S[{PC}]
    if block < 0:
        return None
    METER.begin()
    for _ in range(FUEL):
        result = BLOCKS[block](S)
        if result.__class__ is not int:
            return result
        block = result
    raise Fault("D701", SPANS[block])


def playout(S, pick, limit):
    """To the end of the game, decisions by `pick`; their number, or -1 if the limit came first."""
    blocks = BLOCKS
    decisions = 0
    METER.begin()
    result = DECISIONS[S[{DECISION}]](S) if S[{DECISION}] >= 0 else run(S)
    while result is not None:
        if decisions == limit:
            return -1
        decisions += 1
        S[{CHOICE}] = result[pick(len(result))]
        block = S[{PC}]
        METER.begin()
        for _ in range(FUEL):
            result = blocks[block](S)
            if result.__class__ is not int:
                break
            block = result
        else:
            raise Fault("D701", SPANS[block])
    return decisions
'''

_WATCHED_LOOPS = f'''
def run(S, T):
    """From the program counter to the next decision (its options) or the end (None)."""
    block = S[{PC}]
    if block < 0:
        return None
    METER.begin()
    for _ in range(FUEL):
        result = BLOCKS[block](S, T)
        if result.__class__ is not int:
            return result
        block = result
    raise Fault("D701", SPANS[block])
'''


class _Generator:
    def __init__(self, program: Program, watched: bool, with_arrays: bool) -> None:
        self.program, self.watched, self.with_arrays = program, watched, with_arrays
        self.names = Names()
        for name in (
            "BLOCKS",
            "DECISIONS",
            "FUEL",
            "Fault",
            "METER",
            "Meter",
            "SPANS",
            "draw",
            "moved",
            "number",
            "playout",
            "run",
        ):
            self.names.fresh(name)
        self.arrays = {name: self.names.fresh(name.removeprefix("array ").upper()) for name in program.arrays}
        self.functions = {name: self.names.fresh(name) for name in program.functions}
        self.parameters = "S, T" if watched else "S"
        self.nested = nested_blocks(program)
        self.blocks = [
            self.names.fresh(f"block_{number}_{block.label}") if number not in self.nested else "None"
            for number, block in enumerate(program.blocks)
        ]
        self.lines = Lines()
        self.work = work_of(program, declared_turns(program))

    def module(self) -> Module:
        add = self.lines.add
        for line in ('"""', *self._title(), '"""'):
            add(line)
        add()
        add("from interpreter.backends.api import FUEL, Fault, draw, moved, number")
        add("from interpreter.backends.python.meter import Meter")
        add()
        add("METER = Meter()")
        add()
        for name, values in self.program.arrays.items() if self.with_arrays else ():
            self._array(self.arrays[name], values)
        for function in self.program.functions.values():
            self._function(function)
        for number in range(len(self.program.blocks)):
            if number not in self.nested:
                self._block(number)
        self.lines.span = -1
        add()
        add()
        self._table("BLOCKS", self.blocks)
        self._table("SPANS", [str(max(first_span(block), 0)) for block in self.program.blocks])
        self._table("DECISIONS", [self.functions[decision.options] for decision in self.program.decisions])
        add()
        for line in (_WATCHED_LOOPS if self.watched else _UNWATCHED_LOOPS).splitlines():
            add(line)
        return Module("\n".join(self.lines.text) + "\n", tuple(self.lines.spans), self.functions, self.arrays)

    def _title(self) -> tuple[str, ...]:
        title = _in_docstring(self.program.title)
        return (f"{title}, generated{' for a watcher' if self.watched else ''}: do not edit.",)

    # ------------------------------------------------------------------ tables

    def _array(self, name: str, values: tuple[object, ...]) -> None:
        self._table(name, [_constant(value) for value in values], wide=any(isinstance(v, tuple) for v in values))

    def _table(self, name: str, items: list[str], wide: bool = False) -> None:
        """A tuple, in one line if it fits; `wide` items get a line each."""
        add = self.lines.add
        whole = ", ".join(items)
        if len(whole) <= _WIDTH:
            add(f"{name} = ({whole}{',' if len(items) == 1 else ''})")
            return
        add(f"{name} = (")
        line = ""
        for item in items:
            if line and (wide or len(line) + len(item) > _WIDTH):
                add(f"    {line.rstrip()}")
                line = ""
            line += f"{item}, "
        add(f"    {line.rstrip()}")
        add(")")

    # ------------------------------------------------------------------ code

    def _printer(self, function: str = "") -> StatementPrinter:
        names = Names(self.names)
        expressions = ExpressionPrinter(names, self.functions, self.arrays, self.watched)
        return StatementPrinter(self.lines, expressions, self.work, function)

    def _function(self, function: FunctionCode) -> None:
        lines, printer = self.lines, self._printer(function.name)
        lines.span = span_of(self.program, function)
        parameters = [self.parameters, *(printer.expressions.variable(name) for name in function.parameters)]
        title = "" if function.title in ("", function.name) else function.title
        self._head(self.functions[function.name], ", ".join(parameters), title)
        if function.name in self.work.functions or printer.too_deep:
            lines.depth += 1
            printer.begins(self.work.functions.get(function.name, 0))
            lines.depth -= 1
        printer.body(function.body)
        if not is_exit(function.body) and (printer.in_ring or function.returns == "value"):
            lines.depth += 1
            printer.give_back("0" if function.returns == "value" else "")
            lines.depth -= 1

    def _block(self, number: int) -> None:
        lines, printer = self.lines, self._printer()
        lines.span = first_span(self.program.blocks[number])
        self._head(self.blocks[number], self.parameters, "")
        lines.depth += 1
        self._block_body(number, printer)
        lines.depth -= 1

    def _block_body(self, number: int, printer: StatementPrinter) -> None:
        block = self.program.blocks[number]

        def goto(target: int) -> None:
            if target in self.nested:
                self._block_body(target, printer)
            else:
                self.lines.add(f"return {target}")

        if number in self.work.blocks:
            printer.begins(self.work.blocks[number])
        printer.statements(block.body)
        printer.end(block.end, self.program, goto)

    def _head(self, name: str, parameters: str, title: str) -> None:
        add = self.lines.add
        add()
        add()
        add(f"def {name}({parameters}):")
        if title:
            add(f'    """{_in_docstring(title)}"""')


def _constant(value: object) -> str:
    if isinstance(value, tuple):
        inside = ", ".join(_constant(part) for part in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return str(value)


def _in_docstring(text: str) -> str:
    return text.replace("\\", "/").replace('"', "'").replace("\n", " ")


__all__ = ["Module", "generate", "generate_module"]
