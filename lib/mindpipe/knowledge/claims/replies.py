"""What somebody says who answers what another has just said of him: `wasps, not bees`, `59!`."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.instants import later
from mindpipe.core.patterns import late
from mindpipe.knowledge.bearers import id_of
from mindpipe.knowledge.claims.attributes import REPLACED
from mindpipe.language.clause_reading import years_of
from mindpipe.language.guards import denies, is_ironic
from mindpipe.language.records import Meant, Statement
from mindpipe.language.topics import singular
from mindpipe.language.values import names_something
from mindpipe.memory.records import Item

REPLY_SECONDS = 43_200.0
"""Within which what somebody says may answer what was said of him."""
LATEST = 3
"""Of so many of the messages before it is looked what they say of who answers."""
_ANSWERED = (*REPLACED, "age")
_OWN_TOPIC = frozenset({"allergy", "medication", "owns", "pet", "housemate"})
_LEAD = r"\W*(?:(?:no|nope|nah|actually|sorry|ha|lol|um|well|oi|it['’]?s|i['’]?m)\b\W*)*"
_NOT_BUT = late(
    rf"(?i){_LEAD}(?P<new>[\w'’-]+(?: [\w'’-]+){{0,2}}?),? (?:and )?not "
    r"(?P<old>[\w'’-]+(?: [\w'’-]+)?)"
)
_YEARS = late(
    rf"(?i){_LEAD}(?P<years>\d{{1,3}}|[a-z]+(?:[ -][a-z]+)?)"
    r"(?=\W*$|[.!,]|\W+(?:thank|thanks|tho|though|actually|now|please|not|in fact)\b)"
)
_YES = late(
    r"(?i)\W*(?:yes|yep|correct|true|it['’]?s true|that['’]?s (?:right|true)|indeed|guilty|aye)"
    r"(?=\W*$|[.!,])(?!\W*(?:but|and|right|if|like|well|unless|only|sure)\b)"
)


class Told(NamedTuple):
    """An item, who says it, and what it states."""

    item: Item
    voice: str
    said: Sequence[Statement]


def replied(item: Item, voice: str, before: Sequence[Told]) -> Iterator[Statement]:
    """Yield what an item says of its speaker as an answer to what others have said of him.

    `before` are the items before it, the latest last. Only where they say one thing of him that
    fits is it known what the answer is of.
    """
    heard = [
        one
        for told in before[-LATEST:]
        if told.voice != voice and item.at <= later(told.item.at, seconds=REPLY_SECONDS)
        for one in told.said
        if one.unit is None and one.value and one.attribute in _ANSWERED and _is_of(one, voice)
    ]
    found = list(_answers(item.text, heard)) if heard and not is_ironic(item.text) else []
    if len(found) == 1:
        yield msgspec.structs.replace(
            found[0], speaker=voice, subject=voice, start=0, end=len(item.text)
        )


def _is_of(said: Statement, voice: str) -> bool:
    """Tell whether a statement is of somebody."""
    return "" != id_of(said.subject) == id_of(voice)


def _answers(text: str, heard: Sequence[Statement]) -> Iterator[Statement]:
    """Yield what an answer says, by what it may be of."""
    other, years, yes = _NOT_BUT.match(text), _YEARS.match(text), _YES.match(text)
    ages = [one for one in heard if one.attribute == "age"]
    if other is not None:
        for one in heard:
            if _is_same(one.value or "", other["old"]):
                yield from _otherwise(one, other["new"])
    elif years is not None and ages:
        if told := years_of(years["years"]):
            yield msgspec.structs.replace(ages[-1], value=told, meant=_meant(ages[-1]))
    elif yes is not None and not denies(text):
        values = {(one.attribute, one.value): one for one in heard if one.meant != "denied"}
        yield from (msgspec.structs.replace(one, meant=_meant(one)) for one in values.values())


def _meant(said: Statement) -> Meant:
    """Return how an answer is meant that is of what was said: what is to be still is."""
    return "planned" if said.meant == "planned" else "asserted"


def _is_same(value: str, said: str) -> bool:
    """Tell whether words begin with a value that was told: `bees but yes`."""
    first = value.partition(" (")[0].casefold()
    words = said.casefold()
    return f"{words} ".startswith(f"{first} ") or singular(words.split()[0]) == singular(first)


def _otherwise(said: Statement, new: str) -> Iterator[Statement]:
    """Yield a statement with the value that is right."""
    value = re.sub(r"(?i)^(?:the|a|an|in|at) ", "", new)
    if said.value and said.value[0].isupper() and not value[0].isupper():
        return
    if names_something(value, of=said.attribute):
        topic = value if said.attribute in _OWN_TOPIC else said.topic
        meant = _meant(said)
        yield msgspec.structs.replace(said, value=value, topic=topic, meant=meant, since="")
