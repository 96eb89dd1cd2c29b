"""Find again: gather candidates, rank them, and answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.sources import attribution
from mindpipe.knowledge.bearers import bearers, id_of
from mindpipe.knowledge.records import BeliefMark
from mindpipe.knowledge.verbs.relations import backing_of, marks_of, names_told, successions_of
from mindpipe.language.withdrawals import takes_back
from mindpipe.memory.entities import slug
from mindpipe.memory.records import StoredRelation
from mindpipe.memory.verbs.entity import neighbours
from mindpipe.recall.endings import MOST_HOLDERS, endings, things_in
from mindpipe.recall.query import (
    ParsedQuery,
    and_of,
    dense_words,
    names_any,
    slugs_in,
    understand,
    with_names,
    words_in,
)
from mindpipe.recall.ranking import Ranked, place, rank, reasons, second_step
from mindpipe.recall.records import Filters, Hit, Recalled, RecallQuery
from mindpipe.recall.signals import MARKED, Candidate, nearness
from mindpipe.recall.tables import index
from mindpipe.recall.tables import vectors as tables
from mindpipe.recall.verbs.gather import FULL, CandidateGatherer, GatheredCandidates, SearchLimits

if TYPE_CHECKING:
    from mindpipe.recall.verbs.embed import Meant

NEAREST = 100
"""So many things that vectors find nearest are candidates beside those that hold the words."""
MOST_TOLD = 100
"""So many items at most come in because a relation around a named entity was told by them."""
MOST_STEPS = 64
"""Steps from what is superseded to what superseded it, and so on, that are gone at most."""
MOST_BEST = 10
"""A belief that leads to a second step is among so many answers, however many are wanted."""
Names = tuple[str, ...]
Meaning = Callable[[Rows, Callable[[], list[str]]], "Meant | None"]
"""Tell what questions mean; the questions are made only if need be. None searches words alone."""


class SearchRequest(NamedTuple):
    """How questions are asked: by which agent, of which entries, now, and how many answers each.

    `effort` is what each may cost. `asker` is whom "my" means in them, where that is known.
    """

    agent: str
    now: str
    filters: Filters = Filters()
    limit: int = 10
    effort: SearchLimits = FULL
    asker: str | None = None


class SearchAnswer(NamedTuple):
    """What was found for one question, best first, and the marks between items among it.

    `backing` has the item that an observation stands on, by the id of that.
    """

    question: RecallQuery
    found: list[Ranked]
    marks: list[BeliefMark]
    statuses: dict[int, str]
    backing: dict[str, str]


def recall(
    store: Store,
    asked: SearchRequest,
    questions: Sequence[RecallQuery],
    *,
    meaning: Meaning = lambda _rows, _questions: None,
) -> Iterator[SearchAnswer]:
    """Yield what is found for each question, from what is indexed.

    All are answered from one state of the store, and what one has read the others need not.
    """
    store = store.searched
    with store.read() as rows:
        searching = _Searching(store, rows, asked)
        meant = meaning(rows, lambda: [searching.dense(one) for one in questions])
        for row, question in enumerate(questions):
            answer = searching.answer(question, Near(meant, row) if meant else None)
            rows.scored([_scored(one) for one in answer.found])
            yield answer


def _scored(one: Ranked) -> tuple[str, float]:
    """Return what was found, and its score as far as it is the same on any machine."""
    return f"{one.candidate.source} {one.candidate.ref}", round(one.score, _EXACT)


class _Searching:
    """Questions inside one read."""

    def __init__(self, store: Store, rows: Rows, asked: SearchRequest) -> None:
        self._store = store
        self._asked = asked
        self._gatherings: dict[tuple[str | None, str | None], CandidateGatherer] = {}
        self._rows = rows

    def understood(self, question: RecallQuery) -> ParsedQuery:
        """Return what a question asks for, at the instant that it is asked."""
        return understand(question.query, at=self._at(question))

    def _called(self, asked: ParsedQuery) -> ParsedQuery:
        """Return a question that names a speaker by what he is called as one that names him too.

        One in which somebody asks of himself means him, where it is known who asks.
        """
        if asked.own and self._asked.asker and "?" in asked.text:
            return asked._replace(own=False, names=tuple(words_in([self._asked.asker])))
        if not asked.names:
            return asked
        called = (one for name, one in self._bearers.items() if names_any(asked.text, (name,)))
        return and_of(asked, called)

    @cached_property
    def _bearers(self) -> dict[str, str]:
        """Whom each name means, read once for all questions."""
        return bearers(names_told(self._rows, agent=self._asked.agent))

    def dense(self, question: RecallQuery) -> str:
        """Return a question as vectors take it."""
        asked = self.understood(question)
        known = self._gathering(question, asked).statistics((*asked.words, *asked.names))
        return dense_words(asked, rows=known.rows, rows_with=known.rows_with)

    def answer(self, question: RecallQuery, near: "Near | None") -> SearchAnswer:
        """Return what is found for one question, with what its vector is near to.

        Where a belief tells whom the question means, that person is asked for in a second step.
        """
        asked = self._called(self.understood(question))
        first = self._found(asked, question, near)
        if ended := self._endings(asked, question, first.found):
            first = self._found(asked, question, near, ended=ended)
        step = second_step(asked, first.found[:MOST_BEST])
        found = first
        if step is not None:
            whom = with_names(asked, step.names)
            found = self._found(whom, question, near, led_by=step.belief)
        return found._replace(found=found.found[: self._asked.limit])

    def _found(
        self,
        asked: ParsedQuery,
        question: RecallQuery,
        near: "Near | None",
        *,
        led_by: str | None = None,
        ended: Sequence[BeliefMark] = (),
    ) -> SearchAnswer:
        """Return what is found for a question as it is understood."""
        gathering = self._gathering(question, asked)
        entities = _named_in(asked, gathering)
        edges = self._edges(asked, entities)
        words = [*asked.words, *words_in(name for names in entities.values() for name in names)]
        told = gathering.items([item for edge in edges for item in edge.items][:MOST_TOLD])
        named = [*told, *gathering.of_days(asked.days), *(near.nearest if near else ())]
        gathered = gathering.gather(words, kin=asked.led, named=named, before=question.before)
        marks = [*self._marks(gathered), *ended]
        others = _others(marks, gathered)
        if others:
            named += gathering.marked(others)
            gathered = gathering.gather(words, kin=asked.led, named=named, before=question.before)
        candidates = _about(gathered.candidates, edges)
        candidates = near.beside(candidates) if near else candidates
        found = rank(
            asked,
            candidates,
            gathered.statistics,
            at=self._at(question),
            near=_near_entities(edges, asked, entities),
            superseded={one.old for one in marks if one.relation == "supersedes"},
        )
        backing = backing_of(
            self._store,
            agent=self._asked.agent,
            refs={one.ref for one in candidates if one.source == "observation"},
            as_of=self._asked.filters.as_of,
        )
        placed = place(found, marks, asked, backing=backing, led_by=led_by)
        return SearchAnswer(question, placed, marks, gathered.statuses, backing)

    def _endings(
        self, asked: ParsedQuery, question: RecallQuery, found: Sequence[Ranked]
    ) -> list[BeliefMark]:
        """Return what ends what the best of what was found names, if the present is asked for."""
        named = [one.candidate for one in found[:MOST_BEST]] if asked.present else []
        gathering = self._gathering(question, asked)
        words = things_in(named, beside={*asked.words, *asked.led, *asked.names})
        holders = gathering.statistics(words).rows_with
        things = {one for one in words if 1 < holders.get(one, 0) <= MOST_HOLDERS}
        if not things:
            return []
        told = gathering.gather(sorted(things), before=question.before).candidates
        return list(endings(named, told, things=things))

    def _at(self, question: RecallQuery) -> str:
        """Return the instant at which a question is asked."""
        return question.at or self._asked.filters.as_of or self._asked.now

    def _gathering(self, question: RecallQuery, asked: ParsedQuery) -> CandidateGatherer:
        """Return the gathering of what one speaker said, or of all that is asked for.

        Of a speaker who asks of himself it is also of what is believed about him.
        """
        filters = self._asked.filters
        speaker = question.speaker or filters.speaker
        about = id_of(speaker) if speaker and asked.own else None
        key = (speaker, about)
        if key not in self._gatherings:
            self._gatherings[key] = CandidateGatherer(
                self._rows,
                agent=self._asked.agent,
                filters=msgspec.structs.replace(filters, speaker=speaker, about=about),
                wanted=self._asked.limit,
                effort=self._asked.effort,
            )
        return self._gatherings[key]

    def _edges(self, asked: ParsedQuery, entities: Mapping[str, Names]) -> list[StoredRelation]:
        """Return the relations around the entities that a question names."""
        return neighbours(
            self._store,
            agent=self._asked.agent,
            ids=slugs_in(asked.text) | _ids(entities),
            as_of=self._asked.filters.as_of,
        )

    def _marks(self, gathered: GatheredCandidates) -> list[BeliefMark]:
        """Return the marks that name a candidate, or what has superseded one, step by step."""
        waiting = _markable(gathered)
        seen = set(waiting)
        found: dict[tuple[str, str, str], BeliefMark] = {}
        for _ in range(MOST_STEPS):
            marks = [
                mark
                for marks_in in (marks_of, successions_of)
                for mark in marks_in(
                    self._store,
                    agent=self._asked.agent,
                    refs=waiting,
                    as_of=self._asked.filters.as_of,
                )
            ]
            found |= {(one.relation, one.old, one.new): one for one in marks}
            waiting = {one.new for one in marks if one.relation == "supersedes"} - seen
            seen |= waiting
            if not waiting:
                break
        return list(found.values())


def _named_in(asked: ParsedQuery, gathering: CandidateGatherer) -> dict[str, Names]:
    """Return the entities that a question names, with the names of each, by id."""
    found = gathering.entities(asked.words)
    return {id: names for id, names in found.items() if names_any(asked.text, names)}


def _ids(entities: Mapping[str, Names]) -> set[str]:
    """Return the ids of entities, and those which things told of their aliases have."""
    return {*entities, *(slug(name) for names in entities.values() for name in names)}


def _near_entities(
    edges: Sequence[StoredRelation], asked: ParsedQuery, entities: Mapping[str, Names]
) -> dict[str, float]:
    """Return how near entities are to those that a question names, by id."""
    ends = [(edge.source, edge.target) for edge in edges]
    known = {end for pair in ends for end in pair}
    return nearness(ends, known & slugs_in(asked.text) | _ids(entities))


def _about(candidates: Sequence[Candidate], edges: Sequence[StoredRelation]) -> list[Candidate]:
    """Return candidates, of which items that told of a relation are about both its ends."""
    ends: dict[str, Names] = {}
    for edge in edges:
        for item in edge.items:
            ends[item] = (*ends.get(item, ()), edge.source, edge.target)
    return [
        one._replace(entities=(*one.entities, *ends[one.ref]))
        if one.source == "item" and one.ref in ends
        else one
        for one in candidates
    ]


def _others(marks: Sequence[BeliefMark], gathered: GatheredCandidates) -> list[str]:
    """Return the other sides of marks that are not there yet."""
    return sorted({ref for mark in marks for ref in (mark.old, mark.new)} - _markable(gathered))


def _markable(gathered: GatheredCandidates) -> set[str]:
    """Return the ids of the candidates that may have marks."""
    return {one.ref for one in gathered.candidates if one.source in MARKED}


class Near(NamedTuple):
    """What vectors say of one question."""

    meant: "Meant"
    row: int

    @property
    def nearest(self) -> list[int]:
        """Return the numbers of what is nearest."""
        return list(self.meant.vectors.nearest(self.meant.questions[self.row], most=NEAREST))

    def beside(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return candidates with how near they are."""
        numbers = [one.number for one in candidates]
        cosines = self.meant.vectors.cosines(self.meant.questions[self.row], numbers)
        return [one._replace(dense=cosines.get(one.number)) for one in candidates]


