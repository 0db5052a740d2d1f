"""A whole program as one WebAssembly module in text form.

Each function that play can reach becomes a function; each block where a game may be entered becomes one that works
on the state and gives back the number of the next block, -1 when somebody must decide (the options are then a list on
the stack) or -2 when the game is over. What only explains or shows (labels, reasons) is left to the judge.

The module has no imports: it can do nothing but compute. Its exports are the memory, `run` (from the program counter
to the next decision), `ask` (the options of the decision that waits), `playouts` and `rollouts` (random games by the
thousand, from the start and from any state), `actor` (who decides) and `score`.
"""

from __future__ import annotations

from interpreter.backends.api import DEEPEST, WORK
from interpreter.backends.marks import first_span, span_of
from interpreter.backends.nesting import nested_blocks
from interpreter.backends.wasm.expressions import RECURSION, ExpressionPrinter
from interpreter.backends.wasm.helpers import helpers
from interpreter.backends.wasm.inline import Inliner
from interpreter.backends.wasm.locals import Locals, type_of, word
from interpreter.backends.wasm.masks import with_masks
from interpreter.backends.wasm.memory import PAGE, Memory
from interpreter.backends.wasm.module import Module, SlotForm
from interpreter.backends.wasm.outline import outline
from interpreter.backends.wasm.rollouts import rollouts
from interpreter.backends.wasm.room import most_pushed, most_turns
from interpreter.backends.wasm.shared import share_calls
from interpreter.backends.wasm.statements import LEAVE, StatementPrinter
from interpreter.backends.wasm.text import const
from interpreter.backends.work import Loop, Turns, work_of
from interpreter.ir import code as c
from interpreter.ir.flow import is_exit
from interpreter.ir.program import CHOICE, DECISION, RNG, FunctionCode, Program
from interpreter.ir.ranges import Flow, Range, Ranges, assigned, infer, join, words
from interpreter.ir.rewrite import visit_body, visit_program

_SCORE = """(func (export "score") (param $player {input}) (result {result})
  {begin}
  (global.set $sp (i32.const {stack}))
  (call {score} (local.get $player)))"""


def generate(program: Program) -> str:
    """The text of the module, to be read."""
    return indented(generate_module(program).text)


def generate_module(program: Program, counters: int = 0) -> Module:
    """The module with the plan of its memory; `counters`: how many a counting program (`backends.counting`) has."""
    return _Generator(program, counters).module()


