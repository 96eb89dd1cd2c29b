"""Whom an identity names, and what they are to the person: kin, household, friends, colleagues."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from mindpipe.core.patterns import LatePattern, late
from mindpipe.language.numerals import number_of
from mindpipe.language.words import MEN, SAME_RELATIVE, WOMEN
from mindpipe.person.records.person import PersonIdentity

Kind = Literal[
    "partner",
    "child",
    "parent",
    "sibling",
    "relative",
    "mate",
    "friend",
    "colleague",
    "animal",
    "other",
]


class NamedOther(NamedTuple):
    """Somebody of an identity.

    `name` is as it is written there (`Mr Kuroda`), or `your wife` where there is none; `role` is
    the word that says what they are. `at_home` is whether they live with the person; `gone`
    whether they are dead, or parted from it.
    """

    name: str
    kind: Kind
    role: str = ""
    at_home: bool = False
    gone: bool = False


_ROLES: dict[Kind, str] = {
    "mate": r"room-?mates?|flat-?mates?|house-?mates?",
    "relative": r"grand\w+|gran(?:ny|nies)?|great-\w+|aunt(?:ie|y)?s?|uncles?|cousins?|nieces?"
    r"|nephews?|\w+-in-law|god(?:son|daughter|child|mother|father)",
    "partner": r"husband|wife|spouse|partner|fianc[ée]e?|boyfriend|girlfriend",
    "child": r"(?:step)?sons?|(?:step)?daughters?|child|children|kids?|bab(?:y|ies)|toddlers?|twins"
    r"|boys|girls",
    "parent": r"(?:step|foster )?(?:mother|father|parents)|mum|mom|mama|mam[ií]|dad|papa|parents",
    "sibling": r"(?:step|half-)?(?:brother|sister)s?|twin (?:brother|sister)|siblings?",
    "colleague": r"(?:ward|charge|night|theatre|nursing|head) (?:sister|nurse)s?|colleagues?"
    r"|co-?workers?|boss|manager|supervisor|foreman|forewoman|chief|captain"
    r"|professor|teacher|tutor|coach|trainer|doctor|therapist|landlord|landlady",
    "friend": r"(?:best |old |girl)?friends?|neighbou?rs?|pals?|buddy|mates|penfriend|choir|club",
    "animal": r"dogs?|cats?|pupp(?:y|ies)|kittens?|tomcat|hound|terrier|sheepdog|parrots?|budgies?"
    r"|horses?|pon(?:y|ies)|mare|stallion|foals?|donkeys?|mules?|camels?|rabbits?|tortoises?"
    r"|canar(?:y|ies)|hamsters?|guinea pigs?|ferrets?|goats?|lambs?|calf|calves|cows?|hens?|geese"
    r"|goose|goldfish",
}
ROLE_WORDS = "|".join(_ROLES.values())
"""A pattern of all words that say what somebody is to a person."""
_KINDS: dict[Kind, LatePattern] = {
    kind: late(rf"(?<![\w-])(?:{words})(?![\w-])", re.I) for kind, words in _ROLES.items()
}
CAPITAL = r"[^\W\d_a-zà-öø-ÿ][\w'’-]*"
_TITLES = r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Auntie|Aunt|Uncle|Sister|Father|Old)\.? )"
_NAME = late(
    rf"(?<![\w'’-])({_TITLES}?{CAPITAL}(?: (?:van |von |de |da |del |bin |al-)?{CAPITAL})*)"
)
_NO_NAME = frozenset(
    ("I", "I'm", "My", "Our", "The", "A", "An", "We", "He", "She", "It", "They", "Old", "Who")
)
_BEFORE_PLACES = late(r"(?:in|at|from|near|of|to|the|since|on|for|by)\s+(?:the\s+)?$", re.I)
_GONE = late(
    r"\b(?:late|dead|died|deceased|buried|passed away|widow(?:ed|er)?|whom I lost|we lost)\b"
    r"|\bex-|\b(?:ex|former|divorced|separated|estranged)\b|\bleft (?:me|us)\b",
    re.I,
)
_ELSEWHERE = late(
    r"\b(?:hospital|ward|clinic|hospice|nursing home|care home|prison|abroad|overseas|deployed)\b"
    r"|\b(?:studies|studying|lives? (?!with)|moved|away|at sea|next door|upstairs|downstairs"
    r"|across the|round the corner|down the (?:road|street)|far from|weekends?|visits?)\b",
    re.I,
)
_IN_A_PLACE = late(rf"\b(?:in|from|near|to) (?:the )?({CAPITAL})")
_LIVES_HERE = late(r"\blives? with (?:me|us)\b|\bat home\b|\bunder (?:my|our) roof\b", re.I)
_WITH = late(
    r"\b(?:I|we)\b[^.;!?]*?\b(?:live|living|stay|share [^.;!?]*?)\s+with\s+([^.;!?]+)", re.I
)
_OTHERS = late(r"(?:his|her|their)\b", re.I)
_WITH_ENDS = late(r"\s(?:in|at|on|near|above|over|by|since|under|outside|behind)\s")
_ALONE = late(r"\b(?:live|living|lived)\b[^.;!?]{0,30}?\b(?:alone|by myself|on my own)\b", re.I)
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_UNITS += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_AGE = late(
    rf"\b(?:(\d{{1,3}})"
    rf"|({'|'.join(_TENS.split(' '))})(?:[- ]({'|'.join(_UNITS.split(' ')[1:10])}))?"
    rf"|({'|'.join(_UNITS.split(' '))}))\b(?! (?:months|weeks|days|hours|sons|daughters|children))",
    re.I,
)
_YEARS = (
    rf"(\d{{1,3}}|(?:{'|'.join(_TENS.split(' '))})(?:[- ](?:{'|'.join(_UNITS.split(' ')[1:10])}))?"
    rf"|{'|'.join(_UNITS.split(' '))})"
)
_OWN_AGE = late(
    r"\b(?:(?:I(?:['’]m| am)|my name is)\b(?:[^.;!?]*?,)?|I(?:['’]ve| have)? (?:just )?turned)\s+"
    r"(?:(?:now|just|only|almost|nearly|about|aged?|turning|an?)\s+)*"
    rf"{_YEARS}(?:[- ]years?[- ](?:old|of age)\b|(?=\s*(?:$|[,.;!?)–—]|(?:and|but|now|this|last|in"
    r"|from|with|or so)\b)))",
    re.I,
)
"""An age that stands by itself, as `I'm Ana, forty-one, a baker`: no other number is one."""
LEAST_AGE, GROWN, PARENT_OF_GROWN = 5, 18, 42
"""From what age on somebody tells it; from what age a child may have moved out; from what age a
parent's children may have."""


