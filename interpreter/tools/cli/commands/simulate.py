"""`dsl simulate`: many games at once, and what they tell of the rules.

Random seats play natively, a process for each core; bots think in Python. The same seeds give the same results
whoever plays them. Ctrl-C keeps what was done and says how to go on.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, INTERRUPTED, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

if TYPE_CHECKING:
    from interpreter.analysis.simulate.executors import Executor
    from interpreter.analysis.simulate.simulation import Simulation
    from interpreter.runtime import Rules
    from interpreter.tools.simulation.database import Database
    from interpreter.tools.simulation.troubles import Trouble

__all__ = ["COMMAND", "add_playing", "executor_of", "level_of", "limit_of", "seats_for"]

_EXAMPLE = """
dsl simulate dragons.rules                                 ten thousand random games
dsl simulate dragons.rules --seat Ann=greedy --games 200
dsl simulate dragons.rules --report report                 a page to send around: report/index.html
dsl simulate dragons.rules --games 1000000 -o dragons.duckdb
dsl simulate --resume dragons.duckdb                       go on with one that was stopped
dsl simulate dragons.rules --format parquet -o dragons.parquet
"""
_GAMES, _GAMES_OF_BOTS = 10_000, 100
_LIMIT = 10_000


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", nargs="?", metavar="RULES", help="a rules file, or the bare name of a game that ships")
    add_configuration(parser)
    parser.add_argument(
        "--games", type=int, metavar="N", help=f"how many (default: {_GAMES}, with bots that think {_GAMES_OF_BOTS})"
    )
    add_playing(parser)
    parser.add_argument("--format", choices=("text", "json", "parquet"), default="text", help="default: text")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file; .duckdb: all games and what came of them, as tables"
    )
    parser.add_argument("--report", metavar="DIR", help="write a page with plots and the tinted rules into a folder")
    parser.add_argument("--resume", metavar="FILE", help="go on with a simulation that was stopped (.duckdb or .json)")
    parser.add_argument("--saves", metavar="DIR", help="where games that went wrong are saved (default: NAME-saves)")


def add_playing(parser: argparse.ArgumentParser, level: str = "chance that an interval misses (default: 5)") -> None:
    """Who plays, and on what: for every command that plays many games; `level` says what the level is."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default: 0)")
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=WHO",
        help="a bot for a player; repeatable (default: random)",
    )
    parser.add_argument(
        "--limit", type=int, default=_LIMIT, metavar="N", help=f"decisions of a game (default: {_LIMIT})"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one for each core)")
    parser.add_argument(
        "--cluster",
        metavar="dask[:ADDRESS]",
        help="play on a Dask cluster (default: a new one here)",
    )
    parser.add_argument("--backend", choices=("wasm", "python"), default="wasm", help="default: wasm")
    parser.add_argument("--level", type=float, default=5.0, metavar="PERCENT", help=level)


def _run(arguments: Arguments) -> int:
    level, executor = level_of(arguments), executor_of(arguments)
    if arguments.report is not None:
        from interpreter.tools.simulation.plots import needs_plots

        needs_plots()
    simulation, resumed = _simulation(arguments)
    kept = _kept_in(arguments, simulation, resumed)
    begin, before = time.perf_counter(), simulation.totals.games
    database = _opened(arguments, simulation, kept, resumed)
    try:
        stopped = _play(simulation, executor, database)
        seconds = time.perf_counter() - begin
        if database is None:
            if stopped:
                _keep(simulation, kept)
        elif stopped:
            database.write()
        else:
            database.finish(level)
        if database is not None and arguments.format == "parquet" and not stopped:
            _write_parquet(arguments, database, kept, resumed)
    finally:
        if database is not None:
            database.close()
    troubles = _troubles(arguments, simulation)
    if arguments.report is not None:
        _write_page(Path(arguments.report), simulation, level, troubles)
    if arguments.format != "parquet":
        _write(arguments, simulation, level, troubles, seconds if before == 0 else None)
    if stopped:
        streams.remark(f"stopped: {simulation.totals.games:,} of {simulation.games:,} games are kept in {kept}")
        streams.remark(f"help: `dsl simulate --resume {kept}` goes on")
        return INTERRUPTED
    return FINDINGS if simulation.totals.faults else FINE


