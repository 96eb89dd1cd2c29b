"""Nouns in a parse: their text, and which ones a verb takes."""

from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.words import listed

MOST_WORDS = 6
"""A longer value is a quotation, and no value."""
BESIDE = 3
"""Tokens up to which a noun is joined to the one before it."""
TOO_WIDE = listed(
    "thing one stuff lot bit way time day week year something anything nothing it that same feeling"
)
"""Nouns that name nothing by themselves."""

_ENDS = frozenset({".", "!", "?", "…", "...", ";"})
_CLAUSES = frozenset({"conj", "advcl", "ccomp", "parataxis", "relcl"})
_NO_CASE = frozenset({"poss", "nsubj", "nsubjpass"})
"""Where `'s` is no part of a name: `Rex's bowl`, `Rex's died`."""
_MODIFIERS = listed("compound amod nmod nummod quantmod flat advmod case")
_KINDS = words.RELATIVES | words.PETS
_SHOUTED = 4
"""Letters from which on a word in capitals is shouted, and no abbreviation."""


def is_value(text: str) -> bool:
    """Tell whether a text is a value: some words, and no sentence."""
    return 1 <= len(text.split()) <= MOST_WORDS


_BEFORE_ALL = frozenset({"just", "even", "only", "actual", "actually", "honestly", "really"})
"""What is of a whole sentence and of no noun, though it stand before one."""


def text_of(noun: Token) -> str:
    """Return a noun with what stands before it and belongs to it, without its article."""
    first, last = noun, noun
    for child in reversed(list(noun.lefts)):
        if child.text == "-" and not child.whitespace_:
            continue  # "bell-ringing"
        if child.dep_ not in _MODIFIERS or child.lower_ in _BEFORE_ALL:
            break
        joins = "-" in noun.doc[child.left_edge.i : child.i].text
        first = child if child.dep_ == "amod" and not joins else child.left_edge
    for child in noun.rights:
        if child.dep_ == "flat" or (child.dep_ == "case" and noun.dep_ not in _NO_CASE):
            last = child
        elif child.dep_ == "prep" and child.lower_ == "of" and child.i == last.i + 1:
            last = child.right_edge
    while first.tag_ in ("PRP$", "DT") and first.i < noun.i:  # "my" belongs to the compound's noun
        first = first.nbor()
    text = noun.doc[first.i : last.i + 1].text.strip(" .,!?;:'\"")
    if text.isupper() and len(text) >= _SHOUTED:
        return text.title() if noun.pos_ == "PROPN" and noun.sent.text.isupper() else text.lower()
    return text


def is_of_past(noun: Token) -> bool:
    """Tell whether a noun is of what somebody was, or is to be: `ex-nurse`, `aspiring actor`."""
    hyphened = noun.i > 1 and noun.nbor(-1).text == "-" and noun.nbor(-2).lower_ in words.UNTRUE
    before = (
        noun.lemma_.lower() in words.UNTRUE
        and noun.i + 1 < len(noun.doc)
        and (noun.nbor().text == "-")
    )
    old = noun.lemma_.lower() in words.OF_A_TIME and any(
        one.lower_ == "old" for one in noun.children
    )
    return old or hyphened or before or any(one.lower_ in words.UNTRUE for one in noun.children)


def bare_name(name: str) -> str:
    """Return a name without what it is the name of: `new dog Rex` is called Rex."""
    said = name.split()
    kinds = [at for at, one in enumerate(said[:-1], 1) if one.lower() in _KINDS]
    return " ".join(said[kinds[-1] :]) if kinds else name


def joined(noun: Token) -> Iterator[Token]:
    """Yield a noun, and those that stand beside it: `olives and capers`."""
    yield noun
    last = noun
    for one in noun.conjuncts:
        near = noun.i < one.i <= last.i + BESIDE
        last = one if near else last
        if near and _runs_on(noun, one) and not is_left_out(one):
            yield one


def is_left_out(noun: Token) -> bool:
    """Tell whether a noun is denied beside another: `cats but not dogs`."""
    if any(one.dep_ == "det" and one.lower_ == "no" for one in noun.children):
        return True  # "I have a dog and no cat"
    first = noun.left_edge.i
    return noun.doc[max(first - 1, 0)].lower_ == "not" or noun.doc[first].lower_ == "not"


def _runs_on(first: Token, last: Token) -> bool:
    """Tell whether no sentence ends between two tokens, wherever the pipeline ends one."""
    return not any(one.text in _ENDS for one in first.doc[first.i + 1 : last.i])


def objects(verb: Token, *prepositions: str) -> Iterator[Token]:
    """Yield the nouns that stand behind one of some prepositions of a verb."""
    for child in verb.children:
        if child.dep_ in ("prep", "agent") and child.lower_ in prepositions:
            for noun in child.children:
                if noun.dep_ == "pobj":
                    yield from joined(noun)
                elif noun.dep_ == "prep":
                    yield from (one for one in noun.children if one.dep_ == "pobj")


def direct_objects(verb: Token) -> Iterator[Token]:
    """Yield the direct objects of a verb, also a noun that the pipeline takes for a verb."""
    for child in verb.children:
        mistaken = child.dep_ == "xcomp" and child.i == verb.i + 1 and not any(child.children)
        if (child.dep_ == "dobj" or mistaken) and _runs_on(verb, child):
            yield from joined(child)
    if (cleft := _cleft_off(verb)) is not None:
        yield from joined(cleft)


def _cleft_off(verb: Token) -> Token | None:
    """Return what a clause is told of in front of it: `it is swede I can't abide`."""
    be = verb.head if verb.dep_ == "ccomp" else verb.head.head
    told = verb.dep_ in ("ccomp", "relcl", "advcl") and be.lemma_ == "be"
    if not told or not any(one.lower_ == "it" and one.dep_ == "nsubj" for one in be.children):
        return None
    who = any(one.dep_ == "nsubj" and one.tag_ != "WDT" for one in verb.children)
    whole = any(
        one.dep_ in ("dobj", "xcomp", "ccomp") and one.tag_ != "WDT" for one in verb.children
    )
    named = (one for one in be.children if one.dep_ == "attr" and be.i < one.i < verb.i)
    return next(named, None) if who and not whole else None


def own_words(verb: Token) -> str:
    """Return the words of a clause without those of the clauses that hang on it."""
    return "".join(
        one.text_with_ws
        for one in verb.subtree
        if not any(up.dep_ in _CLAUSES and up.pos_ in ("VERB", "AUX") for up in _up_to(one, verb))
    )


def _up_to(token: Token, verb: Token) -> Iterator[Token]:
    """Yield a token and what it hangs on, below a verb."""
    while token != verb:
        yield token
        token = token.head
