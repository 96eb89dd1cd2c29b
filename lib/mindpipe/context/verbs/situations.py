"""Load what an agent is told of its surroundings, and what its events look like to it."""

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent
from mindpipe.context.records import (
    GoalView,
    MemberView,
    NoteView,
    PlanView,
    Seen,
    Situation,
    SpaceView,
)
from mindpipe.core.ports import Store
from mindpipe.core.sources import untrusted
from mindpipe.inbox.records import Event
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
            for goal in agents.goal_list(store, agent=name)
            if goal.state.value in {"active", "long-term"}
        ),
        notes=tuple(
            NoteView(key=note.key, value=note.value, sources=untrusted(note.sources, agent.trust))
            for note in agents.note_list(store, agent=name)
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


def seen(store: Store, event: Event, *, trust: tuple[str, ...]) -> Seen:
    """Return an event as its agent sees it, with the titles of space and sender."""
    sender = spaces.entity(store, name=event.sender) if event.sender else None
    space = spaces.find(store, name=event.space) if event.space else None
    return Seen(
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
