"""Observations: listed, explained, confirmed, corrected, decided, revalidated."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.records import Record
from mindpipe.core.text import did_you_mean
from mindpipe.knowledge import explanation
from mindpipe.knowledge import operator as operator_marks
from mindpipe.knowledge.claims.attributes import NOT, denial, told_of_slot
from mindpipe.knowledge.confidence import Windows, aged
from mindpipe.knowledge.explanation import explained
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.operator import Correction, Word
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefStatus,
    Changes,
    EvidenceSource,
    Explained,
    Observation,
    ObservationFilter,
    Revalidated,
    Stood,
)
from mindpipe.knowledge.revision import revalidated
from mindpipe.knowledge.tables import decisions as decisions_table
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import origins
from mindpipe.knowledge.verbs.publish import believed, publish
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory


def list_(
    store: Store,
    clock: Clock,
    *,
    wanted: ObservationFilter,
    rules: SlotRules,
    as_of: str | None = None,
) -> list[Observation]:
    """Return observations without evidence as they stand now, or stood at `as_of`, best first.

    Raises:
        UsageError: there is no such agent.
    """
    now = as_of or clock.now()
    with store.read() as rows:
        found = observations.find(rows, wanted, as_of=as_of)
    if not found:
        agents.show(store, name=wanted.agent)
    return explanation.ranked(aged(one, now=now, windows=rules.windows) for one in found)


def show(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    ids: Sequence[str],
    rules: SlotRules,
    as_of: str | None = None,
) -> list[Observation]:
    """Return observations by their ids with all their evidence.

    Raises:
        UsageError: there is no such agent, or no such observation (at `as_of`).
    """
    agents.show(store, name=agent)
    now = as_of or clock.now()
    with store.read() as rows:
        found = find_all(rows, agent=agent, ids=ids, as_of=as_of)
        return [
            aged(with_evidence(rows, one, as_of=as_of), now=now, windows=rules.windows)
            for one in found
        ]


def explain(
    store: Store, shown: Iterable[Observation], *, rules: SlotRules, as_of: str | None = None
) -> Iterator[Explained]:
    """Yield why each observation is believed as much as it is, down to the words of the log."""
    for one in shown:
        agent = one.agent or ""
        with store.read() as rows:
            made = decisions_table.find(rows, agent=agent, key=one.canonical_key)
        yield from explained(
            one,
            texts={
                place: found.text
                for place, found in origins.sources_of(
                    store, agent=agent, evidence=one.evidence
                ).items()
            },
            log=origins.log_of(store, agent=agent, evidence=one.evidence),
            decisions=[each for each in made if as_of is None or each.at <= as_of],
            windows=rules.windows,
        )


def history(store: Store, *, agent: str, id: str, as_of: str | None = None) -> list[Stood]:
    """Return how an observation, and all others of its key, have stood, oldest first.

    Raises:
        UsageError: there is no such agent or observation.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        (named,) = find_all(rows, agent=agent, ids=[id], as_of=as_of)
        chain = observations.find(rows, ObservationFilter(agent=agent, keys=(named.canonical_key,)))
        lines = [
            msgspec.structs.replace(line, value=one.value)
            for one in chain
            for line in observations.stood(rows, agent=agent, observation=one.id, as_of=as_of)
        ]
    return sorted(lines, key=lambda line: line.at)


def find_all(
    rows: Rows, *, agent: str, ids: Sequence[str], as_of: str | None = None
) -> list[Observation]:
    """Return observations by their ids, in that order; raises UsageError for one that is none."""
    wanted = ObservationFilter(agent=agent, ids=tuple(ids))
    found = {one.id: one for one in observations.find(rows, wanted, as_of=as_of)}
    for id in ids:
        if id not in found:
            raise unknown(
                id,
                agent,
                (one.id for one in observations.find(rows, ObservationFilter(agent=agent))),
            )
    return [found[id] for id in dict.fromkeys(ids)]


def with_evidence(rows: Rows, observation: Observation, *, as_of: str | None = None) -> Observation:
    """Return an observation with its evidence."""
    evidence = observations.evidence_of(
        rows, agent=observation.agent or "", observation=observation.id, as_of=as_of
    )
    return msgspec.structs.replace(observation, evidence=evidence)


def unknown(id: str, agent: str, known: Iterable[str]) -> UsageError:
    """Return the error for an observation that the agent does not have."""
    return UsageError(
        f'agent {agent} has no observation "{id}"; {did_you_mean(id, known)}'
        f"mind observation list --agent {agent} shows them."
    )


