"""Small changes to a line, tried until one makes it readable.

A mistake is often a letter or a sign. Rather than guess from the token that does not fit, each small change that could
be meant is made and the line is read again; the first change with which the whole line reads is offered. The order goes
from the change that says most to the one that says least: a keyword with a slip in it, a missing sign, a clause that
needs brackets, a reserved word within a name, a wrong sign, a surplus word.

Invariant: a repair that is offered makes the line readable. Nothing is read but the one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen

from interpreter.diagnostics import nearest
from interpreter.source import SourceFile
from interpreter.syntax.automaton import Frame, TooDeep, accepts, advance, finish, shift
from interpreter.syntax.expected import found, line_context, quoted
from interpreter.syntax.grammar import grammar
from interpreter.syntax.keywords import phrases, reserved_words, words_of
from interpreter.syntax.tokens import NEWLINE, Token

__all__ = ["Effort", "Mistake", "Repair", "phrase_slip", "repair", "slip_at"]

_INSERTED = ("COLON", "COMMA", "RPAR", "RBRACE", "EQUAL", "TO", "FROM", "ON", "IN", "OF", "BY", "IS", "THEN", "GIVES")
"""What is tried where a sign or a word may be missing, the likeliest first."""
_REPLACED = ("COLON", "COMMA", "EQUAL", "__ANON_0", "RPAR", "TO", "FROM", "IN", "OF", "ON", "IS", "BY")
"""What is tried in the place of a wrong sign."""
_TIGHT = frozenset({"COLON", "COMMA", "RPAR", "RBRACE", "DOT", "__ANON_0"})
_TO_THE_END = frozenset({"WHERE", "EXCEPT", "WHILE", "SATISFIES"})
"""Clauses that run to the end of their line."""
_OPENS = frozenset({"IF", "SOME", "NO", "EVERY", "SLIDE", "RUN", "LINE", "ROUTE"})
"""Words that begin an expression that runs to the end of its line."""
_INFIX = frozenset({"OF", "ON", "PLUS", "MINUS", "STAR", "DIV", "MOD", "AND", "OR", "IS"})
"""Words and signs within expressions that stand in brackets in narrow places."""
_CONNECTIVES = frozenset(
    {"and", "at", "by", "else", "for", "from", "if", "in", "is", "no", "not", "of", "on", "or", "then", "to", "where"}
)
"""Reserved words that nobody means as a name."""
_MOST_TOKENS = 20_000
"""Most tokens read on trial for one mistake."""
_MOST_SLIPS = 3


@define
class Effort:
    """How much more may be tried in a file, so that one made of mistakes is read in bounded time."""

    tokens: int = 1_000_000
    """Tokens that may still be read on trial."""
    floor: int = 0
    """What must be left when the mistake at hand is done with."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing more may be tried for the mistake at hand."""
        return self.tokens <= self.floor


@frozen
class Mistake:
    """A line with a token that does not fit."""

    source: SourceFile
    """The file."""
    tokens: Sequence[Token]
    """The tokens of the line."""
    index: int
    """Which of them does not fit; their number if something is missing at the end."""
    stack: Frame
    """The state before that token."""
    before: Frame
    """The state before the line."""
    start: str
    """What is being read, one of the grammar's starts."""
    place: tuple[int, int]
    """The offsets where the line begins and ends."""
    has_block: bool = False
    """Whether a block stands below the line."""
    effort: Effort = field(factory=Effort)
    """What may still be tried, shared by the mistakes of a file."""

    @property
    def token(self) -> Token | None:
        """The token that does not fit, or None at the end of the line."""
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def reads(self, tokens: Sequence[Token]) -> bool:
        """Whether the line could be read if it had these tokens."""
        self.effort.tokens -= len(tokens)
        stack = self.before
        try:
            for token in tokens:
                after = advance(stack, token)
                if after is None:
                    return False
                stack = after
            if self.start != "start":
                return finish(stack, self.start) is not None
            if (ended := shift(stack, NEWLINE)) is None:
                return False
        except TooDeep:
            return False
        needs = set(grammar().rows[ended.state]) == {"_INDENT"}
        return needs if self.has_block and needs else not needs

    def fits_at(self, index: int) -> frozenset[str]:
        """The kinds that can stand at a token before the mistake."""
        self.effort.tokens -= index
        stack: Frame | None = self.before
        for token in self.tokens[:index]:
            assert stack is not None
            stack = advance(stack, token)
        assert stack is not None
        return accepts(stack)


