"""How what the last thoughts named is named again: in short, or for a while not at all.

One who thinks on about a thing does not tell it anew each time. What happened is told in a clause
once in a few thoughts; in between it is a thing of it ("the harpsichord solo"), then its head
alone ("the solo"), and where that was just said a pronoun of the tables, which needs no slot.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

CLAUSE, PHRASE, HEAD, NAME, ASIDE, RESTS = 1, 1, 1, 3, 4, 12
"""For how many thoughts each rests: clauses of what happened, whole noun phrases, their heads,
names of people, what comes in beside what a thought is of, and what is always there: who one is,
and what one is after."""
CLAUSES = ("deed", "doing", "bit", "bit2", "asked", "asked_bare", "aim", "aiming")
QUOTED = ("saying",)
PHRASES = ("thing", "thing2", "sight", "affair", "scene", "favour", "remark")
ASIDES = ("m_", "w_", "s_")
"""The slots of what happened, by how it is told, and what they begin with where it comes in beside
what a thought is of: what comes back, what weighs, what happened since."""
OWN = (
    *("goal", "goal_doing", "goal_thing", "ahead", "keymem", "keytold", "value", "value_told"),
    *("memthing", "way_i_am", "way_i_bear"),
)
_NAMES = {"tie": NAME, "close": NAME, "kin": NAME, "company": HEAD}

Slots = Mapping[str, Sequence[str]]


def rested(slots: Slots, lately: Sequence[str], brief: Callable[[str], str]) -> Slots:
    """Return slots of which what was named too lately is left out, or shortened by `brief`.

    `lately` are the words of the last thoughts, newest first.
    """
    if not lately:
        return slots
    said = [words.casefold() for words in lately]
    found = dict(slots)
    groups: list[tuple[tuple[str, ...], int]] = [(CLAUSES, CLAUSE)]
    groups += [
        (tuple(lead + slot for slot in (*CLAUSES, *QUOTED, *PHRASES)), ASIDE) for lead in ASIDES
    ]
    told = any(is_named(value, said[:CLAUSE]) for slot in CLAUSES for value in slots.get(slot, ()))
    for names, span in groups:
        if any(is_named(value, said[:span]) for name in names for value in slots.get(name, ())):
            found |= {name: () for name in names if name in slots}
    for name in PHRASES:
        if name in slots:
            # After a clause that told it all a thing of it is no repetition.
            found[name] = slots[name] if told else _phrases(slots[name], said, brief)
    for name, span in (dict.fromkeys(OWN, RESTS) | _NAMES).items():
        if name in slots:
            found[name] = tuple(one for one in slots[name] if not is_named(one, said[:span]))
    heads = [brief(thing) for thing in slots.get("goal_thing", ())]
    if any(is_named(head, said[:RESTS]) for head in heads):
        found["goal_thing"] = ()
    return found


def is_named(words: str, said: Iterable[str]) -> bool:
    """Tell whether words stand in some texts in small letters."""
    return any(words.casefold() in text for text in said)


def _phrases(
    values: Iterable[str], said: Sequence[str], brief: Callable[[str], str]
) -> tuple[str, ...]:
    """Return noun phrases that may be said whole, else their heads."""
    whole = tuple(one for one in values if not is_named(one, said[:PHRASE]))
    if whole:
        return whole
    return tuple(dict.fromkeys(map(brief, values)))
