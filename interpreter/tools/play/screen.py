"""How a game is put before a person: drawn with rules and columns, or plain lines.

Both take the same sheet and menu. The plain one has a stable form: one fact a line, no drawing, no colours, for
screen readers, logs and tests. The drawn one uses rich, which is imported only when it draws.

Invariant: whatever is shown is printable: text from rules cannot move the cursor.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol, TextIO

from attrs import define, field

from interpreter.tools.play.menu import Line, Menu, lines_of
from interpreter.tools.play.tabletop import Sheet, Table

__all__ = ["DrawnScreen", "PlainScreen", "Screen", "folded", "screen_for"]

_EMPTY_LINES = 200
_COLOURS = ("red", "blue", "green", "magenta", "yellow", "cyan")
"""Of the players, in turn order."""


class Screen(Protocol):
    """Where a game is shown."""

    def sheet(self, sheet: Sheet) -> None:
        """The whole table."""
        ...

    def menu(self, prompt: str, menu: Menu, shown: Iterable[int]) -> None:
        """What is decided, and the options at some positions."""
        ...

    def say(self, text: str = "") -> None:
        """A line from the game or about it."""
        ...

    @property
    def columns(self) -> int:
        """How many characters a drawing on the sheet may be wide."""
        ...

    @property
    def draws(self) -> bool:
        """Whether lines are drawn, or only letters and signs of a typewriter written."""
        ...

    def clear(self) -> None:
        """Takes away all that was shown, before the device is handed on."""
        ...


@define
class PlainScreen:
    """Lines of text."""

    stream: TextIO = field(factory=lambda: sys.stdout)
    columns: int = 76
    draws: bool = False

    def sheet(self, sheet: Sheet) -> None:
        self.say()
        self.say(f"== {sheet.title}")
        for part in sheet.parts:
            if isinstance(part, Table):
                for row in part.rows:
                    told = ", ".join(f"{name} {value}" for name, value in zip(part.header[1:], row[1:], strict=True))
                    self.say(f"{row[0]}: {told}")
            else:
                self.say(f"-- {part.title}")
                for line in part.said:
                    self.say(line)

    def menu(self, prompt: str, menu: Menu, shown: Iterable[int]) -> None:
        wanted = set(shown)
        self.say(prompt)
        for heading, positions in menu.groups:
            here = [position for position in positions if position in wanted]
            lines = lines_of(menu, here)
            if heading and _needs_heading(lines):
                self.say(f"- {heading}")
            for line in lines:
                if line.beginning:
                    self.say(f"{_begun(line)} {', '.join(_numbered(line))}")
                else:
                    self.say("".join(f"{position + 1}. {name}" for position, name in line.items))

    def say(self, text: str = "") -> None:
        self.stream.write(printable(text) + "\n")

    def clear(self) -> None:
        if not wiped(self.stream):
            self.say("-" * 40)


@define
class DrawnScreen:
    """Panels and tables by rich."""

    colour: bool = True
    stream: TextIO = field(factory=lambda: sys.stdout)
    _console: object = None

    def sheet(self, sheet: Sheet) -> None:
        from rich.console import Console, Group
        from rich.panel import Panel
        from rich.table import Table as Drawing
        from rich.text import Text

        inside: list[object] = []
        for part in sheet.parts:
            if isinstance(part, Table):
                drawing = Drawing(title=part.title, title_style="bold", title_justify="left")
                for position, name in enumerate(part.header):
                    drawing.add_column(printable(name), justify="left" if position == 0 else "right")
                for row in part.rows:
                    drawing.add_row(*(Text(printable(cell)) for cell in row))
                inside.append(drawing)
            else:
                inside.append(Text(part.title, style="bold"))
                for at, line in enumerate(part.drawn):
                    tints = [tint for tint in part.tints if tint.line == at]
                    if tints and len(line) <= self.columns:
                        drawn = Text(printable(line))
                        for tint in tints:
                            drawn.stylize(_style(tint.player), tint.start, tint.end)
                        inside.append(drawn)
                    else:
                        inside += [Text(piece) for piece in folded(printable(line), self.columns)]
            inside.append(Text(""))
        console = self._rich()
        assert isinstance(console, Console)
        console.print(Panel(Group(*inside[:-1]), title=Text(printable(sheet.title), style="bold"), expand=False))  # type: ignore[arg-type]

    def menu(self, prompt: str, menu: Menu, shown: Iterable[int]) -> None:
        wanted = set(shown)
        self._styled(prompt, "bold")
        width = len(str(len(menu.options)))
        for heading, positions in menu.groups:
            here = [position for position in positions if position in wanted]
            lines = lines_of(menu, here)
            if heading and _needs_heading(lines):
                self._styled(heading, "italic")
            for is_joined, alike in groupby(lines, lambda line: bool(line.beginning)):
                if is_joined:
                    shown_lines = [row for line in alike for row in _packed(line, self._columns() - 2)]
                else:
                    said = [f"{position + 1:>{width}}  {name}" for line in alike for position, name in line.items]
                    shown_lines = _in_columns(said, self._columns())
                for row in shown_lines:
                    self.say("  " + row)

    def say(self, text: str = "") -> None:
        self._styled(text, "")

    def clear(self) -> None:
        if not wiped(self.stream):
            self.say("-" * 40)

    def _styled(self, text: str, style: str) -> None:
        from rich.console import Console
        from rich.text import Text

        console = self._rich()
        assert isinstance(console, Console)
        console.print(Text(printable(text), style=style))

    def _rich(self) -> object:
        if self._console is None:
            from rich.console import Console

            self._console = (
                Console(file=self.stream, highlight=False, force_terminal=True)
                if self.colour
                else Console(file=self.stream, highlight=False, color_system=None)
            )
        return self._console

    @property
    def columns(self) -> int:
        return self._columns() - 4  # the frame

    @property
    def draws(self) -> bool:
        return True

    def _columns(self) -> int:
        return int(getattr(self._rich(), "width", 80))


def _style(player: int | None) -> str:
    """How something of a player stands out; bold alone for nobody's."""
    return "bold" if player is None else f"bold {_COLOURS[player % len(_COLOURS)]}"


