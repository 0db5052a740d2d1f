"""Text to syntax tree: grammar, recovery, hints, tree, formatter. Lark is used here and nowhere else."""

from interpreter.syntax import ast
from interpreter.syntax.keywords import keywords, reserved_words
from interpreter.syntax.lines import code_of_line
from interpreter.syntax.parse import parse, parse_condition, parse_effects, parse_expression, parse_snippet
from interpreter.syntax.printer import format_source

__all__ = [
    "ast",
    "code_of_line",
    "format_source",
    "keywords",
    "parse",
    "parse_condition",
    "parse_effects",
    "parse_expression",
    "parse_snippet",
    "reserved_words",
]
