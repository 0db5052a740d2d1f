"""Hints: words, suggested changes, and that the changes help."""

import re
from pathlib import Path

import pytest
from corpus_reader import corpus

from interpreter.diagnostics import Diagnostic, Diagnostics, page
from interpreter.source import SourceFile, from_text
from interpreter.syntax import parse
from interpreter.syntax.grammar import grammar


def findings(text: str) -> list[Diagnostic]:
    sink = Diagnostics()
    parse(from_text("t.rules", text), sink)
    return list(sink)


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("tabel t makes T", "did you mean `table`?"),
        ("value last step = 3", "write `last_step`, with an underscore, to use it in a name"),
        ("value step = 3", "write `the_step`, with an underscore, to use it in a name"),
        ("value x = 3 && 4", "write `and`"),
        ("value x == 3", "write `=`"),
        ("value x = 2d6", "write `roll 2d6`"),
        ("value x = count of pool where a is b = 3", "write `(pool where a is b)`"),
        ("game Hall of Kings", 'write `"Hall of Kings"`'),
        ("foreach x in y", "did you mean `for each`?"),
        ("value x = 'a'", 'a text stands between double quotes: `"`'),
        ("repeat", "statements stand in a block: in `setup`, `play`, a `phase` or an `effect`"),
    ],
)
def test_help(line: str, help: str) -> None:
    (found,) = findings(line + "\n")
    assert found.help == help


def applied(source: SourceFile, found: Diagnostic) -> str:
    text = source.text.encode()
    for edit in sorted(found.fixes[0].edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start.byte] + edit.replacement.encode() + text[edit.span.end.byte :]
    return text.decode()


@pytest.mark.parametrize("path", corpus("syntax", "bad"), ids=lambda path: path.stem)
def test_a_suggested_change_puts_its_mistake_right(path: Path) -> None:
    source = from_text(path.name, path.read_text(encoding="utf-8"))
    sink = Diagnostics()
    parse(source, sink)
    for found in sink:
        if not found.fixes:
            continue
        assert found.fixes[0].title
        again = Diagnostics()
        parse(from_text(path.name, applied(source, found)), again)
        assert (found.code, found.span) not in [(other.code, other.span) for other in again]
        assert len(again) <= len(sink), found


@pytest.mark.parametrize("path", corpus("syntax", "bad"), ids=lambda path: path.stem)
def test_messages_are_in_the_words_of_the_reader(path: Path) -> None:
    source = from_text(path.name, path.read_text(encoding="utf-8"))
    sink = Diagnostics()
    parse(source, sink)
    internal = {kind for kind in [*grammar().words, *grammar().patterns] if len(kind) > 1}
    for found in sink:
        said = " ".join([found.message, found.label, found.help or "", *[fix.title for fix in found.fixes]])
        outside = re.sub(r"`[^`]*`", "", said)
        assert not set(re.findall(r"\w+", outside)) & internal, said
        assert "illegal" not in said.lower()
        assert not re.search(r"\byou\b(?! mean)", said), said
        assert not found.message.endswith(".")
        assert page(found.code) is not None


@pytest.mark.parametrize("code", ["D103", "D110", "D111", "D112", "D113", "D210"])
def test_pages_show_what_they_say(code: str) -> None:
    found = page(code)
    assert found is not None
    wrong, right = re.findall(r"^```rules\n(.*?)^```$", found.text, re.MULTILINE | re.DOTALL)
    assert {finding.code for finding in findings(wrong)} == {code}
    assert findings(right) == []
