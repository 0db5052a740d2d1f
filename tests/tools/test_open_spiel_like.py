"""The protocol like OpenSpiel's: every game can be walked, trees with chance are whole, and an algorithm solves one."""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from fractions import Fraction
from random import Random

import pytest
from attrs import frozen

import interpreter as dsl
from interpreter.diagnostics import DslError, IllegalChoice
from interpreter.runtime import load
from interpreter.runtime.leak import shuffled_secrets
from interpreter.source import shipped_games
from interpreter.tools.adapters.open_spiel_like import CHANCE, TERMINAL, SpielGame, SpielState, open_spiel_game

NAMES = [path.stem for path in shipped_games()]


def walked(game: SpielGame, seed: int, most: int) -> SpielState:
    """The state after so many random actions of players, or at the end."""
    random, state, taken = Random(seed), game.new_initial_state(seed), 0
    while not state.is_terminal() and taken < most:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            state.apply_action(random.choice(outcomes)[0])
            continue
        player = state.current_player()
        legal = state.legal_actions()
        assert legal == sorted(set(legal)) and legal and state.legal_actions(player) == legal
        assert all(0 <= action < game.num_distinct_actions() for action in legal)
        assert [at for at, offered in enumerate(state.legal_actions_mask()) if offered] == legal
        assert len(state.observation_tensor()) == game.observation_tensor_size()
        state.apply_action(random.choice(legal))
        taken += 1
    return state


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_walked(name: str) -> None:
    game = open_spiel_game(name, chance="sampled")
    state = walked(game, 1, 25)
    assert len(state.returns()) == game.num_players() == state.num_players()
    assert walked(game, 1, 25).history() == state.history()
    if state.is_terminal():
        assert state.current_player() == TERMINAL and state.legal_actions() == []


@pytest.mark.parametrize("name", ["kuhn_poker", "pig", "yacht", "rock_paper_scissors", "blackjack"])
def test_explicit_chance_gives_the_same_games(name: str) -> None:
    game = open_spiel_game(name, options={"goal": 10} if name == "pig" else None)
    state = walked(game, 2, 400)
    assert state.is_terminal()
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again.returns() == state.returns() and again.is_terminal()
    assert str(again) == str(state)


def test_a_state_is_changed_by_nothing_but_its_own_actions() -> None:
    state = open_spiel_game("kuhn_poker").new_initial_state()
    assert state.is_initial_state() and state.is_chance_node() and state.current_player() == CHANCE
    copies = [state.clone(), deepcopy(state), state.child(2)]
    assert [copy.history() for copy in copies] == [[], [], [2]]
    copies[0].apply_action(0)
    assert state.history() == [] and len(state.chance_outcomes()) == 3
    with pytest.raises(IllegalChoice, match="action 7 is not legal now"):
        state.apply_action(7)
    with pytest.raises(DslError, match="name a player"):
        state.observation_tensor()


@frozen
class Node:
    """A node of a tree: who acts, in which information state, and what follows, by action with its probability."""

    player: int
    known: str
    children: tuple[tuple[int, Fraction, Node], ...]
    returns: tuple[float, ...]


def tree(state: SpielState) -> Node:
    player = state.current_player()
    if state.is_terminal():
        return Node(player, "", (), tuple(state.returns()))
    if state.is_chance_node():
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        share = Fraction(1, len(outcomes))
        return Node(player, "", tuple((o, share, tree(state.child(o))) for o in outcomes), ())
    known = state.information_state_string()
    return Node(player, known, tuple((a, Fraction(0), tree(state.child(a))) for a in state.legal_actions()), ())


@pytest.fixture(scope="module")
def kuhn() -> Node:
    return tree(open_spiel_game("kuhn_poker", rewards="score").new_initial_state())


def nodes(node: Node) -> list[Node]:
    return [node, *(below for _, _, child in node.children for below in nodes(child))]


