"""What somebody thinks in an hour in which nothing happens: put together of parts."""

import re

from mindpipe.person.calendar import HOUR_US
from mindpipe.person.mind.sentences import sentence_marks
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.thought import LifeMoment
from mindpipe.person.voice.facets import clock_words, stretch_words
from mindpipe.person.voice.grammar import Speaker, expanded
from mindpipe.person.voice.language import Language

TRIES = 24
"""How often a thought is put together anew of which a part was said lately."""
SHARE, NUMBED, MUTE_US, MUTE_AFTER_US = 0.9, 0.5, 25 * MINUTE_US, 110 * MINUTE_US
"""How often an hour has words where nothing else has, also after a blow, how long it stays without
them at most, and how long in the two hours after something, which are of that."""
NEAR_US = 5 * HOUR_US
"""From how long before it on one thinks of what comes next."""
LEAST_PART = 2
"""The fewest words of a part that is known again."""
_PARTS = re.compile(r"[,;:.!?…“”]+")


def goes_on(speaker: Speaker, lived: LifeMoment) -> bool:
    """Tell whether somebody thinks of the hour where what came to mind has no words.

    What it is in the middle of goes on without words for a while, and so does what the body wants.
    """
    tags = speaker.tags
    if not tags.isdisjoint(("dream", "waking")):
        return False
    if lived.quiet_us >= (MUTE_AFTER_US if lived.fresh else MUTE_US):
        return True
    busy = lived.fresh or not tags.isdisjoint(("named", "stirred"))
    return not busy and speaker.draw() < (NUMBED if "numbed" in tags else SHARE)


def hour_words(tongue: Language, speaker: Speaker, said: frozenset[int], lived: LifeMoment) -> str:
    """Return a thought of an hour that was not said yet; nothing where none is found.

    None of its parts stands in the last thoughts, though each may come back after them.
    """
    lately = [f" {_plain(words)} " for words in lived.lately]
    for _ in range(TRIES):
        speaker.used.clear()
        words = expanded(tongue.grammar, "hour", speaker)
        if words is None:
            return ""
        finished = tongue.finished(words, speaker)
        worn = any(f" {part} " in text for part in _parts(finished) for text in lately)
        if not worn and said.isdisjoint(sentence_marks(finished)) and not tongue.stutters(finished):
            return finished
    return ""


def hour_slots(
    lived: LifeMoment, t_us: int, language: Language
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return the slots and tags of the clock, and of what the routine says comes next."""
    lexicon, block = language.reader.lexicon, lived.coming
    slots: dict[str, tuple[str, ...]] = {"clock": (clock_words(t_us, lexicon),), "next_who": ()}
    slots |= {"next_clock": (), "next_left": ()}
    if block is None or not 0 < lived.coming_us - t_us <= NEAR_US:
        return slots, set()
    people = tuple(language.reader.turned(name) for name in block.people)
    slots["next_who"] = (language.listed(people),) if people else ()
    slots["next_clock"] = (clock_words(lived.coming_us, lexicon),)
    slots["next_left"] = tuple(filter(None, (stretch_words(lived.coming_us - t_us, lexicon),)))
    return slots, {f"next_{block.what}"}


def _parts(sentence: str) -> list[str]:
    """Return the parts of a sentence that are known again, in small letters."""
    found = (" ".join(part.split()) for part in _PARTS.split(sentence.casefold()))
    return [part for part in found if len(part.split()) >= LEAST_PART]


def _plain(words: str) -> str:
    """Return words in small letters, without their marks."""
    return " ".join(_PARTS.sub(" ", words.casefold()).split())
