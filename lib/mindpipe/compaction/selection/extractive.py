"""Extractive summaries: the clauses that tell most for their length, as lines within a size."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import groupby, pairwise
from math import inf
from typing import NamedTuple

import msgspec

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.clauses import (
    ClauseWeights,
    as_one,
    clause_vocabulary,
    plain,
    told,
)
from mindpipe.compaction.selection.passages import SEAM, seamless
from mindpipe.compaction.task import Count, SpokenWords
from mindpipe.compaction.window_text import (
    holds_quotation,
    one_line,
    quotation,
    quotation_in,
    written_lines,
)
from mindpipe.core.messages import Role

STRETCH_MESSAGES = 64
STRETCH_CHARACTERS = 800
"""Lines gather what one voice said within so many messages, until so much is kept of them."""
_LABEL = r"([^\s:.!?][^:.!?\n]{0,39}): (?=\S)"


class Spoken(NamedTuple):
    """Something that was said, with the name before its words and whether a user said it.

    A note may be a line of an earlier summary: the name that it begins with is taken for its
    speaker. A note that has none stands without a name. What is `quoted` is a quotation in its
    line too.
    """

    said: SpokenWords
    name: str
    users: bool
    text: str
    quoted: bool = False


class Chosen(NamedTuple):
    """What is kept of something that was said: all of it, or some of its clauses in order.

    A clause is its number, and where in the text it begins and ends.
    """

    place: int
    clauses: Sequence[tuple[int, int, int]]
    whole: bool = False


def spoken(said: SpokenWords) -> Spoken:
    """Return something that was said with the voice that said it."""
    if said.role is not Role.NOTE or said.speaker:
        users = said.role is Role.USER or said.role is Role.NOTE
        # What nobody vouches for is not the user's own, whose name such words would else have.
        unnamed = "somebody" if said.of_others and said.role is Role.USER else str(said.role)
        name = _name(said.speaker or unnamed)
        return Spoken(said, name, users, seamless(said.text), said.of_others)
    if (quoted := quotation_in(said.text)) is not None:
        return Spoken(said, quoted.who, users=True, text=quoted.words, quoted=True)
    if holds_quotation(said.text):
        return Spoken(said, "", users=True, text=said.text)
    named = re.match(_LABEL, said.text)
    if named is None:
        return Spoken(said, "", users=True, text=said.text)
    users = named[1] not in {Role.ASSISTANT.value, Role.TOOL.value}
    return Spoken(said, named[1], users, said.text[named.end() :])


@lru_cache(maxsize=1 << 10)
def _name(speaker: str) -> str:
    return one_line(speaker)


def whole_lines(voices: Iterable[Spoken]) -> list[SummaryLine]:
    """Return all that was said, a line each."""
    return [
        SummaryLine(text=_named(one, words), cycle=one.said.cycle, seqs=(one.said.seq,))
        for one in voices
        if (words := one_line(one.text))
    ]


def gathered(voices: Sequence[Spoken], chosen: Iterable[Chosen]) -> list[SummaryLine]:
    """Return lines of what was chosen, which comes in the order of its places.

    Within a stretch of messages every voice has one line, ordered by its first message there; the
    lines of a stretch name all of its cycles. What has no name is a line of its own. A clause that
    stands in a line already, from an earlier message, is not repeated there.
    """
    lines: list[SummaryLine] = []
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
        words = _words(voice, fresh if voice.name else one)
        size += len(words)
        stretch.append((voice, words))
    return lines + _stretch(stretch)


def _stretch(stretch: Sequence[tuple[Spoken, str]]) -> list[SummaryLine]:
    lines: dict[tuple[str, bool, int], list[tuple[Spoken, str]]] = {}
    for voice, words in stretch:
        apart = (voice.name, voice.quoted, 0 if voice.name else voice.said.seq)
        lines.setdefault(apart, []).append((voice, words))
    cycles = [voice.said.cycle for voice, _ in stretch if voice.name]
    return [
        _line(own, cycles if own[0][0].name else [own[0][0].said.cycle]) for own in lines.values()
    ]


def _line(own: Sequence[tuple[Spoken, str]], cycles: Sequence[int]) -> SummaryLine:
    """Return the line of one voice, with the range of some cycles."""
    first, last = min(cycles), max(cycles)
    return SummaryLine(
        text=_named(own[0][0], SEAM.join([words for _, words in own if words])),
        cycle=first,
        until=last if last > first else 0,
        seqs=tuple(dict.fromkeys(voice.said.seq for voice, _ in own)),
    )


def _named(voice: Spoken, words: str) -> str:
    if voice.quoted:
        return quotation(voice.name, words)
    return f"{voice.name}: {words}" if voice.name else words


def _unrepeated(text: str, chosen: Chosen, before: set[str]) -> Chosen:
    """Return what was chosen of a text without the clauses that stood before; note the others."""
    own = [plain(text[start:end]).lower() for _, start, end in chosen.clauses]
    fresh = [one for one, words in zip(chosen.clauses, own, strict=True) if words not in before]
    before.update(own)
    return chosen if len(fresh) == len(own) else Chosen(chosen.place, fresh)


def _words(voice: Spoken, chosen: Chosen) -> str:
    """Return the words that were chosen of a text; neighbours stand as they stood."""
    text = voice.text
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
    return SEAM.join([plain(text[start:end]) for start, end in runs])


def line_sizes(lines: Sequence[SummaryLine], count: Count) -> list[int]:
    """Return the tokens of each line as it is written by itself, its line end included."""
    return [count(f"{written_lines((line,))[0]}\n") for line in lines]


# An answer is what somebody wanted to know, its first clause above all; what names a time is asked
# for later.
_ANSWER = 1.5
_REPLY = 2.0
_TIMED = 1.5
# What comes after the first clause that is taken of a message is worth this much of it.
_REST = 0.1
# Neither what a message tells nor how long it is counts in full.
_WORTH = 0.8
_LENGTH = 0.9
# Characters that a clause and a message cost beside their words.
_CLAUSE = 8
_MESSAGE = 12


class ReplyStep(NamedTuple):
    """A clause that is taken, by its number, and its cost in characters."""

    priority: float
    clause: int
    cost: int


class Unit(NamedTuple):
    """A message (or a clause of one) whose clauses are taken in their order, the best first.

    `ranked` are the numbers of its clauses, those first that tell most for their length.
    """

    place: int
    told: ClauseWeights
    ranked: Sequence[int]
    factor: float

    def step(self, number: int, most: float) -> ReplyStep | None:
        """Return the step of that number, counted from 0, which is worth no more than `most`."""
        if number >= len(self.ranked):
            return None
        clause = self.ranked[number]
        cost = self.told.sizes[clause] + 2
        worth = self.factor * self.told.weights[clause] ** _WORTH
        if number:
            worth *= _REST
        return ReplyStep(min(most, worth / (cost + _MESSAGE) ** _LENGTH), clause, cost)


def units_of(voices: Sequence[Spoken], told: Sequence[ClauseWeights]) -> list[Unit]:
    """Return the units of all messages, in their order.

    The clauses of a note, which is told in brief already, are units of their own.
    """
    units: list[Unit] = []
    asked = ""
    for place, (voice, one) in enumerate(zip(voices, told, strict=True)):
        answers = asked not in ("", voice.name)
        factor = (_ANSWER if answers else 1.0) * (_TIMED if one.timed else 1.0)
        numbers = range(len(one.sizes))
        if answers and numbers:
            one = one._replace(weights=(one.weights[0] * _REPLY, *one.weights[1:]))
        if voice.said.role is Role.NOTE:
            units += [Unit(place, one, (number,), factor) for number in numbers]
        elif numbers:
            densities = [_density(one, number) for number in numbers]
            ranked = sorted(numbers, key=densities.__getitem__, reverse=True)
            units.append(Unit(place, one, ranked, factor))
        asked = voice.name if one.asks else ""
    return units


def _density(told: ClauseWeights, number: int) -> float:
    density: float = told.weights[number] / (told.sizes[number] + _CLAUSE) ** _LENGTH
    return density


# A name at the head of a line, with the dash, the cycles and the line end.
_LINE = 8
# No step costs less.
_LEAST = 3
# A step that does not fit where more than this share is left is too large to be taken whole.
_LARGE = 0.1
Entry = tuple[float, int, int, ReplyStep]
"""A step of a unit: its priority below 0, the number of the unit, how many came before, itself."""


class Queue:
    """The next steps of some units: the best first, of two as good that of the older message."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.steps: list[Entry] = [
            (-step.priority, number, 0, step)
            for number, unit in enumerate(units)
            if (step := unit.step(0, inf)) is not None
        ]
        heapify(self.steps)


