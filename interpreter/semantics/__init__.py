"""Meaning: from syntax trees and boards to a game, in one configuration.

The names that other packages use most; everything else, `understand.understand` first of all, is reached by its module.
They are imported when first used, since a program that is ready to run needs the types alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    "understand_effects",
    "understand_expression",
    "understand_odds",
    "understand_test",
]

_WHERE = {
    "Configuration": "configuration",
    "Game": "model",
    "Project": "project",
    "UnderstoodTest": "test_model",
    "domain_size": "describe",
    "in_words": "describe",
    "member_index": "describe",
    "member_names": "describe",
    "project_from_source": "project",
    "read_project": "project",
    "test_configuration": "snippets",
    "understand_effects": "snippets",
    "understand_expression": "snippets",
    "understand_odds": "snippets",
    "understand_test": "snippets",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    return found
