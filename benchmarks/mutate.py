"""Mutation run: would the tests of a rules file notice if a rule were another?

    python benchmarks/mutate.py rules/hall.rules [--jobs N] [--limit N] [--list] [--threshold 0.9]

A mutant is the file with one small change: a number one higher or lower, a comparison swapped, `and` for `or`, a cell
emptied or filled, a name for another of its kind, a statement made `nothing`, a line of a value or relation left out,
and more of that sort. Documentation, comments, literal text, the headings of tables and `test` blocks are left alone,
and so is every included file. A mutant that does not check without errors is no game and does not count. Of a name,
the first other name that checks is taken. The others are run against the file's tests up to the first that fails:
first those that use the changed line, and of these the ones that have killed its other mutants.

Mutants that pass all tests have survived. Either a test is missing; or the change changes nothing (an equivalent
mutant); or it changes what no test block can say, such as which configurations there are. Those looked at are listed
with the reason in `docs/mutants/GAME.md`, a table row each under one heading for each of the latter two, and are told
apart here; in the rate that the threshold is held against they count as not killed all the same.

How a mutant dies does not matter, but that it does within a minute: one that hangs is killed by the clock.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import FrameType
from typing import NoReturn

import attrs
from attrs import evolve, frozen

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from interpreter.diagnostics import Diagnostics, Position, RulesError  # noqa: E402
from interpreter.runtime.load import configure  # noqa: E402
from interpreter.runtime.rules import Configuration  # noqa: E402
from interpreter.runtime.tester import run_test  # noqa: E402
from interpreter.semantics import project as project_module  # noqa: E402
from interpreter.semantics import test_configuration as configuration_of  # noqa: E402
from interpreter.semantics import understand_test  # noqa: E402
from interpreter.semantics.checks import check  # noqa: E402
from interpreter.semantics.model import Game, TestCase  # noqa: E402
from interpreter.semantics.project import Project, project_from_source  # noqa: E402
from interpreter.semantics.types import NumberType, Type  # noqa: E402
from interpreter.semantics.understand import understand  # noqa: E402
from interpreter.source import Files, SourceFile  # noqa: E402
from interpreter.syntax import ast, parse  # noqa: E402
from interpreter.syntax.rows import is_separator, row_cells, row_comment  # noqa: E402
from interpreter.syntax.tokens import NEWLINE, Token, scan  # noqa: E402

__all__ = ["Mutant", "Verdict", "main", "mutants_of"]

SECONDS = 60
"""Time of the processor for all tests of one mutant; on a busy machine a survivor is not taken for one that hangs."""

Edit = tuple[int, int, str]
"""A change of text: from, to, and what stands there instead."""


@frozen
class Mutant:
    """One small change of a file."""

    kind: str
    """What sort of change."""
    start: int
    """Offset of what is replaced."""
    end: int
    """Offset behind it."""
    texts: tuple[str, ...]
    """What stands there instead; of several the first that checks."""

    def applied(self, text: str) -> str:
        """The text with the (first) change made."""
        return text[: self.start] + self.texts[0] + text[self.end :]


@frozen
class Verdict:
    """What became of a mutant."""

    mutant: Mutant
    """With the one text that was taken."""
    outcome: str
    """`invalid` (does not check), `killed`, `timeout` or `survived`."""
    by: str = ""
    """The test that failed."""


# ---------------------------------------------------------------------------------------------------- tokens

_SWAPS: dict[str, tuple[str, ...]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "=": ("!=",),
    "!=": ("=",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "div": ("mod",),
    "mod": ("div",),
    "and": ("or",),
    "or": ("and",),
    "yes": ("no",),
    "no": ("yes", "some"),
    "when": ("unless",),
    "unless": ("when", "if"),
    "if": ("unless",),
    "may": ("choose",),
    "choose": ("may",),
    "any": ("some",),
    "times": ("divided by",),
    "before": ("after",),
    "after": ("before",),
    "east": ("west",),
}
"""By a word of the language what may stand in its place; what cannot is sorted out since it does not check."""

_NAME_SWAPS = {
    "min": "max",
    "max": "min",
    "orth": "diag",
    "diag": "orth",
    "highest": "lowest",
    "lowest": "highest",
    "first": "last",
    "last": "first",
}
"""By a name that means something in every game, its opposite."""

_TWO_WORDS = {
    "at least": ("at most", "up to"),
    "at most": ("at least",),
    "up to": ("exactly", "at least"),
    "divided by": ("times",),
    "rounded up": ("rounded down",),
    "rounded down": ("rounded up",),
}
_ATTRIBUTES = ("ROLLED", "RESET", "SEEN", "ORDERED")
"""Tokens that begin an attribute behind a comma."""
_KINDS = {
    **dict.fromkeys(("<", "<=", ">", ">=", "=", "!=", "is", "is not"), "comparison"),
    **dict.fromkeys(("+", "-", "*", "div", "mod"), "arithmetic"),
    **dict.fromkeys(("and", "or", "not", "when", "unless", "if", "yes", "no", "some"), "logic"),
}


def _of_token(tokens: Sequence[Token], at: int) -> Iterator[Mutant]:
    """The changes of one token."""
    token = tokens[at]
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    word = " ".join(token.text.split())
    if token.kind == "INT":
        if before is None or before.kind != "LANGUAGE":
            for number in (int(word) + 1, int(word) - 1):
                yield Mutant("number", token.start, token.end, (str(number),))
    elif token.kind == "DICE":
        count, _, sides = word.partition("d")
        for number in (int(sides) + 1, int(sides) - 1):
            yield Mutant("number", token.start, token.end, (f"{count}d{number}",))
    elif token.kind == "NAME":
        if word in _NAME_SWAPS:
            yield Mutant("opposite", token.start, token.end, (_NAME_SWAPS[word],))
    elif token.kind == "IS":
        if after is not None and after.kind == "NOT":
            yield Mutant("comparison", token.start, after.end, ("is",))
        else:
            yield Mutant("comparison", token.start, token.end, ("is not",))
    elif token.kind == "NOT":
        if before is None or before.kind != "IS":
            follows = token.end if after is None else after.start
            yield Mutant("logic", token.start, follows, ("",))
    elif token.kind == "SOME":
        new = "any" if after is not None and after.kind == "OF" else "no"
        yield Mutant("quantity" if new == "any" else "logic", token.start, token.end, (new,))
    elif token.kind in _ATTRIBUTES and before is not None and before.kind == "COMMA":
        end = at
        while end + 1 < len(tokens) and tokens[end + 1].kind not in ("COMMA", NEWLINE):
            end += 1
        yield Mutant("attribute left out", before.start, tokens[end].end, ("",))
    elif word in _TWO_WORDS:
        for new in _TWO_WORDS[word]:
            yield Mutant("quantity", token.start, token.end, (new,))
    elif token.kind not in ("STRING", "ROW", NEWLINE):
        for new in _SWAPS.get(word, ()):
            yield Mutant(_KINDS.get(word, "word"), token.start, token.end, (new,))


def _of_rows(tokens: Sequence[Token]) -> Iterator[Mutant]:
    """The changes within cells; the tokens of `ROW`s that stand together are one table, its heading first."""
    table: list[Token] = []
    for token in [*tokens, Token("END", "", 0, 0)]:
        if token.kind == "ROW":
            table.append(token)
        elif token.kind != NEWLINE and table:
            yield from _of_table(table)
            table = []


def _of_table(rows: Sequence[Token]) -> Iterator[Mutant]:
    cells = [row_cells(row.text[: row_comment(row.text)])[0] for row in rows]
    body = [at for at in range(1, len(rows)) if not is_separator([cell.text for cell in cells[at]])]
    for column in range(1, len(cells[0])):
        texts = [cells[at][column].text for at in body if column < len(cells[at])]
        is_flag = "yes" in texts and set(texts) <= {"yes", "no", ""}
        is_number = "" in texts and all(text.isdigit() or not text for text in texts)
        for at in body:
            if column >= len(cells[at]):
                continue
            cell, offset = cells[at][column], rows[at].start
            start, end = offset + cell.start, offset + cell.end
            if cell.text == "yes" and "" in texts:
                yield Mutant("cell", start, end, ("",))
            elif not cell.text and (is_flag or is_number):
                yield Mutant("cell", start, end, ("yes" if is_flag else "1",))
            else:
                inner = scan(cell.text, start)
                for number in range(len(inner)):
                    yield from _of_token(inner, number)


# ---------------------------------------------------------------------------------------------------- trees


def _nodes(node: ast.Node) -> Iterator[ast.Node]:
    """A node and all within it, tests left out."""
    if isinstance(node, ast.TestDeclaration):
        return
    yield node
    for attribute in attrs.fields(type(node)):
        value = getattr(node, attribute.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, ast.Node):
                yield from _nodes(inner)


class _Places:
    """Offsets of spans."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source

    def at(self, position: Position) -> int:
        return self.source.line_starts[position.line - 1] + position.column - 1

    def of(self, node: ast.Node) -> tuple[int, int]:
        return self.at(node.span.start), self.at(node.span.end)

    def line(self, node: ast.Node) -> tuple[int, int]:
        """The whole lines of a node, line end included."""
        start, end = self.of(node)
        text = self.source.text
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        return first, len(text) if last < 0 else last + 1


