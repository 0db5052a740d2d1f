"""Strategies that write rules files: one for each construct of the language reference, and whole games of them.

What they write is valid by construction. Properties of every stage are shown over `games()` in `tests/generated`;
`CONSTRUCTS` has a strategy for each section of `docs/language.md`. To see what is made:

    PYTHONPATH=tests python -c "from strategies import games; print(games().example().plain().shown)"
"""

from strategies.games import CONSTRUCTS, GameText, Written, game_with, games

__all__ = ["CONSTRUCTS", "GameText", "Written", "game_with", "games"]
