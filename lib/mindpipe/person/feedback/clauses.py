"""A thought taken apart into clauses of words, each word beside its lemma."""

import re
from functools import lru_cache
from typing import NamedTuple

from mindpipe.person.feedback.wording import plain, words

EXPANSIONS: tuple[tuple[str, str], ...] = (
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"\b(it|that|he|she|what|nothing|there)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"'d\b", " would"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bim\b", "i am"),
    (r"\bive\b", "i have"),
    (r"\b(do|does|did|is|was|are|have|has|had|could|should|would)nt\b", r"\1 not"),
    (r"\bcant\b", "can not"),
    (r"\bwont\b", "will not"),
    (r", so ", " therefore "),
)
"""Contractions and what they stand for, in the order in which they are looked for."""
_EXPANSIONS = tuple((re.compile(found), put) for found, put in EXPANSIONS)
_BOUNDARY = re.compile(r"[.;!?\n]+|, (?:but|and|yet) | but | although | though | however | yet ")
_WORD = re.compile(r"[a-z']+|\d+")
LEMMAS: dict[str, str] = {
    **dict.fromkeys(("am", "is", "are", "was", "were", "been", "being"), "be"),
    **dict.fromkeys(("has", "had", "having"), "have"),
    **dict.fromkeys(("does", "did", "doing", "done"), "do"),
    **dict.fromkeys(("thought", "thinking"), "think"),
    **dict.fromkeys(("lost",), "lose"),
    **dict.fromkeys(("hid", "hidden"), "hide"),
    **dict.fromkeys(("made", "making"), "make"),
    **dict.fromkeys(("knew", "known"), "know"),
    **dict.fromkeys(("went", "gone", "goes"), "go"),
    **dict.fromkeys(("dying", "dies", "died"), "die"),
    **dict.fromkeys(("lets", "letting"), "let"),
    "felt": "feel",
    "feelings": "feeling",
    "kept": "keep",
    "said": "say",
    "got": "get",
    "ruined": "ruin",
    "ok": "okay",
    "happening": "happen",
    "used": "use",
}
"""Words whose lemma no rule finds."""
UNCHANGED = words(
    "going feeling thing this something anything everything nothing always less worthless"
    " useless pass during bring king evening morning need indeed"
)
"""Words that no rule may shorten."""
STEMS = words(
    "solv fac hid mak replac ignor refram ruminat blam hat tak leav believ imagin figur"
    " chang mov los catastrophiz minimiz notic judg despis escap settl get wast lov car"
    " liv giv com"
)
"""Stems that end in e before -ing or -ed was added."""
_LEAST = 3


class Clause(NamedTuple):
    """The words of one clause in plain form, and their lemmas, one each."""

    words: tuple[str, ...]
    lemmas: tuple[str, ...]


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a thought that hold a word; lines, too, are parted."""
    said = "\n".join(plain(line) for line in text.splitlines())
    for found, put in _EXPANSIONS:
        said = found.sub(put, said)
    parts = (tuple(_WORD.findall(part)) for part in _BOUNDARY.split(said))
    return [Clause(written, tuple(map(lemma, written))) for written in parts if written]


@lru_cache(maxsize=10_000)
def lemma(word: str) -> str:
    """Return the form under which a word stands in patterns: without -ing, -ed, -s."""
    if word in LEMMAS:
        return LEMMAS[word]
    if word in UNCHANGED:
        return word
    if word.endswith(("ies", "ied")) and len(word) > _LEAST + 1:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST:
            return _stem(stem)
    if word.endswith("s") and len(word) > _LEAST and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _stem(stem: str) -> str:
    """Return what is left of a word without -ing or -ed as the verb it comes from."""
    if stem in STEMS:
        return f"{stem}e"
    if len(stem) > _LEAST and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem
