"""A search in the log: what is asked, and how near a message comes."""

import math
import re
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from mindpipe.core.records import Record
from mindpipe.core.text import FUNCTION_WORDS, without_surrogates

MOST_WORDS = 100
"""Any of so many different words are looked for; what a longer text has more is left out."""

_PHRASE = re.compile(r'"([^"]*)"|([^\s"]+)')
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~‘’“”„‚«»…–—¿¡·•、。！？，；："
_CONTRACTED = re.compile(r"(?<=\w)['’](?:s|t|d|m|re|ve|ll)$", re.IGNORECASE)
# What an English word may end in; the rest stands for all words that begin like it.
_ENDINGS = ("ings", "ies", "ing", "ed", "es", "s", "e", "y")
_SHORTEST_STEM = 4


class Query(Record):
    """A search: the FTS5 expression, and its words for finding them again in a text."""

    expression: str
    terms: tuple[str, ...]


def query_of(text: str) -> Query | None:
    """Return the query for typed words, all of which must be there; None where there are none.

    Words in double quotes belong together in that order; a word that ends in `*` stands for all
    words that begin like it. Everything else that FTS5 takes for syntax is quoted.
    """
    wanted = [_exact(phrase, word) for phrase, word in _typed(text)]
    if not wanted:
        return None
    return Query(
        expression=" AND ".join(query.expression for query in wanted),
        terms=tuple(term for query in wanted for term in query.terms),
    )


def any_of(text: str) -> tuple[Query, ...]:
    """Return a query for each different word of typed words or of a question.

    Double quotes and `*` mean what they mean for `query_of`. Any other word stands for all that
    begin like it without its ending, and function words count only where there are no others. Of
    more than 100 words the first count.
    """
    telling: dict[str, Query] = {}
    others: dict[str, Query] = {}
    for phrase, typed in _typed(text):
        word = _CONTRACTED.sub("", typed.strip(_MARKS))
        if phrase or typed.endswith("*") or not word.isalnum():
            wanted = _exact(phrase, typed)
        else:
            begins = stem(word)
            any_ending = "*" * (len(begins) >= _SHORTEST_STEM)
            wanted = Query(expression=f'"{begins}"{any_ending}', terms=(begins,))
        kind = others if word.lower() in FUNCTION_WORDS else telling
        kind.setdefault(wanted.expression.lower(), wanted)
    return tuple((telling or others).values())[:MOST_WORDS]


def _typed(text: str) -> list[tuple[str, str]]:
    """Return what was typed piece by piece: a phrase that stood in quotes, or else a word."""
    clean = without_surrogates(text)[0].replace("\ufffd", " ")
    return [
        (phrase, word)
        for phrase, word in _PHRASE.findall(clean)
        if any(character.isalnum() for character in phrase or word)
    ]


def _exact(phrase: str, word: str) -> Query:
    """Return the query for a phrase or a word as it was typed."""
    wanted = phrase or word
    return Query(
        expression=f'"{wanted}"' + ("*" if word.endswith("*") else ""), terms=(wanted.strip("*"),)
    )


def stem(word: str) -> str:
    """Return a word without its ending, if four letters or more are left of it."""
    for ending in _ENDINGS:
        if word.lower().endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


# A word counts for the message that holds it and, less with each step, for those beside it: an
# answer stands beside its question and repeats little of it.
_REACH = 8
_SHARES = tuple(1 / (1 + 0.4 * distance) for distance in range(_REACH + 1))


class SearchFit(NamedTuple):
    """A message, by its number, and how well it fits: more is better."""

    seq: int
    score: float


def ranked(words: Sequence[Mapping[int, float]], *, limit: int) -> list[SearchFit]:
    """Return the messages that fit a question best, at most `limit`.

    `words` maps, for each word of the question, the messages that hold it to what it counts for
    there (bm25, more is better). A word counts once for a message: from itself, or from the message
    nearby for which it gives most. Only messages that hold a word themselves are ranked; of equals
    the newer one comes first.
    """
    scores = dict.fromkeys((seq for word in words for seq in word), 0.0)
    for word in words:
        for seq, weight in _spread(word, scores.keys()).items():
            scores[seq] += weight
    best = sorted(scores.items(), key=lambda fit: (-fit[1], -fit[0]))
    return [SearchFit(seq, score) for seq, score in best[:limit]]


class CycleFit(NamedTuple):
    """A cycle, and by how much more it shares with a text than chance gives, in nats."""

    cycle: int
    score: float


def bearing(words: Sequence[Set[int]], *, lived: int) -> list[CycleFit]:
    """Return the cycles that bear on a text, best first; of equals the newer one comes first.

    `words` are, for each word of the text, those of the `lived` cycles that hold it. A word that n
    of N cycles hold tells ln(N / n) of where to look (Shannon, A Mathematical Theory of
    Communication, 1948), and n / N of that any cycle has by chance. A cycle bears on the text where
    what its words tell beyond chance is half of ln(N) or more: where words that are spread by
    chance would single out no more than the square root of N cycles.
    """
    telling = [(held, math.log(lived / len(held))) for held in words if 0 < len(held) < lived]
    usual = sum(told * len(held) / lived for held, told in telling)
    scores: dict[int, float] = {}
    for held, told in telling:
        for cycle in held:
            scores[cycle] = scores.get(cycle, -usual) + told
    fits = [CycleFit(*one) for one in scores.items() if one[1] >= math.log(lived) / 2]
    return sorted(fits, key=lambda fit: (-fit.score, -fit.cycle))


def _spread(word: Mapping[int, float], places: Set[int]) -> dict[int, float]:
    """Return what a word counts for in some messages."""
    weights: dict[int, float] = {}
    for seq, weight in word.items():
        for distance, share in enumerate(_SHARES):
            counted = weight * share
            for place in (seq - distance, seq + distance):
                if place in places and counted > weights.get(place, 0.0):
                    weights[place] = counted
    return weights
