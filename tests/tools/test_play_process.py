"""`dsl play` as a process of its own: signals, pipes, scripts, saves."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from interpreter.runtime import Session

from .conftest import REPOSITORY

CODE = "from interpreter.tools.cli.main import entry; entry()"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", CODE, *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "COLUMNS": "100", "TERM": "xterm"}


def run(here: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=here, input=given, capture_output=True, text=True, check=False, env=environment()
    )


def resume_path(text: str) -> str:
    found = re.search(r"dsl play --resume (\S+)", text)
    assert found is not None, text
    return found[1]


def test_auto_gives_the_same_text_twice(here: Path) -> None:
    for game in ("pig", "hall", "kuhn_poker"):
        first = run(here, "play", game, "--auto", "--seed", "3")
        assert first.returncode == 0 and first.stderr == ""
        assert run(here, "play", game, "--auto", "--seed", "3").stdout == first.stdout
        assert run(here, "play", game, "--auto", "--seed", "4").stdout != first.stdout


def test_auto_ends_with_the_outcome_and_the_score(here: Path) -> None:
    assert re.search(r"the game is over: .* \(Player 1 \d+½?\)\n$", run(here, "play", "hall", "--auto").stdout)


def test_the_end_of_input_saves_and_says_how_to_go_on(here: Path) -> None:
    done = run(here, "play", "pig", "--seed", "4", "--plain", given="Roll\nRoll\n")
    assert done.returncode == 130
    saved = resume_path(done.stderr)
    assert saved == "pig-1.save"
    session = Session.resume(here / saved)
    assert [step.name for step in session.history.steps] == ["Roll", "Roll"]
    again = run(here, "play", "--resume", saved, "--plain", "--save", "more.save", given="quit\n")
    assert again.returncode == 0 and "Ann: Roll" in again.stdout
    assert Session.resume(here / "more.save").hash() == session.hash()


def test_a_script_is_played_and_may_end_early(here: Path) -> None:
    (here / "moves.txt").write_text("# the opening\n1\n\nHold 5\n")
    done = run(here, "play", "pig", "--seed", "4", "--plain", "--script", "moves.txt")
    assert done.returncode == 0
    assert "Ann: Hold 5" in done.stdout and "the script has ended" in done.stdout
    assert list(here.glob("*.save")) == []


def test_a_script_with_a_wrong_line_is_refused(here: Path) -> None:
    (here / "moves.txt").write_text("Roll\n# fine so far\nRool\n")
    done = run(here, "play", "pig", "--seed", "4", "--plain", "--script", "moves.txt")
    assert done.returncode == 2
    assert "line 3 of the script: `Rool` is not an option; did you mean `Roll`?" in done.stderr
    assert run(here, "play", "pig", "--script", "none.txt").returncode == 2


def test_a_finished_game_can_be_replayed_and_verified(here: Path) -> None:
    run(here, "play", "pig", "--auto", "--seed", "3", "--save", "pig.save")
    log = run(here, "replay", "pig.save")
    assert log.returncode == 0 and " wins: 100 points" in log.stdout
    assert "the same way" in run(here, "replay", "pig.save", "--verify").stdout
    shown = run(here, "replay", "pig.save", "--to", "2", "--plain")
    assert shown.returncode == 0 and "after 2 decisions; next: " in shown.stdout
    assert run(here, "replay", "none.save").returncode == 2


def test_verify_names_the_first_divergence(here: Path) -> None:
    rules = here / "mine.rules"
    text = (REPOSITORY / "examples" / "pig.rules").read_text()
    rules.write_text(text)
    run(here, "play", "mine.rules", "--auto", "--seed", "3", "--save", "mine.save")
    rules.write_text(text.replace('"Hold {pot}" when', '"Keep {pot}" when'))
    done = run(here, "replay", "mine.save", "--verify")
    assert done.returncode == 1
    assert re.search(r"decision \d+ goes differently: expected `Hold \d+`", done.stdout)
    assert run(here, "play", "--resume", "mine.save").returncode == 1


@contextmanager
def terminal(here: Path, *arguments: str) -> Iterator[tuple[int, int]]:
    """`dsl` at a terminal of its own: the process and the other end of the terminal."""
    process, end = pty.fork()
    if process == 0:
        os.chdir(here)
        os.execve(sys.executable, command(*arguments), environment())
    try:
        yield process, end
    finally:
        os.close(end)
        try:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def read_until(end: int, wanted: str, seconds: float = 30) -> str:
    text = ""
    stop = time.monotonic() + seconds
    while wanted not in text:
        assert time.monotonic() < stop, text
        ready, _, _ = select.select([end], [], [], 0.5)
        if ready:
            try:
                data = os.read(end, 65536)
            except OSError:
                break
            if not data:
                break
            text += data.decode(errors="replace").replace("\r\n", "\n")
    assert wanted in text, text
    return text


def interrupt(act: Callable[[], object], end: int, wanted: str) -> str:
    """Interrupts until an answer comes, as a person would: a signal that arrives between the prompt and the wait for
    a key is noticed with the next one only."""
    for _ in range(5):
        act()
        with suppress(AssertionError):
            return read_until(end, wanted, 6)
    raise AssertionError(f"no answer with {wanted!r}")


@pytest.mark.parametrize("mode", ["--plain", "--color=always"])
def test_ctrl_c_saves_and_the_save_resumes_to_the_same_state(here: Path, mode: str) -> None:
    with terminal(here, "play", "pig", "--seed", "4", mode, "--save", "kept.save") as (process, end):
        read_until(end, "> ")
        os.write(end, b"Roll\n")
        read_until(end, "Hold 5")
        os.write(end, b"rool\n")
        read_until(end, "did you mean")
        said = interrupt(lambda: os.kill(process, signal.SIGINT), end, "dsl play --resume kept.save")
        assert "Traceback" not in said
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 130
    session = Session.resume(here / "kept.save")
    assert [step.name for step in session.history.steps] == ["Roll"]
    assert [option.name for option in session.options] == ["Roll", "Hold 5"]


def test_quit_asks_at_a_terminal(here: Path) -> None:
    with terminal(here, "play", "pig", "--seed", "4", "--plain") as (process, end):
        read_until(end, "> ")
        os.write(end, b"quit\n")
        read_until(end, "Save the game? (yes/no) ")
        os.write(end, b"no\n")
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 0
    assert list(here.glob("*.save")) == []


def test_replay_steps_both_ways_at_a_terminal(here: Path) -> None:
    run(here, "play", "pig", "--auto", "--seed", "3", "--save", "pig.save")
    with terminal(here, "replay", "pig.save", "--plain") as (process, end):
        read_until(end, "0/")
        for answer, shown in (
            (b"\n", "after 1 decisions"),
            (b"\n", "after 2 decisions"),
            (b"b\n", "after 1 decisions"),
        ):
            os.write(end, answer)
            read_until(end, shown)
        os.write(end, b"9999\n")
        read_until(end, "wins: 100 points")
        os.write(end, b"q\n")
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 0


def test_a_game_that_cannot_go_on_is_saved_and_shown_with_its_line(here: Path) -> None:
    (here / "bad.rules").write_text(
        'language 1\n\ngame "Bad"\n    players 1\n\nstate points: 0..3\n\nplay\n    repeat 9 times\n'
        '        choose "Add"\n            points +1\n'
    )
    done = run(here, "play", "bad.rules", "--auto")
    assert done.returncode == 1
    assert "error[D710]" in done.stderr and "points +1" in done.stderr
    assert len(Session.resume(here / resume_path(done.stderr)).history.steps) == 3


def test_a_script_goes_on_at_the_terminal(here: Path) -> None:
    (here / "moves.txt").write_text("Roll\n")
    with terminal(here, "play", "pig", "--seed", "4", "--plain", "--script", "moves.txt") as (_, end):
        read_until(end, "2. Hold 5")
        os.write(end, b"2\n")
        read_until(end, "Ann: Hold 5")


def test_ctrl_c_while_a_bot_thinks_leaves_a_save_that_resumes(here: Path) -> None:
    arguments = command("play", "hall", "--auto", "--seat", "1=mcts:20000", "--seed", "1", "--save", "mid.save")
    process = subprocess.Popen(
        arguments, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Hall")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    session = Session.resume(here / "mid.save")
    assert not session.is_over


def test_bots_that_never_end_are_stopped_with_a_save(dsl, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.runtime.limits.MAX_DECISIONS", 50)
    (here / "pacing.rules").write_text(
        'language 1\n\ngame "Pacing"\n    players 2: Ann, Bob\n\nstate room: 0..1\n\nplay\n    turns\n'
        '        choose "Walk on"\n            set room to 1 - room\n'
    )
    for seats in (("--auto",), ("--seat", "Ann=random", "--seat", "Bob=greedy", "--auto")):
        done = dsl("play", "pacing.rules", *seats, "--seed", "2", "--save", "kept.save")
        assert done.code == 1
        assert "error[D721]" in done.err and "pacing.rules:10:9" in done.err and "seed 2" in done.err
        assert len(Session.resume(here / "kept.save").history.steps) == 50
        assert dsl("replay", "kept.save", "--verify").code == 0


@pytest.mark.parametrize("mode", ["--plain", "--color=never"])
def test_the_terminal_is_wiped_before_the_device_is_handed_on(here: Path, mode: str) -> None:
    seats = ("--seat", "First=human", "--seat", "Second=human")
    with terminal(here, "play", "kuhn_poker", "--seed", "5", mode, *seats) as (_, end):
        read_until(end, "nobody else looks ")
        os.write(end, b"\n")
        said = read_until(end, "> ")
        assert "Queen" in said
        os.write(end, b"Bet\n")
        said = read_until(end, "nobody else looks ")
        assert "\x1b[2J\x1b[3J" in said and "Queen" not in said
        os.write(end, b"\n")
        said = read_until(end, "> ")
        assert "King" in said and "Queen: deck" not in said and "hidden" in said
        os.write(end, b"\x1b[A\x1b[A\x1b[A\n")  # nothing typed before can be called up
        assert "Bet" not in read_until(end, "> ")


def test_ctrl_c_twice_still_saves(here: Path) -> None:
    with terminal(here, "play", "hall", "--seed", "5") as (process, end):
        read_until(end, "> ")
        interrupt(lambda: os.write(end, b"\x03\x03"), end, "dsl play --resume hall-1.save")
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 130
    assert (here / "hall-1.save").exists()


def test_a_megabyte_of_nonsense_is_one_wrong_answer(here: Path) -> None:
    done = run(here, "play", "pig", "--seed", "4", "--plain", given="x" * 1_000_000 + "\nRoll\n")
    assert done.returncode == 130
    assert "is not an option" in done.stdout and len(Session.resume(here / "pig-1.save").history.steps) == 1


def test_a_script_may_ask_what_follows_from_a_choice(here: Path) -> None:
    game = Path(__file__).parent / "games" / "border.rules"
    (here / "moves.txt").write_text("if 1\nLay Old Pike on b2\n? 3\n")
    done = run(here, "play", str(game), "--seed", "3", "--plain", "--script", "moves.txt", "--seat", "North=greedy")
    assert done.returncode == 0, done.stderr
    assert "> if 1\nLay Old Pike on a1:\n  Old Pike: South.hand to a1\nthen a unit is drawn\n" in done.stdout
    assert "then North decides\n" in done.stdout
