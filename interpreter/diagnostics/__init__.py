"""Findings about rules: data, collection, suggestions, pages and exceptions. The lowest stage; it imports no other."""

from .diagnostic import Applicability, Diagnostic, Edit, Fix, Label, Severity
from .errors import AmbiguousChoice, DslError, IllegalChoice, InternalError, InvalidChoice, RulesError
from .pages import Page, all_codes, page
from .sink import Diagnostics
from .span import Position, Span
from .suggest import did_you_mean, nearest
from .suppress import suppress

__all__ = [
    "AmbiguousChoice",
    "Applicability",
    "Diagnostic",
    "Diagnostics",
    "DslError",
    "Edit",
    "Fix",
    "IllegalChoice",
    "InternalError",
    "InvalidChoice",
    "Label",
    "Page",
    "Position",
    "RulesError",
    "Severity",
    "Span",
    "all_codes",
    "did_you_mean",
    "nearest",
    "page",
    "suppress",
]
