"""A grammar with conditions: symbols that stand for fragments, which hold slots and more symbols.

A table of fragments is a list of choices, each with `say`, and perhaps `when`, `weight` and `kept`,
which is how many of its fragments are one person's. `when`
are tags that must all be there (`low|tense` is either, `-night` must not be there); `say` has one
fragment on a line. `{name}` in a fragment is a slot, which the moment fills, or another table. An
underscore alone says nothing, at the end of a line it is a blank. A line may begin with conditions
of its own in brackets (`[-grave] I smile`). A fragment of which a slot is empty is not said. The
more a choice asks for, the likelier it is taken.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

DEEPEST = 6
"""How many tables may stand within each other."""
MOST_TRIED = 40
"""How many fragments are tried until one is found of which every slot is known."""
PER_TAG = 2.0
"""How much likelier a fragment is for each tag that its choice asks for."""
SPOKEN_SHARE, SMALL, TAGGED = 0.3, 2, 2
"""The part of the fragments of a choice that one person says, and how many it says at least.
Of what only some say in any case, as those of one trade, more is kept."""
_EVERYWHERE = ("known", "company", "placed", "athome", "atwork", "planned", "aiming")
ANYBODY = frozenset((*_EVERYWHERE, "morning", "afternoon", "evening", "night"))
"""What holds of anybody at times: phrases that ask for no more than that are common, too."""
ONCE = frozenset(("tie",))
"""Slots of which a thought names each value once: nobody is at two places of a dream."""
RANKED = frozenset(("saying", "thing", "thing2", "affair", "scene", "remark", "m_thing", "w_thing"))
"""Slots whose values stand in the order of their worth: the first are named more often."""
_KEYS = {"when", "weight", "say", "kept"}
_SLOT = re.compile(r"\{(\w+)\}")
_CONDITION = re.compile(r"\[([^\]]*)\]\s*(.*)")


class Condition(NamedTuple):
    """What must hold in a moment: one of each of `needs`, and none of `bans`."""

    needs: tuple[frozenset[str], ...]
    bans: frozenset[str]

    def holds(self, tags: frozenset[str]) -> bool:
        """Tell whether this holds in a moment."""
        return self.bans.isdisjoint(tags) and all(not need.isdisjoint(tags) for need in self.needs)

    def is_common(self) -> bool:
        """Tell whether this holds of anybody at times."""
        return all(need <= ANYBODY for need in self.needs)


class Fragment(NamedTuple):
    """A piece of a sentence, its parts (words and names of slots in turn), and where it fits."""

    text: str
    parts: tuple[str, ...]
    mark: int
    when: Condition | None

    def fits(self, tags: frozenset[str]) -> bool:
        """Tell whether this may be said in a moment."""
        return self.when is None or self.when.holds(tags)


class Choice(NamedTuple):
    """Fragments that may be said where a condition holds."""

    weight: float
    when: Condition
    fragments: tuple[Fragment, ...]
    kept: int


class Speaker(NamedTuple):
    """One who speaks at a moment: what holds, what fills the slots, and the next draw.

    `idiolect` tells which part of the common words are its own, None where all of them are said.
    `used` are the values that this thought named, with the slot that named each. Who
    `must_name` what the thought is of fills one of these slots, if there are any.
    `register` is the idiolect of who speaks, also where it borrows the words of others.
    """

    tags: frozenset[str]
    slots: Mapping[str, Sequence[str]]
    draw: Callable[[], float]
    idiolect: int | None
    used: dict[str, str]
    must_name: frozenset[str] = frozenset()
    register: int | None = None


Grammar = dict[str, tuple[Choice, ...]]


def grammar_of(table: Mapping[str, object]) -> Grammar:
    """Return the symbols of a table.

    Raises:
        ValueError: a choice has another shape.
    """
    made: Grammar = {}
    for name, rows in table.items():
        if not isinstance(rows, list):
            raise ValueError(f"{name}: expected a list of choices")
        made[name] = tuple(_choice(name, row) for row in rows)
    return made


def _choice(name: str, row: object) -> Choice:
    """Return one choice."""
    if not isinstance(row, dict) or not row.keys() <= _KEYS or "say" not in row:
        raise ValueError(f"{name}: expected when and say")
    when = condition_of(str(row.get("when", "")))
    said = tuple(_fragment(line) for line in map(str.strip, str(row["say"]).splitlines()) if line)
    weight = float(row.get("weight", 1)) * (1.0 + PER_TAG * len(when.needs))
    return Choice(weight, when, said, int(row.get("kept", 0)))


def condition_of(words: str) -> Condition:
    """Return the condition that tags tell."""
    tags = words.split()
    return Condition(
        tuple(frozenset(tag.split("|")) for tag in tags if not tag.startswith("-")),
        frozenset(tag[1:] for tag in tags if tag.startswith("-")),
    )


def _fragment(line: str) -> Fragment:
    """Return a piece of a sentence with its slots and its own condition found."""
    led = _CONDITION.fullmatch(line)
    when, line = (condition_of(led[1]), led[2]) if led else (None, line)
    text = "" if line == "_" else re.sub(r"_$", " ", line)
    return Fragment(text, tuple(_SLOT.split(text)), zlib.crc32(text.encode()), when)


def expanded(grammar: Grammar, symbol: str, speaker: Speaker, *, depth: int = 0) -> str | None:
    """Return words for a symbol or a slot, None where nothing may be said for it."""
    if symbol in speaker.slots:
        return _filled(symbol, speaker)
    if depth > DEEPEST:
        return None
    named = dict(speaker.used)
    for fragment in _drawn(grammar.get(symbol, ()), speaker):
        words = _said(grammar, fragment, speaker, depth)
        if words is not None:
            return words
        # What a fragment named that cannot be said was not named.
        speaker.used.clear()
        speaker.used.update(named)
    return None


def _said(grammar: Grammar, fragment: Fragment, speaker: Speaker, depth: int) -> str | None:
    """Return a fragment with its slots filled, None where one is empty."""
    words = fragment.parts[0]
    for at in range(1, len(fragment.parts), 2):
        found = expanded(grammar, fragment.parts[at], speaker, depth=depth + 1)
        if found is None:
            return None
        words += found + fragment.parts[at + 1]
    return words


def _drawn(choices: Sequence[Choice], speaker: Speaker) -> Iterator[Fragment]:
    """Yield fragments that may be said, in the order in which they are drawn, a few at most."""
    found: list[tuple[float, Fragment]] = []
    for choice in choices:
        if choice.when.holds(speaker.tags):
            # Of a choice that says how many are kept, these are the same whatever fits.
            all_ = choice.fragments
            known = _own(choice, all_, speaker.idiolect) if choice.kept else all_
            fitting = [one for one in known if one.fits(speaker.tags)]
            own = fitting if choice.kept else _own(choice, fitting, speaker.idiolect)
            found += [(choice.weight, one) for one in own]
    tries = MOST_TRIED
    while found and tries:
        tries -= 1
        left = speaker.draw() * sum(weight for weight, _ in found)
        at = 0
        while at < len(found) - 1 and left >= found[at][0]:
            left -= found[at][0]
            at += 1
        yield found.pop(at)[1]


def _own(choice: Choice, fragments: Sequence[Fragment], idiolect: int | None) -> Sequence[Fragment]:
    """Return which fragments of a choice this person says: always the same part of them."""
    if idiolect is None:
        return fragments
    least = SMALL if choice.when.is_common() else TAGGED
    kept = choice.kept or max(least, round(len(fragments) * SPOKEN_SHARE))
    if len(fragments) <= kept:
        return fragments
    return sorted(fragments, key=lambda one: mixed(one.mark, idiolect))[:kept]


def mixed(mark: int, idiolect: int) -> int:
    """Return a number that is as good as drawn for a fragment and a person."""
    mixed = (mark * 0x9E37_79B1 ^ idiolect * 0x85EB_CA6B) & 0xFFFF_FFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B_3C6D & 0xFFFF_FFFF
    return mixed ^ mixed >> 13


def _filled(slot: str, speaker: Speaker) -> str | None:
    """Return a value of a slot of which nothing was named in this thought.

    Where there is none, it is one that the same slot named; what another named is not named again.
    """
    values, used = speaker.slots[slot], speaker.used
    open_ = [one for one in values if not any(one in named or named in one for named in used)]
    if slot not in ONCE:
        open_ = open_ or [one for one in values if used.get(one) == slot]
    if not open_:
        return None
    draw = speaker.draw()
    value = open_[int((draw * draw if slot in RANKED else draw) * len(open_))]
    used.setdefault(value, slot)
    return value


def slots_in(grammar: Grammar) -> frozenset[str]:
    """Return the names in braces that are no tables: those that a moment must know to fill."""
    named = {
        part
        for choices in grammar.values()
        for choice in choices
        for fragment in choice.fragments
        for part in fragment.parts[1::2]
    }
    return frozenset(named - grammar.keys())


def plans(grammar: Grammar, symbol: str, speaker: Speaker) -> Iterator[tuple[str, ...]]:
    """Yield lists of symbols, one for each sentence, in the order in which they are drawn."""
    for fragment in _drawn(grammar.get(symbol, ()), speaker):
        yield tuple(fragment.text.split())
