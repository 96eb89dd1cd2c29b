"""What somebody who lives at its own pace thinks: two or three sentences from the tables."""

import re

from mindpipe.person.mind.sentences import marks_of
from mindpipe.person.records.thought import LivedMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Grammar, Speaker, expanded, plans
from mindpipe.person.voice.language import language
from mindpipe.person.voice.slots import moment_seen

TRIES = 10
"""How often a sentence is made anew that was said in the last day."""
_START = re.compile(r"(^|[.!?]\s+)([“\"]?)([^\W\d_])")
_DOUBLED = re.compile(r"\b(?!had |that |ha |no |so )(\w+) \1\b", re.I)
_MARKS = re.compile(r"[,;:]+(?=[.!?])|,(?=[,;:])")
NOTHING_ELSE = "I have no words for it just now."


def lived_words(moment: ThoughtMoment, lived: LivedMoment) -> str:
    """Return two or three sentences about what a moment is of, none that was said in the last day.

    The same moment always gives the same words.
    """
    tongue = language()
    seen = moment_seen(moment, lived, tongue)
    said = set(seen.said)
    for symbols in plans(tongue.grammar, "thought", seen.speaker):
        found = [new_sentence(tongue.grammar, one, seen.speaker, said) for one in symbols]
        made = [one for one in found if one]
        if len(made) > len(symbols) - 1 or len(made) > 1:
            return " ".join(made)
    return NOTHING_ELSE


def new_sentence(grammar: Grammar, symbol: str, speaker: Speaker, said: set[int]) -> str:
    """Return a sentence that was not said yet, and note it as said; nothing where none is found."""
    for _ in range(TRIES):
        words = expanded(grammar, symbol, speaker)
        if words is None:
            return ""
        finished = in_full(words)
        marks = set(marks_of(finished))
        if _DOUBLED.search(finished) or not said.isdisjoint(marks):
            continue
        said |= marks
        return finished
    return ""


def in_full(words: str) -> str:
    """Return words as whole sentences: capitals at their beginnings, one mark at their ends."""
    plain = _MARKS.sub("", " ".join(words.split()))
    plain = _START.sub(lambda found: found[1] + found[2] + found[3].upper(), plain)
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
