"""What somebody likes and dislikes, by a predicate: a thing, an activity, a kind."""

import re
from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.parsed.clause import PAST, ClauseReading, ParsedClause
from mindpipe.language.parsed.mentions import IT
from mindpipe.language.parsed.modality import is_negated
from mindpipe.language.parsed.nouns import (
    TOO_WIDE,
    direct_objects,
    objects,
    own_words,
    text_of,
)
from mindpipe.language.times import is_of_the_moment, names_days
from mindpipe.language.values import is_endured

VERBS = (
    "like", "love", "adore", "enjoy", "hate", "dislike", "loathe", "detest", "despise", "dread",
    "stand", "bear", "abide", "stick", "stomach",
)  # fmt: skip
"""What somebody does to what he likes or not."""
_SHORT = 4
"""Tokens up to which what somebody does is a thing that he likes, and no tale."""
_NOWADAYS = re.compile(r"(?i)\b(?:now|nowadays|these days|any ?more|since|actually)\b")
_ASKING = frozenset({"WP", "WDT", "DT"})
_MOMENTARY = words.listed("this that these those such another")
_ENDURE = frozenset({"stand", "bear", "abide", "stick", "stomach"})
"""What somebody cannot do with what he dislikes."""
FOND = {
    "fan": ("of",), "fond": ("of",), "keen": ("on",), "passionate": ("about",),
    "devoted": ("to",), "addicted": ("to",), "partial": ("to",), "obsessed": ("with",),
    "hooked": ("on",),
}  # fmt: skip
"""What somebody is who likes something, and how it goes on."""
_WEARY_WITH = words.listed("fed feed bored")