class Corrected(NamedTuple):
    """What an operator says instead: a value, the claim in one sentence, and since when it holds.

    Without a value the observation is false, and nothing takes its place.
    """

    value: str | None
    summary: str | None = None
    since: str | None = None


class Operator:
    """Who speaks on observations of one agent, and by which rules that is taken."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, *, agent: str, by: str, rules: SlotRules
    ) -> None:
        self.store = store
        self.clock = clock
        self.chance = chance
        self.agent = agents.show(store, name=agent).name
        self.by = by
        self.rules = rules

    def held(self, id: str) -> Observation:
        """Return an observation that has not ended."""
        with self.store.read() as rows:
            (found,) = find_all(rows, agent=self.agent, ids=[id])
            if found.ended is not None:
                raise UsageError(f"{id} is {found.status} since {found.ended}; name what is held.")
            return with_evidence(rows, found)

    def require_alone(self, held: Observation) -> None:
        """Raise UsageError if another observation of the same key is active."""
        wanted = ObservationFilter(
            agent=self.agent, keys=(held.canonical_key,), statuses=(BeliefStatus.ACTIVE,)
        )
        with self.store.read() as rows:
            others = [one for one in observations.find(rows, wanted) if one.id != held.id]
        if others:
            raise UsageError(
                f"{others[0].id} is active in the place of {held.id}; confirm that one."
            )

    def word(self, text: str, *, subject: str, since: str | None = None) -> Word:
        """Keep what the operator says as an item, and return it."""
        now = self.clock.now()
        given = NewItem(
            kind="semantic",
            text=text,
            at=now if since is None else normal_instant(since),
            learnt=now,
            speaker=self.by,
            subject=subject,
            tags=("operator",),
            significance=8.0,
            origin="operator",
        )
        (added,) = memory.add(self.store, self.clock, self.chance, agent=self.agent, given=[given])
        (kept,) = memory.of_ids(self.store, agent=self.agent, ids=[added.id])
        return Word(kept.item, self.by, now)

    def publish(self, changes: Changes) -> None:
        """Write what follows from the operator's word."""
        publish(self.store, changes, slots=self.rules.slots)

    def shown(self, ids: Sequence[str]) -> list[Observation]:
        """Return observations as they stand."""
        with self.store.read() as rows:
            return [with_evidence(rows, one) for one in find_all(rows, agent=self.agent, ids=ids)]


def confirm(operator: Operator, ids: Sequence[str]) -> list[Observation]:
    """Stand by observations: each has the operator's word as evidence, and is active.

    Raises:
        UsageError: an observation is unknown or has ended, or another one took its place.
    """
    with operator.store.write(operator.agent):
        for id in ids:
            held = operator.held(id)
            operator.require_alone(held)
            word = operator.word(held.summary, subject=held.subject_id)
            windows = operator.rules.windows
            operator.publish(operator_marks.confirmed(held, word, windows=windows))
        return operator.shown(ids)


def correct(operator: Operator, id: str, to: Corrected) -> list[Observation]:
    """End an observation by the operator's word; return it, and what takes its place.

    Raises:
        UsageError: the observation is unknown or has ended, or has that value already.
    """
    with operator.store.write(operator.agent):
        held = operator.held(id)
        if to.value is None:
            return _refuted(operator, held, to)
        value = denial(to.value) or to.value
        if value == held.value:
            raise UsageError(f'{id} says "{held.value}" already; mind observation confirm it.')
        summary = to.summary or _restated(held, value)
        word = operator.word(summary, subject=held.subject_id, since=to.since)
        correction = Correction(
            value=value,
            summary=summary,
            observation=operator.chance.new_id("ob", operator.agent, word.item.id),
            decision=operator.chance.new_id("de", operator.agent, word.item.id),
        )
        changes = operator_marks.corrected(held, word, correction, windows=operator.rules.windows)
        operator.publish(changes)
        return operator.shown([id, correction.observation])


def _refuted(operator: Operator, held: Observation, to: Corrected) -> list[Observation]:
    """End an observation that is false."""
    text = to.summary or f"It is not true: {held.summary}"
    word = operator.word(text, subject=held.subject_id, since=to.since)
    decision = operator.chance.new_id("de", operator.agent, word.item.id)
    operator.publish(
        operator_marks.refuted(held, word, decision=decision, windows=operator.rules.windows)
    )
    return operator.shown([held.id])


