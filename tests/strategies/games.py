"""Whole games, closed and bounded: everything they name is declared, and every way through them ends.

`games` draws any game. `game_with` draws one that has a construct for certain, which is how the constructs of the
language reference have one strategy each. A game is kept as the lines of its declarations, so that a test can put them
into another order, write brackets around everything, or move some of them into a part that is included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from attrs import evolve, frozen
from hypothesis import strategies as st

from strategies import changes, decisions, functions, statements, things
from strategies.expressions import condition, member
from strategies.source import Source, block, plainly, with_brackets
from strategies.statements import Where
from strategies.world import Domain, Scope, World

__all__ = ["CONSTRUCTS", "GameText", "Written", "game_with", "games", "games_with_world"]


@frozen
class GameText:
    """A game as text."""

    text: str
    parts: Mapping[str, str] = {}
    """Files besides the rules, by name."""

    @property
    def shown(self) -> str:
        """All of it, for a report."""
        return self.text + "".join(f"\n--- {name}\n{text}" for name, text in self.parts.items())


@frozen(repr=False)
class Written:
    """A game as the lines of its declarations, marks and all."""

    head: tuple[str, ...]
    declarations: tuple[tuple[str, ...], ...]
    parts: Mapping[str, str]
    world: World

    def __repr__(self) -> str:
        return f"<a game:\n{self.plain().shown}>"

    def plain(self) -> GameText:
        """As it would be written."""
        return self._text(self.declarations, plainly)

    def bracketed(self) -> GameText:
        """With brackets around every part of every expression."""
        return self._text(self.declarations, with_brackets)

    def folded(self, random: Random) -> GameText:
        """With some of its lines going on in further lines."""
        plain = self.plain()
        return GameText("\n".join(_folded(line, random) for line in plain.text.split("\n")), plain.parts)

    def reordered(self, random: Random) -> GameText:
        """With its declarations in another order; blocks of set-up, variants and tests keep theirs."""
        moved = list(range(len(self.declarations)))
        random.shuffle(moved)
        kept = [at for at, lines in enumerate(self.declarations) if _keeps_its_place(lines)]
        places = [place for place, at in enumerate(moved) if at in set(kept)]
        for place, at in zip(places, kept, strict=True):
            moved[place] = at
        return self._text([self.declarations[at] for at in moved], plainly)

    def _text(self, declarations: Sequence[Sequence[str]], write: Callable[[str], str]) -> GameText:
        lines = [*self.head]
        for declaration in declarations:
            lines += ["", *declaration]
        return GameText(write("\n".join(lines) + "\n"), self.parts)


_WORD = re.compile(r'"[^"]*"|#.*|[^\W\d][\w\'’]*|\S')


def _folded(line: str, random: Random) -> str:
    """A line broken behind some of the words that it may go on after."""
    if line.lstrip().startswith("|"):
        return line
    indent = len(line) - len(line.lstrip())
    parts: list[str] = []
    begun = 0
    for word in _WORD.finditer(line):
        rest = line[word.end() :].split("#")[0].strip()
        if word.group() in (",", "(", "{", "and", "or") and rest and random.random() < 0.3:
            comment = random.choice(("", "", "  # goes on"))
            parts.append(line[begun : word.end()] + comment)
            begun = word.end()
    first, *further = [*parts, line[begun:]]
    return "\n".join([first, *(" " * (indent + random.randint(1, 9)) + part.lstrip() for part in further)])


def _keeps_its_place(lines: Sequence[str]) -> bool:
    first = next(line for line in lines if not line.startswith("#"))
    return first.split()[0] in ("setup", "variant", "scenario", "test")


# ------------------------------------------------------------------------------------------- a game


@frozen
class _Wanted:
    """What a game must have, by the names of the parts below."""

    parts: frozenset[str] = frozenset()
    secrets: bool = False

    def __contains__(self, part: str) -> bool:
        return part in self.parts


def _write(s: Source, wanted: _Wanted) -> Written:
    w = World(s)
    secrets = wanted.secrets or s.chance(25)
    lines: list[list[str]] = []

    def add(part: str, percent: int, make: Callable[[], list[str] | None], most: int = 1) -> None:
        times = max(s.number(0, most) if s.chance(percent) else 0, int(part in wanted))
        for _ in range(times):
            made = make()
            if made is not None:
                lines.append(made)

    head = _head(w, "more players" in wanted)
    add("option", 30, lambda: things.option(w), 2)
    add("enum", 80, lambda: things.enum(w), 2)
    if wanted.parts & {"enum needed"} and not w.of_sort("enum"):
        lines.append(things.enum(w))
    add("open board", 0, lambda: things.open_board(w))
    add("board", 40, lambda: things.board(w), 1)
    add("board file", 10, lambda: things.board_file(w) if not w.boards else None)
    if "board needed" in wanted and not w.boards:
        lines.append(things.board(w))
    add("ways", 25, lambda: things.ways(w))
    add("shapes", 15, lambda: things.shapes(w))
    plain: list[str] = []
    add("table makes", 30, lambda: functions.makes(w, plain, wanted.parts))
    add("kind", 75, lambda: things.kind(w, secrets), 2)
    if ("piece needed" in wanted or secrets) and not w.of_sort("piece"):
        lines.append(things.kind(w, secrets))
    for domain in w.of_sort("piece"):
        add("zone", 75, lambda domain=domain: things.zone(w, domain, secrets), 2)  # type: ignore[misc]
    if "showing" in wanted:
        lines.append(things.hidden_zone(w, w.of_sort("piece")[0]))
    phase_name = w.name("phase")
    _fields(w, lines, wanted, secrets, phase_name)
    for domain in w.of_sort("piece"):
        made = things.looks(w, domain, "looks" in wanted) if "looks" in wanted or s.chance(15) else []
        if made:
            lines.append(made)
    if "sides" in wanted or (secrets and w.of_sort("enum") and s.chance(30)):
        lines += things.sides(w)
    if "roster" in wanted or (w.of_sort("enum", "row") and s.chance(15)):
        lines += things.roster(w)
    add("state", 60, lambda: things.state(w), 2)
    add("track", 60, lambda: things.track(w), 2)
    if not w.globals:
        lines.append(things.track(w) if s.chance(50) else things.state(w))
    score = _score(w)
    setups = [statements.set_up(w)] if w.of_sort("piece") or s.chance(50) or "setup" in wanted else []
    if s.chance(15):
        setups.append(["setup", *block(statements.body(w, Scope(), Where(asks=False, depth=1), 1, 2))])
    add("value", 55, lambda: functions.value(w), 2)
    add("relation", 50, lambda: functions.relation(w), 2)
    add("gives", 30, lambda: functions.gives(w))
    add("effect", 40, lambda: statements.effect(w), 2)
    add("does", 20, lambda: statements.does(w, w.callable("effect")))
    reset = any("reset by" in line for lines_ in lines for line in lines_)
    if reset or "phase" in wanted or s.chance(30):
        w.used.discard(phase_name.replace("_", " "))
        lines.append(_phase(w, phase_name))
    w.mustered = True
    play = _play(w, wanted, secrets)
    w.mustered = False
    lines += setups
    lines.append(play)
    add("variant", 20, lambda: changes.variant(w), 2)
    if w.more_players:
        lines.append(changes.variant(w))
    add("scenario", 8, lambda: changes.variant(w, scenario=True))
    add("test", 25, lambda: changes.test(w), 2)
    lines += w.later
    declarations = [
        tuple(_documented(w, made)) if s.chance(15) or "documentation" in wanted else tuple(made) for made in lines
    ]
    if score:
        head = (*head, f"    scored by {score}")
    written = Written(tuple(head), tuple(declarations), dict(w.parts), w)
    return _included(written) if "include" in wanted or s.chance(5) else written


def _head(w: World, more: bool) -> tuple[str, ...]:
    s = w.source
    low = s.one((2, 1, 3))
    count = f"{low}..{low + 1}" if s.chance(15) else str(low)
    high = low + 1 if ".." in count else low
    named = s.chance(50)
    names = tuple(w.name("player") for _ in range(high)) if named else tuple(f"Player_{i}" for i in range(1, high + 1))
    if more or s.chance(5):
        w.more_players = _more_players(w, high, names if named else ())
    w.players, w.may_be_more = names[:low], high > low or bool(w.more_players)
    w.domains["Player"] = Domain("Player", "player", w.players, low)
    line = f"    players {count}" + (f": {', '.join(names)}" if named else "")
    return ("language 1", "", 'game "Made by Chance"', line)


def _more_players(w: World, high: int, names: Sequence[str]) -> str:
    """Numbers of players above those of the game, and the names of all where the game has names."""
    s = w.source
    said, most = s.one(
        ((f"{high + 1}", high + 1), (f"{high + 1}, {high + 3}", high + 3), (f"{high + 1}..{high + 2}", high + 2))
    )
    added = [w.name("player") for _ in range(most - len(names))] if names else []
    return said + (f": {', '.join([*names, *added])}" if names else "")


def _fields(w: World, lines: list[list[str]], wanted: _Wanted, secrets: bool, phase: str) -> None:
    s = w.source
    owners = [d for d in w.domains.values() if d.sort in ("player", "enum", "row", "space", "piece") and not d.is_open]
    for domain in owners:
        must = domain.sort == "player" and ("fields" in wanted or secrets)
        if must or s.chance(45):
            reset_by = phase if s.chance(15) or "reset" in wanted else ""
            lines.append(things.fields_of(w, domain, secrets, reset_by))
    if "secretly" in wanted and not any(f.secret for f in w.domains["Player"].features):
        name = w.name("field")
        enum = w.of_sort("enum")[0]
        from strategies.world import Feature

        w.domains["Player"].features.append(Feature(name, enum.name, optional=True, changes=True, secret=True))
        lines.append(["each Player has", *block([f"{name}: {enum.name} or none, seen by owner"])])


def _score(w: World) -> str:
    s = w.source
    if s.chance(40):
        return ""
    names = [one.name for one in w.globals if one.type == "number" and not one.optional]
    names += [
        f.name
        for f in w.domains["Player"].features
        if f.type == "number" and not f.key and not f.optional and not f.secret and f.changes
    ]
    return s.one(names) if names else ""


def _phase(w: World, name: str) -> list[str]:
    made = statements.phase(w)
    old = made[0].removeprefix("phase ")
    w.callables[-1] = evolve(w.callables[-1], name=name)
    w.used.discard(old.replace("_", " "))
    w.used.add(name.replace("_", " "))
    return [f"phase {name}", *made[1:]]


def _play(w: World, wanted: _Wanted, secrets: bool) -> list[str]:
    """A beginning, then rounds or turns, of which there are only so many."""
    s, scope = w.source, Scope()
    lines: list[str] = []
    if s.chance(25):
        lines += statements.body(w, scope, Where(depth=1), 1, 2)
    if "turns" in wanted or s.chance(20):
        count = s.number(2, 5)
        w.later.append(things.track(w, counts=count))
        name = w.globals[-1].name
        inner = _turn(w, wanted, Where(turn=True, depth=2), secrets)
        start = f" from {s.one(w.players)}" if s.chance(30) else ""
        if "then" in wanted or s.chance(30):
            after = member(w, scope, w.domains["Player"], 2)
            start += f" then {after.text}" if after is not None else ""
        inner = [*_counted(w, name, count), *inner]
        return ["play", *block([*lines, f"turns{start}", *block(inner)])]
    count = s.number(1, 3)
    inner = _turn(w, wanted, Where(round=True, depth=2), secrets)
    if s.chance(60) or "each player" in wanted:
        inner = ["each player", *block(_turn(w, wanted, Where(turn=True, round=True, depth=2), secrets))]
    if secrets:
        shown = decisions.showing(w) if "showing" in wanted or s.chance(30) else None
        for made in (decisions.secret_choice(w), shown, decisions.secret_hand(w)):
            inner += made or []
    if s.chance(10):
        w.later.append(things.track(w, counts=count))
        name = w.globals[-1].name
        inner = [*_counted(w, name, count), *inner]
        return ["play", *block([*lines, "round", *block(inner)])]
    lines += [f"round {count} times", *block(inner)]
    if s.chance(30):
        lines.append(f"if {condition(w, scope, 2).text}: {statements.ending(w, scope)}")
    return ["play", *block([*lines, statements.ending(w, scope)])]


def _counted(w: World, name: str, count: int) -> list[str]:
    """What ends a loop without an end of its own: counted before anything in it can leave the turn."""
    return [f"{name} + 1", f"if {name} = {count}: {statements.ending(w, Scope())}"]


_STATEMENTS: Mapping[str, Callable[[World, Scope, Where], list[str] | None]] = {
    "repeat": statements.repeat,
    "for each": statements.for_each,
    "if": statements.if_,
    "unless": statements.unless,
    "set": statements.change,
    "move": statements.move,
    "roll": statements.chance,
    "over area": statements.over_area,
    "by way": statements.by_way,
    "say": statements.say,
    "step": statements.step,
}


def _turn(w: World, wanted: _Wanted, where: Where, secrets: bool) -> list[str]:
    """What happens in a turn: something is decided in it, and what is wanted happens."""
    s, scope = w.source, Scope()
    lines = statements.body(w, scope, where, 0, 2)
    for part, make in _STATEMENTS.items():
        if part in wanted:
            lines += make(w, scope, where) or []
    form = next((form for form in ("order", "assign", "some", "one") if f"binder {form}" in wanted), "")
    lines += decisions.choose(w, scope, where, form, "must" in wanted)
    if s.chance(30):
        lines += statements.body(w, scope, where, 1, 1)
    for call in w.callable("phase", "effect"):
        if not call.inputs:
            lines.append(call.name)
    return [line for line in lines if line != "nothing"]


def _documented(w: World, lines: list[str]) -> list[str]:
    """With documentation above, or a comment at the end of its first line."""
    if lines[0].startswith(("setup", "play", "test")) or w.source.chance(40):
        return [f"{lines[0]}  # a comment", *lines[1:]]
    return ["## What this is for. Book, page 2.", *lines]


def _included(written: Written) -> Written:
    """With its enums and states in a part."""
    moved = [lines for lines in written.declarations if lines[0].split()[0] in ("enum", "state", "track")]
    if not moved:
        moved = [lines for lines in written.declarations if lines[0].split()[0] not in ("play", "setup", "variant")][:1]
    left = [lines for lines in written.declarations if lines not in moved]
    part = "language 1\n" + "".join("\n" + "\n".join(lines) + "\n" for lines in moved)
    parts = {**written.parts, "part.rules": plainly(part)}
    return evolve(written, declarations=(('include "part.rules"',), *left), parts=parts)


@st.composite
def games_with_world(draw: st.DrawFn, parts: frozenset[str] = frozenset(), secrets: bool = False) -> Written:
    """A game with what it was made of, which has the parts that are asked for."""
    return _write(Source(draw), _Wanted(parts, secrets))


def games() -> st.SearchStrategy[Written]:
    """Any game."""
    return games_with_world()


def game_with(*parts: str, secrets: bool = False) -> st.SearchStrategy[Written]:
    """A game that has some parts for certain."""
    return games_with_world(frozenset(parts), secrets)


CONSTRUCTS: dict[str, st.SearchStrategy[Written]] = {
    "Files, lines and names": game_with(),
    "include": game_with("include", "enum"),
    "game": game_with(),
    "option": game_with("option"),
    "enum": game_with("enum"),
    "kind": game_with("kind"),
    "fields": game_with("fields"),
    "silent fields": game_with("fields", "state"),
    "each ... has": game_with("fields"),
    "ahead and marked": game_with("board", "kind", "looks"),
    "state": game_with("state"),
    "board": game_with("board"),
    "boards from files": game_with("board file"),
    "boards without edges": game_with("open board", "kind", "relation"),
    "zone": game_with("kind", "zone"),
    "sides and teams": game_with("enum", "kind", "sides", secrets=True),
    "track": game_with("track"),
    "table ... makes": game_with("table makes"),
    "several tables of one type": game_with("table makes", "tables"),
    "figures by a type": game_with("enum", "table makes", "figures"),
    "texts of rows": game_with("enum", "table makes", "texts", "kind", "binder one"),
    "pieces of rows": game_with("table makes", "kind"),
    "roster": game_with("enum", "table makes", "roster"),
    "table ... gives and does": game_with("gives", "does"),
    "value": game_with("value"),
    "relation": game_with("relation"),
    "effect": game_with("effect"),
    "phase and step": game_with("phase", "step"),
    "setup and play": game_with("setup"),
    "turns, round, each player": game_with("turns", "each player"),
    "turns then": game_with("turns", "then"),
    "repeat and for each": game_with("repeat", "for each"),
    "if and unless": game_with("if", "unless"),
    "let, set and adjusting": game_with("set"),
    "choose and may": game_with("binder one"),
    "must": game_with("must", "binder one"),
    "What an option chooses": st.one_of(
        game_with("enum", "binder one"),
        game_with("enum", "binder some"),
        game_with("enum", "binder order"),
        game_with("enum", "binder assign"),
    ),
    "secretly and reveal": game_with("enum", "secretly", secrets=True),
    "Showing pieces": game_with("piece needed", "showing", secrets=True),
    "Moving and placing": game_with("kind", "zone", "move"),
    "Rolling and shuffling": game_with("kind", "zone", "roll"),
    "Endings": game_with(),
    "say": game_with("say"),
    "Expressions": game_with("value", "relation"),
    "Sets and where": game_with("enum", "for each"),
    "Sets of pieces and spaces": game_with("board", "kind", "zone", "value", "for each"),
    "Counting and summing": game_with("kind", "zone", "value"),
    "Across a board": game_with("board", "kind", "relation"),
    "Ways and facings": game_with("board needed", "ways", "by way", "table makes", "figures"),
    "Drawn shapes": game_with("board needed", "shapes", "over area"),
    "variant and scenario": game_with("variant", "scenario"),
    "players of variants": game_with("more players"),
    "Patches": game_with("value", "relation", "phase", "variant"),
    "test": game_with("test"),
    "Documentation comments": game_with("documentation"),
}
"""A strategy for each section of the language reference that is a construct."""
