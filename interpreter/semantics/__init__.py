"""Meaning: from syntax trees and boards to a game, in one configuration."""

from interpreter.semantics.configuration import Configuration
from interpreter.semantics.describe import domain_size, in_words, member_index, member_names
from interpreter.semantics.model import Game
from interpreter.semantics.project import Project, project_from_source, read_project
from interpreter.semantics.snippets import (
    test_configuration,
    understand_effects,
    understand_expression,
    understand_odds,
    understand_test,
)
from interpreter.semantics.test_model import UnderstoodTest
from interpreter.semantics.understand import understand

__all__ = [
    "Configuration",
    "Game",
    "Project",
    "UnderstoodTest",
    "domain_size",
    "in_words",
    "member_index",
    "member_names",
    "project_from_source",
    "read_project",
    "test_configuration",
    "understand",
    "understand_effects",
    "understand_expression",
    "understand_odds",
    "understand_test",
]
