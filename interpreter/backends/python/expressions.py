"""Expressions of a program as Python text, with no more brackets than Python's precedence asks for.

Python's comparisons give True and False, a program's give 1 and 0. Where only the truth is asked for (a *condition*) or
the answer is only reckoned with (an *operand*: `True + 1` is 2), that makes no difference; elsewhere (a *value*, which
may be stored) the text says `1 if ... else 0`. Invariant: what is printed as a value evaluates to an exact `int`.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.backends.python.names import Names
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c

TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, SHIFT, ADD, MULTIPLY, UNARY, ATOM = range(1, 13)
"""Precedence of Python's operators, loosest first."""

Text = tuple[str, int]
"""Python text and its precedence."""

_OPERATORS: dict[c.BinaryOp, Text] = {
    "+": ("+", ADD),
    "-": ("-", ADD),
    "*": ("*", MULTIPLY),
    "div": ("//", MULTIPLY),
    "mod": ("%", MULTIPLY),
    "&": ("&", BIT_AND),
    "&~": ("&", BIT_AND),
    "|": ("|", BIT_OR),
    "<<": ("<<", SHIFT),
    ">>": (">>", SHIFT),
}
_CHAINS = frozenset("+*&|")
"""Operators that may be grouped anyhow."""
_WIDEST_MASK = 62
"""The last bit that is asked for by a mask; beyond, a shift is easier to read."""
_SIGNS: dict[c.CompareOp, str] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_OPPOSITE: dict[c.CompareOp, c.CompareOp] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class ExpressionPrinter:
    """Prints the expressions of one function; `names` are those of its variables and lists."""

    def __init__(self, names: Names, functions: Mapping[str, str], arrays: Mapping[str, str], watched: bool) -> None:
        self.names = names
        self.functions = functions
        self.arrays = arrays
        self.watched = watched

    # ------------------------------------------------------------------ in a position

    def value(self, expr: c.Expr, least: int = TERNARY) -> str:
        """Text of an exact int; in brackets if it binds looser than `least`."""
        return _bracketed(self._value(expr), least)

    def operand(self, expr: c.Expr, least: int) -> str:
        """Text of something equal to the value, for reckoning only."""
        return _bracketed(self._operand(expr), least)

    def condition(self, expr: c.Expr, least: int = TERNARY) -> str:
        """Text that is true where the value is not 0."""
        return _bracketed(self._condition(expr), least)

    def negation(self, expr: c.Expr, least: int = TERNARY) -> str:
        """Text that is true where the value is 0."""
        return _bracketed(self._negation(expr), least)

    def variable(self, name: str) -> str:
        return self.names.name("variable", name)

    def list(self, name: str) -> str:
        return self.names.name("list", name)

    def slot(self, base: int, index: c.Expr) -> str:
        """The slot `base + index`."""
        match index:
            case c.Int(value):
                return f"S[{base + value}]"
            case _ if base == 0:
                return f"S[{self.operand(index, TERNARY)}]"
        return f"S[{base} + {self.operand(index, ADD)}]"

    def call(self, function: str, arguments: tuple[c.Expr, ...]) -> str:
        given = ["S", *(["T"] if self.watched else []), *(self.value(argument) for argument in arguments)]
        return f"{self.functions[function]}({', '.join(given)})"

    def tuple(self, items: tuple[c.Expr, ...]) -> str:
        inside = ", ".join(self.value(item) for item in items)
        return f"({inside},)" if len(items) == 1 else f"({inside})"

    # ------------------------------------------------------------------ text and precedence

    def _value(self, expr: c.Expr) -> Text:
        match expr:
            case c.Compare() | c.And() | c.Or() | c.InList():
                return f"1 if {self.condition(expr, OR)} else 0", TERNARY
            case c.Not(inner):
                return f"0 if {self.condition(inner, OR)} else 1", TERNARY
            case c.Pick(condition, then, otherwise):
                text = f"{self.value(then, OR)} if {self.condition(condition, OR)} else {self.value(otherwise)}"
                return text, TERNARY
        return self._plain(expr)

    def _operand(self, expr: c.Expr) -> Text:
        match expr:
            case c.Not(c.Not()):  # as a condition that is the inner value itself, whatever number it is
                return self._value(expr)
            case c.Compare() | c.InList() | c.Not():
                return self._condition(expr)
        return self._value(expr)

    def _condition(self, expr: c.Expr) -> Text:
        match expr:
            case c.Compare(op, left, right):
                above = COMPARE + 1  # Python would read a < b < c as one chain
                return f"{self.operand(left, above)} {_SIGNS[op]} {self.operand(right, above)}", COMPARE
            case c.And(left, right):
                return f"{self.condition(left, AND)} and {self.condition(right, AND)}", AND
            case c.Or(left, right):
                return f"{self.condition(left, OR)} or {self.condition(right, OR)}", OR
            case c.Not(inner):
                return self._negation(inner)
            case c.InList(list_, value):
                return f"{self.operand(value, COMPARE + 1)} in {self.list(list_)}", COMPARE
            case c.HasBit(set_, c.Int(index)) if 0 <= index <= _WIDEST_MASK:
                return f"{self.value(set_, BIT_AND)} & {1 << index}", BIT_AND
            case c.Pick(condition, then, otherwise):
                text = f"{self.condition(then, OR)} if {self.condition(condition, OR)} else {self.condition(otherwise)}"
                return text, TERNARY
        return self._plain(expr)

    def _negation(self, expr: c.Expr) -> Text:
        match expr:
            case c.Compare(op, left, right):
                return self._condition(c.Compare(_OPPOSITE[op], left, right))
            case c.InList(list_, value):
                return f"{self.operand(value, COMPARE + 1)} not in {self.list(list_)}", COMPARE
            case c.Not(inner):
                return self._condition(inner)
        return f"not {self.condition(expr, NOT)}", NOT

    def _plain(self, expr: c.Expr) -> Text:
        match expr:
            case c.Int(value) | c.BlockNumber(value):
                return str(value), ATOM if value >= 0 else UNARY
            case c.Var(name):
                return self.variable(name), ATOM
            case c.Load(slot):
                return f"S[{slot}]", ATOM
            case c.LoadAt(base, index):
                return self.slot(base, index), ATOM
            case c.ArrayGet(array, index):
                return f"{self.arrays[array]}[{self.operand(index, TERNARY)}]", ATOM
            case c.Binary(op, left, right, checked):
                return self._checked(op, left, right) if checked else self._binary(op, left, right)
            case c.HasBit(set_, index):
                return f"{self.value(set_, SHIFT)} >> {self.operand(index, SHIFT + 1)} & 1", BIT_AND
            case c.PopCount(set_):
                text, binds = self._value(set_)
                return f"{text if binds == ATOM and not text.isdigit() else f'({text})'}.bit_count()", ATOM
            case c.CallValue(function, arguments):
                return self.call(function, arguments), ATOM
        raise InternalError(f"no Python for {type(expr).__name__}", "backends")

    def _checked(self, op: c.BinaryOp, left: c.Expr, right: c.Expr) -> Text:
        if op == "<<":
            return f"moved({self.value(left)}, {self.value(right)})", ATOM
        return f"number({self._binary(op, left, right)[0]})", ATOM

    def _binary(self, op: c.BinaryOp, left: c.Expr, right: c.Expr) -> Text:
        match op, right:
            case "min" | "max", _:
                return self._extreme(op, left, right)
            case "+", c.Int(value) if value < 0:
                return f"{self.operand(left, ADD)} - {-value}", ADD
        sign, binds = _OPERATORS[op]
        position = self.value if binds in (BIT_AND, BIT_OR) else self.operand  # True & True is no int
        if op == "&~":
            return f"{position(left, binds)} & ~{position(right, UNARY)}", binds
        grouped = op in _CHAINS and isinstance(right, c.Binary) and right.op == op
        return f"{position(left, binds)} {sign} {position(right, binds if grouped else binds + 1)}", binds

    def _extreme(self, op: str, left: c.Expr, right: c.Expr) -> Text:
        if all(isinstance(side, c.Int | c.Var | c.Load) for side in (left, right)):  # quicker than a call
            a, b = self.value(left, COMPARE + 1), self.value(right, COMPARE + 1)
            return f"{a} if {a} {'<' if op == 'min' else '>'} {b} else {b}", TERNARY
        return f"{op}({self.value(left)}, {self.value(right)})", ATOM


def _bracketed(text: Text, least: int) -> str:
    return text[0] if text[1] >= least else f"({text[0]})"


__all__ = ["ADD", "OR", "ExpressionPrinter"]