def _of_tree(tree: ast.File, places: _Places) -> Iterator[Mutant]:
    """Statements, lines, branches and clauses that are left out, and option words that are swapped."""
    text = places.source.text
    for node in _nodes(tree):
        start, end = places.of(node)
        match node:
            case ast.Statement() if not isinstance(node, ast.Nothing | ast.Let | ast.Step):
                kind = "statement" if "\n" not in text[start:end] else "block of statements"
                yield Mutant(f"{kind} to nothing", start, end, ("nothing",))
            case ast.ValueLine() | ast.RelationLine() | ast.Excludes() | ast.Preset() | ast.ForPlayers():
                yield Mutant("line left out", *places.line(node), ("",))
            case ast.Mark():
                yield Mutant("line left out", *places.line(node), ("",))
            case ast.OptionDeclaration(words=words) if len(words) > 1:
                for one, other in pairwise(words):
                    first, last = places.of(one), places.of(other)
                    swapped = text[slice(*last)] + text[first[1] : last[0]] + text[slice(*first)]
                    yield Mutant("option words swapped", first[0], last[1], (swapped,))
            case ast.Things(excluded=ast.Node() as excluded) | ast.OfFiltered(excluded=ast.Node() as excluded):
                before = text.rindex("except", 0, places.of(excluded)[0])
                yield Mutant("clause left out", before, places.of(excluded)[1], ("",))
        match node:
            case ast.Choose(branches=branches) if len(branches) > 1:
                for branch in branches:
                    yield Mutant("branch left out", *places.line(branch), ("",))
            case ast.Branch(guard=ast.Node() as guard):
                before = text.rindex("when", 0, places.of(guard)[0])
                yield Mutant("clause left out", before, places.of(guard)[1], ("",))
            case ast.ValueLine(condition=ast.Node() as condition, unless=unless):
                before = text.rindex("unless" if unless else "if", 0, places.of(condition)[0])
                yield Mutant("clause left out", before, places.of(condition)[1], ("",))
            case ast.Excludes(unless=ast.Node() as condition):
                before = text.rindex("unless", 0, places.of(condition)[0])
                yield Mutant("clause left out", before, places.of(condition)[1], ("",))


