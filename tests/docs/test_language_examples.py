"""The examples of the documentation are whole rules files, and they are what they claim to be.

A block fenced as `rules` in a page of `docs/` comes out of `dsl check` without an error and its tests pass. A block
fenced as `rules part=NAME` is a part that the next examples of its page include under that name, one fenced as
`yaml part=NAME` a file that they name. On the page of a code,
what stands under "Right" never draws that code, and what stands under "Wrong" does.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import frozen

from interpreter.diagnostics import Diagnostic, Severity, all_codes, page
from interpreter.runtime.tester import run_tests
from interpreter.syntax.keywords import keywords, reserved_words
from interpreter.workspace import check_files

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"^(#{1,3}) +([^\n]+)$|^```(?:rules|yaml(?= part=))(?: part=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_CODE = re.compile(r"`(D\d{3})`")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_NOT_PRINTED = {"D104", "D106", "D113", "D114", "D199"}
"""Codes whose wrong example cannot be printed: it would be too large, or it is a fault of ours."""
_OF_SEVERAL_FILES = {"D105", "D106", "D107", "D108"}
"""Codes about other files: what an example of theirs includes is not printed beside it."""
_NOT_CHECKED = ("D6", "D7", "D8")
"""Codes of tests, of play and of what people ask for: a file that is only checked does not draw them."""


@frozen
class Example:
    """One rules file of a page."""

    page: str
    """The page it stands on."""
    heading: str
    """The heading above it."""
    number: int
    """Its place on the page, from 1."""
    text: str
    parts: tuple[tuple[str, str], ...]
    """Parts that it may include, by name."""

    def __str__(self) -> str:
        return f"{self.page}: {self.heading} ({self.number})"


def _examples(name: str, text: str) -> list[Example]:
    found: list[Example] = []
    parts: list[tuple[str, str]] = []
    heading = ""
    for match in _BLOCK.finditer(text):
        if match[2]:
            heading = match[2]
        elif match[3]:
            parts.append((match[3], match[4]))
        else:
            found.append(Example(name, heading, len(found) + 1, match[4], tuple(parts)))
    return found


def _of_pages() -> list[Example]:
    return [
        example
        for path in sorted((_ROOT / "docs").glob("*.md"))
        for example in _examples(path.name, path.read_text(encoding="utf-8"))
    ]


def _of_codes(heading: str) -> list[Example]:
    found = []
    for code in all_codes():
        about = page(code)
        assert about is not None
        found += [example for example in _examples(code, about.text) if example.heading.strip().lower() == heading]
    return found


def _written(example: Example, folder: Path) -> Path:
    for name, text in example.parts:
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "example.rules"
    path.write_text(example.text, encoding="utf-8")
    return path


def _findings(example: Example, folder: Path) -> list[Diagnostic]:
    return list(check_files([_written(example, folder)]).diagnostics)


@pytest.mark.parametrize("example", _of_pages(), ids=str)
def test_an_example_is_without_errors(example: Example, tmp_path: Path) -> None:
    assert example.text.startswith("language 1\n")
    found = [f"{each.code} {each.message}" for each in _findings(example, tmp_path) if each.severity is Severity.ERROR]
    assert found == []


@pytest.mark.parametrize("example", _of_pages(), ids=str)
def test_the_tests_of_an_example_pass(example: Example, tmp_path: Path) -> None:
    failed = [f"{each.title}: {each.message}" for each in run_tests(_written(example, tmp_path)) if not each.ok]
    assert failed == []


def test_each_construct_of_the_reference_has_an_example() -> None:
    text = (_ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    shown = {example.heading for example in _examples("language.md", text)}
    plain = _FENCED.sub("", text)
    headings = re.findall(r"^## (.+)$", plain, re.MULTILINE)
    sections = dict(zip(headings, re.split(r"^## .+$", plain, flags=re.MULTILINE)[1:], strict=True))
    assert {heading for heading in headings if heading not in shown} == {"Reserved words", "Limits"}
    assert [heading for heading, body in sections.items() if not body.startswith("\n\n*Since language 1.*\n")] == []


def test_the_reference_lists_the_reserved_words() -> None:
    text = (_ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    section = text.split("## Reserved words")[1].split("\n## ")[0]
    listed = set(re.findall(r"`([a-z ]+)`", section))
    assert reserved_words() <= listed
    assert listed <= {*keywords(), *reserved_words()}


@pytest.mark.parametrize("path", sorted((_ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_every_code_that_is_named_has_a_page(path: Path) -> None:
    named = set(_CODE.findall(path.read_text(encoding="utf-8")))
    assert named - set(all_codes()) == set()


@pytest.mark.parametrize("example", _of_codes("right"), ids=str)
def test_what_is_right_does_not_draw_its_code(example: Example, tmp_path: Path) -> None:
    if example.page in _OF_SEVERAL_FILES:
        pytest.skip("includes a file that the page does not print")
    assert example.page not in {each.code for each in _findings(example, tmp_path)}


@pytest.mark.parametrize("example", _of_codes("wrong"), ids=str)
def test_what_is_wrong_draws_its_code(example: Example, tmp_path: Path) -> None:
    if example.page in _NOT_PRINTED | _OF_SEVERAL_FILES or example.page.startswith(_NOT_CHECKED):
        pytest.skip("cannot be shown by one file that is only checked")
    assert example.page in {each.code for each in _findings(example, tmp_path)}