@frozen
class Repair:
    """A change that makes a line readable, in words."""

    message: str
    """What is wrong."""
    start: int
    """Offset of the text to replace."""
    end: int
    """Offset after it; the start again to insert only."""
    text: str
    """The text to put there."""
    help: str | None = None
    """What to do."""
    blamed: tuple[int, int] | None = None
    """The offsets of what is blamed, where that is not the text to replace."""
    kind: str | None = None
    """The keyword that the line was meant to begin with, where that was the mistake."""
    title: str = ""
    """The change as an order, where the help does not say it."""


def repair(mistake: Mistake) -> Repair | None:
    """The first change that makes the line readable, unless finding it takes too long."""
    mistake.effort.floor = max(mistake.effort.tokens - _MOST_TOKENS, 0)
    for trials in (_slips, _missing, _bracketed, _reserved, _wrong, _surplus):
        for tokens, offered in trials(mistake):
            if mistake.effort.is_spent:
                return None
            if mistake.reads(tokens):
                return offered
    return None


_Trials = Iterator[tuple[Sequence[Token], Repair]]


def _kinds_of_words(fits: frozenset[str]) -> dict[str, str]:
    return {text: kind for kind in sorted(fits) for text in phrases().get(kind, ())}


def slip_at(token: Token, fits: frozenset[str], begins_line: bool) -> Repair | None:
    """The keyword that a name was meant to be, whether or not the line can be read with it."""
    words = _kinds_of_words(fits)
    meant = nearest(token.text, words) if token.kind == "NAME" else None
    if meant is None:
        return None
    wanted = line_context(fits) if begins_line else quoted(meant)
    return Repair(
        f"expected {wanted}, found {quoted(token.text)}",
        token.start,
        token.end,
        meant,
        f"did you mean `{meant}`?",
        kind=words[meant] if begins_line else None,
        title=f"write `{meant}`",
    )


def _slips(mistake: Mistake) -> _Trials:
    """A keyword with a slip in it: the token itself, or a word of the name before it."""
    tokens = mistake.tokens
    last = mistake.index if mistake.token is not None else mistake.index - 1
    first = mistake.index
    while first > 0 and tokens[first - 1].kind == "NAME":
        first -= 1
    if first == mistake.index and first > 0 and tokens[0].kind == "NAME":
        places = [last, 0]
    else:
        places = [*range(last, first - 1, -1), *([0] if first > 0 and tokens[0].kind == "NAME" else [])]
    for index in places:
        if mistake.effort.is_spent:
            return
        if not 0 <= index < len(tokens) or not tokens[index].text.isalpha():
            continue
        token = tokens[index]
        begins = index == 0 and mistake.start == "start"
        words = _kinds_of_words(mistake.fits_at(index))
        fits = frozenset(words.values())
        for _ in range(_MOST_SLIPS):
            offered = slip_at(token, fits, begins)
            if offered is None:
                break
            kind = words[offered.text]
            fits -= {kind}
            yield (
                [*tokens[:index], Token(kind, offered.text, token.start, token.end), *tokens[index + 1 :]],
                offered,
            )
        yield from _phrase_slips(mistake, index, words)


def phrase_slip(mistake: Mistake) -> Repair | None:
    """The pair of keywords that a line was meant to begin with, where the line can be read with it."""
    words = _kinds_of_words(accepts(mistake.before))
    for tokens, offered in _phrase_slips(mistake, 0, words):
        if mistake.reads(tokens):
            return offered
    return None


def _phrase_slips(mistake: Mistake, index: int, words: dict[str, str]) -> _Trials:
    """A pair of keywords with a slip in it."""
    tokens = mistake.tokens
    for count in (2, 3):
        end = index + count
        if end > len(tokens):
            return
        start, after = tokens[index].start, tokens[end - 1].end
        written = " ".join(mistake.source.text[start:after].split())
        pairs = {phrase for phrase in words if phrase.count(" ") + 1 == count}
        for _ in range(_MOST_SLIPS):
            phrase = nearest(" ".join(written.split()), pairs)
            if phrase is None:
                break
            pairs.remove(phrase)
            message = f"expected `{phrase}`, found {quoted(written)}"
            help = f"did you mean `{phrase}`?"
            yield (
                [*tokens[:index], Token(words[phrase], phrase, start, after), *tokens[end:]],
                Repair(message, start, after, phrase, help, title=f"write `{phrase}`"),
            )