def age_in(text: str) -> int | None:
    """Return the first number of a text that can be an age in years, None without one."""
    for found in _AGE.finditer(text):
        age = number_of(found.group())
        if age is not None and 0 < age < 120:
            return age
    return None


def own_age(narrative: str) -> int | None:
    """Return how old somebody says to be: `I'm Ana, forty-one, a baker`."""
    for found in _OWN_AGE.finditer(narrative):
        age = age_in(found.group(1))
        if age is not None and age >= LEAST_AGE:
            return age
    return None


def lives_alone(narrative: str) -> bool:
    """Tell whether somebody says that nobody lives with it."""
    return _ALONE.search(narrative) is not None


_TITLED = late(rf"(?:Sister|Brother|Father|Mother) {CAPITAL}(?=\s*(?:,|$))")
"""Who is called so by title."""


def kind_of(text: str) -> tuple[Kind, str]:
    """Return what somebody is by the first word of a text that says it, and that word."""
    if titled := _TITLED.match(text):
        # `Sister Agnes, my teacher` is nobody's sister.
        text = text[titled.end() :]
    found: list[tuple[int, Kind, str]] = [
        (hit.start(), kind, hit.group())
        for kind, words in _KINDS.items()
        if (hit := words.search(text))
    ]
    if not found:
        return "other", ""
    _, kind, role = min(found, key=lambda one: one[0])
    return kind, role.lower()


