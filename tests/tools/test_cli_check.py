"""`dsl check`: exit codes, streams, formats, fixes, standard input, watching."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from .conftest import COIN, REPOSITORY

BROKEN = COIN.replace("player.won +1", "player.wno +1")
UNUSED = COIN.replace("play\n    turns", "play\n    turns      # dsl: ignore[D204]")


def test_shipped_rules_are_fine(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    done = dsl("check", "rules", "examples")
    assert done.code == 0, done.out
    assert re.fullmatch(r"\d+ files checked, nothing wrong\n", done.out)
    assert done.err == ""


def test_errors_exit_with_1_and_name_the_file_from_here(dsl, here: Path) -> None:
    (here / "games").mkdir()
    (here / "games" / "coin.rules").write_text(BROKEN)
    done = dsl("check")
    assert done.code == 1
    assert "--> games/coin.rules:" in done.out
    assert "did you mean `won`?" in done.out
    assert done.out.endswith("in 1 file\n")


def test_a_missing_path_exits_with_2_after_checking_the_rest(dsl, coin: Path) -> None:
    done = dsl("check", "coin.rules", "coyn.rules")
    assert done.code == 2
    assert "1 file checked, nothing wrong" in done.out
    assert "no file `coyn.rules`: did you mean `coin.rules`?" in done.err


def test_nothing_is_said_to_be_fine_where_nothing_was_found(dsl, coin: Path) -> None:
    for command in ("check", "fmt", "test"):
        done = dsl(command, "nowhere.rules")
        assert (done.code, done.out) == (2, "")
        assert done.err == "error: no file `nowhere.rules`\n"
    assert "did you mean `pig`?" in dsl("check", "pigg").err
    assert dsl("check", "nowhere.rules", "--format", "json").out == ""


def test_a_bare_name_is_a_shipped_game_unless_something_of_that_name_is_here(dsl, here: Path) -> None:
    assert dsl("check", "pig").out == "1 file checked, nothing wrong\n"
    assert dsl("fmt", "--check", "pig").code == 0
    (here / "pig").write_text("nonsense")
    assert dsl("check", "pig").code == 1


def test_an_empty_folder_is_bad_usage(dsl, here: Path) -> None:
    done = dsl("check")
    assert done.code == 2
    assert "no rules files in the current folder" in done.err


@pytest.mark.parametrize("data", [b"language 1\n\xff\xfe", b"\x00\x01\x02" * 50, b"", b"\xef\xbb\xbf", b'"""' * 4000])
def test_no_bytes_give_a_traceback(dsl, here: Path, data: bytes) -> None:
    (here / "odd.rules").write_bytes(data)
    done = dsl("check", "odd.rules")
    assert done.code in (1, 2)
    assert "internal error" not in done.err


def test_a_file_that_is_not_utf8_cannot_be_read(dsl, here: Path) -> None:
    (here / "odd.rules").write_bytes(b"language 1\n\xff")
    done = dsl("check", "odd.rules")
    assert done.code == 2
    assert "D102" in done.out


