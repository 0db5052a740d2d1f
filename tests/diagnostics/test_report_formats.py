"""The reports for programs, field for field."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest

from interpreter.diagnostics import Diagnostic, Position, Severity, Span, page
from interpreter.tools.report import FORMATS, Sources, shown_path, summary

Place = Callable[..., Span]


def span(path: str, line: int, column: int, byte: int, length: int) -> dict[str, Any]:
    """A span as JSON gives it."""
    return {
        "path": path,
        "start": {"line": line, "column": column, "byte": byte},
        "end": {"line": line, "column": column + length, "byte": byte + length},
    }


def test_concise(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    nowhere = Diagnostic("D101", Severity.ERROR, "no rules\nfound", None)
    assert FORMATS["concise"]([missing_row, unused, nowhere], sources) == (
        "rules/menace.rules:3:1: error[D103]: table `damage` has no row for a `Pussycat`\n"
        "rules/menace.rules:6:7: warning[D190]: unused suppression of `D204`\n"
        "error[D101]: no rules found\n"
    )


def test_json(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    report = json.loads(FORMATS["json"]([missing_row, unused], sources))
    rendered = [found.pop("rendered") for found in report["diagnostics"]]
    assert report == {
        "format_version": 1,
        "valid": False,
        "error_count": 1,
        "warning_count": 1,
        "diagnostics": [
            {
                "code": "D103",
                "severity": "error",
                "message": "table `damage` has no row for a `Pussycat`",
                "span": span("rules/menace.rules", 3, 1, 12, 12),
                "labels": [
                    {"span": span("rules/menace.rules", 3, 1, 12, 12), "message": "1 of 6 kinds falls through"},
                    {"span": span("rules/kinds.rules", 2, 6, 16, 7), "message": "`Warrior` is declared here"},
                ],
                "notes": ["the rows are tried from the top"],
                "help": "add a last row `any`",
                "fixes": [
                    {
                        "title": "add a row `any`",
                        "applicability": "maybe",
                        "edits": [
                            {"span": span("rules/menace.rules", 5, 20, 100, 0), "replacement": "\n    | any | |"}
                        ],
                    }
                ],
            },
            {
                "code": "D190",
                "severity": "warning",
                "message": "unused suppression of `D204`",
                "span": span("rules/menace.rules", 6, 7, 101, 4),
                "labels": [],
                "notes": [],
                "help": None,
                "fixes": [],
            },
        ],
    }
    assert rendered[1] == (
        "warning[D190]: unused suppression of `D204`\n"
        "  --> rules/menace.rules:6:7\n"
        "  |\n"
        "6 | value dice(w: Warrior)\n"
        "  |       ^^^^\n"
    )


def test_json_without_errors_is_valid(unused: Diagnostic, sources: Sources) -> None:
    assert json.loads(FORMATS["json"]([unused], sources))["valid"] is True
    nowhere = Diagnostic("D101", Severity.ERROR, "no rules found", None, "ignored")
    report = json.loads(FORMATS["json"]([nowhere], sources))
    assert report["valid"] is False
    assert report["diagnostics"][0]["span"] is None
    assert report["diagnostics"][0]["labels"] == []


def test_github(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    assert FORMATS["github"]([missing_row, unused], sources) == (
        "::error file=rules/menace.rules,line=3,endLine=3,col=1,endColumn=13,title=error[D103]::"
        "table `damage` has no row for a `Pussycat`%0A1 of 6 kinds falls through%0A"
        "rules/kinds.rules:2: `Warrior` is declared here%0A"
        "note: the rows are tried from the top%0Ahelp: add a last row `any`\n"
        "::warning file=rules/menace.rules,line=6,endLine=6,col=7,endColumn=11,title=warning[D190]::"
        "unused suppression of `D204`\n"
    )


def test_github_escapes_and_leaves_out_columns_of_blocks(at: Place, sources: Sources) -> None:
    odd = Diagnostic("D110", Severity.ERROR, "50%, a:b\r\nc", at(1, 1, 1, "a,b:c%.rules"))
    block = Diagnostic("D110", Severity.ERROR, "block", Span("a.rules", Position(2, 5, 9), Position(4, 1, 30)))
    nowhere = Diagnostic("D101", Severity.ERROR, "no rules found", None)
    assert FORMATS["github"]([odd, block, nowhere], sources) == (
        "::error file=a%2Cb%3Ac%25.rules,line=1,endLine=1,col=1,endColumn=2,title=error[D110]::50%25, a:b%0D%0Ac\n"
        "::error file=a.rules,line=2,endLine=3,title=error[D110]::block\n"
        "::error title=error[D101]::no rules found\n"
    )


def test_sarif(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    report = json.loads(FORMATS["sarif"]([missing_row, unused], sources))
    assert report["version"] == "2.1.0"
    [run] = report["runs"]
    rules = run["tool"]["driver"]["rules"]
    titles = [found.title for found in (page("D103"), page("D190")) if found is not None]
    assert [rule["id"] for rule in rules] == ["D103", "D190"]
    assert [rule["shortDescription"]["text"] for rule in rules] == titles
    assert run["columnKind"] == "unicodeCodePoints"
    root = "%SRCROOT%"
    assert run["results"] == [
        {
            "ruleId": "D103",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "table `damage` has no row for a `Pussycat`: 1 of 6 kinds falls through\n"
                "note: the rows are tried from the top\nhelp: add a last row `any`"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "rules/menace.rules", "uriBaseId": root},
                        "region": region(3, 1, 12, 12),
                    }
                }
            ],
            "relatedLocations": [
                {
                    "id": 1,
                    "physicalLocation": {
                        "artifactLocation": {"uri": "rules/kinds.rules", "uriBaseId": root},
                        "region": region(2, 6, 16, 7),
                    },
                    "message": {"text": "`Warrior` is declared here"},
                }
            ],
            "fixes": [
                {
                    "description": {"text": "add a row `any`"},
                    "artifactChanges": [
                        {
                            "artifactLocation": {"uri": "rules/menace.rules", "uriBaseId": root},
                            "replacements": [
                                {
                                    "deletedRegion": region(5, 20, 100, 0),
                                    "insertedContent": {"text": "\n    | any | |"},
                                }
                            ],
                        }
                    ],
                }
            ],
        },
        {
            "ruleId": "D190",
            "ruleIndex": 1,
            "level": "warning",
            "message": {"text": "unused suppression of `D204`"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "rules/menace.rules", "uriBaseId": root},
                        "region": region(6, 7, 101, 4),
                    }
                }
            ],
        },
    ]


def region(line: int, column: int, byte: int, length: int) -> dict[str, int]:
    """A region as SARIF gives it."""
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": line,
        "endColumn": column + length,
        "byteOffset": byte,
        "byteLength": length,
    }


def test_sarif_paths_are_uris_and_codes_without_a_page_are_rules_too(at: Place, sources: Sources) -> None:
    finding = Diagnostic("D000", Severity.ERROR, "odd", at(1, 1, 1, "my games/hall#1.rules"))
    [run] = json.loads(FORMATS["sarif"]([finding], sources))["runs"]
    [rule] = run["tool"]["driver"]["rules"]
    assert rule["id"] == "D000"
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "my%20games/hall%231.rules"


def test_junit(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    report = FORMATS["junit"]([missing_row, unused], sources, checked=["rules/hall.rules", "rules/menace.rules"])
    assert report == dedent(
        """\
        <?xml version="1.0" encoding="utf-8"?>
        <testsuites name="dsl check" tests="2" failures="1" errors="0">
          <testsuite name="dsl check" tests="2" failures="1" errors="0">
            <testcase classname="dsl check" name="rules/hall.rules"/>
            <testcase classname="dsl check" name="rules/menace.rules">
              <failure type="D103" message="table `damage` has no row for a `Pussycat`">@error</failure>
              <system-out>@warning</system-out>
            </testcase>
          </testsuite>
        </testsuites>
        """
    ).replace("@error", escaped([missing_row], sources)).replace("@warning", escaped([unused], sources))


def escaped(diagnostics: list[Diagnostic], sources: Sources) -> str:
    """The text report as it stands in XML."""
    return FORMATS["text"](diagnostics, sources)[:-1].replace(">", "&gt;")


def test_junit_is_xml_whatever_the_words(at: Place, sources: Sources) -> None:
    found = [
        Diagnostic("D110", Severity.ERROR, 'found `<\x00"&\ufffe>`', at(1, 1, 1, "a&<.rules")),
        Diagnostic("D110", Severity.ERROR, "again", at(2, 1, 1, "a&<.rules")),
        Diagnostic("D101", Severity.ERROR, "no rules", None),
    ]
    cases = list(ElementTree.fromstring(FORMATS["junit"](found, sources).encode()).iter("testcase"))
    assert [case.get("name") for case in cases] == ["a&<.rules", "(no file)"]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == 'found `<\ufffd"&\ufffd>` (and 1 more)'
    assert "again" in (failure.text or "")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_copes_with_nothing(name: str, sources: Sources) -> None:
    report = FORMATS[name]([], sources, colour=True, checked=[])
    assert report == "" or report.endswith("\n")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("rules/hall.rules", "rules/hall.rules"),
        ("./rules//hall.rules", "rules/hall.rules"),
        ("../hall.rules", "../hall.rules"),
        ("<stdin>", "<stdin>"),
        ("-", "-"),
        ("odd\udcff.rules", "odd\ufffd.rules"),
    ],
)
def test_paths_are_shown_in_one_spelling(path: str, shown: str) -> None:
    assert shown_path(path) == shown


def test_absolute_paths_are_shown_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert shown_path(str(tmp_path / "here" / "rules" / "hall.rules")) == "rules/hall.rules"
    assert shown_path(str(tmp_path / "hall.rules")) == "../hall.rules"


def test_summary() -> None:
    assert summary(2, 1, 3) == "2 errors and 1 warning in 3 files"
    assert summary(1, 0, 1) == "1 error in 1 file"
    assert summary(0, 2, 3) == "2 warnings in 3 files"
    assert summary(0, 0, 3) == "no findings in 3 files"


def test_formats_are_imported_when_used() -> None:
    script = (
        "import sys, interpreter.tools.report as report\n"
        "print(sorted(name for name in sys.modules if name.startswith('interpreter.tools.report.')))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['interpreter.tools.report.places']"
