"""Squares seen from a square, turned by eighths of a full turn.

A square is told by how far it lies to the right and how far ahead. A quarter turn is the usual one. An eighth turns
each ring of squares round the middle by an eighth of its length: what lies straight ahead comes to lie on the
diagonal, and two eighths are a quarter.

Invariant: a turn maps each ring onto itself, one to one, and eight eighths change nothing.
"""

from __future__ import annotations

__all__ = ["turned"]


def turned(square: tuple[int, int], eighths: int) -> tuple[int, int]:
    """A square, given as steps to the right and ahead, after a clockwise turn."""
    right, ahead = square
    ring = max(abs(right), abs(ahead))
    return _on_ring(ring, _place(right, ahead, ring) + eighths * ring)


def _place(right: int, ahead: int, ring: int) -> int:
    """How many squares along its ring a square lies, clockwise from the one straight ahead."""
    if ahead == ring and right >= 0:
        return right
    if right == ring:
        return 2 * ring - ahead
    if ahead == -ring:
        return 4 * ring - right
    if right == -ring:
        return 6 * ring + ahead
    return 8 * ring + right


def _on_ring(ring: int, place: int) -> tuple[int, int]:
    """The square that lies so far along a ring."""
    if ring == 0:
        return (0, 0)
    side, along = divmod((place + ring) % (8 * ring), 2 * ring)
    along -= ring
    return ((along, ring), (ring, -along), (-along, -ring), (-ring, along))[side]
