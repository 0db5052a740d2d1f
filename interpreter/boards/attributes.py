"""Attributes of spaces and links: what they are, and whether every value fits.

A board file may declare its attributes; then a name that was not declared is an error. Without a declaration the
type of an attribute follows from its values, and a name that is given once and looks like a more common one draws a
warning.

How a type is written: `number`, `1..4`, `flag`, `name`, `space`, a list of words, any of the first five after
`optional`, or `{words: [plain, hill], optional: yes}`.

How values are gathered: every place of the file that gives a value adds a `Given` to the subject it speaks of (the
index of a space, or of a link). A later stage of the file may overrule an earlier one (a space overrules its row),
but two values of the same stage for one subject are a mistake.

Invariant: `settle` gives for every subject a value for every attribute that its group has, fitting the type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from attrs import define, evolve, field, frozen

from interpreter.boards.model import AttributeType, Value
from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean, nearest
from interpreter.source import YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar, describe, text_of

__all__ = ["MAX_ATTRIBUTES", "Gathered", "Given", "Offers", "declare", "name_fault", "settle", "warn_of_near_names"]

_NAME = re.compile(r"[^\W\d]\w*(?: \w+)*")
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
_KINDS = ("number", "flag", "name", "space")
_MOST_LISTED = 8
_MOST_COMPARED = 10_000  # pairs of names; beyond, looking for misspelt ones would take too long

MAX_ATTRIBUTES = 128
"""Most attributes of spaces, and most of links, on one board."""


@frozen
class Given:
    """One value that the file gives."""

    value: YamlScalar
    """The value, with its place."""
    key_span: Span
    """Where the attribute is named."""
    stage: int
    """How far on in the file's order of precedence; a higher stage overrules."""


@define
class Offers:
    """Nearest names, looked for a limited number of times: a hostile file can misspell thousands of names."""

    left: int = 50
    """How many more are looked for."""

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """The help text that offers the nearest name, or None."""
        self.left -= 1
        return did_you_mean(word, candidates) if self.left >= 0 else None


@define
class Gathered:
    """All values of a file for one sort of subject, spaces or links."""

    sink: Diagnostics
    """Where mistakes go."""
    what: str
    """The sort of subject in words for a message: `space` or `link`."""
    offers: Offers
    """How many nearest names are still looked for."""
    taken: frozenset[str] = frozenset()
    """Attributes that the family gives and the file may not."""
    values: dict[str, dict[int, Given]] = field(factory=dict)
    """For each attribute, for each subject, the value that counts."""
    is_full: bool = False
    """Whether an attribute was refused because there are too many."""

    def add(self, entries: Iterable[YamlEntry], subjects: Iterable[int], stage: int) -> None:
        """Takes the attributes of one map of the file for some subjects. Reports D505, D522, D523."""
        wanted = tuple(subjects)
        for entry in entries:
            fault = name_fault(entry.key, self.taken)
            if fault:
                self.sink.error("D523", fault, entry.key_span)
            elif not isinstance(entry.value, YamlScalar):
                self.sink.error("D505", f"expected a single value, found {describe(entry.value)}", entry.value.span)
            else:
                self._put(entry.key, wanted, Given(entry.value, entry.key_span, stage))

    def _put(self, name: str, subjects: tuple[int, ...], given: Given) -> None:
        if name not in self.values and len(self.values) >= MAX_ATTRIBUTES:
            message = f"too many attributes: expected at most {MAX_ATTRIBUTES} for a {self.what}"
            if not self.is_full:
                self.sink.error("D526", message, given.key_span)
            self.is_full = True
            return
        column = self.values.setdefault(name, {})
        for subject in subjects:
            before = column.get(subject)
            if before is None or before.stage < given.stage:
                column[subject] = given
            elif before.stage == given.stage and before.value.value != given.value.value:
                self.sink.error(
                    "D522",
                    f"attribute `{name}` is given twice for one {self.what}, as `{before.value.text}` and as"
                    f" `{given.value.text}`",
                    given.key_span,
                    labels=(Label(before.key_span, "first here"),),
                )
                return


def name_fault(name: str, taken: Iterable[str]) -> str | None:
    """What is wrong with the name of an attribute or region, or None."""
    if name in taken:
        return f"`{name}` is given by the family of the board and cannot be given again"
    if not _NAME.fullmatch(name):
        return f"`{name}` cannot be a name: expected words of letters, digits and `_`"
    return None


def declare(node: YamlMap | None, taken: frozenset[str], sink: Diagnostics) -> dict[str, AttributeType] | None:
    """The declared attributes, None without a declaration. Reports D523 (name) and D524 (type not understood)."""
    if node is None:
        return None
    declared: dict[str, AttributeType] = {}
    for entry in node.entries:
        fault = name_fault(entry.key, taken)
        if fault:
            sink.error("D523", fault, entry.key_span)
            continue
        if len(declared) >= MAX_ATTRIBUTES:
            sink.error("D526", f"too many attributes: expected at most {MAX_ATTRIBUTES}", entry.key_span)
            break
        kind = _declared_type(entry.value, sink)
        declared[entry.key] = kind or AttributeType("name", optional=True)
    return declared


