"""`dsl debug`: a rules file at each stage of its way to a game, as text.

For those who work on the language. Each stage prints what it hands to the next, so a fault can be found between two
of them. Invariant: the text of a stage is the same for the same rules.
"""

from __future__ import annotations

import argparse

from interpreter.diagnostics import Diagnostics
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl debug tree rules/dragons.rules
dsl debug python rules/dragons.rules --option size=5
"""
_STAGES = ("tokens", "tree", "model", "ir", "python", "wasm")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("stage", choices=_STAGES, help="what to show")
    parser.add_argument("rules", metavar="RULES", help="a rules file, or the bare name of a game that ships")
    add_configuration(parser)
    parser.add_argument("--watched", action="store_true", help="python: the text that is traced and explained")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    if arguments.stage in ("tokens", "tree"):
        text, code = _read(arguments)
    else:
        text, code = _compiled(arguments), FINE
    streams.write_report(text, arguments.output)
    return code


def _read(arguments: Arguments) -> tuple[str, int]:
    """Stages that a text with mistakes still has."""
    from interpreter.source import Files, read_source
    from interpreter.syntax import parse
    from interpreter.syntax.tokens import scan
    from interpreter.tools.cli.dump import dump_tree
    from interpreter.tools.cli.games import rules_path
    from interpreter.tools.report import FORMATS, in_short
    from interpreter.workspace import shown_from_here

    path = rules_path(arguments.rules)
    sink = Diagnostics()
    source = read_source(path, shown_from_here(path.absolute()), sink)
    if source is None:
        raise UsageFault(in_short(sink.errors[0]))
    if arguments.stage == "tokens":
        lines = []
        for token in scan(source.text):
            at = source.position(token.start)
            lines.append(f"{at.line}:{at.column} {token.kind} {token.text!r}")
        return "\n".join(lines) + "\n", FINE
    tree = parse(source, sink)
    if sink.has_errors:
        files = Files()
        files.add(source)
        streams.remark(FORMATS["text"](list(sink), files))
    return dump_tree(tree) + "\n", FINDINGS if sink.has_errors else FINE


def _compiled(arguments: Arguments) -> str:
    from interpreter.tools.cli.games import load_game, understand_game

    if arguments.stage == "model":
        from interpreter.tools.cli.dump import dump_game

        return dump_game(understand_game(arguments).game) + "\n"
    rules = load_game(arguments)
    if arguments.stage == "ir":
        from interpreter.ir.dump import dump

        return dump(rules.program)
    if arguments.stage == "wasm":
        from interpreter.backends.wasm.generate import generate as generate_wasm

        return generate_wasm(rules.program)
    from interpreter.backends.python.generate import generate

    return generate(rules.program, arguments.watched)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
