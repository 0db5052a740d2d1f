"""How many can play: the numbers of the game, of the variants that are for other numbers, and of each scenario.

A variant with a `players` line is on exactly when so many play, so the numbers of the game are those of its heading and
of all such variants. A scenario is one of several beginnings: its `players` line leaves some of these numbers.

Invariant: numbers stand in the order in which they are written, each once, and lie between 1 and `MOST_PLAYERS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.diagnostics import Diagnostics, Label
from interpreter.syntax import ast

__all__ = ["MOST_PLAYERS", "check_player_counts", "counts_of", "in_words", "numbers_of", "possible_numbers"]

MOST_PLAYERS = 12
"""Most players of a game."""


def numbers_of(counts: ast.PlayerCounts | None) -> tuple[int, ...]:
    """The numbers that a `players` line names; one player where there is no line."""
    if counts is None:
        return (1,)
    named = (
        number
        for low, high in counts.ranges
        for number in range(min(max(low, 1), MOST_PLAYERS), min(max(high, 1), MOST_PLAYERS) + 1)
    )
    return tuple(dict.fromkeys(named)) or (1,)


def counts_of(change: ast.VariantDeclaration) -> ast.PlayerCounts | None:
    """The `players` line of a variant or scenario, if it has one."""
    return next((patch.players for patch in change.patches if isinstance(patch, ast.ForPlayers)), None)


def possible_numbers(head: ast.GameHead | None, variants: Iterable[ast.VariantDeclaration]) -> tuple[int, ...]:
    """Every number of players that the game can be played by, that of the game as printed first."""
    lines = [None if head is None else head.players]
    lines += [counts for counts in map(counts_of, variants) if counts is not None]
    return tuple(dict.fromkeys(number for line in lines for number in numbers_of(line)))


def in_words(numbers: Iterable[int]) -> str:
    """Numbers for people: `2`, `2 or 3`, `2 to 4`, or `2, 3 or 6`."""
    ordered = sorted(set(numbers))
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]} to {ordered[-1]}"
    *most, last = map(str, ordered)
    return f"{', '.join(most)} or {last}" if most else last


# ------------------------------------------------------------------------------------------- what is wrong with a line


def check_player_counts(head: ast.GameHead, changes: Sequence[ast.VariantDeclaration], sink: Diagnostics) -> None:
    """Reports D205 for numbers of players that cannot be, and D207 for two players of one name."""
    if head.players is not None:
        _check_line(head.players, sink)
    possible = possible_numbers(head, [change for change in changes if not change.is_scenario])
    for change in changes:
        counts = counts_of(change)
        if counts is None:
            continue
        _check_line(counts, sink)
        other = [number for number in numbers_of(counts) if number not in possible]
        if change.is_scenario and other:
            message = (
                f"scenario `{change.name.text}` is for {in_words(other)} players, the game for {in_words(possible)}"
            )
            sink.error("D205", message, counts.span, help="say so under `game`, or in a variant")


def _check_line(counts: ast.PlayerCounts, sink: Diagnostics) -> None:
    seen: set[int] = set()
    for low, high in counts.ranges:
        if not 1 <= low <= high <= MOST_PLAYERS:
            said = str(low) if low == high else f"{low}..{high}"
            sink.error("D205", f"{said} players, expected a number from 1 to {MOST_PLAYERS}", counts.span)
            return
        for number in range(low, high + 1):
            if number in seen:
                sink.error("D205", f"{number} players are named twice", counts.span)
                return
            seen.add(number)
    names = counts.names
    if names and len(names) != max(seen):
        sink.error("D205", f"{len(names)} names for {max(seen)} players", names[0].span.merge(names[-1].span))
    places: dict[str, ast.Name] = {}
    for name in names:
        if name.text in places:
            label = Label(places[name.text].span, "first here")
            sink.error("D207", f"two players are called `{name.text}`", name.span, labels=(label,))
        places.setdefault(name.text, name)
