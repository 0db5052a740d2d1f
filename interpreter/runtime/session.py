"""A game being played: who decides, what may be chosen, and what that leads to.

The state is a list of numbers and nothing else of the game lives anywhere, so taking a choice is running the program on
the list, undoing is putting an earlier list back, and looking ahead is running a copy. Around the list a session keeps
what people want besides: the steps taken, the log, the seed.

Invariant: after any call, successful or not, the session waits at a decision or is over; a call that raises leaves it
as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from interpreter.backends.api import Fault, State
from interpreter.diagnostics import AmbiguousChoice, IllegalChoice, InvalidChoice, RulesError, did_you_mean
from interpreter.ir.program import DECISION, PLAYER, ROUND, DecisionInfo, TextTemplate
from interpreter.runtime import limits
from interpreter.runtime.chance import ChanceSource, DiceRanOutError, Drawn, Scripted
from interpreter.runtime.choices import (
    Choice,
    TooManyChoicesError,
    continues,
    find_choices,
    whole_choices,
)
from interpreter.runtime.events import Event, Log, Recorder, choice_event
from interpreter.runtime.history import History, Step
from interpreter.runtime.names import Names
from interpreter.runtime.options import (
    PASS,
    Option,
    Values,
    branch_of,
    full_label,
    options_of,
    picked_so_far,
    settled,
    whole_name,
)
from interpreter.runtime.outcome import Outcome, outcome_of, scores_of
from interpreter.runtime.rules import Rules
from interpreter.runtime.sight import Sight, Viewer
from interpreter.semantics.types import Type

if TYPE_CHECKING:
    from interpreter.runtime.rosters import PlayerList
    from interpreter.runtime.view import View
    from interpreter.runtime.why import Explanation

__all__ = ["Session"]

_NEAR = 5
"""How many names a message lists when none is near."""


class Session:
    """A game being played."""

    rules: Rules
    """The game, in its configuration."""
    state: State
    """The numbers that are the game; not to be changed from outside."""
    seed: int | None
    """What the generator was started with; None for a state of other origin."""
    history: History
    """The steps taken."""
    journal: Log
    """What happened."""
    quiet: bool
    """Whether nothing is logged: for looking ahead."""
    marks: dict[int, int] | None
    """Counts of used lines, by number of the span; None when nobody asks."""
    halts: bool
    """Whether the game stands still, in the middle of whatever it does, where given dice run out: for tests."""
    is_halted: bool
    """Whether it stands still for want of a die."""
    rosters: tuple[PlayerList, ...]
    """The lists that players brought."""
    setup_rolls: tuple[tuple[int, int], ...]
    """Dice that fell before the first decision: sides and result, from 1."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        *,
        seed: int | None = None,
        chance: ChanceSource | None = None,
        marks: dict[int, int] | None = None,
        quiet: bool = False,
    ) -> None:
        self.rules = rules
        self.state = state
        self.seed = seed
        self.history = History()
        self.journal = Log()
        self.quiet = quiet
        self.marks = marks
        self.halts = self.is_halted = False
        self.setup_rolls = ()
        self.rosters = ()
        self._chance: ChanceSource = chance or Drawn()
        self._codes: Sequence[int] | None = None
        self._options: tuple[Option, ...] | None = None
        self._reason = ""
        self._gesture = 0
        self._last: Option | None = None

    def begin(self) -> None:
        """Runs from the program counter to the first decision."""
        recorder = self._recorder(0)
        before = list(self.state)
        try:
            codes = self.rules.backend.run(self.state, recorder)
        except Fault as fault:
            error = self.fault(fault)
            self.state[:] = before
            raise error from None
        except DiceRanOutError:
            if not self.halts:
                self.state[:] = before
                raise
            self.is_halted, codes = True, ()
        except BaseException:
            self.state[:] = before
            raise
        if recorder is not None:
            self.setup_rolls = (*self.setup_rolls, *recorder.rolls)
            self._write_down(recorder)
            self._reason = recorder.reason
        self._arrive(codes)

    def call(self, function: str) -> None:
        """Carries out a function of the program that changes the state, such as the set-up."""
        recorder = self._recorder(0)
        try:
            self.rules.backend.call(function, self.state, watcher=recorder)
        except Fault as fault:
            raise self.fault(fault) from None
        if recorder is not None:
            self.setup_rolls = (*self.setup_rolls, *recorder.rolls)
            self._write_down(recorder)
        self.forget()

    def forget(self) -> None:
        """The state was changed from outside: what was worked out from it no longer holds."""
        self._codes = self._options = self._last = None

    def take_dice(self, dice: Scripted) -> None:
        """From now on dice are given; where they run out the game stands still."""
        self._chance = dice
        self.halts = True

    # ------------------------------------------------------------------ what is the case

    @property
    def sight(self) -> Sight:
        """Who sees what."""
        return self.rules.sight

    @property
    def names(self) -> Names:
        """Numbers as words."""
        return self.rules.names

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.codes

    @property
    def codes(self) -> Sequence[int]:
        """The codes of the options, in order; empty when the game is over."""
        if self._codes is None:
            self._codes = tuple(self.rules.backend.options(self.state))
        return self._codes

    @property
    def decision(self) -> DecisionInfo | None:
        """The decision that waits, or None when the game is over."""
        number = self.state[DECISION]
        return self.rules.program.decisions[number] if self.codes and number >= 0 else None

    @property
    def player(self) -> int | None:
        """Who decides, by number; None when the game is over."""
        decision = self.decision
        return None if decision is None else self.rules.backend.call(decision.actor, self.state)

    @property
    def player_name(self) -> str:
        """Who decides, by name; empty when the game is over."""
        player = self.player
        return "" if player is None else self.rules.players[player]

    @property
    def prompt(self) -> str:
        """What the decision is for; empty when the game is over."""
        decision = self.decision
        if decision is None:
            return ""
        if decision.form == "choose":
            return decision.where
        program = self.rules.program
        branch = program.decisions[decision.parent].branches[decision.branch]
        return self.names.text(branch.label, self.state, picked_so_far(program, decision, self.state, self._last))

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be chosen, in a fixed order; empty when the game is over."""
        if self._options is None:
            self._options = options_of(self.rules.program, self.names, self.state, self.codes, self._last)
        return self._options

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, nothing held back."""
        return tuple(self.journal.events)

    def log(self, viewer: Viewer) -> tuple[str, ...]:
        """The log in words as far as a player, or an onlooker (None), may know it."""
        return tuple(text for _, text in self.journal.seen_by(viewer, self.rules.players) if text)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return outcome_of(self.rules.program, self.rules.backend, self.state, self._reason)

    @property
    def scores(self) -> tuple[int | Fraction, ...]:
        """The points of each player now; empty in a game without scores."""
        return scores_of(self.rules.program, self.rules.backend, self.state)

    @property
    def has_seeded_dice(self) -> bool:
        """Whether dice come from the seed alone, none are given."""
        return isinstance(self._chance, Drawn)

    def snapshot(self) -> State:
        """A copy of the state."""
        return list(self.state)

    def hash(self) -> str:
        """16 hexadecimal digits that are the same for the same state in every process and version of Python."""
        return blake2b(repr(list(self.state)).encode("ascii"), digest_size=8).hexdigest()

    # ------------------------------------------------------------------ choosing

    def apply(self, option: Option | int | str) -> None:
        """Takes an option: itself, its position among `options`, or its name (that of a whole choice too)."""
        if isinstance(option, str):
            self.choose(option)
        elif isinstance(option, Option):
            if option.decision != self.state[DECISION] or option.code not in self.codes:
                raise IllegalChoice(f"`{option.name}` is not offered now")
            self._gesture += 1
            self._take(option)
        elif isinstance(option, int) and not isinstance(option, bool):
            if not 0 <= option < len(self.options):
                raise InvalidChoice(f"no option {option}: {_count(len(self.options))}")
            self._gesture += 1
            self._take(self.options[option])
        else:
            raise InvalidChoice(f"expected an option, its position or its name, found {option!r}")

    def choose(self, text: str) -> None:
        """Takes the choice of that name, with all its picks."""
        self.take(self.find(text))

    def take(self, choice: Choice) -> None:
        """Takes a choice that was found among those offered now, with all its picks."""
        self._gesture += 1
        taken = len(self.history.steps)
        try:
            for code in choice.codes:
                self._take(next(option for option in self.options if option.code == code))
        except BaseException:
            if len(self.history.steps) > taken:
                self._go_back(taken)
            raise

    def find(self, text: str) -> Choice:
        """The choice of that name; raises `IllegalChoice`, `AmbiguousChoice` or `InvalidChoice`."""
        wanted = " ".join(text.split())
        if not wanted:
            raise InvalidChoice("expected the name of a choice, found nothing")
        if self.is_halted:
            raise IllegalChoice("nothing is offered: the game waits for a roll that was not given")
        if self.is_over:
            raise IllegalChoice("the game is over, nothing is left to choose")
        for option in self.options:
            if option.name == wanted:
                return Choice(wanted, (option.code,), (option,))
        program, backend = self.rules.program, self.rules.backend
        try:
            found = find_choices(program, backend, self.names, self.state, self.codes, wanted, self._last)
        except TooManyChoicesError as error:
            raise InvalidChoice(f"`{wanted}` cannot be found: {error}; pick its parts one by one") from None
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousChoice(f"`{wanted}` names {len(found)} different choices; pick its parts one by one")
        raise self._not_offered(wanted)

    def choices(self) -> Iterator[Choice]:
        """All whole choices of the decision that waits; raises `TooManyChoicesError` beyond `limits.CHOICE_STEPS`."""
        program, backend = self.rules.program, self.rules.backend
        return whole_choices(program, backend, self.names, self.state, self.codes, self._last)

    def _not_offered(self, wanted: str) -> IllegalChoice:
        known = [option.name for option in self.options]
        try:
            for number, choice in enumerate(self.choices()):
                if number >= limits.MAX_OPTIONS:
                    break
                known.append(choice.name)
        except TooManyChoicesError:
            pass
        near = did_you_mean(wanted, known)
        if near is None:
            shown = ", ".join(f"`{option.name}`" for option in self.options[:_NEAR])
            more = len(self.options) - _NEAR
            near = f"offered: {shown}" + (f" and {more} more" if more > 0 else "")
        return IllegalChoice(f"`{wanted}` is not offered to {self.player_name}; {near}")

    def _take(self, option: Option) -> None:
        program = self.rules.program
        player = self.player
        assert player is not None
        before = tuple(self.state)
        number = len(self.history.steps) + 1
        recorder = self._recorder(number)
        try:
            codes = self.rules.backend.apply(self.state, option.code, recorder)
        except Fault as fault:
            error = self.fault(fault, option.name)
            self.state[:] = before
            raise error from None
        except DiceRanOutError:
            if not self.halts:
                self.state[:] = before
                raise
            self.is_halted, codes = True, ()
        except BaseException:
            self.state[:] = before
            raise
        was, self._codes = list(before), codes or ()
        complete = not (codes and continues(program, option, self.state))
        whole = whole_name(program, self.names, was, option, complete=True) if complete else ""
        if complete and (option.is_pass or not self._is_composed(option)):
            whole = option.name
        step = Step(
            number=number,
            player=player,
            decision=option.decision,
            code=option.code,
            name=option.name,
            whole=whole,
            chance=() if recorder is None else tuple(recorder.rolls),
            gesture=self._gesture,
            last=self._last,
            turn=(player, before[PLAYER], before[ROUND]),
            before=before,
            log_length=len(self.journal.events),
        )
        if recorder is not None:
            self.history.add(step, self._barrier(recorder, was))
            if complete:
                self.journal.add(self._told(option, was, player, number))
            self._write_down(recorder)
            self._reason = recorder.reason
        else:
            self.history.add(step, None)
        self._last = option
        self._arrive(codes)

    def _is_composed(self, option: Option) -> bool:
        """Whether an option is one of the picks of a choice of several parts."""
        if option.is_pass:
            return False
        if self.rules.program.decisions[option.decision].form == "pick":
            return True
        return None in option.values

    def _arrive(self, codes: Sequence[int] | None) -> None:
        self._codes = tuple(codes or ())
        self._options = None
        if len(self._codes) > limits.MAX_OPTIONS:
            decision = self.rules.program.decisions[self.state[DECISION]]
            raise limits.too_many_options(
                len(self._codes),
                decision.span,
                configuration=self.rules.configuration.text(),
                seed=self.seed,
                decisions=self.history.names(),
            )

    def marker(self) -> Recorder | None:
        """Counts the lines that a look at the state uses; None when nobody asks for them."""
        return None if self.marks is None else self._recorder(len(self.history.steps))

    def _recorder(self, step: int) -> Recorder | None:
        if self.quiet and isinstance(self._chance, Drawn) and self.marks is None:
            return None
        return Recorder(self.rules.wording, self.state, self._chance, self.marks, step)

    def _barrier(self, recorder: Recorder, before: State) -> str | None:
        if any(sides > 1 for sides, _ in recorder.rolls):
            return "a die was rolled"
        return self.sight.disclosed(before, self.state)

    def _write_down(self, recorder: Recorder) -> None:
        """Adds what happened in a run to the log, with the only options that were taken without asking."""
        program, backend = self.rules.program, self.rules.backend
        written = 0
        for alone in recorder.alone:
            for event in recorder.events[written : alone.at]:
                self.journal.add(event)
            written = alone.at
            (option,) = options_of(program, self.names, alone.before, (alone.code,))
            player = backend.call(program.decisions[option.decision].actor, alone.before)
            self.journal.add(self._told(option, alone.before, player, recorder.step))
        for event in recorder.events[written:]:
            self.journal.add(event)

    def _told(self, option: Option, before: State, player: int, step: int) -> Event:
        program = self.rules.program
        decision = program.decisions[option.decision]
        choose = program.decisions[decision.parent] if decision.form == "pick" else decision
        label: TextTemplate = (PASS,)
        types: list[Type] = []
        values: Values = ()
        if not option.is_pass:
            branch = branch_of(program, option)
            values = settled(branch, option.values)
            label = full_label(branch)
            types = [binder.type for binder in branch.binders]
        return choice_event(
            program,
            self.names,
            self.sight,
            label=label,
            types=types,
            values=values,
            before=before,
            after=self.state,
            player=player,
            step=step,
            span=option.span,
            is_secret=choose.secret,
        )

    def unending(self) -> RulesError:
        """The error for a game that goes on past `limits.MAX_DECISIONS` with nobody watching."""
        decision = self.decision
        return limits.too_many_decisions(
            None if decision is None else decision.span,
            configuration=self.rules.configuration.text(),
            seed=self.seed,
            decisions=self.history.names(),
        )

    def fault(self, fault: Fault, taken: str = "") -> RulesError:
        """The error for a fault of the rules, with what is needed to see it again."""
        names = [*self.history.names(), taken] if taken else list(self.history.names())
        error = limits.fault_error(
            fault,
            self.rules.program,
            configuration=self.rules.configuration.text(),
            seed=self.seed,
            decisions=names,
        )
        return self._roster_error(error) if fault.code == "D719" else error

    def _roster_error(self, error: RulesError) -> RulesError:
        """The same for rosters that do not fulfil what is needed: all that is wrong with them, at the lists."""
        from interpreter.runtime.rosters import broken_at_muster

        first = error.diagnostics[0]
        found = broken_at_muster(self, first.span)
        return RulesError(evolve(each, notes=(*each.notes, *first.notes)) for each in found) if found else error

    # ------------------------------------------------------------------ going back

    @property
    def can_undo(self) -> bool:
        """Whether the last choice can be taken back."""
        return len(self.history.steps) > self.history.floor

    @property
    def undo_barrier(self) -> str | None:
        """Why nothing can be taken back now; None when something can."""
        if self.can_undo:
            return None
        return self.history.reason or "nothing was decided yet"

    def undo(self, *, force: bool = False) -> None:
        """Takes back the last choice, all of its picks; `force` goes past a barrier (for looking at old games)."""
        floor = self.history.floor
        if force:
            self.history.floor = 0
        keep = self.history.last_gesture()
        self.history.floor = floor
        self._undo_to(keep)

    def undo_turn(self) -> None:
        """Takes back all that the deciding player chose in this turn, as far as the barrier allows."""
        self._undo_to(self.history.last_turn())

    def _undo_to(self, keep: int) -> None:
        if keep >= len(self.history.steps):
            raise IllegalChoice(f"cannot be taken back: {self.undo_barrier}")
        self._go_back(keep)

    def _go_back(self, keep: int) -> None:
        step = self.history.cut(keep)
        self.history.floor = min(self.history.floor, keep)
        self.state[:] = step.before
        self.journal.cut(step.log_length)
        self._codes = self._options = None
        self._last = step.last
        self._reason = ""

    # ------------------------------------------------------------------ copies

    def clone(self, *, quiet: bool | None = None, chance: ChanceSource | None = None) -> Session:
        """The same game, to go on by itself; `quiet` says whether it logs nothing, `chance` gives the dice instead."""
        other = self.with_state(list(self.state), quiet=quiet)
        if chance is not None:
            other._chance = chance
        return other

    def with_state(self, state: State, *, quiet: bool | None = None, last: Option | None = None) -> Session:
        """The same game with the same past in another state; `last` is the option that led there, if another did."""
        other = Session.__new__(Session)
        other.__dict__.update(self.__dict__)
        other.state = state
        other.history = self.history.clone()
        other.journal = self.journal.clone()
        other.marks = None
        other.quiet = self.quiet if quiet is None else quiet
        if isinstance(self._chance, Scripted):
            scripted = Scripted(list(self._chance.faces), self._chance.then)
            scripted.used = self._chance.used
            other._chance = scripted
        if state != self.state:
            other._codes = other._options = None
        if last is not None:
            other._last, other._options = last, None
        return other

    # ------------------------------------------------------------------ looking closer

    def view(self, player: Viewer) -> View:
        """What a player, or an onlooker (None), may know."""
        from interpreter.runtime.view import view

        return view(self, player)

    def evaluate(self, text: str) -> object:
        """The value of an expression of the rules language: a number, flag, name, None, or a tuple of those."""
        from interpreter.runtime.snippets import evaluate

        return evaluate(self, text)

    def why(self, text: str) -> Explanation:
        """How the value of an expression comes about, line by line."""
        from interpreter.runtime.why import why

        return why(self, text)

    def why_not(self, text: str) -> Explanation:
        """Why a choice is not offered."""
        from interpreter.runtime.why import why_not

        return why_not(self, text)

    def save(self, path: Path | str | None = None) -> bytes:
        """The game as a save, written to a file if one is named."""
        from interpreter.runtime.saves import save

        return save(self, None if path is None else Path(path))

    @staticmethod
    def resume(source: bytes | Path | str, *, rules: Rules | None = None) -> Session:
        """The game of a save; raises `SaveError` when it cannot be read, `DivergenceError` when the rules changed."""
        from interpreter.runtime.saves import resume

        return resume(source, rules=rules)

    def __repr__(self) -> str:
        where = "over" if self.is_over else f"{self.player_name}: {self.prompt}"
        return f"<Session of {self.rules.title}, {len(self.history.steps)} steps, {where}>"


def _count(number: int) -> str:
    return "nothing is offered" if number == 0 else f"options 0 to {number - 1} are offered"