def like(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody likes or dislikes."""
    verb = clause.verb
    lemma, negated = verb.lemma_.lower(), is_negated(verb)
    if negated != (lemma in words.LIKES | _ENDURE) and (negated or lemma in _ENDURE):
        return  # who does not hate something need not like it
    if verb.tag_ == "VBG" and any(one.lemma_ == "be" and one.dep_ == "aux" for one in verb.lefts):
        return  # "I'm loving it" is of the moment
    when = any(
        one.dep_ == "advcl" and any(each.lower_ in ("when", "if", "as") for each in one.children)
        for one in verb.children
    )
    if when or is_of_the_moment(own_words(verb)):
        return
    if any(one.lower_ in ("better", "best") for one in verb.rights if one.dep_ == "advmod"):
        return  # who likes Tom better need not like him
    if lemma == "dread" and names_days(own_words(verb)):
        return  # who dreads Tuesdays dreads what they bring
    if lemma == "stick" and any(
        one.dep_ in ("prep", "prt", "advmod") and one.lower_ != "now" for one in verb.children
    ):
        return  # "I can't stick it on"
    likes = lemma in words.LIKES and not negated
    doing = [one for one in verb.children if one.dep_ == "xcomp" and one.tag_ == "VBG"]
    for noun in direct_objects(verb):
        if noun not in doing:
            yield from taste(clause, noun, likes=likes, negated=negated)
    for one in doing:
        if (value := _activity(one)) is not None:
            yield _liked(value, likes=likes, negated=negated)


def _activity(doing: Token) -> str | None:
    """Return what somebody does, with its object: `swimming`, `creating art`; or None."""
    said = doing.doc[_first_of(doing).i : _end_of(doing)]
    while said and (said[-1].is_punct or said[-1].pos_ in ("ADV", "CCONJ", "ADP", "INTJ")):
        said = said[:-1]
    behind = said[doing.i - said.start + 1 :] if said else ()
    whole = said and doing in said and len(behind) < _SHORT
    return said.text if whole and not any(one.pos_ in ("PRON", "VERB") for one in behind) else None


def _end_of(doing: Token) -> int:
    """Return where the words end of what somebody does with one thing.

    What is joined to it, or says with whom, is left out: `going to museums or old sites`, `going on
    road trips with friends`.
    """
    within = [one for one in doing.rights if one.dep_ in ("dobj", "prep")]
    ends = [one.left_edge.i for one in doing.conjuncts if one.i > doing.i]
    ends += [one.left_edge.i for one in within[1:] if one.lower_ == "with"]
    things = [one for one in within[:1] if one.dep_ == "dobj"]
    things += [one for each in within[:1] for one in each.children if one.dep_ == "pobj"]
    ends += [one.i for thing in things for one in thing.children if one.dep_ == "cc"]
    return min((doing.right_edge.i + 1, *ends))


def _first_of(doing: Token) -> Token:
    """Return the first token of what somebody does, as in `bell-ringing`."""
    hyphened = doing.i > 1 and doing.nbor(-1).text == "-" and not doing.nbor(-1).whitespace_
    return doing.nbor(-2) if hyphened else doing


def go_off(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody has gone off."""
    if clause.verb.tag_ in PAST:
        for noun in objects(clause.verb, "off"):
            yield from taste(clause, noun, likes=False, negated=is_negated(clause.verb))


def taste(
    clause: ParsedClause, noun: Token, *, likes: bool, negated: bool
) -> Iterator[ClauseReading]:
    """Yield one thing that somebody likes or dislikes, which a pronoun may mean."""
    meant = noun.lower_ in IT or (noun.lower_ == "stuff" and any(noun.lefts))
    turned = _is_turned(clause.verb) and not (_is_shown(noun) and " " not in text_of(noun))
    thing = clause.mentions.thing_before(noun) if meant else noun
    if thing is None or thing.pos_ not in ("NOUN", "PROPN", "VERB") or thing.tag_ in _ASKING:
        return
    if thing.lemma_.lower() in VERBS:
        return  # "I love tea and hate coffee", which a parse may take for two things
    if meant and (
        any(one.dep_ == "advcl" for one in clause.verb.children)
        or not (_NOWADAYS.search(clause.verb.sent.text) or _is_one_sentence(thing, noun))
    ):
        return  # "I love it when you sing" is about no thing, and "I love it!" of the moment
    qualified = not meant and any(one.dep_ in ("relcl", "acl") for one in thing.children)
    first = thing.head if thing.dep_ == "conj" else thing
    of_somebody = any(one.dep_ == "poss" for one in (*first.children, *thing.children))
    if not (
        qualified
        or _is_part_of_kind(thing)
        or of_somebody
        or (_is_at_hand(thing, of_kind=meant or likes) and not turned)
        or thing.lemma_.lower() in TOO_WIDE
    ):
        yield _liked(text_of(thing), likes=likes, negated=negated)


def _is_shown(noun: Token) -> bool:
    """Tell whether a noun is pointed at, and has no name: of "these shifts" few know which."""
    first = noun.head if noun.dep_ == "conj" else noun
    shown = any(one.dep_ == "det" and one.lower_ in _MOMENTARY for one in first.children)
    return shown and noun.pos_ != "PROPN"


def _is_turned(verb: Token) -> bool:
    """Tell whether somebody says that he has come to think so.

    Then "that show" and "these shifts" are no more of the moment: `I hate these shifts now`.
    """
    return verb.lemma_ in ("go", "become", "get") or _NOWADAYS.search(own_words(verb)) is not None


def _is_part_of_kind(thing: Token) -> bool:
    """Tell whether a noun may be of the kind that is named behind it: `action and sci-fi films`."""
    alone = thing.tag_ == "NN" and all(one.dep_ in ("cc", "conj") for one in thing.children)
    return alone and any(
        one.dep_ == "conj"
        and one.tag_ == "NNS"
        and any(each.dep_ in ("compound", "amod") for each in one.lefts)
        for one in thing.children
    )


def _is_one_sentence(first: Token, last: Token) -> bool:
    """Tell whether no sentence ends between two tokens, whatever the pipeline takes for one."""
    return not any(one.text in (".", "!", "?") for one in first.doc[first.i : last.i])


def _is_at_hand(thing: Token, *, of_kind: bool) -> bool:
    """Tell whether a noun means a thing that is at hand, and no kind of things or name."""
    first = thing.head if thing.dep_ == "conj" else thing
    for one in (*first.children, *thing.children):
        if one.dep_ == "det" and one.lower_ in _MOMENTARY:
            return True
        if one.lower_ == "the" and thing.doc[one.i + 1 : one.i + 2].text.lower() == "new":
            return True
        if one.dep_ == "det" and one.lower_ == "the" and of_kind:
            return thing.lemma_.lower() not in words.ONLY_ONE
    return False


def _liked(value: str, *, likes: bool, negated: bool) -> ClauseReading:
    """Return that a thing is liked or disliked."""
    if likes and is_endured(value):
        return ClauseReading("taste", "", meant="ironic")
    return ClauseReading("taste", value if likes else f"not {value}", topic=value, negated=negated)


def fond(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield what somebody is a fan of, or passionate about."""
    for noun in objects(child, *FOND[child.lower_]) if child.lower_ in FOND else ():
        if noun.tag_ != "VBG" or child.lower_ != "keen":
            yield from taste(clause, noun, likes=True, negated=False)
    for one in child.children if child.lower_ != "keen" else ():  # "keen on buying it" plans to
        for doing in one.children if one.dep_ == "prep" else ():
            if doing.dep_ == "pcomp" and (value := _activity(doing)) is not None:
                yield _liked(value, likes=True, negated=False)


def weary(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield what somebody has had too much of: `sick of ramen`, `fed up with queues`."""
    for noun in objects(child, *(("of", "with") if child.lower_ in _WEARY_WITH else ("of",))):
        alone = not any(one.dep_ in ("det", "poss") for one in noun.children)
        if alone and noun.pos_ in ("NOUN", "PROPN"):
            yield from taste(clause, noun, likes=False, negated=False)
