"""The page of a simulation: self-contained, with everything from the rules as text, and tinted by use."""

from __future__ import annotations

import re
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")


class Page(HTMLParser):
    """The tags of a page, and the text of each line of rules."""

    VOID = ("meta", "br", "link", "img", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.lines: dict[int, str] = {}
        self.line = 0
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        identity = dict(attrs).get("id") or ""
        if tag == "td" and re.fullmatch(r"L\d+", identity):
            self.line = int(identity[1:])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.line and "tr" in self.open:
            self.lines[self.line] = self.lines.get(self.line, "") + data


@pytest.fixture
def page(dsl, coin: Path) -> tuple[str, Page, str]:
    text = coin.read_text()
    text = text.replace('game "Coin"', 'game "Coin <b>& $x_1$"')
    leave = '            "Leave it"'
    text = text.replace(leave, f'            "Cheat <i>" when player.won > 8   # never\n                call\n{leave}')
    coin.write_text(text, encoding="utf-8")
    done = dsl("simulate", "coin.rules", "--games", "120", "--report", "out")
    assert done.code == 0 and "written: out/index.html" in done.err
    content = Path("out/index.html").read_text(encoding="utf-8")
    return content, Page(content), text


def test_it_refers_to_nothing_outside_and_runs_nothing(page: tuple[str, Page, str]) -> None:
    content, found, _ = page
    assert {path.name for path in Path("out").iterdir()} == {"index.html"}
    for tag, attributes in found.tags:
        assert tag not in ("script", "link", "img", "iframe", "object", "b", "i")
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src", "xlink:href"):
                assert value is not None and value.startswith("#")
    assert "url(http" not in content and "@import" not in content


def test_it_shows_plots_and_the_numbers_of_the_report(dsl, page: tuple[str, Page, str]) -> None:
    content, found, _ = page
    assert sum(tag == "svg" for tag, _ in found.tags) >= 6
    names = [attributes["id"] for _, attributes in found.tags if attributes.get("id")]
    clips = re.findall(r'<clipPath id="([^"]+)"', content)
    assert len(clips) == len(set(clips)) and names
    report = dsl("simulate", "coin.rules", "--games", "120").out
    line = next(line for line in report.splitlines() if line.startswith("Ann wins"))
    assert f"{line.split()[2]} %" in content
    assert "Coin &lt;b&gt;&amp; $x_1$" in content


def test_the_rules_stand_there_as_written_and_tinted(page: tuple[str, Page, str]) -> None:
    content, found, text = page
    for number, line in enumerate(text.split("\n"), 1):
        shown = found.lines[number].removeprefix(str(number))
        assert unescape(shown).endswith(line), number
    cheat = next(line for line in content.splitlines() if "Cheat" in line and 'id="L' in line)
    assert 'class="never"' in cheat and ">never</td>" in cheat and "was never taken" in cheat
    call = next(line for line in content.splitlines() if "&quot;Call&quot;" in line)
    assert "background:rgba" in call and "wins of those who did" in call


def test_plots_need_a_package(dsl, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = dsl("simulate", "coin.rules", "--games", "5", "--report", "out")
    assert (done.code, done.out) == (2, "")
    assert "`matplotlib`" in done.err and "rulewright[simulate]" in done.err and not Path("out").exists()
