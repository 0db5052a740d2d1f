"""Played examples: `*.test.yaml`, a game from a given position with its dice, choices and what came of them.

What a rulebook tells as "an example of play" is written here as data. A played example names a game and its
configuration, gives a position (`interpreter.runtime.positions` tells how), the dice, and then goes through the
choices; what is expected stands beside the choice it follows from. The same table plays it as plays the tests in rules
files, so both mean the same, but for one thing: a played example has all its dice, so a missing one fails it.

    game: tic_tac_toe
    board: |                            # drawn, instead of the set-up's
      . . .
      . X .
      O . .
    given:
      X: {mark: Cross}
      O: {mark: Nought}
      player: Cross                     # or counters, fields, zones, `phase`; or statements: ["set c3.mark to Cross"]
    dice: [6, 1]                        # where the game rolls any
    play:
      - choose: a3                      # or by value: {option: {branch: "{s}", s: a3}}
        by: Cross
        offers: {includes: [c1], excludes: [b2]}    # or a list of all
        then: ["a3.mark is Cross"]
    expect: ["player is Nought"]
    view: {Nought: {hidden: [], shown: [a3.mark]}}

Invariant: a played example never raises for anything in the file; what is wrong is in its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define, evolve, field, frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Span, did_you_mean
from interpreter.runtime.by_value import choice_by_value
from interpreter.runtime.load import configure, read_rules
from interpreter.runtime.positions import Position, Report, reported, set_position
from interpreter.runtime.rules import Configuration, OptionValue, Rules
from interpreter.runtime.table import Table, TestFailure
from interpreter.runtime.view import HIDDEN, View
from interpreter.semantics import model, understand_expression
from interpreter.semantics.types import FlagType
from interpreter.source import (
    Files,
    Number,
    SourceFile,
    Text,
    YamlList,
    YamlMap,
    YamlNode,
    YamlScalar,
    describe,
    find_shipped,
    load_yaml,
    structure,
)

__all__ = ["Change", "Move", "Transcript", "check_played", "play_transcript", "read_transcript", "rules_of"]


@frozen
class Move:
    """One step of a played example."""

    choose: YamlNode | None = None
    """What is chosen: its name, or `option` with the branch and what is chosen in it; without one only the offers are
    looked at."""
    by: Text | None = None
    """Who must be asked."""
    offers: YamlNode | None = None
    """What must be offered before: a list, or `includes` and `excludes`."""
    then: tuple[Text, ...] = ()
    """What must hold afterwards."""


@frozen
class Seen:
    """What a viewer may and may not know at the end."""

    hidden: tuple[Text, ...] = ()
    """Zones and values that the viewer must not see."""
    shown: tuple[Text, ...] = ()
    """Zones and values that the viewer must see."""


@frozen
class Transcript:
    """A played example, as written."""

    game: Text
    """A path from the file's folder or the current one, or the name of a shipped game."""
    title: str = ""
    """What it shows."""
    players: Number | None = None
    """How many play."""
    scenario: Text | None = None
    """The scenario; `none` is the same as nothing."""
    options: dict[str, Text] = field(factory=dict)
    """Options that are set."""
    addons: tuple[Text, ...] = field(default=(), metadata={"key": "with"})
    """Addons and mods."""
    rosters: dict[str, YamlNode] = field(factory=dict)
    """By player, the list that is brought, as it would stand in a file, or several of them."""
    seed: int = 0
    """The seed of the set-up, and of dice where none are given."""
    board: YamlNode | None = None
    """A drawn board, or a map from the name of a board to one."""
    given: YamlNode | None = None
    """What the position is: a map, or statements, or a list of both."""
    start: Text | None = None
    """The phase to begin at, as `phase` under `given`; else the beginning of play."""
    dice: YamlNode | None = None
    """Results of chance after the set-up, in the order in which they are asked for."""
    play: tuple[Move, ...] = ()
    """What is chosen, one after another."""
    expect: tuple[Text, ...] = ()
    """What must hold at the end."""
    view: YamlNode | None = None
    """By player, what may and may not be known at the end."""


def read_transcript(path: Path, sink: Diagnostics, files: Files) -> Transcript | None:
    """A played example as written, or None after a report."""
    source = files.read(path, sink)
    node = None if source is None else load_yaml(source, sink)
    transcript = None if node is None else structure(node, Transcript, sink)
    if transcript is None:
        return None
    before = len(sink.errors)
    _dice(transcript, sink)
    _views(transcript, sink)
    return transcript if len(sink.errors) == before else None


