"""`dsl explain`: the page of a diagnostic's code; without a code, all codes with their titles."""

from __future__ import annotations

import argparse

from interpreter.diagnostics import all_codes, nearest, page
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl explain D101         what it means, why it matters, how to put it right
dsl explain              every code with its title
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="a code such as D101")


def _run(arguments: Arguments) -> int:
    if arguments.code is None:
        for code in all_codes():
            found = page(code)
            streams.write_out(f"{code}  {found.title if found else ''}\n")
        return FINE
    found = page(arguments.code.strip("[]"))
    if found is None:
        near = nearest(arguments.code.upper(), all_codes())
        offer = f"did you mean `{near}`?" if near else "`dsl explain` lists all"
        raise UsageFault(f"no finding has the code `{arguments.code}`: {offer}")
    if streams.has_colour(arguments.color):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(found.text))
    else:
        streams.write_out(found.text.rstrip("\n") + "\n")
    return FINE


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
