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
_SAME_KIND = words.listed(
    "twin baby kid foster life civil domestic loving caring charming step half"
)
"""What stands before a relative and makes no other kind of him."""
_OF_FIRMS = words.listed("senior junior silent equal managing founding sleeping commercial legal")
_JOINTLY = words.listed("in at on for")
"""How it goes on in what alone somebody is a partner: `in crime`, `at the firm`."""
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
            subject.lower_ in SPEAKER | THIRD
            or subject.pos_ == "PROPN"
            or self.mentions.person(subject) is not None
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
    if kind == "ex":
        return ClauseReading("partner", name, subject=whose, meant="ended", ends_only=True)
    if kind in words.PETS:
        return ClauseReading("pet", f"{name} ({kind})", topic=name, subject=whose)
    if kind in words.PARTNERS:
        return ClauseReading("partner", name, subject=whose)
    topic = words.SAME_RELATIVE.get(kind, kind)
    return ClauseReading("relation", name, topic=topic, subject=whose)


def kinship(noun: Token) -> str:
    """Return what somebody is to somebody, with the noun that makes another kind of it.

    A dance partner is no partner, a soul sister no sister, and a bank manager no boss.
    """
    kind = noun.lemma_.lower()
    if kind not in words.RELATIVES:
        return kind
    for one in noun.lefts:
        of_noun = one.dep_ == "compound" and one.pos_ != "PROPN"
        doing = one.dep_ == "amod" and (one.tag_ == "VBG" or one.lower_ in _OF_FIRMS)
        if (of_noun or doing) and one.lower_ not in _SAME_KIND and one.i + 1 == noun.i:
            return f"{one.lower_} {kind}"
    where = (one for one in noun.rights if one.dep_ == "prep" and one.lower_ in _JOINTLY)
    if kind in words.PARTNERS and (joint := next(where, None)) is not None:
        return f"{kind} {noun.doc[joint.i : joint.right_edge.i + 1].text}"
    return kind


def is_partner(noun: Token) -> bool:
    """Tell whether a noun means whom somebody lives or is together with."""
    return kinship(noun) in words.PARTNERS


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
