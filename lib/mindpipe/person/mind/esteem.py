"""How kind or unkind plain words or deeds to a person are, by rated words where a verdict stands.

A rated word counts only where the grammar makes it a verdict on the person, or something done to
it: `you are useless`, `your soup is delicious`, `I trust you`, `she insults you`. A word of how the
person feels (`you look sad`) is none, and what is asked, denied, reported, wished, demanded,
imagined or meant the other way round says nothing.

What is here is compiled when it is imported: import it where something was told without a valence.
"""

import re
from collections.abc import Iterator
from functools import cache

from mindpipe.language.guards import denies, earnest_clauses, is_over
from mindpipe.person.mind.ratings import RATINGS

MOST_RATING = 4.0

_ADVERBS = r"(?:(?:really|truly|so|always|still|just|all|both|do|did|have|has|had|'ve|simply) )*"
_BE = r"(?:'re| are| were| look| looked| sound| smell|'ve been| have been)"
_IS = r"(?:is|are|was|were|looks?|tastes?|sounds?|smells?)"
_SOMEBODY = r"(?:i|we|they|he|she|everyone|everybody|(?:the|my|our|your|his|her) [\w-]+|[a-z]\w+)"
_WORDS = r"(?P<words>(?:[\w-]+ ){0,3}[\w-]+)"
_VERDICTS = (
    re.compile(rf"\byou(?: really| truly| always| all)?{_BE} {_WORDS}"),
    re.compile(rf"\byour (?:[\w-]+ ){{1,3}}?{_IS} {_WORDS}"),
)
_FEELS = re.compile(
    rf"\b(?:you(?: \w+)? (?:makes?|made) me {_ADVERBS}(?P<made>\w+)|i(?:'m| am) {_ADVERBS}"
    r"(?P<feels>\w+) (?:of|in|with|at|for) (?:you\b|your\b))"
)
_NAMES = re.compile(r"^you (?P<words>(?:[\w-]+ )?[\w-]+)$")
_FELT = re.compile(
    rf"\b{_SOMEBODY} {_ADVERBS}(?P<words>\w+)(?P<at> at)?(?: (?:on|with|to))?"
    r" (?:you\b|your\b(?! own))"
)
_DEED = re.compile(
    r"\b(?P<words>\w+(?:s|ed)|(?<=s )\w+)(?P<at> at)?(?: (?:on|with|to))? (?:you\b|your\b(?! own))"
)
_TO_ME = re.compile(rf"\byou {_ADVERBS}(?P<words>\w+) (?:me|us|my|our|everything|everyone)\b")
_FORMULA = re.compile(
    r"^(?:(?P<good>well done|(?:good|great|nice|fine) (?:job|work)|good (?:girl|boy)|good for you"
    r"|congratulations|bravo|thank you|you(?:'ve)? d(?:id|one)"
    r" (?:(?:so|really|very) )?(?:well|great|a (?:good|great|fine|wonderful) job)"
    r"|you (?:\w+ed|did|sang|spoke|wrote|ran|taught|drew) (?:(?:so|really|very) )?"
    r"(?:well|beautifully|brilliantly|wonderfully))"
    r"|(?P<bad>shame on you|shut up|get lost|go to hell|damn you))\b"
)
FORMULA = 0.5
"""How kind or unkind a set phrase is (C)."""
_DEMANDS = re.compile(
    r"\b(?:should|must|could|can|cannot|ought|need|needs|let|shall|better|than|too|enough|like"
    r"|used to|try|trying)\b"
)
"""What makes no verdict of a clause: it asks for something, compares, or measures."""


def _listed(words: str) -> frozenset[str]:
    """Return words that stand in a row."""
    return frozenset(words.split())


_STOPS = _listed(
    "about after as at before because by for from if in into of on than that to when while with"
    " without or but"
)
_STATES = _listed(
    "sad upset angry afraid anxious lonely nervous unhappy hurt sick ill lost sorry guilty mad"
    " miserable jealous desperate bitter weak blind deaf dead alone unwell tense dying suffering"
    " crying sobbing struggling bleeding happy glad safe free lucky sure well better welcome okay"
    " alive healthy calm relaxed broke homeless hopeless helpless"
)
"""How somebody is or feels, which is no verdict on it."""
_HARDLY = _listed("hardly barely scarcely far anything")
_PLAIN_WORDS = _listed("negative positive like pretty kind sure well help please hope share care")
"""Rated words that are most often said without praise: `pretty late`, `what kind of`."""


def esteem(text: str, *, spoken: bool) -> float:
    """Return how kind (to 1) or unkind (to -1) a text is to the person, 0 where it does not show.

    The strongest verdict counts, the worse of two that are as strong.

    Args:
        text: What is said to the person, or what is done, in the second person.
        spoken: Whether it is said.
    """
    found = [0.0]
    for clause in earnest_clauses(text):
        words = clause.text.lower().strip(" .!,;:")
        plain = clause.meant is None and not denies(words) and not is_over(words)
        if plain and not _DEMANDS.search(words):
            found.extend(_verdicts(words, spoken=spoken))
    return min(found, key=lambda value: (-abs(value), value))


def _verdicts(clause: str, *, spoken: bool) -> Iterator[float]:
    """Yield what the verdicts of a clause weigh, from -1 to 1."""
    if spoken and (formula := _FORMULA.match(clause)):
        yield FORMULA if formula["good"] else -FORMULA
    for pattern in _VERDICTS:
        for found in pattern.finditer(clause):
            yield _judged(found["words"], ends=found.end() == len(clause))
    if spoken and (name := _NAMES.match(clause)):
        yield min(0.0, _judged(name["words"], ends=True))
    if spoken:
        yield from (_rating(found["words"]) for found in _TO_ME.finditer(clause))
        yield from (_rating(one["made"] or one["feels"]) for one in _FEELS.finditer(clause))
    if clause.startswith("you "):
        return
    for found in (_FELT if spoken else _DEED).finditer(clause):
        rating = _rating(found["words"])
        laughs = found["at"] is not None and found["words"].startswith("laugh")
        yield -abs(rating) if laughs else rating


def _judged(words: str, *, ends: bool) -> float:
    """Return the rating of the last rated word of a predicate before it turns to something else."""
    rated = 0.0
    kept = words.split()
    for at, word in enumerate(kept):
        if word in _STOPS:
            break
        if word in _HARDLY:
            return 0.0
        if word.endswith("ly") and not (ends and at + 1 == len(kept)):
            continue  # `terribly kind` says how kind
        if word in _STATES or (word.endswith("ed") and _rating(word) < 0.0):
            return 0.0
        doing = word.endswith("ing") and not (ends and at + 1 == len(kept))
        if not doing and (rating := _rating(word)):
            rated = rating
    return rated


def _rating(word: str) -> float:
    """Return how good a word is, from -1 to 1; 0 where it is not rated, or says too little."""
    return 0.0 if word in _PLAIN_WORDS else _ratings().get(word, 0.0)


@cache
def _ratings() -> dict[str, float]:
    """Return the rated words."""
    return {word: rating / MOST_RATING for rating, row in RATINGS.items() for word in row.split()}