_DIGITS = 6
_EXACT = 9


def hits(answer: SearchAnswer, *, explain: bool = False) -> list[Hit]:
    """Return what was found for one of many questions."""
    return [
        Hit(
            query=answer.question.id,
            rank=place,
            ref=one.candidate.ref,
            score=round(one.score, _DIGITS),
            why=why,
            source=one.candidate.source,
            signals=_signals(one, explain=explain),
        )
        for place, (one, why) in enumerate(_with_reasons(answer), 1)
    ]


def recalled(answer: SearchAnswer, *, explain: bool = False) -> list[Recalled]:
    """Return what was found for a question, with its words and how it stands."""
    return [
        _recalled(answer, place, one, why, explain=explain)
        for place, (one, why) in enumerate(_with_reasons(answer), 1)
    ]


PLACED = "its place"
"""What is added to the score of what marks put above something that fits better."""


def _with_reasons(answer: SearchAnswer) -> list[tuple[Ranked, str]]:
    """Return what was found, each with why it is there, and a score that says so as well.

    None is below that of what stands under it, whatever it would be by itself.
    """
    replacing = {mark.new for mark in answer.marks if mark.relation == "supersedes"}
    told: list[tuple[Ranked, str]] = []
    below = 0.0
    believed = {
        (answer.backing.get(each.candidate.ref), each.candidate.source): each.candidate.ref
        for each in answer.found
    }
    for one in reversed(answer.found):
        why = reasons(one)
        backs = believed.get((one.candidate.ref, "observation"))
        if backs is not None and one.candidate.source == "item":
            why += f", backs {backs}"
        elif one.score < below:
            is_marked = one.candidate.source in MARKED and one.candidate.ref in replacing
            replaces = is_marked or takes_back(one.candidate.text)
            why += ", put above what it replaced" if replaces else ", put beside its other side"
        if one.score < below:
            one = one._replace(score=below, signals={**one.signals, PLACED: below - one.score})
        below = one.score
        told.append((one, why.removeprefix(", ")))
    return told[::-1]


