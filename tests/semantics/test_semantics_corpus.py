"""Every file of the corpus is understood in every configuration that it names, and finds exactly what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_reader import corpus, expected, mismatches

from interpreter.diagnostics import Diagnostics, all_codes
from interpreter.semantics import Configuration, read_project, test_configuration, understand_test
from interpreter.semantics.model import TestCase
from interpreter.semantics.project import Project
from interpreter.semantics.understand import understand
from interpreter.source import Files


def findings(path: Path) -> Diagnostics:
    """What is found in a file: in itself, in each variant and scenario alone, and in each of its tests."""
    sink = Diagnostics()
    project = read_project(path, sink, Files(root=path.parent))
    assert project is not None
    configurations = [Configuration()]
    configurations += [Configuration(options={node.name.text: True}) for node in project.variants]
    configurations += [Configuration(scenario=node.name.text) for node in project.scenarios]
    for configuration in configurations:
        understand(project, configuration, sink)
    for test in _tests(project):
        game = understand(project, test_configuration(test), sink)
        if game is not None:
            understand_test(test, game, sink)
    return sink


def _tests(project: Project) -> list[TestCase]:
    return [TestCase(title=node.title, tree=node, span=node.span) for node in project.tests]


@pytest.mark.parametrize("path", corpus("semantics", "bad"), ids=lambda path: path.stem)
def test_bad(path: Path) -> None:
    wanted = expected(path)
    assert wanted, "a bad file says what is wrong with it"
    assert mismatches(wanted, findings(path)) == []


@pytest.mark.parametrize("path", corpus("semantics", "good"), ids=lambda path: path.stem)
def test_good(path: Path) -> None:
    assert mismatches([], findings(path)) == []


@pytest.mark.parametrize("path", corpus("semantics", "bad"), ids=lambda path: path.stem)
def test_style_of_messages(path: Path) -> None:
    for diagnostic in findings(path):
        assert not diagnostic.message.endswith(".")
        assert not diagnostic.message[0].isupper()
        words = f" {diagnostic.message} ".lower()
        assert " illegal " not in words
        assert " you " not in words


@pytest.mark.parametrize("path", corpus("semantics", "bad"), ids=lambda path: path.stem)
def test_every_code_has_a_page(path: Path) -> None:
    assert {diagnostic.code for diagnostic in findings(path)} <= set(all_codes())
