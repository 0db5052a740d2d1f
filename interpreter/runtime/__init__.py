"""Playing: sessions, decisions, undo, views, saves, explanations, and tests of rules.

The names that other packages and the facade use; everything else is reached by its module. All but `load` are imported
when first used, since random games need few of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from interpreter.runtime.load import load

if TYPE_CHECKING:
    from interpreter.runtime.options import Option
    from interpreter.runtime.outcome import Outcome
    from interpreter.runtime.rules import Configuration, Rules
    from interpreter.runtime.session import Session

__all__ = ["Configuration", "Option", "Outcome", "Rules", "Session", "load"]

_WHERE = {"Configuration": "rules", "Option": "options", "Outcome": "outcome", "Rules": "rules", "Session": "session"}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    return found