def _recalled(answer: SearchAnswer, rank: int, one: Ranked, why: str, *, explain: bool) -> Recalled:
    """Return one thing that was found."""
    entry = one.candidate
    own = [
        mark
        for mark in answer.marks
        if entry.source in MARKED and entry.ref in (mark.old, mark.new)
    ]
    by = [mark.new for mark in own if mark.relation == "supersedes" and mark.old == entry.ref]
    against = [
        mark.new if mark.old == entry.ref else mark.old
        for mark in own
        if mark.relation == "contradicts"
    ]
    came = attribution(entry.speaker, entry.claimed_speaker, entry.sources)
    if explain and entry.source == "item" and entry.speaker is None and came is not None:
        why = f"{why}, {came}".removeprefix(", ")
    status = answer.statuses.get(entry.number, "superseded" if by else "active")
    return Recalled(
        rank=rank,
        ref=entry.ref,
        source=entry.source,
        score=round(one.score, _DIGITS),
        why=why,
        text=entry.text,
        at=entry.at,
        kind=entry.kind,
        speaker=entry.speaker,
        claimed_speaker=entry.claimed_speaker,
        subject=entry.subject,
        status=status,
        superseded_by=by[-1] if by else None,
        contradicts=tuple(dict.fromkeys(against)),
        sources=entry.sources,
        signals=_signals(one, explain=explain),
    )


def _signals(one: Ranked, *, explain: bool) -> dict[str, float] | msgspec.UnsetType:
    """Return what a score is made of, if it is asked for."""
    if not explain:
        return msgspec.UNSET
    return {name: round(value, _DIGITS) for name, value in one.signals.items()}


def seconds_of_a_search(store: Store, clock: Clock, *, agent: str) -> float | None:
    """Return for how many seconds an agent's vectors are searched, None where it has none."""
    with store.searched.read() as rows:
        number = index.agent_number(rows, agent)
        if number is None:
            return None
        models = tables.models_within(rows, **index.span_of(number)._asdict())
        if not models:
            return None
        from mindpipe.recall.verbs.embed import vectors_in

        began = clock.boot().seconds
        vectors = vectors_in(rows, models[-1], agent=agent)
        question = None if vectors is None else vectors.newest()
        if vectors is None or question is None:
            return None
        vectors.nearest(question, most=NEAREST)
        return clock.boot().seconds - began