# ---------------------------------------------------------------------------------------------------- names


def _families(game: Game) -> list[list[str]]:
    """Names that may stand for one another: members of one domain, and things that give the same for the same."""
    families: list[list[str]] = [list(enum.members) for enum in game.enums.values()]
    families += [list(rows.members) for rows in game.rows.values()]
    families.append(list(game.players))
    families += [list(use.board.directions) for use in game.boards.values()]
    families.append([zone.name for zone in game.zones.values()])
    families.append([variant.name for variant in game.variants.values()])
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for variable in game.variables:
        alike[_sort(variable.keys, variable.type)].append(variable.name)
    attributes = [one for rows in game.rows.values() for one in rows.attributes.values()]
    attributes += [one for kind in game.kinds.values() for one in kind.attributes.values()]
    attributes += [one for use in game.boards.values() for one in use.attributes.values()]
    for attribute in attributes:
        alike[_sort((attribute.key,), attribute.type)].append(attribute.name)
    for function in game.functions.values():
        inputs = tuple(parameter.type for parameter in function.parameters)
        if function.form in ("value", "table") and function.result is not None:
            alike[_sort(inputs, function.result)].append(function.name)
        else:
            alike[(function.form, *_sort(inputs, None))].append(function.name)
    return [family for family in [*families, *alike.values()] if len(set(family)) > 1]


