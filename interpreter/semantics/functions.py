"""Values, relations, effects, phases and tables: first what they take and give, then their bodies.

All functions are made before any body is read, so that bodies may name one another in any order. What a value gives is
not declared; where it is a single expression its type is that of the expression, so a body that asks for it has it
read first. A value that needs itself for that has no type, and is reported with all other circles by `circles`.

Invariant: after `finish_all` every function has a body, and every value and relation a result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from interpreter.diagnostics import Label
from interpreter.semantics import sets, walk
from interpreter.semantics.fit import element_of, is_error
from interpreter.semantics.lookups import Lookups
from interpreter.semantics.model import (
    Block,
    Expr,
    Fold,
    Function,
    Local,
    LocalRef,
    RelationLine,
    Template,
    ValueLine,
    VariableRef,
)
from interpreter.semantics.scopes import Scope
from interpreter.semantics.statements import assigned_names
from interpreter.semantics.symbols import Names
from interpreter.semantics.types import ERROR, FLAG, HALVES, NUMBER, PLAYER, HalvesType, NumberType, Type
from interpreter.syntax import ast

__all__ = ["Functions"]

FunctionDeclaration = (
    ast.ValueDeclaration | ast.RelationDeclaration | ast.EffectDeclaration | ast.PhaseDeclaration | ast.TableDeclaration
)


class Functions(Lookups):
    """Reads everything with a body."""

    def __init__(self, names: Names) -> None:
        super().__init__(names, self.finish)
        self.lets = []
        self.later = []
        self.folders = {}
        self.board_files = {}

    # -- what they take and give

    def declare(self, node: FunctionDeclaration) -> None:
        """Makes a function with its inputs and, where that is known, what it gives."""
        name = node.name.text
        function = Function(
            name=name,
            form=_form(node),
            parameters=() if isinstance(node, ast.PhaseDeclaration) else self._parameters(node.parameters),
            result=self._declared_result(node),
            span=node.name.span,
            halves=isinstance(node, ast.ValueDeclaration) and node.halves,
            doc=node.doc,
        )
        self.names.functions[name] = function
        self.names.unfinished[id(function)] = lambda: self._read_body(node, function)

    def _declared_result(self, node: FunctionDeclaration) -> Type | None:
        match node:
            case ast.ValueDeclaration(halves=True):
                return HALVES
            case ast.ValueDeclaration(is_=None):
                return NUMBER
            case ast.RelationDeclaration():
                return FLAG
            case ast.TableDeclaration(gives=gives) if gives is not None:
                return self.type_of(gives)
            case _:
                return None

    def _parameters(self, nodes: tuple[ast.Parameter, ...]) -> tuple[Local, ...]:
        seen: dict[str, ast.Parameter] = {}
        made = []
        for node in nodes:
            if node.name.text in seen:
                label = Label(seen[node.name.text].span, "first here")
                self.error("D207", f"two inputs are called `{node.name.text}`", node.name.span, labels=(label,))
            seen.setdefault(node.name.text, node)
            made.append(Local(name=node.name.text, type=self.type_of(node.type), span=node.name.span))
        return tuple(made)

    # -- bodies

    def finish(self, function: Function) -> None:
        """Reads the body of a function, unless that is done or under way."""
        body = cast("Callable[[], None] | None", self.names.unfinished.pop(id(function), None))
        if body is None:
            return
        filling, secretly = self.parameters_to_fill, self.secretly
        self.parameters_to_fill, self.secretly = (), False
        self.under_way.append(function)
        body()
        self.under_way.pop()
        self.parameters_to_fill, self.secretly = filling, secretly

    def finish_all(self) -> None:
        """Reads every body."""
        for function in list(self.names.functions.values()):
            self.finish(function)
        for domain in self.names.rows.values():
            for function in domain.functions.values():
                self.finish(function)
        for step in self.later:
            step()

    def _read_body(self, node: FunctionDeclaration, function: Function) -> None:
        scope = Scope()
        for local in function.parameters:
            scope.add(local)
        match node:
            case ast.ValueDeclaration():
                self._value(node, function, scope)
            case ast.RelationDeclaration():
                self._relation(node, function, scope)
            case ast.EffectDeclaration(body=body) | ast.PhaseDeclaration(body=body):
                scope.assigned = assigned_names(body)
                function.body = self.block(body, scope)
            case ast.TableDeclaration():
                function.table = self.read_lookup(node, function)

    def _value(self, node: ast.ValueDeclaration, function: Function, scope: Scope) -> None:
        if node.is_ is not None:
            amount = self.number(node.is_, scope) if function.halves else self.read(node.is_, scope)
            if function.result is None:
                function.result = amount.type
            function.lines = (ValueLine(kind="start", amount=amount, span=node.is_.span),)
            return
        function.lines = tuple(self._value_line(line, scope) for line in node.lines)

    def _value_line(self, node: ast.ValueLine, scope: Scope) -> ValueLine:
        condition: Expr | None = None
        if node.condition is not None:
            condition = self.condition(node.condition, scope)
            if node.unless:
                condition = self.negation(condition, node.condition.span)
        per: Expr | None = None
        if node.per is not None:
            amount, per = self._per(node, node.per, scope)
        else:
            amount = self.number(node.amount, scope)
        if node.kind == "divided by" and getattr(amount, "value", None) == 0 and not is_error(amount.type):
            self.error("D232", "division by 0", node.amount.span)
        return ValueLine(
            kind=node.kind,
            amount=amount,
            condition=condition,
            per=per,
            rounded=node.rounded,
            reason=self._reason(node.reason, scope),
            span=node.span,
        )

    def _per(self, node: ast.ValueLine, things: ast.Things, scope: Scope) -> tuple[Expr, Expr | None]:
        """`amount per set`: the amount as often as the set has members, or summed where it speaks of each."""
        found = sets.things(self, things, scope)
        element = element_of(found.type)
        if element is None:
            return self.number(node.amount, scope), None
        local, inside = sets.candidate_scope(self, things, element, scope)
        amount = self.number(node.amount, inside)
        if not _speaks_of(amount, local):
            return amount, found
        total = Fold(how="sum", local=local, set=found, body=amount, type=NUMBER, span=node.span)
        return total, None

    def _relation(self, node: ast.RelationDeclaration, function: Function, scope: Scope) -> None:
        if node.is_ is not None:
            condition = self.condition(node.is_, scope)
            function.cases = (RelationLine(kind="when", condition=condition, span=node.is_.span),)
            return
        function.cases = tuple(
            RelationLine(
                kind=line.kind,
                condition=self.condition(line.condition, scope),
                reason=self._reason(line.reason, scope),
                span=line.span,
            )
            for line in node.lines
        )

    def _reason(self, text: ast.Text | None, scope: Scope) -> Template | None:
        return None if text is None else self.template(text, scope)

    def loose_block(self, body: ast.Block) -> Block:
        """A body without inputs: set-up or play."""
        return self.block(body, Scope(assigned=assigned_names(body)))

    # -- the score

    def score(self, name: ast.Name) -> Function | None:
        """What the game is scored by: a value, a state, or a field of players."""
        text = name.text
        function = self.names.functions.get(text)
        if function is not None:
            result = self.result_of(function)
            number = len(function.parameters)
            if not isinstance(result, NumberType | HalvesType) and not (result is not None and is_error(result)):
                self.error("D215", f"expected a value that gives a number to score by, found `{text}`", name.span)
                return None
            if number > 1 or (number == 1 and function.parameters[0].type not in (PLAYER, ERROR)):
                label = Label(function.span, "declared here")
                self.error("D214", f"`{text}` to score by needs no input or one player", name.span, labels=(label,))
                return None
            return function
        variable = self.names.field_of(PLAYER, text) or self.names.globals.get(text)
        if variable is None or not isinstance(variable.type, NumberType) or len(variable.keys) > 1:
            known = [*self.names.functions, *self.names.globals, *self.names.features_of(PLAYER)]
            self.unknown("value to score by", text, name.span, known)
            return None
        keys: tuple[Expr, ...] = ()
        parameters: tuple[Local, ...] = ()
        if variable.keys:
            local = Local(name="player", type=PLAYER, span=name.span)
            parameters = (local,)
            keys = (LocalRef(local=local, type=PLAYER, span=name.span),)
        amount = VariableRef(variable=variable, keys=keys, type=variable.type, span=name.span)
        line = ValueLine(kind="start", amount=amount, span=name.span)
        return Function(
            name=text,
            form="value",
            parameters=parameters,
            result=NUMBER,
            span=name.span,
            lines=(line,),
            doc=variable.doc,
        )


def _form(node: FunctionDeclaration) -> Literal["value", "relation", "table", "effect", "phase"]:
    match node:
        case ast.ValueDeclaration():
            return "value"
        case ast.RelationDeclaration():
            return "relation"
        case ast.EffectDeclaration():
            return "effect"
        case ast.PhaseDeclaration():
            return "phase"
        case _:
            return "table"


def _speaks_of(amount: Expr, local: Local) -> bool:
    """Whether an amount uses the candidate of its set."""
    return any(ref.local is local for ref in walk.find(amount, LocalRef))
