"""What a player may say besides choosing: undo, why, odds, help, and the like.

Each order is one function of the match and the rest of the line. Orders only ask the session; none of them knows the
game. Invariant: an order that does not move the game leaves it exactly as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.runtime.session import Session
from interpreter.tools.play.discreet import HIDDEN_ANSWER, known_to
from interpreter.tools.play.explained import explain_choice, explain_value
from interpreter.tools.play.menu import Answer, menu_of, read_answer
from interpreter.tools.play.saving import save_to

if TYPE_CHECKING:
    from interpreter.tools.play.match import Match

__all__ = ["ORDERS", "Order", "find_order"]

_LOG_LINES = 30


@frozen
class Order:
    """One order."""

    name: str
    """The word or words that give it."""
    rest: str
    """What follows, for the help; "" for nothing."""
    summary: str
    run: Callable[[Match, str], None]
    needs_rest: bool = False


def _undo(match: Match, rest: str) -> None:
    match.session.undo()


def _undo_turn(match: Match, rest: str) -> None:
    match.session.undo_turn()


def _why(match: Match, rest: str) -> None:
    _tell(match, rest, explain_value)


def _why_not(match: Match, rest: str) -> None:
    _tell(match, rest, explain_choice)


def _tell(match: Match, rest: str, explain: Callable[[Session, str], Iterable[str]]) -> None:
    """An explanation, as far as the player in front of the screen may know it."""
    lines = known_to(match.session, match.viewer, lambda session: list(explain(session, rest)))
    for line in [f"{rest}: {HIDDEN_ANSWER}"] if lines is None else lines:
        match.screen.say(line)


def _odds(match: Match, rest: str) -> None:
    from interpreter.tools.play.option_odds import odds_after, odds_lines

    session = match.session
    word, _, text = rest.partition(" ")
    if word:
        answer = read_answer(menu_of(session), word)
        if not isinstance(answer, Answer):
            answer = read_answer(menu_of(session), rest)
            text = ""
        if not isinstance(answer, Answer):
            match.screen.say(answer.message)
            return
        options = answer.options[:1]
    else:
        options = session.options
    if text.strip():
        lines = odds_after(session, options[0], text.strip(), match.viewer)
    else:
        lines = odds_lines(session, options, match.viewer)
    for line in lines:
        match.screen.say(line)


def _if(match: Match, rest: str) -> None:
    from interpreter.tools.play.foretold import foretold

    session = match.session
    answer = read_answer(menu_of(session), rest)
    if isinstance(answer, Answer):
        name, codes = answer.options[0].name, tuple(option.code for option in answer.options)
    else:
        choice = session.find(rest)
        name, codes = choice.name, choice.codes
    for line in foretold(session, name, codes, match.viewer):
        match.screen.say(line)


def _log(match: Match, rest: str) -> None:
    lines = match.session.log(match.viewer)
    count = int(rest) if rest.isdigit() else _LOG_LINES
    if len(lines) > count:
        match.screen.say(f"(the last {count} of {len(lines)} lines; `log {len(lines)}` shows all)")
    for line in lines[max(0, len(lines) - count) :]:
        match.screen.say(line)


def _help(match: Match, rest: str) -> None:
    if not rest:
        for order in ORDERS:
            said = f"{order.name} {order.rest}".strip()
            match.screen.say(f"{said:<18} {order.summary}")
        match.screen.say(f"{'/text':<18} show only the options that hold a text")
        match.screen.say("An option is chosen by its number, its name, or the beginning of its name.")
        return
    from interpreter.workspace.declared import describe_named, text_reader

    rules = match.session.rules
    reader = text_reader(rules.files)
    for line in describe_named(rules.game, rest, reader, drawn=match.screen.draws):
        match.screen.say(line)


def _view(match: Match, rest: str) -> None:
    match.show_table()


def _options(match: Match, rest: str) -> None:
    menu = menu_of(match.session)
    match.screen.menu(match.prompt(), menu, range(len(menu.options)))


def _save(match: Match, rest: str) -> None:
    save_to(match.session, Path(rest))
    match.screen.say(f"saved to {rest}")


def _quit(match: Match, rest: str) -> None:
    """Ends the talk; done by the match itself."""


ORDERS = (
    Order("undo turn", "", "take back all that was chosen in this turn", _undo_turn),
    Order("undo", "", "take back the last choice", _undo),
    Order("why not", "CHOICE", "why a choice is not offered", _why_not, True),
    Order("why", "EXPR", "how a number comes about", _why, True),
    Order("odds", "[N [EXPR]]", "what may follow from the options, or from option N", _odds),
    Order("if", "CHOICE", "what follows right away from a choice, by number or name (also `? N`)", _if, True),
    Order("log", "[COUNT]", "what happened", _log),
    Order("help", "[NAME]", "these orders, or what the rules say about a name", _help),
    Order("view", "", "the table", _view),
    Order("options", "", "the options", _options),
    Order("save", "FILE", "save the game; a name that ends in .test.yaml: as a played example", _save, True),
    Order("quit", "", "end; the game is saved", _quit),
)
"""Every order; longer names before shorter ones that begin them."""


def find_order(text: str) -> tuple[Order, str] | None:
    """The order that a line gives, and the rest of the line, which may be missing; None when it gives none."""
    if text.startswith("?"):
        text = f"if {text[1:]}"
    words = text.split()
    for order in ORDERS:
        name = order.name.split()
        if [word.casefold() for word in words[: len(name)]] == name:
            rest = text.split(None, len(name))[len(name) :]
            said = rest[0].strip() if rest else ""
            if not order.rest and said:
                continue
            return order, said
    return None