def _declared_type(node: YamlNode, sink: Diagnostics) -> AttributeType | None:
    if isinstance(node, YamlScalar) and isinstance(node.value, str):
        text = node.value.strip()
        optional = text.startswith("optional ")
        word = text.removeprefix("optional ").strip()
        span = _RANGE.fullmatch(word)
        if span and int(span[1]) <= int(span[2]):
            return AttributeType("number", low=int(span[1]), high=int(span[2]), optional=optional)
        if word == "number":
            return AttributeType("number", optional=optional)
        if word == "name":
            return AttributeType("name", optional=optional)
        if word == "space":
            return AttributeType("space", optional=optional)
        if word == "flag" and not optional:
            return AttributeType("flag")
        if word == "flag":
            sink.error("D524", "a flag cannot be optional: it is `no` where it is not given", node.span)
            return AttributeType("flag")
        near = did_you_mean(word, _KINDS)
        sink.error("D524", f"unknown type `{text}`", node.span, notes=(_TYPES,), help=near)
        return None
    if isinstance(node, YamlList):
        return AttributeType("name", words=_words(node, sink))
    if isinstance(node, YamlMap):
        words, optional_node = node.get("words"), node.get("optional")
        optional = isinstance(optional_node, YamlScalar) and optional_node.value is True
        if isinstance(words, YamlList) and set(node.keys) <= {"words", "optional"}:
            return AttributeType("name", words=_words(words, sink), optional=optional)
    sink.error("D524", f"expected the type of an attribute, found {describe(node)}", node.span, notes=(_TYPES,))
    return None


_TYPES = (
    "types are `number`, `1..4`, `flag`, `name`, `space` and a list of words, "
    "each but `flag` may be optional: `optional number`"
)


def _words(node: YamlList, sink: Diagnostics) -> tuple[str, ...]:
    words: dict[str, None] = {}
    for item in node.items:
        word = text_of(item)
        if word is None:
            sink.error("D524", f"expected a word, found {describe(item)}", item.span)
        elif word.text in words:
            sink.error("D524", f"word `{word.text}` stands twice in one list", item.span)
        else:
            words[word.text] = None
    return tuple(words)


def settle(
    gathered: Gathered,
    declared: dict[str, AttributeType] | None,
    groups: Mapping[int, str],
    subject_name: Callable[[int], str],
    space_index: Callable[[YamlScalar], int | None],
    whole: Span,
) -> tuple[dict[str, AttributeType], dict[int, dict[str, Value]]]:
    """Types and values of all attributes.

    `groups` gives every subject the group within which an attribute must be complete (all spaces are one group, links
    are grouped by kind). `space_index` finds a space by name and reports one that is not there. `whole` is blamed where
    no better place exists. Reports D518 (missing), D519 (not declared), D520 (does not fit), D525 (perhaps misspelt).
    """
    types: dict[str, AttributeType] = {}
    values: dict[int, dict[str, Value]] = {subject: {} for subject in groups}
    names = list(declared) if declared is not None else list(gathered.values)
    if declared is None:
        _warn_of_near_attributes(gathered)
    else:
        _report_undeclared(gathered, declared)
    for name in names:
        column = gathered.values.get(name, {})
        fixed = declared[name] if declared is not None else None
        kind = _complete(fixed or _inferred(column.values()), column.values())
        found = {
            subject: _fitting(name, given.value, kind, fixed, space_index, gathered)
            for subject, given in column.items()
        }
        types[name] = _fill(name, kind, found, gathered, groups, subject_name, values, whole, fixed is not None)
    return types, values


def _warn_of_near_attributes(gathered: Gathered) -> None:
    """Warns of names, and of words as values, that are perhaps misspelt, where nothing is declared."""
    counts, places, together = {}, {}, {}
    for name, column in gathered.values.items():
        if column:
            counts[name] = len({given.key_span for given in column.values()})
            places[name] = next(iter(column.values())).key_span
            together[name] = {o for o, other in gathered.values.items() if other.keys() & column.keys()}
        words = {given.value.span: given.value.text for given in column.values() if isinstance(given.value.value, str)}
        first = {word: span for span, word in reversed(words.items())}
        warn_of_near_names(Counter(words.values()), first, {}, f"`{name}` value", gathered.sink)
    warn_of_near_names(counts, places, together, "attribute", gathered.sink)


def _report_undeclared(gathered: Gathered, declared: dict[str, AttributeType]) -> None:
    for name, column in gathered.values.items():
        if name not in declared:
            for span in dict.fromkeys(given.key_span for given in column.values()):
                listed = _listed(declared) or "none"
                gathered.sink.error(
                    "D519",
                    f"unknown attribute `{name}`",
                    span,
                    notes=(f"declared attributes: {listed}",),
                    help=gathered.offers.near(name, declared),
                )