def _dice(transcript: Transcript, sink: Diagnostics) -> list[int] | None:
    """The given results; None where dice are drawn."""
    node = transcript.dice
    if node is None:
        return None
    if not isinstance(node, YamlList):
        sink.error("D505", f"expected a list of results, found {describe(node)}", node.span)
        return []
    dice: list[int] = []
    for item in node.items:
        if isinstance(item, YamlScalar) and type(item.value) is int:
            dice.append(item.value)
        else:
            sink.error("D505", f"expected a whole number, found {describe(item)}", item.span)
    return dice


def _views(transcript: Transcript, sink: Diagnostics) -> list[tuple[Text, Seen]]:
    """What each player sees and does not see."""
    node = transcript.view
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return []
    if not isinstance(node, YamlMap):
        sink.error("D505", f"expected a map, found {describe(node)}", node.span)
        return []
    found = [(Text(entry.key, entry.key_span), structure(entry.value, Seen, sink)) for entry in node.entries]
    return [(player, seen) for player, seen in found if seen is not None]


def rules_of(transcript: Transcript, folder: Path) -> Rules:
    """The rules that a played example names, in its configuration; raises `RulesError`."""
    name = transcript.game.text
    near = [folder / name, Path(name)]
    path = next((path for path in near if path.is_file()), None) or find_shipped(name)
    if path is None:
        sink = Diagnostics()
        sink.error(
            "D620", f"no game `{name}`", transcript.game.span, help="give the path of a `.rules` file, or a name"
        )
        raise RulesError(sink)
    project, rules_files, found = read_rules(path, Files(root=path.absolute().parent))
    scenario = transcript.scenario.text if transcript.scenario is not None else None
    options: dict[str, OptionValue] = {name: value.text for name, value in transcript.options.items()}
    configuration = Configuration(
        rules=name,
        players=None if transcript.players is None else transcript.players.value,
        options=tuple(sorted(options.items())),
        scenario=None if scenario in (None, "none", "") else scenario,
        addons=tuple(addon.text for addon in transcript.addons),
    )
    try:
        return configure(project, rules_files, found, configuration)
    except RulesError as error:
        raise RulesError([_placed(transcript, each) for each in error.diagnostics]) from None


def _placed(transcript: Transcript, found: Diagnostic) -> Diagnostic:
    """A finding about the configuration, at the line of the example that asks for it."""
    place: Span | None = None
    if found.code in ("D801", "D802", "D803"):
        named = [value.span for name, value in transcript.options.items() if f"`{name}`" in found.message]
        place = next(iter(named), next((value.span for value in transcript.options.values()), None))
    elif found.code == "D804" and transcript.scenario is not None:
        place = transcript.scenario.span
    elif found.code == "D805":
        chosen = [transcript.scenario, *transcript.options.values()]
        named = [each.span for each in chosen if each is not None]
        place = transcript.players.span if transcript.players is not None else next(iter(named), None)
    elif found.code == "D820" and transcript.addons:
        place = transcript.addons[0].span
    return found if place is None else evolve(found, span=place, label="")


# ---------------------------------------------------------------------------------------------------- playing


@frozen
class Change:
    """A list, or one line of a list, that the game now answers otherwise."""

    node: YamlList | YamlScalar | Text
    """What is written."""
    now: tuple[str, ...]
    """What it should say: all that is offered, or one condition."""


def play_transcript(
    transcript: Transcript,
    rules: Rules,
    marks: dict[int, int] | None = None,
    *,
    source: SourceFile | None = None,
    changes: list[Change] | None = None,
) -> None:
    """Plays an example; raises `TestFailure` or `RulesError`.

    With `changes`, lists of what is offered and conditions that do not hold are no failures: how they should read is
    added there.
    """

    def fail(failure: TestFailure) -> None:
        raise failure

    player = _Player(transcript, rules, Table(rules, marks), source, fail, changes)
    player.begin()
    player.play()
    player.end()


