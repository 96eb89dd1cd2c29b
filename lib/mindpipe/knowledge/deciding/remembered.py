"""What is read in one consolidation, and the claims in it by subject."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.claims.of_items import claims_of_item
from mindpipe.knowledge.claims.of_substrates import (
    claims_of_entity,
    claims_of_lesson,
    claims_of_reflection,
)
from mindpipe.knowledge.keys import normal_subject
from mindpipe.memory.records import Entity, Item, Lesson, Reflection


class Remembered(NamedTuple):
    """Items, lessons, reflections and entities that are read together."""

    items: Sequence[Item] = ()
    lessons: Sequence[Lesson] = ()
    reflections: Sequence[Reflection] = ()
    entities: Sequence[Entity] = ()


def claims_by_subject(remembered: Remembered) -> dict[str, list[Claim]]:
    """Return all that is claimed, by subject as keys have it, the subjects in order."""
    found = [
        *(claim for one in remembered.items for claim in claims_of_item(one)),
        *(claim for one in remembered.lessons for claim in claims_of_lesson(one)),
        *(claim for one in remembered.reflections for claim in claims_of_reflection(one)),
        *(claim for one in remembered.entities for claim in claims_of_entity(one)),
    ]
    claims: dict[str, list[Claim]] = {}
    for claim in found:
        try:
            claims.setdefault(normal_subject(claim.subject), []).append(claim)
        except UsageError:
            continue
    return dict(sorted(claims.items()))