def _reserved(mistake: Mistake) -> _Trials:
    """A reserved word within a name."""
    tokens = list(mistake.tokens)
    word = mistake.token
    if word is None or word.text not in reserved_words() or word.text in _CONNECTIVES:
        return
    index = mistake.index
    first = index
    while first > 0 and tokens[first - 1].kind == "NAME":
        first -= 1
    changed = [*tokens[:index], Token("NAME", word.text, word.start, word.end), *tokens[index + 1 :]]
    last = index
    while last + 1 < len(changed) and changed[last + 1].kind == "NAME":
        last += 1
    run = changed[first : last + 1]
    joined = "_".join(token.text for token in run) if len(run) > 1 else f"the_{word.text}"
    help = f"write `{joined}`, with an underscore, to use it in a name"
    message = f"`{word.text}` is a reserved word"
    blamed = (word.start, word.end)
    yield changed, Repair(message, run[0].start, run[-1].end, joined, help, blamed, title=f"write `{joined}`")


def _missing(mistake: Mistake) -> _Trials:
    """A sign or word that is missing before the token, or between the words of the name before it."""
    tokens = mistake.tokens
    first = mistake.index
    while first > 1 and tokens[first - 1].kind == "NAME" and tokens[first - 2].kind == "NAME":
        first -= 1
    for index in range(mistake.index, max(first, 1) - 1, -1):
        if mistake.effort.is_spent:
            return
        fits = mistake.fits_at(index)
        before = tokens[index - 1]
        after = tokens[index] if index < len(tokens) else None
        for kind in _INSERTED:
            if kind not in fits:
                continue
            text = words_of(kind)[0]
            sign = Token(kind, text, before.end, before.end)
            written = text if kind in _TIGHT else f" {text}"
            blamed = (after.start, after.end) if after is not None else (before.end, before.end)
            yield (
                [*tokens[:index], sign, *tokens[index:]],
                Repair(
                    f"expected `{text}` after {quoted(before.text)}, found {found(after)}",
                    before.end,
                    before.end,
                    written,
                    None,
                    blamed,
                    title=f"insert `{text}`",
                ),
            )


def _bracketed(mistake: Mistake) -> _Trials:
    """A clause that runs to the end of its line, in the middle of one."""
    tokens = mistake.tokens
    opening, closing = (Token(kind, text, 0, 0) for kind, text in (("LPAR", "("), ("RPAR", ")")))
    clauses = [at for at in range(min(mistake.index, len(tokens))) if tokens[at].kind in _TO_THE_END | _OPENS]
    if mistake.token is not None and mistake.token.kind in _TO_THE_END | _OPENS | _INFIX:
        clauses.append(mistake.index)
    for clause in reversed(clauses):
        word = tokens[clause]
        starts: Iterable[int] = [clause] if word.kind in _OPENS else range(clause - 1, -1, -1)
        ends: Iterable[int] = [mistake.index]
        if clause == mistake.index:
            ends = range(len(tokens), clause + 1, -1)
        for start in starts:
            if tokens[start].kind not in ("NAME", "LPAR", "INT") and start != clause:
                continue
            if start > 0 and tokens[start].kind == "NAME" and tokens[start - 1].kind == "NAME":
                continue
            for end in ends:
                if end <= clause:
                    continue
                piece = " ".join(mistake.source.text[tokens[start].start : tokens[end - 1].end].split())
                yield (
                    [*tokens[:start], opening, *tokens[start:end], closing, *tokens[end:]],
                    Repair(
                        f"an expression with `{word.text}` stands in brackets here",
                        tokens[start].start,
                        tokens[end - 1].end,
                        f"({piece})",
                        f"write `({piece})`",
                        (word.start, word.end),
                    ),
                )


def _wrong(mistake: Mistake) -> _Trials:
    """A wrong sign or keyword."""
    token = mistake.token
    if token is None or token.kind in ("NAME", "INT", "STRING", "ROW"):
        return
    fits = accepts(mistake.stack)
    for kind in _REPLACED:
        if kind not in fits:
            continue
        text = words_of(kind)[0]
        changed = Token(kind, text, token.start, token.end)
        message = f"expected `{text}`, found {found(token)}"
        yield (
            [*mistake.tokens[: mistake.index], changed, *mistake.tokens[mistake.index + 1 :]],
            Repair(message, token.start, token.end, text, title=f"write `{text}`"),
        )


def _surplus(mistake: Mistake) -> _Trials:
    """A word or sign too many."""
    token = mistake.token
    if token is None or token.kind == "ROW" or len(mistake.tokens) == 1:
        return
    message = f"unexpected {found(token)}"
    offered = Repair(message, token.start, token.end, "", title=f"remove {found(token)}")
    yield [*mistake.tokens[: mistake.index], *mistake.tokens[mistake.index + 1 :]], offered
