"""What is kept in the user's cache: found again whole, by whoever kept it, or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import Popen

import pytest

from interpreter.source import store


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.delenv("DSL_CACHE", raising=False)


def files() -> list[Path]:
    place = store.folder("games")
    assert place is not None
    return sorted(place.iterdir()) if place.exists() else []


def test_what_is_kept_is_found_again() -> None:
    assert store.find("games", "a") is None
    assert store.keep("games", "a", b"one")
    assert store.keep("games", "b", b"")
    assert (store.find("games", "a"), store.find("games", "b"), store.find("games", "c")) == (b"one", b"", None)
    assert store.find("programs", "a") is None
    assert store.keep("games", "a", b"two")
    assert store.find("games", "a") == b"two"
    assert [file.name for file in files()] == ["a", "b"]


def test_names_are_of_all_parts_and_of_where_they_end() -> None:
    names = {store.name_of(*parts) for parts in (("ab", "c"), ("a", "bc"), ("abc",), ("ab", "c", ""), ("ab", b"d"))}
    assert len(names) == 5
    assert store.name_of("ab", "c") == store.name_of(b"ab", b"c")
    assert store.digest_of_modules("ir") != store.digest_of_modules("backends")


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are other ones there")
@pytest.mark.parametrize("spoilt", ["content", "checksum", "short", "empty", "writable", "folder", "link", "missing"])
def test_a_file_that_is_broken_or_may_be_foreign_is_not_trusted(spoilt: str, tmp_path: Path) -> None:
    store.keep("games", "a", b"something")
    (file,) = files()
    content = bytearray(file.read_bytes())
    match spoilt:
        case "content":
            content[-1] ^= 1
            file.write_bytes(content)
        case "checksum":
            content[0] ^= 1
            file.write_bytes(content)
        case "short":
            file.write_bytes(content[:20])
        case "empty":
            file.write_bytes(b"")
        case "writable":
            file.chmod(0o666)
        case "folder":
            file.parent.chmod(0o777)
        case "link":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
        case "missing":
            file.unlink()
    assert store.find("games", "a") is None
    assert store.keep("games", "a", b"anew") == (spoilt != "folder")
    assert store.find("games", "a") == (None if spoilt == "folder" else b"anew")


@pytest.mark.parametrize("home", ["a/file", "relative", ""])
def test_without_a_place_nothing_is_kept(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_text("")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / home) if "/" in home else home)
    if not home:
        monkeypatch.setattr(Path, "home", staticmethod(_homeless))
    monkeypatch.chdir(tmp_path)
    assert not store.keep("games", "a", b"something")
    assert store.find("games", "a") is None
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def _homeless() -> Path:
    raise RuntimeError("no home")


@pytest.mark.parametrize("word", ["off", "OFF", "no", "false", "0"])
def test_it_can_be_switched_off(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep("games", "a", b"something")
    monkeypatch.setenv("DSL_CACHE", word)
    assert not store.is_on()
    assert store.find("games", "a") is None
    assert not store.keep("games", "b", b"something")
    monkeypatch.setenv("DSL_CACHE", "on")
    assert store.find("games", "a") == b"something"
    with store.bypassed():
        assert not store.is_on()
        with store.bypassed():
            pass
        assert store.find("games", "a") is None
    assert store.is_on()
    assert len(files()) == 1


def test_the_files_used_least_recently_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate(("new", "middle", "used", "old")):
        store.keep("games", name, b"x")
        os.utime(next(file for file in files() if file.name == name), (1e9 - age * 1e5,) * 2)
    assert store.find("games", "used") == b"x"
    monkeypatch.setitem(store._MOST, "games", 3)
    store.keep("games", "last", b"x")
    assert {file.name for file in files()} == {"last", "used", "new"}


def test_two_processes_at_once() -> None:
    code = (
        "import sys\nfrom interpreter.source import store\n"
        "for turn in range(300):\n"
        "    store.keep('games', 'a', sys.argv[1].encode() * 5000)\n"
        "    assert store.find('games', 'a') in (b'x' * 5000, b'y' * 5000)\n"
    )
    running = [Popen([sys.executable, "-c", code, letter]) for letter in "xy"]
    assert [process.wait(60) for process in running] == [0, 0]
    assert [file.name for file in files()] == ["a"]
