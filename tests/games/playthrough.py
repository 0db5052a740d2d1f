"""One game as text: what golden files hold.

A golden playthrough shows a reader of a diff what a change of the engine or of a rules file does to real games: who is
asked, what is offered, what happens, and a hash of the state so that nothing changes unseen. The choices come from a
seed. The options of a decision are written in full, or, where that is shorter, as what changed since the decision
before, since hundreds of cells of a board would hide the rest.

Invariant: the text depends on the rules, the configuration and the seed only.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from configurations import Case

from interpreter.runtime import Session

__all__ = ["playthrough"]

SEED = 1
"""The seed of every golden game, for dice and choices."""


def playthrough(case: Case) -> str:
    """The text of the game of one configuration."""
    session = case.load().start(SEED)
    random = Random(SEED)
    lines = [f"# {session.rules.title}: {_configuration(case, session)}; seed {SEED}", ""]
    lines += _log(session, 0)
    before: tuple[str, ...] = ()
    while not session.is_over and len(session.history.steps) < case.recorded:
        options = session.options
        names = tuple(option.name for option in options)
        option = options[int(random.random() * len(options))]
        lines.append(f"{len(session.history.steps) + 1}. {session.player_name}: {session.prompt}")
        lines.append(f"   offers {len(names)}: {_offered(names, before)}")
        lines.append(f"   chooses {option.name}")
        told = len(session.events)
        session.apply(option)
        lines += _log(session, told)
        lines.append(f"   = {session.hash()}")
        before = names
    outcome = session.outcome
    lines.append("")
    lines.append("and so on" if outcome is None else outcome.text(session.rules.players))
    if outcome is not None:
        places = [" and ".join(session.rules.players[player] for player in place) for place in outcome.ranking]
        lines.append("places: " + ", then ".join(places))
        lines.append("scores: " + (", ".join(str(score) for score in outcome.scores) or "none"))
    return "\n".join(lines) + "\n"


def _configuration(case: Case, session: Session) -> str:
    players = ", ".join(session.rules.players)
    options = "".join(f", {name} = {_word(value)}" for name, value in case.options.items())
    scenario = "" if case.scenario is None else f", scenario {case.scenario}"
    return f"{players}{scenario}{options}"


def _word(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _log(session: Session, told: int) -> list[str]:
    """The lines of the log from event `told` on."""
    return [f"   | {event.text}" for event in session.events[told:] if event.text]


def _offered(names: Sequence[str], before: Sequence[str]) -> str:
    """The options, in full or by what changed, whichever is shorter."""
    full = "; ".join(names)
    gone = [name for name in before if name not in set(names)]
    new = [name for name in names if name not in set(before)]
    kept = [name for name in before if name not in set(gone)]
    if not kept or kept != [name for name in names if name not in set(new)]:
        return full
    parts = ["as before"]
    if gone:
        parts.append("without " + "; ".join(gone))
    if new:
        # where they stand is told as well, so that nothing is lost
        places = [str(names.index(name) + 1) for name in new]
        parts.append("with " + "; ".join(f"{name} at {place}" for name, place in zip(new, places, strict=True)))
    short = ", ".join(parts)
    return short if len(short) < len(full) else full
