"""Extractive summaries: the clauses that tell most for their length, as lines within a size."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush, merge
from itertools import chain, compress, groupby, pairwise
from math import inf
from typing import NamedTuple

import msgspec

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.clauses import (
    ClauseTable,
    ClauseWeights,
    as_one,
    clause_vocabulary,
    plain,
    told,
)
from mindpipe.compaction.selection.passages import SEAM, names_nobody, passages, seamless
from mindpipe.compaction.selection.withdrawals import BARE_WORDS, Withdrawals, denial_in, misleading
from mindpipe.compaction.task import Count, SpokenWords
from mindpipe.compaction.window_text import (
    TOOK_IN,
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

    `noted` is what was told in brief already, `seq` and `cycle` are those of its message.

    A note may be a line of an earlier summary: the name that it begins with is taken for its
    speaker. A note that has none stands without a name. What is `quoted` is a quotation in its
    line too.
    """

    seq: int
    cycle: int
    noted: bool
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
    noted = said.role is Role.NOTE
    if not noted or said.speaker:
        # What nobody vouches for is not the user's own, whose name such words would else have.
        unnamed = "somebody" if said.of_others and said.role is Role.USER else str(said.role)
        name, users = _name(said.speaker or unnamed), noted or said.role is Role.USER
        return Spoken(said.seq, said.cycle, noted, name, users, seamless(said.text), said.of_others)
    name, users, text, quoted = _named_in(said.text)
    return Spoken(said.seq, said.cycle, noted, name, users, text, quoted)


def _named_in(text: str) -> tuple[str, bool, str, bool]:
    """Return who speaks in a note, whether it is a user, the words, and if they are quoted."""
    if (quoted := quotation_in(text)) is not None:
        return quoted.who, True, quoted.words, True
    named = None if holds_quotation(text) else re.match(_LABEL, text)
    if named is None:
        return "", True, text, False
    users = named[1] not in {Role.ASSISTANT.value, Role.TOOL.value}
    return named[1], users, text[named.end() :], False


@lru_cache(maxsize=1 << 10)
def _name(speaker: str) -> str:
    return one_line(speaker)


class SpokenTable:
    """Some things that were said, by their places.

    They stand in columns: records of them would take four times as much memory, which a long
    conversation of short messages does not leave.
    """

    def __init__(self, said: Iterable[SpokenWords]) -> None:
        self._seqs = array("q")
        self._cycles = array("q")
        self._names: list[str] = []
        self._texts: list[str] = []
        self._marks = bytearray()
        for one in said:
            if one.text.strip():
                self._add(spoken(one))

    def _add(self, one: Spoken) -> None:
        self._seqs.append(one.seq)
        self._cycles.append(one.cycle)
        self._names.append(one.name)
        self._texts.append(one.text)
        self._marks.append(one.noted + 2 * one.users + 4 * one.quoted)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._marks)

    def __iter__(self) -> Iterator[Spoken]:
        """Yield them in their order."""
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Spoken:
        """Return what was said there."""
        marks = self._marks[place]
        return Spoken(
            self._seqs[place],
            self._cycles[place],
            noted=bool(marks & 1),
            name=self._names[place],
            users=bool(marks & 2),
            text=self._texts[place],
            quoted=bool(marks & 4),
        )

    def part_turns(self) -> None:
        """Let no text of few words hang on the turn of another, from which a line parts it.

        Behind an answer stands what was asked; of whom nobody is named, nothing is left.
        """
        for place in range(1, len(self)):
            asked, own = self[place - 1], self[place]
            few = len(own.text.split()) <= BARE_WORDS
            # A call is no answer, however short it is.
            if own.noted or not own.name or not few or ":" in own.text:
                continue
            if own.name != asked.name and asked.text.endswith("?"):
                start, end, _ = passages(asked.text)[-1]
                words = one_line(asked.text[start:end])
                told = quotation(asked.name, words) if asked.quoted else f"{asked.name}: {words}"
                self._texts[place] = f"{own.text.rstrip(' .')} (to {told})"
            elif names_nobody(own.text):
                self._texts[place] = ""

    def texts(self, *, users: bool = False) -> Iterator[str]:
        """Yield the words of all, or of users alone."""
        if not users:
            return iter(self._texts)
        return compress(self._texts, (marks & 2 for marks in self._marks))


