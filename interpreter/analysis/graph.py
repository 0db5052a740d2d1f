"""Graphs of a game, for people and for checks: how it flows, what its boards look like, what depends on what.

The flow is drawn from the understood game rather than from its program, because a reader knows phases, steps and
decisions, not blocks of operations. Bodies are followed in order while a set of *loose ends* is carried along: the
nodes from which the next thing is reached, each with the words for its arrow. A loop gets a node of its own when
anything worth drawing happens inside; a phase or effect is drawn once, however often it is called, so recursion ends.

Invariant: node ids are stable for the same game; every edge of a flow leaves the start's part of the graph; nodes have
`label` and `kind`, and `group` where they belong to a phase; edges have `label`, perhaps empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import networkx
from attrs import define, field, frozen

from interpreter.boards import Board
from interpreter.boards.plane import nearby
from interpreter.diagnostics import Span
from interpreter.semantics.fit import element_of
from interpreter.semantics.model import (
    Attribute,
    Block,
    BoardUse,
    CallStatement,
    Choose,
    DrawGame,
    EachPlayer,
    End,
    Expr,
    Figure,
    ForEach,
    Function,
    Game,
    IfStatement,
    Kind,
    Leave,
    LocalRef,
    Loop,
    Rounds,
    Statement,
    Step,
    Template,
    Turns,
    Understood,
    Variable,
    Wins,
    Zone,
)
from interpreter.semantics.walk import bodies, children, descend, game_bodies, mentions

__all__ = ["Graph", "board_graph", "dependency_graph", "flow_graph"]

Graph = networkx.DiGraph
"""A directed graph; nodes and edges carry what the module says."""

TextOf = Callable[[Span], str]
"""The text of a place in a file, or "" where it cannot be had."""

_AROUND = 2
"""Steps from the origin of an open grid that are drawn."""
_DRAWN = (Choose, Step, Wins, DrawGame)


def flow_graph(game: Game, text_of: TextOf | None = None) -> Graph[str]:
    """Set-up, phases, steps, decisions and ends, with an arrow to whatever may come next."""
    return _Flow(text_of or _no_text).of(game)


def board_graph(board: Board) -> Graph[str]:
    """The spaces of a board and its links, `x` and `y` where the board says; links there and back are one edge.

    Of a board without edges those around its origin are drawn: it looks like that everywhere.
    """
    name = f"{board.name}, around its origin" if board.is_open else board.name
    graph: Graph[str] = networkx.DiGraph(name=name)
    drawn = nearby(board, _AROUND) if board.is_open else range(len(board.spaces))
    for space in (board.spaces[index] for index in drawn):
        graph.add_node(space.name, label=space.name, kind="space", x=space.x, y=space.y)
    for kind, table in board.links.items():
        for space in (board.spaces[index] for index in drawn):
            for link in table[space.index]:
                if board.spaces[link.to].name not in graph:
                    continue
                start, end = space.name, board.spaces[link.to].name
                label = _link_label(kind, dict(link.attributes), len(board.links))
                if graph.has_edge(end, start) and label in graph[end][start]["label"].split("\n"):
                    graph[end][start]["both"] = True
                else:
                    _join(graph, start, end, label)
    return graph


def dependency_graph(game: Game) -> Graph[str]:
    """What each named thing reads, calls or changes: an arrow from the user to the used."""
    graph: Graph[str] = networkx.DiGraph(name=f"{game.title}: dependencies")
    names: dict[int, str] = {}

    def node(thing: object, label: str, kind: str) -> str:
        if id(thing) not in names:
            name, number = label, 2
            while name in graph:
                name, number = f"{label} ({number})", number + 1
            names[id(thing)] = name
            graph.add_node(name, label=name, kind=kind)
        return names[id(thing)]

    def use(user: str, parts: Iterable[Understood]) -> None:
        for part in parts:
            for at in descend(part):
                for thing in mentions(at):
                    used = _node_of(thing, node)
                    if used is not None and used != user:
                        graph.add_edge(user, used, label="")

    for row in game.rows.values():
        title = ", ".join(table.name for table in row.tables)
        node(row, title, "table")
        for attribute in row.attributes.values():
            names[id(attribute)] = names[id(row)]
        for figure in row.figures.values():
            names[id(figure)] = names[id(row)]
        for function in row.functions.values():
            use(node(function, f"{title}: {function.name}", function.form), bodies(function))
    for function in game.functions.values():
        use(node(function, function.name, function.form), bodies(function))
    for number, block in enumerate(game.setup):
        use(node(block, "setup" if number == 0 else f"setup {number + 1}", "phase"), (block,))
    if game.play is not None:
        use(node(game.play, "play", "phase"), (game.play,))
    if game.score is not None:
        use(node(game_bodies, "score", "value"), ())
        graph.add_edge("score", node(game.score, game.score.name, game.score.form), label="")
    return graph


def _node_of(thing: object, node: Callable[[object, str, str], str]) -> str | None:
    match thing:
        case Function(name=name, form=form):
            return node(thing, name, form)
        case Variable(name=name, is_track=is_track):
            return node(thing, name, "track" if is_track else "field")
        case Zone(name=name):
            return node(thing, name, "zone")
        case Kind(name=name):
            return node(thing, name, "kind")
        case BoardUse(name=name):
            return node(thing, name, "board")
        case Attribute(name=name) | Figure(name=name):
            return node(thing, name, "attribute")
        case _:
            return None


def _link_label(kind: str, attributes: dict[str, object], kinds: int) -> str:
    said = [kind] if kinds > 1 else []
    said += [f"{name} {value}" for name, value in attributes.items() if value is not None]
    return ", ".join(said)


def _join(graph: Graph[str], start: str, end: str, label: str) -> None:
    """Adds an edge, or its words to the edge that is there."""
    if graph.has_edge(start, end):
        said = graph[start][end]["label"].split("\n") if graph[start][end]["label"] else []
        if label and label not in said:
            graph[start][end]["label"] = "\n".join([*said, label])
    else:
        graph.add_edge(start, end, label=label)


def _no_text(span: Span) -> str:
    return ""


# ---------------------------------------------------------------------------------------------- flow

Ends = tuple[tuple[str, str], ...]
"""Loose ends: nodes from which the next thing is reached, each with the words for its arrow."""


@define
class _Frame:
    """Where ends of loops, turns and phases gather while their body is followed."""

    what: str
    out: list[tuple[str, str]] = field(factory=list)


@frozen
class _Drawn:
    """A phase or effect that is in the graph."""

    node: str
    ends: Ends


@define
class _Flow:
    text_of: TextOf
    graph: Graph[str] = field(factory=networkx.DiGraph)
    frames: list[_Frame] = field(factory=list)
    drawn: dict[Function, _Drawn] = field(factory=dict)
    open: list[Function] = field(factory=list)
    counts: dict[str, int] = field(factory=dict)

    def of(self, game: Game) -> Graph[str]:
        self.graph.graph["name"] = f"{game.title}: phases"
        ends: Ends = ((self.node("start", "start", "start"), ""),)
        for block in game.setup:
            if _is_drawn(block, set()):
                ends = self.block(block, ends)
        if game.play is not None:
            ends = self.block(game.play, ends)
        if ends:
            self.to(self.end_node("end of game"), ends)
        return self.graph

    def node(self, stem: str, label: str, kind: str) -> str:
        self.counts[stem] = self.counts.get(stem, 0) + 1
        name = stem if self.counts[stem] == 1 else f"{stem} {self.counts[stem]}"
        group = next((function.name for function in reversed(self.open) if function.form == "phase"), "")
        self.graph.add_node(name, label=label, kind=kind, group=group if kind != "phase" else label)
        return name

    def end_node(self, label: str) -> str:
        name = f"end: {label}"
        if name not in self.graph:
            self.graph.add_node(name, label=label, kind="end", group="")
        return name

    def to(self, node: str, ends: Ends) -> None:
        for start, label in ends:
            _join(self.graph, start, node, label)

    def block(self, block: Block, ends: Ends) -> Ends:
        for statement in block.statements:
            ends = self.statement(statement, ends)
        return ends

    def statement(self, statement: Statement, ends: Ends) -> Ends:
        match statement:
            case Choose():
                return self.choose(statement, ends)
            case Step(name=name, body=body):
                node = self.node(f"step {name}", name, "step")
                self.to(node, ends)
                return self.block(body, ((node, ""),))
            case IfStatement(condition=condition, then=then, otherwise=otherwise):
                if not _is_drawn(statement, set()):
                    return ends
                said = _short(self.text_of(condition.span))
                yes = self.block(then, tuple((node, _both(label, said)) for node, label in ends))
                no = ends if otherwise is None else self.block(otherwise, ends)
                return _merged(yes, no)
            case Loop() | ForEach() | Turns() | Rounds() | EachPlayer():
                return self.loop(statement, ends)
            case CallStatement(function=function) if _calls_drawn(function):
                return self.call(function, ends)
            case Leave():
                return self.leave("loop", ends)
            case End(what="game") | Wins() | DrawGame():
                self.to(self.end_node(self.outcome(statement)), ends)
                return ()
            case End(what=what):
                return self.leave(what, ends)
            case _:
                return ends

    def outcome(self, statement: Statement) -> str:
        reason = getattr(statement, "reason", None)
        match statement:
            case Wins(winners=winners):
                said = "a player wins" if element_of(winners.type) is None else "several players win"
            case DrawGame():
                said = "draw"
            case _:
                said = "end of game"
        return f"{said}: {self.label(reason)}" if reason is not None else said

    def choose(self, statement: Choose, ends: Ends) -> Ends:
        who = self.text_of(statement.chooser.span) if not _is_current(statement.chooser) else ""
        head = "may choose" if statement.may else "must choose" if statement.must else "choose"
        node = self.node("decision", f"{who} {head}".strip(), "decision")
        self.to(node, ends)
        out: Ends = ()
        for branch in statement.branches:
            out = _merged(out, self.block(branch.body, ((node, self.label(branch.label)),)))
        if statement.otherwise is not None:
            out = _merged(out, self.block(statement.otherwise, ((node, "otherwise"),)))
        elif statement.may:
            out = _merged(out, ((node, "pass"),))
        elif statement.must:
            out = _merged(out, ((node, "nothing to choose"),))
        return out

    def loop(self, statement: Statement, ends: Ends) -> Ends:
        body: Block = getattr(statement, "body")  # noqa: B009 - all five have one
        if not _is_drawn(body, set()):
            return ends
        what, label = self.loop_words(statement)
        node = self.node(label, label, "loop")
        self.to(node, ends)
        frame = _Frame(what)
        self.frames.append(frame)
        back = self.block(body, ((node, ""),))
        self.frames.pop()
        inner = tuple(frame.out)
        if what == "loop":
            self.to(node, back)
            exits = inner
        else:  # an ended turn or round goes on with the next one
            self.to(node, _merged(back, inner))
            exits = ()
        endless = (isinstance(statement, Loop) and statement.until is None and statement.times is None) or (
            isinstance(statement, Turns | Rounds) and getattr(statement, "times", None) is None
        )
        return exits if endless else _merged(((node, "done"),), exits)

    def loop_words(self, statement: Statement) -> tuple[str, str]:
        match statement:
            case Loop(until=Expr() as until):
                return "loop", f"until {_short(self.text_of(until.span))}".strip()
            case Loop(times=Expr() as times):
                return "loop", f"{_short(self.text_of(times.span))} times".strip()
            case ForEach(local=local):
                return "each", f"for each {local.name}"
            case Turns(next=Expr() as following):
                return "turn", f"turns then {_short(self.text_of(following.span))}".strip()
            case Turns():
                return "turn", "turns"
            case Rounds(times=Expr() as times):
                return "round", f"round, {_short(self.text_of(times.span))} times"
            case Rounds():
                return "round", "round"
            case EachPlayer(secretly=secretly):
                return "turn", "each player secretly" if secretly else "each player"
            case _:
                return "loop", "repeat"

    def leave(self, what: str, ends: Ends) -> Ends:
        for frame in reversed(self.frames):
            if frame.what == what:
                frame.out.extend(ends)
                return ()
        return ends

    def call(self, function: Function, ends: Ends) -> Ends:
        if function in self.drawn:
            drawn = self.drawn[function]
            self.to(drawn.node, ends)
            return drawn.ends
        kind = "phase" if function.form == "phase" else "effect"
        self.open.append(function)
        node = self.node(f"{kind} {function.name}", function.name, kind)
        self.to(node, ends)
        self.drawn[function] = _Drawn(node, ())
        frame = _Frame("phase")
        self.frames.append(frame)
        out = self.block(function.body, ((node, ""),)) if function.body is not None else ((node, ""),)
        self.frames.pop()
        self.open.pop()
        out = _merged(out, tuple(frame.out))
        self.drawn[function] = _Drawn(node, out)
        return out

    def label(self, template: Template) -> str:
        return "".join(part if isinstance(part, str) else self.shown(part) for part in template.parts)

    def shown(self, part: Expr) -> str:
        if isinstance(part, LocalRef):
            return "{" + part.local.name + "}"
        text = self.text_of(part.span)
        return "{" + (_short(text) or "...") + "}"


def _is_current(chooser: Expr) -> bool:
    return getattr(chooser, "what", None) == "player"


def _merged(first: Ends, second: Ends) -> Ends:
    return tuple(dict.fromkeys((*first, *second)))


def _both(label: str, condition: str) -> str:
    said = f"if {condition}" if condition else ""
    return f"{label}, {said}" if label and said else label or said


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def _calls_drawn(function: Function) -> bool:
    return function.form == "phase" or (function.body is not None and _is_drawn(function.body, {function}))


def _is_drawn(node: Understood, seen: set[Function]) -> bool:
    """Whether anything worth drawing can happen in a node or in what it calls."""
    if isinstance(node, (*_DRAWN, End, Leave)):
        return True
    if isinstance(node, CallStatement):
        function = node.function
        if function.form == "phase":
            return True
        if function.body is None or function in seen:
            return False
        return _is_drawn(function.body, seen | {function})
    return any(_is_drawn(part, seen) for part in children(node))
