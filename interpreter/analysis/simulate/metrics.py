"""The numbers that tell what a game does: who wins, with how many points, how long it takes, what there is to choose.

Each is a mean over games of something that counts tell, so it has a sum and a sum of squares, and one interval and one
test serve all. Shares are means of yes and no.

Invariant: `sums` of two parts together are the sums of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from interpreter.analysis.simulate.halfway import PER_MILLE
from interpreter.analysis.simulate.sites import Choice, Site, Sites
from interpreter.analysis.simulate.statistics import Estimate, mean_of_sums, share_of
from interpreter.analysis.simulate.totals import HUNDREDTHS, Totals
from interpreter.backends.counted import Uses
from interpreter.ir.program import Program

__all__ = ["Metric", "Sums", "expected", "follows", "is_dead", "of_outcomes", "of_uses"]

Sums: TypeAlias = tuple[int, int, int]
"""How many were counted, the sum of their values, the sum of the squares."""
Group = Literal["outcome", "choice", "rule"]


@frozen
class Metric:
    """A number about games."""

    key: str
    """The same in two versions of a game for what is the same in both."""
    title: str
    group: Group
    """What it is about: how games end and go, what is chosen, what of the rules is used."""
    is_share: bool
    """Is it a share of games, or a mean?"""
    scale: int
    """What the values are to be divided by."""
    sums: Callable[[Totals], Sums]
    is_part: bool = False
    """Is it about a thing chosen within an option, which has a number of its own?"""

    def estimate(self, totals: Totals, level: float) -> Estimate | None:
        """The number with its interval; None where nothing was counted."""
        count, total, squares = self.sums(totals)
        if self.is_share:
            return share_of(total, count, level)
        return mean_of_sums(count, total, squares, level, self.scale)


def _share(key: str, title: str, part: Callable[[Totals], int], whole: Callable[[Totals], int]) -> Metric:
    def sums(totals: Totals) -> Sums:
        found = part(totals)
        return whole(totals), found, found

    return Metric(key, title, "outcome", True, 1, sums)


def _mean(key: str, title: str, counts: Callable[[Totals], Counter[int]], scale: int = 1) -> Metric:
    return Metric(key, title, "outcome", False, scale, lambda totals: _sums(counts(totals)))


def _sums(counts: Counter[int]) -> Sums:
    return (
        sum(counts.values()),
        sum(value * count for value, count in counts.items()),
        sum(value * value * count for value, count in counts.items()),
    )


def of_outcomes(program: Program) -> Iterator[Metric]:
    """How games of a program end and go."""
    players = program.players
    halves = 2 if program.score_halves else 1
    if len(players) > 1:
        for number, name in enumerate(players):
            yield _share(f"win {number}", f"{name} wins", _wins_of(number), lambda totals: totals.ended)
        yield _share("nobody wins", "nobody wins", lambda totals: totals.undecided, lambda totals: totals.ended)
    if program.score:
        for number, name in enumerate(players):
            title = f"score of {name}" if len(players) > 1 else "score"
            yield _mean(f"score {number}", title, _scores_of(number), halves)
    if program.score and len(players) > 1:
        yield _mean("margin", "lead of the best over the next at the end", lambda totals: totals.margins, halves)
        yield _mean("lead changes", "times that the lead changes", lambda totals: totals.changes)
        yield _share(
            "comebacks", "winner had fewer points at half", lambda totals: totals.comebacks, lambda totals: totals.led
        )
    if len(players) > 1:
        turned = "who was likelier to win at half lost"
        yield _share("turned", turned, lambda totals: totals.turned, lambda totals: totals.looked_at)
        yield _mean("foreseen", "percent for the winner at half", lambda totals: totals.foreseen, PER_MILLE // 100)
    yield _mean("length", "decisions", lambda totals: totals.lengths)
    yield _mean("branching", "options per decision", lambda totals: totals.branching, HUNDREDTHS)
    yield _share("faults", "games with a fault", lambda totals: totals.faulty, lambda totals: totals.games)
    yield _share("endless", "games without an end", lambda totals: totals.endless.games, lambda totals: totals.games)


def _wins_of(player: int) -> Callable[[Totals], int]:
    return lambda totals: totals.wins(player)


def _scores_of(player: int) -> Callable[[Totals], Counter[int]]:
    return lambda totals: totals.scores[player]


# ------------------------------------------------------------------------------------------------ uses


def of_uses(sites: Sites) -> Iterator[Metric]:
    """In which share of games each place of the rules is used, and each thing chosen; keys are by what is written."""
    seen: Counter[str] = Counter()
    for choice in sites.choices:
        if not choice.is_pass:
            yield from _of_choice(choice, seen)
    for site in sites.sites:
        if site.what in ("row", "card"):
            title = f"{site.title} is {site.measure}"
            yield _used(_key(seen, f"{site.what} {site.title}"), title, "choice", site.counters)
        elif site.what not in ("option", "cell"):
            title = f"{site.span.path}:{site.span.start.line} {site.text}"
            yield _used(_key(seen, f"{site.what} {site.title} {site.text}"), title, "rule", site.counters)


def _of_choice(choice: Choice, seen: Counter[str]) -> Iterator[Metric]:
    key = _key(seen, f"option {choice.where}: {choice.label}")
    yield _used(key, f"`{choice.label}` is taken", "choice", (choice.taken,))
    for name, members in choice.binders:
        for member in members:
            title = f"`{choice.label}` with {name} = {member.name}"
            yield evolve(_used(f"{key} {name} {member.name}", title, "choice", (member.counter,)), is_part=True)


def _key(seen: Counter[str], text: str) -> str:
    """The text, told apart from the same text before."""
    seen[text] += 1
    return text if seen[text] == 1 else f"{text} ({seen[text]})"


def _used(key: str, title: str, group: Group, counters: Sequence[int]) -> Metric:
    def sums(totals: Totals) -> Sums:
        played = totals.games - totals.faulty
        games = min(played, sum(totals.games_with(counter) for counter in counters))
        return played, games, games

    return Metric(key, title, group, True, 1, sums)


def follows(uses: Uses, program: Program, level: float) -> Estimate | None:
    """What follows a use: the share of those games that its user won, or alone the mean score of them; None if it is
    not known of any."""
    if len(program.players) > 1:
        return share_of(uses.wins, uses.ended, level)
    if not program.score:
        return None
    return mean_of_sums(uses.ended, uses.score, uses.squares, level, 2 if program.score_halves else 1)


def expected(totals: Totals, program: Program) -> float | None:
    """What would follow if using something made no difference: the mean over all players and games."""
    ended, players = totals.ended, len(program.players)
    if not ended:
        return None
    if players > 1:
        return sum(totals.wins(player) for player in range(players)) / (ended * players)
    if not program.score:
        return None
    count, total, _ = _sums(totals.scores[0])
    return total / count / (2 if program.score_halves else 1)


def is_dead(site: Site, totals: Totals) -> bool:
    """Was a place never used?"""
    return not any(totals.of(counter).times for counter in site.counters)
