"""Decisions a second of environments, random agents, observations and masks included.

    python benchmarks/environments.py [GAME ...] [--seconds S] [--check]

`--check` runs the API test of PettingZoo for long, and the checker of Gymnasium, in every configuration of the games
that the tests know, instead of measuring.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
for folder in (ROOT, ROOT / "tests" / "games"):
    sys.path.insert(0, str(folder))

from configurations import CASES  # noqa: E402

import interpreter as dsl  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["tic_tac_toe", "kuhn_poker", "yacht", "hall", "lords_of_war"])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        check()
        return
    for name in arguments.games:
        env = dsl.pettingzoo_env(name)
        size, actions = env.observations.size, env.actions.count
        print(f"| {name} | {size:,} | {actions:,} | {in_turn(env, arguments.seconds):,.0f} "
              f"| {walked(name, arguments.seconds):,.0f} |", flush=True)  # fmt: skip


def in_turn(env: dsl.pettingzoo_env, seconds: float) -> float:
    """Decisions a second of the AEC environment."""
    decisions, begin = 0, time.perf_counter()
    env.reset(seed=1)
    while time.perf_counter() - begin < seconds:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else random.choice(seen["action_mask"].nonzero()[0]))
            decisions += not over
            if time.perf_counter() - begin > seconds:
                break
    return decisions / (time.perf_counter() - begin)


def walked(name: str, seconds: float) -> float:
    """Decisions a second by the protocol like OpenSpiel's, chance sampled."""
    game = dsl.open_spiel_game(name, chance="sampled")
    decisions, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = game.new_initial_state(decisions)
        while not state.is_terminal() and time.perf_counter() - begin < seconds:
            state.observation_tensor()
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions / (time.perf_counter() - begin)


def check() -> None:
    """The tests of others, for long, in every configuration."""
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    from interpreter.runtime import load
    from interpreter.tools.adapters.gymnasium_env import RulesEnv
    from interpreter.tools.adapters.pettingzoo_env import RulesAECEnv

    for case in CASES:
        rules = load(
            case.game, players=case.players, options=dict(case.options), scenario=case.scenario, backend="wasm"
        )
        cycles = 60 if rules.program.layout.size > 1_000 else 1_000
        api_test(RulesAECEnv(rules), num_cycles=cycles)
        seed_test(lambda rules=rules: RulesAECEnv(rules), num_cycles=cycles // 4)
        check_env(RulesEnv(rules))
        print(f"{case.title}: passed", flush=True)


if __name__ == "__main__":
    main()