def test_the_tree_of_kuhn_poker_is_whole(kuhn: Node) -> None:
    """Six ways to deal, five ways to bet: 30 ends, and six information states of each player."""
    found = nodes(kuhn)
    assert len([node for node in found if node.player == TERMINAL]) == 6 * 5
    assert len({node.known for node in found if node.player == 0}) == 6
    assert len({node.known for node in found if node.player == 1}) == 6
    assert {len(node.children) for node in found if node.player == CHANCE} == {3, 2}


def test_counterfactual_regret_minimisation_finds_the_value_of_kuhn_poker(kuhn: Node) -> None:
    """First loses 1/18 of a chip a game when both play their best, so the lead in chips is -1/9."""
    regrets: defaultdict[tuple[str, int], float] = defaultdict(float)
    played: defaultdict[tuple[str, int], float] = defaultdict(float)

    def strategy(node: Node, of: defaultdict[tuple[str, int], float]) -> dict[int, float]:
        weights = {action: max(0.0, of[node.known, action]) for action, _, _ in node.children}
        whole = sum(weights.values())
        return {action: weight / whole if whole else 1 / len(weights) for action, weight in weights.items()}

    def value(node: Node, reach: tuple[float, float], learn: bool) -> float:
        """What a node is worth to First; with `learn` regrets are added up."""
        if node.player == TERMINAL:
            return node.returns[0]
        if node.player == CHANCE:
            return sum(float(share) * value(child, tuple(r * float(share) ** 0.5 for r in reach), learn)
                       for _, share, child in node.children)  # fmt: skip
        chosen = strategy(node, regrets if learn else played)
        worth = {}
        for action, _, child in node.children:
            mine = tuple(r * chosen[action] if seat == node.player else r for seat, r in enumerate(reach))
            worth[action] = value(child, mine, learn)
        total = sum(chosen[action] * worth[action] for action in worth)
        if learn:
            sign, other = (1, reach[1]) if node.player == 0 else (-1, reach[0])
            for action in worth:
                regrets[node.known, action] += other * sign * (worth[action] - total)
                played[node.known, action] += reach[node.player] * chosen[action]
        return total

    for _ in range(600):
        value(kuhn, (1.0, 1.0), True)
    assert value(kuhn, (1.0, 1.0), False) == pytest.approx(-1 / 9, abs=0.01)


def test_what_a_game_says_of_itself() -> None:
    kuhn = open_spiel_game("kuhn_poker")
    type_ = kuhn.get_type()
    assert (type_.short_name, type_.long_name, type_.dynamics) == ("kuhn_poker", "Kuhn Poker", "sequential")
    assert (type_.chance_mode, type_.information, type_.utility) == (
        "explicit_stochastic", "imperfect_information", "zero_sum")  # fmt: skip
    assert (kuhn.min_utility(), kuhn.max_utility(), kuhn.utility_sum()) == (-1, 1, 0)
    assert kuhn.max_chance_outcomes() == 3
    chess_like = open_spiel_game("breakthrough")
    assert chess_like.get_type().chance_mode == "deterministic" and chess_like.max_chance_outcomes() == 0
    assert open_spiel_game("yacht").get_type().utility == "general_sum"
    assert open_spiel_game("yacht").max_chance_outcomes() == 6


def test_actions_have_the_names_of_options() -> None:
    state = open_spiel_game("kuhn_poker").new_initial_state()
    assert state.action_to_string(0) == "result 1 of 3"
    state.apply_action(0)
    state.apply_action(0)
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == ["Bet", "Check"]


@pytest.mark.parametrize("name", ["kuhn_poker", "blackjack", "partners", "rock_paper_scissors"])
def test_information_states_tell_nothing_hidden(name: str) -> None:
    game, random = SpielGame(load(name), chance="sampled"), Random(1)
    for seed in range(6):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            for viewer in range(game.num_players()):
                other = state.clone()
                other._session = shuffled_secrets(state._session, viewer, random)
                assert other.information_state_string(viewer) == state.information_state_string(viewer)
            state.apply_action(random.choice(state.legal_actions()))


def test_the_facade_gives_it() -> None:
    assert dsl.open_spiel_game is open_spiel_game
