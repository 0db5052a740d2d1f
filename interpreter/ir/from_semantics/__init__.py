"""From an understood game to a program: every readable construct becomes the few operations of `ir.code`."""

from interpreter.ir.from_semantics.lower import lower, lower_expression, lower_given

__all__ = ["lower", "lower_expression", "lower_given"]
