"""What can be said about a mistake, as data.

A diagnostic is made where the mistake is found and put into words once; how it looks is decided by the reports in
`interpreter.tools.report`. Invariant: nothing here knows about terminals, formats or files beyond their spans, and
every value is frozen and hashable, so findings can be cached, compared and sent between processes.
"""

from enum import StrEnum

from attrs import frozen

from .span import Span

__all__ = ["Applicability", "Diagnostic", "Edit", "Fix", "Label", "Severity"]


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The rules cannot be played as written."""
    WARNING = "warning"
    """The rules can be played, but probably not as meant."""


class Applicability(StrEnum):
    """How far a fix may be trusted."""

    SAFE = "safe"
    """The meaning is certain: may be applied unasked."""
    MAYBE = "maybe"
    """A guess: to be offered, not applied unasked."""


@frozen
class Label:
    """A remark on another place that helps to understand a finding."""

    span: Span
    """The place remarked on, in the same file or another."""
    message: str
    """The remark, in the style of messages: lower case, no full stop."""


@frozen
class Edit:
    """One replacement of text."""

    span: Span
    """The text to remove; empty to insert only."""
    replacement: str
    """The text to put in its place; empty to remove only."""


@frozen
class Fix:
    """A way to put a finding right; its edits are applied together and do not overlap."""

    title: str
    """What it does, as an order: "rename to `Scout`"."""
    edits: tuple[Edit, ...]
    """The replacements, in any order."""
    applicability: Applicability
    """Whether it may be applied unasked."""


@frozen
class Diagnostic:
    """One finding about a file somebody wrote."""

    code: str
    """Stable name of the kind of finding, such as `D204`; each has a page."""
    severity: Severity
    """Error or warning."""
    message: str
    """What is wrong, in one line."""
    span: Span | None
    """The place to blame; none where no place exists, as for a folder without rules."""
    label: str = ""
    """The remark beside the place to blame."""
    labels: tuple[Label, ...] = ()
    """Other places that matter, such as an earlier definition."""
    notes: tuple[str, ...] = ()
    """Facts that explain, one a note."""
    help: str | None = None
    """What to do about it."""
    fixes: tuple[Fix, ...] = ()
    """Ways to put it right by machine, the best first."""
