"""Introductions: what somebody says of himself behind his name, as `Ana, 29, nurse in Porto`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.clauses import sentences
from mindpipe.language.forms import NAME, NO_NAME
from mindpipe.language.guards import (
    clause_meant,
    denies,
    is_ironic,
    is_narrowed_by,
    sentence_meant,
    taken_back,
)
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Utterance
from mindpipe.language.values import names_something
from mindpipe.language.words import any_of

_YOUNGEST, _OLDEST = 12, 110
"""Years between which a bare number behind a name is an age."""
_GREETING = (
    r"(?:(?:hi|hello|hey|morning|evening|ok|okay|so|well|right)\b[\s,.!]*(?:all|everyone|everybody|"
    r"both|there|folks)?[\s,.!:]*)*(?:\w+(?: \w+)?!\s*)?"
)
_NAMED = r"(?:i['’]?m|i am|this is|my name is|my name['’]s|it['’]s|name['’]s)"
_PARTS = late(r"\s*(?:[,;]|\s[-–—]\s|\s(?:and|&)\s)\s*")
_KIN = any_of(words.RELATIVES - words.OCCUPATIONS)
_OTHERS = late(
    rf"(?i)\b(?:{_KIN}|{any_of(words.PETS)}|he|she|they|his|her|their|him|them|who|which|you|your|"
    r"with)s?\b"
)
"""Of whom it may be from there on."""
_PLACE = rf"(?P<place>{NAME})"
_NO_HOME = (
    r"(?!(?:IT|HR|PR|QA|Sales|Marketing|Finance|Legal|Accounts|Engineering|Operations|Ops|Support|"
    r"Logistics|Research|Product|Design|Year|Grade|Room|Class|Team|Seat|Block|Group|Charge)\b)"
)
"""What somebody is in who works, sits or learns there: `I'm in Sales`."""
_HOME = late(
    rf"(?:(?:(?:[Nn]ow )?(?:I )?(?:[Ll]ive|[Ll]iving|[Bb]ased|[Cc]rashing|[Ss]ettled)|"
    r"(?P<at>I['’]?m|I am|[Ww]e['’]?re|[Ww]e are)(?: (?:over|out|down|up))?|"
    r"(?:[Aa]n? |[Mm]y |(?:\d|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our)[ -]bed(?:room)? )?(?:[a-z]+ )?"
    rf"(?:{any_of(words.DWELLINGS | {one.capitalize() for one in words.DWELLINGS})})"
    rf"(?: (?:on|in) (?P<street>{NAME})(?= in ))?) in {_NO_HOME}{_PLACE})"
    r"(?: (?:with|at my|at our) .+)?"
)
"""Who is `at` a place may live there: so it is read among other things of himself alone."""
_ORIGIN = late(
    rf"(?:(?:I['’]?m |I am )?(?:[Oo]riginally )?[Ff]rom|[Bb]orn in|"
    rf"(?:I )?[Cc]ame (?:over |here )?from|(?:I )?[Cc]ome from) {_PLACE}(?: originally| when .+)?"
)
_AGE = late(
    r"(?i)(?P<lead>aged? |i['’]?m |i am )?(?P<years>\d{2,3}|[a-z]+(?:[ -][a-z]+)?)"
    r"(?P<unit> years?(?P<old> old)?)?"
)
_WORK = late(
    r"(?:(?:I['’]?m|I am) )?(?:(?:[Aa]n?|[Tt]he) )?(?P<job>(?!(?:my|the|your) )(?:[a-z-]+ ){0,2}"
    rf"(?i:{any_of(words.OCCUPATIONS)}))"
    rf"(?: (?:at|for|with|w/?) (?:the )?{_PLACE}(?: in [A-ZÀ-Þ].+)?| by (?:trade|profession)|"
    r" (?:at|in) the (?P<house>[a-z][\w'’-]+(?: [a-z]+)?)(?: (?:for|nearly|almost|over|going on|"
    r"these|since) .+)?| (?:in|from) (?:the )?[A-Z].+)?"
)
_POST = late(
    rf"(?:I['’]?m|I am) (?:at|with) (?:the (?:[a-z]+ ){{1,3}}(?:at|of) )?{_PLACE}"
    r" (?:for|nearly|almost|over|going on|since|these) .+"
)
"""Who has been at a place for years works there, unless he says that he lives there."""
_STUDY = late(r"(?i)(?:i )?(?:study|studying) (?P<taught>(?!for\b|hard\b)[a-z]+)(?: .+)?")
_DIET = late(rf"(?i)(?:an? )?(?P<diet>{any_of(words.DIETS)})")
_HEALTH = late(rf"(?i)(?:i['’]?m |i am )?(?P<health>{any_of(words.ILL)})")
_ALLERGY = late(r"(?i)(?:i['’]?m )?allergic to (?P<allergy>[a-z]+(?: [a-z]+)?)")
_PLAIN = (("hometown", _ORIGIN), ("diet", _DIET), ("health", _HEALTH), ("allergy", _ALLERGY))
"""What a piece says by itself, with its value as the one group of the pattern."""
_TOPICAL = frozenset({"health", "allergy"})
_ANIMAL = late(
    rf"(?:(?:[Aa]n?|[Oo]ne|[Mm]y|[Oo]ur|[Tt]he) (?:[a-z]+ )?(?P<kind>{any_of(words.PETS)})"
    rf"(?: called| named)? \(?(?P<name>{NAME})\)?|"
    rf"(?P<before>{NAME}) the (?:[a-z]+ )?(?P<which>{any_of(words.PETS)}))"
)
_KINDS = {
    "boy": "son", "girl": "daughter", "son": "son", "daughter": "daughter", "kid": "child",
    "child": "child", "children": "child", "brother": "brother", "sister": "sister",
    "parent": "parent", "cousin": "cousin", "friend": "friend",
    **{one: one for one in sorted(words.PETS)},
}  # fmt: skip
_AGED = (
    r"(?:,? (?:is |aged? )?(?P<{0}>\d{{1,2}})(?![\d.:]| (?:years? ago|months?|weeks?))|"
    r" \((?P<{1}>\d{{1,2}})\))?"
)
_SEVERAL = late(
    r"(?i:\b(?:(?:(?P<own>my|our)(?: (?P<count>two|three|four|five|[2-5]))?)|"
    r"(?P<number>two|three|four|five|[2-5]))) (?:[a-z]+ )?"
    rf"(?:(?P<kind>{any_of(set(_KINDS))})(?:s|(?<=ren)|(?(count)|(?(number)|(?!)))))"
    r"(?:[:,]| -| –| —|(?: are)? (?:called|named)| are)? "
    rf"\(?(?P<names>{NAME}{_AGED.format('a', 'b')}"
    rf"(?:(?:,| and| &| y| n|, and) {NAME}{_AGED.format('c', 'd')})+)"
)
"""Several at once, each by name, some with their ages: `Two boys: Kwaku is 12, Fiifi is 8`."""
_HAS = late(r"(?i)\b(?:I|we)(?: have|['’]ve(?: got)?)(?: got)? $")
_EACH = late(rf"(?P<name>{NAME}){_AGED.format('years', 'years_2')}")
_BEHIND = late(
    rf"(?<!['’]s )\b{NO_NAME}(?P<name>{NAME}) \((?:my |the )?(?P<kin>{_KIN})\b(?! of\b)|"
    rf"(?:\b(?:with|and|plus)|&|,) {NO_NAME}(?P<animal>{NAME}) the (?:[a-z]+ )?"
    rf"(?P<which>{any_of(words.PETS)})(?=[,.;!)]|$| and | who )"
)
"""Who is what to the speaker, behind the name: `Graeme (husband)`, `Kahu the dog`."""
_NAME = late(NAME)
_BARE_KIN = late(rf"(?i){_KIN}")
_RELATIVE = late(
    rf"(?:[Oo]ne|[Aa]n?) (?:(?:older|younger|little|big|grown-up) )?(?P<kin>{_KIN})"
    rf"(?:,| called| named)? \(?(?P<name>{NAME})\)?"
)
_NAMELESS = late(rf"(?:[Oo]ne|[Aa]n?) (?:[a-z-]+ )?(?:{_KIN})")
"""The first half of `one son, Kuba`, which the comma parts."""
_OF_WHOM = late(
    rf"(?P<name>{NAME})['’]s (?P<kin>(?i:{any_of(words.PARTNERS - {'other half', 'better half'})}|"
    r"mum|mom|mam|mother|dad|father))"
)
"""Who names himself by another: `Ana, Tom's wife`, `Ana, Lea's mum`."""
_MARRIED = late(rf"[Mm]arried to (?P<name>{NAME})")
_SAYS = late(
    r"(?i)(?:is|was|are|were|has|had|does|did|will|can|called|rang|said|says|went|"
    r"came(?! (?:over |here )?from))\b"
)
"""How a piece begins that says something of those before it: `30 - is the score`."""
_SPOKEN_TO = late(r"(?i)\b(?:you|your|please|thanks?|sorry)\b|!")
"""What shows that a trade may be whom the words are for: `thanks, doctor!`."""


class Introduced(NamedTuple):
    """What somebody says of himself, and the characters of its sentence."""

    attribute: str
    value: str
    topic: str | None
    start: int
    end: int
    subject: str | None = None


def introduced(said: Utterance) -> Iterator[Introduced]:
    """Yield what an utterance says that begins with the name of who speaks.

    Where somebody is, is his home only where he tells more of himself.
    """
    found = list(_introduced(said))
    alone = {one.value for one in found if one.attribute == "residence"}.issuperset(
        one.value for one in found
    )
    for one in found:
        home = _HOME.search(said.text[one.start : one.end])
        if not (alone and home is not None and home["at"]):
            yield one


def _introduced(said: Utterance) -> Iterator[Introduced]:
    """Yield what an utterance says that begins with the name of who speaks, piece by piece.

    A piece is read only where all of it is an age, a trade with its place, a home, a diet, a
    partner or relative by name. Behind words that are of others no more of a sentence is read.
    """
    behind = _behind_name(said)
    first, aged = True, False
    for sentence in sentences(said.text) if behind else ():
        if is_ironic(sentence.text):
            return
        text = said.text[max(sentence.start, behind) : sentence.end]
        if sentence.end <= behind or not text.strip(" .,!;:–—-"):
            continue
        if sentence_meant(sentence.text) is None:
            for attribute, value, topic in _pieces(text, first=first):
                if names_something(value, of=attribute) and not (aged and attribute == "age"):
                    aged = aged or attribute == "age"
                    yield Introduced(attribute, value, topic, sentence.start, sentence.end)
            for each in _named_anywhere(text):
                yield each._replace(start=sentence.start, end=sentence.end)
        first = False


def _named_anywhere(text: str) -> Iterator[Introduced]:
    """Yield relatives and animals of the speaker that a sentence names, with their ages."""
    for found in _BEHIND.finditer(text):
        if not _is_plain(text[: found.end()]):
            return
        if found["animal"]:
            value = f"{found['animal']} ({found['which']})"
            yield Introduced("pet", value, found["animal"], 0, 0)
        else:
            yield Introduced(*_kinship(found["kin"], found["name"]), 0, 0)
    yield from several_named(text, any_of_them=True)


def several_named(text: str, *, any_of_them: bool = False) -> Iterator[Introduced]:
    """Yield relatives and animals of who speaks that a sentence names by their kind, with ages.

    They are those that he calls his or says that he has, or, behind his name, `any_of_them`.
    """
    for found in _SEVERAL.finditer(text):
        if not _is_plain(text[: found.end()]):
            return
        if not (any_of_them or found["own"] or _HAS.search(text[: found.start()])):
            continue
        kind = _KINDS[found["kind"].lower()]
        for one in _EACH.finditer(found["names"]):
            name = one["name"].rstrip(".")
            if kind in words.PETS:
                yield Introduced("pet", f"{name} ({kind})", name, 0, 0)
                continue
            yield Introduced(*_kinship(kind, name), 0, 0)
            if years := one["years"] or one["years_2"]:
                yield Introduced("age", years, None, 0, 0, name)


def _is_plain(text: str) -> bool:
    """Tell whether the words up to some are meant as they stand."""
    return clause_meant(text) is None and not denies(text)


def _behind_name(said: Utterance) -> int:
    """Return where the words begin that stand behind the name of who speaks, 0 without one."""
    called = said.speaker.partition(" ")[0]
    if not called:
        return 0
    if (about := _ABOUT_ME.match(said.text)) is not None:
        rest = re.compile(rf"(?i)(?:i['’]?m )?{re.escape(called)}\s*[,.]")
        behind = rest.match(said.text, about.end())
        return behind.end() if behind else about.end()
    name = rf"{re.escape(called)}(?: [A-ZÀ-Þ][\w'’-]+)?"
    bare = re.match(rf"(?i){_GREETING}{name}(?: here)?\s*[,.]", said.text)
    if bare is not None:
        return bare.end()
    told = re.compile(
        rf"(?i){_GREETING}(?:{_NAMED} {name}(?: here)?|{name} here)"
        r"\s*(?:[,.;–—-]|and\b|(?<=here )(?=\d))"
    )
    starts = [one.start for one in sentences(said.text)]
    starts += [one.end() for one in _LEADS_IN.finditer(said.text)]
    found = (told.match(said.text, start) for start in sorted(starts))
    return next((one.end() for one in found if one is not None), 0)


_OWN_PART = late(r"(?i)(?:i['’]?m|i am) (?:the|an?|your) (?!.*\b(?:of|to|who|with)\b)")
"""What somebody says that he is to others, and goes on of himself: `I'm the cousin, 30`."""
_ABOUT_ME = late(
    r"(?i)\W*(?:(?:ok|okay|so|hi|hello|hey)\b\W*)*(?:(?:a )?(?:quick |short |little )?"
    r"(?:intro|introduction)|(?:a bit |a little )?about me|the basics)\s*[:–—-]+\s*"
)
"""Behind which somebody tells of himself, with his name or without: `about me: 42, nurse`."""
_LEADS_IN = late(r"[:,;–—-] ")
"""Behind which somebody may say his name: `the basics: I'm Ana`, `so here goes, I'm Ana`."""


def _pieces(text: str, *, first: bool) -> Iterator[tuple[str, str, str | None]]:
    """Yield the attribute, the value and the topic of each piece of a sentence that is one.

    `first` tells that it is the first behind the name. A number is an age, and a bare trade is the
    speaker's, only right behind the name or what was read: an age behind the name or a trade.
    """
    pieces = [one.strip(" .!") for one in _PARTS.split(text.strip(" .!,;:–—-"))]
    follows, relatives = "name" if first else "", False
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else ""
        if clause_meant(piece) is not None or denies(piece) or taken_back(after):
            return
        if _SAYS.match(after):
            return
        if _BARE_KIN.fullmatch(piece) and _NAME.fullmatch(after):
            yield _kinship(piece, after)  # "Daughter, Mali, fifteen"
            return
        if (animal := _ANIMAL.fullmatch(piece)) is not None:
            name, kind = (animal["name"] or animal["before"]), (animal["kind"] or animal["which"])
            yield "pet", f"{name} ({kind})", name
            continue
        if (of_whom := _OF_WHOM.fullmatch(piece)) is not None:
            yield _of_whom(of_whom)
            continue
        joined = f"{piece}, {after}" if _NAMELESS.fullmatch(piece) else piece
        related = list(_related(joined))
        yield from related
        relatives = relatives or bool(related)
        if relatives or (_OTHERS.search(piece) and not _STUDY.fullmatch(piece)):
            if not relatives and _OWN_PART.match(piece):
                continue
            if not related and not (relatives and _NAMELESS.fullmatch(pieces[at - 1])):
                home = _HOME.fullmatch(piece) if not relatives else None
                yield from [("residence", _home(home), None)] if home else []
                return
            continue
        found = list(_of_piece(piece))
        kind = found[0][0] if found else ""
        listed = number_of(after) is not None  # "24, 18, 33" are no ages
        if kind == "age" and (listed or not _may_be_aged(piece, follows)):
            found = []
        bare = kind == "job" and piece[:1].isalpha() and not piece.lower().startswith(_ARTICLES)
        rest = text[text.find(piece) + len(piece) :][:2] + after
        if bare and len(found) == 1 and (not follows or _SPOKEN_TO.search(rest)):
            found = []
        yield from found
        trade = _WORK.fullmatch(piece) is not None
        follows = "trade" if trade else kind if found else ""


_ARTICLES = ("a ", "an ", "the ")


def _may_be_aged(piece: str, follows: str) -> bool:
    """Tell whether a number may be an age by the piece that it stands behind.

    Behind a trade `20 years` are those in it.
    """
    age = _AGE.fullmatch(piece)
    counted = age is not None and age["unit"] and not (age["old"] or age["lead"])
    return follows == "name" or (follows == "trade" and not counted)


def _related(piece: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield the partner or relative that a piece names if that is all of it."""
    one = _RELATIVE.fullmatch(piece) or _MARRIED.fullmatch(piece)
    if one is None:
        return
    yield _kinship(one.groupdict().get("kin") or "wife", one["name"])


