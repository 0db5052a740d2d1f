"""Played examples: `*.test.yaml`, a game from a given position with its dice, choices and what came of them.

What a rulebook tells as "an example of play" is written here as data. A played example names a game and its
configuration, changes the position in the words of the rules language, gives the dice, and then goes through the
choices; what is expected stands beside the choice it follows from. The same table plays it as plays the tests in rules
files, so both mean the same.

    game: pig
    options: {goal: 20}
    seed: 7
    given: ["set Ann.banked to 15"]
    start: Action                       # optional: a phase to begin at
    dice: [6, 1]
    play:
      - choose: "Roll"
        by: Ann
        offers: {includes: ["Roll"], excludes: ["Hold 0"]}
        then: ["player is Ann"]
    expect: ["Ann.banked = 15"]
    view: {Bob: {hidden: ["Ann.hand"]}}

Invariant: a played example never raises for anything in the file; what is wrong is in its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import field, frozen

from interpreter.diagnostics import Diagnostics, RulesError, Span
from interpreter.runtime.load import configure, read_rules
from interpreter.runtime.rules import Configuration, OptionValue, Rules
from interpreter.runtime.table import Table, TestFailure
from interpreter.runtime.view import HIDDEN, View
from interpreter.semantics import UnderstoodTest, model, understand_test
from interpreter.semantics import test_model as lines
from interpreter.source import (
    Files,
    Number,
    Text,
    YamlList,
    YamlMap,
    YamlNode,
    YamlScalar,
    find_shipped,
    from_text,
    load_yaml,
    structure,
)
from interpreter.syntax import ast, parse

__all__ = ["Move", "Transcript", "play_transcript", "read_transcript", "rules_of"]


@frozen
class Move:
    """One step of a played example."""

    choose: Text | None = None
    """The name of what is chosen; without one only the offers are looked at."""
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
    players: int | None = None
    """How many play."""
    scenario: Text | None = None
    """The scenario; `none` is the same as nothing."""
    options: dict[str, Text] = field(factory=dict)
    """Options that are set."""
    addons: tuple[Text, ...] = field(default=(), metadata={"key": "with"})
    """Addons and mods."""
    seed: int = 0
    """The seed of the set-up, and of dice where none are given."""
    given: YamlNode | None = None
    """Statements that change the position: a list, or one text of several lines."""
    start: Text | None = None
    """The phase to begin at; else the beginning of play."""
    dice: tuple[Number, ...] | None = None
    """Results of chance after the set-up, in the order in which they are asked for."""
    play: tuple[Move, ...] = ()
    """What is chosen, one after another."""
    expect: tuple[Text, ...] = ()
    """What must hold at the end."""
    view: dict[str, Seen] = field(factory=dict)
    """By player, what may and may not be known at the end."""


def read_transcript(path: Path, sink: Diagnostics, files: Files) -> Transcript | None:
    """A played example as written, or None after a report."""
    source = files.read(path, sink)
    node = None if source is None else load_yaml(source, sink)
    return None if node is None else structure(node, Transcript, sink)


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
        players=transcript.players,
        options=tuple(sorted(options.items())),
        scenario=None if scenario in (None, "none", "") else scenario,
        addons=tuple(addon.text for addon in transcript.addons),
    )
    return configure(project, rules_files, found, configuration)


def play_transcript(transcript: Transcript, rules: Rules, marks: dict[int, int] | None = None) -> None:
    """Plays an example; raises `TestFailure` or `RulesError`."""
    place = transcript.game.span
    table = Table(rules, marks)
    table.seed(transcript.seed, place)
    if transcript.dice is not None:
        table.dice.then = None
        table.dice.add(number.value for number in transcript.dice)
        table.has_rolls = True
    for line in _understood(rules, [("given", text, span) for text, span in _texts(transcript.given)]):
        assert isinstance(line, lines.Given)
        table.given(line.block)
    if transcript.start is not None:
        table.start(transcript.start.span, transcript.start.text)
    for move in transcript.play:
        _move(table, rules, move)
    _expect(table, rules, transcript.expect)
    for player, seen in transcript.view.items():
        _seen(table, rules, player, seen, place)
    table.finish(place)


def _move(table: Table, rules: Rules, move: Move) -> None:
    if move.offers is not None:
        _offers(table, move.offers)
    if move.choose is not None:
        player = None
        if move.by is not None:
            if move.by.text not in rules.players:
                known = ", ".join(rules.players)
                raise TestFailure("D602", f"no player `{move.by.text}`, expected one of {known}", move.by.span)
            player = rules.players.index(move.by.text)
        table.choose(move.choose.text, player, move.choose.span)
    _expect(table, rules, move.then)


def _offers(table: Table, node: YamlNode) -> None:
    if isinstance(node, YamlMap):
        for key, how in (("includes", "also"), ("excludes", "never")):
            named = node.get(key)
            if named is not None:
                table.offers(how, [text for text, _ in _texts(named)], named.span)
    else:
        table.offers("exactly", [text for text, _ in _texts(node)], node.span)


def _expect(table: Table, rules: Rules, texts: Iterable[Text]) -> None:
    for line in _understood(rules, [("expect", text.text, text.span) for text in texts]):
        assert isinstance(line, lines.Expect)
        if table.has_rolls:
            table.begin(line.span)
        table.expect(line.condition, line.text or "the condition", line.span)


def _seen(table: Table, rules: Rules, player: str, seen: Seen, place: Span) -> None:
    if player not in rules.players:
        raise TestFailure("D607", f"no player `{player}`, expected one of {', '.join(rules.players)}", place)
    view = table.session.view(rules.players.index(player))
    for named in (*seen.hidden, *seen.shown):
        should_hide = named in seen.hidden
        is_hidden = _is_hidden(view, named.text)
        if is_hidden is None:
            raise TestFailure("D607", f"nothing is called `{named.text}`", named.span)
        if is_hidden != should_hide:
            state = "hidden from" if is_hidden else "seen by"
            raise TestFailure("D607", f"`{named.text}` is {state} {player}", named.span)


def _is_hidden(view: View, name: str) -> bool | None:
    """Whether a zone (or its order), or a value, is hidden; None for a name that nothing has."""
    owner, dot, rest = name.removesuffix(" order").partition(".")
    for kept in (view.zones, view.variables):
        found = kept.get(rest if dot else owner)
        if dot and isinstance(found, dict):
            found = found.get(owner)
        if found is not None:
            return (isinstance(found, int) and kept is view.zones) or found == HIDDEN
    return None


# ---------------------------------------------------------------------------------------------------- rules text


def _texts(node: YamlNode | None) -> Iterator[tuple[str, Span]]:
    """The texts of a list, or of one text."""
    if isinstance(node, YamlScalar):
        yield node.text, node.span
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _texts(item)
    elif isinstance(node, YamlMap):
        raise TestFailure("D608", "expected statements of the rules language, found a map", node.span)


def _understood(rules: Rules, texts: list[tuple[str, str, Span]]) -> Iterator[lines.TestLine]:
    """Pieces of rules text as lines of a test; what is wrong in one is told at its place in the example."""
    for keyword, text, span in texts:
        yield _one(rules, keyword, text, span)


def _one(rules: Rules, keyword: str, text: str, span: Span) -> lines.TestLine:
    key = f"{keyword} {text}"
    known = rules.snippets.get(key)
    if isinstance(known, lines.TestLine):
        return _at(known, span)
    if keyword == "given":
        body = "".join(f"        {line}\n" for line in text.splitlines() if line.strip())
        written = f'language 1\ntest "given"\n    given\n{body}'
    else:
        written = f'language 1\ntest "expect"\n    expect {" ".join(text.split())}\n'
    sink = Diagnostics()
    tree = parse(from_text("<example>", written), sink)
    declared = next((node for node in tree.declarations if isinstance(node, ast.TestDeclaration)), None)
    understood: UnderstoodTest | None = None
    if declared is not None and not sink.has_errors:
        case = model.TestCase(title=keyword, tree=declared, span=declared.span)
        understood = understand_test(case, rules.game, sink)
    if understood is None or not understood.lines:
        said = next((found.message for found in sink.errors), "not a statement of the rules language")
        raise TestFailure("D608", f"`{text.strip()}` cannot be read: {said}", span)
    rules.snippets[key] = understood.lines[0]
    return _at(understood.lines[0], span)


def _at(line: lines.TestLine, span: Span) -> lines.TestLine:
    """The line at its place in the example."""
    if isinstance(line, lines.Expect):
        return lines.Expect(condition=line.condition, text=line.text, span=span)
    assert isinstance(line, lines.Given)
    return lines.Given(block=line.block, span=span)
