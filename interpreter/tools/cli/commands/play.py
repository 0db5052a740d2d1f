"""`dsl play`: a game in the terminal, for people, bots, scripts, or all of them.

Whatever ends the talk before the game, Ctrl-C or the end of input, leaves a save behind and says how to go on from it.
With `--auto` nobody is asked: the log and the outcome are printed, the same for the same seed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, INTERRUPTED, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

if TYPE_CHECKING:
    from interpreter.runtime import Rules, Session
    from interpreter.tools.play.answers import Answers
    from interpreter.tools.play.match import Match

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl play dragons.rules --option expert
dsl play dragons.rules --seat Ann=human --seat Bob=human   two people, one device
dsl play dragons.rules --seat Bob=mcts:2s                  against a bot that thinks for two seconds
dsl play dragons.rules --auto --seed 7                     bots only: the log and the outcome
dsl play dragons.rules --script moves.txt --plain          choices from a file, one a line
dsl play skirmish.rules --roster Ann=my_band.yaml          with a list of her own
dsl play --resume dragons-1.save
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", nargs="?", metavar="RULES", help="a rules file, or the bare name of a game that ships")
    add_configuration(parser)
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=WHO",
        help="WHO is human, random, greedy or mcts, which may be told how many games to try out (mcts:5000) or how long"
        " to think (mcts:2s); repeatable (default: a human first, random bots)",
    )
    parser.add_argument(
        "--roster",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a list that a player brings instead of the ready-made one; repeatable",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the dice (default: another one every time)")
    parser.add_argument("--save", metavar="FILE", help="where the game is saved; .test.yaml: as a played example")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--auto", action="store_true", help="bots only: print the log and the outcome")
    parser.add_argument("--script", metavar="FILE", help="take choices from a file, one a line; `-` is standard input")
    parser.add_argument("--plain", action="store_true", help="plain lines, for screen readers and scripts")


def _run(arguments: Arguments) -> int:
    from interpreter.diagnostics import RulesError
    from interpreter.tools.cli.saved import rules_error_text
    from interpreter.tools.play.match import BadScript

    session = _session(arguments)
    match = _match(session, arguments)
    try:
        code = _play(match, arguments)
    except KeyboardInterrupt:
        with streams.uninterrupted():
            streams.write_out("\n")
            _save(session, arguments, needed=True)
        return INTERRUPTED
    except BadScript as fault:
        _save(session, arguments, needed=False)
        raise UsageFault(str(fault)) from fault
    except RulesError as fault:
        _save(session, arguments, needed=True)
        raise UsageFault(
            f"the rules cannot go on:\n{rules_error_text(fault, session.rules.files)}", FINDINGS
        ) from fault
    return code


def _session(arguments: Arguments) -> Session:
    from interpreter.diagnostics import RulesError
    from interpreter.tools.cli.games import load_game
    from interpreter.tools.cli.saved import open_save, rules_error_text

    if arguments.resume is not None:
        chosen = (arguments.option, arguments.scenario, arguments.roster)
        if any(chosen) or arguments.players is not None or arguments.seed is not None:
            raise UsageFault(
                "--resume goes on as saved: it takes no --option, --players, --scenario, --roster or --seed"
            )
        return open_save(arguments.resume)
    if arguments.rules is None:
        raise UsageFault("what is to be played? name a rules file or a game of `dsl list`, or --resume a save")
    rules = load_game(arguments)
    rosters = _rosters(arguments, rules)
    try:
        return rules.start(seed=_seed() if arguments.seed is None else arguments.seed, rosters=rosters)
    except RulesError as fault:
        are_lists = all(found.code[:2] in _LISTS for found in fault.diagnostics)
        what = "these lists cannot be played" if are_lists else "the rules cannot begin"
        raise UsageFault(f"{what}:\n{rules_error_text(fault, rules.files)}", FINDINGS) from fault


_LISTS = ("D1", "D5", "D9")
"""Codes of what can be wrong with a list."""


def _rosters(arguments: Arguments, rules: Rules) -> dict[str, list[str]]:
    """The lists that were named, by player."""
    from interpreter.tools.play.seats import SeatFault, player_number

    found: dict[str, list[str]] = {}
    for given in arguments.roster:
        name, equals, file = given.partition("=")
        if not equals or not file:
            raise UsageFault(f"--roster `{given}`: expected NAME=FILE")
        try:
            player = rules.players[player_number(rules.players, name)]
        except SeatFault as fault:
            raise UsageFault(str(fault)) from fault
        found.setdefault(player, []).append(file)
    return found


def _seed() -> int:
    import secrets

    return secrets.randbelow(1_000_000)


def _match(session: Session, arguments: Arguments) -> Match:
    from interpreter.tools.play.match import Match
    from interpreter.tools.play.screen import screen_for
    from interpreter.tools.play.seats import SeatFault, seats_of

    try:
        seats = seats_of(session.rules.players, arguments.seat, auto=arguments.auto)
    except SeatFault as fault:
        raise UsageFault(str(fault)) from fault
    plain = arguments.plain or arguments.auto
    screen = screen_for(plain=plain, colour=streams.has_colour(arguments.color))
    shown = not arguments.auto
    return Match(session, seats, screen, _answers(arguments), show_sheets=shown, remark=streams.remark)


def _answers(arguments: Arguments) -> Answers:
    from interpreter.tools.play.answers import Keyboard, Script, ScriptThen

    keyboard = Keyboard()
    if arguments.script is None:
        return keyboard
    if arguments.script == "-":
        return Script.of(sys.stdin.read().splitlines())
    try:
        lines = Path(arguments.script).read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise UsageFault(f"script `{arguments.script}`: {(fault.strerror or str(fault)).lower()}") from fault
    except UnicodeDecodeError as fault:
        raise UsageFault(f"script `{arguments.script}` is not UTF-8") from fault
    return ScriptThen(Script.of(lines), keyboard if keyboard.interactive else None)


def _play(match: Match, arguments: Arguments) -> int:
    session = match.session
    match.screen.say(_headline(session))
    ending = match.play()
    if ending == "over":
        if match.show_sheets:
            match.show_table()
        if session.outcome is not None:
            match.screen.say(session.outcome.text(session.rules.players))
        _save(session, arguments, needed=False)
        return FINE
    if ending == "quit":
        _save(session, arguments, needed=_wants_save(match, arguments))
        return FINE
    if arguments.script is not None:
        match.screen.say("the script has ended, the game has not")
        _save(session, arguments, needed=False)
        return FINE
    _save(session, arguments, needed=True)
    return INTERRUPTED


def _headline(session: Session) -> str:
    seed = "" if session.seed is None else f", seed {session.seed}"
    return f"{session.rules.title}{seed}"


def _wants_save(match: Match, arguments: Arguments) -> bool:
    """Whether a game that is left on purpose is kept: asked where somebody can answer, else yes."""
    if arguments.save is not None or not match.answers.interactive:
        return True
    answer = match.answers.read("Save the game? (yes/no) ")
    return answer is None or not answer.strip().lower().startswith("n")


def _save(session: Session, arguments: Arguments, *, needed: bool) -> None:
    """Saves to the file that was named, or when needed to a new one in the current folder; says how to go on."""
    from interpreter.diagnostics import DslError
    from interpreter.tools.play.saving import is_example, save_to

    if arguments.save is None and not needed:
        return
    path = Path(arguments.save) if arguments.save is not None else _free_name(session)
    try:
        save_to(session, path)
    except DslError as fault:
        raise UsageFault(f"the game could not be saved: {fault}") from fault
    if is_example(path):
        streams.remark(f"saved to {path}; play it again with: dsl test {path}")
    elif session.is_over:
        streams.remark(f"saved to {path}; see it again with: dsl replay {path}")
    else:
        streams.remark(f"saved to {path}; go on with: dsl play --resume {path}")


def _free_name(session: Session) -> Path:
    stem = Path(session.rules.configuration.rules).stem or "game"
    number = 1
    while (path := Path(f"{stem}-{number}.save")).exists():
        number += 1
    return path


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
