"""YAML as a plain tree in which every key and value knows its place.

The only module that imports ruamel.yaml, and it uses only that library's event stream: the tree is built here with
an explicit stack. So a hostile file cannot exhaust the call stack, an alias is a shared reference and never a copy,
no tag can construct an object, and duplicate keys and spans are ours to report.

What a plain word means follows YAML 1.2 (`true`, `null`, `12`, `0x1f`, `1.5`), with one addition: `yes` and `no`
are truth values as well, because that is what people write in a data file. A name that happens to be such a word
keeps its spelling in `YamlScalar.text`.

Invariant: a tree given by `load_yaml` has at most `MAX_NODES` nodes counted with aliases written out, is at most
`MAX_DEPTH` deep, has text keys only, and no map has a key twice.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, NamedTuple, NoReturn, TypeAlias

from attrs import define, field, frozen

from interpreter.diagnostics import Diagnostics, Label, Span
from interpreter.source.file import SourceFile

__all__ = ["MAX_DEPTH", "MAX_NODES", "YamlEntry", "YamlList", "YamlMap", "YamlNode", "YamlScalar", "load_yaml"]

MAX_NODES = 200_000
"""Most nodes in one tree, aliases counted as if written out."""
MAX_DEPTH = 60
"""Deepest nesting of maps and lists."""


@frozen
class YamlScalar:
    """A single value."""

    value: int | bool | str | float | None
    """What it means."""
    text: str
    """How it is written, without quotes."""
    span: Span
    """Where it stands."""


class YamlEntry(NamedTuple):
    """One `key: value` of a map."""

    key: str
    """The key as written."""
    key_span: Span
    """Where the key stands."""
    value: YamlNode
    """What it is set to."""


@frozen
class YamlMap:
    """A mapping, in the order of the file."""

    entries: tuple[YamlEntry, ...]
    """Its entries; no key occurs twice."""
    span: Span
    """From its first key to the end of its last value."""

    def entry(self, key: str) -> YamlEntry | None:
        """The entry of a key, or None."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def get(self, key: str) -> YamlNode | None:
        """The value of a key, or None."""
        entry = self.entry(key)
        return entry.value if entry else None

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys in order."""
        return tuple(entry.key for entry in self.entries)


@frozen
class YamlList:
    """A sequence."""

    items: tuple[YamlNode, ...]
    """Its items in order."""
    span: Span
    """From its first to its last item."""


YamlNode: TypeAlias = YamlMap | YamlList | YamlScalar

_INTEGER = re.compile(r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "yes": True, "Yes": True, "YES": True,
    "false": False, "False": False, "FALSE": False, "no": False, "No": False, "NO": False,
}  # fmt: skip

_MIXED = "`key: value` and `- item` are mixed in one block, or the indentation changed"

# ruamel.yaml's messages that a reader without YAML knowledge would not understand, and what they mean.
_PLAIN_WORDS = {
    "mapping values are not allowed here": "a second `: ` in one line: put text that holds a colon between quotes",
    "could not find expected ':'": "expected `:` after a key",
    "found unexpected end of stream": "a quoted text is not closed before the end of the file",
    "expected <block end>, but found '?'": _MIXED,
    "expected <block end>, but found '-'": _MIXED,
    "expected <block end>, but found '<block mapping start>'": "the indentation does not match the lines above",
    "expected <block end>, but found '<scalar>'": "text after a closing quote: put the whole value between quotes",
    "expected <block end>, but found ','": "a list within one line needs `[` and `]` around it",
}


class _StopError(Exception):
    """Raised inside this module after a report that leaves nothing to build on."""


@define
class _Open:
    """A map or list whose end has not come yet."""

    is_map: bool
    start: int
    flow: bool
    anchor: str | None
    items: list[YamlNode] = field(factory=list)
    entries: list[YamlEntry] = field(factory=list)
    seen: dict[str, Span] = field(factory=dict)
    key: tuple[str, Span] | None = None
    duplicate: bool = False
    size: int = 1
    last: int = 0


def load_yaml(source: SourceFile, sink: Diagnostics) -> YamlNode | None:
    """The tree of a YAML text, or None where it cannot be read; an empty text is an empty map.

    Reports D501 (not YAML, with the place), D502 (a key twice), D506 (too many nodes or too deep), D507 (a feature of
    YAML that data files do without: tags, several documents, merge keys, keys that are not text).
    """
    try:
        return _Builder(source, sink).build()
    except _StopError:
        return None


@define
class _Builder:
    """Turns the event stream of one file into a tree."""

    source: SourceFile
    sink: Diagnostics
    stack: list[_Open] = field(factory=list)
    anchors: dict[str, tuple[YamlNode, int]] = field(factory=dict)
    unfinished: set[str] = field(factory=set)
    root: YamlNode | None = None
    documents: int = 0

    def build(self) -> YamlNode:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError
        from ruamel.yaml.reader import ReaderError

        try:
            for event in YAML(typ="safe", pure=True).parse(self.source.text):
                self._take(event)
        except ReaderError as fault:
            at = int(fault.position)
            character = self.source.text[at : at + 1]
            self._stop("D501", f"character U+{ord(character or '?'):04X} cannot stand in a YAML file", at, at + 1)
        except MarkedYAMLError as fault:
            self._syntax_error(fault)
        except YAMLError as fault:
            self._stop("D501", f"not YAML: {str(fault).splitlines()[0]}", 0, 0)
        return self.root or YamlMap((), self.source.span(0, 0))

    def _stop(self, code: str, message: str, start: int, end: int) -> NoReturn:
        self.sink.error(code, message, self.source.span(start, end))
        raise _StopError

    def _syntax_error(self, fault: Any) -> None:
        mark = fault.problem_mark or fault.context_mark
        start = mark.index if mark else 0
        text = self.source.text
        problem = str(fault.problem or fault.context or "not YAML").strip()
        if text[start : start + 1] == "\t":
            message = "a tab cannot indent YAML: use spaces"
        else:
            message = _PLAIN_WORDS.get(problem, problem.replace("'", "`"))
        context_mark = fault.context_mark
        notes: tuple[str, ...] = ()
        if fault.context and context_mark is not None and context_mark.line != (mark.line if mark else 0):
            notes = (f"{fault.context} that starts in line {context_mark.line + 1}",)
        end = min(start + 1, len(text)) if text[start : start + 1] != "\n" else start
        self.sink.error("D501", message, self.source.span(start, end), notes=notes)
        raise _StopError

    def _take(self, event: Any) -> None:
        name = type(event).__name__
        start, end = event.start_mark.index, event.end_mark.index
        if name in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
            if event.tag is not None:
                self._stop("D507", f"tag `{event.tag}` is not taken in a data file", start, end)
            if event.anchor is not None and self.stack and self._expects_key():
                self._stop("D507", f"anchor `&{event.anchor}` cannot stand on a key", start, end)
        if name == "ScalarEvent":
            self._take_scalar(event, start, end)
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            self._take_start(event, name == "MappingStartEvent", start, end)
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._take_end(end)
        elif name == "AliasEvent":
            self._take_alias(event.anchor, start, end)
        elif name == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                self._stop("D507", "a second document in one file: expected a single one", start, end)

    def _expects_key(self) -> bool:
        return self.stack[-1].is_map and self.stack[-1].key is None

    def _take_scalar(self, event: Any, start: int, end: int) -> None:
        span = self.source.span(start, end)
        plain = event.style is None
        if self.stack and self._expects_key():
            self._take_key(event.value, span, plain)
            return
        value: int | bool | str | float | None = event.value
        if plain:
            value = self._meaning(event.value, span)
        self._put(YamlScalar(value, event.value, span), 1, end, event.anchor)

    def _meaning(self, text: str, span: Span) -> int | bool | str | float | None:
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            if len(text) > 18:
                self.sink.error("D505", f"number `{text[:18]}...` is too large", span)
                return 0
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        if len(text) <= 40 and _DECIMAL.fullmatch(text):
            number = float(text)
            return number if isfinite(number) else text
        return text

    def _take_key(self, text: str, span: Span, plain: bool) -> None:
        top = self.stack[-1]
        if plain and text == "<<":
            self.sink.error("D507", "merge key `<<` is not taken in a data file", span)
            top.duplicate = True
        elif text in top.seen:
            first = Label(top.seen[text], "first here")
            self.sink.error("D502", f"key `{text}` stands twice in one map", span, labels=(first,))
            top.duplicate = True
        else:
            top.seen[text] = span
        top.key = (text, span)

    def _take_start(self, event: Any, is_map: bool, start: int, end: int) -> None:
        if self.stack and self._expects_key():
            self._stop("D507", "a map or list cannot be a key: expected a word", start, end)
        if len(self.stack) >= MAX_DEPTH:
            self._stop("D506", f"nested too deep: expected at most {MAX_DEPTH} levels", start, end)
        if event.anchor is not None:
            self.unfinished.add(event.anchor)
        self.stack.append(_Open(is_map, start, bool(event.flow_style), event.anchor, last=end))

    def _take_end(self, end: int) -> None:
        top = self.stack.pop()
        # The end event of an indented block comes at the next line less indented: the last value's end is truer.
        last = end if top.flow else top.last
        span = self.source.span(top.start, last)
        node: YamlNode = YamlMap(tuple(top.entries), span) if top.is_map else YamlList(tuple(top.items), span)
        if top.anchor is not None:
            self.unfinished.discard(top.anchor)
        self._put(node, top.size, last, top.anchor)

    def _take_alias(self, anchor: str, start: int, end: int) -> None:
        if self.stack and self._expects_key():
            self._stop("D507", f"alias `*{anchor}` cannot be a key: expected a word", start, end)
        if anchor in self.unfinished:
            self._stop("D501", f"alias `*{anchor}` stands inside the value that it names", start, end)
        if anchor not in self.anchors:
            self._stop("D501", f"alias `*{anchor}` names no anchor: expected `&{anchor}` before it", start, end)
        node, size = self.anchors[anchor]
        self._put(node, size, end, None)

    def _put(self, node: YamlNode, size: int, end: int, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = (node, size)
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        top.size += size
        top.last = end
        if top.size > MAX_NODES:
            self._stop("D506", f"too many values: expected at most {MAX_NODES}, aliases written out", end, end)
        if not top.is_map:
            top.items.append(node)
        elif top.key is not None:
            key, span = top.key
            top.key = None
            if not top.duplicate:
                top.entries.append(YamlEntry(key, span, node))
            top.duplicate = False
