"""What was decided on observations, and what waits for a person: list it, approve it, deny it."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UsageError
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge import answering
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import Changes, Decision, Observation
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.tables import decisions as table
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs.publishing import believed, publish

_Answer = Callable[..., Changes]


def decisions(
    store: Store,
    *,
    agent: str,
    key: str | None = None,
    queued: bool = False,
    as_of: str | None = None,
) -> list[Decision]:
    """Return decisions, oldest first: all, those on one key, those that wait (or did at `as_of`).

    Raises:
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        found = table.find(rows, agent=agent, key=key)
    seen = (_at(one, as_of) for one in found if as_of is None or one.at <= as_of)
    return [one for one in seen if not queued or one.state == "queued"]


def approve(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: Rules
) -> list[Decision]:
    """Let what was proposed take the place of what is held; return the decisions as they are then.

    Raises:
        UsageError: there is no such agent or decision, or it does not wait.
        RefusedError: something else is held than when it was made.
    """
    return _answer_all(store, clock.now(), agent, ids, Answer("approved", by, rules))


def deny(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], by: str, rules: Rules
) -> list[Decision]:
    """Let what is held stay; return the decisions as they are then.

    Raises:
        UsageError: there is no such agent or decision, or it does not wait.
    """
    return _answer_all(store, clock.now(), agent, ids, Answer("denied", by, rules))


class Answer(msgspec.Struct, frozen=True):
    """What a person answers, who that is, and the rules in force."""

    state: Literal["approved", "denied"]
    by: str
    rules: Rules

    def changes(
        self, decision: Decision, held: Observation | None, now: str, windows: Windows
    ) -> Changes:
        """Return what the answer changes."""
        answered = answering.approved if self.state == "approved" else answering.denied
        return answered(decision, held, by=self.by, now=now, windows=windows)


def _answer_all(
    store: Store, now: str, agent: str, ids: Sequence[str], answer: Answer
) -> list[Decision]:
    """Answer several decisions, all or none."""
    agents.show(store, name=agent)
    with store.write():
        return [_answer(store, now, agent, id, answer) for id in dict.fromkeys(ids)]


def _answer(store: Store, now: str, agent: str, id: str, answer: Answer) -> Decision:
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
    with store.write() as rows:
        table.answer(rows, answered)
        if answer.state == "denied" and held is not None:
            for one in answering.refused(decision, held):
                observations.retract_from(rows, held, one, at=now)
    return answered


def _waiting(store: Store, agent: str, id: str) -> Decision:
    """Return a decision that waits; raises UsageError."""
    with store.read() as rows:
        found = table.find(rows, agent=agent, ids=[id])
        if not found:
            waiting = [one.id for one in table.find(rows, agent=agent) if one.state == "queued"]
            raise UsageError(
                f'agent {agent} has no decision "{id}"; {did_you_mean(id, waiting)}'
                f"mind observation decisions --agent {agent} --queued shows what waits."
            )
    if found[0].state != "queued":
        raise UsageError(f"{id} does not wait: it was {found[0].state}.")
    return found[0]


def _at(decision: Decision, as_of: str | None) -> Decision:
    """Return a decision as it was known at an instant."""
    if as_of is None or decision.answered is None or decision.answered <= as_of:
        return decision
    return msgspec.structs.replace(
        decision, state="queued", made=None, answered=None, answered_by=None
    )
