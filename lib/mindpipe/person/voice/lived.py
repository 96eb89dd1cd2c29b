"""What somebody who lives at its own pace thinks: two or three sentences from the tables."""

import re
from collections.abc import Iterable, Sequence

from mindpipe.person.mind.sentences import PhraseTurn, sentence_marks, turns_of
from mindpipe.person.records.thought import LifeMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Speaker, expanded, plans
from mindpipe.person.voice.language import Language, language
from mindpipe.person.voice.slots import moment_seen

TRIES = 10
"""How often a sentence is made anew that was said in the last day."""
_START = re.compile(r"(^|[.!?]\s+)([“\"]?)([^\W\d_])")
_MARKS = re.compile(r"[,;:]+(?=[.!?])|,(?=[,;:])")
TOUCHED = {"mean": "mean", "muse": "mean", "lean": "lean"}
"""The sentences that somebody's habits of speech may open or end, by the tables of these."""
JOINED = frozenset(("mean", "muse", "lean", "feel", "react", "reply", "trail", "pass", "stir"))
"""The sentences that are joined to something of this life where they say nothing of it."""
MOST_TOUCHED, OWN, ENDED, OPENED = 16, 0.45, 0.08, 0.04
"""The most words of such a sentence; how often it is joined, ended, and opened by a habit."""
SHORT = 13
"""The most words of a sentence that the one before it is joined to."""
HALF = ", and "
"""What joins two clauses; a sentence that has it once already is joined by more."""
_SOLEMN = frozenset(("dark", "pressing"))
"""Where nobody ends a sentence by habit."""


def lived_words(moment: ThoughtMoment, lived: LifeMoment) -> str:
    """Return two or three sentences about what a moment is of, none that was said in the last day.

    The same moment always gives the same words.
    """
    tongue = language()
    seen = moment_seen(moment, lived, tongue)
    for find in (_new_sentence, new_sentence):
        # Rather another thing in words of its own than the same one in worn words.
        for symbols in plans(tongue.grammar, "thought", seen.speaker):
            said, turns = set(seen.said), set[str]()
            made = list[tuple[str, str]]()
            for symbol in symbols:
                if words := find(tongue, symbol, seen.speaker, said, turns):
                    made.append((symbol, words))
                elif not made:
                    # The first sentence says what the thought is of.
                    break
            if made and len(made) >= min(len(symbols), 2):
                return _developed(made, tongue, seen.speaker)
    return tongue.phrases["wordless"]


def _developed(made: list[tuple[str, str]], tongue: Language, speaker: Speaker) -> str:
    """Return the sentences of a thought, a short one joined to the short one before it."""
    kept: list[str] = []
    for symbol, words in made:
        before = kept[-1] if kept else ""
        first, _, rest = words.partition(" ")
        short = max(len(before.split()), len(words.split())) <= SHORT and before.endswith(".")
        inside = first if first in tongue.proper else first.lower()
        link = None
        halved = any(HALF in one for one in (before, words))
        if short and ". " not in before + words and inside.lower() in tongue.openable:
            link = expanded(tongue.grammar, f"to_{symbol}", speaker)
        if link is None:
            kept.append(words)
        else:
            link = "; " if halved and link == HALF else link
            kept[-1] = f"{before.removesuffix('.')}{link}{inside} {rest}"
    return " ".join(kept)


def new_sentence(
    tongue: Language, symbol: str, speaker: Speaker, said: set[int], turns: set[str] | None = None
) -> str:
    """Return a sentence that was not said yet, and note it as said; nothing where none is found.

    Where it can be, none of its turns of phrase was said either. `turns` are those of this thought,
    which are not used twice in it in any case.
    """
    within = set[str]() if turns is None else turns
    found = _new_sentence(tongue, symbol, speaker, said, within, worn_too=True)
    if found or speaker.idiolect is None:
        return found
    # Whoever has said all of its own words says what others would.
    others = speaker._replace(idiolect=None)
    return _new_sentence(tongue, symbol, others, said, within, worn_too=True)


def _new_sentence(
    tongue: Language,
    symbol: str,
    speaker: Speaker,
    said: set[int],
    within: set[str],
    *,
    worn_too: bool = False,
) -> str:
    """Return a new sentence in the words that a speaker has; nothing where none is found."""
    worn: tuple[str, tuple[PhraseTurn, ...]] | None = None
    named = dict(speaker.used)
    for _ in range(TRIES):
        speaker.used.clear()
        speaker.used.update(named)
        words = expanded(tongue.grammar, symbol, speaker)
        if words is None:
            return ""
        finished = tongue.sounded(in_full(_touched(words, symbol, tongue, speaker)))
        phrases = tuple(turns_of(finished))
        is_said = not said.isdisjoint(sentence_marks(finished))
        if is_said or not within.isdisjoint(_own(phrases)) or tongue.stutters(finished):
            continue
        if not _is_worn(phrases, said, speaker):
            return _noted(finished, phrases, said, within)
        worn = worn or (finished, phrases)
    return _noted(*worn, said, within) if worn and worn_too else ""


def _own(phrases: Iterable[PhraseTurn]) -> set[str]:
    """Return turns of phrase as they are known within a thought."""
    return {turn.words.removeprefix("and ") for turn in phrases}


def _noted(sentence: str, phrases: Sequence[PhraseTurn], said: set[int], turns: set[str]) -> str:
    """Return a sentence after noting it, and its turns of phrase, as said."""
    said.update(sentence_marks(sentence))
    said.update(mark for turn in phrases for mark in (turn.begins, turn.ends))
    turns |= _own(phrases)
    return sentence


def _is_worn(phrases: Iterable[PhraseTurn], said: set[int], speaker: Speaker) -> bool:
    """Tell whether a turn of phrase was said before; the words of a slot may be said again."""
    filled = [value.casefold() for value in speaker.used]
    for turn in phrases:
        words = turn.words
        if turn.begins in said and not any(words.startswith(value) for value in filled):
            return True
        if turn.ends in said and not any(words.endswith(value) for value in filled):
            return True
    return False


def _touched(words: str, symbol: str, tongue: Language, speaker: Speaker) -> str:
    """Return a sentence as its speaker says it: at times joined to its life, or with a habit."""
    plain, grammar = words.removesuffix("."), tongue.grammar
    if plain == words or len(words.split()) > MOST_TOUCHED or ". " in plain:
        return words
    draw, bare = speaker.draw(), not any(value in words for value in speaker.used)
    if symbol in JOINED and bare and draw < OWN and "tailed" not in speaker.tags:
        return plain + (expanded(grammar, f"{symbol}_own", speaker) or "") + "."
    habit = TOUCHED.get(symbol)
    if habit is None:
        return words
    draw = speaker.draw()
    if draw < ENDED and _SOLEMN.isdisjoint(speaker.tags):
        return f"{plain}{expanded(grammar, f'{habit}_end', speaker) or ''}."
    first, _, rest = words.partition(" ")
    opened = draw >= 1 - OPENED and first.lower() in tongue.openable
    if opened and (start := expanded(grammar, f"{habit}_start", speaker)):
        return f"{start}{first if first in tongue.proper else first.lower()} {rest}"
    return words


def in_full(words: str) -> str:
    """Return words as whole sentences: capitals at their beginnings, one mark at their ends."""
    plain = _MARKS.sub("", " ".join(words.split()))
    plain = _START.sub(lambda found: found[1] + found[2] + found[3].upper(), plain)
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
