"""Rules that ask for more than any machine can do are stopped by both backends, with the line, in little memory.

`tests/corpus/hostile/bad` has files that the checks let pass, since nobody can say beforehand that they never end; the
line at which they are stopped is marked in each. The judge counts the same, but is slow; here it is given less to
spend.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from corpus_reader import CORPUS, corpus, expected, mismatches

from interpreter.backends.api import Backend, Fault, ManyGames
from interpreter.backends.python import PythonBackend, meter
from interpreter.backends.wasm import WasmBackend
from interpreter.backends.wasm.backend import Instance
from interpreter.diagnostics import Diagnostic
from interpreter.runtime import Rules, load
from interpreter.runtime.limits import fault_error
from interpreter.runtime.load import forget
from interpreter.semantics import known_values
from interpreter.workspace.check_files import check_files

HOSTILE = corpus("hostile", "bad")
NEVER = CORPUS / "hostile" / "good" / "never.rules"
BACKENDS = {"python": PythonBackend, "wasm": WasmBackend}
LITTLE = 2_000_000
"""Steps that the judge may spend here."""


def stopped(rules: Rules, backend: Backend) -> list[Diagnostic]:
    """Takes the first option, again and again, until the rules are stopped; what is said of it."""
    state = backend.new_state(1)
    try:
        options = backend.run(state)
        for _ in range(50):
            if not options:
                break
            options = backend.apply(state, options[0])
    except Fault as fault:
        told = fault_error(fault, rules.program, configuration="this", seed=1, decisions=())
        return list(told.diagnostics)
    return []


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_hostile_rules_are_stopped_at_their_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "WORK", LITTLE)
    assert not check_files([path]).diagnostics
    rules = load(path)
    for make in BACKENDS.values():
        begun = time.process_time()
        assert mismatches(expected(path), stopped(rules, make(rules.program))) == []
        assert time.process_time() - begun < 10


def test_values_in_a_long_chain_are_not_begun(tmp_path: Path) -> None:
    lines = [f"value v{i}(n: number) = v{i - 1}(n + 1)" for i in range(1, 600)]
    path = tmp_path / "chain.rules"
    head = 'language 1\n\ngame "Chain"\n    players 1\n\nstate left: 0..9\n\nvalue v0(n: number) = left + n\n'
    path.write_text(head + "\n".join(lines) + '\n\nplay\n    choose "Go"\n        if v599(1) > 5: end game\n')
    rules = load(path)
    places = set()
    for make in BACKENDS.values():
        (found,) = stopped(rules, make(rules.program))
        assert found.code == "D704"
        assert found.span is not None
        places.add(found.span.start.line)
    assert places == {8 + 599}


def test_what_is_asked_before_play_has_an_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DSL_CACHE", "off")
    forget()
    tried = []
    bind = known_values.Inputs.bind

    def counted(self: known_values.Inputs, *inputs: object) -> known_values.Inputs:
        tried.append(inputs)
        return bind(self, *inputs)  # type: ignore[arg-type]

    monkeypatch.setattr(known_values.Inputs, "bind", counted)
    rules = load(CORPUS / "hostile" / "bad" / "squares.rules")
    assert rules.program
    assert 0 < len(tried) < 500_000


# ------------------------------------------------------------------------------------------------ as a command

_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from interpreter.tools.cli.main import entry
try:
    entry()
finally:
    # not `ru_maxrss`, which begins with what the process that started this one had
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print("kilobytes:", peak.split()[1], file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in other units elsewhere")
@pytest.mark.parametrize("backend", BACKENDS)
def test_memory_stays_small_and_nobody_sees_a_traceback(backend: str) -> None:
    path = CORPUS / "hostile" / "bad" / "many_options.rules"
    command = [sys.executable, "-c", _LIMITED, "bench", str(path), "--backend", backend, "--seconds", "0.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "DSL_CACHE": "off"})
    assert done.returncode == 1
    assert "D707" in done.stdout
    assert "many_options.rules:7" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert int(done.stderr.split("kilobytes:")[1]) < 300 * 1024


# ------------------------------------------------------------------------------------------------ games without an end


def test_a_game_that_never_ends_is_given_up() -> None:
    rules = load(NEVER)
    backend = WasmBackend(rules.program)
    assert isinstance(backend, ManyGames)
    assert backend.random_playouts(1, 4, 5000).unfinished == 4
    for make in BACKENDS.values():
        assert make(rules.program).playout(make(rules.program).new_state(1), lambda count: 0, 500) == -1


@pytest.mark.skipif(sys.platform == "win32", reason="no signal of oneself there")
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals come to the main thread")
def test_ctrl_c_ends_random_games_within_a_second() -> None:
    backend = WasmBackend(load(NEVER).program)
    before = backend.random_playouts(1, 2, 100)
    pressed = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    pressed.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        backend.random_playouts(1, 10**9, 10**9)
    assert time.monotonic() - begun < 5  # a second, where nobody else is at work
    assert backend.random_playouts(1, 2, 100) == before


def test_random_games_in_another_thread_are_played_there(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = WasmBackend(load(NEVER).program)
    expected_ = backend.random_playouts(1, 2, 100)
    names: list[str] = []
    call = Instance.call

    def watched(self: Instance, name: str, *arguments: int) -> int:
        names.append(threading.current_thread().name)
        return call(self, name, *arguments)

    monkeypatch.setattr(Instance, "call", watched)
    found: list[object] = []
    other = threading.Thread(target=lambda: found.append(backend.random_playouts(1, 2, 100)), name="other")
    other.start()
    other.join()
    assert found == [expected_]
    assert set(names) == {"other"}
