"""Rosters in a session: what players brought is put into the state before the set-up, and held against what is needed.

A need that looks at one roster alone is asked as soon as the list was read. One that looks at several waits until the
set-up musters them; where that is the fault that ends the set-up, it is told here once more, at the lists.

Invariant: what is put down changes only the slots of the roster and the fields that its list says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from interpreter.backends.api import Fault
from interpreter.diagnostics import Diagnostic, Diagnostics, Label, Severity, Span
from interpreter.ir.program import PLAYER
from interpreter.runtime.names import bits
from interpreter.runtime.snippets import source_text, value_of
from interpreter.semantics import domain_size, model
from interpreter.semantics.rosters import is_shared
from interpreter.semantics.types import FlagType

if TYPE_CHECKING:
    from interpreter.runtime.rules import Rules
    from interpreter.runtime.session import Session

__all__ = [
    "PlayerList",
    "ask_own_needs",
    "broken_at_muster",
    "changes_of",
    "list_data",
    "put_down",
    "put_said",
    "ready_made",
]


@frozen(eq=False)
class PlayerList:
    """What a player brings, read and resolved."""

    player: int
    """Whose it is, by number."""
    roster: model.Roster
    """Of which roster."""
    says: Mapping[str, int]
    """Fields of the player that it says, with their values."""
    members: Mapping[int, int]
    """How many there are of each member that is listed."""
    span: Span
    """Where the list begins."""
    places: Mapping[int, Span] = field(factory=dict)
    """Where members are named."""
    meant: str = ""
    """The options that it was written for, in words; empty where it names none."""


def list_data(rules: Rules, listed: PlayerList) -> dict[str, object]:
    """A list as plain data, as it would stand in a file: the whole of it, whatever the ready-made one becomes."""
    game = rules.game
    names = rules.names
    state = rules.backend.new_state(0)
    of = listed.roster.element
    named = {names.member(of, member, state): count for member, count in sorted(listed.members.items())}
    said = {
        variable.name: names.plain(variable.type, listed.says[variable.name], state)
        for variable in listed.roster.says
        if variable.name in listed.says
    }
    assert listed.roster is game.rosters[listed.roster.name]
    return {
        "roster": listed.roster.name,
        **said,
        "all": list(named) if listed.roster.copies is None else named,
    }


# ------------------------------------------------------------------------------------------- in the state


def _base(rules: Rules, variable: model.Variable) -> int:
    groups = [group for group in rules.program.layout.groups if group.what == "variable"]
    return next(group.base for known, group in zip(rules.game.variables, groups, strict=True) if known is variable)


def put_said(session: Session, player: int, roster: model.Roster, says: Mapping[str, int]) -> None:
    """What a list says of its player."""
    for variable in roster.says:
        if variable.name in says:
            session.state[_base(session.rules, variable) + player] = says[variable.name]


def put_down(session: Session, listed: PlayerList) -> None:
    """Puts a list into a state before the set-up."""
    rules, roster, player = session.rules, listed.roster, listed.player
    put_said(session, player, roster, listed.says)
    session.state[_base(rules, roster.members) + player] = sum(1 << member for member in listed.members)
    if roster.copies is not None:
        size = domain_size(rules.game, roster.element)
        first = _base(rules, roster.copies) + player * size
        session.state[first : first + size] = [listed.members.get(member, 0) for member in range(size)]
    session.state[rules.program.layout.named("frame", f"listed: {roster.name}").base + player] = 1
    session.forget()


def ready_made(session: Session, player: int, roster: model.Roster, says: Mapping[str, int]) -> dict[int, int]:
    """What `begins as` gives, by member, for a player whose list says something; the session stands at its set-up.

    Raises `Fault` where the rules have none.
    """
    assert roster.filled is not None
    put_said(session, player, roster, says)
    session.state[PLAYER] = player
    filled = roster.filled
    found = dict.fromkeys(bits(value_of(session, filled.begins)), 1)
    if filled.amount is not None and filled.local is not None:
        for member in found:
            found[member] = value_of(session, filled.amount, (filled.local,), (member,))
    return {member: count for member, count in found.items() if count > 0}


def changes_of(session: Session) -> dict[tuple[str, int], dict[int, int]]:
    """By roster and player, for each list that was brought, how many more of each it has than the ready-made one."""
    found: dict[tuple[str, int], dict[int, int]] = {}
    for listed in session.rosters:
        at_set_up = session.rules.start_at_set_up()
        try:
            ready = ready_made(at_set_up, listed.player, listed.roster, listed.says)
        except Fault:
            continue  # there is no ready-made one for what this list says
        both = {member: listed.members.get(member, 0) - ready.get(member, 0) for member in {*listed.members, *ready}}
        found[listed.roster.name, listed.player] = {member: more for member, more in sorted(both.items()) if more}
    return found


# ------------------------------------------------------------------------------------------- what is needed


def ask_own_needs(session: Session, listed: PlayerList, sink: Diagnostics) -> None:
    """Reports D904 for each need that a list put down breaks by itself."""
    assert listed.roster.filled is not None
    for need in listed.roster.filled.needs:
        if not is_shared(need):
            for member in _broken(session, need, listed.player):
                sink.add(_finding(session, need, listed.player, member, [listed]))


def broken_at_muster(session: Session, code_span: Span | None) -> list[Diagnostic]:
    """What ended the set-up in the middle of `muster`: findings at the lists, or at the needs where nobody brought one.

    `code_span` is the need that was asked last.
    """
    for roster in session.rules.game.rosters.values():
        needs = () if roster.filled is None else roster.filled.needs
        if any(need.span == code_span for need in needs):
            sink = Diagnostics()
            for need in needs:
                for player in range(len(session.rules.players)):
                    for member in _broken(session, need, player):
                        sink.add(_finding(session, need, player, member, _concerned(session, need, player, member)))
            return list(sink)
    return []


def _concerned(session: Session, need: model.RosterNeed, player: int, member: int | None) -> list[PlayerList]:
    """The lists to blame: that of the player, and of a thing that several share all those that hold it."""
    roster = next(one for one in session.rules.game.rosters.values() if one.filled and need in one.filled.needs)
    lists = [one for one in session.rosters if one.roster is roster]
    if not is_shared(need):
        return [one for one in lists if one.player == player]
    if member is not None and _is_of(need, roster):
        return [one for one in lists if member in one.members]
    return lists


def _is_of(need: model.RosterNeed, roster: model.Roster) -> bool:
    return need.local is not None and need.local.type == roster.element


def _broken(session: Session, need: model.RosterNeed, player: int) -> Iterator[int | None]:
    """The members for which a need does not hold; None for one that is asked once."""
    before = session.state[PLAYER]
    session.state[PLAYER] = player
    try:
        if need.local is None or need.among is None:
            if not value_of(session, need.condition):
                yield None
            return
        for member in list(bits(value_of(session, need.among))):
            if not value_of(session, need.condition, (need.local,), (member,)):
                yield member
    finally:
        session.state[PLAYER] = before


def _finding(
    session: Session, need: model.RosterNeed, player: int, member: int | None, lists: Sequence[PlayerList]
) -> Diagnostic:
    rules = session.rules
    before = session.state[PLAYER]
    session.state[PLAYER] = player
    try:
        said = _said(session, need, member)
        notes = list(_notes(session, need, member))
    finally:
        session.state[PLAYER] = before
    here = Label(need.span, "needed here")
    if not lists:
        name = rules.players[player]
        return Diagnostic(
            "D719", Severity.ERROR, f"the ready-made roster of {name}: {said}", need.span, notes=tuple(notes)
        )
    places = [_place(need, one, member) for one in lists]
    labels = [Label(place, f"and on the list of {rules.players[one.player]}")
              for place, one in zip(places[1:], lists[1:], strict=True)]  # fmt: skip
    notes += [f"this list was written for {one.meant}" for one in lists if one.meant]
    return Diagnostic("D904", Severity.ERROR, said, places[0], labels=(*labels, here), notes=tuple(notes))


def _place(need: model.RosterNeed, listed: PlayerList, member: int | None) -> Span:
    if member is not None and _is_of(need, listed.roster):
        return listed.places.get(member, listed.span)
    return listed.span


def _said(session: Session, need: model.RosterNeed, member: int | None) -> str:
    """The reason of a need in words, else the need itself."""
    if need.reason is None:
        about = "" if member is None or need.local is None else f" for {_name(session, need.local, member)}"
        return f"this does not hold{about}: {source_text(session.rules, need.condition.span)}"
    shown: list[str] = []
    for part in need.reason.parts:
        if isinstance(part, str):
            shown.append(part)
            continue
        halves = isinstance(part, model.CallExpr) and part.function.halves
        value = value_of(session, part, *_given(need, member))
        shown.append(session.names.value(part.type, value, session.state, halves=halves))
    return "".join(shown)


def _name(session: Session, local: model.Local, member: int) -> str:
    return session.names.value(local.type, member, session.state)


def _notes(session: Session, need: model.RosterNeed, member: int | None) -> Iterator[str]:
    """What the sides of the comparison are that does not hold."""
    if not isinstance(need.condition, model.Compare):
        return
    for side in (need.condition.left, need.condition.right):
        if isinstance(side, model.Const) or isinstance(side.type, FlagType):
            continue
        value = value_of(session, side, *_given(need, member))
        shown = session.names.value(side.type, value, session.state)
        said = source_text(session.rules, side.span)
        if said and not (isinstance(side, model.LocalRef)):
            yield f"{said} is {shown}"


def _given(need: model.RosterNeed, member: int | None) -> tuple[tuple[model.Local, ...], tuple[int, ...]]:
    return ((), ()) if need.local is None or member is None else ((need.local,), (member,))