class TakenClauses:
    """The clauses that were taken of each message, by their numbers."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self.taken: dict[int, list[int]] = {}
        self._voices = voices
        self._spent = 0
        self._named: set[tuple[str, int]] = set()

    def fill(self, queue: Queue, limit: int) -> None:
        """Take steps until a number of characters is spent; those that do not fit stay queued."""
        steps = queue.steps
        waiting: list[Entry] = []
        looked = limit
        while steps and (left := limit - self._spent) >= _LEAST:
            entry = heappop(steps)
            _, number, taken, step = entry
            unit = queue.units[number]
            if not self._take(unit.place, step, limit):
                waiting.append(entry)
                # Sifted out at once each time the room has halved, steps that are too large are
                # not popped one by one.
                if left <= looked / 2:
                    looked = left
                    waiting += _unfitting(steps, left)
                # What is too large itself must not bar what comes after it in its message.
                if left < limit * _LARGE:
                    continue
                waiting.pop()
            after = unit.step(taken + 1, step.priority)
            if after is not None:
                heappush(steps, (-after.priority, number, taken + 1, after))
        steps += waiting
        heapify(steps)

    def _take(self, place: int, step: ReplyStep, limit: int) -> bool:
        """Take a step if it fits, and tell whether it did."""
        cost = step.cost + self._opening(place)
        if self._spent + cost > limit:
            return False
        self._spent += cost
        self._named.add(self._line(place))
        self.taken.setdefault(place, []).append(step.clause)
        return True

    def _line(self, place: int) -> tuple[str, int]:
        """Return what tells the line of a message from others."""
        return self._voices[place].name, place // STRETCH_MESSAGES

    def _opening(self, place: int) -> int:
        """Return what the line of a message costs beside its words; 0 where it has begun."""
        line = self._line(place)
        return 0 if line in self._named else len(line[0]) + _LINE


def _unfitting(steps: list[Entry], left: int) -> list[Entry]:
    """Take out of a heap, at once, the steps that cost more than what is left, and return them."""
    waiting = [entry for entry in steps if entry[3].cost > left]
    if waiting:
        steps[:] = [entry for entry in steps if entry[3].cost <= left]
        heapify(steps)
    return waiting


USERS_SHARE = 0.5
"""Users have this share of the room before others have any, or their share of all text."""
# What a token is taken for at first; more characters than the second no text has in one.
_CHARACTERS = 4
_MOST_CHARACTERS = 16
_TRIES = 8
_FILLED = 0.98
_AIM = 0.99


def choose(
    said: Sequence[SpokenWords],
    *,
    room: int,
    count: Count,
    finish: Callable[[SummaryLine], SummaryLine] = lambda line: line,
) -> tuple[SummaryLine, ...]:
    """Return lines, in the order of messages, that have at most `room` tokens as they stand.

    Where all fits, all stands, a line each. Else the words of users come first: of every message
    the clause that tells most for its length, then more, those that are worth most for their length
    before the others. Notes
    rank as users do, and a note that begins with a name is a line of that speaker, so that lines of
    an earlier summary can be given as notes and chosen from again. `finish` is what becomes of a
    line before it is measured.
    """
    voices = [spoken(one) for one in said if one.text.strip()]
    if room <= 0 or not voices:
        return ()
    if sum(len(voice.text) for voice in voices) <= room * _MOST_CHARACTERS:
        lines = [finish(line) for line in whole_lines(voices)]
        if sum(line_sizes(lines, count)) <= room:
            return tuple(lines)
    return _Selection(voices).fitting(room, count, finish)


class _Selection:
    """What there is to choose from, with how much each piece of it tells."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self._voices = voices
        known = clause_vocabulary([voice.text for voice in voices])
        self._told = [
            as_one(found) if not voice.name and holds_quotation(voice.text) else found
            for voice in voices
            for found in [told(voice.text, known, seams=voice.said.role is Role.NOTE)]
        ]
        units = units_of(voices, self._told)
        self._users = [unit for unit in units if voices[unit.place].users]
        self._others = [unit for unit in units if not voices[unit.place].users]
        users = sum(len(voice.text) for voice in voices if voice.users)
        share = users / sum(len(voice.text) for voice in voices)
        self._share = max(USERS_SHARE, share) if self._others else 1.0

    def fitting(
        self, room: int, count: Count, finish: Callable[[SummaryLine], SummaryLine]
    ) -> tuple[SummaryLine, ...]:
        """Return as many lines as fit: by characters first, then corrected by what they count."""
        best: list[SummaryLine] = []
        most, limit = 0, room * _CHARACTERS
        for _ in range(_TRIES):
            lines = [finish(line) for line in gathered(self._voices, self._chosen(limit))]
            size = sum(line_sizes(lines, count))
            if most < size <= room:
                best, most = lines, size
            if not size or room * _FILLED <= size <= room:
                break
            if size > room:  # All there is may be far less than the limit, and still too much.
                limit = min(limit, sum(len(line.text) for line in lines))
            # Tokens per character differ from try to try: aim a little lower.
            limit = min(int(limit * _AIM * room / size), limit * _MOST_CHARACTERS)
        return tuple(best)

    def _chosen(self, limit: int) -> list[Chosen]:
        """Return what is taken within a number of characters, in the order of messages."""
        filling = TakenClauses(self._voices)
        users = Queue(self._users)
        filling.fill(users, int(limit * self._share))
        filling.fill(Queue(self._others), limit)
        filling.fill(users, limit)
        return [
            Chosen(
                place,
                [(number, *self._told[place].spans[number]) for number in sorted(numbers)],
                whole=len(numbers) == len(self._told[place].spans),
            )
            for place, numbers in sorted(filling.taken.items())
        ]


