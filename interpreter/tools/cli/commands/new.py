"""`dsl new`: a small working start, with a test in it.

What is made must check, format and pass its tests as it is, so that the first thing its author sees is a game that
works. Invariant: no file is ever overwritten.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl new game "Treasure Dive"      treasure_dive.rules, ready to play
dsl new board reef                reef.yaml, ready to be named by a rules file
"""

_GAME = """\
language 1

## Roll on, or keep what you have before a 1 comes. Change it into your own game.
game "{title}"
    players 2: Ann, Bob

option goal = 20 in 10..100         ## Points that win

each Player has
    kept: 0..200

play
    turns
        let pot = 0
        repeat
            choose
                "Roll"
                    let die = roll d6
                    if die = 1: end turn
                    pot + die
                "Keep {{pot}}" when pot > 0
                    player.kept + pot
                    if player.kept >= goal: player wins "{{goal}} points"
                    end turn

test "keeping adds the pot"
    rolls 6 5
    choose "Roll"
    choose "Roll"
    choose "Keep 11"
    expect Ann.kept = 11
    expect player is Bob

test "a 1 loses the pot"
    rolls 6 1
    choose "Roll"
    choose "Roll"
    expect Ann.kept = 0
"""

_BOARD = """\
# Four places and the ways between them. Name this file in a rules file:
#     board land of Place from "{file}"
board: {title}
family: map

attributes:
  wealth: 0..9      # what the place is worth

spaces:
  Harbour: {{wealth: 3}}
  Market: {{wealth: 5}}
  Mill: {{wealth: 2}}
  Tower: {{wealth: 7}}

link kinds: [road, river]

links:
  - {{between: [Harbour, Market], kind: road}}
  - {{between: [Market, Mill], kind: road}}
  - {{between: [Mill, Tower], kind: road}}
  - {{between: [Harbour, Mill], kind: river}}

regions:
  town: [Harbour, Market]

positions:
  Harbour: [0, 0]
  Market: [2, 1]
  Mill: [2, -1]
  Tower: [4, 0]
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("game", "board"), help="what to start")
    parser.add_argument("name", metavar="NAME", help="its title; the file is named after it")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write")


def _run(arguments: Arguments) -> int:
    title = " ".join(arguments.name.replace("_", " ").split())
    stem = "_".join(re.findall(r"\w+", title.lower()))
    if not stem or '"' in title or not title.isprintable() or any(sign in title for sign in "{}\\"):
        raise UsageFault(f"`{arguments.name}` cannot be a title: expected words of letters and digits")
    if title == title.lower():
        title = title.title()
    path = Path(arguments.output or (f"{stem}.rules" if arguments.what == "game" else f"{stem}.yaml"))
    text = (_GAME if arguments.what == "game" else _BOARD).format(title=title, file=path.name)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageFault(f"`{path}` is there already: name another with -o") from None
    except OSError as fault:
        raise UsageFault(f"`{path}` cannot be written: {(fault.strerror or str(fault)).lower()}") from fault
    streams.write_out(f"{path}\n")
    if arguments.what == "game":
        streams.remark(f"next: dsl check {path}; dsl test {path}; dsl play {path}")
    else:
        streams.remark(f"next: dsl check {path}")
    return FINE


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
