"""From YAML nodes to frozen attrs classes, all mistakes of a file in one pass.

cattrs does the structuring, with detailed validation and extra keys forbidden, so that it goes on after a mistake
and collects all of them. It works on the nodes themselves: every hook here is given the node, so an error carries
its own place and no error path has to be followed back to the file.

How a class is written: a field `link_attributes` is the key `link attributes`; `metadata={"key": "from"}` names
another key; a field with a default may be missing, or stand with nothing behind it. Fields are `int`, `float`,
`str`, `bool`, `Literal` words, tuples, dicts with text keys, other such classes, `Text` and `Number` where the
place is needed later, and the node types themselves where the content is free.

Invariant: `structure` gives an object only if it reported nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
from attrs import frozen

from interpreter.diagnostics import Diagnostics, Span, did_you_mean, nearest
from interpreter.source.yaml import YamlList, YamlMap, YamlNode, YamlScalar

__all__ = ["Number", "Text", "describe", "structure", "text_of"]

T = TypeVar("T")

_MOST_KEYS_LISTED = 12


@frozen
class Text:
    """A text that remembers its place. A number or a truth value counts as the text that was written."""

    text: str
    span: Span

    def __str__(self) -> str:
        return self.text


@frozen
class Number:
    """A whole number that remembers its place."""

    value: int
    span: Span


class _WrongTypeError(Exception):
    """A node that is not what the class asks for."""

    def __init__(self, node: YamlNode, expected: str, words: tuple[str, ...] = ()) -> None:
        super().__init__(expected)
        self.node = node
        self.expected = expected
        self.words = words


def describe(node: YamlNode) -> str:
    """What a node is, in words for a message: `a list`, `text `x``."""
    if isinstance(node, YamlMap):
        return "a map"
    if isinstance(node, YamlList):
        return "a list"
    if node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return f"the truth value `{node.text}`"
    if isinstance(node.value, (int, float)):
        return f"the number `{node.text}`"
    return f"the text `{node.text}`" if len(node.text) <= 40 else "a text"


def text_of(node: YamlNode) -> Text | None:
    """The node as a text with its place, or None if it is a map, a list or nothing."""
    if isinstance(node, YamlScalar) and node.value is not None:
        return Text(node.text, node.span)
    return None


def structure(node: YamlNode, cls: type[T], sink: Diagnostics) -> T | None:
    """Makes an object of a frozen attrs class from a node, or reports every mistake and gives None.

    Reports D503 (unknown key, with the nearest name), D504 (missing key), D505 (wrong type).
    """
    from cattrs.errors import BaseValidationError

    try:
        result: T = _converter().structure(node, cls)
    except BaseValidationError as group:
        _report_group(group, node, sink)
        return None
    except _WrongTypeError as wrong:
        _report_wrong(wrong, sink)
        return None
    return result


def _report_group(group: BaseException, node: YamlNode, sink: Diagnostics) -> None:
    """Reports every mistake of a tree of errors, in the order of the file."""
    found: list[tuple[Span, Callable[[], None]]] = []
    _collect(group, node, sink, found)
    for _, report in sorted(found, key=lambda item: item[0].start.byte):
        report()


def _collect(
    error: BaseException, node: YamlNode, sink: Diagnostics, found: list[tuple[Span, Callable[[], None]]]
) -> None:
    from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError

    if isinstance(error, BaseValidationError):
        inner = getattr(error, "node", node)
        extra = {key for sub in error.exceptions for key in getattr(sub, "extra_fields", ())}
        for sub in error.exceptions:
            # A misspelt key is reported once, as unknown, and not as missing as well.
            if not (isinstance(sub, KeyError) and any(nearest(key, sub.args) for key in extra)):
                _collect(sub, inner, sink, found)
    elif isinstance(error, _WrongTypeError):
        found.append((error.node.span, lambda: _report_wrong(error, sink)))
    elif isinstance(error, ForbiddenExtraKeysError) and isinstance(node, YamlMap):
        known = _keys(error.cl)
        for entry in node.entries:
            if entry.key in error.extra_fields:
                found.append((entry.key_span, _unknown_key(entry.key, entry.key_span, known, sink)))
    elif isinstance(error, KeyError):
        at = node.entries[0].key_span if isinstance(node, YamlMap) and node.entries else node.span
        key = str(error.args[0])
        found.append((at, lambda: sink.error("D504", f"missing key `{key}`", at)))
    else:
        raise error  # not a mistake of the file but of a class that this module cannot structure


def _unknown_key(key: str, span: Span, known: tuple[str, ...], sink: Diagnostics) -> Callable[[], None]:
    notes: tuple[str, ...] = ()
    if len(known) <= _MOST_KEYS_LISTED:
        notes = ("keys here: " + ", ".join(f"`{name}`" for name in known),)
    return lambda: sink.error("D503", f"unknown key `{key}`", span, notes=notes, help=did_you_mean(key, known))


def _report_wrong(wrong: _WrongTypeError, sink: Diagnostics) -> None:
    near = None
    if wrong.words and isinstance(wrong.node, YamlScalar):
        near = did_you_mean(wrong.node.text, wrong.words)
    sink.error("D505", f"expected {wrong.expected}, found {describe(wrong.node)}", wrong.node.span, help=near)


def _key(attribute: attrs.Attribute[Any]) -> str:
    return str(attribute.metadata.get("key") or attribute.name.replace("_", " "))


def _keys(cls: type) -> tuple[str, ...]:
    """The keys of a class, as written in a file."""
    return tuple(_key(attribute) for attribute in attrs.fields(cls))


def _scalar(kinds: tuple[type, ...], expected: str) -> Callable[[Any, Any], Any]:
    def hook(node: Any, _: Any) -> Any:
        if isinstance(node, str) and str in kinds:  # the key of a dict
            return node
        if isinstance(node, YamlScalar) and type(node.value) in kinds:
            return node.value
        raise _WrongTypeError(node, expected)

    return hook


def _literal(node: Any, kind: Any) -> Any:
    words = get_args(kind)
    if isinstance(node, YamlScalar) and node.value in words:
        return node.value
    listed = ", ".join(f"`{word}`" for word in words)
    raise _WrongTypeError(node, f"one of {listed}", tuple(str(word) for word in words))


def _text(node: Any, _: Any) -> Text:
    found = text_of(node)
    if found is None:
        raise _WrongTypeError(node, "a text")
    return found


def _number(node: Any, _: Any) -> Number:
    if isinstance(node, YamlScalar) and type(node.value) is int:
        return Number(node.value, node.span)
    raise _WrongTypeError(node, "a whole number")


def _is_made_of(kind: Any, origin: Any) -> bool:
    found: Any = get_origin(kind)
    return found is origin


_NODE_NAMES: dict[type, str] = {YamlMap: "a map", YamlList: "a list", YamlScalar: "a single value"}


def _is_node_type(kind: Any) -> bool:
    if get_origin(kind) in (Union, UnionType):
        members = set(get_args(kind)) - {NoneType}
        return bool(members) and members <= set(_NODE_NAMES)
    return isinstance(kind, type) and kind in _NODE_NAMES


def _node(node: Any, kind: Any) -> Any:
    wanted = get_args(kind) or (kind,)
    if type(node) in wanted:
        return node
    raise _WrongTypeError(node, " or ".join(_NODE_NAMES[member] for member in wanted if member is not NoneType))


@cache
def _converter() -> Any:
    """The one converter; made on first use, since cattrs takes a while to import."""
    from cattrs import Converter
    from cattrs.errors import BaseValidationError
    from cattrs.gen import make_dict_structure_fn, override

    converter = Converter(detailed_validation=True, forbid_extra_keys=True)

    def attrs_hook(cls: Any) -> Callable[[Any, Any], Any]:
        renamed = {field.name: override(rename=_key(field)) for field in attrs.fields(cls)}
        generated = make_dict_structure_fn(
            cls,
            converter,
            _cattrs_forbid_extra_keys=True,
            _cattrs_detailed_validation=True,
            **renamed,  # type: ignore[arg-type]
        )

        def hook(node: Any, kind: Any) -> Any:
            if not isinstance(node, YamlMap):
                raise _WrongTypeError(node, "a map")
            present = {
                entry.key: entry.value
                for entry in node.entries
                if not (isinstance(entry.value, YamlScalar) and entry.value.value is None and entry.key in _keys(cls))
            }
            try:
                return generated(present, kind)
            except BaseValidationError as group:
                group.node = node  # type: ignore[attr-defined]
                raise

        return hook

    def tuple_hook(kind: Any) -> Callable[[Any, Any], Any]:
        item = get_args(kind)[0]

        def hook(node: Any, _: Any) -> Any:
            if not isinstance(node, YamlList):
                raise _WrongTypeError(node, "a list")
            return tuple(converter.structure(list(node.items), list[item]))  # type: ignore[valid-type]

        return hook

    def dict_hook(kind: Any) -> Callable[[Any, Any], Any]:
        item = get_args(kind)[1]

        def hook(node: Any, _: Any) -> Any:
            if not isinstance(node, YamlMap):
                raise _WrongTypeError(node, "a map")
            values = converter.structure([entry.value for entry in node.entries], list[item])  # type: ignore[valid-type]
            return dict(zip(node.keys, values, strict=True))

        return hook

    converter.register_structure_hook_factory(attrs.has, attrs_hook)
    converter.register_structure_hook_factory(lambda kind: _is_made_of(kind, tuple), tuple_hook)
    converter.register_structure_hook_factory(lambda kind: _is_made_of(kind, dict), dict_hook)
    converter.register_structure_hook_func(lambda kind: _is_made_of(kind, Literal), _literal)
    converter.register_structure_hook_func(_is_node_type, _node)
    converter.register_structure_hook(Text, _text)
    converter.register_structure_hook(Number, _number)
    converter.register_structure_hook(int, _scalar((int,), "a whole number"))
    converter.register_structure_hook(float, _scalar((int, float), "a number"))
    converter.register_structure_hook(bool, _scalar((bool,), "`yes` or `no`"))
    converter.register_structure_hook(str, _scalar((str,), "a text"))
    return converter
