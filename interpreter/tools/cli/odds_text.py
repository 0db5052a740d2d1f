"""Odds as lines: the outcome, a fraction, a percentage, and a bar.

Numbers come in their order, anything else the likeliest first. A share that was sampled is given with its interval
and without a fraction, so that nobody takes it for exact. Invariant: one line an outcome.
"""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.analysis.odds import Odds, Share
from interpreter.runtime.names import number_text

__all__ = ["mean_of", "odds_table", "outcome_text"]

_BAR = 24


def odds_table(odds: Odds[str]) -> list[str]:
    """The lines of a distribution."""
    numbers = {outcome: _number(outcome) for outcome in odds.shares}
    if all(number is not None for number in numbers.values()):
        order = sorted(odds.shares, key=lambda outcome: (numbers[outcome] or Fraction(0), outcome))
    else:
        order = sorted(odds.shares, key=lambda outcome: (-odds.shares[outcome].exact, _natural(outcome)))
    width = max((len(outcome) for outcome in order), default=0)
    most = max((share.exact for share in odds.shares.values()), default=Fraction(1))
    lines = [f"{outcome:<{width}}  {_share(odds, odds.shares[outcome])}  {_bar(odds.shares[outcome], most)}".rstrip()
             for outcome in order]  # fmt: skip
    if not odds.is_exact:
        lines.append(f"sampled {odds.runs} times: too many ways for the dice to fall; 95 % intervals")
    return lines


def mean_of(odds: Odds[str]) -> Fraction | None:
    """The mean, where every outcome is a number."""
    total = Fraction(0)
    for outcome, share in odds.shares.items():
        number = _number(outcome)
        if number is None:
            return None
        total += number * share.exact
    return total


def _natural(text: str) -> list[tuple[int, str]]:
    """A key that puts `Hold 7` before `Hold 10`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def _number(text: str) -> Fraction | None:
    try:
        whole, half = (text[:-1], Fraction(1, 2)) if text.endswith("½") else (text, Fraction(0))
        sign = -1 if whole.startswith("-") else 1
        return Fraction(whole or "0") + sign * half if whole != "-" else -half
    except ValueError:
        return None


def _share(odds: Odds[str], share: Share) -> str:
    percent = f"{float(share.exact) * 100:6.2f} %"
    if odds.is_exact:
        fraction = f"{share.exact.numerator}/{share.exact.denominator}"
        return f"{fraction:>12} {percent}"
    return f"{percent} ({share.low * 100:.2f} to {share.high * 100:.2f})"


def _bar(share: Share, most: Fraction) -> str:
    return "█" * max(1, round(_BAR * share.exact / most)) if share.exact else ""


def outcome_text(value: object) -> str:
    """A value of the rules language as an outcome."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, int | Fraction):
        return number_text(value)
    if isinstance(value, tuple):
        return ", ".join(outcome_text(each) for each in value) or "nothing"
    return str(value)