def whole_lines(voices: Iterable[Spoken]) -> Iterator[SummaryLine]:
    """Yield all that was said, a line each."""
    for one in voices:
        if words := one_line(one.text):
            yield SummaryLine(text=_named(one, words), cycle=one.cycle, seqs=(one.seq,))


def gathered(
    voices: SpokenTable, chosen: Iterable[Chosen], alone: frozenset[int] = frozenset()
) -> list[SummaryLine]:
    """Return lines of what was chosen, which comes in the order of its places.

    Within a stretch of messages every voice has one line, ordered by its first message there; the
    lines of a stretch name all of its cycles. What has no name is a line of its own. A clause that
    stands in a line already, from an earlier message, is not repeated there. Where somebody denies
    what another said, neither goes on in a line of before, or who denied what could not be told.
    What stands at a place of `alone` is a line of its own.
    """
    lines: list[SummaryLine] = []
    stretch: list[tuple[Spoken, str]] = []
    before: dict[str, set[str]] = {}
    first, last, size = 0, -1, 0
    denied = False
    for one in chosen:
        name = voices[one.place].name
        denies = denial_in(voices[one.place].text) is not None
        is_late = one.place - first >= STRETCH_MESSAGES or size >= STRETCH_CHARACTERS
        goes_on = name in before and stretch[-1][0].name != name
        parts = not alone.isdisjoint((one.place, last)) or (goes_on and (denied or denies))
        last = one.place
        if stretch and (is_late or parts):
            lines += _stretch(stretch)
            stretch, before, size, denied = [], {}, 0, False
        denied = denied or denies
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
        apart = (voice.name, voice.quoted, 0 if voice.name else voice.seq)
        lines.setdefault(apart, []).append((voice, words))
    cycles = [voice.cycle for voice, _ in stretch if voice.name]
    return [_line(own, cycles if own[0][0].name else [own[0][0].cycle]) for own in lines.values()]


