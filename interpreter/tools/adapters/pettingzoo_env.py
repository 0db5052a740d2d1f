"""Any game as an environment of PettingZoo, agents deciding one after another (AEC).

    env = pettingzoo_env("kuhn_poker")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

The agents are `player_0`, `player_1`, ... in turn order, whatever the game calls them (`player_names`). Whoever decides
is selected, perhaps several times in a row, and what is left to chance happens in between. An observation is what its
player sees (`observations`), with a mask of the actions offered, all noughts for those who do not decide.

As is the custom, an action that is not offered loses the game at once: -1 for its player, 0 for the others. A game that
goes on for `most_decisions` is truncated.

Invariant: an agent is told nothing that is hidden from its player.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter.runtime import Rules
from interpreter.runtime.rules import OptionValue
from interpreter.tools.adapters.actions import Actions
from interpreter.tools.adapters.extra import missing_extra
from interpreter.tools.adapters.observations import Observations
from interpreter.tools.adapters.position import Position, rules_for
from interpreter.tools.adapters.rewards import RewardKind, Rewards

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from numpy.typing import NDArray
    from pettingzoo import AECEnv

    from interpreter.tools.adapters.arrays import Seen, action_space, observation_space, seen
except ImportError as missing:
    raise missing_extra(missing) from missing

__all__ = ["MOST_DECISIONS", "RulesAECEnv", "pettingzoo_env"]

MOST_DECISIONS = 10_000
"""Decisions after which a game is truncated."""
ILLEGAL = -1.0
"""The reward for an action that is not offered."""


def pettingzoo_env(
    rules: Rules | str | Path,
    *,
    players: int | None = None,
    options: dict[str, OptionValue] | None = None,
    scenario: str | None = None,
    rewards: RewardKind | None = None,
    most_actions: int | None = None,
    most_decisions: int = MOST_DECISIONS,
    render_mode: str | None = None,
) -> RulesAECEnv:
    """A game, by name, by path or loaded, as an environment; raises `RulesError` where the rules are wrong."""
    loaded = rules_for(rules, players, options, scenario)
    return RulesAECEnv(loaded, rewards, most_actions, most_decisions, render_mode)


class RulesAECEnv(AECEnv[str, Any, Any]):
    """One game; see the module."""

    def __init__(
        self,
        rules: Rules,
        rewards: RewardKind | None = None,
        most_actions: int | None = None,
        most_decisions: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.metadata = {"name": rules.title, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.rules = rules
        self.position = Position(rules)
        self.observations = Observations(rules)
        self.actions = Actions(rules.program, most_actions)
        self.possible_agents = [f"player_{seat}" for seat in range(len(rules.players))]
        self.player_names = dict(zip(self.possible_agents, rules.players, strict=True))
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        seen_space = observation_space(self.observations, self.actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen_space)
        self.action_spaces = {agent: action_space(self.actions) for agent in self.possible_agents}
        self._rewards = Rewards(rules, rewards)
        self._most = most_decisions
        self._decisions = 0
        self._random: np.random.Generator | None = None
        self._kept: tuple[int, dict[str, Seen]] = (-1, {})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent gets; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent, one generator for each."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the same seed, the same games from then on. `options` are not used."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._decisions = 0
        self.position.begin(int(self._random.integers(2**63)))
        self._rewards.begin(self.position)
        self._arrive()

    def step(self, action: int | None) -> None:
        """Takes an action for whoever is selected; None for agents whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        position = self.position
        code = None if action is None else self.actions.code(int(action), position.decision, position.codes)
        if code is None:
            self.rewards[agent] = ILLEGAL
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {each: {"illegal": each == agent} for each in self.agents}
        else:
            position.take(code)
            self._decisions += 1
            self.rewards = dict(zip(self.possible_agents, self._rewards.after(position), strict=True))
            self._arrive()
        self._accumulate_rewards()

    def _arrive(self) -> None:
        """At a decision, or at the end of the game."""
        position = self.position
        self.infos = {agent: {} for agent in self.agents}
        if position.player < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        if self._decisions >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[position.player]
        self.infos[self.agent_selection] = {"codes": tuple(position.codes)}

    def observe(self, agent: str) -> Seen:
        """What an agent gets now."""
        position, seat = self.position, self.possible_agents.index(agent)
        row = self.observations.of(position.state, seat, position.player, position.codes)
        offered = self.actions.of(position.decision, position.codes) if seat == position.player else ()
        return seen(row, offered, self.actions)

    def state(self) -> NDArray[np.float64]:
        """All numbers of the game, hidden ones too: for training together, never for playing."""
        return np.array([float(value) for value in self.position.state], dtype=np.float64)

    def option_names(self) -> dict[int, str]:
        """The actions offered now, each with what it is called at the table."""
        position = self.position
        return dict(zip(self.actions.of(position.decision, position.codes), position.names(), strict=True))

    def render(self) -> str | None:
        """With the mode `ansi`: what whoever decides sees, as lines of text."""
        if self.render_mode != "ansi":
            return None
        return self.position.text(self.position.player if self.position.player >= 0 else None)

    def close(self) -> None:
        """Nothing has to be closed."""