def _play(simulation: Simulation, executor: Executor, database: Database | None) -> bool:
    """Plays what is left; whether it was stopped before the end."""
    from interpreter.tools.simulation.progress import shown_progress
    from interpreter.tools.simulation.stopping import wish_to_stop

    done = simulation.totals.games
    with wish_to_stop() as wish, shown_progress("playing", simulation.games, done) as progress:
        playing = simulation.play(executor)
        for result in playing:
            if result is not None:
                progress(result.shard.games)
                if database is not None:
                    database.add(result)
            if wish.stops:
                playing.close()
                return not simulation.is_complete
    return False


# ------------------------------------------------------------------------------------------------ what is asked for


def _simulation(arguments: Arguments) -> tuple[Simulation, Path | None]:
    """The simulation to be played, and the file that it goes on from."""
    from interpreter.analysis.simulate.shards import RANDOM, make_job
    from interpreter.analysis.simulate.simulation import simulation_of
    from interpreter.tools.cli.games import load_game

    if arguments.games is not None and arguments.games < 1:
        raise UsageFault("--games: expected a number above 0")
    keeps = arguments.format == "parquet" or (arguments.output or arguments.resume or "").endswith(".duckdb")
    if arguments.resume is not None:
        return _resumed(arguments, keeps)
    if arguments.rules is None:
        raise UsageFault("expected RULES, or --resume FILE\nhelp: `dsl list` names the games that ship")
    rules = load_game(arguments)
    seats = seats_for(rules, arguments.seat)
    thinks = any(seat != RANDOM for seat in seats)
    games = arguments.games or (_GAMES_OF_BOTS if thinks else _GAMES)
    job = make_job(rules, seats, backend=arguments.backend, limit=limit_of(arguments), keeps=keeps)
    return simulation_of(job, rules, arguments.seed, games), None


def _resumed(arguments: Arguments, keeps: bool) -> tuple[Simulation, Path]:
    from interpreter.analysis.simulate.simulation import SimulationError, go_on, read_configuration
    from interpreter.tools.cli.games import load_configuration
    from interpreter.tools.simulation.data import read_document
    from interpreter.tools.simulation.database import is_database, read_database

    path = Path(arguments.resume)
    if not path.is_file():
        from interpreter.tools.cli.games import nothing_at

        raise UsageFault(nothing_at(arguments.resume))
    try:
        data: dict[str, Any] = read_database(path) if is_database(path) else read_document(path)
        rules = load_configuration(read_configuration(data), arguments.color)
        return go_on(data, rules, keeps=keeps, games=arguments.games), path
    except SimulationError as fault:
        raise UsageFault(f"`{arguments.resume}`: {fault}") from fault


def seats_for(rules: Rules, wishes: list[str]) -> tuple[str, ...]:
    """Who plays for each player."""
    from interpreter.tools.play.seats import SeatFault, seats_of

    try:
        seats = seats_of(rules.players, wishes, auto=True)
    except SeatFault as fault:
        raise UsageFault(str(fault)) from fault
    if any(seat.sitter == "human" for seat in seats):
        raise UsageFault("nobody sits at a simulation: expected bots")
    return tuple(seat.sitter for seat in sorted(seats, key=lambda seat: seat.player))


def level_of(arguments: Arguments) -> float:
    """The chance that an interval misses."""
    if not 0 < arguments.level <= 50:
        raise UsageFault("--level: expected a percentage above 0 and up to 50")
    return float(arguments.level) / 100


def limit_of(arguments: Arguments) -> int:
    from interpreter.backends.counted import LONGEST

    if not 0 < arguments.limit <= LONGEST:
        raise UsageFault(f"--limit: expected a number from 1 to {LONGEST}")
    return int(arguments.limit)


def executor_of(arguments: Arguments) -> Executor:
    """Who plays the shards."""
    from interpreter.analysis.simulate.executors import AsNeeded, cores

    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageFault("--jobs: expected a number above 0")
    if arguments.cluster is not None:
        return _cluster(arguments.cluster, arguments.jobs or cores())
    return AsNeeded(arguments.jobs or cores())


