"""What a project uses and whose it is, by a predicate."""

from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.named_attributes import LANGUAGE, OWNER, PROJECT, thing_of, used_as
from mindpipe.language.parsed.clause import PAST, ClauseReading, ParsedClause
from mindpipe.language.parsed.nouns import direct_objects, text_of

_WE = frozenset({"we", "us"})


def use(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what a project uses; of languages it may use several at a time."""
    whose = _thing(clause.subject)
    for noun in direct_objects(clause.verb) if whose else ():
        attribute = used_as(value := text_of(noun))
        bare = not any(one.dep_ in ("det", "poss") for one in noun.children)
        if bare and attribute and attribute != LANGUAGE:
            yield ClauseReading(attribute, value, topic=_topic(attribute, value), subject=whose)


def switch(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what a project uses from now on: `we moved the shop from MySQL to PostgreSQL`."""
    if clause.verb.tag_ not in PAST:
        return  # what is being moved is not there yet
    moved = next((one for one in direct_objects(clause.verb) if _thing(one)), None)
    thing = moved if moved is not None else clause.subject
    whose = _thing(thing)
    old = next(map(text_of, _behind(clause.verb, "from")), None)
    for noun in _behind(clause.verb, "to") if whose else ():
        if attribute := used_as(value := text_of(noun)):
            instead = old if old and used_as(old) == attribute else None
            if not instead and thing is not None and thing.pos_ == "PROPN":
                continue  # "Sana switched to Rust": who has a name may be somebody
            topic = _topic(attribute, value)
            yield ClauseReading(attribute, value, topic=topic, subject=whose, instead_of=instead)


def own(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield whose a part of a project is: `Dana, who joined in May, owns the billing service`."""
    owner = clause.subject
    if owner is None or (owner.pos_ != "PROPN" and owner.lower_ != "i"):
        return
    name = clause.speaker if owner.lower_ == "i" else text_of(owner)
    for noun in direct_objects(clause.verb) if name else ():
        if _is_part(noun):
            yield ClauseReading(OWNER, name, subject=thing_of(text_of(noun)))


def _behind(verb: Token, preposition: str) -> Iterator[Token]:
    """Yield what stands behind a preposition in a clause: parsers hang "to" on what is "from"."""
    for one in verb.subtree:
        if one.dep_ == "pobj" and one.head.lower_ == preposition:
            yield one


def _thing(noun: Token | None) -> str | None:
    """Return which project or part of one a noun is, None where it is none."""
    if noun is None:
        return None
    if noun.lower_ in _WE:
        return PROJECT
    known = noun.lemma_.lower() in words.PARTS_OF_PROJECTS
    return thing_of(text_of(noun)) if known or noun.pos_ == "PROPN" else None


def _is_part(noun: Token) -> bool:
    """Tell whether a noun is a project, or a part of one that is told from others."""
    kind, name = noun.lemma_.lower(), text_of(noun)
    return kind in words.PARTS_OF_PROJECTS and (kind == PROJECT or " " in name)


def _topic(attribute: str, value: str) -> str | None:
    """Return the topic of one of several values."""
    return value if attribute.endswith(".*") else None
