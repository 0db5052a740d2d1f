"""Boards and pieces on them: steps, slides, lines, routes, occupants. Everything about a board is a constant array."""

from __future__ import annotations

from interpreter.boards import Value
from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, open_board, sets, standing
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.rewrite import visit
from interpreter.semantics import model

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def expression(scope: Scope, node: model.Expr) -> c.Expr:
    """The value of an expression about a board."""
    match node:
        case model.NextSpace(board=board, space=space, direction=direction):
            to = scope.atom(expressions.expression(scope, direction), "direction")
            found = _of_space(scope, space, lambda at: step(scope, board, at, to))
            return c.Pick(c.Compare("<", to, ZERO), NONE, found) if direction.type.optional else found
        case model.Slide():
            return _slide(scope, node)
        case model.LineThrough():
            return _line(scope, node)
        case model.Route():
            return _route(scope, node)
        case model.Distance(board=board) if board.board.is_open:
            return open_board.distance(scope, node)
        case model.Distance(board=board, link=link, start=start, end=end):
            table = tuple(n for row in board.board.distance_table(link) for n in row)
            array = scope.low.array(f"distances on {board.name}", table)
            return c.ArrayGet(array, _pair(scope, board, start, end))
        case model.LinkAttribute():
            return _link(scope, node)
        case model.PieceOn(kind=kind, space=space):
            return _of_space(scope, space, lambda at: _piece_on(scope, kind, space, at))
        case model.Empty(board=board, space=space):
            at = expressions.expression(scope, space)
            optional = scope.may_be_none(space.type, at)
            at = scope.atom(at, "space") if optional else at
            there = c.Compare(">=", at, ZERO) if optional else ONE
            if board.name not in scope.low.slots.occupants:
                return there
            empty = c.Compare("<", c.LoadAt(scope.low.slots.occupants[board.name].base, at), ZERO)
            return empty if there == ONE else c.And(there, empty)
        case model.SpaceOf(kind=kind, board=board, piece=piece):
            return _space_of(scope, kind, board, piece)
    raise TypeError(f"no expression about a board: {type(node).__name__}")


def step(scope: Scope, board: model.BoardUse, at: c.Expr, direction: c.Expr) -> c.Expr:
    """The space next to a space in a direction, or none."""
    if isinstance(direction, c.Int):
        name = f"{board.board.directions[direction.value]} on {board.name}"
        return c.ArrayGet(scope.low.array(name, board.board.step[direction.value]), at)
    table = tuple(n for row in board.board.step for n in row)
    array = scope.low.array(f"steps on {board.name}", table)
    return c.ArrayGet(array, c.Binary("+", c.Binary("*", direction, c.Int(len(board.board.spaces))), at))


def _of_space(scope: Scope, space: model.Expr, get: object) -> c.Expr:
    """Something of a space; none of none."""
    at = expressions.expression(scope, space)
    if not scope.may_be_none(space.type, at):
        return get(at)  # type: ignore[operator, no-any-return]
    at = scope.atom(at, "space")
    return c.Pick(c.Compare("<", at, ZERO), NONE, get(at))  # type: ignore[operator]


def _slide(scope: Scope, node: model.Slide) -> c.Expr:
    at = scope.assign("reached", expressions.required(scope, node.start))
    direction = scope.atom(expressions.required(scope, node.direction), "direction")
    ahead = scope.fresh("ahead")

    def body() -> None:
        scope.emit(c.Assign(ahead, step(scope, node.board, at, direction)))
        scope.emit(c.If(c.Compare("<", c.Var(ahead), ZERO), (c.Break(),)))
        with scope.standing_for(node.local, c.Var(ahead)):
            goes_on = expressions.expression(scope, node.condition)
        scope.emit(c.If(c.Not(goes_on), (c.Break(),)))
        if node.board.board.is_open:
            open_board.stay_on_sheet(scope, node.board, at, c.Var(ahead), scope.low.span(node.span))
        scope.emit(c.Assign(at.name, c.Var(ahead)))

    turn = scope.fresh("turn")
    most = len(node.board.board.spaces) - 1  # on a ring it stops before it comes back to its start
    scope.emit(c.ForRange(turn, ZERO, c.Int(most), scope.body(body)))
    return at