class _Generator:
    def __init__(self, program: Program, counters: int) -> None:
        self.program = program = with_masks(outline(share_calls(program)))
        self.ranges = infer(program)
        self.option_kind = _one_width_for_options(program, self.ranges)
        self.memory = Memory(self.ranges, counters)
        self.nested = nested_blocks(program)
        self.used = [name for name in program.functions if name in self.ranges.used]
        self.names = {name: f"$f{number}_{word(name)}" for number, name in enumerate(self.used)}
        self.work = work_of(program, _turns(self.ranges))
        self.begin = f"(global.set $left {const(WORK, 1)})" if self.work.is_anything() else ""
        self.inliner = Inliner(program, self.ranges, self.work)
        self.lines: list[str] = []

    def module(self) -> Module:
        program, memory = self.program, self.memory
        spans = memory.add([max(first_span(block), 0) for block in program.blocks], 0)
        for name in self.used:
            self._function(program.functions[name])
        for number in range(len(program.blocks)):
            if number not in self.nested:
                self._block(number)
        head = [
            f'(module (memory (export "memory") {memory.end // PAGE} {memory.end // PAGE})',
            "(type $block (func (result i32))) (type $list (func))",
            "(global $grown (mut i32) (i32.const 0))",
            f"(global $sp (mut i32) (i32.const {memory.stack}))",
            "(global $seed (mut i64) (i64.const 1))",
            f"(global $left (mut i64) {const(WORK, 1)})",
            *(f"(global {name} (mut i32) (i32.const 0))" for name in ("$options", "$options_end")),
            *(
                f'(global ${name} (export "{name}") (mut i32) (i32.const 0))'
                for name in ("fault_code", "fault_span", "depth")
            ),
        ]
        missing = "$no_block"
        table = [f"$block_{number}" if number not in self.nested else missing for number in range(len(program.blocks))]
        table.extend(self.names[decision.options] for decision in program.decisions)
        head.append(f"(table $functions funcref (elem {' '.join(table)}))")
        head.append(f"(func {missing} (result i32) (unreachable))")
        if program.score:
            score = self.names[program.score]
            kind = words((self.ranges.parameters[program.score] or [None])[0] or (0, 0))
            result = words(self.ranges.results[program.score] or (0, 0))
            head.append(
                _SCORE.format(
                    score=score, input=type_of(kind), result=type_of(result), stack=memory.stack, begin=self.begin
                )
            )
        data = "".join(f"\\{byte:02x}" for byte in bytes(memory.data))
        tail = [f'(data (i32.const {memory.constants}) "{data}")', ")"]
        score = self.names.get(program.score, "")
        loops = [helpers(memory, len(program.blocks), spans, self.option_kind, score, self.begin)]
        loops.append(rollouts(program, self.ranges, memory, self.names, self.option_kind, self.begin))
        text = "\n".join([*head, *loops, *self.lines, *tail])
        return Module(
            text,
            tuple(
                SlotForm(area.count, area.address, area.kind, range_[0] < 0 or range_[1] < 2**63)
                for area, range_ in zip(memory.groups, self.ranges.slots, strict=True)
            ),
            self.option_kind,
            memory.before_setup,
            memory.after_setup,
            memory.state_size,
            memory.slot(DECISION)[0],
            memory.slot(CHOICE)[0],
            memory.slot(RNG)[0],
            memory.tallies,
            memory.outcomes,
            len(program.players) if program.score else 0,
            any(isinstance(node, c.Chance) for node in visit_program(program)),
            memory.counters,
            memory.counting.base if memory.counters else 0,
        )

    # ------------------------------------------------------------------ code

    def _function(self, function: FunctionCode) -> None:
        name, memory = function.name, self.memory
        locals_ = Locals()
        flow = Flow(self.ranges, name)
        x = ExpressionPrinter(flow, locals_, memory, self.names, self.inliner.begin(), self.inliner.plain, self.work)
        x.span = max(span_of(self.program, function), 0)
        result = self.ranges.results[name]
        returns = None if function.returns != "value" else words(result or (0, 0))
        body: list[str] = []
        printer = StatementPrinter(body, x, returns)
        parameters: list[str] = []
        changed = frozenset(variable for stmt in function.body for variable in assigned(stmt))
        for parameter, range_ in zip(function.parameters, self.ranges.parameters[name], strict=True):
            kind = words(range_ or (0, 0))
            own = x.variable_kind(parameter)
            local = f"$p{len(parameters)}_{word(parameter)}"
            parameters.append(f"(param {local} {type_of(kind)})")
            if range_ is not None:
                flow.set(parameter, range_)
            if own == kind and (kind <= 1 or parameter not in changed):
                locals_.give(name, parameter, local)
            elif own <= 1:
                text = x._converted(f"(local.get {local})", kind, own, range_ or (0, 0))
                body.append(f"(local.set {x.variable(parameter)} {text})")
            else:
                body.extend(_widened(x, parameter, local, kind, own))
        printer.rooms = most_pushed(function.body, flow)
        printer.long_lists = name in self.work.lists
        if name in self.work.rings:
            body.append("(global.set $depth (i32.add (global.get $depth) (i32.const 1)))")
            body.append(f"(if (i32.gt_u (global.get $depth) {const(DEEPEST)}) (then {x.fault(RECURSION)}))")
        if name in self.work.too_deep:
            body.append(x.fault(RECURSION))
        printer.begins(self.work.functions.get(name))
        printer.body(function.body)
        if is_exit(function.body):
            body.append("(unreachable)")
        elif returns is not None:
            printer.statement(c.Return(c.Int(0)))
            body.append("(unreachable)")
        else:
            body.append(LEAVE)
        head = f"(func {self.names[name]} {' '.join(parameters)}"
        if returns is not None:
            head += f" (result {type_of(returns)})"
        self._finish(head, locals_, body, name in self.work.rings, keeps=function.returns == "list")

    def _finish(self, head: str, locals_: Locals, body: list[str], ring: bool, keeps: bool) -> None:
        """Puts a function together, now that it is known what it needs of the stack."""
        lines = [head]
        if locals_.framed:
            locals_.declared.append("(local $fp i32)")
        lines.extend(locals_.declared)
        leave = []
        if locals_.framed:
            lines.append("(local.set $fp (global.get $sp))")
            if locals_.frame:
                lines.append(f"(local.set $fp (call $take {const(locals_.frame)} (i32.const 0)))")
            if not keeps:
                leave.append("(global.set $sp (local.get $fp))")
        if ring:
            leave.append("(global.set $depth (i32.sub (global.get $depth) (i32.const 1)))")
        for line in body:
            lines.extend(leave if line == LEAVE else [line])
        lines.append(")")
        self.lines.extend(lines)

    def _block(self, number: int) -> None:
        locals_, body = Locals(), list[str]()
        self._block_body(number, locals_, body, max(first_span(self.program.blocks[number]), 0))
        body.append("(unreachable)")
        label = word(self.program.blocks[number].label)
        self._finish(f"(func $block_{number} (result i32) (; {label} ;)", locals_, body, False, keeps=False)

    def _block_body(self, number: int, locals_: Locals, body: list[str], span: int) -> None:
        block = self.program.blocks[number]
        x = ExpressionPrinter(
            Flow(self.ranges, number), locals_, self.memory, self.names, self.inliner.begin(), self.inliner.plain,
            self.work,
        )  # fmt: skip
        x.span = span
        printer = StatementPrinter(body, x)

        def goto(target: int) -> None:
            if target in self.nested:
                self._block_body(target, locals_, body, x.span)
            else:
                body.append(f"(return {const(target)})")

        printer.begins(self.work.blocks.get(number))
        printer.body(block.body)
        printer.end(block.end, self.program, goto)


