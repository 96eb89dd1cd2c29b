"""Words that govern others: what denies, doubts, supposes, reports or asks; and words that tell."""

import re
from functools import lru_cache

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem

GOVERNING = frozenset(
    re.findall(
        r"\w+",
        # What denies,
        "no not never none nobody nothing nowhere neither nor nope nah without hardly barely "
        "scarcely rarely seldom cannot dont doesnt didnt isnt arent wasnt wont cant hasnt havent "
        "aint unable false wrong untrue nonsense lie lies lying lied fake myth myths rumour "
        "rumours rumor rumors except excluding excluded quit cons kidding joke jokes joking "
        "fool hoax prank fiction fictional novel screenplay scherz aprilscherz "
        "null denied denies former formerly stopped stopping "
        # doubts or supposes,
        "may might could would should perhaps maybe possible possibly probable probably likely "
        "apparently reportedly thought hoping if unless whether almost nearly hypothetical "
        "hypothetically "
        # or is somebody else's,
        "said told heard hear hears write writes wrote quoting according "
        # in German, Spanish and French too.
        "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder wenn "
        "falls ob vielleicht angeblich sagt sagte sagten meint meinte meinen glaube glaubt glaubte "
        "dachte dachten würde würden könnte könnten träumt träumte nunca jamás nada nadie ningún "
        "ninguna ninguno sin ni si quizá quizás dice dicen dijo creo cree creen ne pas jamais rien "
        "aucun aucune sans dit",
    )
) | {
    f"{stem}{ending}"
    for stem in re.findall(
        r"\w+",
        "fail refus deny avoid lack stop suppos alleg seem think believ guess doubt hop wish dream "
        "imagin pretend say tell claim report mention ask quot",
    )
    for ending in ("", "e", "s", "es", "d", "ed", "t", "ing", "edly", "ure", "al", "ary", "able")
}
"""Words that deny, doubt, suppose, report or ask: more of them only keep more together."""
_WORD = r"\w+"
_TELLING = r"\w{3,}"


_stem = lru_cache(maxsize=1 << 12)(stem)


def governing(text: str) -> frozenset[str]:
    """Return the words of a text that deny, doubt, suppose, report or ask, and such marks."""
    lower = text.lower().replace("’", "'")
    marks = (mark for mark in ("?", "n't") if mark in lower)
    return GOVERNING.intersection(re.findall(_WORD, lower)).union(marks)


def governed(text: str) -> bool:
    """Tell whether a text has a word that denies, doubts, asks, supposes or reports."""
    return bool(governing(text))


def telling(text: str) -> frozenset[str]:
    """Return the stems of words that tell something, without those that govern others."""
    words = set(re.findall(_TELLING, text.lower())) - FUNCTION_WORDS - governing(text)
    return frozenset(map(_stem, words))
