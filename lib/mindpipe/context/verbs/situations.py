"""What an agent sees of spaces, goals, notes, plans and beliefs."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import goal as goal_verbs
from mindpipe.agents.verbs import note as notes
from mindpipe.context import prompt, receipt
from mindpipe.context.records import (
    BeliefView,
    GoalView,
    Knowledge,
    MemberView,
    NoteView,
    PlanView,
    Situation,
    SpaceSeen,
    SpaceView,
)
from mindpipe.core.ports import Clock, Store, Tokens
from mindpipe.core.sources import untrusted
from mindpipe.inbox.records import Event
from mindpipe.knowledge.confidence import word_of
from mindpipe.knowledge.explanation import chosen
from mindpipe.knowledge.records import BeliefStatus, Observation, ObservationFilter
from mindpipe.knowledge.verbs import observation as observations
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import PlanState
from mindpipe.spaces import verbs as spaces


def situation(store: Store, *, agent: Agent, place: str | None) -> Situation:
    """Return spaces with members, goals, memories and plans of an agent that is in `place`."""
    name = agent.name
    return Situation(
        spaces=tuple(
            SpaceView(
                name=space.name,
                title=space.title,
                members=tuple(
                    MemberView(title=member.title, kind=member.kind, you=member.name == name)
                    for member in spaces.members(store, space=space.name)
                ),
            )
            for space in spaces.list_(store, member=name)
        ),
        place=place,
        goals=tuple(
            GoalView(
                id=goal.id,
                text=goal.text,
                state=goal.state.value,
                priority=goal.priority,
                sources=untrusted(goal.sources, agent.trust),
            )
            for goal in goal_verbs.list_(store, agent=name)
            if goal.state.value in {"active", "long-term"}
        ),
        notes=tuple(
            NoteView(key=note.key, value=note.value, sources=untrusted(note.sources, agent.trust))
            for note in notes.list_(store, agent=name)
        ),
        plans=tuple(
            PlanView(
                id=plan.id,
                title=plan.title,
                rule=plan.rule(),
                next=plan.next,
                sources=untrusted(plan.sources, agent.trust),
            )
            for plan in plans.list_(store, agent=name)
            if plan.state is PlanState.ACTIVE
        ),
    )


def seen(store: Store, event: Event, *, trust: tuple[str, ...]) -> SpaceSeen:
    """Return an event as its agent sees it, with the titles of space and sender."""
    sender = spaces.entity(store, name=event.sender) if event.sender else None
    space = spaces.find(store, name=event.space) if event.space else None
    return SpaceSeen(
        id=event.id,
        type=event.type,
        source=event.source,
        text=event.text or "",
        body=event.body,
        space=space.title if space else event.space,
        sender=sender.title if sender else event.sender,
        sender_kind=sender.kind if sender else None,
        taint=bool(untrusted(event.origins(), trust)),
    )


class Source(NamedTuple):
    """Where beliefs are loaded from, and how their length is counted."""

    store: Store
    clock: Clock
    tokens: Tokens
    knowledge: Knowledge


def stated(source: Source, agent: Agent, where: Situation, seen: Iterable[SpaceSeen]) -> Situation:
    """Return a situation with those beliefs that bear on it and on the events, in the budget."""
    budget = agent.knowledge_tokens - source.tokens.count(f"{prompt.KNOWLEDGE}:\n")
    if budget <= 0:
        return where
    wanted = ObservationFilter(agent=agent.name, statuses=(BeliefStatus.ACTIVE,))
    found = receipt.chosen(
        _held(source, wanted),
        receipt.stems_of(*_words(where, seen)),
        budget=budget,
        cost=lambda one: source.tokens.count(prompt.belief_line(_view(one, agent)) + "\n"),
    )
    return where.with_beliefs(tuple(_view(one, agent) for one in found))


def _held(source: Source, wanted: ObservationFilter) -> list[Observation]:
    """Return what is believed now, the most confident first."""
    rules, given = source.knowledge
    if given is None:
        return observations.list_(source.store, source.clock, wanted=wanted, rules=rules)
    now = source.clock.now()
    return chosen(given, wanted, now=now, as_of=None, windows=rules.windows)


def _words(where: Situation, seen: Iterable[SpaceSeen]) -> list[str]:
    """Return what the present is about, in words."""
    here = [space.title for space in where.spaces if space.name == where.place]
    said = [text for event in seen for text in (event.text, event.sender or "")]
    goals, plans = [goal.text for goal in where.goals], [plan.title for plan in where.plans]
    return [*here, *goals, *plans, *said]


def _view(observation: Observation, agent: Agent) -> BeliefView:
    """Return an observation as its agent sees it."""
    return BeliefView(
        id=observation.id,
        key=observation.canonical_key,
        summary=observation.summary,
        confidence=word_of(observation.confidence),
        supported=(observation.last_supported_at or observation.learnt)[:10],
        evidence=observation.components.source_count,
        contested=observation.contested,
        sources=untrusted(observation.sources, agent.trust),
        origins=observation.sources,
    )
