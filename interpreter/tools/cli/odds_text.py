"""Odds as lines: the outcome, a fraction, a percentage, and a bar.

Numbers come in their order, anything else the likeliest first. A share that was sampled is given with its interval
and without a fraction, so that nobody takes it for exact.

Invariant: one line an outcome, in the same order in every format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from interpreter.analysis.odds import Answer, Odds, Outcome, Share

__all__ = ["answer_lines", "mean_interval", "mean_of", "odds_table", "sorted_outcomes", "worded"]

_BAR = 24


_Z = 1.959964  # two-sided 95 %


def answer_lines(answer: Answer) -> Iterator[str]:
    """The lines of an answer: its distributions, each with its mean, and how it was found."""
    if answer.condition is not None:
        yield f"what is given holds with {_share(answer.is_exact, answer.condition).strip()}"
    alone = len(answer.parts) == 1
    for part in answer.parts:
        odds = worded(part.odds)
        if alone:
            yield from _table(odds)
            yield from _mean(odds)
        elif len(odds.shares) == 1 and odds.is_exact:
            yield f"{part.name}: {next(iter(odds.shares))}"
        else:
            yield f"{part.name}:"
            yield from (f"  {line}" for line in (*_table(odds), *_mean(odds)))
    if not answer.is_exact:
        yield _sampled(answer.runs)
    if answer.stopped:
        yield "interrupted: there would have been more cases"


def worded(odds: Odds[Outcome]) -> Odds[str]:
    """The same by the words of its outcomes."""
    return Odds({outcome.text: share for outcome, share in odds.shares.items()}, odds.is_exact, odds.runs)


def odds_table(odds: Odds[str]) -> list[str]:
    """The lines of a distribution."""
    return [*_table(odds), *([] if odds.is_exact else [_sampled(odds.runs)])]


def _sampled(runs: int) -> str:
    return f"sampled {runs} times: too many ways for the dice to fall; 95 % intervals"


def sorted_outcomes(odds: Odds[str]) -> list[str]:
    """Numbers in their order, anything else the likeliest first."""
    numbers = {outcome: _number(outcome) for outcome in odds.shares}
    if all(number is not None for number in numbers.values()):
        return sorted(odds.shares, key=lambda outcome: (numbers[outcome] or Fraction(0), outcome))
    return sorted(odds.shares, key=lambda outcome: (-odds.shares[outcome].exact, _natural(outcome)))


def _table(odds: Odds[str]) -> list[str]:
    order = sorted_outcomes(odds)
    width = max((len(outcome) for outcome in order), default=0)
    shares = [_share(odds.is_exact, odds.shares[outcome]) for outcome in order]
    shares = [share.rjust(max(map(len, shares))) for share in shares]
    most = max((share.exact for share in odds.shares.values()), default=Fraction(1))
    return [f"{outcome:<{width}}  {share}  {_bar(odds.shares[outcome], most)}".rstrip()
            for outcome, share in zip(order, shares, strict=True)]  # fmt: skip


def _mean(odds: Odds[str]) -> Iterator[str]:
    mean = mean_of(odds)
    if mean is None or len(odds.shares) < 2:
        return
    if odds.is_exact:
        exact = f"{mean.numerator}/{mean.denominator} = " if mean.denominator > 1 else ""
        yield f"mean {exact}{float(mean):.4g}"
    else:
        low, high = mean_interval(odds, mean)
        yield f"mean {float(mean):.4g} ({low:.4g} to {high:.4g})"


def mean_interval(odds: Odds[str], mean: Fraction) -> tuple[float, float]:
    """The interval (95 %) of the mean of a sample; the mean itself where it is exact."""
    if odds.is_exact:
        return float(mean), float(mean)
    squares = sum(float(share.exact) * float((_number(text) or 0) - mean) ** 2 for text, share in odds.shares.items())
    spread = _Z * sqrt(squares / max(1, odds.runs - 1))
    return float(mean) - spread, float(mean) + spread


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


def _share(is_exact: bool, share: Share) -> str:
    percent = f"{float(share.exact) * 100:6.2f} %"
    if is_exact:
        fraction = f"{share.exact.numerator}/{share.exact.denominator}"
        return f"{fraction:>12} {percent}"
    return f"{percent} ({share.low * 100:.2f} to {share.high * 100:.2f})"


def _bar(share: Share, most: Fraction) -> str:
    return "█" * max(1, round(_BAR * share.exact / most)) if share.exact else ""
