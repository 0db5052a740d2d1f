"""A board from its YAML file.

The order of the file does not matter; the order here does: first the spaces that the family and size give, then
everything that names spaces. After a mistake reading goes on with what is left, so that one pass reports all of
them, and a board is given as soon as its spaces are known: later stages can then check the rules against it, while
the error in the sink keeps the game from being played.

Invariant: a board given without an error in the sink fulfils the invariant of `model`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import define, evolve, field

from interpreter.boards.attributes import Gathered, Offers, declare, name_fault, settle, warn_of_near_names
from interpreter.boards.families import (
    area_map,
    column_number,
    hex_grid,
    open_grid,
    path,
    ring,
    space_name,
    square_grid,
)
from interpreter.boards.format import FAMILY_KEYS, BoardFile
from interpreter.boards.model import MAX_SPACES, AttributeType, Board, Link, Space, Value
from interpreter.boards.plane import DEFAULT_SIZE, LEAST_SIZE
from interpreter.boards.validate import validate
from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
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
    load_yaml,
    read_source,
    start_of,
    structure,
    text_of,
)

__all__ = ["board_from_source", "load_board"]

_RANGE = re.compile(r"(\d{1,4})\.\.(\d{1,4})")
_LINK_KEYS = ("between", "from", "to", "kind")
_DEFAULT_KIND = "link"
_MOST_WORK = (
    2_000_000  # values of spaces given by rows, columns and regions together: twice what a real board could need
)
_MOST_KINDS = 64  # kinds of links: each is a table of all spaces
_BY_ALL, _BY_LINE, _BY_SPACE = 0, 1, 2
"""Stages of precedence: what is said of one space overrules what is said of its row, and that what is said of all."""


def load_board(
    path: Path,
    sink: Diagnostics,
    *,
    shown_as: str | None = None,
    span: Span | None = None,
    files: Files | None = None,
) -> Board | None:
    """The board of a file, or None where not even its spaces are known.

    Mistakes are in the sink; a board that is given in spite of errors is good for checking, not for play. `shown_as` is
    the name of the file in diagnostics, `span` the place that names the file, `files` the set that keeps its text.
    """
    if files is not None:
        source = files.read(path, sink, shown_as=shown_as, span=span)
    else:
        source = read_source(path, shown_as or path.as_posix(), sink, span)
    return None if source is None else board_from_source(source, sink)


def board_from_source(source: SourceFile, sink: Diagnostics) -> Board | None:
    """The board of a text that was read, or None where not even its spaces are known."""
    errors = len(sink.errors)
    tree = load_yaml(source, sink)
    if tree is None:
        return None
    content = structure(tree, BoardFile, sink)
    if content is None or not isinstance(tree, YamlMap):
        return None
    board = _Reader(sink, content, tree, start_of(source.path)).board()
    if board is None:
        return None
    if len(sink.errors) == errors:
        named = [(board.index(name.text), name.span) for name in _names(content.spaces)]
        places = {index: span for index, span in named if index is not None}
        validate(board, sink, places)
    return board


def _names(spaces: YamlMap | YamlList | None) -> Iterator[Text]:
    """The names under `spaces:` with their places."""
    if isinstance(spaces, YamlMap):
        yield from (Text(entry.key, entry.key_span) for entry in spaces.entries)
    elif isinstance(spaces, YamlList):
        yield from (name for item in spaces.items if (name := text_of(item)) is not None)


@define
class _Links:
    """The links of the file, before their attributes are known."""

    ends: list[tuple[str, int, int]] = field(factory=list)
    """Kind, from, to; one for each way."""
    subjects: list[int] = field(factory=list)
    """For each of `ends`, the link of the file that it comes from."""
    kinds: dict[int, str] = field(factory=dict)
    """Kind of each link of the file."""
    titles: dict[int, str] = field(factory=dict)
    """For messages, what each link of the file joins."""


@define
class _Reader:
    """Reads one board file."""

    sink: Diagnostics
    content: BoardFile
    tree: YamlMap
    whole: Span
    work: int = 0
    offers: Offers = field(factory=Offers)

    def board(self) -> Board | None:
        self._check_keys()
        base = self._base()
        if base is None:
            return None
        board = evolve(base, name=self.content.board.text, span=self.whole, reconstructed=self.content.reconstructed)
        self._note_off_board_names(board)
        board = self._with_space_attributes(board)
        board = self._with_links(board)
        board = self._with_regions(board)
        return self._with_positions(board)

    # -- the spaces

    def _check_keys(self) -> None:
        """Reports D521 for keys that another family has."""
        family = self.content.family
        for key, families in FAMILY_KEYS.items():
            entry = self.tree.entry(key)
            if entry is not None and family not in families:
                *others, last = (f"`{name}`" for name in families)
                listed = f"{', '.join(others)} and {last}"
                message = f"key `{key}` does not belong to the family `{family}`: it is for {listed}"
                self.sink.error("D521", message, entry.key_span)

    def _base(self) -> Board | None:
        family = self.content.family
        if family == "map":
            return self._map()
        if family in ("path", "ring"):
            length = self.content.length
            least = 3 if family == "ring" else 1
            if length is None:
                self._report_missing("length")
                return None
            if not self._size_is_good((length,), least):
                return None
            return ring(length.value) if family == "ring" else path(length.value)
        size = self.content.size
        if size is None and family == "open grid":
            return open_grid(DEFAULT_SIZE, DEFAULT_SIZE)
        if size is None:
            self._report_missing("size")
            return None
        if not self._size_is_good((size.columns, size.rows), LEAST_SIZE if family == "open grid" else 1):
            return None
        if family == "open grid":
            return open_grid(size.columns.value, size.rows.value)
        make = hex_grid if family == "hex grid" else square_grid
        return make(size.columns.value, size.rows.value)

    def _report_missing(self, key: str) -> None:
        entry = self.tree.entry("family")
        span = entry.value.span if entry else self.whole
        self.sink.error("D504", f"missing key `{key}`: a `{self.content.family}` needs one", span)

    def _size_is_good(self, numbers: tuple[Number, ...], least: int) -> bool:
        product, good = 1, True
        for number in numbers:
            product *= max(number.value, 0)
            if number.value < least:
                self.sink.error("D511", f"size {number.value} is too small: expected at least {least}", number.span)
                good = False
        if good and product > MAX_SPACES:
            self._too_many(product, numbers[0].span)
            good = False
        return good

    def _too_many(self, found: int, span: Span) -> None:
        self.sink.error("D512", f"too many spaces: expected at most {MAX_SPACES}, found {found}", span)

    def _map(self) -> Board | None:
        names: dict[str, Span] = {}
        listed = self.content.spaces
        if isinstance(listed, YamlList):
            self._report_not_names(listed)
        for name in _names(listed):
            if name.text in names:
                label = Label(names[name.text], "first here")
                self.sink.error("D513", f"space `{name.text}` stands twice in the list", name.span, labels=(label,))
            else:
                names[name.text] = name.span
        if listed is None or not names:
            self._report_missing("spaces")
            return None
        if len(names) > MAX_SPACES:
            self._too_many(len(names), listed.span)
            return None
        return area_map(tuple(Space(index, name) for index, name in enumerate(names)))

    def _report_not_names(self, listed: YamlList) -> None:
        for item in listed.items:
            if text_of(item) is None:
                self.sink.error("D505", f"expected the name of a space, found {describe(item)}", item.span)

    def _note_off_board_names(self, board: Board) -> None:
        """Reports names under `spaces:` that the family does not give."""
        if board.family != "map":
            if isinstance(self.content.spaces, YamlList):
                self._report_not_names(self.content.spaces)
            for name in _names(self.content.spaces):
                self._index(board, name)

    def _index(self, board: Board, name: Text) -> int | None:
        """The index of a named space, or a report of D510."""
        index = board.index(name.text)
        if index is None:
            names = [space.name for space in board.spaces]
            notes: tuple[str, ...] = ()
            if board.is_open:
                notes = ("spaces are counted from the origin `e0n0`: `e2n1` is two east and one north of it",)
            elif board.columns:
                last = space_name(board.columns, board.rows)
                notes = (f"the board has `{names[0]}` to `{last}`: {board.columns} columns and {board.rows} rows",)
            elif board.family != "map":
                notes = (f"the board has `{names[0]}` to `{names[-1]}`",)
            self.sink.error(
                "D510",
                f"no space `{name.text}` on the board",
                name.span,
                notes=notes,
                help=self.offers.near(name.text, names),
            )
        return index

    def _index_of_node(self, board: Board, node: YamlNode) -> int | None:
        name = text_of(node)
        if name is None:
            self.sink.error("D505", f"expected the name of a space, found {describe(node)}", node.span)
            return None
        return self._index(board, name)

    # -- attributes of spaces

    def _with_space_attributes(self, board: Board) -> Board:
        taken = frozenset(board.attributes)
        declared = declare(self.content.attributes, taken, self.sink)
        gathered = Gathered(self.sink, "space", self.offers, taken)
        if self.content.everywhere is not None:
            gathered.add(self.content.everywhere.entries, range(len(board.spaces)), _BY_ALL)
        for word, entries in (("row", self.content.rows), ("column", self.content.columns)):
            for entry in entries if board.columns and not board.is_open else ():
                self._gather_line(board, word, entry, gathered)
        spaces = self.content.spaces
        if isinstance(spaces, YamlMap):
            for name, key_span, value in spaces.entries:
                index = board.index(name)
                if isinstance(value, YamlMap):
                    # A name off the board is reported already; its attributes are still looked at for their names.
                    gathered.add(value.entries, () if index is None else (index,), _BY_SPACE)
                elif not (isinstance(value, YamlScalar) and value.value is None):
                    message = f"expected the attributes of `{name}`, found {describe(value)}"
                    self.sink.error("D505", message, value.span, labels=(Label(key_span, "of this space"),))
        types, values = settle(
            gathered,
            declared,
            {space.index: "" for space in board.spaces},
            lambda index: board.spaces[index].name,
            lambda node: self._index_of_node(board, node),
            self.content.attributes.span if self.content.attributes else self.whole,
        )
        return evolve(
            board,
            spaces=tuple(
                evolve(space, attributes={**space.attributes, **values[space.index]}) for space in board.spaces
            ),
            attributes={**board.attributes, **types},
        )

    def _gather_line(self, board: Board, word: str, entry: YamlMap, gathered: Gathered) -> None:
        """Takes one item of `rows:` or `columns:`."""
        chosen = [item for item in entry.entries if item.key in (word, f"{word}s")]
        rest = [item for item in entry.entries if item not in chosen]
        if len(chosen) != 1:
            message = f"expected one key `{word}` or `{word}s` here, found {len(chosen) or 'none'}"
            self.sink.error("D504", message, entry.span)
            return
        spaces = self._spaces_of_lines(board, word, chosen[0].value)
        if not rest:
            self.sink.error("D504", f"expected an attribute for the {word}, found none", entry.span)
        if self._may_spend(len(spaces) * len(rest), entry.span):
            gathered.add(rest, spaces, _BY_LINE)

    def _may_spend(self, work: int, span: Span) -> bool:
        """Counts the work that a file asks for, and reports D526 once it is too much."""
        if self.work <= _MOST_WORK < self.work + work:
            self.sink.error("D526", "too many values: rows, columns and regions give spaces too much at once", span)
        self.work += work
        return self.work <= _MOST_WORK

    def _spaces_of_lines(self, board: Board, word: str, node: YamlNode) -> list[int]:
        """The spaces of the rows or columns that a node names, indexes rising."""
        lines = self._line_numbers(board, word, node)
        if not self._may_spend(0, node.span):
            return []
        if word == "row":
            return [at for row in lines for at in range((row - 1) * board.columns, row * board.columns)]
        return [at for first in range(0, len(board.spaces), board.columns) for at in (first + c - 1 for c in lines)]

    def _line_numbers(self, board: Board, word: str, node: YamlNode) -> list[int]:
        """The rows or columns that a node names: a number, letters of a column, a list of them, or `1..3`."""
        last = board.rows if word == "row" else board.columns
        named = bytearray(last + 1)
        for item in node.items if isinstance(node, YamlList) else (node,):
            if not isinstance(item, YamlScalar):
                self.sink.error("D505", f"expected the number of a {word}, found {describe(item)}", item.span)
                continue
            bounds = _RANGE.fullmatch(item.text)
            number = item.value if type(item.value) is int else None
            if bounds and int(bounds[1]) <= int(bounds[2]):
                low, high = int(bounds[1]), int(bounds[2])
            elif number is not None:
                low = high = number
            elif word == "column" and (letters := column_number(item.text)) is not None:
                low = high = letters
            else:
                self.sink.error("D505", f"expected the number of a {word}, found {describe(item)}", item.span)
                continue
            if low < 1 or high > last:
                self.sink.error("D514", f"{word} `{item.text}` is off the board: expected 1 to {last}", item.span)
            low, high = max(low, 1), min(high, last)
            if low <= high:
                named[low : high + 1] = b"\1" * (high - low + 1)
        return [number for number, is_named in enumerate(named) if is_named]

    # -- links

    def _with_links(self, board: Board) -> Board:
        if board.is_open:
            return board
        links = _Links()
        gathered = Gathered(self.sink, "link", self.offers)
        declared = declare(self.content.link_attributes, frozenset(_LINK_KEYS), self.sink)
        first: dict[tuple[str, int, int], Span | None] = {
            (kind, start, link.to): None
            for kind, table in board.links.items()
            for start, leaving in enumerate(table)
            for link in leaving
        }
        kind_places: dict[str, list[Span]] = {}
        for number, node in enumerate(self.content.links):
            self._gather_link(board, number, node, links, gathered, first, kind_places)
        self._check_kinds(board, kind_places)
        types, values = settle(
            gathered,
            declared,
            links.kinds,
            links.titles.__getitem__,
            lambda value: self._index_of_node(board, value),
            self.content.link_attributes.span if self.content.link_attributes else self.whole,
        )
        return self._joined(board, links, types, values)

    def _joined(
        self, board: Board, links: _Links, types: dict[str, AttributeType], values: dict[int, dict[str, Value]]
    ) -> Board:
        """The board with the links of the file after those of its family."""
        tables = {kind: [list(leaving) for leaving in table] for kind, table in board.links.items()}
        for kind in [kind.text for kind in self.content.link_kinds[:_MOST_KINDS]] + list(links.kinds.values()):
            tables.setdefault(kind, [[] for _ in board.spaces])
        for (kind, start, end), subject in zip(links.ends, links.subjects, strict=True):
            tables[kind][start].append(Link(end, attributes=values[subject]))
        return evolve(
            board,
            links={kind: tuple(tuple(leaving) for leaving in table) for kind, table in tables.items()},
            link_attributes=types,
        )

    def _gather_link(
        self,
        board: Board,
        number: int,
        node: YamlMap,
        links: _Links,
        gathered: Gathered,
        first: dict[tuple[str, int, int], Span | None],
        kind_places: dict[str, list[Span]],
    ) -> None:
        """Takes one item of `links:`."""
        kind = self._kind(node, kind_places)
        ends = self._ends(board, node)
        if kind is None or ends is None:
            return
        start, end, both_ways = ends
        title = f"{board.spaces[start].name} - {board.spaces[end].name}"
        if start == end:
            self.sink.error("D515", f"`{board.spaces[start].name}` is linked to itself", node.span)
            return
        ways = [(kind, start, end), (kind, end, start)] if both_ways else [(kind, start, end)]
        again = [way for way in ways if way in first]
        if again:
            before = first[again[0]]
            labels = (Label(before, "first here"),) if before else ()
            notes = () if before else (f"the family of the board gives the links of kind `{kind}`",)
            message = (
                f"link of kind `{kind}` from `{board.spaces[again[0][1]].name}` to `{board.spaces[again[0][2]].name}`"
            )
            self.sink.error("D516", f"{message} is there twice", node.span, labels=labels, notes=notes)
            return
        first.update((way, node.span) for way in ways)
        links.ends.extend(ways)
        links.subjects.extend(number for _ in ways)
        links.kinds[number] = kind
        links.titles[number] = title
        gathered.add((entry for entry in node.entries if entry.key not in _LINK_KEYS), (number,), _BY_LINE)

    def _kind(self, node: YamlMap, kind_places: dict[str, list[Span]]) -> str | None:
        value = node.get("kind")
        if value is None:
            return _DEFAULT_KIND
        kind = text_of(value)
        if kind is None:
            self.sink.error("D505", f"expected the kind of a link, found {describe(value)}", value.span)
            return None
        if kind.text not in kind_places and len(kind_places) >= _MOST_KINDS:
            self.sink.error("D526", f"too many kinds of links: expected at most {_MOST_KINDS}", kind.span)
            return None
        kind_places.setdefault(kind.text, []).append(kind.span)
        return kind.text

    def _ends(self, board: Board, node: YamlMap) -> tuple[int, int, bool] | None:
        """The two ends of a link and whether it goes both ways."""
        between, start, end = node.get("between"), node.get("from"), node.get("to")
        if between is not None and start is None and end is None:
            if not isinstance(between, YamlList) or len(between.items) != 2:
                self.sink.error("D505", f"expected two spaces `[A, B]`, found {_found_pair(between)}", between.span)
                return None
            found, both_ways = [self._index_of_node(board, item) for item in between.items], True
        elif between is None and start is not None and end is not None:
            found, both_ways = [self._index_of_node(board, start), self._index_of_node(board, end)], False
        else:
            self.sink.error(
                "D504",
                "expected `between: [A, B]`, or `from: A` and `to: B`",
                node.span,
                help=next((near for entry in node.entries if (near := did_you_mean(entry.key, _LINK_KEYS[:3]))), None),
            )
            return None
        if found[0] is None or found[1] is None:
            return None
        return found[0], found[1], both_ways

    def _check_kinds(self, board: Board, places: dict[str, list[Span]]) -> None:
        """Reports kinds that were not declared (D519), or without a declaration those that look misspelt (D525)."""
        declared = [kind.text for kind in self.content.link_kinds]
        if not declared:
            counts = {kind: len(spans) for kind, spans in places.items()}
            warn_of_near_names(counts, {kind: spans[0] for kind, spans in places.items()}, {}, "kind", self.sink)
            return
        known = [*declared, *board.links]
        for kind, spans in places.items():
            for span in spans if kind not in known else ():
                notes = ("declared kinds: " + ", ".join(f"`{name}`" for name in declared),)
                self.sink.error(
                    "D519", f"unknown kind of link `{kind}`", span, notes=notes, help=self.offers.near(kind, known)
                )

    # -- regions and positions

    def _with_regions(self, board: Board) -> Board:
        regions = dict(board.regions)
        for name, key_span, value in self.content.regions.entries if self.content.regions else ():
            fault = name_fault(name, board.regions)
            if fault:
                self.sink.error("D523", fault, key_span)
                continue
            regions[name] = tuple(sorted(set(self._region(board, value))))
        return evolve(board, regions=regions)

    def _region(self, board: Board, node: YamlNode) -> Iterable[int]:
        """The spaces of a region: a list of names, or on a grid `{rows: 1..2, columns: [a, b]}`."""
        if isinstance(node, YamlList):
            return self._listed_region(board, node)
        if isinstance(node, YamlMap) and board.columns and not board.is_open and node.entries:
            if not self._may_spend(len(board.spaces), node.span):
                return ()
            chosen = set(range(len(board.spaces)))
            for key, key_span, value in node.entries:
                word = key.removesuffix("s")
                if word not in ("row", "column"):
                    help = did_you_mean(key, ("rows", "columns"))
                    self.sink.error("D503", f"unknown key `{key}`, expected `rows` or `columns`", key_span, help=help)
                    continue
                chosen &= set(self._spaces_of_lines(board, word, value))
            return chosen
        self.sink.error("D505", f"expected a list of spaces, found {describe(node)}", node.span)
        return ()

    def _listed_region(self, board: Board, node: YamlList) -> list[int]:
        seen: dict[int, Span] = {}
        for item in node.items:
            index = self._index_of_node(board, item)
            if index is None:
                continue
            if index in seen:
                label = Label(seen[index], "first here")
                name = board.spaces[index].name
                self.sink.error("D513", f"space `{name}` stands twice in the region", item.span, labels=(label,))
            seen.setdefault(index, item.span)
        return list(seen)

    def _with_positions(self, board: Board) -> Board:
        places: dict[int, tuple[float, float]] = {}
        for name, key_span, value in self.content.positions.entries if self.content.positions else ():
            index = self._index(board, Text(name, key_span))
            numbers = [_coordinate(item) for item in value.items] if isinstance(value, YamlList) else []
            if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
                self.sink.error("D505", f"expected two numbers `[x, y]`, found {_found_pair(value)}", value.span)
            elif index is not None:
                places[index] = (numbers[0], numbers[1])
        spaces = tuple(
            evolve(space, x=places[space.index][0], y=places[space.index][1]) if space.index in places else space
            for space in board.spaces
        )
        return evolve(board, spaces=spaces)


def _coordinate(node: YamlNode) -> float | None:
    if isinstance(node, YamlScalar) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    return None


def _found_pair(node: YamlNode) -> str:
    return f"a list of {len(node.items)}" if isinstance(node, YamlList) else describe(node)
