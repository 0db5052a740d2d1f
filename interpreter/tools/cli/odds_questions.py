"""The questions about odds that a session can answer.

Dice in an expression are put in as numbers: the text is cut at its dice, and asked once for every combination of their
sums, weighted by how many ways lead to each sum. So `roll 3d6` costs 16 questions, not 216. Questions about play run
the game itself under given dice.

Invariant: the session asked is not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from attrs import fields, has

from interpreter.analysis.odds import DEFAULT_SAMPLES, Given, Odds, Share, odds_of
from interpreter.backends.api import Fault
from interpreter.diagnostics import Diagnostics, InvalidChoice, RulesError, did_you_mean
from interpreter.runtime import Session
from interpreter.semantics.describe import plain_name
from interpreter.semantics.model import Function
from interpreter.syntax import ast, parse_snippet
from interpreter.tools.cli.odds_text import outcome_text

__all__ = ["evaluated", "is_effect", "odds_of_dice", "odds_of_effect", "odds_of_play"]

_MOST_QUESTIONS = 5_000
_MOST_DICE = 40


def odds_of_play(session: Session, text: str, choices: Sequence[str], effect: str | None, limit: int) -> Odds[str]:
    """The value of an expression after some choices, then an effect, under every way that the dice can fall."""
    carry_out = None if effect is None else _effect(session, effect)

    def run(given: Given) -> str:
        copy = Session(session.rules, list(session.state), chance=given)
        for choice in choices:
            copy.choose(choice)
        if carry_out is not None:
            carry_out(copy, given)
        return outcome_text(evaluated(copy, text))

    return odds_of(run, limit=limit)


def is_effect(session: Session, name: str) -> bool:
    """Whether a text is the name of an effect, not of a value."""
    return _effect_named(session, name) is not None


def odds_of_effect(session: Session, name: str, choices: Sequence[str], limit: int) -> Odds[str]:
    """What an effect changes, under every way that the dice can fall."""
    carry_out = _effect(session, name)

    def run(given: Given) -> str:
        copy = Session(session.rules, list(session.state), chance=given)
        for choice in choices:
            copy.choose(choice)
        before = list(copy.state)
        carry_out(copy, given)
        return ", ".join(_changes(copy, before)) or "nothing changes"

    return odds_of(run, limit=limit)


def _changes(session: Session, before: Sequence[int]) -> Iterator[str]:
    """What differs from an earlier state, as everybody may see it."""
    rules = session.rules
    hidden = session.sight.unseen_matters(session.state, None)
    for group in rules.program.layout.groups:
        if group.what not in ("variable", "place") or (group.type is None and group.what == "variable"):
            continue
        slots = [slot for slot in range(group.base, group.base + group.count)
                 if before[slot] != session.state[slot] and slot not in hidden]  # fmt: skip
        if group.what == "place" and slots:
            yield f"{len(slots)} {group.name} moved"
        elif group.type is not None and len(slots) == 1 and group.count == 1:
            yield f"{group.name} {session.names.value(group.type, session.state[slots[0]], session.state)}"
        elif slots:
            yield f"{len(slots)} {group.name} changed"


def _effect_named(session: Session, name: str) -> Function | None:
    wanted = plain_name(name).casefold()
    functions = session.rules.game.functions.values()
    return next((f for f in functions if f.form == "effect" and plain_name(f.name).casefold() == wanted), None)


def _effect(session: Session, name: str) -> Callable[[Session, Given], None]:
    """Carries out an effect that takes nothing and asks nobody."""
    game, program = session.rules.game, session.rules.program
    function = _effect_named(session, name)
    if function is None:
        offer = did_you_mean(name, [each.name for each in game.functions.values() if each.form == "effect"])
        raise InvalidChoice(f"no effect `{name}`" + (f": {offer}" if offer else ""))
    if function.parameters:
        raise InvalidChoice(f"effect `{function.name}` needs {', '.join(local.name for local in function.parameters)}")
    if function.suspends:
        raise InvalidChoice(f"effect `{function.name}` asks somebody: use --choose with what is chosen")
    code = next((each.name for each in program.functions.values()
                 if each.title == function.name and each.returns == "nothing"), None)  # fmt: skip
    if code is None:
        raise InvalidChoice(f"effect `{function.name}` is never carried out in this game")

    def carry_out(copy: Session, given: Given) -> None:
        try:
            copy.rules.backend.call(code, copy.state, watcher=given)
        except Fault as fault:
            raise copy.fault(fault) from fault

    return carry_out


def odds_of_dice(session: Session, text: str, limit: int) -> Odds[str]:
    """The value of an expression in which dice are rolled."""
    sink = Diagnostics()
    tree = parse_snippet(text, sink)
    if tree is None or sink.has_errors:
        raise RulesError(sink)
    dice = sorted(_dice_in(tree), key=lambda node: node.span.start)
    if sum(node.count for node in dice) > _MOST_DICE:
        raise InvalidChoice(f"more than {_MOST_DICE} dice in one expression")
    ways = [_sums(node.count, node.faces) for node in dice]
    pieces = _cut(text, dice)
    if prod(map(len, ways)) > min(limit, _MOST_QUESTIONS):
        return _sampled(session, pieces, ways)
    shares: dict[str, Fraction] = {}
    count = 0
    for chosen in product(*(each.items() for each in ways)):
        count += 1
        outcome = _ask(session, pieces, [total for total, _ in chosen])
        share = prod((weight for _, weight in chosen), start=Fraction(1))
        shares[outcome] = shares.get(outcome, Fraction(0)) + share
    exact = {outcome: Share(share, float(share), float(share)) for outcome, share in shares.items()}
    return Odds(exact, True, count)


def _sampled(session: Session, pieces: Sequence[str], ways: Sequence[dict[int, Fraction]]) -> Odds[str]:
    """Sampled odds: the outcomes of a fixed generator, each combination asked once."""
    known: dict[tuple[int, ...], str] = {}
    random = Random(0)

    def run(given: Given) -> str:
        totals = tuple(random.choices(list(each), [float(w) for w in each.values()])[0] for each in ways)
        given.asked.append(2)  # so that the counter of exact odds never takes this for certain
        if totals not in known:
            known[totals] = _ask(session, pieces, totals)
        return known[totals]

    return odds_of(run, limit=0, samples=min(DEFAULT_SAMPLES, _MOST_QUESTIONS))


def _ask(session: Session, pieces: Sequence[str], totals: Sequence[int]) -> str:
    said = "".join(f"{piece}{total}" for piece, total in zip(pieces, totals, strict=False))
    said += pieces[-1]
    try:
        return outcome_text(evaluated(session, said))
    except RulesError as fault:
        if len(pieces) == 1:
            raise
        raise InvalidChoice(f"`{said}`: {fault.diagnostics[0].message}") from fault


def evaluated(session: Session, text: str) -> object:
    """The value of an expression; what has no value is an error of the rules, never a fault of ours."""
    try:
        return session.evaluate(text)
    except Fault as fault:
        raise session.fault(fault) from fault


def _sums(count: int, faces: int) -> dict[int, Fraction]:
    """How likely each sum of some dice is."""
    sums = {0: Fraction(1)}
    for _ in range(count):
        following: dict[int, Fraction] = {}
        for total, share in sums.items():
            for face in range(1, faces + 1):
                following[total + face] = following.get(total + face, Fraction(0)) + share / faces
        sums = following
    return sums


def _cut(text: str, dice: Sequence[ast.Dice]) -> list[str]:
    """The pieces of a text between its dice."""
    pieces, at = [], 0
    for node in dice:
        start, end = node.span.start.column - 1, node.span.end.column - 1
        pieces.append(text[at:start])
        at = end
    return [*pieces, text[at:]]


def _dice_in(node: object) -> Iterator[ast.Dice]:
    if isinstance(node, ast.Dice):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _dice_in(part)
    elif isinstance(node, ast.Node) and has(type(node)):
        for item in fields(type(node)):
            yield from _dice_in(getattr(node, item.name))
