"""Any game in the words of OpenSpiel: a game gives states, a state says who acts, what is legal, and takes actions.

Nothing has to be installed for it, and no code of OpenSpiel is in it; the names and meanings are those that algorithms
written for OpenSpiel in Python expect.

    game = open_spiel_game("kuhn_poker")
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes())
            state.apply_action(random.choices(actions, shares)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    print(state.returns())

Chance is *explicit*: each result, of a die or of one exchange of a shuffle, is a node with its outcomes, so that trees
can be walked whole. The engine draws chance within a run; here a run is begun again with one more result whenever it
asks for one that nobody has chosen. With `chance="sampled"` there are no such nodes: each state carries its generator.

What a player knows is told in two ways. `observation_tensor` is what is seen now (`observations`). What
`information_state_string` tells is that, and all that the player was ever told, so it never forgets.

Invariant: a state is never changed but by `apply_action` on it; nothing hidden from a player is in what it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from attrs import define, field, frozen

from interpreter.backends.api import State
from interpreter.backends.lookahead import has_chance
from interpreter.diagnostics import DslError, IllegalChoice
from interpreter.ir.code import Chance, Int
from interpreter.ir.program import DECISION
from interpreter.ir.rewrite import visit_program
from interpreter.runtime import Rules, Session, load
from interpreter.runtime.chance import Drawn
from interpreter.runtime.limits import MAX_DECISIONS
from interpreter.runtime.rules import OptionValue
from interpreter.tools.adapters.actions import Actions
from interpreter.tools.adapters.observations import Observations
from interpreter.tools.adapters.rewards import RewardKind, kind_for, returns_of

__all__ = ["CHANCE", "INVALID", "SIMULTANEOUS", "TERMINAL", "GameType", "SpielGame", "SpielState", "open_spiel_game"]

CHANCE = -1
"""The player who acts at a chance node."""
SIMULTANEOUS = -2
"""Never: secret choices are made one after another."""
INVALID = -3
"""Nobody."""
TERMINAL = -4
"""Who acts when the game is over."""

ChanceKind = Literal["explicit", "sampled"]


@frozen
class GameType:
    """What sort of game it is."""

    short_name: str
    long_name: str
    dynamics: str
    chance_mode: str
    information: str
    utility: str
    reward_model: str
    max_num_players: int
    min_num_players: int
    provides_information_state_string: bool = True
    provides_information_state_tensor: bool = False
    provides_observation_string: bool = True
    provides_observation_tensor: bool = True


def open_spiel_game(
    rules: Rules | str | Path,
    *,
    players: int | None = None,
    options: dict[str, OptionValue] | None = None,
    scenario: str | None = None,
    rewards: RewardKind | None = None,
    chance: ChanceKind = "explicit",
    most_actions: int | None = None,
) -> SpielGame:
    """A game, by name, by path or loaded; raises `RulesError` where the rules are wrong."""
    if not isinstance(rules, Rules):
        rules = load(rules, players=players, options=options, scenario=scenario)
    return SpielGame(rules, rewards, chance, most_actions)


class SpielGame:
    """A game; see the module."""

    def __init__(
        self,
        rules: Rules,
        rewards: RewardKind | None = None,
        chance: ChanceKind = "explicit",
        most_actions: int | None = None,
    ) -> None:
        self.rules = rules
        self.reward_kind = kind_for(rules, rewards)
        self.chance = chance
        self.observations = Observations(rules)
        self.actions = Actions(rules.program, most_actions)

    def new_initial_state(self, seed: int = 0) -> SpielState:
        """The beginning; with explicit chance before anything is drawn. `seed` counts where chance is sampled."""
        session = self.rules.start_at_set_up(seed)
        state = SpielState(self, session)
        state.go_on()
        return state

    def num_players(self) -> int:
        """How many play."""
        return len(self.rules.players)

    def num_distinct_actions(self) -> int:
        """How many actions there are."""
        return self.actions.count

    def max_chance_outcomes(self) -> int:
        """The most outcomes of a chance node; 0 where there are none."""
        if self.chance == "sampled":
            return 0
        pieces = max((kind.count for kind in self.rules.game.kinds.values()), default=0)
        sides = [node.sides for node in visit_program(self.rules.program) if isinstance(node, Chance)]
        return max((each.value if isinstance(each, Int) else pieces for each in sides), default=0)

    def min_utility(self) -> float:
        """The least a game can be worth."""
        return -1.0 if self.reward_kind == "win" else float("-inf")

    def max_utility(self) -> float:
        """The most a game can be worth."""
        return 1.0 if self.reward_kind == "win" else float("inf")

    def utility_sum(self) -> float | None:
        """What the game is worth to all together, where that is always the same."""
        return 0.0 if self.get_type().utility == "zero_sum" else None

    def max_game_length(self) -> int:
        """The most decisions of a game that nobody watches."""
        return MAX_DECISIONS

    def observation_tensor_size(self) -> int:
        """How many numbers an observation has."""
        return self.observations.size

    def observation_tensor_shape(self) -> list[int]:
        """The shape of an observation."""
        return [self.observations.size]

    def get_type(self) -> GameType:
        """What sort of game it is."""
        rules, seats = self.rules, len(self.rules.players)
        is_drawn = has_chance(rules.program)
        return GameType(
            short_name=Path(rules.configuration.rules).stem,
            long_name=rules.title,
            dynamics="sequential",
            chance_mode=f"{self.chance}_stochastic" if is_drawn else "deterministic",
            information="imperfect_information" if rules.sight.has_secrets else "perfect_information",
            utility="zero_sum" if seats == 2 or (self.reward_kind == "score" and seats > 1) else "general_sum",
            reward_model="terminal",
            max_num_players=seats,
            min_num_players=seats,
        )

    def __str__(self) -> str:
        return self.rules.configuration.text()


class _Asked(Exception):  # noqa: N818 - no fault of anybody
    """One more result of chance is asked for."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


