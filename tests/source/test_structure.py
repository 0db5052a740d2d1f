"""YAML nodes into classes, all mistakes in one pass."""

from typing import Literal

from attrs import field, frozen

from interpreter.diagnostics import Diagnostics
from interpreter.source import Number, Text, YamlList, YamlMap, YamlNode, from_text, load_yaml, structure


@frozen
class Inner:
    name: Text
    count: int = 1
    start: str = field(default="", metadata={"key": "from"})


@frozen
class Outer:
    title: Text
    shape: Literal["round", "square"]
    size: Number | None = None
    inner_part: Inner | None = None
    parts: tuple[Inner, ...] = ()
    numbers: dict[str, int] = field(factory=dict)
    ready: bool = False
    weight: float = 0.0
    free: YamlNode | None = None
    either: YamlMap | YamlList | None = None


def make(text: str) -> tuple[Outer | None, list[tuple[str, int, str, str | None]]]:
    sink = Diagnostics()
    node = load_yaml(from_text("a.yaml", text), sink)
    assert node is not None
    made = structure(node, Outer, sink)
    return made, [(found.code, found.span.start.line, found.message, found.help) for found in sink if found.span]


def test_everything() -> None:
    made, found = make(
        "title: 12\nshape: round\nsize: 3\ninner part: {name: no, from: here}\nparts:\n  - {name: a, count: 2}\n"
        "numbers: {one: 1}\nready: yes\nweight: 2\nfree: [1]\neither: {a: 1}\n"
    )
    assert found == []
    assert made is not None
    assert made.title.text == "12"
    assert made.title.span.start.column == 8
    assert made.size is not None
    assert made.size.value == 3
    assert made.inner_part is not None
    assert (made.inner_part.name.text, made.inner_part.count, made.inner_part.start) == ("no", 1, "here")
    assert [part.count for part in made.parts] == [2]
    assert (made.numbers, made.ready, made.weight) == ({"one": 1}, True, 2)
    assert isinstance(made.free, YamlList)
    assert isinstance(made.either, YamlMap)


def test_a_key_with_nothing_behind_it_is_absent() -> None:
    made, found = make("title: x\nshape: round\nsize:\nparts:\n")
    assert found == []
    assert made is not None
    assert (made.size, made.parts) == (None, ())


def test_several_mistakes_in_one_pass_and_in_order() -> None:
    made, found = make(
        "tilte: x\nshape: rund\nsize: big\ninner part: {name: [1], count: yes, form: x}\n"
        "parts:\n  - {count: 2}\n  - 7\n  -\nnumbers: {one: x}\nready: 1\nweight: x\nfree: 1\neither: 2\n"
    )
    assert made is None
    assert found == [
        ("D503", 1, "unknown key `tilte`", "did you mean `title`?"),
        ("D505", 2, "expected one of `round`, `square`, found the text `rund`", "did you mean `round`?"),
        ("D505", 3, "expected a whole number, found the text `big`", None),
        ("D505", 4, "expected a text, found a list", None),
        ("D505", 4, "expected a whole number, found the truth value `yes`", None),
        ("D503", 4, "unknown key `form`", "did you mean `from`?"),
        ("D504", 6, "missing key `name`", None),
        ("D505", 7, "expected a map, found the number `7`", None),
        ("D505", 8, "expected a map, found nothing", None),
        ("D505", 9, "expected a whole number, found the text `x`", None),
        ("D505", 10, "expected `yes` or `no`, found the number `1`", None),
        ("D505", 11, "expected a number, found the text `x`", None),
        ("D505", 13, "expected a map or a list, found the number `2`", None),
    ]


def test_not_a_map_at_all() -> None:
    assert make("- 1")[1] == [("D505", 1, "expected a map, found a list", None)]


def test_missing_keys_of_an_empty_file() -> None:
    assert [message for _, _, message, _ in make("")[1]] == ["missing key `title`", "missing key `shape`"]
