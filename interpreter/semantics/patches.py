"""The changes that variants and a scenario make, carried out on the syntax tree.

They work on named things before any name is resolved, so what is understood afterwards is a game without variants. A
phase or effect that something is done before or after is kept whole under a name of its own and called by one of the
old name: `end phase` within it still ends only what it ended as printed.

Two changes of the same thing are a conflict and both places are named: two `instead of`, two that replace it, or the
same cell twice.
Lines that are added, and what is done before or after, add up and never conflict.

Invariant: the declarations given are new; those of the project are untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from attrs import evolve

from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
from interpreter.semantics.describe import plain_name
from interpreter.semantics.joined import spread
from interpreter.syntax import ast

__all__ = ["apply_patches"]

_Node = TypeVar("_Node", bound=ast.Declaration)
_Bodied = ast.PhaseDeclaration | ast.EffectDeclaration


def apply_patches(
    declarations: Sequence[ast.Declaration], active: Iterable[ast.VariantDeclaration], sink: Diagnostics
) -> list[ast.Declaration]:
    """The declarations as the active variants leave them: first what is added, then what is replaced, then what is
    changed in it, each in the order of the file. Reports D806, D807, D809 and D810."""
    patcher = _Patcher(list(declarations), sink)
    variants = list(active)
    for kinds in ((ast.Adds,), (ast.ReplaceDeclared,), (ast.AddRows,), (ast.ReplaceRows,), (ast.Modify,)):
        for variant in variants:
            for patch in variant.patches:
                if isinstance(patch, kinds):
                    patcher.apply(patch)
    for how in ("instead of", "before", "after"):
        for variant in variants:
            for patch in variant.patches:
                if isinstance(patch, ast.Around) and patch.how == how:
                    patcher.around(patch, variant)
    return patcher.declarations


class _Patcher:
    def __init__(self, declarations: list[ast.Declaration], sink: Diagnostics) -> None:
        self.declarations = declarations
        self._sink = sink
        self._touched: dict[tuple[str, ...], Span] = {}

    def apply(self, patch: ast.Patch) -> None:
        match patch:
            case ast.Adds(declaration=declaration):
                self._add(declaration)
            case ast.ReplaceDeclared(declaration=declaration):
                self._replace_declared(declaration)
            case ast.Modify():
                self._modify(patch)
            case ast.AddRows():
                self._add_rows(patch)
            case ast.ReplaceRows():
                self._replace_rows(patch)

    # -- finding

    def _find(self, name: ast.Name, wanted: tuple[type[_Node], ...], what: str) -> _Node | None:
        """The declaration of a name, or None after a report."""
        for node in self.declarations:
            declared = _name(node)
            if declared is not None and declared.text == name.text:
                if isinstance(node, wanted):
                    return node
                label = Label(declared.span, "declared here")
                self._sink.error("D809", f"`{name.text}` is not {what}", name.span, labels=(label,))
                return None
        known = [declared.text for node in self.declarations if isinstance(node, wanted) and (declared := _name(node))]
        self._sink.error("D806", f"no `{name.text}` to change", name.span, help=did_you_mean(name.text, known))
        return None

    def _replace(self, old: ast.Declaration, *new: ast.Declaration) -> None:
        at = next(index for index, node in enumerate(self.declarations) if node is old)
        self.declarations[at : at + 1] = new

    def _touch(self, key: tuple[str, ...], span: Span, what: str) -> None:
        """Reports D807 where something is changed a second time."""
        before = self._touched.get(key)
        if before is not None:
            label = Label(before, "changed here too")
            self._sink.error("D807", f"two changes of {what}", span, labels=(label,))
        self._touched.setdefault(key, span)

    # -- additions

    def _add(self, node: ast.Declaration) -> None:
        if isinstance(node, ast.GameHead | ast.Include | ast.Language | ast.VariantDeclaration):
            words = {ast.GameHead: "game", ast.Include: "include", ast.Language: "language"}.get(type(node), "variant")
            self._sink.error("D809", f"`{words}` cannot stand in a variant or scenario", node.span)
            return
        self.declarations.append(node)

    def _replace_declared(self, new: ast.Declaration) -> None:
        """The new declaration in the place of the one of its name, if the rules that use that can use it."""
        name, word = _name(new), _SORTS[type(new)]
        assert name is not None
        found = [(node, declared) for node in self.declarations if (declared := _name(node)) is not None]
        old = next(((node, declared) for node, declared in found if declared.text == name.text), None)
        if old is None:
            known = [declared.text for node, declared in found if type(node) is type(new)]
            help = did_you_mean(name.text, known)
            self._sink.error("D806", f"no {word.split()[1]} `{name.text}` to replace", name.span, help=help)
            return
        fault = _difference(old[0], new)
        if fault:
            label = Label(old[1].span, "declared here")
            self._sink.error("D809", f"`{name.text}` {fault}", name.span, labels=(label,))
            return
        self._touch(("body", name.text), name.span, f"`{name.text}`")
        self._replace(old[0], new)

    def _modify(self, patch: ast.Modify) -> None:
        wanted: tuple[type[ast.Declaration], ...] = (ast.ValueDeclaration, ast.RelationDeclaration)
        node = self._find(patch.name, wanted, "a value or relation")
        if isinstance(node, ast.ValueDeclaration):
            for line in patch.relation_lines:
                self._sink.error("D809", f"`{patch.name.text}` is a value, found a line of a relation", line.span)
            lines = node.lines
            if node.is_ is not None:
                lines = (_start_line(node.is_),)
            self._replace(node, evolve(node, is_=None, lines=(*lines, *patch.value_lines)))
        elif isinstance(node, ast.RelationDeclaration):
            for value_line in patch.value_lines:
                message = f"`{patch.name.text}` is a relation, found a line of a value"
                self._sink.error("D809", message, value_line.span)
            cases = node.lines
            if node.is_ is not None:
                cases = (ast.RelationLine("when", node.is_, None, span=node.is_.span),)
            self._replace(node, evolve(node, is_=None, lines=(*cases, *patch.relation_lines)))

    # -- before, after, instead of

    def around(self, patch: ast.Around, variant: ast.VariantDeclaration) -> None:
        name = variant.title or variant.name.text
        step = ast.Step(ast.Name(name, span=patch.span), patch.body, span=patch.body.span)
        if patch.where == "setup":
            self._around_setup(patch)
        elif patch.where == "play":
            self._around_play(patch, step)
        else:
            assert patch.target is not None
            wanted: tuple[type[_Bodied], ...] = (ast.PhaseDeclaration, ast.EffectDeclaration)
            node = self._find(patch.target, wanted, "a phase or effect")
            if node is not None:
                self._around_named(node, patch, step)

    def _around_setup(self, patch: ast.Around) -> None:
        made = ast.SetupDeclaration(patch.body, span=patch.span)
        if patch.how == "instead of":
            self._touch(("setup",), patch.span, "the set-up")
            self.declarations = [node for node in self.declarations if not isinstance(node, ast.SetupDeclaration)]
        if patch.how == "before":
            self.declarations.insert(0, made)
        else:
            self.declarations.append(made)

    def _around_play(self, patch: ast.Around, step: ast.Step) -> None:
        node = next((node for node in self.declarations if isinstance(node, ast.PlayDeclaration)), None)
        if node is None:
            self._sink.error("D806", "no `play` to change", patch.span)
        elif patch.how == "instead of":
            self._touch(("play",), patch.span, "the play")
            self._replace(node, evolve(node, body=patch.body))
        else:
            lines = node.body.statements
            lines = (step, *lines) if patch.how == "before" else (*lines, step)
            self._replace(node, evolve(node, body=evolve(node.body, statements=lines)))

    def _around_named(self, node: _Bodied, patch: ast.Around, step: ast.Step) -> None:
        name = node.name.text
        if patch.how == "instead of":
            self._touch(("body", name), patch.span, f"`{name}`")
            self._replace(node, evolve(node, body=patch.body))
            return
        printed = f"{name} as printed"
        if not any(isinstance(other, _Bodied) and other.name.text == printed for other in self.declarations):
            kept = evolve(node, name=evolve(node.name, text=printed))
            called = ast.NamedThing(evolve(node.name, text=printed), span=node.name.span)
            callee: ast.Expr = called
            if isinstance(node, ast.EffectDeclaration) and node.parameters:
                inputs = tuple(ast.NamedThing(one.name, span=one.name.span) for one in node.parameters)
                callee = ast.Apply(called, inputs, span=node.name.span)
            call = ast.Call(callee, span=node.name.span)
            outer = evolve(node, body=ast.Block((call,), span=node.body.span))
            self._replace(node, outer, kept)
            node = outer
        lines = node.body.statements
        lines = (step, *lines) if patch.how == "before" else (*lines, step)
        self._replace(node, evolve(node, body=evolve(node.body, statements=lines)))

    # -- rows

    def _columns(self, table: ast.TableDeclaration, header: ast.Row, key: Callable[[str], str]) -> list[int] | None:
        """For each column of a patch, the column of the table; None after a report."""
        known = [key(cell.text) for cell in table.header.cells]
        found = [0]
        for cell in header.cells[1:]:
            name = key(cell.text)
            if name not in known[1:]:
                message = f"table `{table.name.text}` has no column `{name}`"
                label = Label(table.header.span, "its columns")
                self._sink.error("D810", message, cell.span, labels=(label,), help=did_you_mean(name, known[1:]))
                return None
            found.append(known.index(name, 1))
        return found

    def _add_rows(self, patch: ast.AddRows) -> None:
        table = self._find(patch.name, (ast.TableDeclaration,), "a table")
        columns = None if table is None else self._columns(table, patch.header, _key(table))
        if table is None or columns is None:
            return
        added = tuple(spread(row, columns, len(table.header.cells)) for row in patch.rows)
        first = table.makes is None and table.match != "one"
        rows = (*added, *table.rows) if first else (*table.rows, *added)
        self._replace(table, evolve(table, rows=rows))

    def _replace_rows(self, patch: ast.ReplaceRows) -> None:
        table = self._find(patch.name, (ast.TableDeclaration,), "a table")
        columns = None if table is None else self._columns(table, patch.header, _key(table))
        if table is None or columns is None:
            return
        rows = list(table.rows)
        names = [plain_name(row.cells[0].text) for row in rows]
        for row in patch.rows:
            name = plain_name(row.cells[0].text)
            if name not in names:
                message = f"table `{table.name.text}` has no row `{name}`"
                self._sink.error("D810", message, row.cells[0].span, help=did_you_mean(name, names))
                continue
            at = names.index(name)
            cells = list(rows[at].cells)
            for column, cell in list(zip(columns, row.cells, strict=False))[1:]:
                head = plain_name(table.header.cells[column].text)
                where = f"row `{name}`, column `{head}` of `{table.name.text}`"
                self._touch(("cell", table.name.text, name, str(column)), cell.span, where)
                cells[column] = cell
            rows[at] = evolve(rows[at], cells=tuple(cells))
        self._replace(table, evolve(table, rows=tuple(rows)))


_SORTS: dict[type[ast.Declaration], str] = {
    ast.BoardDeclaration: "a board",
    ast.EffectDeclaration: "an effect",
    ast.EnumDeclaration: "an enum",
    ast.KindDeclaration: "a kind",
    ast.PhaseDeclaration: "a phase",
    ast.RelationDeclaration: "a relation",
    ast.RosterDeclaration: "a roster",
    ast.ShapesDeclaration: "some shapes",
    ast.StateDeclaration: "a state",
    ast.TableDeclaration: "a table",
    ast.TrackDeclaration: "a track",
    ast.ValueDeclaration: "a value",
    ast.ZoneDeclaration: "a zone",
}
"""What can be replaced, and its word."""


def _name(node: ast.Declaration) -> ast.Name | None:
    """The name that a declaration goes by."""
    declared = node.field_.name if isinstance(node, ast.StateDeclaration) else getattr(node, "name", None)
    return declared if isinstance(declared, ast.Name) else None


def _difference(old: ast.Declaration, new: ast.Declaration) -> str:
    """What keeps a declaration from taking the place of another; "" if nothing does."""
    if type(old) is not type(new):
        return f"is {_SORTS.get(type(old), 'something else')}, found {_SORTS[type(new)]}"
    match old, new:
        case ast.BoardDeclaration(), ast.BoardDeclaration() if old.space != new.space:
            return f"has spaces called `{old.space.text}`, found `{new.space.text}`"
        case ast.TableDeclaration(), ast.TableDeclaration() if (_makes(old), old.does) != (_makes(new), new.does):
            return f"is a table that {_makes(old)}, found one that {_makes(new)}"
        case ast.RosterDeclaration(), ast.RosterDeclaration() if old.source != new.source:
            return f"lists `{old.source.text}`, found `{new.source.text}`"
        case (ast.ZoneDeclaration() | ast.TrackDeclaration(), ast.ZoneDeclaration() | ast.TrackDeclaration()):
            return "" if old.each_of == new.each_of else f"is {_whose(old.each_of)}, found {_whose(new.each_of)}"
    before, after = (getattr(node, "parameters", ()) for node in (old, new))
    if len(before) != len(after):
        return f"has {_inputs(len(before))}, found {_inputs(len(after))}"
    for number, (one, other) in enumerate(zip(before, after, strict=True), 1):
        if one.type != other.type:
            return f"has another type as input {number} than here"
        if one.name != other.name:  # lines that another variant adds speak of it
            return f"calls input {number} `{one.name.text}`, found `{other.name.text}`"
    return ""


def _makes(table: ast.TableDeclaration) -> str:
    if table.makes is not None:
        return f"makes `{table.makes.text}`"
    return "does something" if table.does else "gives something"


def _inputs(count: int) -> str:
    return "no inputs" if not count else "1 input" if count == 1 else f"{count} inputs"


def _whose(each_of: ast.Name | None) -> str:
    return "one for all" if each_of is None else f"one of each `{each_of.text}`"


def _start_line(amount: ast.Expr) -> ast.ValueLine:
    return ast.ValueLine("start", amount, None, False, None, None, None, span=amount.span)


def _key(table: ast.TableDeclaration) -> Callable[[str], str]:
    """How the columns of a table are told apart: by name, or by the whole condition in the header."""
    if table.makes is not None:
        return lambda text: plain_name(text.partition(":")[0])
    return plain_name
