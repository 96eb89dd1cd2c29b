"""One pass over a life file: whether all of it is what was written."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from mindpipe.compaction import tables as window_tables
from mindpipe.compaction.verbs import verify as windows
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Store
from mindpipe.core.records import Record
from mindpipe.history.records import BrokenRow
from mindpipe.history.verbs.history import ChainWalk
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import BeliefDecision, KnowledgeFinding, ObservationFilter
from mindpipe.knowledge.tables import decisions, observations
from mindpipe.knowledge.verbs.knowledge import Verification
from mindpipe.knowledge.verbs.observation import with_evidence
from mindpipe.life.archive import LifeReader
from mindpipe.life.beliefs import BeliefPast, faults_of
from mindpipe.life.persons.course import faults_of_course
from mindpipe.life.records import LifeVerdict
from mindpipe.life.tables import lives
from mindpipe.life.verbs.kept_person import course
from mindpipe.life.verbs.rows import distrusting, from_file, take
from mindpipe.person import tables
from mindpipe.store.changes import UNDO, RowsUndone
from mindpipe.store.scratch import scratch_file

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore


class LifeCheck:
    """A pass that is made when it is gone through; `verdict` is what it came to."""

    def __init__(self, reader: LifeReader, *, rules: SlotRules) -> None:
        self._reader = reader
        self._rules = rules
        self.verdict: LifeVerdict | None = None

    def wrong(self) -> Iterator[Record]:
        """Yield all that is not what was written: in the chain, the windows, and the beliefs.

        Raises:
            InputOutputError: the file itself is not as it was written.
        """
        reader, manifest = self._reader, self._reader.manifest
        with scratch_file() as store, distrusting(reader):
            with from_file(store, reader) as rows:
                taken = take(rows, manifest, reader.tables(), reader.fault)
                reader.finish()
            chain = ChainWalk(store, agent=manifest.agent, anchor=manifest.anchor)
            held = Verification(store, agent=manifest.agent, rules=self._rules)
            wrong = 0
            rows_wrong = itertools.chain(_chain(chain), windows.broken(store, agent=manifest.agent))
            beliefs = _beliefs(store, agent=manifest.agent)
            lived = _person(store, manifest.agent) if manifest.person is True else ()
            ends = _ends(store, agent=manifest.agent)
            held_wrong = held.wrong()
            if "memory" in manifest.without:
                # What a belief rests on was left out by whoever wrote the file.
                held_wrong = (one for one in held_wrong if one.check != "link")
            for one in itertools.chain(rows_wrong, held_wrong, beliefs, ends, lived):
                wrong += 1
                yield one
            with store.read() as rows:
                changes = len(window_tables.all_of(rows, agent=manifest.agent))
        self.verdict = LifeVerdict(
            agent=manifest.agent,
            moves=manifest.moves,
            moved=manifest.moved,
            at=manifest.at,
            cycles=manifest.cycles,
            messages=chain.verdict.rows,
            anchor=chain.verdict.anchor,
            windows=changes,
            beliefs=held.verdict.observations,
            quotes=held.verdict.quotes,
            rows=taken.rows,
            wrong=wrong,
            redacted=chain.verdict.redacted,
            without=manifest.without or UNSET,
        )


def _beliefs(store: Store, *, agent: str) -> Iterator[KnowledgeFinding]:
    """Yield each standing of a belief and each decision that its evidence does not come to."""
    with store.read() as rows:
        found = observations.find(rows, ObservationFilter(agent=agent))
        followed = {
            one.supersedes_observation_id: one for one in found if one.supersedes_observation_id
        }
        decided: dict[str | None, list[BeliefDecision]] = {}
        for decision in decisions.find(rows, agent=agent):
            decided.setdefault(decision.observation, []).append(decision)
    for one in found:
        with store.read() as rows:
            after = followed.get(one.id)
            past = BeliefPast(
                now=with_evidence(rows, one),
                stood=observations.standings(rows, agent=agent, observation=one.id),
                next=None if after is None else with_evidence(rows, after),
                decisions=decided.get(one.id, ()),
            )
        yield from faults_of(past)


def _ends(store: Store, *, agent: str) -> Iterator[BrokenRow]:
    """Yield each cycle whose end is not where it is said to be, or of which nothing says it."""
    with store.read() as rows:
        known = dict(lives.ends_of_cycles(rows, agent=agent))
        for cycle, number in known.items():
            undo = lives.undo_of(rows, agent=agent, number=number)
            of = RowsUndone() if undo is None else UNDO.decode(undo).get("cycle", RowsUndone())
            touched = {key[1] for key in of.touched()}
            if cycle not in touched:
                what = f"it did not end with change {number}"
                yield BrokenRow(agent=agent, table="cycle_change", number=cycle, what=what)
        for cycle in lives.cycles_with_turns(rows, agent=agent, after=min(known, default=0)):
            if known and cycle not in known:
                what = "nothing says with which change it ended"
                yield BrokenRow(agent=agent, table="cycle_change", number=cycle, what=what)


def _person(store: "EngineStore", person: str) -> Iterator[BrokenRow]:
    """Yield each row of a person that is not what it says, or refers to what is not there."""
    with store.read() as rows:
        for row in tables.misplaced(rows, person):
            yield BrokenRow(
                agent=person,
                table=row.table,
                number=row.t_us,
                what="its body is of another person, instant or id",
            )
    yield from faults_of_course(course(store, person=person))


def _chain(chain: ChainWalk) -> Iterator[BrokenRow]:
    """Yield the broken rows of a chain; a life that has not spoken yet has none."""
    try:
        yield from chain.broken()
    except NothingToDoError:
        return