_BY_KIN: dict[tuple[Kind, Kind], tuple[str, str, str]] = {
    ("partner", "parent"): ("mother-in-law", "father-in-law", "parent-in-law"),
    ("partner", "sibling"): ("sister-in-law", "brother-in-law", "brother-in-law"),
    ("partner", "child"): ("stepdaughter", "stepson", "stepchild"),
    ("child", "child"): ("granddaughter", "grandson", "grandchild"),
    ("child", "partner"): ("daughter-in-law", "son-in-law", "child-in-law"),
    ("sibling", "child"): ("niece", "nephew", "sibling's child"),
    ("sibling", "partner"): ("sister-in-law", "brother-in-law", "brother-in-law"),
    ("parent", "parent"): ("grandmother", "grandfather", "grandparent"),
    ("parent", "sibling"): ("aunt", "uncle", "aunt"),
}
"""What the kin of one's kin are to oneself: a woman, a man, and who is neither by the word."""


def kin_of_kin(owner: Kind, role: str) -> tuple[Kind, str]:
    """Return what somebody is to a person who is something to one of its people.

    `father` of a partner is a father-in-law; what has no word of its own is nobody of one's own.

    Args:
        owner: What the one is whose kin it is.
        role: What it is to that one, such as `father`.
    """
    kind, word = kind_of(role)
    word = SAME_RELATIVE.get(word, word)
    words = _BY_KIN.get((owner, kind))
    if words is None:
        return "other", ""
    neither = word not in WOMEN and word not in MEN
    found = words[2] if neither else words[0] if word in WOMEN else words[1]
    return "child" if found.startswith("step") else "relative", found


_THEIRS = late(
    rf"(?<![\w'’-])(?P<owner>{CAPITAL}?)['’]s? (?:[\w-]+ ){{0,2}}?"
    rf"(?P<role>(?:{ROLE_WORDS}))(?![\w-])"
)
"""Whose kin somebody is: `Joel's father`."""


def _as_own(one: NamedOther, text: str, named: Iterable[NamedOther]) -> NamedOther:
    """Return somebody of a marker as what it is to the person, where it is another's kin."""
    found = _THEIRS.search(text)
    if found is None or one.kind == "animal" or found["owner"] == one.name:
        return one
    owner = next((other for other in named if other.name == found["owner"]), None)
    if owner is None:
        return one._replace(kind="other", role="", at_home=False)
    kind, role = kin_of_kin(owner.kind, found["role"])
    return one._replace(kind=kind, role=role, at_home=one.at_home and kind == "child")


_ANIMAL = late(rf"(?<![\w-])(?:{_ROLES['animal']})(?=$|,| {CAPITAL})")


def is_animal(name: str, others: Iterable[NamedOther]) -> bool:
    """Tell whether a name is that of an animal: `the dog`, `the cat Mio`, or one that is known."""
    called = name.casefold()
    if any(one.kind == "animal" and one.name.casefold() == called for one in others):
        return True
    return _ANIMAL.search(name) is not None


def others_of(identity: PersonIdentity) -> tuple[NamedOther, ...]:
    """Return whom an identity names, in its order, each once; those it lost since are gone."""
    lost = frozenset(
        fact.about.casefold()
        for fact in identity.learnt
        if fact.is_death or (fact.turn == "separation" and fact.until_us is None)
    )
    away = away_of(identity)
    named = _named(identity.self_narrative, identity.relational_markers)
    known = {one.name for one in named}
    born = (one for one in identity.learnt if one.kin and one.until_us is None)
    named += tuple(
        NamedOther(one.about, "relative", one.kin) for one in born if one.about not in known
    )
    return tuple(
        one._replace(gone=True, at_home=False)
        if is_any(one, lost)
        else one._replace(at_home=one.at_home and one.name.casefold() not in away)
        for one in named
    )


def away_of(identity: PersonIdentity) -> frozenset[str]:
    """Return the names, in small letters, of those of whom it was told that they are away."""
    held = (fact for fact in identity.learnt if fact.where and fact.until_us is None)
    return frozenset(fact.about.casefold() for fact in held)


def is_any(other: NamedOther, names: Iterable[str]) -> bool:
    """Tell whether one of some names, in small letters, is that of somebody."""
    return other.name.casefold() in names or (bool(other.role) and other.role in names)


