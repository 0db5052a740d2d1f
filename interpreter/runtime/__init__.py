"""Playing: sessions, decisions, undo, views, saves, explanations, and tests of rules.

The names that other packages and the facade use; everything else is reached by its module.
"""

from interpreter.runtime.load import load
from interpreter.runtime.options import Option
from interpreter.runtime.outcome import Outcome
from interpreter.runtime.rules import Configuration, Rules
from interpreter.runtime.session import Session

__all__ = ["Configuration", "Option", "Outcome", "Rules", "Session", "load"]
