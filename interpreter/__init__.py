"""Rules as data for tabletop games: load a rules file, play it, look at it, explain it.

    import interpreter as dsl
    game = dsl.load("hall")
    state = game.start(seed=7)
    state.apply(state.options[0])

The names stand here, the work is elsewhere. They are imported when first used, so that `import interpreter` costs
nothing. Invariant: this module defines nothing of its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.diagnostics import (
        AmbiguousChoice,
        Diagnostic,
        DslError,
        IllegalChoice,
        InternalError,
        InvalidChoice,
        RulesError,
        Span,
    )
    from interpreter.runtime.events import Event
    from interpreter.runtime.load import load
    from interpreter.runtime.options import Option
    from interpreter.runtime.outcome import Outcome
    from interpreter.runtime.rules import Rules
    from interpreter.runtime.saves import DivergenceError, SaveError
    from interpreter.runtime.session import Session
    from interpreter.runtime.view import View
    from interpreter.runtime.why import Explanation
    from interpreter.tools.adapters.gymnasium_env import gymnasium_env
    from interpreter.tools.adapters.open_spiel_like import open_spiel_game
    from interpreter.tools.adapters.pettingzoo_env import pettingzoo_env

__all__ = [
    "AmbiguousChoice",
    "Diagnostic",
    "DivergenceError",
    "DslError",
    "Event",
    "Explanation",
    "IllegalChoice",
    "InternalError",
    "InvalidChoice",
    "Option",
    "Outcome",
    "Rules",
    "RulesError",
    "SaveError",
    "Session",
    "Span",
    "View",
    "gymnasium_env",
    "load",
    "open_spiel_game",
    "pettingzoo_env",
]

_WHERE = {
    "DivergenceError": "runtime.saves",
    "Event": "runtime.events",
    "Explanation": "runtime.why",
    "Option": "runtime.options",
    "Outcome": "runtime.outcome",
    "Rules": "runtime.rules",
    "SaveError": "runtime.saves",
    "Session": "runtime.session",
    "View": "runtime.view",
    "gymnasium_env": "tools.adapters.gymnasium_env",
    "load": "runtime.load",
    "open_spiel_game": "tools.adapters.open_spiel_like",
    "pettingzoo_env": "tools.adapters.pettingzoo_env",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_WHERE.get(name, 'diagnostics')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
