"""Check all that is held against what it stands on, and list what a person should look at."""

from collections.abc import Iterator

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge import auditing, verification
from mindpipe.knowledge.records import Checked, Observation, Status, Verified, Wanted
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.standing import aged
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import origins
from mindpipe.knowledge.verbs.observations import with_evidence

_PART = 200


class Verification:
    """One pass over an agent's observations of every status; `verdict` is what it came to."""

    def __init__(self, store: Store, *, agent: str, rules: Rules) -> None:
        self._store = store
        self._agent = agents.show(store, name=agent).name
        self._rules = rules
        self.verdict = Verified(agent=agent, observations=0, evidence=0, quotes=0, wrong=0)

    def wrong(self) -> Iterator[Checked]:
        """Yield every key, link, quote and confidence that is not what it should be."""
        with self._store.read() as rows:
            found = observations.find(rows, Wanted(agent=self._agent))
        for start in range(0, len(found), _PART):
            yield from self._part(found[start : start + _PART])

    def _part(self, found: list[Observation]) -> Iterator[Checked]:
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


def audit(
    store: Store, clock: Clock, *, agent: str, rules: Rules, as_of: str | None = None
) -> list[Checked]:
    """Return what is odd about what is held now, or was at `as_of`.

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    now = as_of or clock.now()
    wanted = Wanted(agent=agent, statuses=(Status.ACTIVE, Status.STALE))
    with store.read() as rows:
        held = [
            aged(with_evidence(rows, one, as_of=as_of), now=now, windows=rules.windows)
            for one in observations.find(rows, wanted, as_of=as_of)
        ]
    return [*auditing.audited(held), *_lost(store, held, agent)]


def _lost(store: Store, held: list[Observation], agent: str) -> Iterator[Checked]:
    """Yield observations with evidence whose source is not there, or was taken back since."""
    evidence = [each for one in held for each in one.evidence if each.retracted is None]
    sources = origins.sources_of(store, agent=agent, evidence=evidence)
    for one in held:
        counted = tuple(each for each in one.evidence if each.retracted is None)
        yield from verification.lost(msgspec.structs.replace(one, evidence=counted), sources)