def warn_of_near_names(
    counts: Mapping[str, int],
    places: Mapping[str, Span],
    together: Mapping[str, set[str]],
    what: str,
    sink: Diagnostics,
) -> None:
    """Warns (D525) of a name that the file uses once and that looks like a name that it uses more often."""
    rare = [name for name, count in counts.items() if count == 1]
    common = [name for name, count in counts.items() if count > 1]
    if len(rare) * len(common) > _MOST_COMPARED:
        return
    for name in rare:
        near = nearest(name, (other for other in common if other not in together.get(name, ())))
        if near is not None:
            message = f"{what} `{name}` is used once, `{near}` {counts[near]} times"
            sink.warning("D525", message, places[name], help=f"did you mean `{near}`?")


def _inferred(column: Iterable[Given]) -> AttributeType:
    """The type that most values have; an explicit nothing makes the attribute optional."""
    values = [given.value.value for given in column]
    optional = any(value is None for value in values)
    kinds = Counter(
        "flag" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "name"
        for value in values
        if value is not None
    )
    common = kinds.most_common(1)
    if not common or common[0][0] == "name":
        return AttributeType("name", optional=optional)
    if common[0][0] == "flag":
        return AttributeType("flag")
    return AttributeType("number", optional=optional)


def _complete(kind: AttributeType, column: Iterable[Given]) -> AttributeType:
    """The type with its bounds or words filled in from the values, where the file does not give them."""
    values = [given.value for given in column]
    if kind.kind == "number" and kind.low == kind.high == 0:
        numbers = [value.value for value in values if type(value.value) is int]
        return evolve(kind, low=min(numbers, default=0), high=max(numbers, default=0))
    if kind.kind == "name" and not kind.words:
        words = dict.fromkeys(value.text for value in values if isinstance(value.value, str))
        return evolve(kind, words=tuple(words))
    return kind


def _fitting(
    name: str,
    value: YamlScalar,
    kind: AttributeType,
    declared: AttributeType | None,
    space_index: Callable[[YamlScalar], int | None],
    gathered: Gathered,
) -> Value:
    """The value if it fits, else a report and a value that does."""
    found = value.value
    if found is None and kind.optional:
        return None
    if kind.kind == "space" and found is not None:
        at = space_index(value)
        return 0 if at is None else at
    if kind.kind == "flag" and isinstance(found, bool):
        return found
    if kind.kind == "number" and type(found) is int and kind.low <= found <= kind.high:
        return found
    # With words declared a number or truth value may be one of them, as written.
    if kind.kind == "name" and value.text in kind.words and (isinstance(found, str) or declared is not None):
        return value.text
    expected, near = _expected(kind), None
    if kind.kind == "name" and declared is not None and declared.words:
        expected, near = f"one of {_listed(kind.words)}", gathered.offers.near(value.text, kind.words)
    message = f"attribute `{name}`: expected {expected}, found {describe(value)}"
    gathered.sink.error("D520", message, value.span, help=near)
    return {"flag": False, "number": kind.low, "name": kind.words[0] if kind.words else None, "space": 0}[kind.kind]


def _expected(kind: AttributeType) -> str:
    if kind.kind == "number":
        return f"a whole number from {kind.low} to {kind.high}" if kind.low < kind.high else "a whole number"
    return {"flag": "`yes` or `no`", "name": "a word", "space": "the name of a space"}[kind.kind]


def _listed(words: Iterable[str]) -> str:
    """The words for a message, at most so many that a reader still reads them."""
    every = list(words)
    more = f" and {len(every) - _MOST_LISTED} more" if len(every) > _MOST_LISTED else ""
    return ", ".join(f"`{word}`" for word in every[:_MOST_LISTED]) + more


def _fill(
    name: str,
    kind: AttributeType,
    found: dict[int, Value],
    gathered: Gathered,
    groups: Mapping[int, str],
    subject_name: Callable[[int], str],
    values: dict[int, dict[str, Value]],
    whole: Span,
    is_declared: bool,
) -> AttributeType:
    """Writes the values of one attribute and completes its type: what is not given is `no`, nothing, or a mistake."""
    if kind.kind == "flag":
        for subject in groups:
            values[subject][name] = found.get(subject, False)
        return kind
    having = {groups[subject] for subject in found}
    missing = [subject for subject, group in groups.items() if subject not in found and group in having]
    if is_declared and not found and groups:
        missing = list(groups)
    if missing and not kind.optional:
        column = gathered.values.get(name, {})
        span = next(iter(column.values())).key_span if column else whole
        plural = "" if len(missing) == 1 else "s"
        listed = _listed(subject_name(subject) for subject in missing)
        gathered.sink.error(
            "D518",
            f"attribute `{name}` is missing for {len(missing)} {gathered.what}{plural}: {listed}",
            span,
            help=f"give it to every {gathered.what}, or declare it optional",
        )
    for subject in groups:
        values[subject][name] = found.get(subject)
    outside = any(subject not in found for subject in groups)
    return evolve(kind, optional=kind.optional or outside)