def _of_whom(found: re.Match[str]) -> tuple[str, str, str | None]:
    """Return who somebody is said to be the partner or the parent of."""
    if found["kin"].lower() in words.PARTNERS:
        return "partner", found["name"], None
    return "relation", found["name"], "child"


def _kinship(kind: str, name: str) -> tuple[str, str, str | None]:
    """Return who is what to the speaker."""
    kind, name = kind.lower(), name.strip(".,")
    if kind in words.PARTNERS:
        return "partner", name, None
    return "relation", name, words.SAME_RELATIVE.get(kind, kind)


def _home(found: re.Match[str]) -> str:
    """Return where somebody lives, with the street if it is said."""
    place = found["place"].strip(".,")
    return f"{found['street']}, {place}" if found["street"] else place


def _of_piece(piece: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield what a piece says if it is one of the forms."""
    for attribute, pattern in _PLAIN:
        if (plain := pattern.fullmatch(piece)) is not None:
            value = plain[1].strip(".,")
            value = value if attribute == "hometown" else value.lower()
            yield attribute, value, value if attribute in _TOPICAL else None
            return
    if (home := _HOME.fullmatch(piece)) is not None:
        yield "residence", _home(home), None
    elif (age := _AGE.fullmatch(piece)) is not None and (
        years := number_of(age["years"])
    ) is not None:
        if _YOUNGEST <= years <= _OLDEST:
            yield "age", str(years), None
    elif (study := _STUDY.fullmatch(piece)) is not None:
        yield "job", f"{study['taught']} student", None
    elif (work := _WORK.fullmatch(piece)) is not None and is_trade(work["job"]):
        if is_narrowed_by(piece[work.end("job") :]):
            return  # "baker in the making"
        yield "job", work["job"][0].lower() + work["job"][1:], None
        if place := work["place"] or work["house"]:
            yield "workplace", place.strip(".,"), None
    elif (post := _POST.fullmatch(piece)) is not None:
        yield "workplace", post["place"].strip(".,"), None


def is_trade(job: str) -> bool:
    """Tell whether words are a trade that somebody has: not one that he had, or is to have."""
    return job.split()[0].lower() not in words.UNTRUE
