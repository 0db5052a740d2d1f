"""Whether the rules tell a player what he may not see.

Options, their conditions and their names are seen by whoever decides; texts are seen by all. So the first may read
another's secret no more than the second may read any. The rules are followed from set-up and play through everything
they call, with what is known of each local at each point: whose secret it was read from, and which fields have been
revealed on the way. A piece that is moved where all can see it, or revealed where it lies, is a secret no longer, and
one that is revealed to a player is none for that player. Where ways part, what holds on
all of them holds after; a loop is gone through twice, so that what its end leaves behind meets its beginning.

In `each player secretly` a choice is a secret of its chooser. What is set within its options must be out of sight,
and what an option leaves in a local is a secret too.

Conditions of `if` are not followed: that something happens may tell of a secret, as a bluff that is called does, and
only the rules' author can say whether it should.

Invariant: every option and text that is reached is judged once in each way it can be reached with different secrets.
"""

from __future__ import annotations

from collections.abc import Hashable

from attrs import evolve

from interpreter.diagnostics import Diagnostics, Label, Span
from interpreter.semantics import walk
from interpreter.semantics.fit import element_of
from interpreter.semantics.model import (
    AllOf,
    AnyPlace,
    BindAssign,
    Binder,
    BindOne,
    BindOrder,
    BindSome,
    Block,
    BoxSet,
    Branch,
    CallStatement,
    Choose,
    ConstSet,
    Draw,
    DrawGame,
    EachPlayer,
    End,
    Expr,
    Filter,
    First,
    ForEach,
    Function,
    Game,
    IfStatement,
    Leave,
    Local,
    LocalRef,
    Loop,
    MovePiece,
    MoveSet,
    PieceOn,
    PiecesOn,
    PlaceFromBox,
    Reveal,
    RevealPieces,
    Rounds,
    Say,
    SetLocal,
    SetOf,
    SetVariable,
    ShowFaces,
    ShuffleZone,
    Statement,
    Step,
    Template,
    Turns,
    Variable,
    Wins,
    Zone,
    ZonePlace,
    ZoneSet,
)
from interpreter.semantics.secrets_read import EVERYBODY, Known, Secret, Secrets, SecretsRead, Shown, Symbol

__all__ = ["check_secrets"]


def check_secrets(game: Game, sink: Diagnostics) -> None:
    """Report options and texts that tell a secret, secrets kept in the open, and needless `reveal`."""
    has_secrets = any(zone.visible != "all" for zone in game.zones.values())
    has_secrets = has_secrets or any(variable.visible != "all" for variable in game.variables)
    for node in walk.survey(game).nodes:
        if isinstance(node, Reveal) and node.variable.visible == "all":
            _needless_reveal(node, sink)
        if isinstance(node, RevealPieces):
            _needless_showing(game, node, sink)
        has_secrets = has_secrets or (isinstance(node, EachPlayer) and node.secretly)
    if not has_secrets:
        return
    follower = _Follower(game, sink)
    for block in game.setup:
        follower.block(block, Known())
    if game.play is not None:
        follower.block(game.play, Known())
    for marker in game.markers:
        follower.told(marker.condition, "marker")
        follower.text(marker.text, "marker", Known())
    for facing in game.facings:
        follower.told(facing.direction, "direction")


def _needless_reveal(reveal: Reveal, sink: Diagnostics) -> None:
    sink.warning(
        "D320",
        f"`{reveal.variable.name}` needs no `reveal`, everybody sees it",
        reveal.span,
        labels=[Label(reveal.variable.span, "declared here without `seen by`")],
        help="remove the `reveal`, or declare it `seen by owner`",
    )


