"""Help, usage, and what ends a command early."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from interpreter.diagnostics import InternalError
from interpreter.tools.cli import main as command_line
from interpreter.tools.cli.commands import explain
from interpreter.tools.cli.main import COMMANDS
from interpreter.tools.cli.parser import Command

GOLDEN = Path(__file__).with_name("help")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_as_recorded(dsl, name: str, update_golden: bool) -> None:
    shown = dsl(*([name] if name else []), "--help")
    assert shown.code == 0
    assert "examples:" in shown.out
    file = GOLDEN / f"{name or 'dsl'}.txt"
    if update_golden:
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown.out, encoding="utf-8")
    assert shown.out == file.read_text(encoding="utf-8")
    assert max(map(len, shown.out.splitlines())) <= 110


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_built(name: str) -> None:
    assert isinstance(import_module(f"interpreter.tools.cli.commands.{name}").COMMAND, Command)


def test_no_built_command_is_missing_from_the_list() -> None:
    folder = Path(explain.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == set(COMMANDS)


def test_without_a_command_the_help_goes_to_standard_error(dsl) -> None:
    shown = dsl()
    assert (shown.code, shown.out) == (2, "")
    assert "commands:" in shown.err


def test_an_unknown_command_offers_the_nearest(dsl) -> None:
    shown = dsl("chekc")
    assert shown.code == 2
    assert "did you mean `dsl check`?" in shown.err


def test_an_unknown_option_offers_the_nearest_and_is_not_guessed(dsl) -> None:
    shown = dsl("check", "--forma", "json")
    assert shown.code == 2
    assert "did you mean --format?" in shown.err


def test_version(dsl) -> None:
    assert dsl("--version").out.startswith("dsl ")


def test_a_fault_of_ours_is_said_as_such_with_its_stage(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(arguments: object) -> int:
        raise InternalError("a block without an end", "ir")

    monkeypatch.setattr(explain, "COMMAND", Command(explain._add_arguments, broken, "x"))
    shown = dsl("explain")
    assert shown.code == 2
    assert "internal error in ir: a block without an end" in shown.err
    assert "Traceback" not in shown.err


def test_an_escaped_exception_names_the_stage_on_its_stack(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(arguments: object) -> int:
        from interpreter.source import library_folder

        library_folder("elsewhere")
        return 0

    monkeypatch.setattr(explain, "COMMAND", Command(explain._add_arguments, broken, "x"))
    shown = dsl("explain")
    assert shown.code == 2
    assert shown.err.startswith("internal error in source: ValueError: no shipped folder")
    monkeypatch.setenv("DSL_TRACEBACK", "1")
    assert "Traceback" in dsl("explain").err


def test_ctrl_c_ends_with_130(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(explain, "COMMAND", Command(explain._add_arguments, interrupted, "x"))
    assert dsl("explain").code == 130


def test_help_starts_quickly_and_imports_nothing_heavy() -> None:
    script = (
        "import sys; from interpreter.tools.cli.main import main; main(['--help']); "
        "heavy = {'lark', 'networkx', 'rich', 'ruamel', 'cattrs'} & set(sys.modules); sys.exit(len(heavy))"
    )

    def seconds(code: str) -> float:
        """Of a processor, since other tests may keep this machine busy."""
        best = 10.0
        for _ in range(5):
            before = os.times()
            assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            best = min(best, spent)
        return best

    assert seconds(script) - seconds("pass") < 0.25


def test_a_closed_pipe_is_no_fault() -> None:
    code = "from interpreter.tools.cli.main import entry; entry()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "explain"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


def test_completion_scripts_know_every_command(dsl, tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = dsl("completion", shell)
        assert script.code == 0
        assert all(name in script.out for name in COMMANDS)
        assert "fail-on" in script.out and "hall" in script.out
    file = tmp_path / "dsl.bash"
    file.write_text(dsl("completion", "bash").out, encoding="utf-8")
    check = f'. "{file}"; COMP_WORDS=(dsl check --fo); COMP_CWORD=2; _dsl; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", check], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "--format", done.stderr


def test_commands_share_one_table() -> None:
    assert list(COMMANDS) == list(command_line.COMMANDS)
