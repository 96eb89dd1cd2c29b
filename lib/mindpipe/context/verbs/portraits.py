"""Take an agent out of a store as one document, and put one into a store."""

from typing import TypeVar

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentFile
from mindpipe.core.errors import BadInputError
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import Plan
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewEntity

T = TypeVar("T")


class SpacePortrait(Record):
    """One space of an agent: its name, title and who is in it."""

    name: str
    title: str | None = None
    members: tuple[NewEntity, ...] = ()


def portray(store: Store, *, name: str) -> AgentFile:
    """Return an agent with its goals, notes, plans and spaces, to live without a store.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read():
        bare = agents.export_(store, name=name)
        mine = [
            SpacePortrait(
                name=space.name,
                title=space.title,
                members=tuple(
                    _member(store, member.name)
                    for member in spaces.members(store, space=space.name)
                ),
            )
            for space in spaces.list_(store, member=name)
        ]
        return msgspec.structs.replace(
            bare,
            plans=tuple(msgspec.to_builtins(plan) for plan in plans.list_(store, agent=name)),
            spaces=tuple(msgspec.to_builtins(space) for space in mine),
        )


def _member(store: Store, name: str) -> NewEntity:
    """Return somebody as whoever may join elsewhere."""
    found = spaces.entity(store, name=name)
    if found is None:
        return NewEntity(name=name, kind="human")
    return NewEntity(name=name, kind=found.kind, title=found.title, id=found.id)


def settle(store: Store, clock: Clock, chance: Chance, *, portrait: AgentFile, source: str) -> None:
    """Put an agent and all that its document holds into a store that does not have it.

    Raises:
        BadInputError: a space or plan of the document is none; `source` names the document.
    """
    with store.write():
        agents.settle(store, clock, chance, portrait=portrait)
        for position, given in enumerate(portrait.spaces):
            space = _converted(given, SpacePortrait, source, f"$.spaces[{position}]")
            spaces.new(store, clock, name=space.name, title=space.title)
            for member in space.members:
                spaces.join(store, clock, chance, space=space.name, who=member)
        for position, given in enumerate(portrait.plans):
            plan = _converted(given, Plan, source, f"$.plans[{position}]")
            plans.settle(store, plan=plan)


def _converted(given: dict[str, object], kind: type[T], source: str, place: str) -> T:
    """Return a part of the document as a record."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise BadInputError([Problem(source=source, field=place, message=str(error))]) from None
