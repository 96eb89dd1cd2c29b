"""What is no value: a clause, a pronoun, a day where a place is wanted, a word that is shouted."""

import itertools
import re

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.words import RELATIVES, listed

_NO_VALUE = listed(
    """
    i i'm i've i'd i'll we he she it that this them this these they you me him her us one ones
    my our myself yourself
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
    """
)
"""Verbs by which a second clause goes on: `gin and hate vodka`."""
_LINKS = frozenset({"and", "or"})
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_NO_PERSON = re.compile(rf"(?i){_WEEKDAY}|(?-i:[A-ZÀ-Þ]{{2,}})")
"""`my sister LOVES horses` names no sister."""
_NO_PLACE = re.compile(
    rf"(?i){_WEEKDAY}|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)"
    r"ber|christmas(?: eve| day)?|xmas|easter|new year.*|halloween|ramadan|eid|diwali|hanukkah|"
    r"passover|thanksgiving"
)
"""`I'm working at Christmas`."""
_ORDINAL = re.compile(
    r"(?i)(?:the )?(?:(?:(?:twen|thir)ty[- ])?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|"
    r"tenth|eleventh|twelfth|\w+teenth|(?:twen|thir)tieth|\d+(?:st|nd|rd|th))"
)
"""`Rex hates the fourth` leaves out of what."""
_PROGRAMS = listed(
    """
    postgres postgresql mysql sqlite mariadb mongodb mongo redis firebase supabase dynamodb django
    rails laravel flask react vue svelte angular next.js kubernetes docker terraform aws azure gcp
    heroku vercel hetzner github gitlab bitbucket slack discord teams zoom notion jira trello asana
    linux ubuntu debian windows macos android ios gmail outlook signal whatsapp telegram
    typescript javascript kotlin python rust spotify shopify wordpress figma
    """
)
"""Where people move to, and live nowhere: `we moved to Postgres`."""
_PLACES = frozenset({"residence", "workplace", "hometown"})
_PERSONS = frozenset({"relation", "partner", "housemate", "pet", "name"})
_FUNCTION = FUNCTION_WORDS - {"will", "may"}
"""Words without a meaning of their own, but for those that are people's names too."""
_QUALITIES = listed(
    """
    good great bad terrible awful lousy horrible decent fine excellent wonderful amazing brilliant
    fantastic better worse best worst slow fast quick careful careless nervous keen big huge real
    true proper fussy picky total complete lazy hopeless rubbish crap useless born natural mean
    strict lovely nice kind cool messy clumsy cautious reckless rough poor perfect
    """
)
"""What somebody does well or badly need be no work of his: `a bad cook`, `a careful driver`."""


def names_something(value: str, *, of: str = "") -> bool:
    """Tell whether words can be the value of an attribute: no clause, no pronoun, no adverb."""
    if of in _PLACES and (value == "US" or _NO_PLACE.fullmatch(value)):
        return value == "US"
    if of in _PLACES and _is_no_place(value.lower(), of):
        return False
    if _ORDINAL.fullmatch(value) or (of in _PERSONS and _NO_PERSON.fullmatch(value)):
        return False
    said = [one.strip(".,").replace("’", "'") for one in value.lower().split()]
    if not said or not _NO_VALUE.isdisjoint(said) or said[-1] in _TRAILING:
        return False
    if of == "job" and not _QUALITIES.isdisjoint(said[:-1]):
        return False
    return not (_FUNCTION.issuperset(said) or _goes_on(said))


def _is_no_place(said: str, of: str) -> bool:
    """Tell whether nobody lives there, as in a program, or works there, as at a relative."""
    return (of == "residence" and said.partition(" ")[0] in _PROGRAMS) or (
        of == "workplace" and said in RELATIVES
    )


def _goes_on(said: list[str]) -> bool:
    """Tell whether words go on with a second verb."""
    return any(one in _LINKS and other in _VERBS for one, other in itertools.pairwise(said))


def is_somebody(name: str) -> bool:
    """Tell whether words can be whom something is said of: one letter is no name."""
    return len(name.strip(" .")) > 1 and not _FUNCTION.issuperset(name.lower().split())
