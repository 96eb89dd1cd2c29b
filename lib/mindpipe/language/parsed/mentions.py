"""Of whom and of what an utterance tells: names, owners, and what its pronouns mean."""

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Token

from mindpipe.language import words
from mindpipe.language.parsed.modality import (
    MINE,
    SPEAKER,
    is_elided,
    subject_of,
    way_of_clause,
)
from mindpipe.language.parsed.nouns import TOO_WIDE, bare_name, text_of
from mindpipe.language.times import names_days

THIRD = frozenset({"he", "she", "him", "her", "his"})
IT = frozenset({"it", "them", "they"})

_PLURAL = frozenset({"NNS", "NNPS"})
_WHILE = words.listed("since after before during in on at by until from for")
_SOME = words.listed("man woman guy girl boy lady bloke lad chap stranger person someone somebody")
_BESIDE = 2
"""Tokens up to which a noun says what somebody is who is named: `my sister, Eva`."""
_KEEP = words.listed("be have get adopt rescue buy own keep take foster")
_PART_OF = words.listed("pobj compound flat case")
_CALLING = frozenset({"be", "call", "name"})
_BOTH = frozenset({"nsubj", "nsubjpass", "attr"})
"""What somebody is said to be, and who it is."""
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
        if token.tag_ == "WP" and token.head.dep_ == "relcl":
            return self.person(token.head.head)  # "Mossie, who drives a lorry"
        return self._named(token)

    def _named(self, token: Token) -> str | None:
        """Return the name of whom a noun tells, or None where it is not said."""
        named = (one for one in token.rights if one.dep_ == "appos" and one.pos_ == "PROPN")
        if token.lemma_.lower() in words.RELATIVES and (name := next(named, None)) is not None:
            return text_of(name)  # "my sister Lisa works there"
        if token.pos_ != "PROPN":
            return None
        if not SPEAKER.isdisjoint(text_of(token).lower().split()):
            return self.speaker  # "me n lani", which the pipeline takes for one name
        return bare_name(text_of(token))

    def persons(self, subject: Token) -> Iterator[str]:
        """Yield all of whom a subject tells: `my wife Jo and I`."""
        for one in (subject, *subject.conjuncts):
            whom = self.person(one)
            if whom is not None:
                yield whom

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
        joint = [one.head for one in (noun, kind) if one.dep_ == "conj"]
        for one in (noun, kind, *joint):  # "I have a dog and a brother called Tom"
            if one.dep_ == "dobj" and one.head.lemma_ in ("have", "get"):
                who = subject_of(one.head)
                plain = way_of_clause(one.head) == (None, False) and one.head.tag_ != "VBG"
                return None if who is None or not plain else self.person(who)
        own = ("the" in articles and only) or (
            "a" in articles and kind.lemma_ in words.PETS and _is_kept(kind)
        )
        return self.speaker if own else None

    def animal_before(self, token: Token) -> Token | None:
        """Return the last animal that was mentioned before, if it is not said to be another's."""
        before = reversed(self.parse[: token.i])
        animal = next((one for one in before if one.lemma_.lower() in words.PETS), None)
        return None if animal is None or _is_of_others(animal) else animal

    def thing_before(self, token: Token) -> Token | None:
        """Return what `it` means: of the nearest sentence the subject, then the object."""
        several = token.lower_ in ("them", "they")
        own = [one for one in token.sent if one.i < token.i]
        earlier = [list(one) for one in self.parse.sents if one.end <= token.sent.start]
        for tokens in (own, *reversed(earlier)):
            for roles in (("nsubj", "nsubjpass"), ("dobj", "attr"), ("pobj",)):
                for one in reversed(tokens):
                    noun = one.dep_ in roles and one.pos_ in ("NOUN", "PROPN")
                    if noun and (one.tag_ in _PLURAL or not several) and _is_topic(one):
                        return one
        return None

    def _named_before(self, token: Token) -> str | None:
        """Return the name before a pronoun that alone it may mean, of all who are told of."""
        before = self.parse[: token.i]
        names = [one for one in before if one.pos_ == "PROPN" and one.dep_ not in _PART_OF]
        told = {bare_name(text_of(one)) for one in names}
        others = any(_is_somebody_else(one) for one in before)
        sure = len(told) == 1 and not others and names[0].dep_ in _NAMING
        return re.sub(r"['’]s?$", "", told.pop()) if sure else None


def _is_somebody_else(noun: Token) -> bool:
    """Tell whether a noun is somebody without a name, whom a pronoun behind it may mean."""
    kind = noun.lemma_.lower()
    if (
        noun.pos_ != "NOUN"
        or noun.tag_ in _PLURAL
        or kind not in words.RELATIVES | words.OCCUPATIONS | words.PETS | _SOME
    ):
        return False
    near = (noun.head, *(one for one in noun.children if one.dep_ != "poss"))
    if any(one.pos_ == "PROPN" and abs(one.i - noun.i) <= _BESIDE for one in near):
        return False
    naming = (
        *(one for one in noun.children if one.lemma_ in ("call", "name")),
        *((noun.head,) if noun.head.lemma_ in _CALLING and noun.dep_ in _BOTH else ()),
    )
    told = (one for be in naming for child in be.children for one in (child, *child.children))
    return not any(one.pos_ == "PROPN" and one.dep_ in _NAMING - {"poss"} for one in told)


def _is_of_others(animal: Token) -> bool:
    """Tell whether an animal is said to be of somebody who does not speak."""
    if any(one.dep_ == "poss" and one.lower_ not in MINE for one in animal.children):
        return True
    verb = next((one for one in animal.ancestors if one.pos_ in ("VERB", "AUX")), None)
    who = None if verb is None else subject_of(verb)
    return who is not None and who != animal and who.lower_ not in SPEAKER | IT | THIRD


def _is_kept(animal: Token) -> bool:
    """Tell whether an animal is at home with the speaker; others are met, seen, or to be."""
    verb = next((one for one in animal.ancestors if one.pos_ in ("VERB", "AUX")), None)
    if verb is None:
        return not any(_begins_of_others(one) for one in animal.sent if one.i < animal.left_edge.i)
    who = subject_of(verb)
    own = who.lower_ in SPEAKER if who is not None else is_elided(verb)
    return verb.lemma_ in _KEEP and own and way_of_clause(verb) == (None, False)


def _begins_of_others(token: Token) -> bool:
    """Tell whether a word makes a sentence without a verb another's: `Bo, 70, up in Ulm with …`."""
    return token.lower_ in THIRD | {"their"} or (
        token.pos_ == "PROPN" and token.dep_ not in _PART_OF and not names_days(token.text)
    )


def _is_topic(token: Token) -> bool:
    """Tell whether a later pronoun may mean a noun: it says not when or where, nor what is like."""
    if token.lemma_.lower() in TOO_WIDE or _is_likened(token):
        return False
    return token.dep_ != "pobj" or (
        (
            token.head.lower_ not in _WHILE
            or (token.head.lower_ == "from" and not names_days(token.text))
        )
        and (token.head.head.pos_ in ("VERB", "ADV"))
    )


def _is_likened(token: Token) -> bool:
    """Tell whether something is only like what a noun names: `like licking a fence, …`."""
    return any(
        one.lower_ == "like"
        and one.pos_ in ("ADP", "SCONJ")
        and one.i <= one.head.i
        and not any(each.dep_ == "nsubj" for each in one.children)
        for one in token.ancestors
    )
