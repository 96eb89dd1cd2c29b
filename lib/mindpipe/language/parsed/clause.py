"""A clause of a parse, and what a rule finds in it."""

import re
from typing import NamedTuple

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.parsed.mentions import THIRD, Mentions
from mindpipe.language.parsed.modality import SPEAKER
from mindpipe.language.parsed.nouns import bare_name, text_of
from mindpipe.language.records import Meant

PAST = ("VBD", "VBN")
"""Tags of what is done."""
NARROWING = words.listed("after before at in on during with without until till except past from")


class ParsedClause(NamedTuple):
    """A predicate, its subject, what is mentioned around it, and when it was said."""

    verb: Token
    subject: Token | None
    mentions: Mentions
    at: str

    @property
    def speaker(self) -> str:
        """Return who speaks."""
        return self.mentions.speaker

    @property
    def is_of_person(self) -> bool:
        """Tell whether it is said of the speaker or of somebody with a name."""
        subject = self.subject
        return subject is not None and (
            subject.lower_ in SPEAKER | THIRD or subject.pos_ == "PROPN"
        )


class ClauseReading(NamedTuple):
    """What a rule finds in a clause.

    Without a `subject` it is said of the clause's own. `meant` says how it is meant where no guard
    says otherwise; one that is asserted holds though it is a plan. `negated` tells that the value
    has the negation of the clause in it, `instead_of` what it takes the place of. The value is ""
    where what has ended is not named, `instead_of` where something else is not. `ends_only` tells
    that it ends what is held, and says nothing else.
    """

    attribute: str
    value: str
    topic: str | None = None
    subject: str | None = None
    meant: Meant | None = None
    negated: bool = False
    instead_of: str | None = None
    ends_only: bool = False


def named(kind: str, name: str, whose: str) -> ClauseReading:
    """Return that somebody is called so, by what he is to whom."""
    name = re.sub(r"['’]s?$", "", bare_name(name))
    if kind in words.PETS:
        return ClauseReading("pet", f"{name} ({kind})", topic=name, subject=whose)
    if kind in words.PARTNERS:
        return ClauseReading("partner", name, subject=whose)
    topic = words.SAME_RELATIVE.get(kind, kind)
    return ClauseReading("relation", name, topic=topic, subject=whose)


def kinship(noun: Token) -> str:
    """Return what somebody is to somebody: a partner in business is no partner."""
    business = any(one.lower_ == "business" for one in noun.children)
    kind = noun.lemma_.lower()
    return f"business {kind}" if business else kind


def of_topic(attribute: str, noun: Token, *, meant: Meant | None = None) -> ClauseReading:
    """Return one of several values, which is its own topic."""
    value = text_of(noun)
    return ClauseReading(attribute, value, topic=value, meant=meant)


def is_narrowed(word: Token) -> bool:
    """Tell whether words behind a denial say when or where alone it holds: `not after four`."""
    return any(
        one.dep_ == "advcl" or (one.dep_ == "prep" and one.lower_ in NARROWING)
        for one in word.children
    )
