"""Messages for what cannot be read.

The frequent mistakes are recognised by example, each by a rule of its own; then small repairs are tried (`repair`); and
only what is left gets "expected this, found that". The rules are asked in order, and the first that knows the mistake
speaks.

Invariant: one call reports one diagnostic, and its words are those of the reader, never of the grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from attrs import frozen

from interpreter.diagnostics import Applicability, Diagnostics, Edit, Fix, Span
from interpreter.source import SourceFile
from interpreter.syntax.automaton import MAX_DEPTH, accepts
from interpreter.syntax.expected import found, line_context, quoted, what_fits
from interpreter.syntax.keywords import reserved_words
from interpreter.syntax.repair import Effort, Mistake, Repair, phrase_slip, repair, slip_at
from interpreter.syntax.tokens import HUGE, MOST_DIGITS, NAMES, UNKNOWN, UNTERMINATED, Token

__all__ = ["Effort", "Mistake", "fault_in", "report", "report_no_block", "report_surplus", "report_too_deep"]

_FAULTS = frozenset({UNKNOWN, UNTERMINATED, HUGE})
_DIE = re.compile(r"d\d+")
_SIGNS = {
    "&": "write `and`",
    "~": "write `not`",
    "!": "write `not`, or `!=` for a comparison",
    "[": "write `(`",
    "]": "write `)`",
    ";": "give each statement a line of its own",
    "/": "write `div` to divide, and `#` to begin a comment",
    "%": "write `mod`",
    "÷": "write `div`",
    "×": "write `*`",
    "·": "write `*`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "−": "write `-`",
    "–": "write `-`, or `..` for a range",
    "—": "write `-`",
    "…": "write `..`",
    "∧": "write `and`",
    "∨": "write `or`",
    "¬": "write `not`",
    "∈": "write `in`",
    "'": 'a text stands between double quotes: `"`',
    "’": 'a text stands between double quotes: `"`',
    "‘": 'a text stands between double quotes: `"`',
    "“": 'a text stands between straight double quotes: `"`',
    "”": 'a text stands between straight double quotes: `"`',
    "„": 'a text stands between straight double quotes: `"`',
    "«": 'a text stands between straight double quotes: `"`',
    "»": 'a text stands between straight double quotes: `"`',
    "`": 'a text stands between double quotes: `"`',
    "_": "a name has at least one letter",
    "\\": "a statement ends with its line; `\\|` is a bar within a cell of a table",
}
"""What is meant by characters that begin no token."""
_OTHER_LANGUAGES = {
    "elif": "else if",
    "elsif": "else if",
    "elseif": "else if",
    "def": "effect` or `value",
    "func": "effect` or `value",
    "function": "effect` or `value",
    "proc": "effect",
    "procedure": "effect",
    "var": "let",
    "const": "option",
    "foreach": "for each",
    "forall": "every",
    "loop": "repeat",
    "until": "repeat until",
    "while": "repeat until",
    "print": "say",
    "log": "say",
    "import": "include",
    "class": "kind",
    "piece": "kind",
    "card": "kind",
    "deck": "zone",
    "switch": "table",
    "case": "table",
    "break": "leave",
    "pass": "nothing",
    "exit": "leave",
    "shuffled": "shuffle",
    "begin": "setup",
    "main": "play",
    "assert": "expect",
    "when": "if",
    "pick": "choose",
    "select": "choose",
    "optional": "may",
    "forced": "must",
    "goto": "step",
}
"""Words that other languages, and people, begin a line with."""
_CHANGED = {
    "SETUP": "write `instead of setup`",
    "PLAY": "write `instead of play`",
    "OPTION": "write `preset`, and a value for the option",
    "EACH": "declare a field more; what things have is never taken away",
    "TEST": "a test says by `options` with what it is played",
    "VARIANT": "change what the variant changes",
    "SCENARIO": "change what the scenario changes",
    "GAME": "a variant changes no title",
    "INCLUDE": "include the file in the game, and replace what it declares",
}
"""How to change what cannot be replaced."""
_DECLARATIONS = frozenset(
    {
        "LANGUAGE",
        "GAME",
        "INCLUDE",
        "OPTION",
        "ENUM",
        "SHAPES",
        "KIND",
        "STATE",
        "BOARD",
        "ZONE",
        "TRACK",
        "TABLE",
        "VALUE",
    }
    | {"RELATION", "EFFECT", "PHASE", "SETUP", "PLAY", "VARIANT", "SCENARIO", "TEST", "ROSTER"}
)
_STARTS_A_STATEMENT = frozenset(
    {
        "LET",
        "SET",
        "MOVE",
        "PLACE",
        "ROLL",
        "SHUFFLE",
        "LEAVE",
        "END",
        "DRAW",
        "SAY",
        "REVEAL",
        "NOTHING",
        "IF",
        "UNLESS",
    }
    | {"REPEAT", "FOR", "_EACH_PLAYER", "TURNS", "ROUND", "STEP", "CHOOSE", "NAME"}
)


@frozen
class _Finding:
    """What is said about a mistake."""

    message: str
    place: tuple[int, int]
    code: str = "D110"
    label: str = ""
    help: str | None = None
    change: Repair | None = None
    kind: str | None = None


def fault_in(tokens: Sequence[Token]) -> int | None:
    """The first token that is none, or None."""
    return next((index for index, token in enumerate(tokens) if token.kind in _FAULTS), None)


def report(mistake: Mistake, sink: Diagnostics) -> str:
    """Reports a line that cannot be read; gives the kind of the word it begins with, or was meant to begin with."""
    made: _Finding | None = None
    for rule in _RULES:
        made = rule(mistake)
        if made is not None:
            break
    assert made is not None, "the last rule knows every mistake"
    source = mistake.source
    fixes: list[Fix] = []
    change = made.change
    if change is not None:
        title = change.title or change.help or f"write `{change.text}`"
        edit = Edit(source.span(change.start, change.end), change.text)
        fixes.append(Fix(title, (edit,), Applicability.MAYBE))
    sink.error(made.code, made.message, source.span(*made.place), made.label, help=made.help, fixes=fixes)
    return made.kind or (mistake.tokens[0].kind if mistake.tokens else "")


def report_too_deep(source: SourceFile, token: Token, sink: Diagnostics) -> None:
    """Reports an expression with too many parts in each other."""
    span = source.span(token.start, token.end)
    sink.error("D113", f"nested too deep: expected at most {MAX_DEPTH} parts in each other", span)


def report_comma(source: SourceFile, comma: Token, below: Token | None, sink: Diagnostics) -> None:
    """Reports a comma at the end of a heading that is complete; `below` begins the next line where that is at fault."""
    span = source.span(comma.start, comma.end)
    edit = Fix("remove the comma", (Edit(span, ""),), Applicability.MAYBE)
    label = "" if below is None else f"the line goes on below, where {found(below)} cannot follow"
    sink.error("D110", "unexpected `,` at the end of the line", span, label, help="remove the `,`", fixes=[edit])


def report_no_block(source: SourceFile, tokens: Sequence[Token], sink: Diagnostics) -> None:
    """Reports a line that opens a block where none follows."""
    first = _first_words(source, tokens)
    span = source.span(tokens[0].start, tokens[-1].end)
    sink.error("D111", f"expected an indented block below {quoted(first)}", span, help="indent what belongs to it")


def report_surplus(
    source: SourceFile, tokens: Sequence[Token], first: Token, fits: frozenset[str], sink: Diagnostics
) -> str | None:
    """Reports a block that nothing opens.

    Gives the kind of the keyword that the line above was meant to begin with, where it has a slip in it.
    """
    slip = slip_at(tokens[0], fits, True)
    if slip is not None:
        fix = Fix(slip.title, (Edit(source.span(slip.start, slip.end), slip.text),), Applicability.MAYBE)
        sink.error("D110", slip.message, source.span(slip.start, slip.end), help=slip.help, fixes=[fix])
        return slip.kind
    span: Span = source.span(first.start, first.end)
    label = "nothing above opens this block"
    if any(token.kind == "COLON" for token in tokens) and tokens[0].kind in _STARTS_A_STATEMENT | {"ELSE", "OTHERWISE"}:
        label = "the line above has its statement behind the `:`"
    sink.error("D111", "unexpected indentation", span, label)
    return None


def _first_words(source: SourceFile, tokens: Sequence[Token]) -> str:
    """The words that say what a line is."""
    last = 1 if len(tokens) > 1 and tokens[1].kind in ("NAME", "STRING") and tokens[0].kind in _DECLARATIONS else 0
    return source.text[tokens[0].start : tokens[last].end]


# ---------------------------------------------------------------------------------------------- rules, in order


def _unreadable(mistake: Mistake) -> _Finding | None:
    """A character or text that is no token."""
    token = mistake.token
    if token is None or token.kind not in _FAULTS:
        return None
    place = (token.start, token.end)
    if token.kind == UNTERMINATED:
        return _Finding("this text has no closing quote", place, "D112", help='end it with `"` on the same line')
    if token.kind == HUGE:
        return _Finding(f"number too large: expected at most {MOST_DIGITS} digits", place)
    sign = token.text
    name = unicodedata.name(sign, "").lower()
    if not sign.isprintable() or unicodedata.category(sign) == "Zs":
        shown = f"U+{ord(sign):04X}" + (f" ({name})" if name else "")
        return _Finding(f"unknown character {shown}", place, help="remove it, or write a plain blank")
    return _Finding(f"unknown character `{sign}`", place, help=_SIGNS.get(sign))


def _not_drawn(mistake: Mistake) -> _Finding | None:
    """A word or sign in a drawing that can be no square of it."""
    token = mistake.token
    if token is None or "HERE" not in accepts(mistake.before):
        return None
    message = f"expected `x`, `.`, `@` or `X` in a drawing, found {found(token)}"
    return _Finding(message, (token.start, token.end))


def _doubled(mistake: Mistake) -> _Finding | None:
    """`==`, `=<`, `<>` and the like, which other languages have, and `||`."""
    token = mistake.token
    if token is None or mistake.index == 0:
        return None
    before = mistake.tokens[mistake.index - 1]
    pair = before.text + token.text
    meant = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "===": "=", "><": "!="}.get(pair)
    if meant is not None and before.end == token.start:
        change = Repair("", before.start, token.end, meant, title=f"write `{meant}`")
        place = (before.start, token.end)
        return _Finding(f"expected `{meant}`, found `{pair}`", place, help=f"write `{meant}`", change=change)
    if token.kind == "INT" and before.kind == "DOT":
        help = "there are no fractions; a range is written with two dots, as in `0..12`"
        return _Finding("expected `..`, found `.`", (before.start, before.end), help=help)
    if token.kind == "ROW" and token.text.startswith("||"):
        change = Repair("", token.start, token.start + 2, "or", title="write `or`")
        place = (token.start, token.start + 2)
        return _Finding("expected `or`, found `||`", place, help="write `or`", change=change)
    return None


def _dice(mistake: Mistake) -> _Finding | None:
    """Dice without `roll`, or with a blank within."""
    token = mistake.token
    if token is None:
        return None
    before = mistake.tokens[mistake.index - 1] if mistake.index > 0 else None
    after = mistake.tokens[mistake.index + 1] if mistake.index + 1 < len(mistake.tokens) else None
    if before is not None and before.kind == "ROLL" and token.kind == "INT" and after is not None:
        before, token = token, after
    if before is not None and before.kind == "INT" and token.kind == "NAME" and _DIE.fullmatch(token.text):
        dice = before.text + token.text
        change = Repair("", before.end, token.start, "", title="remove the blank")
        return _Finding(
            f"expected `{dice}`, found `{before.text} {token.text}`", (before.start, token.end), change=change
        )
    if token.kind != "DICE":
        return None
    change = Repair("", token.start, token.start, "roll ", title="insert `roll`")
    place = (token.start, token.end)
    return _Finding(
        f"dice without `roll`: {quoted(token.text)}", place, help=f"write `roll {token.text}`", change=change
    )


def _no_quotes(mistake: Mistake) -> _Finding | None:
    """Words where a text in quotes belongs."""
    token = mistake.token
    fits = accepts(mistake.stack)
    if token is None or "STRING" not in fits or not token.text[:1].isalpha() or mistake.index == 0:
        return None
    if fits - {"STRING", "_NL", "ALSO", "NEVER"}:
        return None
    words = mistake.source.text[token.start : mistake.tokens[-1].end]
    if '"' in words or "\n" in words:
        return None
    change = Repair("", token.start, mistake.place[1], f'"{words}"', title="put it in quotes")
    place = (token.start, mistake.tokens[-1].end)
    return _Finding(
        f"expected a text in quotes, found {quoted(token.text)}", place, help=f'write `"{words}"`', change=change
    )


def _continues_nothing(mistake: Mistake) -> _Finding | None:
    """`else` and `otherwise` that follow nothing."""
    token = mistake.token
    if token is None or mistake.index > 0 or token.kind not in ("ELSE", "OTHERWISE") or mistake.start != "start":
        return None
    opener = "`if`" if token.kind == "ELSE" else "`choose`, `may` or `must`"
    deep = f"it stands as deep as its {opener}"
    place = (token.start, token.end)
    if accepts(mistake.before) & {"STRING"} and not accepts(mistake.before) & {"NAME"}:
        return _Finding(f"`{token.text}` is indented too deep", place, "D111", help=deep)
    return _Finding(f"`{token.text}` without {opener} before it", place, help=deep)


def _assignment(mistake: Mistake) -> _Finding | None:
    """`x = 3` as a statement."""
    token = mistake.token
    if token is None or token.kind != "EQUAL" or "LET" not in accepts(mistake.before):
        return None
    target, value = mistake.tokens[: mistake.index], mistake.tokens[mistake.index + 1 :]
    if not target or not value:
        return None
    is_name_of_two = len(target) > 1 and target[0].kind == target[1].kind == "NAME"
    if is_name_of_two and slip_at(target[0], accepts(mistake.before), True) is not None:
        return None
    changed = [Token("SET", "set", 0, 0), *target, Token("TO", "to", 0, 0), *value]
    if not mistake.reads(changed):
        return None
    text = mistake.source.text
    shown = f"set {text[target[0].start : target[-1].end]} to {text[value[0].start : value[-1].end]}"
    change = Repair("", target[0].start, value[-1].end, shown, title="write it with `set`")
    return _Finding("`=` only compares", (token.start, token.end), help=f"write `{shown}`", change=change)


def _wrong_line(mistake: Mistake) -> _Finding | None:
    """A line that cannot begin as it does."""
    if mistake.index > 0 or not mistake.tokens or mistake.start != "start":
        return None
    token = mistake.tokens[0]
    fits = accepts(mistake.before)
    place = (token.start, token.end)
    slip = slip_at(token, fits, True)
    if slip is not None:
        return _Finding(slip.message, place, help=slip.help, change=slip, kind=slip.kind)
    phrase = phrase_slip(mistake)
    if phrase is not None:
        return _Finding(phrase.message, (phrase.start, phrase.end), help=phrase.help, change=phrase)
    wanted = line_context(fits)
    help = None
    if token.text in _OTHER_LANGUAGES:
        help = f"did you mean `{_OTHER_LANGUAGES[token.text]}`?"
    elif "TABLE" in fits and token.kind in _STARTS_A_STATEMENT:
        help = "statements stand in a block: in `setup`, `play`, a `phase` or an `effect`"
    elif "LET" in fits and token.kind in _DECLARATIONS:
        help = "declarations are not indented"
    return _Finding(f"expected {wanted}, found {found(token)}", place, help=help)


def _other_language(mistake: Mistake) -> _Finding | None:
    """A line that begins with a word of another language."""
    if not 0 < mistake.index <= 2 or mistake.tokens[0].kind != "NAME" or mistake.start != "start":
        return None
    first = mistake.tokens[0]
    meant = _OTHER_LANGUAGES.get(first.text)
    token = mistake.token
    if meant is None or (mistake.index == 1 and token is not None and token.kind == "EQUAL"):
        return None
    wanted = line_context(accepts(mistake.before))
    place = (first.start, first.end)
    return _Finding(f"expected {wanted}, found {quoted(first.text)}", place, help=f"did you mean `{meant}`?")


def _cannot_be_replaced(mistake: Mistake) -> _Finding | None:
    """`replace` before what is changed in another way."""
    token = mistake.token
    if token is None or mistake.index != 1 or mistake.tokens[0].kind != "REPLACE":
        return None
    help = _CHANGED.get(token.kind)
    if token.kind == "NAME" and not mistake.has_block:
        help = "say what it is before its name, as in `replace value pace = 3`"
    if help is None:
        return None
    message = f"expected `in` or a declaration that has a name, found {found(token)}"
    return _Finding(message, (token.start, token.end), help=help)


def _repaired(mistake: Mistake) -> _Finding | None:
    """A mistake that a small change puts right."""
    change = repair(mistake)
    if change is None:
        return None
    place = change.blamed or (change.start, change.end)
    return _Finding(change.message, place, help=change.help, change=change, kind=change.kind)


def _reserved_name(mistake: Mistake) -> _Finding | None:
    """A reserved word where nothing but a name can stand."""
    token = mistake.token
    fits = accepts(mistake.stack)
    if token is None or token.text not in reserved_words():
        return None
    before = mistake.tokens[mistake.index - 1] if mistake.index > 0 else None
    if before is not None and before.kind == "NAME" and "NAME" in fits and "PLUS" not in fits:
        joined = f"{before.text}_{token.text}"
        help = f"write `{joined}`, with an underscore, to use it in a name"
        return _Finding(f"`{token.text}` is a reserved word", (token.start, token.end), help=help)
    if not fits <= NAMES:
        return None
    help = f"write `the_{token.text}`, with an underscore, to use it in a name"
    return _Finding(f"expected a name, found the reserved word `{token.text}`", (token.start, token.end), help=help)


def _anything(mistake: Mistake) -> _Finding:
    """What fits, and what was found."""
    token = mistake.token
    place = (mistake.place[1], mistake.place[1]) if token is None else (token.start, token.end)
    wanted = what_fits(accepts(mistake.stack))
    if mistake.start != "start" and not mistake.tokens:
        return _Finding("expected an expression, found nothing", mistake.place)
    what = found(token) if token is not None or mistake.start == "start" else "the end of the expression"
    return _Finding(f"unexpected {what}" if wanted is None else f"expected {wanted}, found {what}", place)


_RULES = (
    _unreadable,
    _not_drawn,
    _doubled,
    _dice,
    _no_quotes,
    _continues_nothing,
    _wrong_line,
    _other_language,
    _assignment,
    _cannot_be_replaced,
    _repaired,
    _reserved_name,
    _anything,
)
