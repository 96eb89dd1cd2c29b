"""What somebody thinks in an hour in which nothing happens: put together of parts."""

from mindpipe.person.calendar import HOUR_US
from mindpipe.person.mind.sentences import marks_of, sentence_marks
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.thought import LifeMoment
from mindpipe.person.voice.facets import clock_words, stretch_words
from mindpipe.person.voice.grammar import Speaker, expanded
from mindpipe.person.voice.language import Language

TRIES = 40
"""How often a thought is put together anew of which a part was said lately."""
SHARE, NUMBED, MUTE_US, MUTE_AFTER_US = 0.9, 0.5, 25 * MINUTE_US, 110 * MINUTE_US
"""How often an hour has words where nothing else has, also after a blow, how long it stays without
them at most, and how long in the two hours after something, which are of that."""
WORDLESS_US = 50 * MINUTE_US
"""After how long without words somebody says again what was said some days ago."""
NEAR_US = 5 * HOUR_US
"""From how long before it on one thinks of what comes next."""


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
    """Return a thought of an hour of which no part was said in the last days, or nothing.

    A part is known again whatever is named in it: nobody says a thing with another end each day.
    Who has had no words for long says a part again that it did not say lately.
    """
    lately = {mark for words in lived.lately for mark in marks_of(words)}
    worn = ""
    for _ in range(TRIES):
        speaker.used.clear()
        words = expanded(tongue.grammar, "hour", speaker)
        if words is None:
            return ""
        finished = tongue.finished(words, speaker)
        marks = marks_of(finished)
        if tongue.stutters(finished):
            continue
        if said.isdisjoint(marks):
            return finished
        if said.isdisjoint(sentence_marks(finished)) and lately.isdisjoint(marks):
            worn = worn or finished
    return worn if lived.quiet_us >= WORDLESS_US else ""


def hour_slots(
    lived: LifeMoment, t_us: int, language: Language
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return the slots and tags of the clock, and of what the routine says comes next."""
    lexicon, block = language.reader.lexicon, lived.coming
    slots: dict[str, tuple[str, ...]] = {"clock": (clock_words(t_us, lexicon),), "next_who": ()}
    slots |= {"next_clock": (), "next_left": ()}
    if block is None or not 0 < lived.coming_us - t_us <= NEAR_US:
        return slots, set()
    # Nobody waits for a time with those who are there.
    there = not frozenset(lived.situation.company).isdisjoint(block.people)
    people = tuple(language.reader.turned(name) for name in block.people if not there)
    slots["next_who"] = (language.listed(people),) if people else ()
    slots["next_clock"] = (clock_words(lived.coming_us, lexicon),)
    slots["next_left"] = tuple(filter(None, (stretch_words(lived.coming_us - t_us, lexicon),)))
    return slots, {f"next_{block.what}"}
