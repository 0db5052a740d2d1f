"""A rules file and what it includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import Configuration, Project, read_project
from interpreter.semantics.understand import understand
from interpreter.source import Files

HEAD = 'language 1\n\ngame "A test"\n    players 2\n\n'
PLAY = "\nplay\n    end game\n"


def read(folder: Path, **texts: str) -> tuple[Project, list[tuple[str, int, str]]]:
    """The project of `root`, and what was found in it: path, line, code."""
    for name, text in texts.items():
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    sink = Diagnostics()
    project = read_project(folder / "root.rules", sink, Files(root=folder))
    assert project is not None
    found = [(one.span.path, one.span.start.line, one.code) for one in sink if one.span is not None]
    assert len(found) == len(sink)
    return project, found


def test_what_is_offered_is_known_without_understanding(tmp_path: Path) -> None:
    text = (
        HEAD + "option goal = 5 in 3..9\nvariant quick\n    preset goal = 3\nscenario dusk\n    preset goal = 4\n"
        'test "one"\n    expect stpes = 1\n' + PLAY
    )
    project, found = read(tmp_path, root=text)
    assert found == []
    assert [node.name.text for node in project.options] == ["goal"]
    assert [node.name.text for node in project.variants] == ["quick"]
    assert [node.name.text for node in project.scenarios] == ["dusk"]
    assert [node.title for node in project.tests] == ["one"]


def test_included_declarations_stand_in_place(tmp_path: Path) -> None:
    project, found = read(
        tmp_path,
        root=HEAD + 'include "part.rules"\ntrack steps: 0..size\n' + PLAY,
        part="language 1\n\noption size = 5 in 3..9\ntrack more: 0..9\n",
    )
    assert found == []
    game = understand(project, Configuration(), Diagnostics())
    assert game is not None
    assert [variable.name for variable in game.variables] == ["more", "steps"]


def test_a_file_included_twice_counts_once(tmp_path: Path) -> None:
    project, found = read(
        tmp_path,
        root=HEAD + 'include "a.rules"\ninclude "b.rules"\n' + PLAY,
        a='language 1\n\ninclude "c.rules"\n',
        b='language 1\n\ninclude "c.rules"\n',
        c="language 1\n\ntrack steps: 0..9\n",
    )
    assert found == []
    assert understand(project, Configuration(), Diagnostics()) is not None


def test_a_mistake_in_an_included_file_has_its_place_there(tmp_path: Path) -> None:
    project, found = read(
        tmp_path, root=HEAD + 'include "part.rules"\n' + PLAY, part="language 1\n\nvalue odd = stpes + 1\n"
    )
    assert found == []
    sink = Diagnostics()
    assert understand(project, Configuration(), sink) is None
    assert [str(one.span) for one in sink] == ["part.rules:3:13"]


@pytest.mark.parametrize(
    ("include", "code"),
    [("nothing.rules", "D107"), ("../outside.rules", "D105"), ("/etc/passwd", "D105"), ("root.rules", "D108")],
)
def test_includes_that_cannot_be_followed(tmp_path: Path, include: str, code: str) -> None:
    _, found = read(tmp_path, root=HEAD + f'include "{include}"\n' + PLAY)
    assert found == [("root.rules", 6, code)]


def test_a_circle_by_way_of_another_file(tmp_path: Path) -> None:
    _, found = read(
        tmp_path,
        root=HEAD + 'include "a.rules"\n' + PLAY,
        a='language 1\n\ninclude "b.rules"\n',
        b='language 1\n\ninclude "a.rules"\n',
    )
    assert found == [("b.rules", 3, "D108")]


def test_includes_nested_too_deep(tmp_path: Path) -> None:
    parts = {f"part{at}": f'language 1\n\ninclude "part{at + 1}.rules"\n' for at in range(12)}
    _, found = read(tmp_path, root=HEAD + 'include "part0.rules"\n' + PLAY, **parts)
    assert found == [("part7.rules", 3, "D106")]


def test_every_file_names_its_language(tmp_path: Path) -> None:
    _, found = read(tmp_path, root=HEAD + 'include "part.rules"\n' + PLAY, part="track steps: 0..9\n")
    assert found == [("part.rules", 1, "D201")]


def test_a_broken_line_is_not_the_cause_of_another_finding(tmp_path: Path) -> None:
    project, found = read(tmp_path, root=HEAD + "track steps 0..9\nvalue twice = 2 * steps\n" + PLAY)
    assert [code for _, _, code in found] == ["D110"]
    sink = Diagnostics()
    assert understand(project, Configuration(), sink) is None
    assert list(sink) == []
