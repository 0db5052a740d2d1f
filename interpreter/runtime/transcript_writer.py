"""A game as a played example: what `*.test.yaml` holds, written from a session.

The example names the game, its configuration and seed, all dice that fell after the set-up, and every choice by its
whole name where that leads to the same picks, else pick by pick. In the end it holds the visible figures against what
they are, each only after it was tried out. The choices are played again while they are written, so that an example is
only given when it comes to the same end.

Invariant: the text is a played example that holds, and names the rules by a path from the folder it is made for.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from interpreter.backends.api import Fault
from interpreter.diagnostics import DslError, InvalidChoice
from interpreter.ir.program import FIRST_FREE, PLAYER, RNG, SlotGroup
from interpreter.runtime.chance import Scripted
from interpreter.runtime.history import Step
from interpreter.runtime.rosters import list_data
from interpreter.runtime.rules import OptionValue, Rules
from interpreter.runtime.session import Session
from interpreter.runtime.table import set_up
from interpreter.semantics.types import FlagType, NumberType, PlayerType
from interpreter.source import find_shipped

__all__ = ["quoted", "transcript_text"]

_MOST_FIGURES = 60
_LINE = 100
_SIMPLE = re.compile(r"[A-Za-z_][\w ]*[A-Za-z0-9_]|[A-Za-z_]")
_WORDS = ("yes", "no", "true", "false", "null", "on", "off", "y", "n")


def transcript_text(session: Session, folder: Path) -> str:
    """The game as a played example that lies in a folder; raises `InvalidChoice` where it cannot be one."""
    if session.seed is None or not session.has_seeded_dice:
        raise InvalidChoice("only a game that began with a seed can become a played example")
    named = session.rules.configuration
    lines = ["# A game as it was played; `dsl test` plays it again.", f"game: {quoted(_game(named.rules, folder))}"]
    if named.players is not None:
        lines.append(f"players: {named.players}")
    if named.scenario is not None:
        lines.append(f"scenario: {quoted(named.scenario)}")
    if named.options:
        listed = ", ".join(f"{quoted(name)}: {_option(value)}" for name, value in named.options)
        lines.append(f"options: {{{listed}}}")
    if named.addons:
        lines.append(f"with: [{', '.join(map(quoted, named.addons))}]")
    lines.append(f"seed: {session.seed}")
    rosters: dict[str, list[dict[str, object]]] = {}
    for each_list in session.rosters:
        owner = session.rules.players[each_list.player]
        rosters.setdefault(owner, []).append(list_data(session.rules, each_list))
    if rosters:
        lines.append("rosters:")
        for player, brought in rosters.items():
            lines += [f"  {quoted(player)}:", *(f"    - {json.dumps(each, ensure_ascii=False)}" for each in brought)]
    again, waits = set_up(session.rules, session.seed, rosters={**rosters})
    steps = session.history.steps
    dice = [result for _, result in session.setup_rolls[len(again.setup_rolls) :]]
    dice += [result for step in steps for _, result in step.chance]
    if dice:
        lines += _wrapped("dice: [", [str(result) for result in dice])
    again.take_dice(Scripted(dice))
    if waits:
        again.begin()
    asked = waits and not steps and not again.is_over  # nobody has chosen: that somebody is asked begins play
    lines.append("play:" if steps or asked else "play: []")
    if asked:
        lines.append(f"  - {{by: {quoted(again.player_name)}}}")
    for name, player in _moves(again, steps):
        lines.append(f"  - {{choose: {quoted(name)}, by: {quoted(player)}}}")
    if _matters(again) != _matters(session):
        raise InvalidChoice("the game cannot become a played example: it goes differently when it is played again")
    lines.append("expect:")
    lines += [f"  - {quoted(text)}" for text in _figures(again)]
    return "\n".join(lines) + "\n"


def _matters(session: Session) -> list[int]:
    """The state without its generator, which given dice do not touch."""
    return [*session.state[:RNG], *session.state[FIRST_FREE:]]


def _game(rules: str, folder: Path) -> str:
    """The rules as seen from a folder: a bare name stays as it is."""
    path = Path(rules)
    if not path.is_file() and find_shipped(rules) is not None:
        return rules
    try:
        return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    except ValueError:  # another drive
        return path.absolute().as_posix()


def _option(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else quoted(value)


def _moves(again: Session, steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    """The choices, played again on the way: picks of one choice together where its name alone finds them."""
    players = again.rules.players
    at = 0
    while at < len(steps):
        end = next((number for number in range(at, len(steps)) if steps[number].whole), at)
        picks = steps[at : end + 1]
        whole = picks[-1].whole
        if len(picks) > 1 and whole and _finds(again, whole, [step.code for step in picks]):
            yield whole, players[picks[0].player]
            again.choose(whole)
            at = end + 1
            continue
        yield steps[at].name, players[steps[at].player]
        again.choose(steps[at].name)
        at += 1


def _finds(session: Session, name: str, codes: Sequence[int]) -> bool:
    """Whether a name leads to these picks, or to others that come to the same."""
    try:
        found = session.find(name)
    except DslError:
        return False
    return list(found.codes) == list(codes)


def _figures(session: Session) -> Iterator[str]:
    """Conditions that hold at the end: whose turn or who won, and the visible figures."""
    candidates: list[str] = []
    if session.is_over:
        candidates.append("finished")
        winners = () if session.outcome is None else session.outcome.winners
        names = [_word(session.rules.players[player]) for player in winners]
        candidates += [f"winner is {names[0]}"] if len(names) == 1 else [f"{name} in winners" for name in names]
    elif len(session.rules.players) > 1:
        candidates.append(f"player is {_word(session.rules.players[session.state[PLAYER]])}")
    candidates += _scores(session)
    candidates += _kept(session.rules, session)
    given = 0
    for text in candidates:
        if given < _MOST_FIGURES and _holds(session, text):
            given += 1
            yield text
    if not given:
        yield "finished" if session.is_over else "not finished"


def _scores(session: Session) -> Iterator[str]:
    """The score of each player."""
    score = session.rules.game.score
    if score is None:
        return
    for player, points in enumerate(session.scores):
        name = _word(score.name) + (f"({_word(session.rules.players[player])})" if score.parameters else "")
        yield f"halves of {name} = {points * 2}" if score.halves else f"{name} = {points}"
        if not score.parameters:
            return


def _kept(rules: Rules, session: Session) -> Iterator[str]:
    for group in rules.program.layout.groups:
        if group.what != "variable" or group.visible != "all" or group.type is None:
            continue
        if not group.keys:
            yield _said(session, group, _word(group.name), 0)
        elif len(group.keys) == 1 and isinstance(group.keys[0], PlayerType):
            for player, name in enumerate(rules.players):
                yield _said(session, group, f"{_word(name)}.{_word(group.name)}", player)


def _said(session: Session, group: SlotGroup, name: str, index: int) -> str:
    value = session.state[group.base + index]
    if isinstance(group.type, FlagType):
        return name if value else f"not {name}"
    assert group.type is not None
    sign = "=" if isinstance(group.type, NumberType) and not (group.type.optional and value < 0) else "is"
    return f"{name} {sign} {_word(session.names.value(group.type, value, session.state))}"


def _holds(session: Session, text: str) -> bool:
    try:
        return session.evaluate(text) is True
    except (DslError, Fault):
        return False


def _word(name: str) -> str:
    """A name as one word, so that reserved words in it do no harm."""
    return "_".join(name.split())


def quoted(text: str) -> str:
    """A text as YAML: bare where nothing in it means anything, else between quotes."""
    if _SIMPLE.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def _wrapped(head: str, items: Sequence[str]) -> list[str]:
    """A list on as many lines as it needs."""
    lines, line = [], head
    for number, item in enumerate(items):
        piece = item + (", " if number + 1 < len(items) else "]")
        if len(line) + len(piece) > _LINE:
            lines.append(line.rstrip())
            line = "  "
        line += piece
    return [*lines, line]
