"""Which of a game's options, variants and scenarios are in force, and how many play.

Names come from command lines, saves and tests, so they are taken as people write them: an underscore for a space, and
in any case where that leaves no doubt. What is chosen is checked here against what the rules offer; a value that no
option has is reported and its default used, so that the rest is checked all the same.

Invariant: every option has a value that it allows; the active variants stand in order of declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, field, frozen

from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
from interpreter.semantics.describe import plain_name
from interpreter.semantics.model import OptionUse, VariantUse
from interpreter.semantics.player_counts import counts_of, in_words, numbers_of
from interpreter.semantics.project import Project
from interpreter.semantics.types import FLAG, EnumType, NumberType, Type
from interpreter.syntax import ast

__all__ = ["Chosen", "Configuration", "choose_configuration"]

_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")
_FREE = 1_000_000


@frozen
class Configuration:
    """What the people who play have chosen."""

    players: int | None = None
    """How many play; None for the first number that goes with the variants and the scenario."""
    options: Mapping[str, str | int | bool] = field(factory=dict)
    """Options by name; a variant is an option that is yes or no."""
    scenario: str | None = None
    """The scenario by name or title; None for the game as it stands."""


@define(eq=False)
class Chosen:
    """A configuration, checked against the rules."""

    players: tuple[str, ...]
    """Names of the players, in turn order."""
    active: tuple[ast.VariantDeclaration, ...]
    """The variants and the scenario in force, in order of declaration."""
    options: dict[str, OptionUse]
    """Every option with its value."""
    variants: dict[str, VariantUse]
    """Every variant and scenario."""


def choose_configuration(project: Project, configuration: Configuration, sink: Diagnostics) -> Chosen:
    """What is in force. Reports D801 to D805, D807, D808 and D811."""
    return _Chooser(project, configuration, sink).choose()


class _Chooser:
    def __init__(self, project: Project, configuration: Configuration, sink: Diagnostics) -> None:
        self._project = project
        self._configuration = configuration
        self._sink = sink
        self._switches = {node.name.text: node for node in project.variants}
        self._given: dict[str, str | int | bool] = {}

    def choose(self) -> Chosen:
        self._match_names()
        scenario = self._scenario()
        number = self._number(scenario)
        active = self._active(number, scenario)
        options = self._options(active)
        variants = {
            node.name.text: VariantUse(
                name=node.name.text,
                title=node.title or node.name.text,
                is_scenario=node.is_scenario,
                active=node in active,
                span=node.name.span,
                doc=node.doc,
            )
            for node in (*self._project.variants, *self._project.scenarios)
        }
        return Chosen(self._player_names(number, active), tuple(active), options, variants)

    # -- names

    def _match_names(self) -> None:
        """Puts what was given under the names that the rules use."""
        known = [*self._switches, *(node.name.text for node in self._all_options(self._project.variants))]
        known += [node.name.text for node in self._all_options(self._project.scenarios)]
        for written, value in self._configuration.options.items():
            name = matching(written, known)
            if name is None:
                self._sink.error("D801", f"unknown option `{written}`", None, help=did_you_mean(written, known))
                continue
            self._given[name] = value

    def _all_options(self, changes: Iterable[ast.VariantDeclaration]) -> list[ast.OptionDeclaration]:
        """The options of the game, and those that some variants add."""
        added = [patch.declaration for node in changes for patch in node.patches if isinstance(patch, ast.Adds)]
        return [*self._project.options, *(node for node in added if isinstance(node, ast.OptionDeclaration))]

    # -- players

    def _number(self, scenario: ast.VariantDeclaration | None) -> int:
        """How many play. Reports D805 where that is not possible, or does not go with what else is chosen."""
        possible = self._project.player_numbers
        bound = [node for node in self._bound() if _flag(self._given.get(node.name.text, False))]
        if scenario is not None and counts_of(scenario) is not None:
            bound.append(scenario)
        refused = [node for node in self._bound() if _flag(self._given.get(node.name.text, True)) is False]
        number = self._configuration.players
        if number is not None and number not in possible:
            head = self._project.head
            place = None if head is None else _start(head.span)
            self._sink.error("D805", f"{number} players, expected {in_words(possible)}", place)
        elif number is not None:
            self._check_number(number, bound, refused)
            return number
        written = numbers_of(counts_of(bound[0])) if bound else possible
        numbers = [
            number
            for number in written
            if number in possible
            and all(number in numbers_of(counts_of(node)) for node in bound)
            and not any(number in numbers_of(counts_of(node)) for node in refused)
        ]
        if not numbers:
            names = " and ".join(f"`{node.name.text}`" for node in (*bound, *refused))
            self._sink.error("D805", f"no number of players goes with what is chosen for {names}", None)
        return (numbers or written or possible)[0]

    def _bound(self) -> list[ast.VariantDeclaration]:
        """The variants that are for some numbers of players."""
        return [node for node in self._switches.values() if counts_of(node) is not None]

    def _check_number(
        self, number: int, bound: list[ast.VariantDeclaration], refused: list[ast.VariantDeclaration]
    ) -> None:
        for node in bound:
            counts = counts_of(node)
            numbers = numbers_of(counts)
            if counts is not None and number not in numbers:
                what = "scenario" if node.is_scenario else "variant"
                message = f"{number} players, expected {in_words(numbers)} for {what} `{node.name.text}`"
                self._sink.error("D805", message, counts.span)
        for node in refused:
            counts = counts_of(node)
            if counts is not None and number in numbers_of(counts):
                message = f"variant `{node.name.text}` is on whenever {number} play, found no"
                self._sink.error("D805", message, counts.span)

    def _player_names(self, number: int, active: list[ast.VariantDeclaration]) -> tuple[str, ...]:
        """The names of the players: those of the scenario, else of a variant, else of the game."""
        head = self._project.head
        lines = [None if head is None else head.players]
        changes = sorted(active, key=lambda node: node.is_scenario)
        lines += [counts for counts in map(counts_of, changes) if counts is not None]
        named = [line for line in lines if line is not None and line.names and number in numbers_of(line)]
        of_variants = [
            line for line in named if any(line is counts_of(node) for node in changes if not node.is_scenario)
        ]
        for other in of_variants[1:]:
            label = Label(of_variants[0].span, "named here too")
            self._sink.error("D807", f"{number} players are named by two variants", other.span, labels=(label,))
        written = [name.text for name in named[-1].names[:number]] if named else []
        return (*written, *(f"Player {at}" for at in range(len(written) + 1, number + 1)))

    # -- variants

    def _active(self, number: int, scenario: ast.VariantDeclaration | None) -> list[ast.VariantDeclaration]:
        """The variants that are on, by name, by the number of players or by a preset, and the scenario."""
        chosen: list[ast.VariantDeclaration] = []
        for name, node in self._switches.items():
            value = self._given.get(name, False)
            flag = _flag(value)
            counts = counts_of(node)
            if flag is None:
                self._sink.error("D802", f"variant `{name}` is yes or no, found `{value}`", node.name.span)
            elif flag if counts is None else number in numbers_of(counts):
                chosen.append(node)
        if scenario is not None:
            chosen.append(scenario)
        self._switch(chosen)
        order = {id(node): at for at, node in enumerate(self._project.declarations)}
        return sorted(chosen, key=lambda node: order[id(node)])

    def _switch(self, chosen: list[ast.VariantDeclaration]) -> None:
        """Adds the variants that those chosen preset, one after another. What people chose overrules a preset."""
        before: dict[str, tuple[bool, Span]] = {}
        for changing in chosen:  # grows on the way
            for patch in changing.patches:
                node = self._switches.get(patch.name.text) if isinstance(patch, ast.Preset) else None
                if node is None or not isinstance(patch, ast.Preset):
                    continue
                name = node.name.text
                on = _flag(patch.value.text if isinstance(patch.value, ast.Name) else patch.value)
                label = Label(node.name.span, "declared here")
                if counts_of(node) is not None:
                    message = f"variant `{name}` goes by the number of players"
                    help = f"write `players {numbers_of(counts_of(node))[0]}` instead"
                    self._sink.error("D808", message, patch.span, labels=(label,), help=help)
                elif on is None:
                    message = f"`{_written(patch.value)}` for variant `{name}`: expected yes or no"
                    self._sink.error("D808", message, patch.span, labels=(label,))
                elif before.setdefault(name, (on, patch.span))[0] != on:
                    label = Label(before[name][1], "set otherwise here")
                    self._sink.error("D807", f"variant `{name}` is set twice", patch.span, labels=(label,))
                elif on and name not in self._given and node not in chosen:
                    chosen.append(node)

    def _scenario(self) -> ast.VariantDeclaration | None:
        written = self._configuration.scenario
        if written is None:
            return None
        by_name = {node.name.text: node for node in self._project.scenarios}
        by_title = {node.title: node for node in self._project.scenarios if node.title}
        for table in (by_name, by_title):
            name = matching(written, table)
            if name is not None:
                return table[name]
        help = did_you_mean(written, [*by_name, *by_title])
        notes = () if by_name else ("the game has no scenarios",)
        self._sink.error("D804", f"unknown scenario `{written}`", None, notes=notes, help=help)
        return None

    # -- options

    def _options(self, active: list[ast.VariantDeclaration]) -> dict[str, OptionUse]:
        options: dict[str, OptionUse] = {}
        for node in self._all_options(active):
            if node.name.text not in options:
                use = self._option(node)
                if use is not None:
                    options[use.name] = use
        self._preset(active, options)
        for name, value in self._given.items():
            if name in options:
                use = options[name]
                found = self._value(use, value, None)
                if found is not None:
                    use.value = found
        return options

    def _option(self, node: ast.OptionDeclaration) -> OptionUse | None:
        """An option with its default in force."""
        name, default = node.name.text, node.default
        type: Type
        words: tuple[str, ...] = ()
        if isinstance(default, bool):
            type, words, low, high, value = FLAG, ("no", "yes"), 0, 1, int(default)
        elif isinstance(default, int):
            low = node.low if node.low is not None else 0 if default >= 0 else -_FREE
            high = node.high if node.high is not None else _FREE
            if max(abs(low), abs(high)) > _FREE:
                message = f"the range of option `{name}` is too wide, expected {-_FREE} to {_FREE}"
                self._sink.error("D811", message, node.span)
                return None
            if low > high:
                self._sink.error("D811", f"option `{name}` has no values: {low} is more than {high}", node.name.span)
                return None
            value = default
            if not low <= default <= high:
                message = f"default {default} of `{name}` is outside its range, expected {low} to {high}"
                self._sink.error("D811", message, node.span)
                value = min(max(default, low), high)
            type = NumberType(low=low, high=high)
        else:
            words = tuple(dict.fromkeys(word.text for word in node.words)) or (default.text,)
            if len(words) < max(len(node.words), 2):
                message = f"option `{name}` needs two or more different words"
                help = "write `first or second`, the default first"
                self._sink.error("D811", message, node.span, help=help)
            type, low, high, value = EnumType(name=name), 0, len(words) - 1, words.index(default.text)
        return OptionUse(
            name=name,
            type=type,
            words=words,
            low=low,
            high=high,
            default=value,
            value=value,
            span=node.name.span,
            doc=node.doc,
        )

    def _preset(self, active: list[ast.VariantDeclaration], options: dict[str, OptionUse]) -> None:
        """Values that variants and the scenario set."""
        before: dict[str, tuple[int, Span]] = {}
        for variant in active:
            for patch in variant.patches:
                if not isinstance(patch, ast.Preset) or patch.name.text in self._switches:
                    continue
                use = options.get(patch.name.text)
                if use is None:
                    help = did_you_mean(patch.name.text, [*options, *self._switches])
                    self._sink.error("D808", f"unknown option `{patch.name.text}`", patch.name.span, help=help)
                    continue
                raw = patch.value.text if isinstance(patch.value, ast.Name) else patch.value
                found = self._value(use, raw, patch.span)
                if found is None:
                    continue
                other = before.get(use.name)
                if other is not None and other[0] != found:
                    label = Label(other[1], "set otherwise here")
                    self._sink.error("D807", f"option `{use.name}` is set twice", patch.span, labels=(label,))
                before[use.name] = (found, patch.span)
                use.value = found

    def _value(self, use: OptionUse, value: str | int | bool, span: Span | None) -> int | None:
        """A value as the game keeps it, or None after a report."""
        code = "D802" if span is None else "D808"
        value = value if not isinstance(value, bool) else "yes" if value else "no"
        label = Label(use.span, "declared here")
        if isinstance(use.type, NumberType):
            number = _number(value)
            if number is not None and use.low <= number <= use.high:
                return number
            expected = f"expected a number from {use.low} to {use.high}"
            self._sink.error(code, f"`{value}` for option `{use.name}`: {expected}", span, labels=(label,))
            return None
        if use.type == FLAG:
            flag = _flag(value)
            if flag is not None:
                return int(flag)
            message = f"`{value}` for option `{use.name}`: expected yes or no"
            self._sink.error(code, message, span, labels=(label,))
            return None
        word = matching(str(value), use.words)
        if word is not None:
            return use.words.index(word)
        expected = ", ".join(f"`{known}`" for known in use.words)
        message = f"`{value}` for option `{use.name}`: expected one of {expected}"
        self._sink.error(code, message, span, labels=(label,), help=did_you_mean(str(value), use.words))
        return None


def matching(written: str, names: Iterable[str]) -> str | None:
    """The name that somebody means: as written, with underscores for spaces, or in another case where one fits."""
    known = list(dict.fromkeys(names))
    name = plain_name(written)
    if name in known:
        return name
    found = [other for other in known if plain_name(other).casefold() == name.casefold()]
    return found[0] if len(found) == 1 else None


def _written(value: ast.OptionValue) -> str:
    """A value as it stands in the rules."""
    if isinstance(value, ast.Name):
        return value.text
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _flag(value: str | int | bool) -> bool | None:
    text = str(value).casefold()
    return True if text in _YES else False if text in _NO else None


def _number(value: str | int | bool) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def _start(span: Span) -> Span:
    return Span(span.path, span.start, span.start)