def _turns(ranges: Ranges) -> Turns:
    """The most turns of loops by the ranges of what they go over."""

    def turns(scope: str | int, stmt: Loop) -> int | None:
        return most_turns(stmt, Flow(ranges, scope))

    return turns


def _widened(x: ExpressionPrinter, parameter: str, local: str, kind: int, own: int) -> list[str]:
    """Copies a parameter into a variable of its own."""
    place = x.sets.variable_place(parameter)
    if kind <= 1:
        first = f"(local.get {local})" if kind else f"(i64.extend_i32_s (local.get {local}))"
        rest = [place.store(i, "(i64.const 0)") for i in range(1, own)]
        return [place.store(0, first), *rest]
    return [
        f"(memory.fill {place.address} (i32.const 0) {const(8 * own)})",
        f"(memory.copy {place.address} (local.get {local}) {const(8 * kind)})",
    ]


def _one_width_for_options(program: Program, ranges: Ranges) -> int:
    """Makes the lists of options of all decisions, and the slot of the code chosen, equally wide."""
    lists: list[tuple[str, str]] = []
    for name in {decision.options for decision in program.decisions}:
        for node in visit_body(program.functions[name].body):
            if isinstance(node, c.ReturnList):
                lists.append((name, node.list))
    choice = ranges.group_of(CHOICE)
    widest: Range | None = ranges.slots[choice]
    for name, list_ in lists:
        widest = join(widest, ranges.lists.get(name, {}).get(list_))
    assert widest is not None
    ranges.slots[choice] = widest
    for name, list_ in lists:
        ranges.lists.setdefault(name, {})[list_] = widest
    return words(widest)


def indented(text: str) -> str:
    """Text with each line as deep as the brackets that are open."""
    out, depth = [], 0
    for line in text.splitlines():
        line = line.strip()
        closing = len(line) - len(line.lstrip(")"))
        out.append("  " * max(0, depth - closing) + line if line else "")
        quoted = line.startswith("(data")
        depth += 0 if quoted else line.count("(") - line.count(")")
    return "\n".join(out) + "\n"


__all__ = ["Module", "SlotForm", "generate", "generate_module", "indented"]
