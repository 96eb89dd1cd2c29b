"""What an operator does to what is held: confirm, correct, refute, pin."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.knowledge import operator
from mindpipe.knowledge.operator import Correction, Word
from mindpipe.knowledge.records import Changes, Observation, Status, Wanted
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs.observations import find_all, with_evidence
from mindpipe.knowledge.verbs.publishing import publish
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import items


class Corrected(NamedTuple):
    """What an operator says instead: a value, the claim in one sentence, and since when it holds.

    Without a value the observation is false, and nothing takes its place.
    """

    value: str | None
    summary: str | None = None
    since: str | None = None


class Operator:
    """One operator's words on observations of one agent, each in a transaction of its own."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, *, agent: str, by: str, rules: Rules
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._agent = agents.show(store, name=agent).name
        self._by = by
        self._rules = rules

    def confirm(self, ids: Sequence[str]) -> list[Observation]:
        """Stand by observations: each has the operator's word as evidence, and is active.

        Raises:
            UsageError: an observation is unknown or has ended, or another one took its place.
        """
        with self._store.write():
            for id in ids:
                held = self._held(id)
                self._require_alone(held)
                word = self._word(held.summary, subject=held.subject_id)
                windows = self._rules.windows
                self._publish(operator.confirmed(held, word, windows=windows))
            return self._shown(ids)

    def correct(self, id: str, to: Corrected) -> list[Observation]:
        """End an observation by the operator's word; return it, and what takes its place.

        Raises:
            UsageError: the observation is unknown or has ended, or has that value already.
        """
        with self._store.write():
            held = self._held(id)
            if to.value is None:
                return self._refute(held, to)
            if to.value == held.value:
                raise UsageError(f'{id} says "{held.value}" already; mind observation confirm it.')
            summary = to.summary or _restated(held, to.value)
            word = self._word(summary, subject=held.subject_id, since=to.since)
            correction = Correction(
                value=to.value,
                summary=summary,
                observation=self._chance.new_id("ob", self._agent, word.item.id),
                decision=self._chance.new_id("de", self._agent, word.item.id),
            )
            changes = operator.corrected(held, word, correction, windows=self._rules.windows)
            self._publish(changes)
            return self._shown([id, correction.observation])

    def _refute(self, held: Observation, to: Corrected) -> list[Observation]:
        """End an observation that is false."""
        text = to.summary or f"It is not true: {held.summary}"
        word = self._word(text, subject=held.subject_id, since=to.since)
        decision = self._chance.new_id("de", self._agent, word.item.id)
        self._publish(operator.refuted(held, word, decision=decision, windows=self._rules.windows))
        return self._shown([held.id])

    def pin(self, ids: Sequence[str], *, pinned: bool) -> list[Observation]:
        """Pin observations, or let them go: what is pinned neither ages nor gives way by itself.

        Raises:
            UsageError: an observation is unknown or has ended.
        """
        with self._store.write():
            for id in ids:
                self._publish(
                    operator.pinned(
                        self._held(id),
                        by=self._by,
                        now=self._clock.now(),
                        pin=pinned,
                        windows=self._rules.windows,
                    )
                )
            return self._shown(ids)

    def _held(self, id: str) -> Observation:
        """Return an observation that has not ended."""
        with self._store.read() as rows:
            (found,) = find_all(rows, agent=self._agent, ids=[id])
            if found.ended is not None:
                raise UsageError(f"{id} is {found.status} since {found.ended}; name what is held.")
            return with_evidence(rows, found)

    def _require_alone(self, held: Observation) -> None:
        """Raise UsageError if another observation of the same key is active."""
        wanted = Wanted(agent=self._agent, keys=(held.canonical_key,), statuses=(Status.ACTIVE,))
        with self._store.read() as rows:
            others = [one for one in observations.find(rows, wanted) if one.id != held.id]
        if others:
            raise UsageError(
                f"{others[0].id} is active in the place of {held.id}; confirm that one."
            )

    def _word(self, text: str, *, subject: str, since: str | None = None) -> Word:
        """Keep what the operator says as an item, and return it."""
        now = self._clock.now()
        given = NewItem(
            kind="semantic",
            text=text,
            at=now if since is None else normal_instant(since),
            learnt=now,
            speaker=self._by,
            subject=subject,
            tags=("operator",),
            significance=8.0,
            origin="operator",
        )
        (added,) = items.add(
            self._store, self._clock, self._chance, agent=self._agent, given=[given]
        )
        (kept,) = items.of_ids(self._store, agent=self._agent, ids=[added.id])
        return Word(kept.item, self._by, now)

    def _publish(self, changes: Changes) -> None:
        """Write what follows from the operator's word."""
        publish(self._store, changes, slots=self._rules.slots)

    def _shown(self, ids: Sequence[str]) -> list[Observation]:
        """Return observations as they stand."""
        with self._store.read() as rows:
            return [with_evidence(rows, one) for one in find_all(rows, agent=self._agent, ids=ids)]


def reinforce(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: Rules
) -> int:
    """Add to the support of active observations whose recall was of use; return to how many.

    Each time adds 0.1 of weight, all times together at most 1.0; it is no evidence, makes nothing
    fresher, and what is full, unknown or not active is passed over.
    """
    now = clock.now()
    wanted = Wanted(agent=agent, ids=tuple(ids), statuses=(Status.ACTIVE,))
    with store.write() as rows:
        found = [one for one in observations.find(rows, wanted) if one.reinforced < 1.0]
        for one in found if ids else []:
            held = with_evidence(rows, one)
            changes = operator.reinforced(held, by=by, now=now, windows=rules.windows)
            publish(store, changes, slots=rules.slots)
    return len(found) if ids else 0


def _restated(held: Observation, value: str) -> str:
    """Return the claim with another value, in the old words where the old value is one of them."""
    if held.value and held.value in held.summary:
        return held.summary.replace(held.value, value)
    return f"{held.subject_id} {held.slot.replace('_', ' ').replace('.', ' ')}: {value}"