NEWEST_SHARE = 0.6
"""The newest lines stay whole within this share of the room; the rest is for the others."""
LONGEST_SHARE = 0.25
"""A line that takes more of the room than this is never left whole."""
SHOWN_SEQS = 32
"""Most messages that a coarser line names as its sources."""


def fitted(
    lines: Sequence[SummaryLine], room: int, count: Count, *, staying: Collection[int] = ()
) -> tuple[SummaryLine, ...]:
    """Return lines that take at most `room` tokens as they are written, in their order.

    Where all of them do not fit, the newest stay as they are, and of the older ones those words
    stay that are worth most. No line is made from cycles on both sides of one of `staying`.
    """
    sizes = line_sizes(lines, count)
    if sum(sizes) <= room:
        return tuple(lines)
    whole = _newest(sizes, room)
    left = room - sum(sizes[place] for place in whole)
    older = [line for place, line in enumerate(lines) if place not in whole]
    coarse = _coarse(older, left, count, borders=sorted(staying))
    kept = [*coarse, *(lines[place] for place in sorted(whole))]
    if all(one.cycle <= after.cycle for one, after in pairwise(lines)):
        kept.sort(key=lambda line: line.cycle)
    return tuple(kept)


def _newest(sizes: Sequence[int], room: int) -> set[int]:
    """Return the places of the newest lines, long ones apart, that fit into their share."""
    left = room * NEWEST_SHARE
    places: set[int] = set()
    for place in reversed(range(len(sizes))):
        if sizes[place] > room * LONGEST_SHARE:
            continue
        left -= sizes[place]
        if left < 0:
            break
        places.add(place)
    return places