def _sort(inputs: Sequence[Type], result: Type | None) -> tuple[str, ...]:
    """What tells whether two named things may stand for one another."""
    return tuple(_type_name(type_) for type_ in (*inputs, *(() if result is None else (result,))))


def _type_name(type_: Type) -> str:
    return "number" if isinstance(type_, NumberType) else f"{type(type_).__name__} {getattr(type_, 'name', '')}"


def _of_names(tree: ast.File, places: _Places, game: Game) -> Iterator[Mutant]:
    """Each use of a name, with the names that might stand in its place."""
    families = _families(game)
    for node in _nodes(tree):
        for name in _used_names(node):
            start, end = places.of(name)
            found: list[str] = []
            for family in families:
                if name.text in family:
                    at = family.index(name.text)
                    found += [other for other in (*family[at + 1 :], *family[:at]) if other != name.text]
            if found:
                texts = tuple(dict.fromkeys(_written(other) for other in found))
                yield Mutant("name", start, end, texts)


def _used_names(node: ast.Node) -> Iterator[ast.Name]:
    match node:
        case ast.NamedThing(name=name) | ast.Member(name=name) | ast.OfCall(name=name) | ast.OfFiltered(name=name):
            yield name
        case ast.FieldDeclaration(reset_by=ast.Name() as name) | ast.GameHead(scored_by=ast.Name() as name):
            yield name
        case ast.Excludes(name=name) | ast.Preset(name=name):
            yield name


def _written(name: str) -> str:
    """A name as it may stand in a file, whatever words it is made of."""
    return name.replace(" ", "_")


# ---------------------------------------------------------------------------------------------------- all of them


def mutants_of(source: SourceFile, game: Game) -> list[Mutant]:
    """All mutants of a file, in the order of their places, none twice."""
    sink = Diagnostics()
    tree, places = parse(source, sink), _Places(source)
    tests = [places.of(node) for node in tree.declarations if isinstance(node, ast.TestDeclaration)]
    tokens = [token for token in scan(source.text) if not any(a <= token.start < b for a, b in tests)]
    found: list[Mutant] = []
    for at in range(len(tokens)):
        found.extend(_of_token(tokens, at))
    found.extend(_of_rows(tokens))
    found.extend(_of_tree(tree, places))
    found.extend(_of_names(tree, places, game))
    found.sort(key=lambda mutant: (mutant.start, mutant.end, mutant.texts))
    seen: set[Edit] = set()
    kept: list[Mutant] = []
    for mutant in found:
        texts = tuple(text for text in mutant.texts if (mutant.start, mutant.end, text) not in seen)
        seen.update((mutant.start, mutant.end, text) for text in texts)
        if texts:
            kept.append(evolve(mutant, texts=texts))
    return kept


