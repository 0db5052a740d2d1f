"""The pages behind the codes: what a finding means, why it matters, and how it is put right.

The folder of pages beside this module is the registry of codes. There is no second list to keep in step, and a new
code is one new file, `pages/D204.md`, whose first line is `# D204: title`. Invariant: a code has a page exactly if
its file exists, and pages are read only when asked for.
"""

import re
from functools import cache
from pathlib import Path

from attrs import frozen

__all__ = ["Page", "all_codes", "page"]

_FOLDER = Path(__file__).with_name("pages")
_CODE = re.compile(r"D[0-9]{3}")


@frozen
class Page:
    """The page of one code."""

    code: str
    """The code, such as `D204`."""
    title: str
    """The kind of finding in a few words."""
    text: str
    """The whole page in Markdown, its title line included."""


@cache
def page(code: str) -> Page | None:
    """The page of a code, written in either case; none for a code that does not exist."""
    code = code.upper()
    file = _FOLDER / f"{code}.md"
    if not _CODE.fullmatch(code) or not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    return Page(code, first.removeprefix(f"# {code}:").strip(), text)


def all_codes() -> list[str]:
    """Every code that has a page, in order."""
    return sorted(file.stem for file in _FOLDER.glob("D*.md") if _CODE.fullmatch(file.stem))
