"""YAML with places, and its guards."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.diagnostics import Diagnostics
from interpreter.source import YamlList, YamlMap, YamlNode, YamlScalar, from_text, load_yaml


def load(text: str) -> tuple[YamlNode | None, list[tuple[str, int, int]]]:
    sink = Diagnostics()
    node = load_yaml(from_text("a.yaml", text), sink)
    return node, [(found.code, found.span.start.line, found.span.start.column) for found in sink if found.span]


def plain(node: YamlNode | None) -> object:
    if isinstance(node, YamlMap):
        return {key: plain(value) for key, _, value in node.entries}
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    return node.value if node else node


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("-7", -7), ("0x10", 16), ("0o10", 8), ("010", 10), ("1.5", 1.5), (".5", 0.5), ("1e2", 100.0),
        ("yes", True), ("No", False), ("true", True), ("FALSE", False), ("on", "on"), ("y", "y"), ("'yes'", "yes"),
        ('"7"', "7"), ("~", None), ("null", None), ("1..3", "1..3"), ("1e999", "1e999"), ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"), ("|\n  a\n  b\n", "a\nb\n"), ("plain words", "plain words"), ("1_000", "1_000"),
    ],
)  # fmt: skip
def test_scalars(text: str, value: object) -> None:
    node, found = load(f"key: {text}")
    assert found == []
    read = plain(node)
    assert read == {"key": value}
    assert isinstance(read, dict)
    assert type(read["key"]) is type(value)


def test_spans() -> None:
    node, _ = load("a: 1\nlist:\n  - x\n  - {k: 'v w'}\n\n# end\nlast: 2\n")
    assert isinstance(node, YamlMap)
    assert node.keys == ("a", "list", "last")
    entry = node.entry("list")
    assert entry is not None
    assert (entry.key_span.start.line, entry.key_span.start.column, entry.key_span.end.column) == (2, 1, 5)
    assert isinstance(entry.value, YamlList)
    assert (entry.value.span.start.line, entry.value.span.end.line) == (3, 4)
    inner = entry.value.items[1]
    assert isinstance(inner, YamlMap)
    assert (inner.span.start.column, inner.span.end.column) == (5, 15)
    value = inner.get("k")
    assert isinstance(value, YamlScalar)
    assert (value.span.start.column, value.span.end.column) == (9, 14)
    assert node.get("nothing") is None


def test_aliases_are_shared() -> None:
    node, found = load("a: &x [1, 2]\nb: *x\n")
    assert found == []
    assert isinstance(node, YamlMap)
    assert node.get("a") is node.get("b")


@pytest.mark.parametrize("text", ["", "# only a remark\n", "---\n"])
def test_empty(text: str) -> None:
    node, found = load(text)
    assert found == []
    assert plain(node) in ({}, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", [("D502", 3, 1)]),
        ("a: {b: 1, b: 2}\nc: {d: 1, d: 2}\n", [("D502", 1, 11), ("D502", 2, 11)]),
        ("a: b: c\n", [("D501", 1, 5)]),
        ("a:\n\tb: 1\n", [("D501", 2, 1)]),
        ("a: [1, 2\nb: 3\n", [("D501", 2, 2)]),
        ("a: 'x\n", [("D501", 2, 1)]),
        ("a: *b\n", [("D501", 1, 4)]),
        ("a: &b [*b]\n", [("D501", 1, 8)]),
        ("a: \x01\n", [("D501", 1, 4)]),
        ("- a\nb: 1\n", [("D501", 2, 1)]),
        ("a: !!python/object:os.system x\n", [("D507", 1, 4)]),
        ("a: !mine x\n", [("D507", 1, 4)]),
        ("a: 1\n---\nb: 2\n", [("D507", 2, 1)]),
        ("<<: {a: 1}\n", [("D507", 1, 1)]),
        ("? [a]\n: 1\n", [("D507", 1, 3)]),
        ("a: &b 1\n*b : 2\n", [("D507", 2, 1)]),
        ("a: " + "9" * 30, [("D505", 1, 4)]),
        ("[" * 500, [("D506", 1, 61)]),
    ],
)
def test_faults_at_their_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert load(text)[1] == expected


def test_quoted_merge_key_is_a_key() -> None:
    assert plain(load("'<<': 1")[0]) == {"<<": 1}


def test_alias_bomb_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    node, found = load("\n".join(lines))
    assert node is None
    assert [code for code, _, _ in found] == ["D506"]


@given(st.text("ab1:[]{},-&*#'\" \n\t!?|>%@", max_size=80))
def test_any_text_gives_a_tree_or_a_report(text: str) -> None:
    node, found = load(text)
    assert node is not None or found


DATA = st.recursive(
    st.one_of(st.integers(-1000, 1000), st.booleans(), st.none(), st.text("ab :#'\"\n-1", max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text("ab :#", max_size=5), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(st.dictionaries(st.text("ab", min_size=1, max_size=3), DATA, max_size=4))
def test_json_is_read_as_what_it_says(data: dict[str, object]) -> None:
    import json

    node, found = load(json.dumps(data))
    assert found == []
    assert plain(node) == data


def test_ruamel_is_imported_only_when_needed() -> None:
    code = "import sys, interpreter.source; print([m for m in ('ruamel.yaml', 'cattrs') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
