"""What later words end of what earlier ones name: `sold the Skoda` of `my car is a Skoda`.

Nothing need be believed of either. Read are only rows that have a rare word in common.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.knowledge.records import BeliefMark
from mindpipe.language.records import Statement, Utterance
from mindpipe.recall.query import WORD
from mindpipe.recall.signals import Candidate
from mindpipe.recall.words import folded

MOST_HOLDERS = 8
"""A word that more rows hold than these names no one thing."""
_SHORT = 120
_OVER = frozenset({"ended", "denied"})


def things_in(rows: Iterable[Candidate], *, beside: AbstractSet[str]) -> list[str]:
    """Return the words of short items by which a thing may be named, lower case, each once.

    Those of who speaks are none, nor are those `beside`.
    """
    words = (
        word
        for one in rows
        if _is_short(one)
        for word in (_words(one.text) - _words(one.speaker or "") - beside - FUNCTION_WORDS)
    )
    return list(dict.fromkeys(sorted(words)))


def endings(
    named: Sequence[Candidate], told: Collection[Candidate], *, things: AbstractSet[str]
) -> Iterator[BeliefMark]:
    """Yield which item of the same speaker ends what an earlier one names, by some things.

    Where a thing is told of anew after its end, it is not over.

    Args:
        named: items that name things, in any order.
        told: items that may end them.
        things: the words that name them, lower case.
    """
    over: dict[tuple[str | None, str], Candidate | None] = {}
    for one in sorted(filter(_is_short, told), key=lambda each: (each.at, each.number)):
        shared = _words(one.text) & things
        if any(old.at < one.at and _shares(old, one, shared) for old in named):
            for said in _read(one):
                for thing in shared & _words(said.value or ""):
                    over[one.speaker, thing] = one if _ends(said) else None
    marked = {
        (old.ref, new.ref): new
        for (_, thing), new in over.items()
        if new is not None
        for old in named
        if old.at < new.at and _shares(old, new, {thing})
    }
    for (old_ref, new_ref), new in marked.items():
        yield BeliefMark(relation="supersedes", old=old_ref, new=new_ref, at=new.at, by="ending")


def _ends(said: Statement) -> bool:
    """Tell whether it says that something is no more; who likes it no more has it still."""
    return said.meant in _OVER and said.attribute != "taste"


def _is_short(one: Candidate) -> bool:
    return one.source == "item" and len(one.text) <= _SHORT


def _shares(old: Candidate, new: Candidate, words: AbstractSet[str]) -> bool:
    """Tell whether two rows are of one speaker, and the older has one of some words."""
    return _is_short(old) and old.speaker == new.speaker and not words.isdisjoint(_words(old.text))


def _words(text: str) -> set[str]:
    return set(WORD.findall(folded(text)))


def _read(one: Candidate) -> tuple[Statement, ...]:
    """Return what a row states, by the reader that needs nothing."""
    # Few questions come so far, and it takes long to load.
    from mindpipe.language.strict import strict_reader

    (read,) = strict_reader().read([Utterance(one.text, one.speaker or "", one.at)])
    return read
