"""What somebody who lives at its own pace thinks: two or three sentences from the tables."""

import re

from mindpipe.person.mind.sentences import marks_of, sentence_marks, turns_of
from mindpipe.person.records.thought import LifeMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Grammar, Speaker, expanded, plans
from mindpipe.person.voice.language import language
from mindpipe.person.voice.slots import moment_seen

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

    Where it can be, none of its turns of phrase was said either. `turns` are those of this thought,
    which are not used twice in it in any case.
    """
    worn, within = "", set[str]() if turns is None else turns
    for _ in range(TRIES):
        words = expanded(grammar, symbol, speaker)
        if words is None:
            return ""
        finished = in_full(_touched(words, symbol, grammar, speaker))
        own = {turn.words.removeprefix("and ") for turn in turns_of(finished)}
        is_said = not said.isdisjoint(sentence_marks(finished)) or not within.isdisjoint(own)
        if _DOUBLED.search(finished) or is_said:
            continue
        if not _is_worn(finished, said, speaker):
            return _noted(finished, said, within)
        worn = worn or finished
    return _noted(worn, said, within) if worn else ""


def _noted(sentence: str, said: set[int], turns: set[str]) -> str:
    """Return a sentence after noting it as said."""
    said |= set(marks_of(sentence))
    turns |= {turn.words.removeprefix("and ") for turn in turns_of(sentence)}
    return sentence


def _is_worn(sentence: str, said: set[int], speaker: Speaker) -> bool:
    """Tell whether a turn of phrase was said before; the words of a slot may be said again."""
    filled = [value.casefold() for value in speaker.used]
    for turn in turns_of(sentence):
        words = turn.words
        if turn.begins in said and not any(words.startswith(value) for value in filled):
            return True
        if turn.ends in said and not any(words.endswith(value) for value in filled):
            return True
    return False


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
