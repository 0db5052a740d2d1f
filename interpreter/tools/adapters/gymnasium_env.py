"""Any game as an environment of Gymnasium: one seat learns.

    env = gymnasium_env("hall")
    observation, info = env.reset(seed=7)
    while True:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break

Games played alone are played alone. In any other game `others` decide at the other seats: at random, or a bot by its
name, or a function that is given a session and gives one of its options. What they do happens within `reset` and
`step`, so the learner is always the one who decides.

Observations, masks, actions and rewards are those of the AEC environment. An action that is not offered ends the game
with a reward of -1.

Invariant: the learner is told nothing that is hidden from its seat.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from interpreter.analysis.bots import SPELLINGS, Bot, is_bot, make_bot
from interpreter.diagnostics import DslError, did_you_mean
from interpreter.runtime import Option, Rules, Session
from interpreter.runtime.question import question_at
from interpreter.runtime.rules import OptionValue
from interpreter.tools.adapters.actions import Actions
from interpreter.tools.adapters.extra import missing_extra
from interpreter.tools.adapters.observations import Observations
from interpreter.tools.adapters.position import Position, rules_for
from interpreter.tools.adapters.rewards import RewardKind, Rewards

try:
    import gymnasium

    from interpreter.tools.adapters.arrays import Seen, action_space, observation_space, seen
    from interpreter.tools.adapters.pettingzoo_env import ILLEGAL, MOST_DECISIONS
except ImportError as missing:
    raise missing_extra(missing) from missing

__all__ = ["Others", "RulesEnv", "gymnasium_env"]

Others = str | Bot | Callable[[Session], Option]
"""Who decides at the other seats: `random`, a bot or its name (`greedy`, `mcts:500`), or a function."""

_TRIES = 100
"""Games begun until one has a decision for the learner."""


def gymnasium_env(
    rules: Rules | str | Path,
    *,
    players: int | None = None,
    options: dict[str, OptionValue] | None = None,
    scenario: str | None = None,
    seat: int = 0,
    others: Others = "random",
    rewards: RewardKind | None = None,
    most_actions: int | None = None,
    most_decisions: int = MOST_DECISIONS,
    render_mode: str | None = None,
) -> RulesEnv:
    """A game, by name, by path or loaded, as an environment; raises `RulesError` where the rules are wrong."""
    loaded = rules_for(rules, players, options, scenario)
    return RulesEnv(loaded, seat, others, rewards, most_actions, most_decisions, render_mode)


class RulesEnv(gymnasium.Env[Any, Any]):
    """One seat of one game; see the module."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as the base class has it

    def __init__(
        self,
        rules: Rules,
        seat: int = 0,
        others: Others = "random",
        rewards: RewardKind | None = None,
        most_actions: int | None = None,
        most_decisions: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        if not 0 <= seat < len(rules.players):
            raise DslError(f"no seat {seat}: `{rules.title}` has {len(rules.players)}, counted from 0")
        if isinstance(others, str) and not is_bot(others):
            offer = did_you_mean(others, SPELLINGS) or f"expected one of {', '.join(SPELLINGS)}"
            raise DslError(f"nobody called `{others}` can play: {offer}")
        self.rules = rules
        self.seat = seat
        self.others = others
        self.render_mode = render_mode
        self.position = Position(rules)
        self.observations = Observations(rules)
        self.actions = Actions(rules.program, most_actions)
        self.observation_space = observation_space(self.observations, self.actions)
        self.action_space = action_space(self.actions)
        self._rewards = Rewards(rules, rewards)
        self._most = most_decisions
        self._decisions = 0
        self._other = make_bot(others) if isinstance(others, str) and others != "random" else others

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new game, up to the learner's first decision. `options` are not used."""
        super().reset(seed=seed)
        for _ in range(_TRIES):
            self._decisions = 0
            self.position.begin(int(self.np_random.integers(2**63)))
            self._rewards.begin(self.position)
            self._go_on()
            if self.position.player == self.seat:
                return self._seen(), self._info()
        raise DslError(f"{self.rules.players[self.seat]} decides nothing in {_TRIES} games: learn from another seat")

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Takes an action, and lets the others play until the learner decides again or the game is over."""
        position = self.position
        code = self.actions.code(int(action), position.decision, position.codes)
        if position.player != self.seat or code is None:
            return self._seen(), ILLEGAL, True, False, {"illegal": True}
        reward = self._take(code) + self._go_on()
        terminated = position.player < 0
        return self._seen(), reward, terminated, not terminated and self._is_long(), self._info()

    def _take(self, code: int) -> float:
        self.position.take(code)
        self._decisions += 1
        return self._rewards.after(self.position)[self.seat]

    def _go_on(self) -> float:
        """The others decide; gives what that is worth to the learner."""
        position, reward = self.position, 0.0
        while position.player not in (-1, self.seat) and not self._is_long():
            reward += self._take(self._chosen_by(self._other))
        return reward

    def _is_long(self) -> bool:
        return self._decisions >= self._most

    def _chosen_by(self, other: Others) -> int:
        position, number = self.position, int(self.np_random.integers(2**31))
        if isinstance(other, str):
            return position.codes[number % len(position.codes)]
        if isinstance(other, Bot):
            codes = tuple(position.codes)
            return other.choose(question_at(self.rules, position.state, position.player, codes, number))
        return other(position.session()).code

    def _seen(self) -> Seen:
        position = self.position
        row = self.observations.of(position.state, self.seat, position.player, position.codes)
        offered = self.actions.of(position.decision, position.codes) if position.player == self.seat else ()
        return seen(row, offered, self.actions)

    def _info(self) -> dict[str, Any]:
        return {"codes": tuple(self.position.codes)} if self.position.player == self.seat else {}

    def option_names(self) -> dict[int, str]:
        """The actions offered now, each with what it is called at the table."""
        position = self.position
        return dict(zip(self.actions.of(position.decision, position.codes), position.names(), strict=True))

    def render(self) -> str | None:
        """With the mode `ansi`: what the learner sees, as lines of text."""
        return self.position.text(self.seat) if self.render_mode == "ansi" else None
