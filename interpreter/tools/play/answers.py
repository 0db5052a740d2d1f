"""Where answers come from: a script, a person at a terminal, or lines from a pipe.

The talk of a game reads one line at a time and does not know from where. Invariant: `read` gives a line without its
end, or None when there will be no more; only a keyboard can be interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Protocol, TextIO

from attrs import define, field

__all__ = ["Answers", "Keyboard", "Script", "ScriptThen"]


class Answers(Protocol):
    """A source of answers."""

    @property
    def interactive(self) -> bool:
        """Whether a person sits there, who can be asked to hand the device on."""
        ...

    def read(self, prompt: str) -> str | None:
        """The next answer."""
        ...

    def forget(self) -> None:
        """Earlier answers can no longer be called up: somebody else sits down."""
        ...

    @property
    def where(self) -> str:
        """The place of the last answer for messages, such as `line 3 of the script`; "" for a person."""
        ...


@define
class Keyboard:
    """Lines of standard input: a person, or a pipe."""

    stream: TextIO = field(factory=lambda: sys.stdin)

    @property
    def interactive(self) -> bool:
        try:
            return self.stream.isatty()
        except ValueError:
            return False

    @property
    def where(self) -> str:
        return ""

    def forget(self) -> None:
        with suppress(ImportError):
            import readline

            readline.clear_history()

    def read(self, prompt: str) -> str | None:
        if self.interactive and self.stream is sys.stdin:
            with suppress(ImportError):
                import readline  # noqa: F401 - gives `input` line editing and a history
            try:
                return input(prompt)
            except EOFError:
                return None
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = self.stream.readline()
        if not line:
            sys.stdout.write("\n")
            return None
        answer = line.rstrip("\n")
        sys.stdout.write(answer + "\n")  # nobody typed it, so nothing has shown it yet
        return answer


@define
class Script:
    """Choices from a file, one a line; blank lines and lines that begin with `#` are left out."""

    lines: Iterator[tuple[int, str]]
    last: int = 0
    interactive: bool = False

    @classmethod
    def of(cls, lines: Iterable[str]) -> Script:
        """A script from the lines of a file."""
        kept = [(number, line.strip()) for number, line in enumerate(lines, 1)]
        return cls(iter([(number, line) for number, line in kept if line and not line.startswith("#")]))

    def forget(self) -> None:
        """A script is read once."""

    @property
    def where(self) -> str:
        return f"line {self.last} of the script"

    def read(self, prompt: str) -> str | None:
        following = next(self.lines, None)
        if following is None:
            return None
        self.last, line = following
        sys.stdout.write(f"{prompt}{line}\n")
        return line


@define
class ScriptThen:
    """A script, and when it has ended a person, if there is one."""

    script: Script
    then: Answers | None
    ended: bool = False

    @property
    def interactive(self) -> bool:
        return self.ended and self.then is not None and self.then.interactive

    def forget(self) -> None:
        if self.then is not None:
            self.then.forget()

    @property
    def where(self) -> str:
        return "" if self.ended else self.script.where

    def read(self, prompt: str) -> str | None:
        if not self.ended:
            line = self.script.read(prompt)
            if line is not None:
                return line
            self.ended = True
        return None if self.then is None else self.then.read(prompt)
