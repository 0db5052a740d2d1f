"""The whole of a game becomes a program; single expressions and blocks become functions beside it.

The set-up is a function of its own where nobody decides anything in it, so that tests can start from there. The start
block runs it and goes on with the play.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.domains import domain_key
from interpreter.ir.from_semantics import changes, expressions, functions, statements
from interpreter.ir.from_semantics.colour import colour
from interpreter.ir.from_semantics.context import BY_SCORE, SCORE, Lowering, Scope
from interpreter.ir.from_semantics.layout import lay_out
from interpreter.ir.from_semantics.machines import Machine
from interpreter.ir.passes import run_passes
from interpreter.ir.program import (
    PLAYER,
    WINNERS,
    BranchInfo,
    DecisionInfo,
    Entry,
    FunctionCode,
    MarkerCode,
    Program,
    Shown,
    TextTemplate,
)
from interpreter.semantics import model
from interpreter.semantics.types import DirectionType, EnumType, PieceType, PlayerType, RowType, SpaceType
from interpreter.semantics.walk import all_functions, bodies, descend

SET_UP = "set-up"
"""Name of the function that sets a game up, where it is one."""

PLAY = "play"
"""Name of the entry at which the play begins."""


@frozen
class Snippet:
    """Functions added to a program later: `main`, what it calls, and the constant arrays that these use."""

    main: str
    functions: tuple[FunctionCode, ...]
    arrays: dict[str, tuple[int, ...] | tuple[tuple[object, ...], ...]]


_lowerings: WeakKeyDictionary[model.Game, Lowering] = WeakKeyDictionary()


def lower(game: model.Game) -> Program:
    """The program of a game without errors."""
    low = Lowering(game, lay_out(game))
    _colour(low)
    _lowerings[game] = low
    machine = Machine.of(low)
    start, play = low.block("start"), low.block("play")
    machine.begin(start)
    _set_up(low, machine)
    machine.jump(play)
    machine.begin(play)
    if game.play is not None:
        machine.body(game.play)
    if machine.at >= 0:
        machine.jump(machine.stop)
    machine.write_procedures()
    for function in all_functions(game):
        if id(function) not in low.machines:
            low.function_name(function)
    names = _names(low)
    facings, markers = _facings(low), _markers(low)
    score = _score(low)
    for function in low.pending():
        if id(function) in low.machines:
            raise InternalError(f"{function.name} stops within a function", "lowering")
        code = functions.function(low, function)
        low.functions[code.name] = code
    entries = {PLAY: Entry(play, ()), **machine.entries()}
    program = Program(
        title=game.title, fingerprint=game.fingerprint, players=game.players, layout=low.slots.layout,
        arrays=low.arrays, functions=low.functions, blocks=low.blocks, decisions=low.decisions, events=low.events,
        spans=low.spans, places=low.slots.place_codes, names=names, texts=game.texts, start=start, entries=entries,
        score=score, score_halves=game.score is not None and game.score.halves, facings=facings, markers=markers,
        initial=(),
    )  # fmt: skip
    program = run_passes(program, low.forced, low.frame_arrays)
    program = evolve(program, decisions=_with_slots(low, program))
    initial = (*low.slots.initial, *([0] * (program.layout.size - len(low.slots.initial))))
    return evolve(program, initial=initial)


def lower_expression(
    expr: model.Expr, game: model.Game, program: Program, parameters: tuple[model.Local, ...] = ()
) -> Snippet:
    """A function of the state (and of `parameters`) that gives the value of an expression understood later."""
    return _snippet(
        game,
        program,
        "expression",
        parameters,
        lambda scope: scope.emit(c.Return(expressions.argument(scope, expr))),
        "value",
    )


def lower_given(block: model.Block, game: model.Game, program: Program) -> Snippet:
    """A function that carries out a block in which nobody decides anything."""
    return _snippet(game, program, "given", (), lambda scope: statements.block(scope, block), "nothing")


def _snippet(
    game: model.Game, program: Program, name: str, parameters: tuple[model.Local, ...], write: object, returns: str
) -> Snippet:
    low = _lowerings.get(game)
    if low is None:
        lower(game)
        low = _lowerings[game]
    functions_before, arrays_before = set(low.functions), set(low.arrays)
    forced_before = set(low.forced)
    scope = Scope(low, name)
    inputs = tuple(scope.declare(local) for local in parameters)
    write(scope)  # type: ignore[operator]
    main = low.unique(name)
    low.functions[main] = FunctionCode(main, inputs, tuple(scope.out), returns)  # type: ignore[arg-type]
    for function in low.pending():
        code = functions.function(low, function)
        low.functions[code.name] = code
    if low.forced - forced_before:
        raise InternalError("a snippet reads a local of the game's machines", "lowering")
    if len(low.spans) > len(program.spans):
        program.spans.extend(low.spans[len(program.spans) :])
    if len(low.events) > len(program.events):
        program.events.extend(low.events[len(program.events) :])
    added = tuple(code for key, code in low.functions.items() if key not in functions_before)
    arrays = {key: values for key, values in low.arrays.items() if key not in arrays_before}
    return Snippet(main, added, arrays)


# ------------------------------------------------------------------------------------------------ parts


def _colour(low: Lowering) -> None:
    """Which functions can stop to ask, and which can end the game. Phases are always machines: they can be entered."""
    stops, ends = set(), set()
    for function in all_functions(low.game):
        if function.form == "phase":
            stops.add(id(function))
        for node in (inner for body in bodies(function) for inner in descend(body)):
            if isinstance(node, model.Choose):
                stops.add(id(function))
            elif isinstance(node, model.Wins | model.DrawGame) or (isinstance(node, model.End) and node.what == "game"):
                ends.add(id(function))
    low.machines = colour(low.game, stops)
    low.enders = colour(low.game, ends)


def _with_slots(low: Lowering, program: Program) -> list[DecisionInfo]:
    """The decisions, with where what is chosen for each binder lies, if it lies in the state."""
    frames = {group.name: group.base for group in program.layout.groups if group.what == "frame"}

    def placed(decision: int, branch: BranchInfo) -> BranchInfo:
        locals_ = (low.chosen.get((decision, branch.base, at)) for at in range(len(branch.binders)))
        names = [None if local is None else low.name_of_local(local) for local in locals_]
        slots = [-1 if name is None else frames.get(name, -1) for name in names]
        return evolve(branch, binders=tuple(evolve(b, slot=s) for b, s in zip(branch.binders, slots, strict=True)))

    return [
        evolve(decision, branches=tuple(placed(number if decision.parent < 0 else decision.parent, branch)
                                        for branch in decision.branches))
        for number, decision in enumerate(program.decisions)
    ]  # fmt: skip


def _set_up(low: Lowering, machine: Machine) -> None:
    def starts(scope: Scope) -> None:
        for variable in low.game.variables:
            if not isinstance(variable.start, model.Const):
                changes.reset(scope, variable)

    if any(machine.needs_blocks(node) for block in low.game.setup for node in block.statements):
        starts(machine.scope)
        for block in low.game.setup:
            machine.body(block)
        return
    scope = Scope(low, SET_UP)
    starts(scope)
    for block in low.game.setup:
        statements.block(scope, block)
    low.functions[SET_UP] = FunctionCode(SET_UP, (), tuple(scope.out), "nothing", title="set-up")
    machine.scope.emit(c.CallEffect(SET_UP, ()))


def _score(low: Lowering) -> str:
    """A function of a player for the score, also where the value has no input or the player is the one to move."""
    value = low.game.score
    if value is None:
        return ""
    before = c.Var("before")
    inputs: tuple[c.Expr, ...] = (c.Var("player"),) if value.parameters else ()
    code = (
        c.Assign("before", c.Load(PLAYER)),
        c.Store(PLAYER, c.Var("player")),
        c.Assign("score", c.CallValue(low.function_name(value), inputs)),
        c.Store(PLAYER, before),
        c.Return(c.Var("score")),
    )
    low.functions[SCORE] = FunctionCode(SCORE, ("player",), code, "value", title=value.name, span=value.span)
    low.functions[BY_SCORE] = _winners_by_score(len(low.game.players))
    return SCORE


def _winners_by_score(players: int) -> FunctionCode:
    """All players with the highest score have won; where all have it, nobody has."""
    best, mine, player, won = c.Var("best"), c.Var("mine"), c.Var("player"), c.Var("winners")
    first = c.Compare("=", player, c.Int(0))
    bit = c.Binary("<<", c.Int(1), player)
    better = (c.Assign("best", mine), c.Assign("winners", bit))
    tied = (c.If(c.Compare("=", mine, best), (c.Assign("winners", c.Binary("|", won, bit)),)),)
    body = (
        c.Assign("mine", c.CallValue(SCORE, (player,))),
        c.If(c.Or(first, c.Compare(">", mine, best)), better, tied),
    )
    everybody = c.Compare("=", won, c.Int((1 << players) - 1))
    code = (
        c.Assign("best", c.Int(0)),
        c.Assign("winners", c.Int(0)),
        c.ForRange("player", c.Int(0), c.Int(players), body),
        c.Store(WINNERS, c.Pick(everybody, c.Int(0), won)),
    )
    return FunctionCode(BY_SCORE, (), code, "nothing", title=BY_SCORE)


def _names(low: Lowering) -> dict[str, tuple[str, ...] | TextTemplate]:
    game = low.game
    names: dict[str, tuple[str, ...] | TextTemplate] = {domain_key(PlayerType(name="Player")): game.players}
    for enum in game.enums.values():
        names[domain_key(EnumType(name=enum.name))] = enum.members
    for rows in game.rows.values():
        names[domain_key(RowType(name=rows.name))] = rows.members
    for use in game.boards.values():
        names[domain_key(SpaceType(name=use.space))] = tuple(space.name for space in use.board.spaces)
        names[domain_key(DirectionType(name=use.name))] = use.board.directions
    for kind in game.kinds.values():
        names[domain_key(PieceType(name=kind.name))] = _piece_name(low, kind)
    return names


def _piece_name(low: Lowering, kind: model.Kind) -> tuple[str, ...] | TextTemplate:
    """The declared name; else that of the member each piece stands for; else the kind with a number."""
    if kind.named is None or kind.named_local is None:
        for attribute in kind.attributes.values():
            if attribute.name != "owner":
                members = _members(low, attribute)
                return tuple(members[value] for value in attribute.values)
        return tuple(f"{kind.name} {i + 1}" for i in range(kind.count)) if kind.count > 1 else (kind.name,)
    return _template(low, kind.named, kind.named_local, f"name of {kind.name}")


def _template(low: Lowering, text: model.Template, local: model.Local, title: str) -> TextTemplate:
    """A text of one thing, its values functions of that thing."""
    return tuple(
        part if isinstance(part, str) else Shown(_of_one(low, part, local, title), (0,), part.type, _is_in_halves(part))
        for part in text.parts
    )


def _is_in_halves(expr: model.Expr) -> bool:
    return isinstance(expr, model.CallExpr) and expr.function.halves


def _of_one(low: Lowering, expr: model.Expr, local: model.Local, title: str) -> str:
    """The name of a new function of one thing that gives the value of an expression."""
    name = low.unique(title)
    scope = Scope(low, name)
    parameter = scope.declare(local)
    scope.emit(c.Return(expressions.argument(scope, expr)))
    low.functions[name] = FunctionCode(name, (parameter,), tuple(scope.out), "value", title=name)
    return name


def _facings(low: Lowering) -> dict[tuple[str, str], str]:
    """For each type whose members look somewhere and each board, a function that gives the direction."""
    return {
        (domain_key(one.key), one.board): _of_one(low, one.direction, one.local, f"facing of {one.key.name}")
        for one in low.game.facings
    }


def _markers(low: Lowering) -> dict[str, tuple[MarkerCode, ...]]:
    """The markers of each kind, in the order of the rules."""
    found: dict[str, list[MarkerCode]] = {}
    for one in low.game.markers:
        title = f"marker of {one.kind.name}"
        text, function = _template(low, one.text, one.local, title), _of_one(low, one.condition, one.local, title)
        found.setdefault(one.kind.name, []).append(MarkerCode(text, function, one.span))
    return {kind: tuple(markers) for kind, markers in found.items()}


def _members(low: Lowering, attribute: model.Attribute) -> tuple[str, ...]:
    match attribute.type:
        case EnumType(name=name):
            return low.game.enums[name].members
        case RowType(name=name):
            return low.game.rows[name].members
    return tuple(str(value) for value in range(max(attribute.values) + 1))


__all__ = ["PLAY", "SET_UP", "Snippet", "lower", "lower_expression", "lower_given"]
