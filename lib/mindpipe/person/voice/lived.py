"""What somebody who lives at its own pace thinks: a sentence or two from the tables."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from mindpipe.person.mind.sentences import PhraseTurn, marks_of, sentence_marks, turns_of
from mindpipe.person.records.thought import LifeMoment, ThoughtMoment
from mindpipe.person.voice.grammar import Speaker, expanded, mixed, plans
from mindpipe.person.voice.hours import goes_on, hour_words
from mindpipe.person.voice.language import Language, tongue_of
from mindpipe.person.voice.mention import CLAUSES, PHRASES, QUOTED
from mindpipe.person.voice.slots import Moment, moment_seen

TRIES = 10
"""How often a sentence is made anew that was said lately."""
Finder = Callable[[Language, str, Speaker, set[int], set[str] | None], str]
NAMING = frozenset((*CLAUSES, *QUOTED, *PHRASES, "sore", "piece", "act", "gift", "day"))
"""The slots by which a thought names what it is of."""
LATER = frozenset(("passing", "f_later", "f_days", "f_morrow_late"))
"""What is thought of only in words that are new."""
AIMED = frozenset(("aimed", "awaited"))
"""What one is after, of which nobody thinks in the words of others."""
DUE = frozenset(("f_morrow", "f_days"))
"""What is of another day than today."""
OTHERS = 4
"""How many others somebody borrows words from before it says what anybody would."""
PARSED = frozenset(("twist", "cope"))
"""What is found again by the parsers, so that everybody says it in the same words."""
OF_PARTS = frozenset(("hour",))
"""What is put together of parts, none of which comes back within days."""
JUST = 4
"""In how many thoughts no turn of phrase is said twice, whoever lends it."""
SPOKEN_IDLE, SPOKEN_WANT, SPOKEN_STIR, SPOKEN_BODY, SPOKEN_BUSY = 0.2, 0.15, 0.25, 0.22, 0.35
"""How often what comes to a mind at rest, what the body wants and what stirs has words, and what
comes at rest where something that happened is in the body, or where one is at something."""


def lived_words(moment: ThoughtMoment, lived: LifeMoment, *, aloud: bool = False) -> str:
    """Return a sentence or two about what a moment is of, none said in the last five days.

    It is nothing where there is nothing to say that was not said, unless it has to be `aloud`.
    The same moment always gives the same words.
    """
    tongue = tongue_of(lived)
    seen = moment_seen(moment, lived, tongue)
    speaker = seen.speaker
    must = aloud or moment.mode == "respond"
    if _is_silent(speaker):
        if not must:
            return _of_the_hour(tongue, seen, lived)
        if "named" in speaker.tags:
            speaker = speaker._replace(tags=speaker.tags | {"f_notice"})
    just = _own(turn for words in lived.lately[:JUST] for turn in turns_of(words))
    for find, speaking in _tries(moment, speaker):
        for symbols in plans(tongue.grammar, "thought", speaking):
            said, turns = set(seen.said), set(just)
            made = list[str]()
            for symbol in symbols:
                if words := find(tongue, symbol, speaking, said, turns):
                    made.append(words)
                elif not made:
                    # The first sentence says what the thought is of.
                    break
            if made:
                return " ".join(made)
    if must:
        return tongue.phrases["wordless"] if aloud else ""
    return _of_the_hour(tongue, seen, lived)


def _of_the_hour(tongue: Language, seen: Moment, lived: LifeMoment) -> str:
    """Return what is thought of the hour instead of what has no words; at times nothing."""
    speaker = seen.speaker._replace(must_name=frozenset())
    return hour_words(tongue, speaker, seen.said, lived) if goes_on(speaker, lived) else ""


def _tries(moment: ThoughtMoment, speaker: Speaker) -> Iterator[tuple[Finder, Speaker]]:
    """Yield how sentences are found and who speaks; what comes back is named, or has no words yet.

    So is what the thought before did not name: a train of thought does not lose its thread.
    """
    ways = _ways(moment, speaker.tags)
    is_due = not speaker.tags.isdisjoint(DUE)
    if is_due or "adrift" in speaker.tags:
        lost = {"lost"} if "news" in speaker.tags else set[str]()
        naming = speaker._replace(must_name=NAMING | lost)
        yield from ((find, naming) for find in ways)
    if not is_due:
        yield from ((find, speaker) for find in ways)


def _ways(moment: ThoughtMoment, tags: frozenset[str]) -> tuple[Finder, ...]:
    """Return how sentences are found for a thought, one way after the other.

    Rather another thing in words of one's own than the same one in worn words. Only what has just
    happened is said in the words of others rather than not at all; what comes back on another day,
    where it matters, has worn words rather than none; and what else comes back later, or what
    nothing calls for, has new words or none.
    """
    if "f_notice" in tags or moment.mode == "respond":
        return (new_sentence,)
    if not tags.isdisjoint(DUE) and (tags.isdisjoint(LATER) or "weighty" in tags):
        return (_new_sentence, _borrowed_sentence, worn_sentence)
    if not tags.isdisjoint(("bodily", "occupied")) or (
        tags.isdisjoint(LATER) and tags.isdisjoint(AIMED)
    ):
        return (_new_sentence, _borrowed_sentence)
    return (_new_sentence,)


def _is_silent(speaker: Speaker) -> bool:
    """Tell whether a thought has no words: it would say again what was said, or nothing at all."""
    tags = speaker.tags
    if "named" in tags:
        return "f_" in tags
    if not tags.isdisjoint(("dream", "waking")):
        return False
    share = SPOKEN_IDLE
    if "wanting" in tags:
        share = SPOKEN_WANT
    elif "bodily" in tags:
        share = SPOKEN_BODY
    elif "stirred" in tags:
        share = SPOKEN_STIR
    elif "occupied" in tags:
        share = SPOKEN_BUSY
    return speaker.draw() >= share


def worn_sentence(
    tongue: Language, symbol: str, speaker: Speaker, said: set[int], turns: set[str] | None = None
) -> str:
    """Return a sentence of somebody's own that was not said yet, nothing where none is found.

    Its turns of phrase may have been said. It is noted as said, as `new_sentence` does.
    """
    return _new_sentence(tongue, symbol, speaker, said, turns, worn_too=True)


def new_sentence(
    tongue: Language, symbol: str, speaker: Speaker, said: set[int], turns: set[str] | None = None
) -> str:
    """Return a sentence that was not said yet, and note it as said; nothing where none is found.

    Where it can be, in one's own words or in those of others, none of its turns of phrase was said
    either. `turns` are those of this thought, which are not used twice in it in any case.
    """
    ways = (_new_sentence, _borrowed_sentence)
    found = (
        find(tongue, symbol, speaker, said, turns, worn_too=worn)
        for worn in (False, True)
        for find in ways
    )
    return next(filter(None, found), "")


def _borrowed_sentence(
    tongue: Language,
    symbol: str,
    speaker: Speaker,
    said: set[int],
    turns: set[str] | None = None,
    *,
    worn_too: bool = False,
) -> str:
    """Return a new sentence of who has said all of its own words.

    It says what somebody else would, and if worn words will do, then what anybody would.
    """
    if speaker.idiolect is None:
        return ""
    others = tuple(mixed(nth, speaker.idiolect) for nth in range(OTHERS))
    for idiolect in (*others, None) if worn_too else others:
        other = speaker._replace(idiolect=idiolect)
        if words := _new_sentence(tongue, symbol, other, said, turns, worn_too=worn_too):
            return words
    return ""


def _new_sentence(
    tongue: Language,
    symbol: str,
    speaker: Speaker,
    said: set[int],
    turns: set[str] | None = None,
    *,
    worn_too: bool = False,
) -> str:
    """Return a new sentence in the words that a speaker has; nothing where none is found."""
    within = set[str]() if turns is None else turns
    worn: tuple[str, tuple[PhraseTurn, ...], dict[str, str]] | None = None
    named = dict(speaker.used)
    for _ in range(TRIES):
        _name(speaker, named)
        words = expanded(tongue.grammar, symbol, speaker)
        if words is None:
            break
        finished = tongue.finished(words, speaker, parsed=symbol in PARSED)
        phrases = tuple(turns_of(finished))
        if speaker.must_name and speaker.must_name.isdisjoint(speaker.used.values()):
            continue
        marks = marks_of(finished) if symbol in OF_PARTS else sentence_marks(finished)
        is_said = not said.isdisjoint(marks)
        if is_said or not within.isdisjoint(_own(phrases)) or tongue.stutters(finished):
            continue
        if not _is_worn(phrases, said, speaker):
            return _noted(finished, phrases, said, within)
        worn = worn or (finished, phrases, dict(speaker.used))
    if worn is None or not worn_too:
        _name(speaker, named)
        return ""
    finished, phrases, used = worn
    _name(speaker, used)
    return _noted(finished, phrases, said, within)


def _name(speaker: Speaker, named: dict[str, str]) -> None:
    """Let a speaker have named this and nothing else in a thought."""
    speaker.used.clear()
    speaker.used.update(named)


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
