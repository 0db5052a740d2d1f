"""Programs by chance from a seed: quicker than a strategy, so that a test sees thousands of them."""

from collections.abc import Callable, Sequence
from random import Random

from attrs import evolve
from tiny_programs import SLOTS, V, choose, function, options, program

from interpreter.ir import code as c
from interpreter.ir.passes.place_locals import HIGH, LOW
from interpreter.ir.program import FunctionCode, Layout, Program, SlotGroup

NAMES = ("a", "b", "a.1", "while")
"""The variables that are numbers, all of them set at the beginning."""
SETS = ("s", "set")
"""The variables that are bit sets."""
BACK = V + SLOTS
"""The slot of the way back."""
S = BACK + 1
"""The first of three slots with sets."""
WIDTH = 300
"""Members that a set may have."""


def bounded(part: c.Expr, size: int) -> c.Expr:
    """The expression made to lie within 0..size-1."""
    return c.Binary("mod", part, c.Int(size))


class Maker:
    """Makes expressions and statements."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    # ------------------------------------------------------------------ expressions

    def expr(self, names: Sequence[str], depth: int = 2, calls: bool = True) -> c.Expr:
        def part() -> c.Expr:
            return self.expr(names, depth - 1, calls)

        choice = self.random.choice
        leaves: list[Callable[[], c.Expr]] = [
            lambda: c.Int(self.random.randint(-2, 6)),
            lambda: c.Var(choice(names)),
            lambda: c.Load(V + self.random.randrange(SLOTS)),
        ]
        if depth == 0:
            return choice(leaves)()
        plain: tuple[c.BinaryOp, ...] = ("+", "-", "min", "max", "&", "|", "&~", "mod")
        signs: tuple[c.CompareOp, ...] = ("=", "!=", "<", "<=", ">", ">=")
        makers: list[Callable[[], c.Expr]] = [
            *leaves,
            *[lambda: c.Binary(choice(plain), part(), part())] * 3,
            *[lambda: c.Compare(choice(signs), part(), part())] * 3,
            lambda: c.Binary("*", bounded(part(), 50), bounded(part(), 50)),
            lambda: c.Binary("<<", bounded(part(), 50), bounded(part(), 8)),
            lambda: c.Binary("div", part(), c.Int(choice((1, 2, 3, 0, -2)))),
            lambda: c.And(part(), part()),
            lambda: c.Or(part(), part()),
            lambda: c.Not(part()),
            lambda: c.Pick(part(), part(), part()),
            lambda: c.HasBit(part(), bounded(part(), 8)),
            lambda: c.PopCount(c.Binary("&", part(), c.Int(255))),
            lambda: c.LoadAt(V + self.random.randrange(4), bounded(part(), 4)),
            lambda: c.ArrayGet("squares", bounded(part(), 4)),
            lambda: self.asked(names, depth, calls),
        ]
        if calls:
            makers.append(lambda: c.CallValue("helper", (part(), part())))
        return choice(makers)()

    def members(self, names: Sequence[str], depth: int = 2, calls: bool = True) -> c.Expr:
        """A bit set. Sets are of a type of their own: no number is taken for one, and none is below 0."""

        def part() -> c.Expr:
            return self.members(names, depth - 1, calls)

        choice = self.random.choice
        width = choice((5, 31, 32, 60, 64, 65, WIDTH))
        leaves: list[Callable[[], c.Expr]] = [
            lambda: c.Int(self.random.getrandbits(width)),
            lambda: c.Binary("<<", c.Int(1), bounded(self.expr(names, 1, calls), width)),
            lambda: c.Load(S + self.random.randrange(3)),
        ]
        if set(NAMES) <= set(names):
            leaves.append(lambda: c.Var(choice(SETS)))
        if depth == 0:
            return choice(leaves)()
        bitwise: tuple[c.BinaryOp, ...] = ("&", "|", "&~")
        makers: list[Callable[[], c.Expr]] = [
            *leaves,
            *[lambda: c.Binary(choice(bitwise), part(), part())] * 4,
            lambda: c.Pick(self.expr(names, 1, calls), part(), part()),
            lambda: c.LoadAt(S, bounded(self.expr(names, 1, calls), 3)),
            lambda: c.Binary(">>", part(), bounded(self.expr(names, 1, calls), width)),
        ]
        if calls:
            makers.append(lambda: c.CallValue("union", (part(), part(), self.expr(names, 1))))
        return choice(makers)()

    def asked(self, names: Sequence[str], depth: int, calls: bool) -> c.Expr:
        """A number that sets tell."""

        def some() -> c.Expr:
            return self.members(names, depth - 1, calls)

        signs: tuple[c.CompareOp, ...] = ("=", "!=", "<", ">=")
        makers: list[Callable[[], c.Expr]] = [
            lambda: c.PopCount(some()),
            lambda: c.HasBit(some(), bounded(self.expr(names, 1, calls), WIDTH)),
            lambda: c.Compare(self.random.choice(signs), some(), some()),
            lambda: c.Compare(self.random.choice(signs), some(), c.Int(0)),
            lambda: c.Not(some()),
        ]
        return self.random.choice(makers)()

    # ------------------------------------------------------------------ statements

    def body(self, names: Sequence[str] = NAMES, depth: int = 2, loop: bool = False, most: int = 4) -> c.Body:
        return tuple(self.stmt(names, depth, loop) for _ in range(self.random.randint(0, most)))

    def stmt(self, names: Sequence[str], depth: int, loop: bool) -> c.Stmt:
        choice, number = self.random.choice, self.random.randint

        def value() -> c.Expr:
            return self.expr(names)

        def turn() -> c.Body:
            return self.body(names, depth - 1, loop=True, most=3)

        def some() -> c.Expr:
            return self.members(NAMES)

        def member() -> c.Expr:
            return c.Binary("<<", c.Int(1), bounded(value(), choice((40, WIDTH))))

        def changed(name: str) -> c.Stmt:
            op: c.BinaryOp = choice(("|", "&~"))
            return c.Assign(name, c.Binary(op, c.Var(name), member()))

        makers: list[Callable[[], c.Stmt]] = [
            *[lambda: c.Assign(choice(names), value())] * 3,
            lambda: c.Assign(choice(SETS), some()),
            lambda: c.Store(S + number(0, 2), some()),
            lambda: c.StoreAt(S, bounded(value(), 3), some()),
            lambda: changed(choice(SETS)),
            lambda: c.Store(S, c.Binary("|", c.Load(S), member())),
            *[lambda: c.Store(V + number(0, SLOTS - 1), value())] * 2,
            lambda: c.StoreAt(V + number(0, 4), bounded(value(), 4), value()),
            lambda: c.Fill(V + number(0, 4), number(0, 3), number(-1, 1)),
            lambda: c.Chance(choice(names), c.Int(number(1, 6))),
            lambda: c.Mark(number(0, 9)),
            lambda: c.Emit(0, (self.expr(names, 0),)),  # what cannot fault: unwatched, it is left out
            lambda: c.Check(c.Or(c.Compare("<", value(), c.Int(number(4, 40))), value()), "D999", number(0, 9)),
        ]
        if loop:
            makers += [c.Break, c.Continue]
        if depth > 0:
            makers += [
                *[lambda: c.If(value(), self.body(names, depth - 1, loop), self.body(names, depth - 1, loop))] * 3,
                lambda: c.ForRange(choice(names), c.Int(number(-1, 2)), bounded(value(), 4), turn()),
                lambda: c.ForItems(choice(names), tuple(value() for _ in range(number(0, 3))), turn()),
                lambda: c.ForBits(choice(names), c.Binary("&", value(), c.Int(15)), turn()),
                lambda: c.ForBits(choice(names), c.Binary("&", some(), c.Int(7 << 62 | 1)), turn()),
                lambda: c.ForItems(choice(SETS), (some(), some()), turn()),
                lambda: c.ForRow((choice(names),), "rows", bounded(value(), 3), turn()),
                lambda: c.ForRow(tuple(names[:2]), "array pairs", bounded(value(), 3), turn()),
                lambda: c.Forever((*turn(), c.Break()), 5),
            ]
        return choice(makers)()


def with_open_ranges(made: Program) -> Program:
    """Programs by chance do not keep what their slots declare: nothing is declared."""
    layout = Layout(made.layout.size, list(made.layout.groups))
    layout.add(SlotGroup("back", "frame", BACK, 1, 0, 1000))
    layout.add(SlotGroup("sets", "variable", S, 3, 0, 0))
    groups = [evolve(g, low=LOW, high=HIGH) if g.what in ("variable", "frame") else g for g in layout.groups]
    return evolve(made, layout=Layout(layout.size, groups))


def _start() -> c.Body:
    return tuple(c.Assign(name, c.Int(i)) for i, name in enumerate(NAMES + SETS))


def _helpers(maker: Maker) -> tuple[FunctionCode, FunctionCode]:
    """A value of two numbers and one of two sets."""
    either = c.Binary("|", c.Var("p"), c.Var("q"))
    return (
        function("helper", (c.Return(maker.expr(("x", "y"), calls=False)),), "x", "y"),
        function("union", (c.Return(c.Binary("&", either, maker.members(("n",), calls=False))),), "p", "q", "n"),
    )


def random_function(seed: int) -> Program:
    """A program of one function "f" without parameters that does many things; nothing else."""
    maker = Maker(seed)
    body = (*_start(), *maker.body(most=8))
    made = program([c.Block((), c.Stop())], *_helpers(maker), function("f", body, returns="nothing"))
    return with_open_ranges(made)


def random_machine(seed: int) -> Program:
    """A program of a few blocks that jump about, ask, call a helper and return by a slot."""
    maker = Maker(seed)
    count = maker.random.randint(1, 7)

    def target() -> int:
        return maker.random.randint(1, count)

    def end() -> c.Terminator:
        match maker.random.randrange(8):
            case 0 | 1:
                return c.Jump(target())
            case 2 | 3:
                return c.Branch(maker.expr(NAMES), target(), target())
            case 4 | 5 | 6:
                ranges = maker.random.choice([(), (), ((0, 4),), ((0, 2),), ((0, 1), (2, 3))])
                return c.Ask(0, target(), target(), alone=ranges)
            case _:
                return maker.random.choice([c.JumpSlot(BACK), c.Stop()])

    blocks = [c.Block((*_start(), c.Store(BACK, c.BlockNumber(target()))), c.Jump(target()))]
    for _ in range(count):
        body = maker.random.choice([(), maker.body()])
        if maker.random.randrange(3) == 0:
            body += (c.Store(BACK, c.BlockNumber(target())),)
        blocks.append(c.Block(body, end()))
    seen = [c.Binary("&", c.FrameVar(maker.random.choice(NAMES)), c.Int(3)) for _ in range(maker.random.randint(0, 2))]
    made = program(blocks, *_helpers(maker), options("offer", seen), decisions=[choose("offer", 4)])
    return with_open_ranges(made)