def pin(operator: Operator, ids: Sequence[str], *, pinned: bool) -> list[Observation]:
    """Pin observations, or let them go: what is pinned neither ages nor gives way by itself.

    Raises:
        UsageError: an observation is unknown or has ended.
    """
    with operator.store.write(operator.agent):
        for id in ids:
            operator.publish(
                operator_marks.pinned(
                    operator.held(id),
                    by=operator.by,
                    now=operator.clock.now(),
                    pin=pinned,
                    windows=operator.rules.windows,
                )
            )
        return operator.shown(ids)


def reinforce(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: SlotRules
) -> int:
    """Add to the support of active observations whose answer was accepted; return to how many.

    Each time adds 0.1 of weight, all times together at most 1.0; it is no evidence, makes nothing
    fresher, and what is full, unknown or not active is passed over.
    """
    now = clock.now()
    wanted = ObservationFilter(agent=agent, ids=tuple(ids), statuses=(BeliefStatus.ACTIVE,))
    with store.write(agent) as rows:
        found = [one for one in observations.find(rows, wanted) if one.reinforced < 1.0]
        for one in found if ids else []:
            held = with_evidence(rows, one)
            changes = operator_marks.reinforced(held, by=by, now=now, windows=rules.windows)
            publish(store, changes, slots=rules.slots)
    return len(found) if ids else 0


def _restated(held: Observation, value: str) -> str:
    """Return the claim with another value, in the old words where the old value is one of them."""
    who = _named(held)
    turned = value.startswith(NOT) != held.value.startswith(NOT)
    if turned and (told := told_of_slot(held.slot, who=who, value=value)):
        return told
    if held.value and held.value in held.summary and not turned:
        return held.summary.replace(held.value, value)
    return f"{who} {held.slot.replace('_', ' ').replace('.', ' ')}: {value}"


def _named(held: Observation) -> str:
    """Return whom an observation is of as its sentence writes the name."""
    place = held.summary.lower().find(held.subject_id)
    return held.summary[place : place + len(held.subject_id)] if place >= 0 else held.subject_id


BY = "revalidate"


class RevalidationDue(Record):
    """Which observations are looked at: those that are due, or all that are held; how many."""

    every: bool = False
    limit: int | None = None
    dry_run: bool = False


def revalidate(
    store: Store, clock: Clock, *, agent: str, due: RevalidationDue, rules: SlotRules
) -> list[Revalidated]:
    """Look again at held observations and return those whose status changed, the longest due first.

    Each is written in a transaction of its own, so that a killed run can be repeated.

    Raises:
        NothingToDoError: none is due.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    now = clock.now()
    wanted = ObservationFilter(
        agent=agent,
        due=None if due.every else now,
        statuses=(BeliefStatus.ACTIVE, BeliefStatus.STALE),
    )
    with store.read() as rows:
        found = observations.find(rows, wanted)
    if not found:
        raise NothingToDoError(f"no observation of {agent} is due.")
    found.sort(key=lambda one: (one.revalidation_due_at, one.id))
    looked = [
        _look_again(store, agent, one.id, now, rules, dry_run=due.dry_run)
        for one in found[: due.limit]
    ]
    return [one for one in looked if one is not None and one.before is not one.after]


def _look_again(
    store: Store, agent: str, id: str, now: str, rules: SlotRules, *, dry_run: bool
) -> Revalidated | None:
    """Look again at one observation, and keep what comes of it; None where it has ended by now."""
    with store.write(agent) as rows:
        wanted = ObservationFilter(
            agent=agent, ids=(id,), statuses=(BeliefStatus.ACTIVE, BeliefStatus.STALE)
        )
        held = observations.find(rows, wanted)
        if not held:
            return None
        before = with_evidence(rows, held[0])
        made, told = revalidated(_reread(store, before, now), now=now, windows=rules.windows)
        if not dry_run:
            for source, refs in _newly_retracted(before, made).items():
                observations.retract_evidence(rows, agent=agent, source=source, refs=refs, at=now)
            change = BeliefChange(observation=made, expected=before.version, why=told.why)
            publish(
                store, Changes(agent=agent, at=now, by=BY, changes=(change,)), slots=rules.slots
            )
    return told


def _reread(store: Store, held: Observation, now: str) -> Observation:
    """Return an observation whose evidence no longer counts where its source was taken back."""
    kept = origins.sources_of(store, agent=held.agent or "", evidence=held.evidence)
    gone = {place for place, origin in kept.items() if origin.retracted is not None}
    evidence = tuple(
        msgspec.structs.replace(one, retracted=now)
        if (one.source, one.ref) in gone and one.retracted is None
        else one
        for one in held.evidence
    )
    return msgspec.structs.replace(held, evidence=evidence)


def _newly_retracted(
    before: Observation, after: Observation
) -> dict[EvidenceSource, Collection[str]]:
    """Return the sources whose evidence counted and does no longer, by substrate."""
    counted = {(one.source, one.ref) for one in before.evidence if one.retracted is None}
    found: dict[EvidenceSource, Collection[str]] = {}
    for one in after.evidence:
        if one.retracted is not None and (one.source, one.ref) in counted:
            found[one.source] = {*found.get(one.source, ()), one.ref}
    return found


def decisions(
    store: Store,
    *,
    agent: str,
    key: str | None = None,
    queued: bool = False,
    as_of: str | None = None,
) -> list[BeliefDecision]:
    """Return decisions, oldest first: all, those on one key, those that wait (or did at `as_of`).

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        found = decisions_table.find(rows, agent=agent, key=key)
    seen = (_at(one, as_of) for one in found if as_of is None or one.at <= as_of)
    return [one for one in seen if not queued or one.state == "queued"]