def screen_for(*, plain: bool, colour: bool) -> Screen:
    """The screen that was asked for."""
    return PlainScreen() if plain else DrawnScreen(colour)


def _in_columns(lines: Sequence[str], width: int) -> list[str]:
    """Many short lines side by side, read downwards; few or long ones stay under each other."""
    widest = max((len(line) for line in lines), default=0) + 3
    count = max(1, min((width - 2) // max(widest, 1), (len(lines) + 5) // 6))
    if count == 1:
        return list(lines)
    height = -(-len(lines) // count)
    return ["".join(line.ljust(widest) for line in lines[row::height]).rstrip() for row in range(height)]


def _needs_heading(lines: Sequence[Line]) -> bool:
    """Whether a heading says more than the lines under it begin with."""
    return any(not line.beginning for line in lines)


def _begun(line: Line) -> str:
    return line.beginning if line.beginning.endswith(":") else f"{line.beginning}:"


def _numbered(line: Line) -> list[str]:
    return [f"{position + 1} {rest}" for position, rest in line.items]


def _packed(line: Line, width: int) -> Iterator[str]:
    """Options that begin alike on as few rows as they fill; a number stays with its option."""
    *items, last = _numbered(line)
    row = _begun(line)
    for item in [*(f"{item}," for item in items), last]:
        if len(row) + 1 + len(item) > width:
            yield row
            row = "   "
        row += f" {item}"
    yield row


def wiped(stream: TextIO) -> bool:
    """Takes everything off a terminal, what has scrolled away too; False where the stream is none.

    A terminal that understands no orders gets empty lines instead.
    """
    if not stream.isatty():
        return False
    stream.write("\n" * _EMPTY_LINES if os.environ.get("TERM") == "dumb" else "\x1b[H\x1b[2J\x1b[3J")
    stream.flush()
    return True


def folded(line: str, width: int) -> list[str]:
    """A line on as many lines as it needs; further ones begin under what stands behind the first gap."""
    found = re.match(r"\s+|\S+(?: \S+)*\s{2,}", line)
    indent = found.end() if found is not None and found.end() <= width // 2 else 0
    pieces: list[str] = []
    while len(line) > width:
        cut = line.rfind(" ", indent + 1, width + 1)
        if cut <= indent or not line[:cut].strip():
            cut = max(width, 1)
        pieces.append(line[:cut].rstrip())
        line = " " * indent + line[cut:].lstrip()
        if len(line) <= indent:
            return pieces
    return [*pieces, line]


def printable(text: str) -> str:
    """Text without characters that would move the cursor."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)
