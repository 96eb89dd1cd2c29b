"""What is known of an entity and what is said of it anew, as one; sources are only ever joined."""

import msgspec

from mindpipe.core.sources import joined
from mindpipe.memory.records import Entity, NewEntity, Origin

# From the most to the least trusted; together two are worth what the lesser one is.
_ORIGINS: tuple[Origin, ...] = ("operator", "human", "program", "tool", "agent", "recalled")


def other_type(known: Entity, given: NewEntity) -> str | None:
    """Return why two that share an id cannot be one, or None: only `thing` goes with any type."""
    types = {known.type, given.type} - {"thing"}
    return f"{known.id} is there as a {known.type}" if len(types) > 1 else None


def aliases(known: Entity, given: NewEntity) -> tuple[str, ...]:
    """Return all names of an entity but its own, in the order in which they were learnt."""
    names = dict.fromkeys((*known.aliases, given.name, *given.aliases))
    return tuple(one for one in names if one.casefold() != known.name.casefold())


def merged(known: Entity, given: NewEntity, *, learnt: str) -> Entity:
    """Return the next version of an entity, or `known` itself where nothing new is said.

    Names that it had not are added to its aliases; a profile that is given takes the place of the
    earlier one, which the earlier version keeps. Relations are not looked at.
    """
    both = msgspec.structs.replace(
        known,
        type=given.type if known.type == "thing" else known.type,
        aliases=aliases(known, given),
        profile=given.profile or known.profile,
        origin=max(known.origin, given.origin, key=_ORIGINS.index),
        sources=joined(known.sources, given.sources),
        trusted=joined(known.trusted, given.trusted),
    )
    if both == known:
        return known
    return msgspec.structs.replace(both, version=known.version + 1, learnt=learnt)
