"""Gather what was chosen into lines of a summary: one voice each, in the order of what was said."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from mindpipe.compaction.records import Line
from mindpipe.compaction.selection.clauses import plain
from mindpipe.compaction.task import Said
from mindpipe.compaction.wording import one_line
from mindpipe.core.messages import Role

STRETCH_MESSAGES = 64
STRETCH_CHARACTERS = 800
"""Lines gather what one voice said within so many messages, until so much is kept of them."""
_LABEL = re.compile(r"([^\s:.!?][^:.!?\n]{0,39}): (?=\S)")
_ENDED = ("!", "?", "…", "。", "！", "？")


class Spoken(NamedTuple):
    """Something that was said, with the name before its words and whether a user said it.

    A note may be a line of an earlier summary: the name that it begins with is taken for its
    speaker. A note that has none stands without a name.
    """

    said: Said
    name: str
    users: bool
    text: str


class Chosen(NamedTuple):
    """What is kept of something that was said: all of it, or some of its clauses in order.

    A clause is its number, and where in the text it begins and ends.
    """

    place: int
    clauses: Sequence[tuple[int, int, int]]
    whole: bool = False


def spoken(said: Said) -> Spoken:
    """Return something that was said with the voice that said it."""
    if said.role is not Role.NOTE or said.speaker:
        users = said.role is Role.USER or said.role is Role.NOTE
        return Spoken(said, _name(said.speaker or str(said.role)), users, said.text)
    named = _LABEL.match(said.text)
    if named is None:
        return Spoken(said, "", users=True, text=said.text)
    users = named[1] not in {Role.ASSISTANT.value, Role.TOOL.value}
    return Spoken(said, named[1], users, said.text[named.end() :])


@lru_cache(maxsize=1 << 10)
def _name(speaker: str) -> str:
    """Return who speaks as a line names them."""
    return one_line(speaker)


def whole_lines(voices: Iterable[Spoken]) -> list[Line]:
    """Return all that was said, a line each."""
    return [
        Line(text=_named(one.name, words), cycle=one.said.cycle, seqs=(one.said.seq,))
        for one in voices
        if (words := one_line(one.text))
    ]


def gathered(voices: Sequence[Spoken], chosen: Iterable[Chosen]) -> list[Line]:
    """Return lines of what was chosen, which comes in the order of its places.

    Within a stretch of messages every voice has one line, ordered by its first message there; the
    lines of a stretch name all of its cycles. What has no name is a line of its own. A clause that
    stands in a line already, from an earlier message, is not repeated there.
    """
    lines: list[Line] = []
    stretch: list[tuple[Spoken, str]] = []
    before: dict[str, set[str]] = {}
    first, size = 0, 0
    for one in chosen:
        if stretch and (one.place - first >= STRETCH_MESSAGES or size >= STRETCH_CHARACTERS):
            lines += _stretch(stretch)
            stretch, before, size = [], {}, 0
        if not stretch:
            first = one.place
        voice = voices[one.place]
        fresh = _unrepeated(voice.text, one, before.setdefault(voice.name, set()))
        words = _words(voice.text, fresh if voice.name else one)
        size += len(words)
        stretch.append((voice, words))
    return lines + _stretch(stretch)


def _stretch(stretch: Sequence[tuple[Spoken, str]]) -> list[Line]:
    """Return the lines of a stretch."""
    lines: dict[tuple[str, int], list[tuple[Spoken, str]]] = {}
    for voice, words in stretch:
        apart = (voice.name, 0 if voice.name else voice.said.seq)
        lines.setdefault(apart, []).append((voice, words))
    cycles = [voice.said.cycle for voice, _ in stretch if voice.name]
    return [
        _line(own, cycles if own[0][0].name else [own[0][0].said.cycle]) for own in lines.values()
    ]


def _line(own: Sequence[tuple[Spoken, str]], cycles: Sequence[int]) -> Line:
    """Return the line of one voice, with the range of some cycles."""
    first, last = min(cycles), max(cycles)
    return Line(
        text=_named(own[0][0].name, joined([words for _, words in own if words])),
        cycle=first,
        until=last if last > first else 0,
        seqs=tuple(dict.fromkeys(voice.said.seq for voice, _ in own)),
    )


def _named(name: str, words: str) -> str:
    """Return words with the name of who said them."""
    return f"{name}: {words}" if name else words


def joined(pieces: Sequence[str]) -> str:
    """Return pieces as one text in which it is seen where one ends."""
    text = pieces[0]
    for piece in pieces[1:]:
        text += f" {piece}" if text.endswith(_ENDED) else f"; {piece}"
    return text


def _unrepeated(text: str, chosen: Chosen, before: set[str]) -> Chosen:
    """Return what was chosen of a text without the clauses that stood before; note the others."""
    own = [plain(text[start:end]).lower() for _, start, end in chosen.clauses]
    fresh = [one for one, words in zip(chosen.clauses, own, strict=True) if words not in before]
    before.update(own)
    return chosen if len(fresh) == len(own) else Chosen(chosen.place, fresh)


def _words(text: str, chosen: Chosen) -> str:
    """Return the words that were chosen of a text; neighbours stand as they stood."""
    if chosen.whole:
        return one_line(text)
    if not chosen.clauses:
        return ""
    runs: list[list[int]] = []
    before = -2
    for number, start, end in chosen.clauses:
        if number == before + 1 and "\n" not in text[runs[-1][1] : start]:
            runs[-1][1] = end
        else:
            runs.append([start, end])
        before = number
    return joined([plain(text[start:end]) for start, end in runs])
