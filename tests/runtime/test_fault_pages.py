"""The pages of tests and of faults in play: what they call wrong is found, what they call right is fine."""

import re
import shutil
from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.diagnostics import all_codes, page
from interpreter.runtime import limits
from interpreter.runtime.tester import TestResult, run_tests, run_transcript

TESTS = [code for code in all_codes() if code.startswith("D6")]
FAULTS = [code for code in all_codes() if code.startswith("D7")]
FOUND_BEFORE_PLAY = {"D704"}
"""Faults that the checker finds too, so that no short game shows them."""


def example(code: str, part: str, folder: Path) -> Path:
    found = page(code)
    assert found is not None
    section = re.search(rf"^## {part}\n(.*?)(?=^## |\Z)", found.text, re.MULTILINE | re.DOTALL)
    assert section is not None
    for name, text in re.findall(r"^```yaml part=(\S+)\n(.*?)^```$", section[1], re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    block = re.search(r"^```(\w+)\n(.*?)^```$", section[1], re.MULTILINE | re.DOTALL)
    assert block is not None
    file = folder / ("page.rules" if block[1] == "rules" else "page.test.yaml")
    file.write_text(block[2], encoding="utf-8")
    return file


def results_of(file: Path) -> list[TestResult]:
    return list(run_tests(file)) if file.suffix == ".rules" else [run_transcript(file)]


@pytest.mark.parametrize("code", TESTS)
def test_a_test_fails_as_its_page_says(code: str, tmp_path: Path) -> None:
    assert [result.code for result in results_of(example(code, "Wrong", tmp_path))] == [code]
    assert all(result.ok for result in results_of(example(code, "Right", tmp_path)))


def played(file: Path) -> str:
    """Plays a game at random; the code of the fault it ends with, if any."""
    try:
        rules = dsl.load(file)
        for seed in range(4):
            session, random = rules.start(seed), Random(seed)
            for _ in range(1_000):
                if session.is_over:
                    break
                session.apply(random.choice(session.options))
            else:
                return "D721"
    except dsl.RulesError as error:
        return error.diagnostics[0].code
    return ""


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_happens_as_its_page_says(code: str, tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[2] / "boards" / "trading", tmp_path / "trading")
    if code not in FOUND_BEFORE_PLAY:
        assert played(example(code, "Wrong", tmp_path)) == code
    assert played(example(code, "Right", tmp_path)) == ""


def test_every_fault_has_a_page_and_a_message() -> None:
    assert set(limits._MESSAGES) == set(FAULTS)