def _coarse(
    lines: Sequence[SummaryLine], room: int, count: Count, *, borders: Sequence[int]
) -> list[SummaryLine]:
    """Return what is worth most of lines, border by border, each with its share of the room."""
    # By identity: two lines may be equal.
    sizes = dict(zip(map(id, lines), line_sizes(lines, count), strict=True))
    whole = sum(sizes.values())
    coarse: list[SummaryLine] = []
    for _, run in groupby(lines, key=lambda line: bisect_right(borders, line.cycle)):
        own = list(run)
        share = room * sum(sizes[id(line)] for line in own) // whole
        coarse += coarser(own, (), room=share, count=count)
    return coarse


def coarser(
    lines: Sequence[SummaryLine], said: Sequence[SpokenWords], *, room: int, count: Count
) -> tuple[SummaryLine, ...]:
    """Return what is worth most of some lines and of what was said since, within a room.

    Lines are chosen from as notes, numbered below 0 to tell them from messages.
    """
    noted = [
        SpokenWords(seq=-place, cycle=line.cycle, role=Role.NOTE, speaker=None, text=line.text)
        for place, line in enumerate(lines, 1)
    ]
    return choose([*noted, *said], room=room, count=count, finish=lambda line: _traced(line, lines))


def _traced(chosen: SummaryLine, lines: Sequence[SummaryLine]) -> SummaryLine:
    """Return a chosen line with the messages and cycles of the lines that it is made from."""
    made_from = [lines[-seq - 1] for seq in chosen.seqs if seq < 0]
    if not made_from:
        return chosen
    last = max([chosen.cycle, chosen.until, *(line.until for line in made_from)])
    seqs = [seq for line in made_from for seq in line.seqs]
    seqs += [seq for seq in chosen.seqs if seq > 0]
    return msgspec.structs.replace(
        chosen,
        until=last if last > chosen.cycle else 0,
        seqs=tuple(dict.fromkeys(seqs))[-SHOWN_SEQS:],
    )