def change_of(source: SourceFile, mutant: Mutant) -> tuple[int, str, str]:
    """Line of a mutant, that line as it was, and as it is (blanks made one, comments dropped)."""
    text = source.text
    line = text.count("\n", 0, mutant.start) + 1
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.start)
    old = text[first : last if last >= 0 else len(text)]
    if mutant.end > first + len(old):  # more than this line
        rest = "" if mutant.texts[0] == "" else f"{text[first : mutant.start]}{mutant.texts[0]}"
        return line, _plain(old), _plain(rest) or "(left out)"
    return line, _plain(old), _plain(old[: mutant.start - first] + mutant.texts[0] + old[mutant.end - first :])


def _plain(line: str) -> str:
    return " ".join(re.sub(r'\s+#[^"]*$', "", line).split())


# ---------------------------------------------------------------------------------------------------- running


class _Clock(BaseException):
    """The time for a mutant is over."""


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise _Clock


class _Bench:
    """A rules file with its tests, ready for mutants; each process has its own."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        _remember_parsing()
        self.files = Files(root=self.path.parent)
        sink = Diagnostics()
        source = self.files.read(self.path, sink)
        if source is None:
            raise RulesError(sink)
        self.source = source
        project = project_from_source(source, sink, self.files, self.path.parent, self.path)
        check(project, sink)
        if sink.has_errors:
            raise RulesError(sink)
        game = understand(project)
        assert game is not None
        self.game = game
        self.kills: Counter[str] = Counter()
        """How many mutants each test has killed: the best are tried first."""
        self.near: Counter[tuple[int, str]] = Counter()
        """How many mutants of a line each test has killed."""
        self.used: dict[str, frozenset[int]] = {}
        """The lines of the file that each test uses, where it was watched."""

    def watch(self) -> None:
        """Runs the tests on the file as it is, to see which lines each of them uses."""
        project = self.project(self.source.text)
        assert project is not None
        for group in self._groups(project):
            rules = configure(project, project.files, self.path, group[0][0])
            for _, test in group:
                understood = understand_test(test, rules.game, Diagnostics())
                marks: dict[int, int] = {}
                if understood is not None:
                    run_test(rules, understood, marks=marks)
                spans = [rules.program.spans[number] for number in marks]
                self.used[test.title] = frozenset(span.start.line for span in spans if span.path == self.source.path)

    def project(self, text: str) -> Project | None:
        """The project with another text of the file, if it checks."""
        sink = Diagnostics()
        files = Files(root=self.path.parent)
        source = SourceFile(self.source.path, text)
        project = project_from_source(source, sink, files, self.path.parent, self.path)
        if not sink.has_errors:
            understand(project, sink=sink)  # most of those that do not check show it here, at little cost
        if not sink.has_errors:
            check(project, sink)
        return None if sink.has_errors else project

    def judge(self, mutant: Mutant) -> Verdict:
        """Runs the tests on a mutant."""
        for text in mutant.texts:
            one = evolve(mutant, texts=(text,))
            before = signal.signal(signal.SIGPROF, _ring)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                project = self.project(one.applied(self.source.text))
                if project is None:
                    continue
                line = self.source.text.count("\n", 0, one.start) + 1
                failed = self.first_failure(project, line)
                if failed is None:
                    return Verdict(one, "survived")
                self.kills[failed] += 1
                self.near[line, failed] += 1
                return Verdict(one, "killed", failed)
            except _Clock:
                return Verdict(one, "timeout")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, before)
        return Verdict(evolve(mutant, texts=mutant.texts[:1]), "invalid")

    def first_failure(self, project: Project, line: int = 0) -> str | None:
        """The title of the first test that fails, those that use the line first; None when all hold."""
        groups = self._groups(project)
        near = [[one for one in group if self._is_near(one[1].title, line)] for group in groups]
        near.sort(key=lambda group: -max((self.near[line, test.title] for _, test in group), default=-1))
        rest = [[one for one in group if not self._is_near(one[1].title, line)] for group in groups]
        for group in (*near, *rest):
            failed = self._failure_in(project, group, line) if group else None
            if failed is not None:
                return failed
        return None

    def _is_near(self, title: str, line: int) -> bool:
        return self.near[line, title] > 0 or line in self.used.get(title, ())

    def _groups(self, project: Project) -> list[list[tuple[Configuration, TestCase]]]:
        """The tests, those of one configuration together; the configurations with most tests first."""
        groups: dict[str, list[tuple[Configuration, TestCase]]] = defaultdict(list)
        for tree in project.tests:
            test = TestCase(title=tree.title, tree=tree, span=tree.span)
            asked = configuration_of(test)
            configuration = Configuration(
                rules=project.path,
                players=asked.players,
                options=tuple(sorted(asked.options.items())),
                scenario=asked.scenario,
            )
            groups[repr(configuration)].append((configuration, test))
        return sorted(groups.values(), key=len, reverse=True)

    def _failure_in(self, project: Project, group: Sequence[tuple[Configuration, TestCase]], line: int) -> str | None:
        """The first failure among tests of one configuration."""
        try:
            rules = configure(project, project.files, self.path, group[0][0])
        except RulesError:
            return group[0][1].title
        for _, test in sorted(group, key=lambda one: (-self.near[line, one[1].title], -self.kills[one[1].title])):
            sink = Diagnostics()
            understood = understand_test(test, rules.game, sink)
            if understood is None or sink.has_errors or not run_test(rules, understood).ok:
                return test.title
        return None


def _remember_parsing() -> None:
    """Included files are the same for every mutant: their trees are kept, which halves the time of the run."""
    known: dict[tuple[str, str], ast.File] = {}
    plain: Callable[[SourceFile, Diagnostics], ast.File] = parse

    def remembered(source: SourceFile, sink: Diagnostics) -> ast.File:
        key = (source.path, source.text)
        if key not in known:
            before = len(sink.errors)
            tree = plain(source, sink)
            if len(sink.errors) > before or len(known) > 8:
                return tree
            known[key] = tree
        return known[key]

    project_module.parse = remembered  # type: ignore[attr-defined]


_bench: _Bench | None = None


def _open(path: Path) -> None:
    global _bench
    _bench = _Bench(path)


def _judge(mutant: Mutant) -> Verdict:
    assert _bench is not None
    return _bench.judge(mutant)


# ---------------------------------------------------------------------------------------------------- the report


OUTSIDE = "## Seen from outside only"
"""The heading of the page below which mutants stand that other tests kill."""
_ROW = re.compile(r"^\| `(.*?)` \| `(.*?)` \| .* \|$", re.MULTILINE)
_COLUMNS = ("killed", "timeout", "equivalent", "outside", "survived", "invalid")


def _listed(path: Path) -> dict[tuple[str, str], str]:
    """Mutants that were looked at, `equivalent` or `outside`: rows `| was | becomes | why |` of the game's page."""
    page = ROOT / "docs" / "mutants" / f"{path.stem}.md"
    same, _, outside = (page.read_text() if page.is_file() else "").partition(OUTSIDE)
    found: dict[tuple[str, str], str] = {}
    for part, outcome in ((same, "equivalent"), (outside, "outside")):
        for was, becomes in _ROW.findall(part):
            found[was.replace(r"\|", "|"), becomes.replace(r"\|", "|")] = outcome
    return found


