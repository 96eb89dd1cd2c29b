"""Read what is held in the slots of some claims: under their keys, and in their families."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.belief import LATEST
from mindpipe.knowledge.deciding.beliefs import LATEST_OF_FAMILY
from mindpipe.knowledge.deciding.consolidation import keys_of
from mindpipe.knowledge.deciding.slots import families_of, place_of
from mindpipe.knowledge.keys import Slots
from mindpipe.knowledge.records import Observation, Wanted
from mindpipe.knowledge.tables import holding, observations


def held_for(rows: Rows, *, agent: str, claims: Iterable[Claim], slots: Slots) -> list[Observation]:
    """Return what claims may speak for or against, with its latest evidence and the claims' own."""
    said = list(claims)
    keys = {key for claim in said for key in keys_of(claim, slots)}
    families = {
        family
        for claim in said
        if claim.families and (place := place_of(claim, slots)) is not None
        for family in families_of(claim, place.subject_id)
    }
    ids = dict.fromkeys(holding.ids_of_keys(rows, agent=agent, keys=sorted(keys)))
    for family in sorted(families):
        found = holding.ids_of_family(
            rows,
            agent=agent,
            kind=family.kind,
            subject=family.subject_id,
            family=family.name,
            limit=LATEST_OF_FAMILY,
        )
        ids |= dict.fromkeys(found)
    refs = sorted({claim.evidence.ref for claim in said})
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
