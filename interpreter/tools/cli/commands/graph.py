"""`dsl graph`: the phases, the boards or the dependencies of a game as a picture or as text for other programs.

SVG, DOT and Mermaid are written here; a PNG needs the program `dot` of Graphviz, and where that is missing the answer
says so and names a format that does without.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_game_arguments

if TYPE_CHECKING:
    from interpreter.analysis.graph import Graph

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl graph dragons.rules phases -o phases.svg
dsl graph dragons.rules board --format mermaid
dsl graph dragons.rules deps --format dot
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("what", choices=("phases", "board", "deps"), help="what to draw")
    parser.add_argument("--format", choices=("svg", "dot", "mermaid", "png"), default="svg", help="default: svg")
    parser.add_argument("--board", metavar="NAME", help="which board, where a game has several")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.layout import in_layers, on_board
    from interpreter.tools.cli.graph_svg import to_svg
    from interpreter.tools.cli.graph_text import to_dot, to_mermaid

    graph = _graph(arguments)
    if arguments.format == "dot":
        streams.write_report(to_dot(graph), arguments.output)
    elif arguments.format == "mermaid":
        streams.write_report(to_mermaid(graph), arguments.output)
    elif arguments.format == "svg":
        places = on_board(graph) if arguments.what == "board" else in_layers(graph)
        streams.write_report(to_svg(graph, places), arguments.output)
    else:
        _write_png(to_dot(graph), arguments.output, "neato" if arguments.what == "board" else "dot")
    return FINE


def _graph(arguments: Arguments) -> Graph[str]:
    from interpreter.analysis.graph import board_graph, dependency_graph, flow_graph
    from interpreter.tools.cli.games import understand_game

    understood = understand_game(arguments)
    game = understood.game
    if arguments.what == "phases":
        return flow_graph(game, understood.reader.text)
    if arguments.what == "deps":
        return dependency_graph(game)
    if not game.boards:
        raise UsageFault(f"`{game.title}` has no board")
    if arguments.board is not None and arguments.board not in game.boards:
        raise UsageFault(f"no board `{arguments.board}`: there is {', '.join(f'`{name}`' for name in game.boards)}")
    use = game.boards[arguments.board or next(iter(game.boards))]
    return board_graph(use.board)


def _write_png(dot: str, file: str | None, program: str) -> None:
    where = shutil.which(program) or shutil.which("dot")
    if where is None:
        raise UsageFault("a png needs the program `dot` of Graphviz, which is not installed: take --format svg")
    done = subprocess.run([where, "-Tpng"], input=dot.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        raise UsageFault(f"`dot` failed: {done.stderr.decode(errors='replace').strip()}")
    if file is None or file == "-":
        sys.stdout.buffer.write(done.stdout)
    else:
        Path(file).write_bytes(done.stdout)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
