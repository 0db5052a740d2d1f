"""Names for generated Python: valid, readable, each used once.

Names of the program may have spaces, dots, hyphens or letters of any script, and may be words of Python. Invariant:
within one scope two names of the program never share a Python name, none hides a built-in, and none is `S`, `T` or
`_`.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata

_TAKEN = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | {"S", "T", "_"}
_NOT_WORD = re.compile(r"\W+")


class Names:
    """The names of one scope; `outer` is a scope whose names must not be hidden."""

    def __init__(self, outer: Names | None = None) -> None:
        self.outer = outer
        self._given: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()

    def name(self, what: str, original: str, wanted: str | None = None) -> str:
        """The Python name of the thing `original` of a sort `what`; made from `wanted` or itself at the first call."""
        known = self._given.get((what, original))
        if known is None:
            known = self._given[what, original] = self.fresh(original if wanted is None else wanted)
        return known

    def fresh(self, wanted: str) -> str:
        """A Python name like `wanted` that nothing else has."""
        base = python_name(wanted)
        if base in _TAKEN:
            base += "_"
        name, count = base, 1
        while self._is_taken(name):
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        return name in _TAKEN or name in self._taken or (self.outer is not None and self.outer._is_taken(name))


def python_name(text: str) -> str:
    """The nearest valid identifier (it may still be a word of Python)."""
    name = _NOT_WORD.sub("_", unicodedata.normalize("NFKC", text)).strip("_")
    if name.isidentifier():
        return name
    name = "".join(letter if f"x{letter}".isidentifier() else "_" for letter in name)
    return name if name.isidentifier() else f"x_{name}".rstrip("_")


__all__ = ["Names", "python_name"]