def test_json_is_valid_and_alone_on_standard_output(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(BROKEN)
    done = dsl("check", "--format", "json")
    report = json.loads(done.out)
    assert done.code == 1
    assert report["valid"] is False and report["error_count"] >= 1
    assert report["diagnostics"][0]["span"]["path"] == "coin.rules"
    assert "error" in done.err


def test_formats(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(BROKEN)
    assert re.match(r"coin\.rules:\d+:\d+: error\[D\d{3}\]: ", dsl("check", "--format", "concise").out)
    assert dsl("check", "--format", "github").out.startswith("::error file=coin.rules,line=")
    assert json.loads(dsl("check", "--format", "sarif").out)["version"] == "2.1.0"
    assert ElementTree.fromstring(dsl("check", "--format", "junit").out).attrib["failures"] == "1"


def test_the_format_follows_the_surroundings(dsl, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "coin.rules").write_text(BROKEN)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert dsl("check").out.startswith("::error")
    monkeypatch.setenv("DSL_FORMAT", "concise")
    assert dsl("check").out.startswith("coin.rules:")
    assert dsl("check", "--format", "json").out.startswith("{")
    monkeypatch.setenv("DSL_FORMAT", "yaml")
    assert dsl("check").code == 2


def test_many_findings_are_summed_up_for_a_job(dsl, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"value v{number} = foo{number}\n" for number in range(15))
    (here / "coin.rules").write_text(COIN + lines)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    dsl("check", "--format", "github")
    assert (here / "summary.md").read_text().count("| coin.rules:") >= 15


def test_a_report_can_go_to_a_file(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(BROKEN)
    done = dsl("check", "--format", "json", "-o", "report.json")
    assert (done.code, done.out) == (1, "")
    assert json.loads((here / "report.json").read_text())["valid"] is False
    assert dsl("check", "-o", "nowhere/report.txt").code == 2


def test_warnings_fail_only_on_request(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(UNUSED)
    done = dsl("check")
    assert done.code == 0 and "D190" in done.out
    assert dsl("check", "--fail-on", "warning").code == 1


def test_suppressed_findings_are_gone(dsl, here: Path) -> None:
    code = re.search(r"error\[(D\d{3})\]", _check_text(dsl, here, BROKEN))
    assert code is not None
    silenced = BROKEN.replace("player.wno +1", f"player.wno +1   # dsl: ignore[{code[1]}]")
    assert f"[{code[1]}]" not in _check_text(dsl, here, silenced)


def _check_text(dsl, here: Path, text: str) -> str:
    (here / "coin.rules").write_text(text)
    return str(dsl("check").out)


def test_fix_and_diff(dsl, here: Path) -> None:
    file = here / "coin.rules"
    file.write_text(UNUSED)
    shown = dsl("check", "--diff")
    assert shown.code == 1 and "+    turns\n" in shown.out
    assert file.read_text() == UNUSED
    done = dsl("check", "--fix")
    assert done.code == 0 and "1 fix applied" in done.err
    assert file.read_text() == COIN
    assert dsl("check", "--diff").code == 0


def test_standard_input_stands_for_a_file(dsl, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(BROKEN)
    done = dsl("check", "-", "--stdin-filename", "drafts/coin.rules")
    assert done.code == 1 and "--> drafts/coin.rules:" in done.out
    given(COIN)
    assert dsl("check", "-").code == 0
    given(UNUSED)
    assert dsl("check", "-", "--fix").out == COIN
    assert dsl("check", "-", "coin.rules").code == 2


def test_parts_are_checked_through_their_game(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(COIN.replace("effect call", 'include "parts/more.rules"\n\neffect call'))
    (here / "parts").mkdir()
    (here / "parts" / "more.rules").write_text("language 1\n\nvalue spare = nothing_here\n")
    done = dsl("check")
    assert done.code == 1
    assert "--> parts/more.rules:3:15" in done.out
    assert done.out.endswith("in 2 files\n")


def test_boards_and_played_examples_are_checked_too(dsl, here: Path) -> None:
    (here / "sea.yaml").write_text("board: Sea\nfamily: map\nspaces: [A, B]\nlinks:\n  - {between: [A, C]}\n")
    (here / "settings.yaml").write_text("board_of_directors: none\n")
    (here / "x.test.yaml").write_text("game: no_such_game\n")
    done = dsl("check")
    assert done.code == 1
    assert "sea.yaml:5" in done.out and "x.test.yaml:1" in done.out
    assert done.out.endswith("in 2 files\n")


def test_color(dsl, here: Path) -> None:
    (here / "coin.rules").write_text(BROKEN)
    assert "\x1b[" not in dsl("check").out
    assert "\x1b[" in dsl("check", "--color", "always").out


def test_watching_checks_again(here: Path) -> None:
    file = here / "coin.rules"
    file.write_text(COIN)
    code = "from interpreter.tools.cli.main import entry; entry()"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, "check", "--watch"],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(REPOSITORY), "PATH": ""},
    )
    assert process.stdout is not None
    try:
        assert "nothing wrong" in process.stdout.readline()
        time.sleep(0.2)
        file.write_text(BROKEN)
        assert process.stdout.readline().startswith("error[")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130


def _is_sarif(report: dict[str, Any]) -> None:
    """The parts of SARIF 2.1.0 that a report of ours uses, by the words of the specification."""
    assert report["version"] == "2.1.0" and report["$schema"].endswith("sarif-2.1.0.json")
    assert set(report) == {"$schema", "version", "runs"}
    for run in report["runs"]:
        assert set(run) == {"tool", "columnKind", "results"}
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        rules = run["tool"]["driver"]["rules"]
        assert run["tool"]["driver"]["name"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            assert set(rule) <= {"id", "shortDescription", "help"}
            assert rule["shortDescription"]["text"] and (("help" not in rule) or rule["help"]["text"])
        for result in run["results"]:
            assert set(result) <= {
                "ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes",
            }  # fmt: skip
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert isinstance(result["message"]["text"], str) and result["message"]["text"]
            for location in (*result.get("locations", ()), *result.get("relatedLocations", ())):
                _is_place(location["physicalLocation"])
            ids = [location["id"] for location in result.get("relatedLocations", ())]
            assert len(set(ids)) == len(ids) and all(number >= 0 for number in ids)
            for fix in result.get("fixes", ()):
                assert fix["description"]["text"] and fix["artifactChanges"]
                for change in fix["artifactChanges"]:
                    _is_file(change["artifactLocation"])
                    assert change["replacements"]
                    for replacement in change["replacements"]:
                        _is_region(replacement["deletedRegion"])
                        assert isinstance(replacement["insertedContent"]["text"], str)


def _is_place(place: dict[str, Any]) -> None:
    _is_file(place["artifactLocation"])
    _is_region(place["region"])


def _is_file(file: dict[str, Any]) -> None:
    assert file["uriBaseId"] == "%SRCROOT%"
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", file["uri"]) and not file["uri"].startswith("/")


def _is_region(region: dict[str, int]) -> None:
    assert region["startLine"] >= 1 and region["startColumn"] >= 1
    assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
    assert region["byteOffset"] >= 0 and region["byteLength"] >= 0


def test_every_format_is_what_it_says(dsl, here: Path) -> None:
    (here / "my games").mkdir()
    (here / "my games" / "münze#1.rules").write_text(
        UNUSED.replace("Heads or tails", "Köpfe & <Zahlen>").replace("player.won +1", "player.wno +1")
    )
    (here / "twice.rules").write_text(COIN + "\nvalue most = 3\nvalue most = 4\n")
    (here / "fine.rules").write_text(COIN)
    (here / "x.test.yaml").write_text("game: fine.rules\nexpect: [wno = 1]\n")
    for form in ("text", "concise", "json", "github", "sarif", "junit"):
        done = dsl("check", "--format", form)
        written = dsl("check", "--format", form, "-o", f"report.{form}")
        assert (done.code, written.code, written.out) == (1, 1, "")
        text = (here / f"report.{form}").read_text(encoding="utf-8")
        assert done.out.startswith(text)  # on the screen a text is followed by its sum
        assert "münze" in text or "m%C3%BCnze" in text
    _is_sarif(json.loads((here / "report.sarif").read_text()))
    suites = ElementTree.parse(here / "report.junit").getroot()
    assert suites.attrib["tests"] == "4" and suites.attrib["failures"] == "3"
    assert [len(list(suites.iter(tag))) for tag in ("testcase", "failure")] == [4, 3]
    report = json.loads((here / "report.json").read_text())
    assert report["format_version"] == 1 and report["error_count"] == 4 and report["warning_count"] >= 1
    for finding in report["diagnostics"]:
        assert set(finding) == {"code", "severity", "message", "span", "labels", "notes", "help", "fixes", "rendered"}
        start, end = finding["span"]["start"], finding["span"]["end"]
        assert set(start) == {"line", "column", "byte"} and start["byte"] <= end["byte"]
    for line in (here / "report.github").read_text().splitlines():
        assert re.fullmatch(r"::(?:error|warning) file=[^,:]+,line=\d+,(?:[a-zA-Z]+=[^,:]+,)*title=[^,:]+::.+", line)
