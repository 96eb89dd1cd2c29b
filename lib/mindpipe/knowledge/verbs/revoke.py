"""Take back what is held on words of a source or on single items, with all that follows."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import (
    BeliefStatus,
    Changes,
    Derived,
    Observation,
    ObservationFilter,
)
from mindpipe.knowledge.revision import BY, HELD, Aftermath, Revocation, aftermath
from mindpipe.knowledge.tables import decisions, marks, observations
from mindpipe.knowledge.verbs.observation import with_evidence
from mindpipe.knowledge.verbs.publish import publish


class Revoking:
    """One revocation for one agent, in the caller's transaction.

    `new_id` names what is made anew, by a prefix and the id of what it takes the place of.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        new_id: Callable[[str, str], str],
        *,
        agent: str,
        source: str | None,
        rules: SlotRules,
    ) -> None:
        self._store = store
        self._agent = agent
        self._rules = rules
        self._revocation = Revocation(
            source=source,
            now=clock.now(),
            windows=rules.windows,
            new_id=new_id,
        )

    def revoke(self, taken: Mapping[str, Sequence[str]]) -> list[Derived]:
        """Let evidence from some sources count no longer, and settle all that stood on it.

        `taken` are the ids that were taken back, by kind of source: memory_item, lesson,
        reflection, entity. Marks on these items count no longer, and what was proposed on the
        revoked words and waits for a person is denied.
        """
        with self._store.write(self._agent) as rows:
            found = observations.find(rows, ObservationFilter(agent=self._agent))
            tainted = {
                one.canonical_key
                for one in found
                if one.status in HELD and self._revocation.means(one.sources)
            }
            touched = set(self._retract(rows, taken))
            keys = tainted | {one.canonical_key for one in found if one.id in touched}
            told: list[Derived] = []
            for key in sorted(keys):
                under = [with_evidence(rows, one) for one in found if one.canonical_key == key]
                told += self._settle(aftermath(under, self._revocation))
            unmarked = self._unmark(rows, taken.get("memory_item", ()))
            return [*told, *self._deny(rows, taken), *unmarked]

    def _retract(self, rows: Rows, taken: Mapping[str, Sequence[str]]) -> list[str]:
        """Let evidence count no longer; return the observations that it counted for."""
        gone = {source: set(refs) for source, refs in taken.items()}
        for one in observations.quarantined(rows, agent=self._agent):
            if self._revocation.means(one.sources):
                gone.setdefault(one.source, set()).add(one.ref)
        return [
            id
            for source, refs in sorted(gone.items())
            for id in observations.retract_evidence(
                rows, agent=self._agent, source=source, refs=sorted(refs), at=self._revocation.now
            )
        ]

    def _settle(self, after: Aftermath) -> list[Derived]:
        """Write what changes under one key, and return a receipt of each change."""
        publish(
            self._store,
            Changes(
                agent=self._agent,
                at=self._revocation.now,
                by=BY,
                changes=after.changes,
                decisions=() if after.decision is None else (after.decision,),
            ),
            slots=self._rules.slots,
        )
        return [_derived(one.observation, made=not one.expected) for one in after.changes]

    def _deny(self, rows: Rows, taken: Mapping[str, Sequence[str]]) -> list[Derived]:
        """Deny what waits for a person on the revoked words."""
        waiting = [
            one
            for one in decisions.find(rows, agent=self._agent)
            if one.state == "queued"
            and one.proposal is not None
            and (
                self._revocation.means(one.proposal.sources)
                or any(each.ref in taken.get(each.source, ()) for each in one.proposal.evidence)
            )
        ]
        for one in waiting:
            denied = msgspec.structs.replace(
                one, state="denied", answered=self._revocation.now, answered_by=BY
            )
            decisions.answer(rows, denied)
        return [
            Derived(
                kind="decision",
                id=one.id,
                text=one.proposal.summary if one.proposal else one.new_value,
                sources=one.proposal.sources if one.proposal else (),
                change="denied",
            )
            for one in waiting
        ]

    def _unmark(self, rows: Rows, refs: Sequence[str]) -> list[Derived]:
        """Let marks on items that were taken back count no longer."""
        found = marks.retract(rows, agent=self._agent, refs=refs, at=self._revocation.now)
        return [
            Derived(
                kind="mark",
                id=one.new,
                text=f"{one.new} {one.relation} {one.old}",
                change="retracted",
            )
            for one in found
        ]


def _derived(observation: Observation, *, made: bool) -> Derived:
    """Return the receipt of an observation that was changed."""
    if observation.status is BeliefStatus.INVALIDATED:
        change = "invalidated"
    else:
        change = "made" if made else "weakened"
    return Derived(
        kind="observation",
        id=observation.id,
        text=observation.summary,
        sources=observation.sources,
        change=change,
    )
