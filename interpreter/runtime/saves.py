"""Saves: a game as a file that outlives changes of the rules and of this program.

A save is JSON: how the game was loaded, the seed, every decision by its readable name with the dice that fell, and the
state at the end. Loading plays the decisions again. With the same rules that leads to the same state, and the check of
the state proves it; with changed rules it leads either to a game that goes on under the new rules or to the first
decision that goes differently, which is told.

    {"format": "rulewright save", "format_version": 1,
     "rules": {"path": "pig", "title": "Pig", "fingerprint": "..."},
     "configuration": {"players": null, "options": {"goal": 50}, "scenario": null, "with": []},
     "rosters": [{"player": "Ann", "roster": "band", "home": "north", "all": ["Archer"]}],
     "seed": 7, "dice": "seeded" or "given", "setup_rolls": [[6, 3]],
     "decisions": [{"player": "Ann", "name": "Roll", "code": 0, "rolls": [[6, 4]]}],
     "snapshot": {"layout": "...", "hash": "...", "slots": [0, 1]}}

Rolls are pairs of sides and result, from 1. `rosters` has the lists that players brought, if any, in full, whatever
became of their files. Invariant: reading a save never writes, and writing one replaces the file
in one step or not at all.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import frozen

from interpreter.diagnostics import DslError, IllegalChoice
from interpreter.ir.program import Layout
from interpreter.runtime.chance import Drawn, Scripted, ScriptedChanceError
from interpreter.runtime.limits import MAX_SAVE_BYTES
from interpreter.runtime.rosters import list_data
from interpreter.runtime.rules import Configuration, Rules
from interpreter.runtime.session import Session

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "Divergence",
    "DivergenceError",
    "Save",
    "SaveError",
    "layout_fingerprint",
    "read_save",
    "replace_file",
    "replay",
    "resume",
    "save",
    "verify",
]

FORMAT = "rulewright save"
"""What a save says it is."""
FORMAT_VERSION = 1
"""Raised when the meaning of a save changes."""


class SaveError(DslError):
    """A file is no save, or one that cannot be read."""


@frozen
class Divergence:
    """The first place where playing a save again goes differently."""

    number: int
    """Number of the decision, from 1; one more than there are when only the end differs."""
    expected: str
    """What the save says."""
    found: str
    """What the rules say now."""

    def __str__(self) -> str:
        return f"decision {self.number} goes differently: expected {self.expected}, found {self.found}"


class DivergenceError(DslError):
    """The rules now give another game than the one saved."""

    divergence: Divergence
    """Where, and how."""
    session: Session
    """The game up to there, ready to go on."""

    def __init__(self, divergence: Divergence, session: Session) -> None:
        super().__init__(str(divergence))
        self.divergence = divergence
        self.session = session


@frozen
class SavedDecision:
    """One decision of a save."""

    player: str
    """Who decided."""
    name: str
    """The name of the option."""
    code: int
    """Its code then."""
    rolls: tuple[tuple[int, int], ...]
    """Dice that fell afterwards."""


@frozen
class Save:
    """A save as read."""

    configuration: Configuration
    """How the game was loaded."""
    title: str
    """The title of the game."""
    fingerprint: str
    """Of the rules then."""
    seed: int | None
    """What the generator was started with."""
    given_dice: bool
    """Whether dice were given instead of drawn."""
    setup_rolls: tuple[tuple[int, int], ...]
    """Dice that fell before the first decision."""
    decisions: tuple[SavedDecision, ...]
    """What was decided."""
    hash: str
    """Of the state at the end."""
    layout: str
    """Fingerprint of the layout of the state."""
    slots: tuple[int, ...]
    """The state at the end."""
    folder: Path | None = None
    """Where the save lies, if in a file."""
    rosters: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """The lists that players brought, each with its player."""

    def lists(self) -> dict[str, list[Mapping[str, Any]]]:
        """The lists by player."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for player, listed in self.rosters:
            found.setdefault(player, []).append(listed)
        return found

    def load_rules(self) -> Rules:
        """The rules that the save names, in its configuration."""
        from interpreter.runtime.load import load

        named = self.configuration
        path: str = named.rules
        if self.folder is not None and not Path(path).is_file() and (self.folder / path).is_file():
            path = str(self.folder / path)
        return load(
            path, players=named.players, options=dict(named.options), scenario=named.scenario, addons=named.addons
        )


def layout_fingerprint(layout: Layout) -> str:
    """16 hexadecimal digits that differ when slots have other meanings."""
    groups = [(group.what, group.name, group.base, group.count) for group in layout.groups]
    return blake2b(repr((layout.size, groups)).encode("utf-8"), digest_size=8).hexdigest()


# ---------------------------------------------------------------------------------------------------- writing


