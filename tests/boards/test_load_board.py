"""Boards from YAML: what is read, and every mistake at its line."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import AttributeType, Board, board_from_source, load_board, to_networkx
from interpreter.diagnostics import Diagnostics
from interpreter.source import Files, from_text, library_folder

GRID = "board: Field\nfamily: square grid\nsize: {columns: 3, rows: 3}\n"
MAP = "board: Coast\nfamily: map\nspaces: [Ash, Birch, Cedar]\n"


def read(text: str) -> tuple[Board | None, Diagnostics]:
    sink = Diagnostics()
    return board_from_source(from_text("board.yaml", text), sink), sink


def good(text: str) -> Board:
    board, sink = read(text)
    assert board is not None
    assert [f"{found.code} {found.message}" for found in sink] == []
    return board


def faults(text: str) -> list[tuple[str, int]]:
    _, sink = read(text)
    return [(found.code, found.span.start.line) for found in sink if found.span]


def shipped(name: str) -> Board:
    sink = Diagnostics()
    board = load_board(library_folder("boards") / name, sink, shown_as=name)
    assert board is not None
    assert not len(sink)
    return board


def test_hall_map() -> None:
    board = shipped("hall/map.yaml")
    assert (board.columns, board.rows, len(board.spaces)) == (3, 12, 36)
    corner = board.spaces[board.index("c12") or 0]
    assert corner.attributes == {"column": 3, "row": 12, "depth": 4, "gold": 10, "level": 12}
    assert sum(int(space.attributes["gold"] or 0) for space in board.spaces) == 9 * (1 + 3 + 6 + 10)
    assert [len(board.regions[f"depth {depth}"]) for depth in range(1, 5)] == [9, 9, 9, 9]
    assert any("gold of depth 4" in note for note in board.reconstructed)


def test_trading_map() -> None:
    board = shipped("trading/map.yaml")
    assert 8 <= len(board.spaces) <= 10
    assert set(board.links) == {"road", "sea"}
    assert board.link_attributes["days"] == AttributeType("number", 1, 3)
    for table in board.links.values():
        for start, leaving in enumerate(table):
            for link in leaving:
                assert 1 <= int(link.attributes["days"] or 0) <= 3
                assert any(back.to == start and back.attributes == link.attributes for back in table[link.to])
    assert all(distance >= 0 for row in board.distance_table() for distance in row)
    ports = {space.index for space in board.spaces if space.attributes["port"]}
    assert {start for start, leaving in enumerate(board.links["sea"]) if leaving} == ports
    assert all(space.x is not None for space in board.spaces)


def test_types_are_inferred() -> None:
    board = good(
        MAP.replace("[Ash, Birch, Cedar]", "")
        + "  Ash: {price: 2, terrain: hill, port: yes}\n  Birch: {price: 4, terrain: plain}\n"
        "  Cedar: {price: 3, terrain: hill, port: no}\n"
        "links:\n  - {between: [Ash, Birch], kind: road, days: 2}\n  - {from: Birch, to: Cedar, kind: river}\n"
    )
    assert dict(board.attributes) == {
        "price": AttributeType("number", 2, 4),
        "terrain": AttributeType("name", words=("hill", "plain")),
        "port": AttributeType("flag"),
    }
    assert [space.attributes["port"] for space in board.spaces] == [True, False, False]
    assert board.link_attributes["days"] == AttributeType("number", 2, 2, optional=True)
    assert board.neighbours("river") == ((), (2,), ())
    assert board.neighbours() == ((1,), (0, 2), ())
    assert board.distance_table() == ((0, 1, 2), (1, 0, 1), (-1, -1, 0))
    assert board.links["river"][1][0].attributes == {"days": None}


def test_declared_types() -> None:
    board = good(
        GRID + "attributes:\n  depth: 1..4\n  gate: optional space\n  ground: [rock, sand]\n"
        "  mood: {words: [calm, wild], optional: yes}\n  dark: flag\n"
        "rows:\n  - {rows: 1..2, depth: 1, ground: rock}\n  - {row: 3, depth: 4, ground: sand, dark: yes}\n"
        "columns:\n  - {column: b, mood: wild}\n"
        "spaces:\n  a1: {gate: c3, ground: sand}\n"
    )
    assert board.spaces[0].attributes == {
        "column": 1, "row": 1, "depth": 1, "gate": 8, "ground": "sand", "mood": None, "dark": False,
    }  # fmt: skip
    assert board.spaces[7].attributes["mood"] == "wild"
    assert board.spaces[7].attributes["dark"] is True


def test_grid_takes_further_links_and_regions() -> None:
    board = good(
        GRID
        + "links:\n  - {between: [a1, c3], kind: tunnel}\nregions:\n  camp: {rows: [1], columns: [a, b]}\n"
        + "  corner: [c3]\n"
        "positions:\n  a1: [0.5, -1]\n"
    )
    assert board.neighbours("tunnel")[0] == (8,)
    assert board.regions["camp"] == (0, 1)
    assert (board.spaces[0].x, board.spaces[0].y) == (0.5, -1.0)


def test_words_that_look_like_values_can_be_names() -> None:
    board = good("board: 12\nfamily: map\nspaces: [1, no]\nlinks:\n  - {between: [1, no]}\n")
    assert [space.name for space in board.spaces] == ["1", "no"]
    assert board.name == "12"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("board: X\nfamily: sqare grid\n", [("D505", 2)]),
        ("board: X\nfamily: square grid\n", [("D504", 2)]),
        ("board: X\nfamily: square grid\nsize: {columns: 0, rows: -1}\n", [("D511", 3), ("D511", 3)]),
        ("board: X\nfamily: hex grid\nsize: {columns: 65, rows: 64}\n", [("D512", 3)]),
        ("board: X\nfamily: path\n", [("D504", 2)]),
        ("board: X\nfamily: ring\nlength: 2\n", [("D511", 3)]),
        ("board: X\nfamily: map\n", [("D504", 2)]),
        ("board: X\nfamily: map\nspaces: [A, A]\n", [("D513", 3)]),
        ("board: X\nfamily: map\nlength: 3\nspaces: [A]\n", [("D521", 3)]),
        (GRID + "spaces:\n  d4: {x: 1}\n", [("D510", 5)]),
        (GRID + "spaces:\n  a1: 7\n", [("D505", 5)]),
        (GRID + "rows:\n  - {row: 0, depth: 1}\n", [("D514", 5)]),
        (GRID + "rows:\n  - {row: x, depth: 1}\n", [("D505", 5)]),
        (GRID + "rows:\n  - {depth: 1}\n", [("D504", 5)]),
        (GRID + "rows:\n  - {rows: 1..3, row: 1, depth: 1}\n", [("D504", 5)]),
        (GRID + "rows:\n  - {rows: 1..3}\n", [("D504", 5)]),
        (GRID + "rows:\n  - {rows: 1..3, depth: 1}\n  - {row: 2, depth: 3}\n", [("D522", 6)]),
        (GRID + "rows:\n  - {row: 1, depth: 1}\n", [("D518", 5)]),
        (GRID + "rows:\n  - {rows: 1..3, column: 1}\n", [("D523", 5)]),
        (GRID + "rows:\n  - {rows: 1..3, 2x: 1}\n", [("D523", 5)]),
        (GRID + "rows:\n  - {rows: 1..2, depth: 1}\n  - {row: 3, depth: deep}\n", [("D520", 6)]),
        (GRID + "attributes: {depth: number, heat: number}\nrows:\n  - {rows: 1..3, depth: 1}\n", [("D518", 4)]),
        (GRID + "attributes: {a: flag, b: optional flag}\n", [("D524", 4)]),
        (GRID + "links:\n  - {between: [a1, a2], kind: orth}\n", [("D516", 5)]),
        (MAP + "links:\n  - {between: [Ash, Ash]}\n", [("D515", 5)]),
        (MAP + "links:\n  - {between: [Ash, Birhc]}\n", [("D510", 5)]),
        (MAP + "links:\n  - {between: [Ash]}\n", [("D505", 5)]),
        (MAP + "links:\n  - {from: Ash}\n", [("D504", 5)]),
        (MAP + "links:\n  - {between: [Ash, Birch], days: 1}\n  - {between: [Birch, Cedar]}\n", [("D518", 5)]),
        (MAP + "links:\n  - {between: [Ash, Birch]}\n", [("D517", 3)]),
        (MAP + "link kinds: [road]\nlinks:\n  - {between: [Ash, Birch], kind: raod}\n", [("D519", 6)]),
        (GRID + "regions:\n  camp: [a1, a1]\n", [("D513", 5)]),
        (GRID + "regions:\n  camp: 3\n", [("D505", 5)]),
        (GRID + "regions:\n  camp: {rws: 3}\n", [("D503", 5)]),
        (GRID + "positions:\n  a1: [1, x]\n", [("D505", 5)]),
        (GRID + "positions:\n  a9: [1, 2]\n", [("D510", 5)]),
    ],
)
def test_mistakes_are_found_at_their_line(text: str, expected: list[tuple[str, int]]) -> None:
    assert faults(text) == expected


def test_nearest_names_are_offered() -> None:
    _, sink = read(MAP + "links:\n  - {between: [Ash, Birhc]}\n")
    assert [found.help for found in sink] == ["did you mean `Birch`?"]


def test_several_mistakes_in_one_pass() -> None:
    found = faults(GRID + "spaces:\n  d1: {}\nlinks:\n  - {between: [a1, a1]}\nregions:\n  camp: [q1]\n")
    assert found == [("D510", 5), ("D515", 7), ("D510", 9)]


def test_messages_are_in_style() -> None:
    _, sink = read(
        GRID + "spaces:\n  d1: {a: 1}\nlinks:\n  - {between: [a1, a1]}\nregions:\n  camp: [q1, 3]\nlength: 2\n"
    )
    assert len(sink) >= 4
    for found in sink:
        assert not found.message.endswith(".")
        assert found.message[0] == found.message[0].lower()


def test_a_board_with_mistakes_is_still_given_for_checking() -> None:
    board, sink = read(GRID + "regions:\n  camp: [a1, q1]\n")
    assert sink.has_errors
    assert board is not None
    assert board.regions["camp"] == (0,)


def test_files_keep_the_text(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(GRID, encoding="utf-8")
    files, sink = Files(tmp_path), Diagnostics()
    board = load_board(tmp_path / "map.yaml", sink, files=files)
    assert board is not None
    assert board.span is not None
    assert files.line_text("map.yaml", 1) == "board: Field"
    assert load_board(tmp_path / "mop.yaml", sink, files=files) is None
    assert [(found.code, found.help) for found in sink] == [("D101", "did you mean `map.yaml`?")]


def test_graph_has_every_link() -> None:
    board = shipped("trading/map.yaml")
    graph = to_networkx(board)
    assert graph.number_of_edges() == sum(len(leaving) for table in board.links.values() for leaving in table)
    assert graph.nodes[0]["name"] == board.spaces[0].name


def test_heavy_libraries_are_not_imported_with_the_package() -> None:
    code = (
        "import sys, interpreter.boards; print([m for m in ('networkx', 'ruamel.yaml', 'cattrs') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@given(st.text("ab1:[]{},-&*#'\" \n\t!?|>%@", max_size=60))
def test_no_text_makes_reading_fail(text: str) -> None:
    read(text)
    read(GRID + text)


VALUES = st.recursive(
    st.sampled_from(["1", "a1", "yes", "x", "null", "1..2", "2.5", "Ash", "'3'"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(
            st.sampled_from(["row", "rows", "between", "from", "to", "kind", "a1", "words", "optional", "x"]),
            inner,
            max_size=3,
        ).map(lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"),
    ),
    max_leaves=8,
)
KEYS = ["size", "length", "reconstructed", "attributes", "link attributes", "link kinds", "rows", "columns"]
KEYS += ["spaces", "links", "regions", "positions", "everywhere"]


@given(
    st.sampled_from(["square grid", "hex grid", "open grid", "path", "ring", "map"]),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5),
)
def test_no_structure_makes_reading_fail(family: str, content: dict[str, str]) -> None:
    base = {"size": "{columns: 2, rows: 2}"} if family.endswith("grid") else {"length": "3"}
    base = {"size": "{columns: 16, rows: 16}"} if family == "open grid" else base
    base = {"spaces": "[Ash, a1]"} if family == "map" else base
    lines = [f"{key}: {value}" for key, value in {**base, **content}.items()]
    board, sink = read(f"board: X\nfamily: {family}\n" + "\n".join(lines) + "\n")
    assert board is not None or sink.has_errors