def _line(scope: Scope, node: model.LineThrough) -> c.Expr:
    if node.length == 1:
        return _line_of_one(scope, node)
    if node.board.board.is_open:
        return open_board.line(scope, node)
    board = node.board.board
    through: list[list[tuple[int, ...]]] = [[] for _ in board.spaces]
    for line in board.lines(node.length):
        for space in line:
            through[space].append(line)
    array = scope.low.array(f"lines of {node.length} on {node.board.name}", tuple(tuple(lines) for lines in through))
    at = expressions.expression(scope, node.through)
    found = scope.assign("found", ZERO)
    names = tuple(scope.fresh("s") for _ in range(node.length))

    def rest(position: int) -> None:
        """The spaces from `position` on must satisfy the condition too; plain ones are joined into one test."""
        tests: list[c.Expr] = []
        while position < len(names):
            with scope.standing_for(node.local, c.Var(names[position])), scope.into([]) as needed:
                test = expressions.expression(scope, node.condition)
            if needed and tests:
                break
            position += 1
            scope.emit(*needed)
            tests.append(test)
            if needed:
                break
        inner = position
        whole = tests[0]
        for test in tests[1:]:
            whole = c.And(whole, test)
        if inner == len(names):
            scope.emit(c.If(whole, (c.Assign(found.name, ONE), c.Break())))
        else:
            scope.emit(c.If(whole, scope.body(lambda: rest(inner))))

    if node.through.type.optional:  # on nothing there is no line
        at = scope.atom(at, "space")
        looked = scope.body(lambda: scope.emit(c.ForRow(names, array, at, scope.body(lambda: rest(0)))))
        scope.emit(c.If(c.Compare(">=", at, ZERO), looked))
    else:
        scope.emit(c.ForRow(names, array, at, scope.body(lambda: rest(0))))
    return found


def _line_of_one(scope: Scope, node: model.LineThrough) -> c.Expr:
    """A line of one space is that space."""
    at = scope.atom(expressions.expression(scope, node.through), "space")
    with scope.standing_for(node.local, at), scope.into([]) as needed:
        holds = expressions.expression(scope, node.condition)
    if not node.through.type.optional:
        scope.emit(*needed)
        return holds
    found = scope.assign("found", ZERO)
    scope.emit(c.If(c.Compare(">=", at, ZERO), (*needed, c.Assign(found.name, holds))))
    return found


def _route(scope: Scope, node: model.Route) -> c.Expr:
    """A flood over linked spaces: only what is reached is looked at. What takes long to look at is looked at once."""
    neighbours = scope.low.array(f"neighbours on {node.board.name}", node.board.board.neighbours())
    goal = scope.atom(sets.mask(scope, node.goal), "goal")
    found, seen = scope.assign("found", ZERO), scope.assign("seen", ZERO)
    waiting = scope.fresh("waiting")
    scope.emit(c.NewList(waiting))

    def look(space: c.Expr, new: bool = False) -> None:
        see = c.Assign(seen.name, c.Binary("|", seen, c.Binary("<<", ONE, space)))
        reach = c.Push(waiting, space)
        unseen = c.Not(c.HasBit(seen, space))
        with scope.into([]) as needed:
            inside = sets.contains(scope, node.through, space)
        if needed or any(isinstance(part, c.CallValue) for part in visit(inside)):
            scope.emit(c.If(unseen, (see, *needed, c.If(inside, (reach,)))))
        else:
            scope.emit(c.If(inside if new else c.And(inside, unseen), (see, reach)))

    sets.iterate(scope, node.start, lambda space: look(space, new=True), "start")
    at = scope.fresh("at")

    def flood() -> None:
        scope.emit(c.IfEmpty(waiting, (c.Break(),)), c.Pop(waiting, at))
        scope.emit(c.If(c.HasBit(goal, c.Var(at)), (c.Assign(found.name, ONE), c.Break())))
        beside = scope.fresh("beside")
        scope.emit(c.ForRow((beside,), neighbours, c.Var(at), scope.body(lambda: look(c.Var(beside)))))

    scope.emit(c.Forever(scope.body(flood), scope.low.span(node.span)))
    return found


