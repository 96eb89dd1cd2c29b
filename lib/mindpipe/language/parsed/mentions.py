"""Of whom and of what an utterance tells: names, owners, and what its pronouns mean."""

from spacy.tokens import Doc, Token

from mindpipe.language import words
from mindpipe.language.parsed.modality import (
    SPEAKER,
    is_elided,
    subject_of,
    way_of_clause,
)
from mindpipe.language.parsed.nouns import TOO_WIDE, bare_name, text_of

MINE = frozenset({"my", "our"})
THIRD = frozenset({"he", "she", "him", "her", "his"})
IT = frozenset({"it", "them", "they"})

_PLURAL = frozenset({"NNS", "NNPS"})
_WHILE = words.listed("since after before during in on at by until from for")
_KEEP = words.listed("have get adopt rescue buy own keep take foster")
_NAMING = words.listed("nsubj attr dobj appos poss oprd ROOT conj")


class Mentions:
    """What an utterance mentions; whoever speaks is `speaker`."""

    def __init__(self, parse: Doc, speaker: str) -> None:
        self.parse = parse
        self.speaker = speaker

    def person(self, token: Token) -> str | None:
        """Return of whom a subject or owner tells, or None where that is not certain."""
        word = token.lower_
        if word in SPEAKER or word in MINE:
            return self.speaker
        if word in THIRD:
            return self._named_before(token)
        named = (one for one in token.rights if one.dep_ == "appos" and one.pos_ == "PROPN")
        if token.lemma_.lower() in words.RELATIVES and (name := next(named, None)) is not None:
            return text_of(name)  # "my sister Lisa works there"
        if token.pos_ == "PROPN":
            if not SPEAKER.isdisjoint(text_of(token).lower().split()):
                return self.speaker  # "me n lani", which the pipeline takes for one name
            return bare_name(text_of(token))
        return None

    def owner(self, noun: Token, kind: Token) -> str | None:
        """Return whose somebody is, or None where it is not said."""
        for one in (noun, kind):
            for child in one.children:
                if child.dep_ == "poss":
                    return self.person(child)
        articles = {
            child.lower_ for one in (noun, kind) for child in one.children if child.dep_ == "det"
        }
        only = kind.lemma_ in ("boss", "manager", "landlord", "landlady")
        for one in (noun, kind):  # "I have a brother called Tom"
            if one.dep_ == "dobj" and one.head.lemma_ in ("have", "get"):
                who = subject_of(one.head)
                plain = way_of_clause(one.head) == (None, False)
                return None if who is None or not plain else self.person(who)
        own = ("the" in articles and only) or (
            "a" in articles and kind.lemma_ in words.PETS and _is_kept(kind)
        )
        return self.speaker if own else None

    def animal_before(self, token: Token) -> Token | None:
        """Return the last animal that was mentioned before."""
        before = reversed(self.parse[: token.i])
        return next((one for one in before if one.lemma_.lower() in words.PETS), None)

    def thing_before(self, token: Token) -> Token | None:
        """Return what `it` means: of the nearest sentence the subject, then the object."""
        several = token.lower_ in ("them", "they")
        own = [one for one in token.sent if one.i < token.i]
        earlier = [list(one) for one in self.parse.sents if one.end <= token.sent.start]
        for tokens in (own, *reversed(earlier)):
            for roles in (("nsubj",), ("dobj", "attr"), ("pobj",)):
                for one in reversed(tokens):
                    noun = one.dep_ in roles and one.pos_ in ("NOUN", "PROPN")
                    if noun and (one.tag_ in _PLURAL or not several) and _is_topic(one):
                        return one
        return None

    def _named_before(self, token: Token) -> str | None:
        """Return the last name before a pronoun that stands where persons do."""
        before = reversed(self.parse[: token.i])
        names = (one for one in before if one.pos_ == "PROPN" and one.dep_ in _NAMING)
        found = next(names, None)
        return None if found is None else bare_name(text_of(found))


def _is_kept(animal: Token) -> bool:
    """Tell whether an animal is at home with the speaker; others are met, seen, or to be."""
    verb = next((one for one in animal.ancestors if one.pos_ in ("VERB", "AUX")), None)
    if verb is None:
        return True
    who = subject_of(verb)
    own = who.lower_ in SPEAKER if who is not None else is_elided(verb)
    return verb.lemma_ in _KEEP and own and way_of_clause(verb) == (None, False)


def _is_topic(token: Token) -> bool:
    """Tell whether a later pronoun may mean a noun: it does not say when or where."""
    if token.lemma_.lower() in TOO_WIDE:
        return False
    return token.dep_ != "pobj" or (
        token.head.lower_ not in _WHILE and token.head.head.pos_ == "VERB"
    )