def approve(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: SlotRules
) -> list[BeliefDecision]:
    """Let what was proposed take the place of what is held; return the decisions as they are then.

    Raises:
        UsageError: there is no such agent or decision, or it does not wait.
        RefusedError: something else is held than when it was made.
    """
    return _answer_all(store, clock.now(), agent, ids, _Answer("approved", by, rules))


def deny(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: SlotRules
) -> list[BeliefDecision]:
    """Let what is held stay; return the decisions as they are then.

    Raises:
        UsageError: there is no such agent or decision, or it does not wait.
    """
    return _answer_all(store, clock.now(), agent, ids, _Answer("denied", by, rules))


class _Answer(msgspec.Struct, frozen=True):
    """What a person answers, who that is, and the rules in force."""

    state: Literal["approved", "denied"]
    by: str
    rules: SlotRules

    def changes(
        self, decision: BeliefDecision, held: Observation | None, now: str, windows: Windows
    ) -> Changes:
        """Return what the answer changes."""
        answered = operator_marks.approved if self.state == "approved" else operator_marks.denied
        return answered(decision, held, by=self.by, now=now, windows=windows)


def _answer_all(
    store: Store, now: str, agent: str, ids: Sequence[str], answer: _Answer
) -> list[BeliefDecision]:
    """Answer several decisions, all or none."""
    agents.show(store, name=agent)
    with store.write(agent):
        return [_answer(store, now, agent, id, answer) for id in dict.fromkeys(ids)]


def _answer(store: Store, now: str, agent: str, id: str, answer: _Answer) -> BeliefDecision:
    """Answer one decision."""
    decision = _waiting(store, agent, id)
    key = decision.canonical_key
    held = believed(store, agent=agent, keys=(key,)).get(key)
    changes = answer.changes(decision, held, now, answer.rules.windows)
    publish(store, changes, slots=answer.rules.slots)
    made = changes.changes[-1].observation.id if answer.state == "approved" else None
    answered = msgspec.structs.replace(
        decision, state=answer.state, made=made, answered=now, answered_by=answer.by
    )
    with store.write(agent) as rows:
        decisions_table.answer(rows, answered)
        if answer.state == "denied" and held is not None:
            for one in operator_marks.refused(decision, held):
                observations.retract_from(rows, held, one, at=now)
    return answered


def _waiting(store: Store, agent: str, id: str) -> BeliefDecision:
    """Return a decision that waits; raises UsageError."""
    with store.read() as rows:
        found = decisions_table.find(rows, agent=agent, ids=[id])
        if not found:
            waiting = [
                one.id for one in decisions_table.find(rows, agent=agent) if one.state == "queued"
            ]
            raise UsageError(
                f'agent {agent} has no decision "{id}"; {did_you_mean(id, waiting)}'
                f"mind observation decisions --agent {agent} --queued shows what waits."
            )
    if found[0].state != "queued":
        raise UsageError(f"{id} does not wait: it was {found[0].state}.")
    return found[0]


def _at(decision: BeliefDecision, as_of: str | None) -> BeliefDecision:
    """Return a decision as it was known at an instant."""
    if as_of is None or decision.answered is None or decision.answered <= as_of:
        return decision
    return msgspec.structs.replace(
        decision, state="queued", made=None, answered=None, answered_by=None
    )
