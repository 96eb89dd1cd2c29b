"""Gather what may answer questions: rows that hold their words, those beside them, those named."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import parse_instant
from mindpipe.core.ports import Rows
from mindpipe.history.rows import words_of_parts
from mindpipe.language.dates import Dated
from mindpipe.recall.query import BUDGET, KIN_SHARE, Expression, expression_of, quoted
from mindpipe.recall.ranking import ALONE, Neighbours, places
from mindpipe.recall.records import Filters
from mindpipe.recall.signals import KIN, MARKED, Candidate, Statistics, rarity
from mindpipe.recall.tables import index
from mindpipe.recall.tables.feeds import FEEDS, Feed
from mindpipe.recall.words import runs_in_words

MOST = 400
"""So many rows at most are candidates for their words, unless more answers are wanted."""
ACCOMPANIED = 150
"""So many of these, the best, bring those beside them along."""
REACH = 2
"""So far before and after a row, in its session, lie those that come along with it."""
MOST_OF_DAYS = 100
"""So many rows at most of each feed, the newest, are candidates for the days alone."""
MOST_ENTITIES = 50
"""So many entities at most are looked at for one that a question names."""
_RANKED = 1_000
"""So many rows at most are put in order by their lengths as well (see `index.heaviest`)."""
_KEPT = 50_000
_INTS = msgspec.json.Decoder(tuple[int, ...])
_WORDS = msgspec.json.Decoder(tuple[str, ...])


class SearchLimits(NamedTuple):
    """What a search may cost: rows that are weighed, candidates, and those that bring others."""

    rows: int = BUDGET
    most: int = MOST
    accompanied: int = ACCOMPANIED


FULL = SearchLimits()
QUICK = SearchLimits(rows=1_000, most=60, accompanied=10)
"""What a search may cost that is made for every prompt: about a tenth of a full one."""
BRISK = SearchLimits(rows=4_000, most=60, accompanied=10)
"""What a search may cost that a program waits for: about a quarter of a full one."""


class GatheredCandidates(NamedTuple):
    """What may answer a question, what is known of its words, and how rows stand that do not."""

    candidates: list[Candidate]
    statistics: Statistics
    statuses: dict[int, str]


class CandidateGatherer:
    """The gathering for many questions of one agent inside one read; they share what is read."""

    def __init__(
        self,
        rows: Rows,
        *,
        agent: str,
        filters: Filters,
        wanted: int = 0,
        effort: SearchLimits = FULL,
    ) -> None:
        self._rows = rows
        self._effort = effort
        self._most = max(effort.most, wanted)
        self._agent = agent
        self._filters = filters
        self._number = index.agent_number(rows, agent)
        self._marks = {mark.source: mark for mark in index.marks(rows, agent=agent)}
        self._holders: dict[str, int] = {}
        self._shown: dict[int, index.IndexedRow | None] = {}
        self._around: dict[int, Neighbours] = {}
        self._matched: dict[tuple[object, ...], list[int]] = {}

    @property
    def count(self) -> int:
        """Return how many rows the agent has in the index."""
        return sum(mark.rows for mark in self._marks.values())

    def gather(
        self,
        words: Iterable[str],
        *,
        kin: Collection[str] = (),
        named: Sequence[int] = (),
        before: str | None = None,
    ) -> GatheredCandidates:
        """Return what holds any of some words, what stands beside it, and what is named by number.

        `kin` are words that a question leads to: they cost less, and count for less. With `before`
        only items that came before the one of that id are gathered.

        Raises:
            UsageError: there is no such item.
        """
        holders = {word: self._holding(word) for word in words}
        less = frozenset(kin).difference(holders)
        most = self._effort.rows // KIN_SHARE
        holders |= {word: self._holding(word, most=most) for word in kin if word in less}
        span = self._span(before)
        # What a question's marks name is gathered beside the rows that were matched for it before.
        key = (span, less, *holders)
        if key not in self._matched:
            self._matched = {key: [] if span is None else self._matches(holders, less, span)}
        matched = self._matched[key]
        leading = (*matched[: self._effort.accompanied], *named)
        self._look_beside(leading)
        meant = {*matched, *named}
        around = {number: self._around[number] for number in leading}
        placed = places(dict.fromkeys(meant, ALONE) | around)
        near = meant.union(*map(self._around_of, leading))
        self._show(near)
        there = [
            one
            for number in placed
            if number in near
            and span
            and span.first <= number <= span.last
            and (one := self._shown[number])
        ]
        sessions = {(one.source, one.session) for one in there if one.number in meant}
        found = [
            one
            for one in there
            if one.number in meant or (one.session and (one.source, one.session) in sessions)
        ]
        return GatheredCandidates(
            candidates=[_candidate(one, placed[one.number]) for one in found],
            statistics=self._counted(holders),
            statuses={one.number: one.status for one in found if one.status != "active"},
        )

    def statistics(self, words: Iterable[str]) -> Statistics:
        """Return how many rows there are, and how many hold each of some words."""
        return self._counted({word: self._holding(word) for word in words})

    def _counted(self, holders: Mapping[str, int]) -> Statistics:
        """Return how many rows there are, and how many hold words that any do."""
        return Statistics(self.count, {word: count for word, count in holders.items() if count})

    def items(self, refs: Sequence[str]) -> list[int]:
        """Return the numbers of the items that have one of some ids."""
        return index.numbers_of(self._rows, "item", refs, agent=self._agent)

    def marked(self, refs: Sequence[str]) -> list[int]:
        """Return the numbers of what may have marks and has one of some ids."""
        return [
            number
            for source in sorted(MARKED)
            for number in index.numbers_of(self._rows, source, refs, agent=self._agent)
        ]

    def entities(self, words: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return entities that hold any of some words: the name and the aliases of each, by id."""
        asked = " OR ".join(map(quoted, words))
        if not asked or self._number is None or "entity" not in self._marks:
            return {}
        filters = Filters(as_of=self._filters.as_of)
        span = index.span_of(self._number, "entity")
        query = index.Search(asked, span, limit=MOST_ENTITIES)
        found = index.matches(self._rows, query, filters=filters, agent=self._agent)
        shown = index.shown(self._rows, found, agent=self._agent, filters=filters)
        return {one.ref: _WORDS.decode(one.entities) for one in shown}

    def of_days(self, days: Iterable[Dated]) -> list[int]:
        """Return the numbers of the newest rows of some days, feed by feed."""
        return [number for one in days for feed in FEEDS for number in self._of_days(one, feed)]

    def _of_days(self, days: Dated, feed: Feed) -> list[int]:
        """Return the newest rows of a feed and of some days, as they are wanted."""
        if self._number is None or feed.source not in self._marks:
            return []
        since, until = (parse_instant(one).date() for one in (days.since, days.until))
        asked = " OR ".join(map(quoted, runs_in_words(since, until)))
        most = max(MOST_OF_DAYS, self._most if self._most > self._effort.most else 0)
        span = index.span_of(self._number, feed.source)
        filters = msgspec.structs.replace(
            self._filters,
            since=max(days.since, self._filters.since or ""),
            until=min(days.until, self._filters.until or days.until),
        )
        search = index.Search(asked, span, limit=most, newest=True)
        return index.matches(self._rows, search, filters=filters, agent=self._agent)

    def _span(self, before: str | None) -> index.DaySpan | None:
        """Return the numbers among which rows are looked for, None where there is none."""
        found = [] if before is None else self.items([before])
        if before is not None and not found:
            raise UsageError(f"{self._agent} has no item {before} to look before.")
        if self._number is None:
            return None
        if before is None:
            return index.span_of(self._number)
        return index.DaySpan(index.span_of(self._number, "item").first, found[0] - 1)

    def _holding(self, word: str, *, most: int | None = None) -> int:
        """Return how many rows hold a word: counted up to the budget, estimated beyond it."""
        limit = most or self._effort.rows
        if self._number is None:
            return 0
        if word not in self._holders:
            span = index.span_of(self._number)
            count, last = index.holders(self._rows, quoted(word), span=span, limit=limit)
            if count == limit:
                count = max(count, round(count / self._share_upto(last)))
            self._holders[word] = count
        return self._holders[word]

    def _share_upto(self, number: int) -> float:
        """Return which share of the agent's rows has numbers up to that one, about."""
        before = 0.0
        for feed in FEEDS:
            mark = self._marks.get(feed.source)
            if mark is None:
                continue
            own = number - index.span_of(self._number or 0, feed.source).first
            share = (own - mark.first + 1) / (mark.last - mark.first + 1)
            before += mark.rows * min(1.0, max(0.0, share))
        return before / self.count

    def _matches(
        self, holders: Mapping[str, int], kin: AbstractSet[str], span: index.DaySpan
    ) -> list[int]:
        """Return the best rows; of words that nearly all hold, the newest that hold all or any."""
        wanted = expression_of(holders, kin=kin, budget=self._effort.rows)
        if wanted is None:
            return []
        if not wanted.wide and wanted.rows > max(_RANKED, self._most):
            return self._heaviest(wanted, holders, kin, span)

        def asked(text: str) -> list[int]:
            return index.matches(
                self._rows,
                index.Search(text, span, limit=self._most, newest=wanted.wide),
                filters=self._filters,
                agent=self._agent,
            )

        if not wanted.wide:
            return asked(wanted.text)
        own = [word for word in wanted.words if word not in kin]
        every = asked(" AND ".join(map(quoted, own or wanted.words)))
        return every if len(every) == self._most else [*every, *asked(wanted.text)]

    def _heaviest(
        self,
        wanted: Expression,
        holders: Mapping[str, int],
        kin: AbstractSet[str],
        span: index.DaySpan,
    ) -> list[int]:
        """Return the rows that hold most of the words that tell most."""
        picked = " OR ".join(map(quoted, wanted.picking))
        words = [
            index.WeighedWord(
                quoted(word) if word in wanted.picking else f"{quoted(word)} AND ({picked})",
                rarity(holders[word], self.count) * (KIN if word in kin else 1.0),
            )
            for word in wanted.words
        ]
        return index.heaviest(
            self._rows,
            words,
            span=span,
            limit=self._most,
            filters=self._filters,
            agent=self._agent,
        )

    def _look_beside(self, numbers: Sequence[int]) -> None:
        """Read which rows stand beside some."""
        new = [number for number in numbers if number not in self._around]
        for one in index.beside(self._rows, new, reach=REACH):
            self._around[one.number] = Neighbours(_INTS.decode(one.before), _INTS.decode(one.after))

    def _around_of(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the rows beside one."""
        return (*self._around[number].before, *self._around[number].after)

    def _show(self, numbers: Iterable[int]) -> None:
        """Read the rows that are not known yet; what is not wanted is known as None."""
        if len(self._shown) > _KEPT:
            self._shown.clear()
        new = [number for number in numbers if number not in self._shown]
        self._shown.update(dict.fromkeys(new))
        for one in index.shown(self._rows, new, agent=self._agent, filters=self._filters):
            self._shown[one.number] = one


def _candidate(row: index.IndexedRow, place: int) -> Candidate:
    """Return a row as the ranking takes it."""
    return Candidate(
        number=row.number,
        source=row.source,
        ref=row.ref,
        place=place,
        kind=row.kind,
        text=words_of_parts(row.text) if row.source == "message" else row.text,
        at=row.at,
        learnt=row.learnt,
        speaker=row.speaker,
        claimed_speaker=row.claimed_speaker,
        subject=row.subject,
        session=row.session,
        entities=_WORDS.decode(row.entities),
        significance=row.significance,
        sources=_WORDS.decode(row.sources),
        held=row.status == "active",
    )
