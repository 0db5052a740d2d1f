"""Lists that players bring: small YAML files that name a roster, say something of the player, and list things.

    roster: army
    for: skirmish                   # the game: a rules file, or the name of one that ships
    home: north                     # what the roster `says`
    without: [Rider]                # taken off the ready-made list
    with: [Archer, Giant]           # and put on it

Instead of `with` and `without` stands `all`, the whole list. Things are named, or counted as in `{Archer: 2}` where the
roster holds more than one of each. `options`, `players` and `scenario` say for which game the list was written; they
matter only where a list is checked by itself, since whoever plays it says what is played.

Every mistake is reported, one finding each. Invariant: a list is given only when nothing was wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from interpreter.backends.api import Fault
from interpreter.diagnostics import Diagnostics, Label, RulesError, Span, did_you_mean
from interpreter.runtime.rosters import PlayerList, ask_own_needs, put_down, ready_made
from interpreter.runtime.rules import Configuration, OptionValue
from interpreter.semantics import member_index, member_names, model
from interpreter.semantics.describe import plain_name
from interpreter.semantics.rosters import LIST_KEYS
from interpreter.semantics.types import DomainType, FlagType, NumberType
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
    from_text,
    load_yaml,
    read_source,
    structure,
)

if TYPE_CHECKING:
    from interpreter.runtime.rules import Rules
    from interpreter.runtime.session import Session

__all__ = ["RosterSource", "bring_lists", "check_list", "player_named"]

RosterSource = str | Path | Mapping[str, object] | YamlNode
"""A list: the path of its file, what would stand in it as plain data, or as a node of a file that was read."""

_NEAR_FOLDERS = 3
"""In how many folders, from that of a list upwards, the game that it names is looked for."""


@frozen
class _ListFile:
    """A list as written, without what it says of its player."""

    roster: Text
    game: Text | None = field(default=None, metadata={"key": "for"})
    all: YamlNode | None = None
    with_: YamlNode | None = field(default=None, metadata={"key": "with"})
    without: YamlNode | None = None
    options: dict[str, Text] = field(factory=dict)
    players: Number | None = None
    scenario: Text | None = None


# ------------------------------------------------------------------------------------------- bringing lists


def bring_lists(session: Session, given: Mapping[str, RosterSource | Sequence[RosterSource]]) -> None:
    """Reads the lists of a game, by player, and puts them into a state before the set-up.

    Raises `RulesError` with all that is wrong with any of them.
    """
    rules, sink = session.rules, Diagnostics()
    sources_read: list[SourceFile] = []
    found: list[PlayerList] = []
    for name, sources in given.items():
        player = player_named(rules, name)
        if player is None:
            message = f"no player `{name}` to bring a list"
            sink.error("D907", message, None, help=did_you_mean(name, rules.players))
            continue
        for source in _each(sources):
            node = _node(source, sources_read, sink, f"<the list of {rules.players[player]}>")
            read = (
                None
                if node is None
                else _Reader(rules, player, sink).read(node, is_file=isinstance(source, str | Path))
            )
            if read is not None:
                _take(session, read, found, sink)
    if rules.files is not None:
        for each in sources_read:
            rules.files.add(each)
    if sink.has_errors:
        raise RulesError(sink)
    session.rosters = tuple(found)


def _each(sources: RosterSource | Sequence[RosterSource]) -> Sequence[RosterSource]:
    if isinstance(sources, str | Path | Mapping | YamlMap | YamlList | YamlScalar):
        return (sources,)
    return sources


def player_named(rules: Rules, name: str) -> int | None:
    """A player by name in any case, an underscore for a blank, or by number from 1."""
    wanted = plain_name(name).casefold()
    for number, player in enumerate(rules.players):
        if plain_name(player).casefold() == wanted or str(number + 1) == wanted:
            return number
    return None


def _node(source: RosterSource, kept: list[SourceFile], sink: Diagnostics, shown: str) -> YamlNode | None:
    if isinstance(source, YamlMap | YamlList | YamlScalar):
        return source
    if isinstance(source, Mapping):
        text = from_text(shown, json.dumps(source, ensure_ascii=False))
    else:
        path = Path(source)
        read = read_source(path, path.as_posix(), sink)
        if read is None:
            return None
        text = read
    kept.append(text)
    return load_yaml(text, sink)


def _take(session: Session, read: PlayerList, found: list[PlayerList], sink: Diagnostics) -> None:
    """Puts a list down and asks what it needs. Reports D907 for a second list of a roster, or one that contradicts."""
    name = session.rules.players[read.player]
    for other in found:
        if other.player != read.player:
            continue
        label = Label(other.span, "the other list begins here")
        if other.roster is read.roster:
            sink.error("D907", f"a second list of `{read.roster.name}` for {name}", read.span, labels=(label,))
            return
        for said, value in read.says.items():
            if other.says.get(said, value) != value:
                message = f"two lists of {name} differ in `{said}`"
                sink.error("D907", message, read.span, labels=(label,))
                return
    found.append(read)
    put_down(session, read)
    try:
        ask_own_needs(session, read, sink)
    except Fault as fault:
        sink.extend(session.fault(fault).diagnostics)


# ------------------------------------------------------------------------------------------- a list by itself


def check_list(path: Path, sink: Diagnostics, files: Files) -> None:
    """Reports what is wrong with a list, held against the game that it names, as the list of the first player."""
    from interpreter.runtime.load import configure, read_rules

    source = files.read(path, sink)
    node = None if source is None else load_yaml(source, sink)
    if node is None:
        return
    if not isinstance(node, YamlMap):
        sink.error("D505", f"expected a map, found {describe(node)}", node.span)
        return
    named = node.get("for")
    if not isinstance(named, YamlScalar) or named.value is None:
        at = node.entries[0].key_span if node.entries else node.span
        sink.error("D504", "missing key `for`", at, help="name the game: `for: skirmish`")
        return
    game = _game_of(named.text, path.absolute().parent)
    if game is None:
        help = "give the path of a `.rules` file, or a name"
        sink.error("D901", f"no game `{named.text}`", named.span, help=help)
        return
    meant = structure(YamlMap(tuple(each for each in node.entries if each.key in _MEANT), node.span), _Meant, sink)
    if meant is None:
        return
    try:
        project, rules_files, found = read_rules(game, Files(root=game.absolute().parent))
        rules = configure(project, rules_files, found, meant.configuration(str(game)))
    except RulesError as error:
        for each in error.diagnostics:
            if each.code.startswith("D8"):
                sink.error(each.code, each.message, _place_of(meant, each.message) or named.span, help=each.help)
                return
        sink.error(
            "D901", f"game `{named.text}` has errors", named.span, help=f"`dsl check {files.shown(game)}` says more"
        )
        return
    session = rules.start_at_set_up()
    read = _Reader(rules, 0, sink).read(node, is_file=True)
    if read is not None:
        _take(session, read, [], sink)


_MEANT = ("options", "players", "scenario")


@frozen
class _Meant:
    """The game that a list was written for."""

    options: dict[str, Text] = field(factory=dict)
    players: Number | None = None
    scenario: Text | None = None

    def configuration(self, rules: str) -> Configuration:
        options: dict[str, OptionValue] = {name: value.text for name, value in self.options.items()}
        return Configuration(
            rules=rules,
            players=None if self.players is None else self.players.value,
            options=tuple(sorted(options.items())),
            scenario=None if self.scenario is None else self.scenario.text,
        )


def _place_of(meant: _Meant, message: str) -> Span | None:
    """The line of a list that asks for what the game does not have."""
    named = [value.span for name, value in meant.options.items() if f"`{name}`" in message]
    if named:
        return named[0]
    if "player" in message and meant.players is not None:
        return meant.players.span
    return None if meant.scenario is None else meant.scenario.span


def _game_of(name: str, folder: Path) -> Path | None:
    """The rules file that a list names: by path, by its name in a folder above, or one that ships."""
    for above in (folder, *folder.parents)[:_NEAR_FOLDERS]:
        for path in (above / name, above / f"{name}.rules"):
            try:
                if path.is_file():
                    return path
            except (OSError, ValueError):
                return None
    return find_shipped(name)


# ------------------------------------------------------------------------------------------- reading


@define
class _Reader:
    """Reads one list against a game, as that of a player."""

    rules: Rules
    player: int
    sink: Diagnostics

    def read(self, node: YamlNode, *, is_file: bool) -> PlayerList | None:
        """The list, or None after a report."""
        before = len(self.sink.errors)
        roster = self._roster(node)
        if roster is None or not isinstance(node, YamlMap):
            return None
        keys = {plain_name(variable.name) for variable in roster.says}
        said = tuple(entry for entry in node.entries if plain_name(entry.key) in keys)
        rest = YamlMap(tuple(entry for entry in node.entries if entry not in said), node.span)
        known = [*LIST_KEYS, *(variable.name for variable in roster.says)]
        for entry in rest.entries:
            if entry.key not in LIST_KEYS:
                help = did_you_mean(entry.key, known)
                notes = ("keys here: " + ", ".join(f"`{key}`" for key in known),)
                self.sink.error("D503", f"unknown key `{entry.key}`", entry.key_span, notes=notes, help=help)
        rest = YamlMap(tuple(entry for entry in rest.entries if entry.key in LIST_KEYS), node.span)
        file = structure(rest, _ListFile, self.sink)
        head = node.entry("roster")
        assert head is not None
        start = head.key_span.merge(head.value.span)
        says = self._says(roster, YamlMap(said, node.span), start)
        if file is None:
            return None
        if is_file:
            self._game(file, start)
        content = self._content(file, roster, says)
        if content is None or says is None or len(self.sink.errors) > before:
            return None
        members, places = content
        return PlayerList(self.player, roster, says, members, start, places, _meant_text(file))

    def _roster(self, node: YamlNode) -> model.Roster | None:
        """The roster that a list is for. Reports D504, D505 and D901."""
        if not isinstance(node, YamlMap):
            self.sink.error("D505", f"expected a map, found {describe(node)}", node.span)
            return None
        named = node.entry("roster")
        if named is None:
            at = node.entries[0].key_span if node.entries else node.span
            self.sink.error("D504", "missing key `roster`", at)
            return None
        if not isinstance(named.value, YamlScalar) or named.value.value is None:
            self.sink.error("D505", f"expected a text, found {describe(named.value)}", named.value.span)
            return None
        rosters = self.rules.game.rosters
        wanted = plain_name(named.value.text)
        found = next((one for name, one in rosters.items() if plain_name(name) == wanted), None)
        if found is None:
            help = did_you_mean(named.value.text, rosters)
            if help is None:
                known = ", ".join(f"`{name}`" for name in rosters)
                help = f"this game has {known}" if rosters else "this game has no rosters"
            self.sink.error("D901", f"no roster `{named.value.text}`", named.value.span, help=help)
        return found

    def _game(self, file: _ListFile, start: Span) -> None:
        """Reports D901 for a list of another game, D504 for one that does not say of which."""
        if file.game is None:
            self.sink.error("D504", "missing key `for`", start, help="name the game: `for: skirmish`")
            return
        path = Path(self.rules.game.path)
        own = {plain_name(path.stem), plain_name(self.rules.title)}
        wanted = plain_name(Path(file.game.text).stem if file.game.text.endswith(".rules") else file.game.text)
        if wanted.casefold() not in {name.casefold() for name in own}:
            message = f"this list is for `{file.game}`, played is `{self.rules.title}`"
            self.sink.error("D901", message, file.game.span)

    # -- what it says of its player

    def _says(self, roster: model.Roster, said: YamlMap, start: Span) -> dict[str, int] | None:
        """The values of what a list says. Reports D902 and D905."""
        found: dict[str, int] = {}
        for variable in roster.says:
            entry = next((one for one in said.entries if plain_name(one.key) == plain_name(variable.name)), None)
            if entry is None:
                names = member_names(self.rules.game, variable.type) if isinstance(variable.type, DomainType) else ()
                of = f", one of {', '.join(names)}" if 0 < len(names) <= 12 else ""
                help = f"write `{variable.name}: ...`{of}"
                self.sink.error("D905", f"the list does not say `{variable.name}`", start, help=help)
                continue
            value = self._value(variable, entry.value)
            if value is not None:
                found[variable.name] = value
        return found if len(found) == len(roster.says) else None

    def _value(self, variable: model.Variable, node: YamlNode) -> int | None:
        type = variable.type
        if not isinstance(node, YamlScalar):
            self.sink.error("D505", f"expected one value, found {describe(node)}", node.span)
            return None
        if isinstance(type, NumberType):
            number = _whole(node)
            if number is not None and type.low <= number <= type.high:
                return number
            self.sink.error("D902", f"expected {type.low} to {type.high}, found {describe(node)}", node.span)
            return None
        index = member_index(self.rules.game, type, node.text) if isinstance(type, DomainType) else None
        if isinstance(type, FlagType) and isinstance(node.value, bool):
            index = int(node.value)
        if index is None:
            names = member_names(self.rules.game, type)
            help = did_you_mean(node.text, names)
            if help is None and 0 < len(names) <= 12:
                help = f"expected one of {', '.join(f'`{name}`' for name in names)}"
            self.sink.error("D902", f"`{variable.name}` cannot be `{node.text}`", node.span, help=help)
        return index

    # -- what is on it

    def _content(
        self, file: _ListFile, roster: model.Roster, says: Mapping[str, int] | None
    ) -> tuple[dict[int, int], dict[int, Span]] | None:
        """How many of each there are, and where they are named. Reports D902, D903, D905 and D906."""
        if file.all is not None:
            for node, key in ((file.with_, "with"), (file.without, "without")):
                if node is not None:
                    self.sink.error("D905", f"`all` is the whole list, `{key}` has no place beside it", node.span)
                    return None
            named = self._named(file.all, roster)
            return {member: count for member, (count, _) in named.items() if count}, {
                member: span for member, (_, span) in named.items()
            }
        out, put = self._named(file.without, roster), self._named(file.with_, roster)
        members = None if says is None else self._ready_made(roster, says)
        if members is None:
            return None
        places: dict[int, Span] = {}
        names = member_names(self.rules.game, roster.element)
        for member, (count, span) in out.items():
            there = members.get(member, 0)
            if count > there:
                short = f"only {there} of `{names[member]}` are" if there else f"`{names[member]}` is not"
                near = did_you_mean(names[member], [names[one] for one in members]) if not there else None
                self.sink.error("D903", f"{short} on the ready-made list", span, help=near)
            members[member] = max(there - count, 0)
        for member, (count, span) in put.items():
            there = members.get(member, 0)
            if there + count > roster.most:
                if roster.copies is None:
                    self.sink.error("D903", f"`{names[member]}` is on the list already", span)
                else:
                    message = f"{there + count} of `{names[member]}`, expected at most {roster.most}"
                    self.sink.error("D906", message, span, notes=(f"{there} on the list before",))
            members[member] = there + count
            places[member] = span
        return {member: count for member, count in members.items() if count}, places

    def _ready_made(self, roster: model.Roster, says: Mapping[str, int]) -> dict[int, int] | None:
        """What `begins as` gives for this player."""
        session = self.rules.start_at_set_up()
        try:
            return ready_made(session, self.player, roster, says)
        except Fault as fault:
            self.sink.extend(session.fault(fault).diagnostics)
            return None

    def _named(self, node: YamlNode | None, roster: model.Roster) -> dict[int, tuple[int, Span]]:
        """The things that a list, or a map with counts, names."""
        found: dict[int, tuple[int, Span]] = {}
        names = member_names(self.rules.game, roster.element)
        for text, span, counted in self._entries(node):
            member = member_index(self.rules.game, roster.element, text)
            if member is None:
                help = did_you_mean(text, names)
                self.sink.error("D902", f"unknown `{roster.element.name}` `{text}`", span, help=help)
                continue
            if member in found:
                label = Label(found[member][1], "first here")
                help = None if roster.copies is None else f"write `{names[member]}: 2` for two of them"
                self.sink.error("D903", f"`{names[member]}` stands twice", span, labels=(label,), help=help)
                continue
            count = 1 if counted is None else self._count(counted, roster, names[member])
            found[member] = (count, span)
        return found

    def _count(self, node: YamlNode, roster: model.Roster, name: str) -> int:
        """How many; 1 after a report of D906."""
        number = _whole(node)
        if number is not None and 1 <= number <= roster.most:
            return number
        found = describe(node) if number is None else str(number)
        expected = "1" if roster.most == 1 else f"1 to {roster.most}"
        self.sink.error("D906", f"{found} of `{name}`, expected {expected}", node.span)
        return 1

    def _entries(self, node: YamlNode | None) -> Iterator[tuple[str, Span, YamlNode | None]]:
        """What is named, with its place and how many of it are wanted where that is written."""
        if node is None:
            return
        if isinstance(node, YamlMap):
            yield from ((entry.key, entry.key_span, entry.value) for entry in node.entries)
        elif isinstance(node, YamlList):
            for item in node.items:
                if isinstance(item, YamlScalar) and item.value is not None:
                    yield item.text, item.span, None
                elif isinstance(item, YamlMap):
                    yield from self._entries(item)
                else:
                    self.sink.error("D505", f"expected a name, found {describe(item)}", item.span)
        else:
            self.sink.error("D505", f"expected a list of names, found {describe(node)}", node.span)


def _whole(node: YamlNode) -> int | None:
    """The whole number that a node is, or None."""
    return node.value if isinstance(node, YamlScalar) and type(node.value) is int else None


def _meant_text(file: _ListFile) -> str:
    said = [f"{name} = {value}" for name, value in file.options.items()]
    said += [] if file.players is None else [f"{file.players.value} players"]
    said += [] if file.scenario is None else [f"scenario {file.scenario}"]
    return ", ".join(said)
