"""What somebody who lives at its own pace thinks: two or three sentences from the tables."""

import re

from mindpipe.person.mind.sentences import marks_of
from mindpipe.person.records.thought import LifeMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Grammar, Speaker, expanded, plans
from mindpipe.person.voice.language import language
from mindpipe.person.voice.slots import moment_seen

_BETWEEN = re.compile(r"[,;:.!?]")
LEAST_TURN = 4
"""The fewest words of a turn of phrase."""
TRIES = 10
"""How often a sentence is made anew that was said in the last day."""
_START = re.compile(r"(^|[.!?]\s+)([“\"]?)([^\W\d_])")
_DOUBLED = re.compile(r"\b(?!had |that |ha |no |so )(\w+) \1\b", re.I)
_MARKS = re.compile(r"[,;:]+(?=[.!?])|,(?=[,;:])")
TOUCHED = {"mean": "mean", "muse": "mean", "lean": "lean"}
"""The sentences that somebody's habits of speech may open or end, by the tables of these."""
MOST_TOUCHED, ENDED, OPENED = 16, 0.3, 0.12
"""The most words of such a sentence; how often it is ended, and opened, by a habit."""
OPENABLE = frozenset(
    ("i", "it", "there", "that", "this", "nobody", "one", "the", "a", "my", "so", "such", "people")
)
"""Words that may stand within a sentence as well."""
_SOLEMN = frozenset(("dark", "pressing"))
"""Where nobody ends a sentence by habit."""
NOTHING_ELSE = "I have no words for it just now."


def lived_words(moment: ThoughtMoment, lived: LifeMoment) -> str:
    """Return two or three sentences about what a moment is of, none that was said in the last day.

    The same moment always gives the same words.
    """
    tongue = language()
    seen = moment_seen(moment, lived, tongue)
    said = set(seen.said)
    for symbols in plans(tongue.grammar, "thought", seen.speaker):
        turns: set[str] = set()
        found = [new_sentence(tongue.grammar, one, seen.speaker, said, turns) for one in symbols]
        made = [one for one in found if one]
        if len(made) > len(symbols) - 1 or len(made) > 1:
            return " ".join(made)
    return NOTHING_ELSE


def new_sentence(
    grammar: Grammar, symbol: str, speaker: Speaker, said: set[int], turns: set[str] | None = None
) -> str:
    """Return a sentence that was not said yet, and note it as said; nothing where none is found.

    `turns` are the turns of phrase of this thought, which are not used twice in it either.
    """
    for _ in range(TRIES):
        words = expanded(grammar, symbol, speaker)
        if words is None:
            return ""
        finished = in_full(_touched(words, symbol, grammar, speaker))
        marks = set(marks_of(finished))
        own = _turns_of(finished)
        again = turns is not None and not turns.isdisjoint(own)
        if _DOUBLED.search(finished) or not said.isdisjoint(marks) or again:
            continue
        said |= marks
        if turns is not None:
            turns |= own
        return finished
    return ""


def _turns_of(sentence: str) -> set[str]:
    """Return the turns of phrase of a sentence: what stands between its marks, if it is long."""
    parts = (part.strip().lower() for part in _BETWEEN.split(sentence))
    plain = {part.removeprefix("and ") for part in parts}
    return {part for part in plain if len(part.split()) >= LEAST_TURN}


def _touched(words: str, symbol: str, grammar: Grammar, speaker: Speaker) -> str:
    """Return a sentence as its speaker is in the habit of saying it, at times."""
    habit = TOUCHED.get(symbol)
    if habit is None or len(words.split()) > MOST_TOUCHED or not words.endswith("."):
        return words
    draw, plain = speaker.draw(), words.removesuffix(".")
    may_end = draw < ENDED and ". " not in plain and _SOLEMN.isdisjoint(speaker.tags)
    if may_end and (end := expanded(grammar, f"{habit}_end", speaker)):
        return words if end.split()[-1] == plain.split()[-1] else f"{plain}{end}."
    first, _, rest = words.partition(" ")
    opened = draw >= 1 - OPENED and first.lower() in OPENABLE
    if opened and (start := expanded(grammar, f"{habit}_start", speaker)):
        return f"{start}{first if first == 'I' else first.lower()} {rest}"
    return words


def in_full(words: str) -> str:
    """Return words as whole sentences: capitals at their beginnings, one mark at their ends."""
    plain = _MARKS.sub("", " ".join(words.split()))
    plain = _START.sub(lambda found: found[1] + found[2] + found[3].upper(), plain)
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
