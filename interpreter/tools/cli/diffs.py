"""Differences between two texts of a file, as `patch` takes them."""

from __future__ import annotations

import difflib

__all__ = ["unified"]


def unified(name: str, before: str, after: str) -> str:
    """The unified difference; empty where there is none."""
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, as for `patch`."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([text.rpartition("\n")[2]] if text[-1:] != "\n" else [])
