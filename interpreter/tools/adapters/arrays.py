"""Observations and masks as numpy arrays, and the spaces of gymnasium that hold them.

Needs the extra `env`; imported by the environments only.

Invariant: each array is made anew, so that whoever keeps one keeps it as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.tools.adapters.actions import Actions
from interpreter.tools.adapters.extra import missing_extra
from interpreter.tools.adapters.observations import Observations

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
except ImportError as missing:
    raise missing_extra(missing) from missing

__all__ = ["Seen", "action_space", "mask_of", "observation_space", "seen"]

Seen = dict[str, NDArray[Any]]
"""What an agent gets: `observation`, numbers of 32 bits, and `action_mask`, 1 for each action that is offered."""


def observation_space(observations: Observations, actions: Actions) -> spaces.Dict:
    """The space of what an agent gets."""
    low = np.array([number.low for number in observations.numbers], dtype=np.int32)
    high = np.array([number.high for number in observations.numbers], dtype=np.int32)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int32),
            "action_mask": spaces.Box(0, 1, (actions.count,), dtype=np.int8),
        }
    )


def action_space(actions: Actions) -> spaces.Discrete:
    """The space of actions."""
    return spaces.Discrete(actions.count)


def seen(row: Sequence[int], offered: Sequence[int], actions: Actions) -> Seen:
    """A row of numbers and the actions that are offered, as arrays."""
    return {"observation": np.array(row, dtype=np.int32), "action_mask": mask_of(offered, actions)}


def mask_of(offered: Sequence[int], actions: Actions) -> NDArray[np.int8]:
    """1 for each action that is offered."""
    mask = np.zeros(actions.count, dtype=np.int8)
    mask[list(offered)] = 1
    return mask
