"""A comparison as text and as JSON.

Data, format version 1:

    {"format": "rulewright comparison", "format_version": 1, "level": 0.05, "games": 20000, "shards": 80, "same": 0,
     "versions": [{"path", "title", "fingerprint", "players"}, {...}],
     "differences": [{"key", "title", "group", "is_share", "a", "b", "difference", "low", "high", "is_real", "tail",
                      "could_see"}],
     "only_in_a": ["..."], "only_in_b": ["..."]}

`difference` is how much more the second version has, `low` and `high` its interval at the level at which it was judged
(Holm), `tail` the chance of such a difference where there is none, `could_see` the size that would have been found four
times out of five. `same` counts the shards in which every game went alike.

Invariant: what is called real is what `Comparison.real` says, in both forms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from interpreter.analysis.simulate.compare import LEAST, Comparison, Difference, Version
from interpreter.tools.simulation.text import percent, table

__all__ = ["comparison_data", "comparison_text"]

_NAMED = 40
_GROUPS = (("outcome", "how games end and go"), ("choice", "what is chosen"), ("rule", "what of the rules is used"))


def comparison_text(found: Comparison, versions: Sequence[Version], seed: int, seconds: float | None) -> str:
    """The whole report."""
    return "".join(line + "\n" for line in _lines(found, versions, seed, seconds))


def _lines(found: Comparison, versions: Sequence[Version], seed: int, seconds: float | None) -> Iterator[str]:
    for letter, version in zip("AB", versions, strict=True):
        yield f"{letter}: {version.rules.title}, {version.rules.configuration.text()}"
    seats = (f"{player} {seat}" for player, seat in zip(versions[0].rules.players, versions[0].job.seats, strict=True))
    last = seed + found.games - 1
    took = "" if seconds is None else f", in {seconds:.1f} s"
    yield f"{found.games:,} games of each with the same seeds ({seed} to {last}), {', '.join(seats)}{took}"
    yield ""
    if not found.is_enough:
        yield f"too few games to say anything: {found.shards} shards, at least {LEAST} are needed; give it more time"
        return
    if found.same == found.shards:
        yield "no difference: every game went the same way in both"
        return
    real = found.real
    chance = f"{100 * found.level:g} %"
    if real:
        yield f"differences that are real (the chance that any of them is a false alarm is below {chance}):"
        for group, title in _GROUPS:
            yield from _real(title, [each for each in real if each.metric.group == group])
    else:
        yield f"no difference that is real (a false alarm would have had a chance below {chance})"
    yield from _not_found(found)
    yield from _only("A", found.only_mine)
    yield from _only("B", found.only_its)


def _real(title: str, real: Sequence[Difference]) -> Iterator[str]:
    if not real:
        return
    head = (f"  {title}", "A", "B", "difference", "interval")
    lines: list[tuple[str, ...]] = [head]
    together: dict[tuple[float, ...], list[Difference]] = {}
    for each in real:
        together.setdefault((each.mine, each.its, each.difference), []).append(each)
    for first, *alike in list(together.values())[:_NAMED]:
        lines.append((f"    {' '.join(first.metric.title.split())}", *_cells(first)))
        if alike:
            lines.append((f"      and {len(alike)} more with these numbers",))
    if len(together) > _NAMED:
        lines.append((f"    ... and {len(together) - _NAMED} more; `--format json` lists all",))
    yield from table(lines)


def _cells(each: Difference) -> tuple[str, str, str, str]:
    if each.metric.is_share:
        numbers = percent(each.mine), percent(each.its)
        scale = 100.0
    else:
        digits = _digits(each.high - each.low)
        numbers = f"{each.mine:.{digits}f}", f"{each.its:.{digits}f}"
        scale = 1.0
    digits = _digits(scale * (each.high - each.low))
    low, middle, high = (f"{scale * value:+.{digits}f}" for value in (each.low, each.difference, each.high))
    return (*numbers, middle, f"{low} to {high}")


def _digits(width: float) -> int:
    digits = 0
    while digits < 5 and 0 < width < 10 ** (1 - digits):
        digits += 1
    return digits


def _not_found(found: Comparison) -> Iterator[str]:
    """What was looked at in vain, and how small a difference would have been seen."""
    others = [each for each in found.differences if each.metric.group == "outcome" and not each.is_real]
    lines = [("no difference found in", "A", "B", "would have been seen from")]
    for each in others:
        if each.could_see == 0 and each.mine == each.its == 0:
            continue
        scale = 100.0 if each.metric.is_share else 1.0
        size = f"{scale * each.could_see:.{_digits(scale * each.could_see)}f}"
        numbers = _cells(each)[:2]
        lines.append((f"  {each.metric.title}", *numbers, size))
    if len(lines) > 1:
        yield ""
        yield from table(lines)
    uses = [each for each in found.differences if each.metric.group != "outcome"]
    silent = sum(1 for each in uses if not each.is_real)
    if silent:
        yield f"nor in {silent} of {len(uses)} numbers about what is chosen and used"


def _only(letter: str, titles: Sequence[str]) -> Iterator[str]:
    if titles:
        yield ""
        yield f"only in {letter}:"
        yield from (f"  {title}" for title in titles[:_NAMED])
        if len(titles) > _NAMED:
            yield f"  ... and {len(titles) - _NAMED} more"


def comparison_data(found: Comparison, versions: Sequence[Version]) -> str:
    """The whole document."""
    document = {
        "format": "rulewright comparison",
        "format_version": 1,
        "level": found.level,
        "games": found.games,
        "shards": found.shards,
        "same": found.same,
        "versions": [
            {
                "path": version.rules.configuration.rules,
                "title": version.rules.title,
                "fingerprint": version.rules.program.fingerprint,
                "players": list(version.rules.players),
            }
            for version in versions
        ],
        "differences": [
            {
                "key": each.metric.key,
                "title": each.metric.title,
                "group": each.metric.group,
                "is_share": each.metric.is_share,
                "a": each.mine,
                "b": each.its,
                "difference": each.difference,
                "low": each.low,
                "high": each.high,
                "is_real": each.is_real,
                "tail": each.tail,
                "could_see": each.could_see,
            }
            for each in found.differences
        ],
        "only_in_a": list(found.only_mine),
        "only_in_b": list(found.only_its),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
