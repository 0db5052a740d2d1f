"""Reading a file, and the way from offsets to positions."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.diagnostics import Diagnostics
from interpreter.source import SourceFile, from_text, read_source
from interpreter.source.file import MAX_BYTES


def read(path: Path) -> tuple[SourceFile | None, list[tuple[str, str, str | None]]]:
    sink = Diagnostics()
    source = read_source(path, path.name, sink)
    return source, [(found.code, found.message, found.help) for found in sink]


def test_lines_and_positions() -> None:
    source = from_text("a.rules", "one\nzwölf\n\nend")
    assert source.line_count == 4
    assert [source.line_text(line) for line in (0, 1, 2, 3, 4, 5)] == ["", "one", "zwölf", "", "end", ""]
    span = source.span(6, 9)
    assert (span.path, span.start.line, span.start.column, span.start.byte) == ("a.rules", 2, 3, 6)
    assert (span.end.line, span.end.column, span.end.byte) == (2, 6, 10)


def test_offsets_outside_are_moved_to_the_nearer_end() -> None:
    source = from_text("a", "ab")
    assert source.span(-3, 99) == source.span(0, 2)
    assert source.span(2, 1) == source.span(2, 2)


@given(st.text("ab\nö€😀", max_size=30), st.integers(0, 30))
def test_positions_count_from_the_text(text: str, offset: int) -> None:
    source = from_text("a", text)
    offset = min(offset, len(text))
    at = source.position(offset)
    assert at.byte == len(text[:offset].encode())
    assert at.line == text[:offset].count("\n") + 1
    assert source.line_text(at.line)[: at.column - 1] == text[:offset].rsplit("\n", 1)[-1]


@given(st.text("ab\r\n", max_size=20))
def test_line_ends_are_made_uniform(text: str) -> None:
    source = from_text("a", text)
    assert "\r" not in source.text
    assert source.line_count == len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def test_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "bom.rules"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc")
    source, found = read(path)
    assert found == []
    assert source is not None
    assert source.text == "a\nb\nc"


def test_missing_file_offers_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "hall.rules").write_text("x")
    assert read(tmp_path / "hal.rules") == (
        None,
        [("D101", "file `hal.rules` not found", "did you mean `hall.rules`?")],
    )


def test_folder(tmp_path: Path) -> None:
    assert read(tmp_path)[1] == [("D101", f"`{tmp_path.name}` is a folder, expected a file", None)]


def test_name_that_no_file_can_have(tmp_path: Path) -> None:
    for name in ("x\0y", "x" * 5000, "file/below"):
        (tmp_path / "file").write_text("x")
        source, found = read(tmp_path / name)
        assert source is None
        assert [code for code, _, _ in found] == ["D101"]


def test_broken_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.rules"
    path.write_bytes(b"eins\r\nzw\xf6lf")
    sink = Diagnostics()
    assert read_source(path, "latin.rules", sink) is None
    (found,) = sink
    assert found.code == "D102"
    assert found.message == "`latin.rules` is not UTF-8: byte 0xf6 in line 2, column 3"
    assert found.span is not None
    assert (found.span.start.line, found.span.start.column) == (2, 3)


@pytest.mark.parametrize(("size", "codes"), [(MAX_BYTES, []), (MAX_BYTES + 1, ["D104"])])
def test_size_limit(tmp_path: Path, size: int, codes: list[str]) -> None:
    path = tmp_path / "big.rules"
    path.write_bytes(b"a" * size)
    source, found = read(path)
    assert [code for code, _, _ in found] == codes
    assert (source is None) == bool(codes)