LOSSES = ("bereavement", "death", "separation")
"""The turns of a life by which somebody is lost."""


def lost_by(identity: PersonIdentity) -> tuple[NamedOther, ...]:
    """Return whom of its people a person has lost since it was made."""
    learnt = (one for one in identity.learnt if one.turn in LOSSES and one.until_us is None)
    names = frozenset(one.about.casefold() for one in learnt)
    return tuple(one for one in others_of(identity) if is_any(one, names))


def tellings(identity: PersonIdentity, name: str) -> str:
    """Return what an identity tells of somebody behind the name, nothing where it tells nothing."""
    for marker in identity.relational_markers:
        head, comma, rest = " ".join(marker.split()).rstrip(".").partition(", ")
        if comma and head.casefold() == name.casefold():
            return rest
    return ""


@lru_cache(maxsize=1024)
def _named(narrative: str, markers: tuple[str, ...]) -> tuple[NamedOther, ...]:
    """Return whom a narrative and markers of relations name, each name once."""
    age, alone = own_age(narrative), lives_alone(narrative)
    with_me = _with_me(narrative)
    found: dict[str, NamedOther] = {}
    for text in markers:
        for one in _of_marker(text, narrative, age):
            found.setdefault(one.name.casefold(), _as_own(one, text, tuple(found.values())))
    for text in with_me:
        for one in _of_marker(text, narrative, age):
            named = [known for known in found.values() if known.role == one.role != ""]
            if named and not one.name[:1].isupper():
                # Who has a name is not somebody else by what they are: `our twins`.
                for known in named:
                    home = known._replace(at_home=not known.gone)
                    found[known.name.casefold()] = home
                continue
            known = found.get(one.name.casefold(), one)
            found[known.name.casefold()] = known._replace(at_home=not known.gone)
    return tuple(one._replace(at_home=one.at_home and not alone) for one in found.values())


def _with_me(narrative: str) -> Iterator[str]:
    """Yield whom somebody says to live with: `I live with Noriko in a flat`."""
    for found in _WITH.finditer(narrative):
        parts = re.split(r"\s+and\s+|,\s*", _WITH_ENDS.split(f"{found.group(1)} ")[0])
        # `her mother` is somebody else's.
        yield from (one for one in parts if not _OTHERS.match(one))


def _of_marker(text: str, narrative: str, age: int | None) -> list[NamedOther]:
    """Return whom one marker names: mostly one, `Tom and Lisa, my children` two."""
    kind, role = kind_of(text)
    gone = _GONE.search(text) is not None
    at_home = not gone and _is_at_home(text, kind, role, narrative=narrative, age=age)
    return [NamedOther(name, kind, role, at_home, gone) for name in _names(text, role)]


def _names(text: str, role: str) -> list[str]:
    """Return the names that a marker begins with, or what the one is to the person."""
    names: list[str] = []
    end = 0
    for found in _NAME.finditer(text):
        name = found.group(1)
        if name in _NO_NAME or _BEFORE_PLACES.search(text[: found.start()]):
            continue
        if names and not re.fullmatch(r"\s*(?:,|and|&|, and)\s*", text[end : found.start()]):
            break
        names.append(name.removesuffix("'s").removesuffix("’s"))
        end = found.end()
    return names or ([f"your {role}"] if role else [])


def _is_at_home(text: str, kind: Kind, role: str, *, narrative: str, age: int | None) -> bool:
    """Tell whether somebody of a marker lives with the person, as far as that is likely."""
    if kind == "mate" or _LIVES_HERE.search(text):
        return True
    places = (place for place in _IN_A_PLACE.findall(text) if place not in _NO_NAME)
    if _ELSEWHERE.search(text) or any(place not in narrative for place in places):
        return False
    if kind == "child":
        theirs = age_in(text)
        young = role.startswith(("bab", "toddler")) or (theirs is not None and theirs < GROWN)
        return young or (theirs is None and (age is None or age < PARENT_OF_GROWN))
    if kind in ("parent", "sibling"):
        return age is not None and age < GROWN
    return kind == "animal" or (kind == "partner" and role not in ("boyfriend", "girlfriend"))
