"""Read what is held in the slots of some claims: under their keys, and in their families."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.belief import LATEST
from mindpipe.knowledge.deciding.beliefs import CHANGING, LATEST_OF_FAMILY
from mindpipe.knowledge.deciding.consolidation import keys_of
from mindpipe.knowledge.deciding.slots import Family, agreement, families_of, place_of
from mindpipe.knowledge.keys import Slots
from mindpipe.knowledge.records import Observation, Wanted
from mindpipe.knowledge.tables import holding, observations


def held_for(rows: Rows, *, agent: str, claims: Iterable[Claim], slots: Slots) -> list[Observation]:
    """Return what claims may speak for or against, with its latest evidence and the claims' own.

    What an entity among their sources spoke for once comes too, though it has ended.
    """
    said = list(claims)
    keys = {key for claim in said for key in keys_of(claim, slots)}
    ids = dict.fromkeys(holding.ids_of_keys(rows, agent=agent, keys=sorted(keys)))
    ids |= dict.fromkeys(_agreeing(rows, agent, said, slots))
    changing = {one.evidence.ref for one in said if one.evidence.source == CHANGING}
    if changing:
        cited = holding.ids_citing(rows, agent=agent, source=CHANGING, refs=sorted(changing))
        ids |= dict.fromkeys(cited)
    refs = sorted({ref for claim in said for ref in (claim.evidence.ref, *claim.items)})
    held = observations.find(rows, Wanted(agent=agent, ids=tuple(ids))) if ids else []
    return [
        msgspec.structs.replace(
            one,
            evidence=holding.latest_evidence(
                rows, agent=agent, observation=one.id, refs=refs, limit=LATEST
            ),
        )
        for one in held
    ]


def _agreeing(rows: Rows, agent: str, claims: Iterable[Claim], slots: Slots) -> Iterator[str]:
    """Yield the ids of figures that are held, of whose topic a claim may be."""
    topics: dict[Family, list[holding.Topic]] = {}
    for claim in claims:
        place = place_of(claim, slots) if claim.families else None
        for family in families_of(claim, place.subject_id) if place else ():
            if family not in topics:
                topics[family] = holding.topics_of_family(
                    rows,
                    agent=agent,
                    kind=family.kind,
                    subject=family.subject_id,
                    family=family.name,
                    limit=LATEST_OF_FAMILY,
                )
            yield from (one.id for one in topics[family] if agreement(claim, one))
