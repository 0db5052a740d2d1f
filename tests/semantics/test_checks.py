"""The static checks: what they find in the corpus, on the pages, and in the games that ship (nothing)."""

import re
import time
from pathlib import Path

import pytest
from corpus_reader import corpus, expected, mismatches

from interpreter.diagnostics import Diagnostic, Diagnostics, all_codes, page
from interpreter.semantics import walk
from interpreter.semantics.checks import check
from interpreter.semantics.model import CallExpr, Choose, Const, Expr, LocalRef, Statement
from interpreter.semantics.project import project_from_source, read_project
from interpreter.semantics.understand import understand
from interpreter.source import Files, from_text

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*(ROOT / "rules").glob("*.rules"), *(ROOT / "examples").glob("*.rules")])
BAD = corpus("checks", "bad")
GOOD = corpus("checks", "good")
OTHERS = ("D220", "D221", "D222", "D230", "D240", "D250")
CODES = [code for code in all_codes() if code[:2] in ("D3", "D4") or code in OTHERS]


def findings(path: Path) -> list[Diagnostic]:
    sink = Diagnostics()
    project = read_project(path, sink)
    assert project is not None
    check(project, sink)
    return list(sink)


def findings_in(text: str) -> list[Diagnostic]:
    sink = Diagnostics()
    project = project_from_source(from_text("page.rules", text), sink, Files(), Path())
    check(project, sink)
    return list(sink)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_rules_give_exactly_what_stands_on_their_lines(path: Path) -> None:
    assert mismatches(expected(path), findings(path)) == []


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_rules_give_nothing(path: Path) -> None:
    assert findings(path) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_games_that_ship_give_nothing(path: Path) -> None:
    assert findings(path) == []


def test_every_check_has_a_bad_file() -> None:
    assert len(BAD) >= 35
    assert set(CODES) <= {want.code for path in BAD for want in expected(path)}


@pytest.mark.parametrize("code", CODES)
def test_pages_are_true(code: str) -> None:
    found = page(code)
    assert found is not None
    wrong, right = re.findall(r"^```rules\n(.*?)^```$", found.text, re.MULTILINE | re.DOTALL)
    assert {finding.code for finding in findings_in(wrong)} == {code}
    assert findings_in(right) == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_findings_are_written_in_one_style(path: Path) -> None:
    for finding in findings(path):
        sentences = [finding.message, finding.label, *finding.notes, *(label.message for label in finding.labels)]
        for text in filter(None, [*sentences, finding.help]):
            plain = re.sub(r"`[^`]*`", "", text)
            assert not plain.endswith(".")
            assert not re.search(r"\b(you|your|illegal)\b", plain)
            assert not plain[:1].isupper()


def test_a_finding_in_one_configuration_names_it() -> None:
    (in_variant,) = findings(next(path for path in BAD if path.stem == "only_in_a_variant"))
    assert in_variant.notes == ("only in the variant `lost`",)
    (with_option,) = findings(next(path for path in BAD if path.stem == "only_with_an_option"))
    assert with_option.notes == ("only with `guards` = 3",)


def test_the_largest_game_is_checked_fast() -> None:
    start = time.process_time()
    findings(ROOT / "rules" / "hall.rules")
    assert time.process_time() - start < 10  # well under a second: this is to notice what grows beyond all bounds


# ------------------------------------------------------------------------------------------- going through a game


def test_walking_goes_in_reading_order() -> None:
    project = read_project(ROOT / "examples" / "pig.rules", Diagnostics())
    assert project is not None
    game = understand(project)
    assert game is not None
    assert game.play is not None
    nodes = list(walk.descend(game.play))
    assert nodes[0] is game.play
    starts = [node.span.start for node in nodes if isinstance(node, Statement)]
    assert starts == sorted(starts)
    assert len(list(walk.chooses(game.play))) == 1
    choose = next(walk.chooses(game.play))
    assert isinstance(choose, Choose)
    assert walk.children(choose)[0] is choose.chooser
    for node in nodes:
        if isinstance(node, LocalRef):
            assert list(walk.mentions(node)) == [node.local]
        if isinstance(node, Const):
            assert walk.children(node) == []


def test_calls_are_followed() -> None:
    project = read_project(ROOT / "examples" / "kuhn_poker.rules", Diagnostics())
    assert project is not None
    game = understand(project)
    assert game is not None
    assert game.play is not None
    assert {function.name for function in walk.calls(game.play)} == {"showdown", "pay"}
    assert {function.name for function in walk.called_from([game.play])} == {"showdown", "pay", "strength"}
    assert all(isinstance(node, Expr) for node in walk.survey(game).nodes if isinstance(node, CallExpr))
    assert walk.survey(game) is walk.survey(game)
