"""Decisions: `choose`, `may` and `must`, with every form of what an option chooses, and choices made in secret.

Each option has a word of its own, so no two read alike. Sets that are chosen from are small, so that a decision has
tens of options and not thousands. Options read nothing that is hidden from the player who decides, save the hand that
the player plays from.
"""

from __future__ import annotations

from attrs import evolve

from strategies import statements
from strategies.expressions import base, condition, member, number, things
from strategies.source import ATOM, BASE, block
from strategies.world import NUMBER, Domain, Local, Scope, World

__all__ = ["binder", "choose", "option", "secret_choice", "secret_hand", "showing"]

_SMALL = 6


def _domains(w: World) -> list[Domain]:
    """What is chosen from: not the pieces of a kind some of which lie where the player cannot look."""
    return [d for d in w.domains.values() if 1 < d.size <= _SMALL and (d.sort != "piece" or d.is_public)]


def choose(w: World, scope: Scope, where: statements.Where, form: str = "", must: bool = False) -> list[str]:
    """A decision, one that `must` be taken if so asked; `form` asks for a binder of that form in its first option."""
    s = w.source
    word = "must" if must else s.one(("choose", "may", "must"))
    by = ""
    if s.chance(20):
        found = member(w, scope, w.domains["Player"], 1)
        by = f" by {found.at(ATOM)}" if found is not None else ""
    inner = evolve(where, depth=where.depth - 1)
    number_ = s.number(1, 3)
    first = option(w, scope, inner, form)
    if number_ == 1 and not form and s.chance(50):
        lines = [f"{word}{by} {first[0]}", *first[1:]]
    else:
        options = [first] + [option(w, scope, inner) for _ in range(number_ - 1)]
        lines = [f"{word}{by}", *block([line for one in options for line in one])]
    if word == "choose" or s.chance(50):
        # what is left when the options run dry goes on, whatever they do
        quiet = evolve(inner, repeat=False, turn=False, round=False, phase=False, depth=0)
        otherwise = statements.body(w, scope, quiet, 0, 1)
        lines += (
            [f"otherwise: {otherwise[0]}"] if len(otherwise) == 1 and s.chance(50) else ["otherwise", *block(otherwise)]
        )
        if lines[-1].startswith(("otherwise: if ", "otherwise: repeat", "otherwise: for")):
            lines[-1:] = ["otherwise", *block(otherwise)]
    return lines


def option(w: World, scope: Scope, where: statements.Where, form: str = "") -> list[str]:
    """An option: its text, what it chooses, its condition, what it does."""
    s = w.source
    label = w.label()
    binders: list[str] = []
    known = scope
    count = 1 if form else s.one((1, 0, 1, 2))
    for at in range(count):
        made = binder(w, known, form if at == 0 else s.one(("one", "some")))
        if made is None:
            continue
        text, local, shown = made
        binders.append(text)
        known = known.plus(local) if local is not None else known
        label += f" {{{shown}}}" if shown else ""
    if not binders and s.chance(30):
        label += f" {{{number(w, scope, 1).text}}}"
    head = f'"{label}"' + (f": {', '.join(binders)}" if binders else "")
    if s.chance(30):
        head += f" when {condition(w, known, 2).text}"
    # what an option does may leave what it stands in only under a condition
    return [head, *block(statements.body(w, known, evolve(where, depth=max(where.depth, 0)), 0, 2))]


