"""A slow and obvious evaluator of programs, for comparing: straight from the words in `code.py`.

Variables of machines live in a dictionary, so it runs programs before and after `place_locals`.
"""

from collections.abc import Callable
from typing import Any

from interpreter.backends.api import Fault, draw
from interpreter.ir import code as c
from interpreter.ir.program import CHOICE, DECISION, PC, Program


class _Leave(Exception):  # noqa: N818
    pass


class _Again(Exception):  # noqa: N818
    pass


class _Return(Exception):  # noqa: N818
    def __init__(self, value: object) -> None:
        self.value = value


class TooLong(Exception):  # noqa: N818
    """More steps than the comparison is worth."""


def _divided(divide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(a: int, b: int) -> int:
        if b == 0:
            raise Fault("D703", -1)
        return divide(a, b)

    return checked


BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": _divided(lambda a, b: a // b),
    "mod": _divided(lambda a, b: a % b),
    "min": min,
    "max": max,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "&~": lambda a, b: a & ~b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Reference:
    """Plays one game of a program; `log` has its events, marks and draws."""

    def __init__(self, program: Program, state: list[int], steps: int = 500) -> None:
        self.program, self.state, self.steps = program, state, steps
        self.machine: dict[str, int] = {}
        self.log: list[tuple[object, ...]] = []

    # ------------------------------------------------------------------ machines

    def run(self) -> list[int] | None:
        number = self.state[PC]
        while True:
            self._step()
            block = self.program.blocks[number]
            self._body(block.body, self.machine)
            match block.end:
                case c.Jump(target):
                    number = target
                case c.Branch(condition, then, otherwise):
                    number = then if self.expr(condition, self.machine) else otherwise
                case c.JumpSlot(slot):
                    number = self.state[slot]
                case c.Stop():
                    self.state[PC] = self.state[DECISION] = -1
                    return None
                case c.Ask(decision, resume, otherwise, alone=alone):
                    options = self.call(self.program.decisions[decision].options, [])
                    assert isinstance(options, list)
                    if not options:
                        number = otherwise
                        continue
                    if len(options) == 1 and any(first <= options[0] < after for first, after in alone):
                        self.log.append(("taken", decision, options[0]))
                        self.state[CHOICE] = options[0]
                        number = resume
                        continue
                    self.state[PC], self.state[DECISION] = resume, decision
                    return options

    def apply(self, code: int) -> list[int] | None:
        self.state[CHOICE] = code
        return self.run()

    def call(self, name: str, arguments: list[int]) -> object:
        function = self.program.functions[name]
        try:
            self._body(function.body, dict(zip(function.parameters, arguments, strict=True)))
        except _Return as returned:
            return returned.value
        return 0

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise TooLong

    # ------------------------------------------------------------------ expressions

    def expr(self, expr: c.Expr, env: dict[str, int]) -> int:
        def value(part: c.Expr) -> int:
            return self.expr(part, env)

        match expr:
            case c.Int(number) | c.BlockNumber(number):
                return number
            case c.Var(name):
                return env[name]
            case c.FrameVar(name):
                return self.machine[name]
            case c.Load(slot):
                return self.state[slot]
            case c.LoadAt(base, index):
                return self.state[base + value(index)]
            case c.ArrayGet(array, index):
                element = self.program.arrays[array][value(index)]
                assert isinstance(element, int)
                return element
            case c.Binary(op, left, right):
                return BINARY[op](value(left), value(right))
            case c.Compare(op, left, right):
                return int(COMPARE[op](value(left), value(right)))
            case c.And(left, right):
                return int(value(left) != 0 and value(right) != 0)
            case c.Or(left, right):
                return int(value(left) != 0 or value(right) != 0)
            case c.Not(inner):
                return int(value(inner) == 0)
            case c.Pick(condition, then, otherwise):
                return value(then) if value(condition) else value(otherwise)
            case c.HasBit(members, index):
                return value(members) >> value(index) & 1
            case c.PopCount(members):
                return value(members).bit_count()
            case c.InList(name, item):
                return int(value(item) in self._list(name, env))
            case c.CallValue(function, arguments):
                result = self.call(function, [value(argument) for argument in arguments])
                assert isinstance(result, int)
                return result
        raise AssertionError(expr)

    def _list(self, name: str, env: dict[str, int]) -> list[int]:
        return env["[]" + name]  # type: ignore[return-value]

    # ------------------------------------------------------------------ statements

    def _body(self, body: c.Body, env: dict[str, int]) -> None:
        for stmt in body:
            self._statement(stmt, env)

    def _statement(self, stmt: c.Stmt, env: dict[str, int]) -> None:
        self._step()

        def value(part: c.Expr) -> int:
            return self.expr(part, env)

        match stmt:
            case c.Assign(name, new):
                env[name] = value(new)
            case c.FrameAssign(name, new):
                self.machine[name] = value(new)
            case c.Store(slot, new):
                self.state[slot] = value(new)
            case c.StoreAt(base, index, new):
                self.state[base + value(index)] = value(new)
            case c.Fill(base, count, number):
                self.state[base : base + count] = [number] * count
            case c.If(condition, then, otherwise):
                self._body(then if value(condition) else otherwise, env)
            case c.ForRange(var, low, high, body):
                self._loop(var, range(value(low), value(high)), body, env)
            case c.ForItems(var, items, body):
                self._loop(var, [value(item) for item in items], body, env)
            case c.ForBits(var, members, body):
                bits = value(members)
                self._loop(var, [i for i in range(bits.bit_length()) if bits >> i & 1], body, env)
            case c.ForRow(names, array, index, body):
                row: Any = self.program.arrays[array][value(index)]
                for element in row:
                    env.update(zip(names, element if len(names) > 1 else [element], strict=True))
                    if not self._turn(body, env):
                        break
            case c.ForList(var, name, body):
                self._loop(var, list(self._list(name, env)), body, env)
            case c.Forever(body):
                while self._turn(body, env):
                    pass
            case c.Break():
                raise _Leave
            case c.Continue():
                raise _Again
            case c.Return(result):
                raise _Return(0 if result is None else value(result))
            case c.ReturnList(name):
                raise _Return(self._list(name, env))
            case c.CallEffect(function, arguments):
                self.call(function, [value(argument) for argument in arguments])
            case c.NewList(name):
                env["[]" + name] = []  # type: ignore[assignment]
            case c.Push(name, new):
                self._list(name, env).append(value(new))
            case c.Pop(name, var):
                env[var] = self._list(name, env).pop()
            case c.IfEmpty(name, then, otherwise):
                self._body(otherwise if self._list(name, env) else then, env)
            case c.Chance(var, sides):
                env[var] = draw(self.state, value(sides))
                self.log.append(("chance", env[var]))
            case c.Check(condition, fault, span):
                if not value(condition):
                    raise Fault(fault, span)
            case c.Mark(span):
                self.log.append(("mark", span))
            case c.Emit(event, arguments):
                self.log.append(("event", event, *(value(argument) for argument in arguments)))
            case _:
                raise AssertionError(stmt)

    def _loop(self, var: str, items: "range | list[int]", body: c.Body, env: dict[str, int]) -> None:
        for item in items:
            env[var] = item
            if not self._turn(body, env):
                break

    def _turn(self, body: c.Body, env: dict[str, int]) -> bool:
        """Runs the body of a loop once; False when it leaves the loop."""
        self._step()
        try:
            self._body(body, env)
        except _Leave:
            return False
        except _Again:
            pass
        return True


class Recorder:
    """A watcher that writes the same log."""

    def __init__(self) -> None:
        self.log: list[tuple[object, ...]] = []

    def chance(self, state: list[int], sides: int) -> int:
        drawn = draw(state, sides)
        self.log.append(("chance", drawn))
        return drawn

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        assert all(type(argument) is int for argument in arguments)
        self.log.append(("event", event, *arguments))

    def mark(self, span: int) -> None:
        self.log.append(("mark", span))

    def taken(self, state: list[int], decision: int, code: int) -> None:
        self.log.append(("taken", decision, code))
