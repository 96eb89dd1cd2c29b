"""Whether all that is held stands on what it says, and what is marked in it."""

from collections.abc import Iterator

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge import audit as audit_rules
from mindpipe.knowledge import verification
from mindpipe.knowledge.confidence import aged
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import (
    BeliefMark,
    BeliefStatus,
    KnowledgeFinding,
    Observation,
    ObservationFilter,
    Verified,
)
from mindpipe.knowledge.tables import marks as marks_table
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import origins
from mindpipe.knowledge.verbs.observation import with_evidence

_PART = 200


class Verification:
    """One pass over an agent's observations of every status; `verdict` is what it came to."""

    def __init__(self, store: Store, *, agent: str, rules: SlotRules) -> None:
        self._store = store
        self._agent = agents.show(store, name=agent).name
        self._rules = rules
        self.verdict = Verified(agent=agent, observations=0, evidence=0, quotes=0, wrong=0)

    def wrong(self) -> Iterator[KnowledgeFinding]:
        """Yield every key, link, quote and confidence that is not what it should be."""
        with self._store.read() as rows:
            found = observations.find(rows, ObservationFilter(agent=self._agent))
        for start in range(0, len(found), _PART):
            yield from self._part(found[start : start + _PART])

    def _part(self, found: list[Observation]) -> Iterator[KnowledgeFinding]:
        """Check some observations against their sources and the log, read once for all of them."""
        with self._store.read() as rows:
            part = [with_evidence(rows, one) for one in found]
            evidence = [each for one in part for each in one.evidence]
            sources = origins.sources_of(self._store, agent=self._agent, evidence=evidence)
            log = origins.log_of(self._store, agent=self._agent, evidence=evidence)
        for one in part:
            wrong = list(verification.faults_of(one, sources, log, slots=self._rules.slots))
            self.verdict = Verified(
                agent=self._agent,
                observations=self.verdict.observations + 1,
                evidence=self.verdict.evidence + len(one.evidence),
                quotes=self.verdict.quotes + sum(each.span is not None for each in one.evidence),
                wrong=self.verdict.wrong + len(wrong),
            )
            yield from wrong


def verify(store: Store, *, agent: str, rules: SlotRules) -> Verification:
    """Return a pass over all that an agent holds, which is made when it is gone through.

    Raises:
        UsageError: there is no such agent.
    """
    return Verification(store, agent=agent, rules=rules)


def audit(
    store: Store, clock: Clock, *, agent: str, rules: SlotRules, as_of: str | None = None
) -> list[KnowledgeFinding]:
    """Return what is odd about what is held now, or was at `as_of`.

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    now = as_of or clock.now()
    wanted = ObservationFilter(agent=agent, statuses=(BeliefStatus.ACTIVE, BeliefStatus.STALE))
    with store.read() as rows:
        held = [
            aged(with_evidence(rows, one, as_of=as_of), now=now, windows=rules.windows)
            for one in observations.find(rows, wanted, as_of=as_of)
        ]
    return [*audit_rules.audited(held), *_lost(store, held, agent)]


def _lost(store: Store, held: list[Observation], agent: str) -> Iterator[KnowledgeFinding]:
    """Yield observations with evidence whose source is not there, or was taken back since."""
    evidence = [each for one in held for each in one.evidence if each.retracted is None]
    sources = origins.sources_of(store, agent=agent, evidence=evidence)
    for one in held:
        counted = tuple(each for each in one.evidence if each.retracted is None)
        yield from verification.lost(msgspec.structs.replace(one, evidence=counted), sources)


def marks(store: Store, *, agent: str, as_of: str | None = None) -> Iterator[BeliefMark]:
    """Yield all marks of an agent in the order in which they were made.

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        yield from marks_table.find(rows, agent=agent, refs=None, as_of=as_of)