def check_played(transcript: Transcript, rules: Rules, source: SourceFile | None, report: Report) -> None:
    """Reports what can be told about an example without playing it: the position, the players, the conditions."""
    player = _Player(transcript, rules, Table(rules, None), source, report, None)
    try:
        player.begin()
    except RulesError as error:
        found = error.diagnostics[0]
        report(TestFailure(found.code, found.message, transcript.game.span, found.notes))
        return
    texts = [text for move in transcript.play for text in move.then]
    for text in (*texts, *transcript.expect):
        with reported(report):
            player.condition(text)
    for move in transcript.play:
        with reported(report):
            player.player_of(move.by)
    for who, seen in _views(transcript, Diagnostics()):
        with reported(report):
            player.viewer(who)
        for named in (*seen.hidden, *seen.shown):
            with reported(report):
                player.is_hidden(player.table.session.view(0), named)


@define
class _Player:
    """Plays one example."""

    transcript: Transcript
    rules: Rules
    table: Table
    source: SourceFile | None
    report: Report
    changes: list[Change] | None
    position: Position = field(factory=Position)

    def begin(self) -> None:
        """Everything before the first choice."""
        transcript, table = self.transcript, self.table
        table.seed(transcript.seed, transcript.game.span)
        for name, node in transcript.rosters.items():
            player = self.player_of(Text(name, node.span))
            for listed in node.items if isinstance(node, YamlList) else (node,):
                if player is not None:
                    table.bring(player, listed, (), listed.span)
        dice = _dice(transcript, Diagnostics())
        if dice is not None:
            table.dice.then = None
            table.dice.add(dice)
            table.has_rolls = True
        self.position = set_position(table, transcript.board, transcript.given, self.source, self.report)
        phase = self.position.phase or transcript.start
        if phase is not None:
            with reported(self.report):
                table.start(phase.span, self._phase(phase))

    def _phase(self, phase: Text) -> str:
        known = [name for name, one in self.rules.game.functions.items() if one.form == "phase"]
        name = next((name for name in known if _plain(name) == _plain(phase.text)), None)
        if name is None:
            help = did_you_mean(phase.text, known)
            raise TestFailure("D609", f"no phase `{phase.text}`", phase.span, () if help is None else (help,))
        return name

    def play(self) -> None:
        for move in self.transcript.play:
            if move.offers is not None:
                self._offers(move.offers)
            player = self.player_of(move.by)
            if move.choose is not None:
                self._choose(move.choose, player)
            elif move.by is not None:
                self.table.asks(player, move.by.span)
            self._expect(move.then)

    def end(self) -> None:
        """What must hold in the end."""
        transcript, place = self.transcript, self.transcript.game.span
        self._expect(transcript.expect)
        for who, seen in _views(transcript, Diagnostics()):
            self._seen(who, seen)
        at = place if transcript.dice is None else transcript.dice.span
        self.table.finish(at)
        if self.table.session.is_halted:
            raise TestFailure("D604", "the game asks for a roll after the last one that is given", at)

    def player_of(self, named: Text | None) -> int | None:
        """The number of the player who must be asked."""
        if named is None:
            return None
        return self._numbered(named, "D602")

    def viewer(self, named: Text) -> int:
        """The number of the player who looks."""
        return self._numbered(named, "D607")

    def _numbered(self, named: Text, code: str) -> int:
        players = self.rules.players
        if named.text not in players:
            known = ", ".join(players)
            raise TestFailure(code, f"no player `{named.text}`, expected one of {known}", named.span)
        return players.index(named.text)

    # ------------------------------------------------------------------ choices

    def _choose(self, node: YamlNode, player: int | None) -> None:
        value = node.get("option") if isinstance(node, YamlMap) else node
        if isinstance(node, YamlMap) and (value is None or len(node.entries) > 1):
            raise TestFailure("D608", "expected the name of a choice, or `option` alone", node.span)
        if isinstance(value, YamlMap):
            by_value = value
            self.table.take(lambda session: choice_by_value(session, by_value), player, node.span)
        elif isinstance(value, YamlScalar):
            self.table.choose(self._named(value.text), player, node.span)
        else:
            raise TestFailure("D608", "expected the name of a choice, found a list", node.span)

    def _named(self, text: str) -> str:
        """A name of a choice as the game spells it, where letters of the drawn board stand in it."""
        if not self.position.letters:
            return text
        self.table.begin(self.transcript.game.span)
        if self.table.is_offered(text):
            return text
        spelled = self.position.spelled_out(text, self.table)
        return spelled if self.table.is_offered(spelled) else text

    def _offers(self, node: YamlNode) -> None:
        if isinstance(node, YamlMap):
            for entry in node.entries:
                if entry.key not in ("includes", "excludes"):
                    raise TestFailure("D608", f"unknown key `{entry.key}`: expected includes, excludes", entry.key_span)
                how = "also" if entry.key == "includes" else "never"
                for text, span in _texts(entry.value):
                    self.table.offers(how, [self._named(text)], span)
            return
        try:
            self.table.offers("exactly", [self._named(text) for text, _ in _texts(node)], node.span)
        except TestFailure as failure:
            if self.changes is None or failure.code != "D605":
                raise
            self.changes.append(Change(node, tuple(self.table.all_offered())))

    # ------------------------------------------------------------------ conditions

    def condition(self, text: Text) -> model.Expr:
        """A condition as understood."""
        key = f"expect {text.text}"
        known = self.rules.snippets.get(key)
        if isinstance(known, model.Expr) and not self.position.letters:
            return known
        sink = Diagnostics()
        written = " ".join(text.text.split())
        expr = understand_expression(written, self.rules.game, sink, self.position.locals)
        first = next(iter(sink.errors), None)
        if expr is None or first is not None:
            said = "not a condition of the rules language" if first is None else first.message
            details = () if first is None or first.help is None else (f"help: {first.help}",)
            raise TestFailure("D608", f"`{written}` cannot be read: {said}", text.span, details)
        if not isinstance(expr.type, FlagType):
            raise TestFailure("D608", f"`{written}` is not yes or no: expected a condition", text.span)
        if not self.position.letters:
            self.rules.snippets[key] = expr
        return expr

    def _expect(self, texts: Iterable[Text]) -> None:
        for text in texts:
            if self.table.has_rolls:
                self.table.begin(text.span)
            condition = self.condition(text)
            named = [self.position.letters[letter] for letter in sorted(self.position.letters)]
            parameters = tuple(each.local for each in named)
            arguments = [each.member for each in named]
            written = " ".join(text.text.split())
            try:
                self.table.expect(condition, written, text.span, parameters, arguments)
            except TestFailure:
                if self.changes is None:
                    raise
                now = self.table.as_it_is(condition, written, parameters, arguments)
                if now is None or not self._holds(Text(now, text.span), parameters, arguments):
                    raise
                self.changes.append(Change(text, (now,)))

    def _holds(self, text: Text, parameters: tuple[model.Local, ...], arguments: list[int]) -> bool:
        try:
            self.table.expect(self.condition(text), text.text, text.span, parameters, arguments)
        except TestFailure:
            return False
        return True

    # ------------------------------------------------------------------ views

    def _seen(self, who: Text, seen: Seen) -> None:
        view = self.table.session.view(self.viewer(who))
        for named in (*seen.hidden, *seen.shown):
            should_hide = named in seen.hidden
            if self.is_hidden(view, named) != should_hide:
                state = "seen by" if should_hide else "hidden from"
                raise TestFailure("D607", f"`{named}` is {state} {who}", named.span)

    def is_hidden(self, view: View, named: Text) -> bool:
        """Whether a zone (or its order), or a value, is hidden in a view."""
        name = named.text.removesuffix(" order")
        owner, dot, rest = name.rpartition(".")
        for kept in (view.zones, view.variables):
            found = _entry(kept, rest if dot else name)
            if dot:
                found = _entry(found, owner)
            if found is not None:
                return _is_blank(found, is_zone=kept is view.zones)
        for spaces in view.boards.values():
            found = _entry(_entry(spaces, owner), rest)
            if found is not None:
                return _is_blank(found)
        raise TestFailure("D607", f"nothing is called `{named.text}`", named.span)


def _entry(kept: object, name: str) -> object | None:
    """The value of a name, underscores for spaces."""
    if not isinstance(kept, Mapping):
        return None
    if name in kept:
        found: object = kept[name]
        return found
    return next((value for key, value in kept.items() if _plain(str(key)) == _plain(name)), None)


def _is_blank(found: object, *, is_zone: bool = False) -> bool:
    """Whether something is hidden, in full or in part; of what is hidden in a zone a view tells the number."""
    if isinstance(found, Mapping):
        return any(_is_blank(value, is_zone=is_zone) for value in found.values())
    return found == HIDDEN or (is_zone and isinstance(found, int))


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def _texts(node: YamlNode | None) -> Iterator[tuple[str, Span]]:
    """The texts of a list, or of one text."""
    if isinstance(node, YamlScalar):
        yield node.text, node.span
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _texts(item)
    elif isinstance(node, YamlMap):
        raise TestFailure("D608", "expected names of options, found a map", node.span)