def _cluster(wish: str, jobs: int) -> Executor:
    from interpreter.tools.extras import needed

    kind, _, address = wish.partition(":")
    if kind != "dask":
        raise UsageFault(f"--cluster `{wish}`: expected dask or dask:ADDRESS, as in dask:tcp://10.0.0.1:8786")
    needed("distributed", "cluster")
    from interpreter.analysis.simulate.cluster import Cluster

    return Cluster(address or None, jobs)


def _kept_in(arguments: Arguments, simulation: Simulation, resumed: Path | None) -> Path:
    """The file in which what was done is kept if it is stopped; a database grows while games are played."""
    output = None if arguments.output in (None, "-") else Path(arguments.output)
    if arguments.format == "parquet":
        if output is None:
            raise UsageFault("--format parquet: name the file, `-o games.parquet`")
        if resumed is None:
            return output.with_suffix(".duckdb")
    database = output is not None and output.suffix == ".duckdb"
    if resumed is None:
        return output if output and database else Path(f"{_stem(simulation)}.simulation.json")
    if (database or arguments.format == "parquet") and resumed.suffix != ".duckdb":
        raise UsageFault(f"the games of the first part are not in `{resumed}`: begin anew with `-o FILE.duckdb`")
    if database and output != resumed:
        raise UsageFault(f"the games go on in `{resumed}`; copy it to have two")
    return resumed


def _opened(arguments: Arguments, simulation: Simulation, kept: Path, resumed: Path | None) -> Database | None:
    from interpreter.analysis.simulate.simulation import SimulationError
    from interpreter.tools.simulation.database import Database

    if kept.suffix != ".duckdb":
        return None
    try:
        return Database(kept, simulation, fresh=resumed is None)
    except SimulationError as fault:
        raise UsageFault(str(fault)) from fault


# ------------------------------------------------------------------------------------------------ what comes of it


def _keep(simulation: Simulation, path: Path) -> None:
    import json

    from interpreter.runtime.saves import SaveError, replace_file

    try:
        replace_file(path, (json.dumps(simulation.to_data(), ensure_ascii=False) + "\n").encode())
    except SaveError as fault:
        raise UsageFault(str(fault)) from fault


def _troubles(arguments: Arguments, simulation: Simulation) -> list[Trouble]:
    from interpreter.tools.simulation.troubles import save_troubles

    folder = arguments.saves or (f"{arguments.report}/saves" if arguments.report else f"{_stem(simulation)}-saves")
    return save_troubles(simulation, Path(folder))


def _stem(simulation: Simulation) -> str:
    return Path(simulation.rules.configuration.rules).stem


def _write_parquet(arguments: Arguments, database: Database, kept: Path, resumed: Path | None) -> None:
    from interpreter.tools.report import shown_path
    from interpreter.tools.simulation.database import write_parquet

    for path in write_parquet(database, Path(arguments.output)):
        streams.remark(f"written: {shown_path(str(path))}")
    if resumed is None:
        database.close()
        kept.unlink(missing_ok=True)


def _write_page(folder: Path, simulation: Simulation, level: float, troubles: list[Trouble]) -> None:
    from interpreter.tools.report import shown_path
    from interpreter.tools.simulation.page import page

    file = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageFault(f"`{folder}` cannot be made: {(fault.strerror or str(fault)).lower()}") from fault
    streams.write_report(page(simulation, level, troubles), str(file))
    streams.remark(f"written: {shown_path(str(file))}")


def _write(
    arguments: Arguments, simulation: Simulation, level: float, troubles: list[Trouble], seconds: float | None
) -> None:
    from interpreter.tools.simulation.data import document
    from interpreter.tools.simulation.text import report

    output = None if (arguments.output or "").endswith(".duckdb") else arguments.output
    if arguments.format == "json":
        streams.write_report(document(simulation, level, troubles), output)
    else:
        streams.write_report(report(simulation, level, troubles, seconds), output)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