def save(session: Session, path: Path | None = None) -> bytes:
    """The game as a save; written to a file, whole or not at all, if one is named."""
    rules = session.rules
    named = rules.configuration
    steps = session.history.steps
    document: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "rules": {"path": named.rules, "title": rules.title, "fingerprint": rules.program.fingerprint},
        "configuration": {
            "players": named.players,
            "options": dict(named.options),
            "scenario": named.scenario,
            "with": list(named.addons),
        },
        "seed": session.seed,
        "dice": "seeded" if session.has_seeded_dice else "given",
        "setup_rolls": [list(roll) for roll in session.setup_rolls],
        "decisions": [
            {
                "player": rules.players[step.player],
                "name": step.name,
                "code": step.code,
                "rolls": [list(roll) for roll in step.chance],
            }
            for step in steps
        ],
        "snapshot": {
            "layout": layout_fingerprint(rules.program.layout),
            "hash": session.hash(),
            "slots": session.snapshot(),
        },
    }
    if session.rosters:
        document["rosters"] = [
            {"player": rules.players[listed.player], **list_data(rules, listed)} for listed in session.rosters
        ]
    data = (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
    if path is not None:
        replace_file(path, data)
    return data


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file in one step, or raises `SaveError` and leaves what was there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise SaveError(f"cannot write `{path.as_posix()}`: {(error.strerror or str(error)).lower()}") from None


# ---------------------------------------------------------------------------------------------------- reading


def read_save(source: bytes | Path | str) -> Save:
    """The save in a file or in memory; raises `SaveError` when it is none."""
    folder: Path | None = None
    if isinstance(source, bytes):
        data, name = source, "the save"
    else:
        path = Path(source)
        folder, name = path.absolute().parent, f"`{path.as_posix()}`"
        try:
            with path.open("rb") as stream:
                data = stream.read(MAX_SAVE_BYTES + 1)
        except OSError as error:
            raise SaveError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None
    if len(data) > MAX_SAVE_BYTES:
        raise SaveError(f"{name} is too large: expected at most {MAX_SAVE_BYTES} bytes")
    try:
        document = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise SaveError(f"{name} is no save: expected JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SaveError(f'{name} is no save: expected `"format": "{FORMAT}"`')
    version = document.get("format_version")
    if version != FORMAT_VERSION:
        raise SaveError(f"{name} has format version {version!r}, expected {FORMAT_VERSION}")
    return _read(_Reader(name), document, folder)


class _Reader:
    """Takes values out of a document, each of the kind it must be."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, where: Mapping[str, Any], key: str, kind: type | tuple[type, ...]) -> Any:
        value = where.get(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise SaveError(f"{self.name} is damaged: `{key}` is missing or of another kind than expected")
        return value

    def rolls(self, where: Mapping[str, Any], key: str) -> tuple[tuple[int, int], ...]:
        found: list[tuple[int, int]] = []
        for roll in self.get(where, key, list):
            if not (isinstance(roll, list) and len(roll) == 2 and all(isinstance(part, int) for part in roll)):
                raise SaveError(f"{self.name} is damaged: `{key}` holds something other than pairs of numbers")
            found.append((roll[0], roll[1]))
        return tuple(found)


def _read(reader: _Reader, document: dict[str, Any], folder: Path | None) -> Save:
    rules = reader.get(document, "rules", dict)
    named = reader.get(document, "configuration", dict)
    snapshot = reader.get(document, "snapshot", dict)
    options = reader.get(named, "options", dict)
    decisions = []
    for entry in reader.get(document, "decisions", list):
        if not isinstance(entry, dict):
            raise SaveError(f"{reader.name} is damaged: `decisions` holds something other than decisions")
        decisions.append(
            SavedDecision(
                player=reader.get(entry, "player", str),
                name=reader.get(entry, "name", str),
                code=reader.get(entry, "code", int),
                rolls=reader.rolls(entry, "rolls"),
            )
        )
    rosters: list[tuple[str, Mapping[str, Any]]] = []
    for entry in reader.get(document, "rosters", list) if "rosters" in document else []:
        if not isinstance(entry, dict):
            raise SaveError(f"{reader.name} is damaged: `rosters` holds something other than lists")
        rosters.append((reader.get(entry, "player", str), {key: entry[key] for key in entry if key != "player"}))
    slots = reader.get(snapshot, "slots", list)
    addons = reader.get(named, "with", list)
    if not all(isinstance(slot, int) for slot in slots) or not all(isinstance(addon, str) for addon in addons):
        raise SaveError(f"{reader.name} is damaged: a list holds something of another kind than expected")
    if not all(isinstance(value, int | bool | str) for value in options.values()):
        raise SaveError(f"{reader.name} is damaged: `options` holds something other than numbers, flags and words")
    return Save(
        configuration=Configuration(
            rules=reader.get(rules, "path", str),
            players=reader.get(named, "players", (int, type(None))),
            options=tuple(sorted(options.items())),
            scenario=reader.get(named, "scenario", (str, type(None))),
            addons=tuple(addons),
        ),
        title=reader.get(rules, "title", str),
        fingerprint=reader.get(rules, "fingerprint", str),
        seed=reader.get(document, "seed", (int, type(None))),
        given_dice=reader.get(document, "dice", str) == "given",
        setup_rolls=reader.rolls(document, "setup_rolls"),
        decisions=tuple(decisions),
        hash=reader.get(snapshot, "hash", str),
        layout=reader.get(snapshot, "layout", str),
        slots=tuple(slots),
        folder=folder,
        rosters=tuple(rosters),
    )


# ---------------------------------------------------------------------------------------------------- playing again


def replay(source: Save | bytes | Path | str, *, to: int | None = None, rules: Rules | None = None) -> Session:
    """The game of a save after its first `to` decisions (all by default); raises `DivergenceError`."""
    read = source if isinstance(source, Save) else read_save(source)
    rules = rules or read.load_rules()
    wanted = read.decisions if to is None else read.decisions[: max(to, 0)]
    scripted: Scripted | None = None
    if read.given_dice:
        faces = [result for _, result in read.setup_rolls]
        faces += [result for decision in read.decisions for _, result in decision.rolls]
        scripted = Scripted(faces, Drawn())
    session = rules.start(read.seed or 0, chance=scripted, rosters=read.lists())
    if session.setup_rolls != read.setup_rolls:
        _differs(session, 1, f"{_rolled(read.setup_rolls)} in the set-up", _rolled(session.setup_rolls))
    for number, decision in enumerate(wanted, start=1):
        _play(session, number, decision)
    return session


def _play(session: Session, number: int, decision: SavedDecision) -> None:
    expected = f"`{decision.name}` by {decision.player}"
    if session.is_over:
        _differs(session, number, expected, "the game over")
    if session.player_name != decision.player:
        _differs(session, number, expected, f"{session.player_name} to decide")
    named = [option for option in session.options if option.name == decision.name]
    if not named:
        offered = ", ".join(f"`{option.name}`" for option in session.options[:5])
        more = len(session.options) - 5
        _differs(session, number, expected, f"only {offered}" + (f" and {more} more" if more > 0 else ""))
    try:
        session.apply(named[0])
    except (IllegalChoice, ScriptedChanceError) as error:
        _differs(session, number, expected, str(error))
    rolls = session.history.steps[-1].chance
    if rolls != decision.rolls:
        _differs(session, number, f"{_rolled(decision.rolls)} after {expected}", _rolled(rolls))


def _differs(session: Session, number: int, expected: str, found: str) -> None:
    raise DivergenceError(Divergence(number, expected, found), session)


def _rolled(rolls: tuple[tuple[int, int], ...]) -> str:
    return "rolls " + " ".join(str(result) for _, result in rolls) if rolls else "no rolls"


def verify(source: Save | bytes | Path | str, *, rules: Rules | None = None) -> Divergence | None:
    """The first place where the rules now give another game than the one saved; None when they give the same."""
    read = source if isinstance(source, Save) else read_save(source)
    try:
        session = replay(read, rules=rules)
    except DivergenceError as error:
        return error.divergence
    return _end(read, session)


def _end(read: Save, session: Session) -> Divergence | None:
    """Whether the state at the end is the one saved; comparable only while slots mean the same."""
    if read.layout != layout_fingerprint(session.rules.program.layout) or session.hash() == read.hash:
        return None
    changed = [slot for slot, value in enumerate(read.slots) if session.state[slot] != value]
    groups = [
        g.name for g in session.rules.program.layout.groups if any(g.base <= s < g.base + g.count for s in changed)
    ]
    return Divergence(len(read.decisions) + 1, "the saved state", f"other values in {', '.join(groups[:5])}")


def resume(source: Save | bytes | Path | str, *, rules: Rules | None = None) -> Session:
    """The game of a save, ready to go on; raises `SaveError` or `DivergenceError`."""
    read = source if isinstance(source, Save) else read_save(source)
    rules = rules or read.load_rules()
    if read.seed is None:
        return _from_snapshot(read, rules)
    session = replay(read, rules=rules)
    if read.fingerprint == rules.program.fingerprint:
        divergence = _end(read, session)
        if divergence is not None:
            raise DivergenceError(divergence, session)
    return session


def _from_snapshot(read: Save, rules: Rules) -> Session:
    """A game that did not begin with a seed goes on from its state, under the same rules only."""
    if read.layout != layout_fingerprint(rules.program.layout) or read.fingerprint != rules.program.fingerprint:
        raise SaveError("the save can only go on under the rules it was made with, and these have changed")
    return Session(rules, list(read.slots))
