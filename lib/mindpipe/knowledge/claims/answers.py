"""What an answer of few words says in the place that somebody was asked about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from mindpipe.core.instants import later
from mindpipe.core.patterns import late
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, REPLACED
from mindpipe.knowledge.claims.prose import stems
from mindpipe.knowledge.confidence import DAY_SECONDS
from mindpipe.language.forms import NAME, NO_NAME
from mindpipe.language.names import opens_with_courtesy
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.memory.records import Item

_ANSWER = late(
    r"(?P<lead>(?i:(?:oh|well|um|hm+|it['’]?s|it is|i['’]?m|i am|we['’]?re|that['’]?s|actually|now)"
    r"\b[,. ]*)*)(?P<place>(?i:in|at|for|with) )?"
    rf"{NO_NAME}(?!(?:Nowhere|Here|Home)\b)(?P<value>{NAME})"
    r"(?P<now>(?i:[,. ]*(?:now|actually|these days|nowadays|currently|again))*)[\s.,!…]*"
)
"""A name behind other words: of a word that begins a sentence its capital tells nothing."""
ASKED_DAYS = 2
"""So long after a denial who says where he is answers where he lives."""
_ASKS = {"residence": {"where", "live", "home"}, "hometown": {"where"}, "workplace": {"where"}}
"""Words of a question that ask after an attribute, besides those that tell it."""


class DeniedPlace(Protocol):
    """A slot of somebody in which a value was denied, and when."""

    @property
    def slot(self) -> str:
        """Return the slot."""
        ...

    @property
    def at(self) -> str:
        """Return the instant of the denial."""
        ...


def answer_in(item: Item, *, question: str, denied: Iterable[DeniedPlace]) -> Statement | None:
    """Return what a bare answer says of its speaker, or None where it says nothing for sure.

    A word that stands alone does not: `Hannover` is a place, `Homeless` and `Secret` are none.
    Of the places in which something was denied of him it must be the only one that the question
    asks after; of a home that was denied within days it is enough to say where one is now.
    """
    found = _ANSWER.fullmatch(item.text.strip())
    if found is None or not (found["lead"] or found["place"]):
        return None
    if opens_with_courtesy(found["value"]):
        return None
    here = found["place"] is not None and found["now"] != ""
    attributes = [
        name
        for one in denied
        for name in REPLACED
        if ATTRIBUTES[name].slot == one.slot and not ATTRIBUTES[name].many
        if _asks_after(question, name)
        or (
            here
            and name == "residence"
            and item.at <= later(one.at, seconds=ASKED_DAYS * DAY_SECONDS)
        )
    ]
    if len(attributes) != 1:
        return None
    speaker = item.speaker or ""
    return Statement(
        speaker=speaker,
        subject=speaker,
        attribute=attributes[0],
        value=found["value"].rstrip("."),
        start=0,
        end=len(item.text),
        reader="strict/answer",
    )


def _asks_after(question: str, attribute: str) -> bool:
    """Tell whether a text asks after an attribute."""
    asked = " ".join(re.findall(r"[^.!?\n]*\?", question)).lower()
    told = ATTRIBUTES[attribute].told.replace("{who}", "").replace("{value}", "")
    words = {attribute, *re.findall(r"\w{3,}", told)}
    own = stems(sorted(words | _ASKS.get(attribute, set())))
    return not own.isdisjoint(stems(re.findall(r"\w+", asked)))


class AnswersReader(NamedTuple):
    """A reader that knows besides what some utterances answer, by their words."""

    reader: StatementReader
    answers: Mapping[str, Statement]

    @property
    def name(self) -> str:
        """Return the name and version of the reader."""
        return self.reader.name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance, or what it answers."""
        return [
            (self.answers[one.text],) if one.text in self.answers else found
            for one, found in zip(said, self.reader.read(said), strict=True)
        ]
