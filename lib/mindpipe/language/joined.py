"""What a clause says in one breath, taken apart: `I speak French and German`, `Mia is 4 and swims`.

Each way of taking it apart gives clauses that have to be forms all of them; what else is joined
by "and" stays together.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.forms import CLOSE, KIN, NAME, PET, PETS_OWN
from mindpipe.language.guards import denies

MOST_WORDS = 4
"""Words that a thing of a list has, with its article: `a cat called Minka`."""
_LIST = late(
    r"(?P<first>[^,]+?)(?P<more>(?:, (?!and\b|or\b|but\b)[^,]+)*),? "
    r"(?P<link>and|or|&) (?P<last>[^,]+)"
)
_LINKS = late(r" (?:and|or|but|&) ")
_ARTICLE = late(r"^(?:the|an?|my|some) ")
_ENDS_IN_ARTICLE = late(r" (?:the|an?|my|some)$")
_STATES = (
    r"(?:live|work|love|like|hate|enjoy|play|speak|own|drive|prefer|take|study|teach|adore|eat)s?|"
    r"studies|teaches|goes|go|have|has|am|is|are|do|does|come|comes"
)
_DONE = r"grew up|moved|joined|started|quit|retired|turned|got|became|was"
_PREDICATES = late(
    rf"(?P<left>.+?),? (?P<link>and|but) (?P<right>(?:(?:now|also|currently) )?"
    rf"(?:{_STATES}|(?P<done>{_DONE}))\b.*)"
)
_COMPLEMENTS = late(
    rf"(?P<left>(?P<who>I|[Ww]e|{NAME})(?P<be>['’](?:m|re|s)| am| are| is) .+?) and (?P<right>.+)"
)
_BY_KIN = late(
    rf"(?:[Mm]y|[Oo]ur) (?:{CLOSE}(?:{KIN})|{PETS_OWN}(?:{PET})),? (?P<name>{NAME}),?"
    r"(?P<said>(?:['’]s | (?:is|isn['’]t|has|does|doesn['’]t|can['’]t|never|no longer|also|now|"
    r"still|really|just|[a-z]+s|moved|turned|got|joined|quit|became|started)\b).*)"
)
"""Whom somebody names by what he is to him: of `my wife Anna works here` Anna is told of."""
_AGED = late(
    r"(?P<who>I(?:['’]m| am)) an? (?P<years>\d{2})[- ]years?[- ]old (?P<trade>[a-z -]+?)"
    r"(?: from (?P<from>[A-Z].*)| (?:living |based )?in (?P<in>[A-Z].*))?"
)
_SUBJECT = late(
    rf"(?P<i>I|i)\b|(?P<we>[Ww]e)\b|(?:[Mm]y|[Oo]ur) (?:{CLOSE}(?:{KIN})|{PETS_OWN}(?:{PET})),? "
    rf"(?P<name>{NAME})|(?P<other>{NAME})"
)


_NAMING = late(
    rf"(?:(?:[Mm]y|[Oo]ur) (?:{CLOSE}(?P<kin>{KIN})|{PETS_OWN}(?P<pet>{PET}))(?:['’]s name)?"
    rf"(?: is|['’]s)(?: called| named)? (?P<name>{NAME})|"
    rf"(?:I|[Ww]e)(?: have|['’]ve got) an? (?:{CLOSE}(?P<kin_2>{KIN})|{PETS_OWN}(?P<pet_2>{PET}))"
    rf"(?: called| named|,) (?P<name_2>{NAME}))\W*"
)
"""All of a clause that says who is what to its speaker, of whom the next one may go on."""
_PRONOUN = late(r"(?:and )?(?P<who>[Ss]?[Hh]e|[Ii]t)(?P<said>['’]s .*| .*)")


class Joined(NamedTuple):
    """The clauses that one joins: all that is said of one subject, or things of one list.

    Of what is said of one, what is read holds though another part is read by nobody, where it is
    `loose`: no part tells of what was done. Of a list it may be `either`, which denied means both.
    """

    clauses: tuple[str, ...]
    things: bool = False
    loose: bool = False
    either: bool = False


def joined(text: str) -> Iterator[Joined]:
    """Yield the clauses that a clause may join, in each way in which it may join some."""
    if (aged := _AGED.fullmatch(text)) is not None:
        who, trade = aged["who"], aged["trade"]
        article = "an" if trade[:1] in "aeiou" else "a"
        place = [f"{who} from {aged['from']}"] if aged["from"] else []
        place += [f"{who} living in {aged['in']}"] if aged["in"] else []
        yield Joined((f"{who} {aged['years']} years old", f"{who} {article} {trade}", *place))
    if _LINKS.search(text):
        yield from _predicates(text)
        yield from _things(text)
    if (named := _BY_KIN.fullmatch(text)) is not None:
        yield Joined((f"{named['name']}{named['said']}",))


def of_the_named(before: str, text: str) -> str:
    """Return a clause of "she", "he" or "it" as of whom the one before it names, or "".

    `My wife is called Anna. She is a doctor.`
    """
    named, going_on = _NAMING.fullmatch(before), _PRONOUN.fullmatch(text)
    if named is None or going_on is None:
        return ""
    kin, who = (named["kin"] or named["kin_2"] or "").lower(), going_on["who"].lower()
    others = {"he": words.WOMEN, "she": words.MEN}.get(who, frozenset[str]())
    fits = who != "it" and kin not in others
    name = (named["name"] or named["name_2"]).rstrip(".")
    return f"{name}{going_on['said']}" if fits or not kin else ""


def _things(text: str) -> Iterator[Joined]:
    """Yield a clause with each thing of a list in the place of the first: `French and German`."""
    found = _LIST.fullmatch(text)
    if found is None:
        return
    others = [*found["more"].split(", ")[1:], found["last"]]
    before = found["first"].split(" ")
    if any(len(one.split()) > MOST_WORDS for one in others):
        return
    for count in range(1, min(MOST_WORDS, len(before) - 1) + 1):
        head = " ".join(before[:-count])
        bare = _ENDS_IN_ARTICLE.search(f" {head}") is not None
        items = [_ARTICLE.sub("", one) if bare else one for one in others]
        yield Joined(
            (found["first"], *(f"{head} {one}" for one in items)),
            things=True,
            either=found["link"] == "or",
        )


def _predicates(text: str) -> Iterator[Joined]:
    """Yield the two things that a clause says of one: `I'm a nurse and live in Kiel`."""
    if (found := _PREDICATES.fullmatch(text)) is not None:
        subject = _SUBJECT.match(found["left"])
        who = next(filter(None, subject.groups()), "") if subject else ""
        if who:
            loose = found["done"] is None and not denies(text)
            yield Joined((found["left"], f"{who} {found['right']}"), loose=loose)
    if (found := _COMPLEMENTS.fullmatch(text)) is not None:
        clauses = found["left"], f"{found['who']}{found['be']} {found['right']}"
        yield Joined(clauses, loose=not denies(text))