def _needless_showing(game: Game, reveal: RevealPieces, sink: Diagnostics) -> None:
    source = reveal.pieces
    while isinstance(source, Filter | First):
        source = source.source if isinstance(source, Filter) else source.set
    hidden = [zone for zone in game.zones.values() if zone.kind is reveal.kind and zone.visible != "all"]
    if isinstance(source, ZoneSet) and source.zone.visible == "all":
        said = f"`{source.zone.name}` needs no `reveal`, everybody sees what lies there"
        label = Label(source.zone.span, "declared here without `seen by`")
    elif isinstance(source, BoxSet | PieceOn | PiecesOn) or not hidden:
        said = f"`{reveal.kind.name}` needs no `reveal`, everybody sees "
        said += "what stands on a board" if hidden else "where its pieces lie"
        label = Label(reveal.kind.span, f"`{reveal.kind.name}` is declared here")
    else:
        return
    help = "remove the `reveal`, or declare the zone `seen by owner`"
    sink.warning("D320", said, reveal.span, labels=[label], help=help)


class _Follower:
    """Goes through the statements with what is known at each."""

    def __init__(self, game: Game, sink: Diagnostics) -> None:
        self.reader = SecretsRead(game)
        self.sink = sink
        self._followed: dict[Hashable, tuple[frozenset[Variable], Shown]] = {}
        self._open: set[Function] = set()

    def told(self, expr: Expr, word: str) -> None:
        """Judges something that everybody who sees a piece is told of it."""
        self._open_to_all(self.reader.reads(expr, Known()), expr.span, word)

    def block(self, block: Block, known: Known) -> bool:
        """Follows a block; `known` becomes what is known after it. False when its end is never come to."""
        return all(self._statement(statement, known) for statement in block.statements)

    def _statement(self, statement: Statement, known: Known) -> bool:
        reader = self.reader
        match statement:
            case SetLocal():
                secrets = reader.reads(statement.value, known)
                if known.in_secret is not None:
                    secrets |= {Secret(statement.local, known.in_secret)}
                reader.store(statement.local, statement.value, known, secrets)
            case SetVariable():
                self._set_variable(statement, known)
            case MovePiece():
                self._move(statement, statement.piece, statement.place, known)
            case MoveSet():
                self._move(statement, statement.set, statement.place, known)
            case Say():
                self.text(statement.text, "text", known)
            case Draw() | PlaceFromBox():
                self._comes(statement.place, known)
            case ShuffleZone() | ShowFaces():
                self._shown_no_more(statement.zone, known)
            case Reveal():
                known.revealed |= {statement.variable}
            case RevealPieces():
                self._show(statement, known)
            case Leave():
                return False
            case End() | Wins() | DrawGame():
                if statement.reason is not None:
                    self.text(statement.reason, "reason", known)
                return False
            case IfStatement():
                return self._ways([statement.then, statement.otherwise], known)
            case Choose():
                return self._choose(statement, known)
            case Step():
                return self.block(statement.body, known)
            case Loop() | Rounds():
                self._loop(statement.body, known)
            case ForEach():
                reader.bind(statement.local, statement.set, known, reader.reads(statement.set, known))
                self._loop(statement.body, known)
            case EachPlayer() | Turns():
                self._players(statement, known)
            case CallStatement():
                self._call(statement, known)
        return True

    # -- ways that part and meet

    def _ways(self, blocks: list[Block | None], known: Known) -> bool:
        ends = []
        for block in blocks:
            way = known.copy()
            if block is None or self.block(block, way):
                ends.append(way)
        return self._meet(ends, known)

    @staticmethod
    def _meet(ends: list[Known], known: Known) -> bool:
        if not ends:
            return False
        first, *others = ends
        for other in others:
            first.join(other)
        known.symbols, known.secrets, known.owners = first.symbols, first.secrets, first.owners
        known.whole_zones, known.revealed, known.shown = first.whole_zones, first.revealed, first.shown
        return True

    def _loop(self, body: Block, known: Known) -> None:
        for _ in range(2):
            turn = known.copy()
            self.block(body, turn)
            known.join(turn)

    def _players(self, statement: EachPlayer | Turns, known: Known) -> None:
        for number in range(2):
            turn = known.later((id(statement), number))
            self.block(statement.body, turn)
            known.join(turn.later((id(statement), number, "after")))

    def _call(self, statement: CallStatement, known: Known) -> None:
        function = statement.function
        inside = self.reader.enter(function, statement.arguments, known)
        key = self.reader.signature(function, inside)
        if key not in self._followed:
            if function in self._open:
                return
            self._open.add(function)
            blocks = [function.body] if function.body is not None else []
            if function.table is not None:
                blocks = [cell.body for row in function.table.rows for cell in row.cells if cell.body is not None]
            self._ways([*blocks], inside)
            self._open.discard(function)
            self._followed[key] = (inside.revealed, inside.shown)
        known.revealed, known.shown = self._followed[key]

    # -- decisions

    def _choose(self, choose: Choose, known: Known) -> bool:
        chooser = self.reader.symbol(choose.chooser, known)
        ends = []
        for branch in choose.branches:
            way = known.copy()
            self._branch(branch, choose, chooser, way)
            if choose.secret:
                way.in_secret = chooser
            if self.block(branch.body, way):
                ends.append(way)
        if choose.otherwise is not None:
            way = known.copy()
            if self.block(choose.otherwise, way):
                ends.append(way)
        elif choose.may or choose.must:
            ends.append(known.copy())
        return self._meet(ends, known)

    def _branch(self, branch: Branch, choose: Choose, chooser: Symbol, known: Known) -> None:
        for binder in branch.binders:
            self._binder(binder, choose, chooser, known)
        if branch.guard is not None:
            self._option(branch.guard, chooser, known)
        for part in branch.label.parts:
            if isinstance(part, Expr):
                self._shown_option(part, chooser, known)

    def _binder(self, binder: Binder, choose: Choose, chooser: Symbol, known: Known) -> None:
        assert isinstance(binder, BindOne | BindSome | BindOrder | BindAssign)
        reader = self.reader
        secrets = self._option(binder.set, chooser, known)
        if isinstance(binder, BindSome):
            for bound in (binder.low, binder.high):
                if bound is not None:
                    self._option(bound, chooser, known)
        if isinstance(binder, BindAssign):
            secrets |= self._option(binder.each, chooser, known)
            reader.bind(binder.each_local, binder.each, known, secrets)
        if choose.secret:
            secrets |= {Secret(binder.local, chooser)}
        reader.bind(binder.local, binder.set, known, secrets)
        if not isinstance(binder, BindOne) and binder.such_that is not None:
            self._option(binder.such_that, chooser, known)

    def _option(self, expr: Expr, chooser: Symbol, known: Known) -> Secrets:
        """Judges something that an option hangs on; gives the secrets it may read."""
        found = self.reader.reads(expr, known)
        self._judge_option(found, expr.span, chooser)
        return frozenset(secret for secret in found if secret.is_seen_by(chooser))

    def _shown_option(self, expr: Expr, chooser: Symbol, known: Known) -> None:
        self._judge_option(self.reader.shown(expr, known), expr.span, chooser)

    def _judge_option(self, found: Secrets, span: Span, chooser: Symbol) -> None:
        for secret in _in_order(found):
            if secret.is_seen_by(chooser):
                continue
            name = f"`{secret.thing.name}`"
            if isinstance(secret.thing, Local):
                message = f"this option tells {name}, which was chosen in secret"
            elif secret.owner is None:
                message = f"this option tells {name}, which nobody may see"
            elif secret.thing.visible == "members":
                message = f"this option tells {name} of others"
            else:
                message = f"this option tells {name} of another player"
            self.sink.error(
                "D401",
                message,
                span,
                "whoever decides learns from this",
                labels=[_declared(secret)],
                help="ask only for what the deciding player may see, or reveal it before",
            )

    # -- texts and places in the open

    def text(self, text: Template, word: str, known: Known) -> None:
        for part in text.parts:
            if isinstance(part, Expr):
                self._open_to_all(self.reader.shown(part, known), part.span, word)

    def _open_to_all(self, found: Secrets, span: Span, word: str) -> None:
        for secret in _in_order(found):
            chosen = "what was chosen in secret" if isinstance(secret.thing, Local) else "a secret"
            self.sink.error(
                "D402",
                f"this {word} tells {chosen}: `{secret.thing.name}`",
                span,
                "everybody reads this",
                labels=[_declared(secret)],
                help="leave it out, or `reveal` it or move it where all can see it before",
            )

    def _set_variable(self, statement: SetVariable, known: Known) -> None:
        variable = statement.variable
        known.revealed -= {variable}
        if variable.visible != "all":
            return
        values = [statement.value, *statement.keys]
        chosen = any(isinstance(one.thing, Local) for value in values for one in self.reader.reads(value, known))
        if known.in_secret is None and not chosen:
            return
        self.sink.error(
            "D403",
            f"a secret choice is kept in the open: everybody sees `{variable.name}`",
            statement.span,
            labels=[Label(variable.span, f"`{variable.name}` is declared here without `seen by owner`")],
            help=f"declare `{variable.name}` as `seen by owner`, and `reveal` it when all have chosen",
        )

    def _move(self, statement: Statement, moved: Expr, place: AnyPlace, known: Known) -> None:
        self._comes(place, known)
        if isinstance(place, ZonePlace) and place.zone.visible != "all":
            return
        if known.in_secret is not None:
            labels = []
            if isinstance(place, ZonePlace):
                labels.append(Label(place.zone.span, f"everybody sees `{place.zone.name}`"))
            self.sink.error(
                "D403",
                "a secret choice is kept in the open: everybody sees this move",
                statement.span,
                labels=labels,
                help="move it to a zone that is `seen by owner`, and into the open when all have chosen",
            )
        if isinstance(moved, LocalRef):
            known.secrets.pop(moved.local, None)

    # -- pieces that are shown where they lie

    def _show(self, statement: RevealPieces, known: Known) -> None:
        seers = self._seers(statement.whom, known)
        if known.in_secret is not None and seers != {known.in_secret}:
            self.sink.error(
                "D403",
                "a secret choice is shown to others",
                statement.span,
                help="`reveal` it when all have chosen",
            )
        match statement.pieces:
            case LocalRef(local=local) if EVERYBODY in seers:
                known.secrets.pop(local, None)
            case LocalRef(local=local):
                found = known.secrets.get(local, frozenset())
                known.secrets[local] = frozenset(evolve(one, shown_to=one.shown_to | seers) for one in found)
            case ZoneSet(zone=zone, owner=owner):
                whose = None if owner is None else self.reader.symbol(owner, known)
                known.shown |= {(zone, whose, seer) for seer in seers}

    def _seers(self, whom: Expr | None, known: Known) -> frozenset[Symbol]:
        """The players that are surely shown something, in as far as they are named one by one."""
        match whom:
            case None | AllOf():
                return frozenset({EVERYBODY})
            case SetOf(items=items):
                return frozenset(self.reader.symbol(item, known) for item in items)
            case ConstSet(values=values):
                return frozenset(("member", value) for value in values)
        return frozenset() if element_of(whom.type) is not None else frozenset({self.reader.symbol(whom, known)})

    def _comes(self, place: AnyPlace, known: Known) -> None:
        """Something that was not shown may have come to a place."""
        if isinstance(place, ZonePlace):
            self._shown_no_more(place.zone, known)

    @staticmethod
    def _shown_no_more(zone: Zone, known: Known) -> None:
        known.shown = frozenset(shown for shown in known.shown if shown[0] is not zone)


def _declared(secret: Secret) -> Label:
    thing = secret.thing
    if isinstance(thing, Local):
        return Label(thing.span, f"`{thing.name}` is chosen here")
    who = "its owner" if thing.visible == "owner" else "nobody"
    if thing.seen_through is not None:
        who = f"those whose `{thing.seen_through.name}` says so"
    return Label(thing.span, f"`{thing.name}` is seen by {who}")


def _in_order(secrets: Secrets) -> list[Secret]:
    """In order of declaration, each thing once for each kind of owner, so that findings come in one order."""
    return sorted(secrets, key=lambda secret: (secret.thing.span, secret.thing.name, secret.owner is None))
