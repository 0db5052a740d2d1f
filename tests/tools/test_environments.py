"""Environments: any game for learners, by the tests of those who set the standards, and what they do not test.

The API test of PettingZoo and the checker of Gymnasium run over every shipped game. Besides: rewards, masks, seeds, and
that nothing hidden is told. Without the extra `env` only the protocol like OpenSpiel's is tested.
"""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.diagnostics import DslError
from interpreter.ir.program import RNG
from interpreter.runtime import Rules
from interpreter.runtime.leak import shuffled_state
from interpreter.runtime.sight import Sight
from interpreter.source import shipped_games
from interpreter.tools.adapters.actions import Actions, TooManyOptionsError
from interpreter.tools.adapters.observations import Observations
from interpreter.tools.adapters.position import Position, rules_for

np = pytest.importorskip("numpy", reason="pip install 'rulewright[env]'")
pytest.importorskip("gymnasium", reason="pip install 'rulewright[env]'")
pytest.importorskip("pettingzoo", reason="pip install 'rulewright[env]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from interpreter.tools.adapters.gymnasium_env import RulesEnv, gymnasium_env  # noqa: E402
from interpreter.tools.adapters.pettingzoo_env import RulesAECEnv, pettingzoo_env  # noqa: E402

NAMES = [path.stem for path in shipped_games()]
EXPECTED = (
    "Observation space for each agent probably should be",  # said of every environment with masks that is not theirs
    "Observation is not a NumPy array",
    "Not able to test alternative render modes",  # the environment is not registered
)
"""What their tests warn of, and need not."""


def loaded(name: str) -> Rules:
    return rules_for(name, None, None, None)


def without_warnings(found: list[warnings.WarningMessage]) -> list[str]:
    return [str(each.message) for each in found if not any(said in str(each.message) for said in EXPECTED)]


# ---------------------------------------------------------------------------------------------------- their tests


@pytest.mark.parametrize("name", NAMES)
def test_the_api_test_of_pettingzoo_passes(name: str) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(pettingzoo_env(name), num_cycles=20)
    assert without_warnings(found) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    rules = loaded(name)
    seed_test(lambda: RulesAECEnv(rules), num_cycles=8)


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_of_gymnasium_passes(name: str) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        check_env(gymnasium_env(name))
    assert without_warnings(found) == []


# ---------------------------------------------------------------------------------------------------- what is told


def positions(rules: Rules, games: int, most: int) -> Iterator[Position]:
    """A position at each decision of some random games, to be looked at before the next."""
    position = Position(rules)
    for seed in range(games):
        chance = Random(seed)
        position.begin(seed)
        for _ in range(most):
            if position.player < 0:
                break
            yield position
            position.take(chance.choice(position.codes))


def leaks(rules: Rules, games: int, most: int, counts: Counter[str]) -> set[str]:
    """What changes for whom when everything hidden from him is changed."""
    observations, actions, chance, found = Observations(rules), Actions(rules.program), Random(1), set()
    for position in positions(rules, games, most):
        decision, codes, state = position.decision, list(position.codes), list(position.state)
        for viewer in range(len(rules.players)):
            other = shuffled_state(rules.sight, state, viewer, chance)
            counts["changed"] += other[RNG + 4 :] != state[RNG + 4 :]
            counts["compared"] += 1
            changed = rules.backend.options(other)
            if viewer == position.player and actions.of(decision, codes) != actions.of(decision, list(changed)):
                found.add(f"actions of {viewer}")
            mine = observations.of(state, viewer, position.player, codes)
            if mine != observations.of(other, viewer, position.player, codes):
                found.add(f"observation of {viewer}")
    return found


SECRET = [name for name in NAMES if loaded(name).sight.has_secrets]


@pytest.mark.parametrize("name", SECRET)
def test_nothing_hidden_is_told(name: str) -> None:
    counts: Counter[str] = Counter()
    games, most = (1, 12) if loaded(name).program.layout.size > 1_000 else (12, 40)
    assert leaks(loaded(name), games, most, counts) == set()
    assert counts["changed"] > counts["compared"] // 20


def test_an_observation_that_hides_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = loaded("kuhn_poker")
    monkeypatch.setattr(Sight, "unseen_matters", lambda self, state, viewer: set())
    assert leaks(rules, 3, 10, Counter()) == {"observation of 0", "observation of 1"}


@pytest.mark.parametrize("name", NAMES)
def test_an_observation_shows_what_the_view_shows(name: str) -> None:
    """Every slot that has a number tells what the view tells, and is marked where the view has nothing."""
    rules = loaded(name)
    observations = Observations(rules)
    orders = {slot for group in rules.program.layout.groups if group.what == "order"
              for slot in range(group.base, group.base + group.count)}  # fmt: skip
    for position in positions(rules, 1, 5 if rules.program.layout.size > 1_000 else 30):
        for viewer in range(len(rules.players)):
            slots = position.session().view(viewer).slots
            row = observations.of(position.state, viewer, position.player, position.codes)
            for slot, at in zip(observations._slots, observations._plain, strict=True):
                mark = observations.numbers[at].low
                assert row[at] == (mark if slots[slot] is None else slots[slot]) or (slot in orders and row[at] == mark)


def test_the_table_shows_whose_card_lies_where() -> None:
    env = pettingzoo_env("kuhn_poker")
    env.reset(seed=3)
    first, second = (env.observe(agent)["observation"] for agent in env.agents)
    places = [at for at, number in enumerate(env.observations.numbers) if number.name.startswith("place of Card")]
    assert sorted(first[places])[:2] == sorted(second[places])[:2] == [-1, -1]
    assert max(first[places]) == 2 and max(second[places]) == 3
    assert env.observe("player_0")["action_mask"].sum() == 2
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_a_figure_that_only_labels_show_is_told_to_whoever_decides() -> None:
    env = pettingzoo_env("pig")
    env.reset(seed=0)
    at = next(i for i, number in enumerate(env.observations.numbers) if number.name.startswith("shown by"))
    pot, decider = 0, env.agent_selection
    while env.agent_selection == decider:
        names = {name: action for action, name in env.option_names().items()}
        shown = int(env.observe(decider)["observation"][at])
        assert shown == (pot or env.observations.numbers[at].low)
        env.step(names["Roll"])
        if env.agent_selection == decider:
            pot = int(next(name for name in env.option_names().values() if "Hold" in name).split()[1])
    other = env.possible_agents[1 - env.possible_agents.index(env.agent_selection)]
    assert int(env.observe(other)["observation"][at]) == env.observations.numbers[at].low


def test_what_whoever_decides_has_followed_is_told() -> None:
    """How many rerolls are left, and what was picked so far."""
    env = gymnasium_env("yacht")
    seen, _ = env.reset(seed=5)
    numbers = [number.name for number in env.observations.numbers]
    picked, left = [at for at, name in enumerate(numbers) if "again" in name], numbers.index("local left 0")
    mark = env.observations.numbers[left].low

    def step(wanted: str) -> None:
        nonlocal seen
        action = next(action for action, name in env.option_names().items() if wanted in name)
        seen = env.step(action)[0]

    first = seen["observation"][left]
    assert list(seen["observation"][picked]) == [-1] * 5
    step("Reroll")
    assert list(seen["observation"][picked]) == [0, 0, 0, 0, 0]
    step("")
    assert sorted(seen["observation"][picked]) == [0, 0, 0, 0, 1]
    step("done")
    assert seen["observation"][left] == first - 1
    step("pass")
    assert seen["observation"][left] == mark


# ---------------------------------------------------------------------------------------------------- rewards


def played(env: RulesAECEnv, choices: list[str]) -> list[float]:
    """The rewards of a game by the names of its choices."""
    env.reset(seed=0)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for choice in choices:
        env.step(next(action for action, name in env.option_names().items() if name == choice))
        for agent, reward in env.rewards.items():
            total[agent] += reward
    assert all(env.terminations.values())
    return list(total.values())


def test_who_wins_gets_1_and_who_loses_gives_1() -> None:
    assert played(pettingzoo_env("tic_tac_toe"), ["a1", "a2", "b1", "b2", "c1"]) == [1, -1]
    assert played(pettingzoo_env("tic_tac_toe"), ["a1", "a2", "b1", "b2", "c3", "c2"]) == [-1, 1]
    draw = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"]
    assert played(pettingzoo_env("tic_tac_toe"), draw) == [0, 0]


def test_points_can_be_what_counts() -> None:
    won = played(pettingzoo_env("kuhn_poker"), ["Bet", "Call"])
    lead = played(pettingzoo_env("kuhn_poker", rewards="score"), ["Bet", "Call"])
    assert lead == [4 * reward for reward in won]
    with pytest.raises(DslError, match="has no scores"):
        pettingzoo_env("tic_tac_toe", rewards="score")


@pytest.mark.parametrize("name", ["hall", "yacht", "blackjack"])
def test_rewards_of_a_game_played_alone_add_up_to_its_points(name: str) -> None:
    env = gymnasium_env(name)
    random.seed(1)
    for seed in range(3):
        (seen, _), total, over = env.reset(seed=seed), 0.0, False
        while not over:
            seen, reward, over, _, _ = env.step(random.choice(seen["action_mask"].nonzero()[0]))
            total += reward
        assert total == float(env.position.scores[0])


def test_what_is_not_offered_loses() -> None:
    env = pettingzoo_env("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1} and all(env.terminations.values())
    assert env.infos["player_1"] == {"illegal": True}
    alone = gymnasium_env("tic_tac_toe")
    alone.reset(seed=1)
    _, reward, terminated, truncated, info = alone.step(alone.action_space.n - 1)
    assert not terminated
    _, reward, terminated, truncated, info = alone.step(alone.action_space.n - 1)
    assert (reward, terminated, truncated, info) == (-1, True, False, {"illegal": True})


def test_a_long_game_is_truncated() -> None:
    env = pettingzoo_env("pig", most_decisions=3)
    env.reset(seed=1)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(0)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    alone = gymnasium_env("pig", most_decisions=4)
    alone.reset(seed=1)
    steps = [alone.step(0)[2:4] for _ in range(4)]
    assert (False, True) in steps and (True, False) not in steps


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_mean_the_same_in_every_state_where_there_are_few() -> None:
    env = pettingzoo_env("connect_four")
    env.reset(seed=0)
    first = env.option_names()
    env.step(next(iter(first)))
    assert env.option_names() == first and env.actions.meaning == "codes"


def test_a_game_of_many_options_has_places_for_actions() -> None:
    env = pettingzoo_env("breakthrough", options={"size": 12})
    assert env.actions.meaning == "places"
    env.reset(seed=0)
    assert list(env.observe("player_0")["action_mask"].nonzero()[0]) == list(range(len(env.position.codes)))
    assert env.infos["player_0"]["codes"] == tuple(env.position.codes)
    narrow = pettingzoo_env("breakthrough", options={"size": 12}, most_actions=5)
    narrow.reset(seed=0)
    with pytest.raises(TooManyOptionsError, match="make the environment with `most_actions="):
        narrow.observe("player_0")


# ---------------------------------------------------------------------------------------------------- one seat learns


def test_others_may_be_bots_or_functions() -> None:
    asked: list[str] = []

    def first(session: dsl.Session) -> dsl.Option:
        asked.append(session.player_name)
        return session.options[0]

    env = gymnasium_env("tic_tac_toe", seat=1, others=first)
    env.reset(seed=1)
    assert asked == ["Cross"] and env.position.player == 1
    greedy = gymnasium_env("kuhn_poker", seat=1, others="greedy")
    assert greedy.reset(seed=4)[0]["action_mask"].sum() == 2
    clever = gymnasium_env("tic_tac_toe", others="mcts:20")
    clever.reset(seed=1)
    clever.step(4)
    assert len(clever.position.codes) == 7
    for wrong in ({"others": "gredy"}, {"seat": 2}):
        with pytest.raises(DslError, match=r"did you mean `greedy`|no seat 2"):
            gymnasium_env("kuhn_poker", **wrong)


def test_the_table_can_be_looked_at() -> None:
    env = gymnasium_env("kuhn_poker", render_mode="ansi")
    env.reset(seed=1)
    assert "Kuhn Poker" in env.render() and "hand" in env.render()
    assert RulesEnv(loaded("kuhn_poker")).render() is None
    several = pettingzoo_env("tic_tac_toe", render_mode="ansi")
    several.reset(seed=1)
    assert "Tic-Tac-Toe" in several.render()
    assert several.state().shape == (several.rules.program.layout.size,)


def test_without_the_extra_it_is_said_what_to_install() -> None:
    code = "import sys\nsys.modules['pettingzoo'] = None\nimport interpreter\ninterpreter.pettingzoo_env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ImportError: environments need `pettingzoo`: pip install 'rulewright[env]'" in done.stderr


def test_the_example_learns_in_twenty_lines() -> None:
    file = Path(__file__).parents[2] / "examples" / "train_tabular.py"
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith('"""')]) <= 20
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    before, after = (float(line.split()[2]) for line in done.stdout.splitlines())
    assert before < 75 and after > 88