@define
class _Chosen:
    """Results that were chosen, in order; where they run out the run stops."""

    results: list[int]
    used: int = field(default=0, init=False)

    def roll(self, state: State, sides: int) -> int:
        if sides <= 1:
            return 0
        if self.used == len(self.results):
            raise _Asked(sides)
        self.used += 1
        return self.results[self.used - 1]


class SpielState:
    """A state of a game; made by `SpielGame.new_initial_state`."""

    def __init__(self, game: SpielGame, session: Session) -> None:
        self._game = game
        self._session = session
        self._code: int | None = None
        self._results: list[int] = []
        self._sides = 0
        self._history: list[int] = []

    # ------------------------------------------------------------------ going on

    def apply_action(self, action: int) -> None:
        """Takes a legal action, or an outcome of chance; raises `IllegalChoice` for any other."""
        if action not in self.legal_actions():
            raise IllegalChoice(f"action {action} is not legal now: {self.legal_actions()}")
        if self._sides:
            self._results.append(action)
        else:
            self._code = self._game.actions.code(action, self._decision, self._session.codes)
            self._results = []
        self._history.append(action)
        self.go_on()

    def go_on(self) -> None:
        """Runs to the next decision, or to the next result of chance that nobody has chosen."""
        explicit = self._game.chance == "explicit"
        session = self._session.clone(chance=_Chosen(list(self._results)) if explicit else Drawn())
        try:
            if self._code is None:
                session.begin()
            else:
                session.apply(next(option for option in session.options if option.code == self._code))
        except _Asked as asked:
            self._sides = asked.sides
            return
        self._session, self._sides = session, 0

    def clone(self) -> SpielState:
        """The same state, to go on by itself."""
        other = SpielState(self._game, self._session)
        other._code, other._results, other._sides = self._code, list(self._results), self._sides
        other._history = list(self._history)
        return other

    def child(self, action: int) -> SpielState:
        """The state after an action."""
        other = self.clone()
        other.apply_action(action)
        return other

    def __deepcopy__(self, memo: object) -> SpielState:
        return self.clone()

    # ------------------------------------------------------------------ who, and what

    def get_game(self) -> SpielGame:
        """The game it is a state of."""
        return self._game

    def num_players(self) -> int:
        """How many play."""
        return self._game.num_players()

    def current_player(self) -> int:
        """Who acts: a player, `CHANCE`, or `TERMINAL`."""
        if self._sides:
            return CHANCE
        player = self._session.player
        return TERMINAL if player is None else player

    def is_chance_node(self) -> bool:
        """Whether chance acts."""
        return self._sides > 0

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self._sides and self._session.is_over

    def is_simultaneous_node(self) -> bool:
        """Never."""
        return False

    def is_player_node(self) -> bool:
        """Whether a player acts."""
        return self.current_player() >= 0

    def is_initial_state(self) -> bool:
        """Whether nothing was done yet."""
        return not self._history

    @property
    def _decision(self) -> int:
        return -1 if self._session.is_over else self._session.state[DECISION]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions, rising; none for players who do not act."""
        if player is not None and player != self.current_player():
            return []
        if self._sides:
            return list(range(self._sides))
        return sorted(self._game.actions.of(self._decision, self._session.codes))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each legal action."""
        mask = [0] * (self._game.max_chance_outcomes() if self._sides else self._game.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities."""
        return [(outcome, 1 / self._sides) for outcome in range(self._sides)]

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """What an action is called at the table; the player may be left out."""
        wanted = player if action is None else action
        if self._sides:
            return f"result {wanted + 1} of {self._sides}"
        code = self._game.actions.code(wanted, self._decision, self._session.codes)
        return next((option.name for option in self._session.options if option.code == code), f"action {wanted}")

    def history(self) -> list[int]:
        """All actions so far, outcomes of chance among them."""
        return list(self._history)

    def history_str(self) -> str:
        """The same as a text."""
        return ", ".join(map(str, self._history))

    def move_number(self) -> int:
        """How many actions were taken."""
        return len(self._history)

    # ------------------------------------------------------------------ what it is worth

    def returns(self) -> list[float]:
        """What the game was worth to each player; noughts while it goes on."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return returns_of(self._session, self._game.reward_kind, self.num_players())

    def rewards(self) -> list[float]:
        """What the last action was worth to each player: everything comes at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """`returns` of one player."""
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        """`rewards` of one player."""
        return self.rewards()[player]

    # ------------------------------------------------------------------ what players know

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player sees now, as numbers; without a player whoever acts."""
        return [float(value) for value in self._row(self._asked(player))]

    def observation_string(self, player: int | None = None) -> str:
        """The same as a text."""
        return " ".join(map(str, self._row(self._asked(player))))

    def information_state_string(self, player: int | None = None) -> str:
        """What a player sees now and has been told so far."""
        viewer = self._asked(player)
        return "\n".join((self.observation_string(viewer), *self._session.log(viewer)))

    def _asked(self, player: int | None) -> int:
        found = self.current_player() if player is None else player
        if not 0 <= found < self.num_players():
            raise DslError("nobody is asked now: name a player")
        return found

    def _row(self, player: int) -> Sequence[int]:
        decider = -1 if self._sides or self._session.player is None else self._session.player
        codes = () if self._sides else self._session.codes
        return self._game.observations.of(self._session.state, player, decider, codes)

    def __str__(self) -> str:
        return "\n".join(event.text for event in self._session.events)
