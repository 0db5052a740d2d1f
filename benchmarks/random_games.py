"""Plays shipped games at random, as many as the machine can, and looks for whatever must never happen.

    python benchmarks/random_games.py [--games 10000] [--deep 200] [--seed N] [--jobs N] [RULES...]

Two kinds of games, since what is cheap finds the rare and what is dear finds the subtle. *Plain* games run on the
backend alone: they find faults, dead ends (a decision without an option) and endless games. *Deep* games run in a
session, where at every decision

* each piece lies in exactly one place, orders and occupied spaces say the same as the places, zones hold no more than
  they may, and every variable is within its bounds;
* the game saved and read again is this game, and the save at the end, played again, passes through the same states;
* undo gives back state, options and log of each decision down to the barrier, and the choice made again leads here;
* a copy that goes on leaves the game as it was, and comes to the same as the game itself;
* every player's view can be made, and shows nothing but the state.

RULES are names of games (`hall`), of configurations (`hall.elven`, as `tests/games/configurations.py` has them) or
paths of other rules files. A finding is printed with configuration, seed and decisions, enough to see it again. Exit
code 1 when there is one. A small run is `tests/games/test_random_games.py`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from random import Random

from attrs import define, field, frozen

ROOT = Path(__file__).parents[1]
for folder in (ROOT, ROOT / "tests" / "games"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from configurations import CASES, Case  # noqa: E402

from interpreter.backends.api import Fault, State  # noqa: E402
from interpreter.diagnostics import DslError  # noqa: E402
from interpreter.ir.program import DECISION, RUNNING, STATUS, SlotGroup  # noqa: E402
from interpreter.runtime import Rules, Session, load  # noqa: E402
from interpreter.runtime.saves import read_save, resume  # noqa: E402

__all__ = ["Finding", "Tally", "main", "play_deep", "play_plain", "state_faults"]

LIMIT = 20_000
"""Decisions after which a game is taken to be endless."""
REPLAYED = 400
"""Decisions played again in one game from saves in its middle; the save at its end is always played again."""
PORTION = 50
"""Games of one task of a process."""


@frozen
class Finding:
    """Something that must not happen, and how to see it again."""

    what: str
    """`fault`, `dead end`, `endless`, or the deep check that failed."""
    case: str
    """The configuration."""
    seed: int
    """The seed of the game; also of the choices."""
    decisions: tuple[str, ...]
    """The options taken up to there."""
    message: str
    """What was seen."""

    def __str__(self) -> str:
        shown = "; ".join(self.decisions[-30:])
        more = f"... {len(self.decisions) - 30} before; " if len(self.decisions) > 30 else ""
        return f"{self.what}: {self.case}, seed {self.seed}: {self.message}\n    after {more}{shown or 'nothing'}"


@define
class Tally:
    """What was seen in the games of one configuration."""

    case: str
    """The configuration."""
    games: int = 0
    """Plain games."""
    deep: int = 0
    """Deep games."""
    decisions: int = 0
    """Decisions in plain games."""
    shortest: int = 0
    """Decisions of the shortest plain game."""
    longest: int = 0
    """Decisions of the longest."""
    widest: int = 0
    """Most options of one decision."""
    checked: Counter[str] = field(factory=Counter)
    """How often each deep check was made."""
    findings: list[Finding] = field(factory=list)
    """What must not happen."""
    seconds: float = 0.0
    """Time taken, of one process."""

    def add_game(self, decisions: int) -> None:
        """Counts a plain game."""
        self.shortest = decisions if self.games == 0 else min(self.shortest, decisions)
        self.longest = max(self.longest, decisions)
        self.games += 1
        self.decisions += decisions

    def add(self, other: Tally) -> None:
        """Adds what another process has seen."""
        if other.games:
            self.shortest = other.shortest if self.games == 0 else min(self.shortest, other.shortest)
            self.longest = max(self.longest, other.longest)
        self.games += other.games
        self.deep += other.deep
        self.decisions += other.decisions
        self.widest = max(self.widest, other.widest)
        self.checked.update(other.checked)
        self.findings.extend(other.findings)
        self.seconds += other.seconds


def _chooser(case: str, seed: int) -> Random:
    """The source of choices of a game: its own for each configuration and seed, the same in every process."""
    return Random(f"{case} {seed}")


def _pick(random: Random, count: int) -> int:
    """One of `count` positions; from `random()` alone, which no version of Python will change."""
    return int(random.random() * count)


# ---------------------------------------------------------------------------------------------------- plain games


def play_plain(rules: Rules, case: str, seed: int, tally: Tally, limit: int = LIMIT) -> None:
    """One game on the backend alone."""
    backend, random, taken = rules.backend, _chooser(case, seed), list[int]()
    state = backend.new_state(seed)
    try:
        options = backend.run(state)
        while options is not None:
            count = len(options)
            tally.widest = max(tally.widest, count)
            if not count:
                tally.findings.append(_found(rules, "dead end", case, seed, taken, "nothing can be chosen"))
                break
            if len(taken) >= limit:
                message = f"goes on after {limit} decisions"
                tally.findings.append(_found(rules, "endless", case, seed, taken, message))
                break
            taken.append(options[_pick(random, count)])
            options = backend.apply(state, taken[-1])
        else:
            if state[STATUS] == RUNNING:
                tally.findings.append(_found(rules, "dead end", case, seed, taken, "stops without an end"))
    except Fault as fault:
        span = rules.program.spans[fault.span]
        tally.findings.append(_found(rules, "fault", case, seed, taken, f"{fault.code} at {span}"))
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        tally.findings.append(_found(rules, "error of ours", case, seed, taken, message))
    tally.add_game(len(taken))


def _found(rules: Rules, what: str, case: str, seed: int, taken: Sequence[int], message: str) -> Finding:
    """A finding with the decisions by name, as far as a session can follow them."""
    names: list[str] = []
    try:
        session = rules.start(seed)
        for code in taken:
            option = next(option for option in session.options if option.code == code)
            names.append(option.name)
            session.apply(option)
    except (Exception, StopIteration):  # the finding itself, most of the time
        names += [f"code {code}" for code in taken[len(names) :]]
    return Finding(what, case, seed, tuple(names), message)


# ---------------------------------------------------------------------------------------------------- states


def state_faults(rules: Rules, state: State) -> Iterator[str]:
    """What is wrong with a state: pieces, orders and occupants that do not agree, values out of bounds."""
    groups = rules.program.layout.groups
    for group in groups:
        if group.what in ("variable", "revealed", "place", "occupant"):
            yield from _out_of_bounds(group, state, range(group.count))
        elif group.what == "order":
            yield from _out_of_bounds(group, state, range(1 + min(state[group.base], group.count - 1)))
    if len(state) != rules.program.layout.size:
        yield f"{len(state)} slots, expected {rules.program.layout.size}"
    places = {group.subject: group for group in groups if group.what == "place"}
    yield from _orders(rules, state, places)
    yield from _occupants(rules, state, places)
    for zone in rules.game.zones.values():
        if zone.at_most is not None and zone.kind.name in places:
            yield from _crowds(rules, state, places[zone.kind.name], zone.name, zone.at_most)


def _out_of_bounds(group: SlotGroup, state: State, slots: Iterator[int] | range) -> Iterator[str]:
    for at in slots:
        value = state[group.base + at]
        if not group.low <= value <= group.high:
            yield f"{group.what} {group.name}[{at}] is {value}, expected {group.low} to {group.high}"


def _orders(rules: Rules, state: State, places: dict[str, SlotGroup]) -> Iterator[str]:
    """An order names exactly the pieces whose place is its zone."""
    owners: Counter[str] = Counter()
    for group in rules.program.layout.groups:
        if group.what != "order":
            continue
        owner = owners[group.name]
        owners[group.name] += 1
        zone = rules.game.zones[group.name]
        base = places[zone.kind.name].base
        wanted = [
            code
            for code, place in enumerate(rules.program.places[zone.kind.name])
            if place.kind == "zone" and place.name == group.name and place.owner in (-1, owner)
        ]
        lying = {piece for piece in range(zone.kind.count) if state[base + piece] in wanted}
        order = state[group.base + 1 : group.base + 1 + state[group.base]]
        if len(set(order)) != len(order) or set(order) != lying:
            yield f"order {group.name} of {owner} is {order}, but {sorted(lying)} lie there"


def _occupants(rules: Rules, state: State, places: dict[str, SlotGroup]) -> Iterator[str]:
    """A space is occupied by exactly the piece whose place it is."""
    for group in rules.program.layout.groups:
        if group.what != "occupant":
            continue
        standing: dict[int, list[int]] = {}
        total = 0
        for kind in rules.game.kinds.values():
            codes = rules.program.places[kind.name]
            if not any(place.kind == "space" and place.name == group.name for place in codes):
                continue
            for piece in range(kind.count):
                place = codes[state[places[kind.name].base + piece]]
                if place.kind == "space" and place.name == group.name:
                    standing.setdefault(place.space, []).append(total + piece)
            total += kind.count
        for space in range(group.count):
            here = standing.get(space, [])
            occupant = state[group.base + space]
            if here != ([occupant] if occupant >= 0 else []):
                yield f"space {space} of {group.name} is occupied by {occupant}, but {here} stand there"


def _crowds(rules: Rules, state: State, group: SlotGroup, zone: str, most: int) -> Iterator[str]:
    codes = rules.program.places[group.subject]
    for code, place in enumerate(codes):
        if place.kind == "zone" and place.name == zone:
            count = state[group.base : group.base + group.count].count(code)
            if count > most:
                yield f"{count} pieces in {zone}, expected at most {most}"


# ---------------------------------------------------------------------------------------------------- deep games


@frozen
class _Moment:
    """What a game was like at one decision."""

    state: tuple[int, ...]
    hash: str
    codes: tuple[int, ...]
    prompt: str
    events: int
    player: int | None

    @classmethod
    def of(cls, session: Session) -> _Moment:
        return cls(
            tuple(session.state),
            session.hash(),
            tuple(session.codes),
            session.prompt,
            len(session.events),
            session.player,
        )


@define
class _Deep:
    """One deep game."""

    session: Session
    case: str
    seed: int
    random: Random
    tally: Tally
    moments: list[_Moment] = field(factory=list, init=False)
    replayed: int = field(default=0, init=False)

    def play(self, limit: int) -> None:
        """Plays to the end, checking at every decision."""
        session = self.session
        self.moments.append(_Moment.of(session))
        self._look()
        while not session.is_over and len(session.history.steps) < limit:
            options = session.options
            option = options[_pick(self.random, len(options))]
            copy = session.clone()
            copy.apply(option)
            self._expect("clone", _Moment.of(session) == self.moments[-1], "a copy that goes on changes the game")
            session.apply(option)
            self.moments.append(_Moment.of(session))
            same = _Moment.of(copy) == self.moments[-1] and copy.log(None) == session.log(None)
            self._expect("clone", same, "a copy comes to something else than the game")
            self._look()
        final = resume(session.save(), rules=session.rules)
        passed = [step.before for step in final.history.steps] + [tuple(final.state)]
        self._expect("save", passed == [moment.state for moment in self.moments], "played again it goes differently")
        self._expect("save", final.log(None) == session.log(None), "played again its log is another")

    def _look(self) -> None:
        session, moment = self.session, self.moments[-1]
        for fault in state_faults(session.rules, session.state):
            self._expect("state", False, fault)
        self.tally.checked["state"] += 1
        number = session.state[DECISION]
        codes = tuple(session.rules.backend.options(session.state)) if not session.is_over else ()
        self._expect("options", codes == tuple(session.codes), f"decision {number} offers something else when asked")
        names = self._names()
        self._expect("options", len(set(names)) == len(names), "two options have one name")
        self._expect("options", moment.player is not None or session.is_over, "nobody decides")
        if session.is_over:
            self._expect("options", session.outcome is not None, "the game is over without an outcome")
        self._saved()
        self._undone()
        self._viewed()

    def _names(self) -> tuple[str, ...]:
        return tuple(option.name for option in self.session.options)

    def _saved(self) -> None:
        session = self.session
        data = session.save()
        save = read_save(data)
        same = save.hash == session.hash() and list(save.slots) == session.state
        self._expect("save", same, "the save holds another state")
        taken = [(step.name, step.code) for step in session.history.steps]
        self._expect("save", [(d.name, d.code) for d in save.decisions] == taken, "the save holds other decisions")
        if self.replayed + len(taken) <= REPLAYED:
            self.replayed += len(taken)
            again = resume(data, rules=session.rules)
            self._expect("save", _Moment.of(again) == self.moments[-1], "resumed it is another game")
            self._expect("save", again.options == session.options, "resumed it offers something else")

    def _undone(self) -> None:
        session = self.session
        steps = session.history.steps
        back = session.clone()
        while back.can_undo:
            back.undo()
            kept = len(back.history.steps)
            self._expect("undo", _Moment.of(back) == self.moments[kept], f"undone to decision {kept + 1} it is another")
            same = back.events == session.events[: self.moments[kept].events]
            self._expect("undo", same, f"undone to decision {kept + 1} its log is another")
            option = next(option for option in back.options if option.code == steps[kept].code)
            self._expect("undo", option.name == steps[kept].name, f"decision {kept + 1} has other options")
            back.apply(option)
            same = tuple(back.state) == self.moments[kept + 1].state
            self._expect("undo", same, f"decision {kept + 1} made again leads elsewhere")
            back.undo()
        if steps:
            self._expect("undo", back.undo_barrier is not None, "undo stops without a reason")

    def _viewed(self) -> None:
        session = self.session
        for viewer in [*range(len(session.rules.players)), None]:
            view = session.view(viewer)
            same = all(seen is None or seen == value for seen, value in zip(view.slots, session.state, strict=True))
            self._expect("view", same, f"the view of {viewer} shows something else than the state")
            shown = self._names() if viewer is not None and viewer == session.player else ()
            self._expect("view", view.options == shown, f"the view of {viewer} has other options")

    def _expect(self, check: str, holds: bool, message: str) -> None:
        self.tally.checked[check] += 1
        if not holds:
            names = tuple(step.name for step in self.session.history.steps)
            self.tally.findings.append(Finding(check, self.case, self.seed, names, message))


def play_deep(rules: Rules, case: str, seed: int, tally: Tally, limit: int = LIMIT) -> None:
    """One game in a session, with every check at every decision."""
    tally.deep += 1
    session: Session | None = None
    try:
        session = rules.start(seed)
        _Deep(session, case, seed, _chooser(case, seed), tally).play(limit)
    except (DslError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError, StopIteration) as error:
        names = () if session is None else tuple(step.name for step in session.history.steps)
        message = f"{type(error).__name__}: {error}"
        tally.findings.append(Finding("fault in a session", case, seed, names, message))


# ---------------------------------------------------------------------------------------------------- processes


@frozen
class _Task:
    """Some games for one process."""

    case: Case | Path
    seed: int
    games: int
    deep: int


def _title(case: Case | Path) -> str:
    return case.title if isinstance(case, Case) else case.as_posix()


@cache
def _rules(title: str) -> Rules:
    """The game of a configuration; loaded once by each process."""
    for case in CASES:
        if case.title == title:
            return case.load()
    return load(title)


def _play(task: _Task) -> Tally:
    title = _title(task.case)
    rules, tally = _rules(title), Tally(title)
    began = time.perf_counter()
    for seed in range(task.seed, task.seed + task.games):
        play_plain(rules, title, seed, tally)
    for seed in range(task.seed, task.seed + task.deep):
        play_deep(rules, title, seed, tally)
    tally.seconds = time.perf_counter() - began
    return tally


def _tasks(cases: Sequence[Case | Path], games: int, deep: int, seed: int) -> Iterator[_Task]:
    """The games of all configurations in portions, the deep ones spread over them."""
    for case in cases:
        portions = max(1, -(-games // PORTION), -(-deep // 2))
        for portion in range(portions):
            first, last = games * portion // portions, games * (portion + 1) // portions
            some = deep * (portion + 1) // portions - deep * portion // portions
            yield _Task(case, seed + first, last - first, some)


def _wanted(names: Sequence[str]) -> list[Case | Path]:
    if not names:
        return list(CASES)
    found: list[Case | Path] = []
    for name in names:
        known = [case for case in CASES if name in (case.game, case.title)]
        if not known and not Path(name).is_file():
            raise SystemExit(f"no game, configuration or file `{name}`")
        found.extend(known or [Path(name)])
    return found


def _report(tally: Tally) -> str:
    mean = tally.decisions / tally.games if tally.games else 0.0
    faults = Counter(finding.what for finding in tally.findings)
    found = ", ".join(f"{count} {what}" for what, count in sorted(faults.items())) or "-"
    return (
        f"{tally.case:26} {tally.games:7} {tally.shortest:6} {mean:8.1f} {tally.longest:6} {tally.widest:6}"
        f" {tally.deep:6} {sum(tally.checked.values()):9} {tally.seconds:8.1f}  {found}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; gives the exit code."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0], epilog="example: random_games.py --games 500 --deep 5 hall yacht"
    )
    parser.add_argument("rules", nargs="*", metavar="RULES", help="games, configurations or files; default: all")
    parser.add_argument("--games", type=int, default=10_000, help="plain games of each configuration (10000)")
    parser.add_argument("--deep", type=int, default=200, help="deep games of each configuration (200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    parser.add_argument("--shown", type=int, default=20, help="findings printed in full (20)")
    given = parser.parse_args(arguments)
    cases = _wanted(given.rules)
    tallies = {_title(case): Tally(_title(case)) for case in cases}
    waiting: Counter[str] = Counter()
    tasks = list(_tasks(cases, given.games, given.deep, given.seed))
    waiting.update(_title(task.case) for task in tasks)
    print(
        f"{'configuration':26} {'games':>7} {'least':>6} {'mean':>8} {'most':>6} {'widest':>6}"
        f" {'deep':>6} {'checks':>9} {'seconds':>8}  findings",
        flush=True,
    )
    with Pool(given.jobs) as pool:
        for part in pool.imap_unordered(_play, tasks):
            tally = tallies[part.case]
            tally.add(part)
            waiting[part.case] -= 1
            if not waiting[part.case]:
                print(_report(tally), flush=True)
    findings = [finding for tally in tallies.values() for finding in tally.findings]
    for finding in findings[: given.shown]:
        print(finding)
    if len(findings) > given.shown:
        print(f"... and {len(findings) - given.shown} more")
    print(f"{len(findings)} findings in {sum(t.games + t.deep for t in tallies.values())} games")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
