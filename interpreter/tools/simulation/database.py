"""Simulations in an embedded database (DuckDB), and as Parquet.

    run         one row, one column `data`: all that is needed to go on, as JSON (`Simulation.to_data`)
    games       one row a game: shard, seed, ended ('won', 'drawn', 'scored' or null for a game without an end),
                winners (names), decisions, offered, most, lead_changes, ahead_at_half (names), scores (by player)
    outcomes    key, title, value, low, high, count
    choices     where_, label, path, line, offered, taken, in_games, users, ended, wins, score_sum
    members     the same for each thing chosen within an option, with binder and member
    sites       what, title, measure, path, line, column_, times, games, users, ended, wins, score_sum

The last four are written when the simulation is over. Games are written every few seconds together with the data that
they belong to, in one transaction: whatever ends the process, what is in the file is right and can go on.

Invariant: the games in the table are those of the shards that the data names as done.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from interpreter.analysis.simulate.shards import ShardResult
from interpreter.analysis.simulate.simulation import Simulation, SimulationError
from interpreter.ir.program import DRAWN, ENDED, WON
from interpreter.tools.extras import needed
from interpreter.tools.simulation import rows

__all__ = ["Database", "is_database", "read_database", "write_parquet"]

_EVERY = 2.0
"""Seconds between two writings."""
_ENDINGS = {WON: "won", DRAWN: "drawn", ENDED: "scored"}
_GAMES = {
    "shard": "INTEGER", "seed": "BIGINT", "ended": "VARCHAR", "winners": "VARCHAR[]", "decisions": "INTEGER",
    "offered": "BIGINT", "most": "INTEGER", "lead_changes": "INTEGER", "ahead_at_half": "VARCHAR[]",
    "scores": "DOUBLE[]",
}  # fmt: skip
_OUTCOMES = {
    "key": "VARCHAR", "title": "VARCHAR", "value": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "count": "BIGINT",
}  # fmt: skip
_USES = {
    "times": "BIGINT", "games": "BIGINT", "users": "BIGINT", "ended": "BIGINT", "wins": "BIGINT", "score_sum": "DOUBLE",
}  # fmt: skip
_CHOICES = {
    "where_": "VARCHAR", "label": "VARCHAR", "path": "VARCHAR", "line": "INTEGER", "offered": "BIGINT", **_USES,
}  # fmt: skip
_MEMBERS = {"where_": "VARCHAR", "label": "VARCHAR", "binder": "VARCHAR", "member": "VARCHAR", **_USES}
_SITES = {
    "what": "VARCHAR", "title": "VARCHAR", "measure": "VARCHAR", "path": "VARCHAR", "line": "INTEGER",
    "column_": "INTEGER", **_USES,
}  # fmt: skip


def _duckdb() -> ModuleType:
    return needed("duckdb", "simulate")


def is_database(path: Path) -> bool:
    """Whether a file is one of the database, by its name."""
    return path.suffix == ".duckdb"


class Database:
    """A file that grows while games are played."""

    def __init__(self, path: Path, simulation: Simulation, *, fresh: bool) -> None:
        self._simulation = simulation
        self._waiting: list[ShardResult] = []
        self._last = time.monotonic()
        if fresh:
            path.unlink(missing_ok=True)
        self._connection = _connected(path)
        if fresh:
            self._connection.execute("CREATE TABLE run (data JSON)")
            self._connection.execute("INSERT INTO run VALUES ('{}')")
            _make(self._connection, "games", _GAMES)

    def add(self, result: ShardResult) -> None:
        """Keeps the games of a shard, and writes what is kept from time to time."""
        self._waiting.append(result)
        if time.monotonic() - self._last > _EVERY:
            self.write()

    def write(self) -> None:
        """Writes what is kept."""
        self._connection.execute("BEGIN")
        games = [
            _game(self._simulation, result.shard.number, each) for result in self._waiting for each in result.records
        ]
        _insert(self._connection, "games", _GAMES, games)
        self._connection.execute("UPDATE run SET data = $1", [json.dumps(self._simulation.to_data())])
        self._connection.execute("COMMIT")
        self._waiting.clear()
        self._last = time.monotonic()

    def finish(self, level: float) -> None:
        """Writes what is left, and the tables that tell what came of it."""
        self.write()
        for name, columns, found in _derived(self._simulation, level):
            _make(self._connection, name, columns)
            _insert(self._connection, name, columns, found)

    def copy_games(self, path: Path) -> None:
        """Writes the games as Parquet, by seed."""
        self._connection.execute(f"COPY (SELECT * FROM games ORDER BY seed) TO '{_quoted(path)}' (FORMAT parquet)")

    def copy(self, name: str, path: Path) -> None:
        """Writes a table as Parquet."""
        self._connection.execute(f"COPY {name} TO '{_quoted(path)}' (FORMAT parquet)")

    def close(self) -> None:
        self._connection.close()


def read_database(path: Path) -> dict[str, Any]:
    """What a simulation needs to go on; raises `SimulationError`."""
    duckdb = _duckdb()
    try:
        connection = duckdb.connect(str(path), read_only=True)
        try:
            found = connection.execute("SELECT data FROM run").fetchone()
        finally:
            connection.close()
        data = json.loads(found[0]) if found else None
    except (duckdb.Error, ValueError) as error:
        raise SimulationError(f"`{path.as_posix()}` is no simulation: {str(error).splitlines()[0].lower()}") from None
    if not isinstance(data, dict):
        raise SimulationError(f"`{path.as_posix()}` is no simulation")
    return data


def write_parquet(database: Database, path: Path) -> list[Path]:
    """The games in a file, and the other tables in files beside it; what was written."""
    database.copy_games(path)
    written = [path]
    for name in ("outcomes", "choices", "members", "sites"):
        beside = path.with_name(f"{path.stem}.{name}.parquet")
        database.copy(name, beside)
        written.append(beside)
    return written


def _connected(path: Path) -> Any:
    duckdb = _duckdb()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(str(path))
    except (duckdb.Error, OSError) as error:
        raise SimulationError(f"`{path.as_posix()}` cannot be written: {str(error).splitlines()[0].lower()}") from None


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _make(connection: Any, name: str, columns: dict[str, str]) -> None:
    connection.execute(
        f"CREATE OR REPLACE TABLE {name} ({', '.join(f'{each} {kind}' for each, kind in columns.items())})"
    )


def _insert(connection: Any, name: str, columns: dict[str, str], lines: Iterable[Sequence[object]]) -> None:
    listed = list(lines)
    if not listed:
        return
    kinds = list(columns.values())
    values = ", ".join(f"unnest(${at}::{kind}[])" for at, kind in enumerate(kinds, 1))
    connection.execute(f"INSERT INTO {name} SELECT {values}", [list(column) for column in zip(*listed, strict=True)])


# ------------------------------------------------------------------------------------------------ rows


def _game(simulation: Simulation, shard: int, record: Any) -> tuple[object, ...]:
    program = simulation.rules.program
    halves = 2.0 if program.score_halves else 1.0
    return (
        shard,
        record.seed,
        _ENDINGS.get(record.status),
        _names(program.players, record.winners),
        record.decisions,
        record.offered,
        record.most,
        record.changes,
        _names(program.players, record.ahead),
        [score / halves for score in record.scores],
    )


def _names(players: Sequence[str], bits: int) -> list[str]:
    return [name for number, name in enumerate(players) if bits >> number & 1]


def _derived(simulation: Simulation, level: float) -> Iterable[tuple[str, dict[str, str], list[tuple[object, ...]]]]:
    totals, rules = simulation.totals, simulation.rules
    halves = 2 if rules.program.score_halves else 1

    def uses(counters: Sequence[int]) -> tuple[object, ...]:
        found = [totals.of(counter) for counter in counters]
        sums = [sum(getattr(each, name) for each in found) for name in ("times", "games", "users", "ended", "wins")]
        return (*sums, sum(each.score for each in found) / halves)

    yield (
        "outcomes",
        _OUTCOMES,
        [
            (row.key, row.title, row.estimate.value, row.estimate.low, row.estimate.high, row.estimate.count)
            for row in rows.outcomes(simulation, level)
        ],
    )
    choices: list[tuple[object, ...]] = []
    members: list[tuple[object, ...]] = []
    for choice in simulation.sites.choices:
        where = (choice.where, choice.label)
        place = (rows.file_of(rules, choice.span.path), choice.span.start.line, totals.of(choice.offered).times)
        choices.append((*where, *place, *uses([choice.taken])))
        for name, each in choice.binders:
            members.extend((*where, name, member.name, *uses([member.counter])) for member in each)
    yield "choices", _CHOICES, choices
    yield "members", _MEMBERS, members
    sites: list[tuple[object, ...]] = []
    for site in simulation.sites.sites:
        at = (rows.file_of(rules, site.span.path), site.span.start.line, site.span.start.column)
        sites.append((site.what, site.title, site.measure, *at, *uses(site.counters)))
    yield "sites", _SITES, sites