def _report(source: SourceFile, path: Path, verdicts: Sequence[Verdict], seconds: float, is_whole: bool) -> float:
    """Prints what became of the mutants; gives the share that was killed."""
    listed = _listed(path)
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    survivors: list[tuple[int, str, str, str]] = []
    used: set[tuple[str, str]] = set()
    for verdict in verdicts:
        line, was, becomes = change_of(source, verdict.mutant)
        outcome = verdict.outcome
        if outcome == "survived" and (was, becomes) in listed:
            outcome = listed[was, becomes]
            used.add((was, becomes))
        elif outcome == "survived":
            survivors.append((line, verdict.mutant.kind, was, becomes))
        by_kind[verdict.mutant.kind][outcome] += 1
    print(f"\n{'kind':30}" + "".join(f"{column:>12}" for column in _COLUMNS))
    total: Counter[str] = Counter()
    for kind in sorted(by_kind):
        total.update(by_kind[kind])
        print(f"{kind:30}" + "".join(f"{by_kind[kind][column]:12}" for column in _COLUMNS))
    print(f"{'all':30}" + "".join(f"{total[column]:12}" for column in _COLUMNS))
    if survivors:
        print("\nsurvivors")
        for line, kind, was, becomes in survivors:
            print(f"{line:5}  {kind:30} {was}\n{'':37} {becomes}")
    unused = [pair for pair in listed if pair not in used]
    if unused and is_whole:
        print("\nlisted, but not among the survivors of this run")
        for was, becomes in unused:
            print(f"       {was}\n       {becomes}")
    dead = total["killed"] + total["timeout"]
    living = total["survived"] + total["equivalent"] + total["outside"]
    rate = dead / (dead + living) if dead + living else 1.0
    meant = dead + living - total["equivalent"]
    print(
        f"\n{dead} of {dead + living} mutants killed: {rate:.1%}; without the {total['equivalent']} that change nothing"
        f" {dead / meant if meant else 1.0:.1%}; {seconds:.0f} s"
    )
    return rate


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; gives the exit code."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0], epilog="example: mutate.py rules/hall.rules --limit 50"
    )
    parser.add_argument("rules", type=Path, metavar="RULES", help="a rules file with tests")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--limit", type=int, default=0, help="so many mutants only, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="for --limit (1)")
    parser.add_argument("--lines", default="", metavar="A-B", help="only mutants of these lines")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    parser.add_argument("--threshold", type=float, default=0.9, help="share that must be killed (0.9)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what kills each mutant")
    given = parser.parse_args(arguments)
    began = time.perf_counter()
    try:
        _open(given.rules)
    except RulesError as error:
        print(error, file=sys.stderr)
        return 2
    assert _bench is not None
    source = _bench.source
    mutants = mutants_of(source, _bench.game)
    if given.lines:
        first, _, last = given.lines.partition("-")
        wanted = range(int(first), int(last or first) + 1)
        mutants = [mutant for mutant in mutants if change_of(source, mutant)[0] in wanted]
    if given.limit and given.limit < len(mutants):
        mutants = sorted(Random(given.seed).sample(mutants, given.limit), key=lambda mutant: mutant.start)
    if given.list:
        for mutant in mutants:
            line, was, becomes = change_of(source, mutant)
            more = f"  (or {len(mutant.texts) - 1} others)" if len(mutant.texts) > 1 else ""
            print(f"{line:5}  {mutant.kind:30} {was}\n{'':37} {becomes}{more}")
        print(f"{len(mutants)} mutants, those that do not check among them")
        return 0
    project = _bench.project(source.text)
    failed = None if project is None else _bench.first_failure(project)
    if failed is not None:
        print(f"test `{failed}` fails on the file itself; mutants of it mean nothing", file=sys.stderr)
        return 2
    _bench.watch()
    if given.jobs > 1:
        with get_context("fork").Pool(given.jobs) as pool:  # each with what was read and watched
            verdicts = list(_shown(pool.imap(_judge, mutants, chunksize=4), len(mutants), source, given.verbose))
    else:
        verdicts = list(_shown(map(_judge, mutants), len(mutants), source, given.verbose))
    is_whole = not given.limit and not given.lines
    rate = _report(source, given.rules, verdicts, time.perf_counter() - began, is_whole)
    return 0 if rate >= given.threshold else 1


def _shown(verdicts: Iterator[Verdict], count: int, source: SourceFile, verbose: bool) -> Iterator[Verdict]:
    """The verdicts, each told as it comes."""
    for number, verdict in enumerate(verdicts, start=1):
        if verbose or verdict.outcome in ("survived", "timeout"):
            line, was, becomes = change_of(source, verdict.mutant)
            print(
                f"[{number}/{count}] {line}: {was} -> {becomes}: {verdict.outcome} {verdict.by}",
                file=sys.stderr,
                flush=True,
            )
        yield verdict


if __name__ == "__main__":
    sys.exit(main())
