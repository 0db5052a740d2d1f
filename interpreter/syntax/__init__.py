"""Text to syntax tree: grammar, recovery, hints, tree, formatter. Lark is used here and nowhere else."""

from interpreter.syntax import ast
from interpreter.syntax.parse import parse, parse_condition, parse_effects, parse_expression, parse_snippet

__all__ = ["ast", "parse", "parse_condition", "parse_effects", "parse_expression", "parse_snippet"]
