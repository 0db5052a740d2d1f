"""Odds as JSON, for programs; docs/odds.md says what each key holds.

Fractions are texts (`"5/18"`), since numbers of JSON would round them. Invariant: a key that is there is there in every
answer; keys are added, never changed, within one format version.
"""

from __future__ import annotations

import json
from fractions import Fraction

from interpreter.analysis.odds import Answer, Part, Question, Share
from interpreter.tools.cli.odds_text import mean_interval, mean_of, sorted_outcomes, worded

__all__ = ["answer_json"]

FORMAT_VERSION = 1


def answer_json(rules: str, question: Question, answer: Answer) -> str:
    """The text of an answer."""
    data = {
        "format_version": FORMAT_VERSION,
        "rules": rules,
        "question": question.text,
        "kind": answer.kind,
        "with_setup": question.with_setup,
        "steps": [{how: text} for how, text in question.steps],
        "given": list(question.given),
        "given_probability": None if answer.condition is None else _share(answer.condition, answer.is_exact),
        "exact": answer.is_exact,
        "runs": answer.runs,
        "interrupted": answer.stopped,
        "distributions": [_part(part) for part in answer.parts],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _part(part: Part) -> dict[str, object]:
    odds = worded(part.odds)
    values = {outcome.text: outcome.value for outcome in part.odds.shares}
    mean = mean_of(odds)
    return {
        "of": part.name,
        "outcomes": [
            {"outcome": text, "value": _plain(values[text]), **_share(odds.shares[text], odds.is_exact)}
            for text in sorted_outcomes(odds)
        ],
        "mean": None
        if mean is None
        else {
            "fraction": _fraction(mean) if odds.is_exact else None,
            "number": float(mean),
            "interval": list(mean_interval(odds, mean)),
        },
    }


def _share(share: Share, is_exact: bool) -> dict[str, object]:
    return {
        "fraction": _fraction(share.exact) if is_exact else None,
        "probability": float(share.exact),
        "interval": [share.low, share.high],
    }


def _fraction(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"


def _plain(value: object) -> object:
    """A value as JSON has it: half points as numbers, sets as lists."""
    if isinstance(value, Fraction):
        return float(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