def _pair(scope: Scope, board: model.BoardUse, start: model.Expr, end: model.Expr) -> c.Expr:
    first, second = expressions.required(scope, start), expressions.required(scope, end)
    return c.Binary("+", c.Binary("*", first, c.Int(len(board.board.spaces))), second)


def _link(scope: Scope, node: model.LinkAttribute) -> c.Expr:
    board = node.board.board
    size = len(board.spaces)
    words = board.link_attributes[node.attribute].words if node.attribute in board.link_attributes else ()
    linked, values = [0] * (size * size), [0] * (size * size)
    for per_space in board.links.values():
        for start, links in enumerate(per_space):
            for link in links:
                if not linked[start * size + link.to]:
                    linked[start * size + link.to] = 1
                    values[start * size + link.to] = _number(link.attributes.get(node.attribute), words)
    pair = scope.atom(_pair(scope, node.board, node.start, node.end), "link")
    present = c.ArrayGet(scope.low.array(f"links on {node.board.name}", tuple(linked)), pair)
    scope.emit(c.Check(present, "D713", scope.low.span(node.span)))
    return c.ArrayGet(scope.low.array(f"{node.attribute} on {node.board.name}", tuple(values)), pair)


def _number(value: Value, words: tuple[str, ...]) -> int:
    if value is None:
        return -1
    return words.index(value) if isinstance(value, str) else int(value)


def _piece_on(scope: Scope, kind: model.Kind, space: model.Expr, at: c.Expr) -> c.Expr:
    board = scope.low.game.space_board(getattr(space.type, "name", "")).name
    slots = scope.low.slots
    base = slots.occupant_base[board, kind.name]
    found = c.LoadAt(slots.occupants[board].base, at)
    if sum(1 for name, _ in slots.occupant_base if name == board) == 1:
        return found
    found_here = scope.atom(found, "piece")
    inside = c.And(c.Compare(">=", found_here, c.Int(base)), c.Compare("<", found_here, c.Int(base + kind.count)))
    return c.Pick(inside, c.Binary("-", found_here, c.Int(base)), NONE)


def _space_of(scope: Scope, kind: model.Kind, board: model.BoardUse, piece: model.Expr) -> c.Expr:
    first = scope.low.slots.space_code.get((kind.name, board.name))
    if first is None:
        return NONE
    at = scope.atom(expressions.expression(scope, piece), "piece")
    if isinstance(at, c.Var) and scope.spaces.get(at.name, ("",))[0] == board.name:
        return scope.spaces[at.name][1]
    here = scope.atom(c.LoadAt(scope.low.slots.places[kind.name].base, at), "place")
    inside = standing.inside(scope, kind, board, here)
    if piece.type.optional:
        inside = c.And(c.Compare(">=", at, ZERO), inside)
    return c.Pick(inside, c.Binary("-", here, c.Int(first)), NONE)


def stands(scope: Scope, node: model.SpaceOf) -> c.Expr:
    """Whether a piece stands on a board."""
    kind, board = node.kind, node.board
    if (kind.name, board.name) not in scope.low.slots.space_code:
        return ZERO
    at = expressions.expression(scope, node.piece)
    if isinstance(at, c.Var) and scope.spaces.get(at.name, ("",))[0] == board.name:
        return ONE
    if node.piece.type.optional:
        at = scope.atom(at, "piece")
    place: c.Expr = c.LoadAt(scope.low.slots.places[kind.name].base, at)
    if not standing.is_last(scope, kind, board):
        place = scope.atom(place, "place")
    inside = standing.inside(scope, kind, board, place)
    return c.And(c.Compare(">=", at, ZERO), inside) if node.piece.type.optional else inside


__all__ = ["expression", "stands", "step"]