def binder(w: World, scope: Scope, form: str = "") -> tuple[str, Local | None, str] | None:
    """What an option chooses: its text, the local it makes, and what of it can be shown."""
    s = w.source
    name = w.name("local")
    form = form or s.one(("one", "one", "one", "some", "order", "assign"))
    small = _domains(w)
    if not small and form != "one":
        return None
    if form == "one":
        type = s.one([*[d.name for d in small], NUMBER])
        if type == NUMBER:
            low = s.number(0, 2)
            found = s.one((f"{low}..{s.number(low, low + 3)}", "{1, 2, 4}"))
            where = f" where {condition(w, scope.of(NUMBER), 1).text}" if s.chance(40) else ""
            return f"{name} from {found}{where}", Local(name, NUMBER), name
        base_, filter_ = things(w, scope, type, 2, name)
        texts = [f"{name}.{f.name}" for f in w.domains[type].features if f.type == "text"]
        shown = s.one((name, *texts))
        return f"{name} from {base_.at(BASE)}{' ' + filter_ if filter_ else ''}", Local(name, type), shown
    domain = s.one([d for d in small if d.size <= 4] or small)
    base_, filter_ = things(w, scope, domain.name, 1)
    found = f"{base_.at(BASE)}{' ' + filter_ if filter_ else ''}"
    if form == "assign":
        keys = [d for d in small if d.sort != "direction"]
        if not keys:
            return None
        other = s.one([d for d in keys if d.size <= 3] or keys)
        each = w.name("local")
        such = ""
        if s.chance(40) and other.members:
            such = f" such that {name}({other.members[0]}) is not {name}({other.members[-1]})"
        shown = f"{name}({other.members[0]})" if other.members else ""
        return (
            f"{name} for each {each} in {other.name} from {base(w, scope, domain.name, 0, False).at(BASE)}{such}",
            None,
            shown,
        )
    inside = scope.plus(Local(name, domain.name, is_set=True))
    such = ""
    if s.chance(40):
        such = f" such that {condition(w, inside, 2).text}"
    if form == "order":
        few = base(w, scope, domain.name, 0, False)
        return f"{name} from order of {few.at(BASE)}{such}", Local(name, domain.name, is_set=True), name
    low = s.number(0, 2)
    quantity = s.one(
        (
            "any of",
            "some of",
            "all of",
            f"up to {low + 1} of",
            f"exactly {low} of",
            f"at least {low} of",
            f"{low} to {low + 1} of",
        )
    )
    return f"{name} from {quantity} {found}{such}", Local(name, domain.name, is_set=True), name


# ------------------------------------------------------------------------------------------- in secret


def secret_choice(w: World) -> list[str] | None:
    """`each player secretly` sets a secret field, which is revealed."""
    s = w.source
    player = w.domains["Player"]
    fields = [f for f in player.features if f.secret and f.type in w.domains and w.domains[f.type].size <= _SMALL]
    fields = [f for f in fields if w.domains[f.type].sort != "piece"]
    if not fields:
        return None
    feature, name = s.one(fields), w.name("local")
    lines = ["each player secretly"]
    lines += block([f'choose "{w.label()} {{{name}}}": {name} from {feature.type}'])
    lines += block(block([f"set player.{feature.name} to {name}"]))
    match s.number(0, 2):
        case 0:
            lines.append(f"reveal {feature.name}")
        case 1:
            lines.append(f"reveal {w.players[0]}.{feature.name}")
        case _:
            pass
    return lines


def secret_hand(w: World) -> list[str] | None:
    """A piece is played from a hand that only its owner sees."""
    s = w.source
    zones = [zone for zone in w.zones if zone.secret == "owner" and zone.per_player]
    if not zones:
        return None
    zone, name = s.one(zones), w.name("local")
    places = ["box", *(z.name for z in w.zones if z.kind == zone.kind and not z.secret and not z.of and not z.most)]
    quantity = s.one(("", "", "up to 2 of "))
    lines = [f'choose "{w.label()} {{{name}}}": {name} from {quantity}player.{zone.name}']
    lines += block([f"move {name} to {s.one(places)}"])
    return [*lines, "otherwise: nothing"]


def showing(w: World) -> list[str] | None:
    """Pieces in a hidden zone are revealed, and somebody who knows them may tell so."""
    s = w.source
    zones = [zone for zone in w.zones if zone.secret in ("owner", "nobody") and zone.of in ("", "Player")]
    if not zones:
        return None
    zone, name = s.one(zones), w.name("local")
    place = f"player.{zone.name}" if zone.per_player else zone.name
    whom = s.one(("", "", " to player", " to next player of player", f" to {w.players[0]}", f" to {{{w.players[-1]}}}"))
    filter_ = s.one(("", "", f" where not known(it, {s.one(w.players)})"))
    lines: list[str] = []
    match s.number(0, 2):
        case 0:
            lines.append(f"reveal {place}{filter_}{whom}")
        case 1:
            lines += [f"let {name} = first of {place}", f"reveal {name}{whom}"]
            if not whom:
                lines.append(f'say "{w.label()} {{{name}}}"')
            elif whom == " to player":
                lines += [f'may "{w.label()} {{{name}}}"', *block(["nothing"])]
        case _:
            lines += [f"for each {name} in {place}{filter_}", *block([f"reveal {name}{whom}"])]
    local, source = w.name("local"), place.replace("player.", "(next player of player).")
    lines += [f'may "{w.label()} {{{local}}}": {local} from {source} where known(it, player)', *block(["nothing"])]
    return lines
