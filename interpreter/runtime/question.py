"""What a player who is asked may know, as numbers for a program: the only thing that a bot is given.

Like a view, but complete enough to play on from: the state with everything hidden left out, the codes that are offered,
and for the pieces that the player cannot tell apart which they are and which seats they take between them. A seat is a
place, a position if the place is ordered, and the players who were shown what lies there; seats are sorted, so that
nothing is told of who sits on which. Which hidden slots hold nothing at all is told, since whether something was chosen
or rolled yet is no secret.

Of the engine's own bookkeeping a question has what is needed to go on and cannot come from a secret (`ir.needed`).

Invariant: a question depends on nothing that is hidden from the player; two games that look the same to the player give
the same question.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from attrs import field, frozen

from interpreter.backends.api import State
from interpreter.ir.needed import Needed, needed_at_decisions
from interpreter.ir.program import DECISION
from interpreter.runtime.sight import Sight
from interpreter.semantics.fit import element_of
from interpreter.semantics.types import NONE, PieceType

if TYPE_CHECKING:
    from interpreter.runtime.rules import Rules
    from interpreter.runtime.session import Session

__all__ = ["Hidden", "Question", "Seat", "needed_by", "question_at", "question_of"]


@frozen(order=True)
class Seat:
    """Where one hidden piece lies, whichever it is."""

    place: int
    """The number of the place among those of the kind."""
    slot: int
    """The slot of an order that names the piece; -1 where there is no order."""
    known: int
    """A bit for each player who was shown the piece that lies there, one more for everybody."""


@frozen
class Hidden:
    """Pieces that the player cannot tell apart, and the seats that they take between them, as many."""

    kind: str
    """The kind of the pieces."""
    pieces: tuple[int, ...]
    """Their numbers, rising; with an owner printed on their backs, those of one owner."""
    seats: tuple[Seat, ...]
    """Their seats, sorted."""


@frozen(eq=False)
class Question:
    """A decision, as the player who has to make it knows it."""

    rules: Rules = field(repr=False)
    """The game; nothing of how it stands."""
    player: int
    """Who is asked, by number."""
    decision: int
    """Number of the decision in the program."""
    codes: tuple[int, ...]
    """The codes that are offered, in order; never empty."""
    slots: tuple[int | None, ...] = field(repr=False)
    """The state, None for whatever is hidden from the player or not needed to go on."""
    hidden: tuple[Hidden, ...] = field(repr=False)
    """The pieces that the player cannot tell apart."""
    empty: frozenset[int] = field(repr=False)
    """Hidden slots that hold nothing: what was not chosen or rolled yet."""
    seed: int = field(repr=False)
    """A number for the bot's own chance: another one at every decision of every game, the same for the same one."""

    def looks_like(self, other: Question) -> bool:
        """Whether another question tells the player the same, the number for chance aside."""
        mine, theirs = (
            (each.player, each.decision, each.codes, each.slots, each.hidden, each.empty) for each in (self, other)
        )
        return mine == theirs


def question_of(session: Session) -> Question:
    """The decision that waits in a session, for the player who is asked; ValueError when the game is over."""
    player = session.player
    if player is None:
        raise ValueError("the game is over, nobody is asked")
    seed = seed_for(session.seed, player, len(session.history.steps))
    return question_at(session.rules, session.state, player, tuple(session.codes), seed)


def seed_for(game: int | None, player: int, step: int) -> int:
    """The number for a bot's chance: of a game's seed, who is asked, and how many decisions were made."""
    return int.from_bytes(blake2b(f"{game}/{player}/{step}".encode(), digest_size=8).digest())


def question_at(rules: Rules, state: State, player: int, codes: tuple[int, ...], seed: int = 0) -> Question:
    """The decision that waits in a state, for the player who is asked and may choose one of the codes."""
    sight = rules.sight
    number = state[DECISION]
    unseen = sight.unseen(state, player) - rules.needed[number].told
    return Question(
        rules=rules,
        player=player,
        decision=number,
        codes=codes,
        slots=tuple(None if slot in unseen else value for slot, value in enumerate(state)),
        hidden=tuple(_hidden(sight, state, player)),
        empty=frozenset(_empty(sight, state, unseen)) if sight.has_secrets else frozenset(),
        seed=seed,
    )


def needed_by(sight: Sight) -> tuple[Needed, ...]:
    """What it takes to go on from each decision of a game; nothing for one that is never asked."""
    found = needed_at_decisions(sight.program, _secret_slots(sight), _whispered(sight))
    return tuple(each or Needed(-1, frozenset(), frozenset()) for each in found)


def _hidden(sight: Sight, state: State, player: int) -> list[Hidden]:
    """The pieces that the player cannot tell apart, sorted by kind and owner."""
    found: list[Hidden] = []
    for name, unseen in sight.unseen_pieces(state, player).items():
        kind = sight.kinds[name]
        orders = {
            state[slot]: slot
            for group, _ in kind.orders
            for slot in range(group.base + 1, group.base + 1 + state[group.base])
        }
        owners = sight.game.kinds[name].attributes.get("owner")
        by_owner: dict[int, list[int]] = {}
        for piece in unseen:
            by_owner.setdefault(-1 if owners is None else owners.values[piece], []).append(piece)
        for _, pieces in sorted(by_owner.items()):
            seats = sorted(
                Seat(
                    state[kind.base + piece],
                    orders.get(piece, -1),
                    0 if kind.known is None else state[kind.known.base + piece],
                )
                for piece in pieces
            )
            found.append(Hidden(name, tuple(pieces), tuple(seats)))
    return found


def _empty(sight: Sight, state: State, unseen: set[int]) -> list[int]:
    """Hidden slots of secret variables and of what is rolled that hold nothing."""
    groups = [group for group, _ in sight.secrets]
    groups += [group for kind in sight.kinds.values() for group in kind.fields if group.base in sight.rolled]
    return [
        slot
        for group in groups
        for slot in range(group.base, group.base + group.count)
        if slot in unseen and state[slot] == NONE
    ]


def _secret_slots(sight: Sight) -> set[int]:
    """Slots that are hidden from somebody at some time, those of pieces that lie hidden among them."""
    groups = [group for group, _ in sight.secrets]
    slots: set[int] = set()
    for kind in sight.kinds.values():
        if kind.secret:
            slots.update(range(kind.base, kind.base + kind.count))
            groups += [] if kind.known is None else [kind.known]
        for group, place in kind.orders:
            if place.visible != "all":
                slots.update(range(group.base + 1, group.base + group.count))  # how many lie there is no secret
    for group in groups:
        slots.update(range(group.base, group.base + group.count))
    return slots


def _whispered(sight: Sight) -> set[int]:
    """Decisions of which not everybody may know what was chosen: secret ones, those of pieces that may be hidden."""
    decisions = sight.program.decisions
    found: set[int] = set()
    for number, decision in enumerate(decisions):
        choose = decisions[decision.parent] if decision.form == "pick" else decision
        types = [binder.type for branch in choose.branches for binder in branch.binders]
        kinds = [element_of(type_) or type_ for type_ in types]
        if choose.secret or any(
            isinstance(kind, PieceType) and kind.name in sight.kinds and sight.kinds[kind.name].secret for kind in kinds
        ):
            found.add(number)
    return found
