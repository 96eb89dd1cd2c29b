"""Introductions: what somebody says of himself behind his name, as `Ana, 29, nurse in Porto`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.language import words
from mindpipe.language.clauses import sentences
from mindpipe.language.forms import NAME, any_of
from mindpipe.language.guards import clause_meant, denies, is_ironic, sentence_meant
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Utterance
from mindpipe.language.values import names_something

_YOUNGEST, _OLDEST = 12, 110
"""Years between which a bare number behind a name is an age."""
_GREETING = (
    r"(?:(?:hi|hello|hey|morning|evening|ok|okay|so|well|right)\b[\s,.!]*(?:all|everyone|everybody|"
    r"both|there|folks)?[\s,.!:]*)*"
)
_NAMED = r"(?:i['’]?m|i am|this is|my name is|my name['’]s|it['’]s|name['’]s)"
_PARTS = re.compile(r"\s*(?:[,;]|\s[-–—]\s|\s(?:and|&)\s)\s*")
_KIN = any_of(words.RELATIVES - words.OCCUPATIONS)
_OTHERS = re.compile(
    rf"(?i)\b(?:{_KIN}|{any_of(words.PETS)}|he|she|they|his|her|their|him|them|who|which|you|your|"
    r"with)s?\b"
)
"""Of whom it may be from there on."""
_PLACE = rf"(?P<place>{NAME})"
_HOME = re.compile(
    rf"(?:(?:(?:[Nn]ow )?(?:[Ll]ive|[Ll]iving|[Bb]ased)|(?:[Aa]n? |[Mm]y )?(?:[a-z]+ )?"
    rf"(?:{any_of(words.DWELLINGS | {'Flat', 'House'})})) in {_PLACE})(?: with .+)?"
)
_AGE = re.compile(
    r"(?i)(?:aged? |i['’]?m |i am )?(?P<years>\d{2,3}|[a-z]+(?:[ -][a-z]+)?)(?: years?(?: old)?)?"
)
_WORK = re.compile(
    r"(?:(?:[Aa]n?|[Tt]he) )?(?P<job>(?!(?:my|the|your) )(?:[a-z-]+ ){0,2}"
    rf"(?i:{any_of(words.OCCUPATIONS)}))"
    rf"(?: (?:at|for|with) (?:the )?{_PLACE}| (?:in|from) (?:the )?[A-Z].+)?"
)
_DIET = re.compile(rf"(?i)(?:an? )?(?P<diet>{any_of(words.DIETS)})")
_RELATIVE = re.compile(
    rf"\b(?:[Oo]ne|[Aa]n?) (?:(?:older|younger|little|big|grown-up) )?(?P<kin>{_KIN})"
    rf"(?:,| called| named)? \(?(?P<name>{NAME})"
)
_MARRIED = re.compile(rf"[Mm]arried to (?P<name>{NAME})")


class Introduced(NamedTuple):
    """What somebody says of himself, and the characters of its sentence."""

    attribute: str
    value: str
    topic: str | None
    start: int
    end: int


def introduced(said: Utterance) -> Iterator[Introduced]:
    """Yield what an utterance says that begins with the name of who speaks, piece by piece.

    A piece is read only where all of it is an age, a trade with its place, a home, a diet, a
    partner or relative by name. Behind words that are of others no more of a sentence is read.
    """
    behind = _behind_name(said)
    for sentence in sentences(said.text) if behind else ():
        if is_ironic(sentence.text):
            return
        if sentence.end <= behind or sentence_meant(sentence.text) is not None:
            continue
        text = said.text[max(sentence.start, behind) : sentence.end]
        for attribute, value, topic in _pieces(text):
            if names_something(value, of=attribute):
                yield Introduced(attribute, value, topic, sentence.start, sentence.end)


def _behind_name(said: Utterance) -> int:
    """Return where the words begin that stand behind the name of who speaks, 0 without one."""
    first = said.speaker.partition(" ")[0]
    if not first:
        return 0
    name = rf"{re.escape(first)}(?: [A-ZÀ-Þ][\w'’-]+)?"
    found = re.match(rf"(?i){_GREETING}(?:{_NAMED} )?{name}(?: here)?\s*[,.–—-]", said.text)
    told = re.search(rf"(?i)\b{_NAMED} {name}\s*[,.;–—-]", said.text)
    both = [one.end() for one in (found, told) if one is not None]
    return min(both, default=0)


def _pieces(text: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield the attribute, the value and the topic of each piece of a sentence that is one."""
    relatives = [*_RELATIVE.finditer(text), *_MARRIED.finditer(text)]
    for one in relatives:
        kind = (one.groupdict().get("kin") or "wife").lower()
        kin = words.SAME_RELATIVE.get(kind, kind)
        yield from (
            [("partner", one["name"], None)]
            if kind in words.PARTNERS
            else [("relation", one["name"], kin)]
        )
    for piece in _PARTS.split(text.strip(" .!,;:–—-")):
        if clause_meant(piece) is None and not denies(piece):
            yield from _of_piece(piece.strip(" .!"))
        if _OTHERS.search(piece) or denies(piece):
            return


def _of_piece(piece: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield what a piece says if it is one of the forms."""
    if (home := _HOME.fullmatch(piece)) is not None:
        yield "residence", home["place"], None
    elif (age := _AGE.fullmatch(piece)) is not None and (
        years := number_of(age["years"])
    ) is not None:
        if _YOUNGEST <= years <= _OLDEST:
            yield "age", str(years), None
    elif (diet := _DIET.fullmatch(piece)) is not None:
        yield "diet", diet["diet"].lower(), None
    elif (work := _WORK.fullmatch(piece)) is not None and is_trade(work["job"]):
        yield "job", work["job"][0].lower() + work["job"][1:], None
        if work["place"]:
            yield "workplace", work["place"], None


def is_trade(job: str) -> bool:
    """Tell whether words are a trade that somebody has: not one that he had, or is to have."""
    return job.split()[0].lower() not in words.UNTRUE
