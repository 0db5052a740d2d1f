"""boardgame.io: games in JavaScript, played by a process of node that is asked for games line by line.

The process says first who it is, `{"engine": ...}`, or why it cannot play, `{"missing": ...}`. Then it answers each
line `{"seed": 1, "games": 10}` by one with the `decisions`, the `ends` (how many games nobody, the first, the second
won) and the `seconds` of its own processor time.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from interpreter.tools.bench.sides import BOARDGAME_IO, Missing, PeerFault, Side, Slice

__all__ = ["Talk", "node_side"]

_ERROR = re.compile(r"\w*Error\b")
_PATIENCE = 10
"""Seconds until a process that was asked to end is ended."""


def node_side(path: Path) -> Side | Missing:
    """A program of node that plays, or why it does not."""
    node = shutil.which("node")
    if node is None:
        return Missing(BOARDGAME_IO, "node is not installed")
    try:
        talk = Talk([node, str(path)])
    except OSError as fault:
        return Missing(BOARDGAME_IO, f"node cannot be run: {fault.strerror or fault}")
    try:
        hello = talk.answer()
    except PeerFault as fault:
        talk.close()
        return Missing(BOARDGAME_IO, str(fault))
    if "engine" in hello:
        return Side(BOARDGAME_IO, str(hello["engine"]), talk.play, close=talk.close)
    talk.close()
    return Missing(BOARDGAME_IO, str(hello.get("missing", f"`{path.name}` does not say who it is")))


class Talk:
    """A process that answers lines of JSON with lines of JSON."""

    def __init__(self, command: list[str]) -> None:
        self.name = Path(command[-1]).name
        self.complaints = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - see `close`
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, encoding="utf-8"
        )

    def answer(self) -> dict[str, Any]:
        """The next line; raises `PeerFault` where there is none."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise PeerFault(f"`{self.name}` ended with code {self.process.wait()}{self._complaint()}")
        with suppress(ValueError):
            told = json.loads(line)
            if isinstance(told, dict):
                return told
        raise PeerFault(f"`{self.name}` answered `{line.strip()[:60]}`, expected an object in JSON")

    def ask(self, seed: int, games: int) -> dict[str, Any]:
        """Has so many games played."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"seed": seed, "games": games}) + "\n")
            self.process.stdin.flush()
        except OSError as fault:
            raise PeerFault(f"`{self.name}` no longer listens{self._complaint()}") from fault
        return self.answer()

    def play(self, seed: int, games: int) -> Slice:
        """The same as a side does."""
        told = self.ask(seed, games)
        try:
            if sum(told["ends"]) != games:
                raise PeerFault(f"`{self.name}` told other games than it was asked for")
            return Slice(games, int(told["decisions"]), float(told["seconds"]))
        except (KeyError, TypeError, ValueError) as fault:
            raise PeerFault(f"`{self.name}` did not tell decisions, ends and seconds") from fault

    def _complaint(self) -> str:
        """What it said of an error before it ended."""
        self.complaints.seek(0)
        return next((f": {line.strip()[:120]}" for line in self.complaints if _ERROR.match(line)), "")

    def close(self) -> None:
        """Ends the process: no more lines come, which it takes as the end."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(OSError):  # it may have ended already
            self.process.stdin.close()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.complaints.close()
