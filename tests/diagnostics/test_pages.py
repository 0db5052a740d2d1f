"""The pages of the codes: each has its parts."""

import re

import pytest

from interpreter.diagnostics import all_codes, page

READING = [101, 102, 103, 104, 105, 106, 107, 108, 110, 111, 112, 190]
BLOCK = re.compile(r"^```\w+\n.+?^```$", re.MULTILINE | re.DOTALL)


def test_the_codes_of_reading_have_pages() -> None:
    assert {f"D{number}" for number in READING} <= set(all_codes())
    assert all_codes() == sorted(all_codes())


@pytest.mark.parametrize("code", all_codes())
def test_a_page_has_title_and_parts(code: str) -> None:
    found = page(code)
    assert found is not None
    assert found.code == code
    assert found.text.startswith(f"# {code}: {found.title}\n")
    assert found.title
    assert not found.title.endswith(".")
    parts = re.split(r"^## +(.+)$", found.text, flags=re.MULTILINE)
    names = [name.strip().lower() for name in parts[1::2]]
    assert [name for name in names if name in {"what", "why", "wrong", "right"}] == ["what", "why", "wrong", "right"]
    bodies = dict(zip(names, parts[2::2], strict=True))
    assert all(body.strip() for body in bodies.values())
    assert BLOCK.search(bodies["wrong"])
    assert BLOCK.search(bodies["right"])


@pytest.mark.parametrize("code", all_codes())
def test_rules_on_a_page_say_their_language(code: str) -> None:
    found = page(code)
    assert found is not None
    for block in re.findall(r"^```rules\n(.*?)^```$", found.text, re.MULTILINE | re.DOTALL):
        assert block.startswith("language 1\n")


@pytest.mark.parametrize("code", ["D999", "X101", "", "../D101", "D1", "D101.md"])
def test_other_words_have_no_page(code: str) -> None:
    assert page(code) is None


def test_a_code_may_be_written_small() -> None:
    assert page("d101") == page("D101")