def _line(own: Sequence[tuple[Spoken, str]], cycles: Sequence[int]) -> SummaryLine:
    """Return the line of one voice, with the range of some cycles."""
    first, last = min(cycles), max(cycles)
    return SummaryLine(
        text=_named(own[0][0], SEAM.join([words for _, words in own if words])),
        cycle=first,
        until=last if last > first else 0,
        seqs=tuple(dict.fromkeys(voice.seq for voice, _ in own)),
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

    @property
    def first(self) -> ReplyStep:
        """Return the first step."""
        return self._step(0, inf)

    def after(self, step: ReplyStep, number: int) -> ReplyStep | None:
        """Return the step after a step, which was the one of that number, counted from 0."""
        following = number + 1
        return self._step(following, step.priority) if following < len(self.ranked) else None

    def _step(self, number: int, most: float) -> ReplyStep:
        clause = self.ranked[number]
        cost = self.told.sizes[clause] + 2
        worth = self.factor * self.told.weights[clause] ** _WORTH
        if number:
            worth *= _REST
        return ReplyStep(min(most, worth / (cost + _MESSAGE) ** _LENGTH), clause, cost)


_ALL = -1
# Units that are made again and again while their steps are taken.
_OPEN_UNITS = 1 << 12


class Units:
    """The units of all messages, in their order, each made when it is looked at.

    The clauses of a note, which is told in brief already, are units of their own. `places` are
    those of the messages, `costs` and `priorities` those of the first steps, and `order` are their
    numbers so that the best comes last, of two as good that of the older message.
    """

    def __init__(self, voices: SpokenTable, told: ClauseTable) -> None:
        self.places = array("I")
        self.costs = array("I")
        self.priorities = array("d")
        self._told = told
        self._clauses = array("i")
        self._answers = bytearray()
        self.unit = lru_cache(maxsize=_OPEN_UNITS)(self._made)
        asked = ""
        for place, voice in enumerate(voices):
            one = told[place]
            answers = asked not in ("", voice.name)
            numbers = range(len(one.sizes))
            if voice.noted:
                self._add(place, numbers, answers=answers)
            elif numbers:
                self._add(place, (_ALL,), answers=answers)
            asked = voice.name if one.asks else ""
        self.order = best_last(self.priorities)

    def _add(self, place: int, clauses: Iterable[int], *, answers: bool) -> None:
        for clause in clauses:
            self.places.append(place)
            self._clauses.append(clause)
            self._answers.append(answers)
            first = self._made(len(self.places) - 1).first
            self.costs.append(first.cost)
            self.priorities.append(first.priority)

    def _made(self, number: int) -> Unit:
        place, clause = self.places[number], self._clauses[number]
        told = self._told[place]
        factor = _TIMED if told.timed else 1.0
        if self._answers[number]:
            factor *= _ANSWER
            told = told._replace(weights=(told.weights[0] * _REPLY, *told.weights[1:]))
        return Unit(place, told, _ranked(told) if clause == _ALL else (clause,), factor)


# So many numbers are sorted at a time, for each takes much more room then than in its column.
_SORTED = 1 << 14


def best_last(priorities: "array[float]") -> "array[int]":
    """Return the places of priorities, the least first, of equal ones the last first."""
    priority = priorities.__getitem__
    count = len(priorities)
    runs = [
        array("I", sorted(range(at, min(at + _SORTED, count)), key=priority, reverse=True))
        for at in range(0, count, _SORTED)
    ]
    order = array("I", merge(*runs, key=priority, reverse=True) if len(runs) > 1 else chain(*runs))
    order.reverse()
    return order


def _ranked(told: ClauseWeights) -> Sequence[int]:
    """Return the numbers of clauses, those first that tell most for their length."""
    numbers = range(len(told.sizes))
    if len(numbers) < 2:
        return numbers
    densities = [_density(told, number) for number in numbers]
    return sorted(numbers, key=densities.__getitem__, reverse=True)


def _density(told: ClauseWeights, number: int) -> float:
    density: float = told.weights[number] / (told.sizes[number] + _CLAUSE) ** _LENGTH
    return density


# A name at the head of a line, with the dash, the cycles and the line end.
_LINE = 8
# No step costs less.
_LEAST = 3
# A step that does not fit where this share is left is too large itself.
_LARGE = 0.1
Entry = tuple[float, int, int, ReplyStep | None]
"""A step of a unit: its priority below 0, the number of the unit, how many came before, itself.

The first step of a unit, which most never come to, is not made before it is taken.
"""


class Queue:
    """The next steps of some units: the best first, of two as good that of the older message.

    First steps, of which there may be as many as messages, are the numbers of their units, which
    are given in the units' order.
    """

    def __init__(self, units: Units, numbers: Iterable[int]) -> None:
        self.units = units
        self._firsts = array("I", numbers)
        self._later: list[Entry] = []
        self._waiting = array("I")
        self._waiting_later: list[Entry] = []

    def __bool__(self) -> bool:
        """Tell whether there is a step that does not wait."""
        return bool(self._firsts or self._later)

    def pop(self) -> Entry:
        """Take out the best step."""
        if self._firsts:
            number = self._firsts[-1]
            entry: Entry = (-self.units.priorities[number], number, 0, None)
            if not self._later or entry < self._later[0]:
                self._firsts.pop()
                return entry
        return heappop(self._later)

    def push(self, entry: Entry) -> None:
        """Add a step that is not the first of its unit."""
        heappush(self._later, entry)

    def wait(self, entry: Entry) -> None:
        """Let a step that was taken out wait for the next filling."""
        if entry[3] is None:
            self._waiting.append(entry[1])
        else:
            self._waiting_later.append(entry)

    def sift(self, left: int) -> None:
        """Let all steps wait, at once, that cost more than what is left."""
        fitting = array("I")
        for number in self._firsts:
            (fitting if self.units.costs[number] <= left else self._waiting).append(number)
        self._firsts = fitting
        over = [one for one in self._later if one[3] is not None and one[3].cost > left]
        if over:
            self._waiting_later += over
            self._later = [one for one in self._later if one[3] is None or one[3].cost <= left]
            heapify(self._later)

    def resume(self) -> None:
        """Let no step wait."""
        if self._waiting:
            there = bytearray(len(self.units.order))
            for number in chain(self._firsts, self._waiting):
                there[number] = True
            self._firsts = array("I", filter(there.__getitem__, self.units.order))
            self._waiting = array("I")
        self._later += self._waiting_later
        self._waiting_later = []
        heapify(self._later)


class TakenClauses:
    """The clauses that were taken of each message, by their numbers.

    With one of a message those are taken that take it back, or none of it.
    """

    def __init__(self, voices: SpokenTable, withdrawals: Withdrawals) -> None:
        self.taken: dict[int, list[int]] = {}
        self._withdrawals = withdrawals
        self._voices = voices
        self._spent = 0
        self._named: set[tuple[str, int]] = set()

    def fill(self, queue: Queue, limit: int) -> None:
        """Take steps until a number of characters is spent; those that do not fit wait."""
        queue.resume()
        looked = limit
        while queue and (left := limit - self._spent) >= _LEAST:
            entry = queue.pop()
            _, number, taken, step = entry
            unit = queue.units.unit(number)
            step = step or unit.first
            # What is too large itself must not bar what comes after it in its message.
            if not self._take(unit.place, step, limit) and left < limit * _LARGE:
                queue.wait(entry)
                # Sifted out at once each time the room has halved, steps that are too large are
                # not popped one by one.
                if left <= looked / 2:
                    looked = left
                    queue.sift(left)
                continue
            after = unit.after(step, taken)
            if after is not None:
                queue.push((-after.priority, number, taken + 1, after))

    def _take(self, place: int, step: ReplyStep, limit: int) -> bool:
        """Take a step if it fits, and tell whether it did."""
        wanted = {(place, step.clause): step.cost}
        meant = list(self._withdrawals.meant(place, step.clause))
        wanted |= {(earlier, clause): cost for earlier, clause, cost in meant}
        wanted |= self._withdrawals.beside([place, *(earlier for earlier, _, _ in meant)])
        new = {
            one: cost for one, cost in wanted.items() if one[1] not in self.taken.get(one[0], ())
        }
        lines = {self._line(later): self._opening(later) for later, _ in new}
        cost = sum(new.values()) + sum(lines.values())
        if self._spent + cost > limit:
            return False
        self._spent += cost
        self._named.update(lines)
        for later, clause in new:
            self.taken.setdefault(later, []).append(clause)
        return True

    def _line(self, place: int) -> tuple[str, int]:
        """Return what tells the line of a message from others."""
        return self._voices[place].name, place // STRETCH_MESSAGES

    def _opening(self, place: int) -> int:
        """Return what the line of a message costs beside its words; 0 where it has begun."""
        line = self._line(place)
        return 0 if line in self._named else len(line[0]) + _LINE


USERS_SHARE = 0.5
"""Users have this share of the room before others have any, or their share of all text."""
# What a token is taken for at first; more characters than the second no text has in one.
_CHARACTERS = 4
_MOST_CHARACTERS = 16
_TRIES = 8
_FILLED = 0.98
_AIM = 0.99


def choose(
    said: Iterable[SpokenWords],
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
    voices = SpokenTable(said)
    if room <= 0 or not voices:
        return ()
    whole = _whole(voices, room=room, count=count, finish=finish)
    return _Selection(voices).fitting(room, count, finish) if whole is None else whole


def _whole(
    voices: SpokenTable,
    *,
    room: int,
    count: Count,
    finish: Callable[[SummaryLine], SummaryLine],
) -> tuple[SummaryLine, ...] | None:
    """Return a line for each of what was said, if all of them fit."""
    if sum(map(len, voices.texts())) > room * _MOST_CHARACTERS:
        return None
    lines: list[SummaryLine] = []
    for line in map(finish, whole_lines(voices)):
        room -= sum(line_sizes((line,), count))
        if room < 0:
            return None
        lines.append(line)
    return tuple(lines)


class _Selection:
    """What there is to choose from, with how much each piece of it tells."""

    def __init__(self, voices: SpokenTable) -> None:
        self._voices = voices
        voices.part_turns()
        known = clause_vocabulary(voices.texts(), len(voices))
        self._told = ClauseTable()
        for voice in voices:
            found = told(voice.text, known, seams=voice.noted)
            alone = not voice.name and holds_quotation(voice.text)
            self._told.add(as_one(found) if alone else found)
        self._units = Units(voices, self._told)
        self._withdrawals = Withdrawals(
            [(one.name, one.text) for one in voices],
            [one.users for one in voices],
            self._told,
        )
        self._others = not all(voices[place].users for place in self._units.places)
        share = sum(map(len, voices.texts(users=True))) / sum(map(len, voices.texts()))
        self._share = max(USERS_SHARE, share) if self._others else 1.0

    def fitting(
        self, room: int, count: Count, finish: Callable[[SummaryLine], SummaryLine]
    ) -> tuple[SummaryLine, ...]:
        """Return as many lines as fit: by characters first, then corrected by what they count."""
        best: list[SummaryLine] = []
        most, limit = 0, room * _CHARACTERS
        for _ in range(_TRIES):
            chosen = self._chosen(limit)
            alone = self._withdrawals.of_others([one.place for one in chosen])
            lines = [finish(line) for line in gathered(self._voices, chosen, alone)]
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
        filling = TakenClauses(self._voices, self._withdrawals)
        users = Queue(self._units, self._numbers(users=True))
        filling.fill(users, int(limit * self._share))
        filling.fill(Queue(self._units, self._numbers(users=False)), limit)
        filling.fill(users, limit)
        return [
            Chosen(
                place,
                [(number, *spans[number]) for number in sorted(numbers)],
                whole=len(numbers) == len(spans),
            )
            for place, numbers in sorted(filling.taken.items())
            for spans in [self._told[place].spans]
        ]

    def _numbers(self, *, users: bool) -> Iterator[int]:
        """Yield the numbers of the units of users, or of the others."""
        for number in self._units.order:
            if self._voices[self._units.places[number]].users is users:
                yield number


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
    whole = _newest(lines, sizes, room)
    left = room - sum(sizes[place] for place in whole)
    older = [place not in whole for place in range(len(lines))]
    coarse = _coarse(
        list(compress(lines, older)),
        list(compress(sizes, older)),
        left,
        count,
        borders=sorted(staying),
    )
    kept = _undenied([*coarse, *(lines[place] for place in sorted(whole))], lines)
    if all(one.cycle <= after.cycle for one, after in pairwise(lines)):
        kept.sort(key=lambda line: line.cycle)
    return tuple(kept)


def _cycles(lines: Iterable[SummaryLine]) -> set[int]:
    """Return the cycles that lines tell of."""
    return {cycle for line in lines for cycle in range(line.cycle, max(line.cycle, line.until) + 1)}


def _undenied(kept: list[SummaryLine], lines: Iterable[SummaryLine]) -> list[SummaryLine]:
    """Return the kept ones of lines without those whose denial was among these and is not kept."""
    told = _cycles(lines)
    while lost := told.difference(_cycles(kept)):
        left = [line for line in kept if lost.isdisjoint(line.denied)]
        if len(left) == len(kept):
            break
        kept = left
    return kept


def _newest(lines: Sequence[SummaryLine], sizes: Sequence[int], room: int) -> set[int]:
    """Return the places of the newest lines, long ones apart, that fit into their share.

    A line is not among them without those that take it back.
    """
    left = room * NEWEST_SHARE
    named = [_named_in(line.text) for line in lines]
    voices = [(name, text.removeprefix(TOOK_IN)) for name, _, text, _ in named]
    taken_back = misleading(voices, [users for _, users, _, _ in named])
    told = _cycles(lines)
    places: set[int] = set()
    cycles: set[int] = set()
    for place in reversed(range(len(lines))):
        if sizes[place] > room * LONGEST_SHARE:
            continue
        left -= sizes[place]
        if left < 0:
            break
        denied = told.intersection(lines[place].denied)
        if places.issuperset(taken_back.get(place, ())) and cycles.issuperset(denied):
            places.add(place)
            cycles.add(lines[place].cycle)
    return places


def _coarse(
    lines: Sequence[SummaryLine],
    sizes: Sequence[int],
    room: int,
    count: Count,
    *,
    borders: Sequence[int],
) -> list[SummaryLine]:
    """Return what is worth most of lines, border by border, each with its share of the room."""
    whole = sum(sizes)
    coarse: list[SummaryLine] = []
    place = 0
    for _, run in groupby(lines, key=lambda line: bisect_right(borders, line.cycle)):
        own = list(run)
        share = room * sum(sizes[place : place + len(own)]) // whole
        coarse += coarser(own, (), room=share, count=count)
        place += len(own)
    return coarse


def coarser(
    lines: Sequence[SummaryLine], said: Iterable[SpokenWords], *, room: int, count: Count
) -> tuple[SummaryLine, ...]:
    """Return what is worth most of some lines and of what was said since, within a room.

    Lines are chosen from as notes, numbered below 0 to tell them from messages.
    """
    noted = (
        SpokenWords(seq=-place, cycle=line.cycle, role=Role.NOTE, speaker=None, text=line.text)
        for place, line in enumerate(lines, 1)
    )
    chosen = choose(
        chain(noted, said), room=room, count=count, finish=lambda line: _traced(line, lines)
    )
    return tuple(_undenied([*chosen], lines))


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
        denied=tuple(sorted({cycle for line in made_from for cycle in line.denied})),
    )
