"""The nearest name to a misspelt one.

Most unknown names are slips: a letter missing, doubled or swapped with its neighbour, another case, an underscore
for a space, or the words of a name in another order. Names that differ only in such writing are equal here; for the
rest the distance of Damerau (insert, drop, change, or swap neighbours, each one step) decides, and about a third of
the letters may differ: past that a suggestion confuses more than it helps. Invariant: the answer depends only on the
set of candidates, never on their order, and is never the word itself.
"""

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be, or none when all are too far."""
    names = sorted(set(candidates) - {word, ""})
    plain = _plain(word)
    if not plain:
        return None
    limit = min(max(len(plain), 3) // 3, len(plain) - 1)
    best: tuple[int, int, str] | None = None
    for name in names:
        other = _plain(name)
        reach = limit if best is None else best[0]
        if other == plain:
            steps = 0
        elif abs(len(other) - len(plain)) > reach:
            continue
        else:
            steps = _distance(plain, other, reach)
        if steps <= reach:
            rank = (steps, _distance(word, name, len(word) + len(name)), name)
            best = rank if best is None else min(best, rank)
    if best is not None:
        return best[2]
    words = sorted(plain.split())
    if len(words) > 1:
        return next((name for name in names if sorted(_plain(name).split()) == words), None)
    return None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help text that offers the nearest name, or none when all are too far."""
    name = nearest(word, candidates)
    return None if name is None else f"did you mean `{name}`?"


def _plain(name: str) -> str:
    """A name as it is heard: no case, and one space wherever words are joined."""
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _distance(a: str, b: str, limit: int) -> int:
    """Steps from `a` to `b`; some number above `limit` as soon as the way is known to be longer.

    The table of the textbook, three rows at a time: a swap looks two rows back.
    """
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            steps = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                steps = min(steps, before[j - 2] + 1)
            row.append(steps)
        if min(row) > limit:
            return limit + 1
        before, last = last, row
    return last[-1]
