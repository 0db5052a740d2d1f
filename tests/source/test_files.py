"""The set of files, the fence around them, and the shipped library."""

from pathlib import Path

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.source import Files, find_shipped, from_text, library_folder, shipped_games, start_of

PLACE = start_of("root.rules")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    (folder / "parts").mkdir(parents=True)
    (folder / "root.rules").write_text("root\n")
    (folder / "parts" / "cards.rules").write_text("cards\n")
    (tmp_path / "secret.rules").write_text("secret\n")
    return folder


def resolve(files: Files, base: Path, relative: str) -> tuple[Path | None, list[tuple[str, str | None]]]:
    sink = Diagnostics()
    path = files.resolve(base, relative, sink, PLACE)
    return path, [(found.code, found.help) for found in sink]


def test_files_are_read_once_and_shown_from_the_root(game: Path) -> None:
    files, sink = Files(game), Diagnostics()
    first = files.read(game / "parts" / "cards.rules", sink)
    assert first is not None
    assert first.path == "parts/cards.rules"
    assert files.read(game / "parts" / ".." / "parts" / "cards.rules", sink) is first
    assert files.line_text("parts/cards.rules", 1) == "cards"
    assert files.line_text("unread.rules", 1) is None
    assert files.get("parts/cards.rules") is first
    assert not len(sink)


def test_text_from_memory_can_be_added(game: Path) -> None:
    files, sink = Files(game), Diagnostics()
    edited = files.add(from_text("root.rules", "edited"), game / "root.rules")
    assert files.read(game / "root.rules", sink) is edited
    assert files.line_text("root.rules", 1) == "edited"


def test_paths_inside_are_found(game: Path) -> None:
    files = Files(game)
    cards = (game / "parts" / "cards.rules").resolve()
    assert resolve(files, game, "parts/cards.rules") == (cards, [])
    assert resolve(files, game / "parts", "cards.rules") == (cards, [])
    assert resolve(files, game / "parts", "parts/cards.rules") == (cards, [])
    assert resolve(files, game / "parts", "../root.rules") == ((game / "root.rules").resolve(), [])


@pytest.mark.parametrize(
    "relative", ["../secret.rules", "/etc/passwd", "~/x", "", "a\0b", "parts/../../secret.rules", "\\x"]
)
def test_paths_outside_are_refused(game: Path, relative: str) -> None:
    path, found = resolve(Files(game), game, relative)
    assert path is None
    assert [code for code, _ in found] == ["D105"]


def test_a_link_out_of_the_folder_is_refused(game: Path) -> None:
    (game / "link.rules").symlink_to(game.parent / "secret.rules")
    (game / "loop.rules").symlink_to(game / "loop.rules")
    assert [code for code, _ in resolve(Files(game), game, "link.rules")[1]] == ["D105"]
    assert [code for code, _ in resolve(Files(game), game, "loop.rules")[1]] in (["D105"], ["D107"])


def test_missing_files_offer_the_nearest(game: Path) -> None:
    assert resolve(Files(game), game, "parts/card.rules") == (None, [("D107", "did you mean `cards.rules`?")])
    assert resolve(Files(game), game, "x" * 5000) == (None, [("D107", None)])


def test_shipped_boards_are_found_from_anywhere(game: Path) -> None:
    path, found = resolve(Files(game), game, "boards/hall/map.yaml")
    assert found == []
    assert path == library_folder("boards") / "hall" / "map.yaml"
    assert path is not None
    assert Files(game).shown(path) == "boards/hall/map.yaml"
    assert resolve(Files(), game, "boards/hall/map.yaml")[0] == path
    assert resolve(Files(game), game, "boards/hall/mop.yaml")[1] == [("D107", "did you mean `map.yaml`?")]
    assert [code for code, _ in resolve(Files(game), game, "boards/../pyproject.toml")[1]] in (["D105"], ["D107"])


def test_library() -> None:
    assert library_folder("boards").is_dir()
    with pytest.raises(ValueError):
        library_folder("secrets")
    for name in ("", "no_such_game", "../boards", "a/b", "hall.rules\0", ".."):
        assert find_shipped(name) is None
    for path in shipped_games():
        assert path.suffix == ".rules"
        assert find_shipped(path.stem) is not None
