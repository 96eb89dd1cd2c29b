"""What is no value: a clause, a pronoun, a day where a place is wanted, a word that is shouted."""

import itertools

from mindpipe.core.patterns import late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.words import (
    ENDURED,
    MEDICINES,
    NO_FIRST_NAMES,
    ONLY_ONE,
    PROGRAMS,
    RELATIVES,
    UNDERGOING,
    listed,
)

_NO_VALUE = listed(
    """
    i i'm i've i'd i'll we he she it that this them this these they you me him her us one ones
    my our myself yourself your yours mine his hers their theirs ours none whatever whoever
    something anything everything nothing someone anyone everyone somebody anybody everybody nobody
    thing things stuff more less much not here there
    to how when where what who which why if but because cause although though unless while than
    am is are was were be been being has had does did having getting
    """
)
"""Words that no value has: they begin another clause, or mean what was named before."""
_TRAILING = listed(
    """
    always sometimes usually mostly often never ever already still somehow forever instead lately
    really honestly probably maybe especially personally definitely seriously literally totally
    absolutely completely generally suddenly recently apparently obviously basically normally
    then anyway though either too again once twice yesterday tomorrow today tonight now yet all
    """
)
"""Adverbs, of which none ends a value."""
_VERBS = listed(
    """
    love loves hate hates enjoy enjoys adore adores dislike dislikes want wants need needs have
    got get gets went go goes do don't can't didn't
    suffer sneeze itch swell react carry avoid
    """
)
"""Verbs by which a second clause goes on: `gin and hate vodka`."""
_LINKS = frozenset({"and", "or"})
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_NO_PERSON = late(rf"(?i){_WEEKDAY}|(?-i:[A-ZÀ-Þ]{{2,}})")
"""`my sister LOVES horses` names no sister."""
_NO_PLACE = late(
    rf"(?i){_WEEKDAY}|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)"
    r"ber|christmas(?: eve| day)?|xmas|easter|new year.*|halloween|ramadan|eid|diwali|hanukkah|"
    r"passover|thanksgiving"
)
"""`I'm working at Christmas`."""
_ORDINAL = late(
    r"(?i)(?:the )?(?:(?:(?:twen|thir)ty[- ])?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|"
    r"tenth|eleventh|twelfth|\w+teenth|(?:twen|thir)tieth|\d+(?:st|nd|rd|th))"
)
"""`Rex hates the fourth` leaves out of what."""
_PLACES = frozenset({"residence", "workplace", "hometown"})
_PERSONS = frozenset({"relation", "partner", "housemate", "pet", "name"})
_NAMED = _PLACES | _PERSONS | {"job"}
MOST_WORDS = 6
"""A longer name of a place, a person or a trade is a clause."""
_SOMEBODYS = late(r"[\w-]+['’]s?")
"""Where somebody is at home who is named so: `we live in Trier but Kim's from Kiel`."""
_DAY_WORD = late(
    rf"(?i){_WEEKDAY}|today|tonight|tomorrow|yesterday|weekends?|weeks?|months?|now|until|since"
)
_PARTICLES = listed("up down out off still straight back around along away together")
"""Words that belong to the verb before a thing: `I can't stand up for long`."""
_WHEN = listed("after before during until till since than except besides unlike")
_SOME = listed("most some certain many few other such")
_OTHERS = RELATIVES | listed(
    "people person persons men man women woman kids children folks guys mornings evenings nights"
)
"""Whom nobody is allergic to, but as one says so: `allergic to stupid people`."""
_WHERE = listed("at in on during under near from by for")
_NO_ALLERGEN = listed(
    """
    bullshit nonsense drama work exercise homework housework chores talk idiots bureaucracy politics
    commitment love fun sports sport small-talk meetings deadlines gossip excuses lies questions
    answers jokes opinions advice compliments rules plans ideas
    """
)
"""What nobody is allergic to but as a joke."""
_SILLY = listed("stupid silly dumb boring bad early long loud your")
"""How something is that somebody calls himself allergic to and only cannot stand."""
_ABSTRACT = late(r"(?i).+(?:ity|ities|ness|ism|isms|ship|hood)")
"""What no body bears ill: `allergic to stupidity`."""
_FUNCTION = FUNCTION_WORDS - {"will", "may"}
"""Words without a meaning of their own, but for those that are people's names too."""
_QUALITIES = listed(
    """
    good great bad terrible awful lousy horrible decent fine excellent wonderful amazing brilliant
    fantastic better worse best worst slow fast quick careful careless nervous keen big huge real
    true proper fussy picky total complete lazy hopeless rubbish crap useless born natural mean
    strict lovely nice kind cool messy clumsy cautious reckless rough poor perfect amateur hobby
    armchair failed frustrated fake pretend secret honorary glorified unpaid personal weekend
    accidental reluctant
    """
)
"""What somebody does well or badly need be no work of his: `a bad cook`, `a careful driver`."""


