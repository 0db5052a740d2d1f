"""What is said where the packages of an extra are not installed."""

from __future__ import annotations

__all__ = ["missing_extra"]


def missing_extra(missing: ImportError) -> ImportError:
    """The error for a package that only environments need, with what installs it."""
    name = (missing.name or "a package").partition(".")[0]
    return ImportError(f"environments need `{name}`: pip install 'rulewright[env]'", name=missing.name)
