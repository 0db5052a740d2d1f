"""`dsl completion`: a script that completes commands, options and shipped games in a shell.

The script is made from the parsers themselves and holds the words, so that pressing Tab starts no Python.
Invariant: every command and every option of its `--help` is in the script.
"""

from __future__ import annotations

import argparse

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE
from interpreter.tools.cli.parser import Arguments, Command

__all__ = ["COMMAND"]

_EXAMPLE = """
eval "$(dsl completion bash)"                              in ~/.bashrc
dsl completion zsh > "${fpath[1]}/_dsl"                    once
dsl completion fish > ~/.config/fish/completions/dsl.fish  once
"""
_TAKES_GAME = ("play", "show", "odds", "graph", "debug", "bench")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _run(arguments: Arguments) -> int:
    streams.write_out({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell]())
    return FINE


def _words() -> dict[str, list[tuple[str, str]]]:
    """For each command, its long options and fixed words with what they do."""
    from interpreter.tools.cli.main import COMMANDS, command_parser

    words: dict[str, list[tuple[str, str]]] = {}
    for name in COMMANDS:
        parser, _ = command_parser(name)
        words[name] = []
        for action in parser._actions:
            options = [(option, action.help or "") for option in action.option_strings if option.startswith("--")]
            fixed = [(str(choice), "") for choice in action.choices or () if not action.option_strings]
            words[name] += options + fixed
    return words


def _games() -> list[str]:
    from interpreter.source import shipped_games

    return [path.stem for path in shipped_games()]


def _bash() -> str:
    cases = []
    for name, words in _words().items():
        listed = " ".join(word for word, _ in words)
        games = " " + " ".join(_games()) if name in _TAKES_GAME else ""
        cases.append(f'        {name}) words="{listed}{games}" ;;')
    commands = " ".join(_words())
    return f"""\
# completion of dsl for bash
_dsl() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{chr(10).join(cases)}
        *) words="" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}}
complete -o filenames -F _dsl dsl
"""


def _zsh() -> str:
    from interpreter.tools.cli.main import COMMANDS

    described = "\n".join(f"        {_quoted(f'{name}:{summary}')}" for name, summary in COMMANDS.items())
    cases = []
    for name, words in _words().items():
        listed = [_quoted(word.replace(":", r"\:") + (f":{text}" if text else "")) for word, text in words]
        listed += [_quoted(game) for game in _games()] if name in _TAKES_GAME else []
        cases.append(f"        {name}) offered=({' '.join(listed)}) ;;")
    return f"""\
#compdef dsl
# completion of dsl for zsh
_dsl() {{
    local -a commands offered
    commands=(
{described}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case "$words[2]" in
{chr(10).join(cases)}
    esac
    _describe word offered
    _files
}}
compdef _dsl dsl
"""


def _fish() -> str:
    from interpreter.tools.cli.main import COMMANDS

    lines = ["# completion of dsl for fish"]
    lines += [
        f"complete -c dsl -n __fish_use_subcommand -f -a {name} -d {_quoted(summary)}"
        for name, summary in COMMANDS.items()
    ]
    for name, words in _words().items():
        when = f"-n '__fish_seen_subcommand_from {name}'"
        for word, text in words:
            what = f"-l {word[2:]}" if word.startswith("--") else f"-a {word}"
            lines.append(f"complete -c dsl {when} {what}" + (f" -d {_quoted(text)}" if text else ""))
        if name in _TAKES_GAME:
            lines.append(f"complete -c dsl {when} -a {_quoted(' '.join(_games()))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
