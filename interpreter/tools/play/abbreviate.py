"""Short forms of names for cells of a drawn board.

Initials of the words, or the first letter; where two names would look the same, both grow letter by letter until they
differ. Invariant: different names have different short forms, and a name's form depends only on the set of names.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["abbreviate"]


def abbreviate(names: Iterable[str]) -> dict[str, str]:
    """A short form for each name."""
    wanted = sorted(set(names))
    forms = {name: _initials(name) for name in wanted}
    length = 1
    while len(set(forms.values())) < len(wanted):
        length += 1
        for form in [form for form in set(forms.values()) if list(forms.values()).count(form) > 1]:
            for name in [name for name in wanted if forms[name] == form]:
                forms[name] = _longer(name, length)
    return forms


def _initials(name: str) -> str:
    words = name.split()
    if len(words) > 1:
        return "".join(word[0] for word in words)
    return name[:1]


def _longer(name: str, length: int) -> str:
    """So many letters of the last word that tells, after the initials of the words before; at last the whole name."""
    *before, last = name.split() or [name]
    form = "".join(word[0] for word in before) + last[:length]
    return name if length > len(last) else form