def names_something(value: str, *, of: str = "") -> bool:
    """Tell whether words can be the value of an attribute: no clause, no pronoun, no adverb."""
    if (of in _PLACES and value == "US") or (of == "job" and value == "IT"):
        return True
    if _is_no_name(value, of) or _ORDINAL.fullmatch(value):
        return False
    said = [one.strip(".,").replace("’", "'") for one in value.lower().split()]
    said = said[2:] if of == "taste" and said[:2] == ["going", "to"] else said
    if not said or not _NO_VALUE.isdisjoint(said) or said[-1] in _TRAILING:
        return False
    return not (_is_no_thing(said, of) or _FUNCTION.issuperset(said) or _goes_on(said))


def _is_no_place(said: str, of: str) -> bool:
    """Tell whether nobody lives there, as in a program, or works there, as at a relative."""
    if of == "residence":
        return said.partition(" ")[0] in PROGRAMS or _SOMEBODYS.fullmatch(said) is not None
    return of == "workplace" and said in RELATIVES


def _is_no_name(value: str, of: str) -> bool:
    """Tell whether words go on where a place, a person or a trade has been named, or name none."""
    if of in _PLACES and (_NO_PLACE.fullmatch(value) or _is_no_place(value.lower(), of)):
        return True
    if of in _PERSONS and (_NO_PERSON.fullmatch(value) or value.lower() in PROGRAMS | RELATIVES):
        return True
    if of in _PERSONS and value.lower() in NO_FIRST_NAMES:
        return True  # "my wife is Greek"
    if of in _PERSONS and value.endswith(("'s", "’s")):
        return True  # "Mum's moved in with us"
    if of == "allergy" and " " not in value and value.istitle():
        return value.lower() not in MEDICINES  # "allergic to Kevin"
    said = value.split() if of in _NAMED else []
    return len(said) > MOST_WORDS or any(_DAY_WORD.fullmatch(one) for one in said)


def _is_no_thing(said: list[str], of: str) -> bool:
    """Tell whether words say when, where or what else, and name no thing of its kind."""
    if of == "job":
        return not _QUALITIES.isdisjoint(said[:-1])
    if of == "taste":
        once = _DONE_ONCE.fullmatch(" ".join(said)) and said[-1] not in ONLY_ONE
        once = once or said[-1] in ("better", "best")  # who likes Tom better need not like him
        once = once or said[0] == "like"  # "like licking a fence, I hate it now" only compares
        return once or said[0] in _PARTICLES | _SOME | UNDERGOING or not _WHEN.isdisjoint(said)
    if of in ("food", "owns"):
        return not (_WHEN | _WHERE).isdisjoint(said[1:])
    joke = of == "allergy" and (said[-1] in _NO_ALLERGEN or not _SILLY.isdisjoint(said[:-1]))
    no_thing = joke or said[0] in _SOME or said[-1] in _OTHERS or _ABSTRACT.fullmatch(said[-1])
    return of == "allergy" and bool(no_thing)


_DONE_ONCE = late(
    r"[a-z]+ing (?:(?:.+ )?(?:others|people|everyone|everybody|community|time)|"
    r"(?:about|into|for|from|of) .+|(?:the|a|an) [a-z]+)"
)
"""What everybody likes to do, or did for once: `helping others`, `prepping the feast`."""


def _goes_on(said: list[str]) -> bool:
    """Tell whether words go on with a second verb."""
    return any(one in _LINKS and other in _VERBS for one, other in itertools.pairwise(said))


def is_done(word: str) -> bool:
    """Tell whether a word is a verb by which a second clause goes on, and no thing."""
    return word in _VERBS


def is_endured(value: str) -> bool:
    """Tell whether who says to like something may well mean the opposite: `I love Mondays`."""
    return not ENDURED.isdisjoint(value.lower().split())


def is_somebody(name: str) -> bool:
    """Tell whether words can be whom something is said of: one letter is no name.

    Whose "Mum" somebody is, no name tells.
    """
    said = name.lower().strip(" .")
    kin = said in RELATIVES
    return len(said) > 1 and not kin and not _FUNCTION.issuperset(said.split())
