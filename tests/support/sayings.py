"""What comes to be held of what somebody says, day by day."""

import msgspec

from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import Consolidation, consolidated
from mindpipe.knowledge.records import BeliefStatus
from mindpipe.memory.records import Item

NOW = "2026-06-01T00:00:00Z"
TERMS = Terms(NOW)


def said(number: int, text: str, **more: object) -> Item:
    """Return what Mara says on a day of May."""
    at = f"2026-05-{number:02}T10:00:00Z"
    given = {"id": f"it_{number}", "text": text, "at": at, "learnt": at, "speaker": "Mara"}
    return msgspec.convert({**given, **more}, Item)


def after(*texts: str, terms: Terms = TERMS, **more: object) -> Consolidation:
    """Return what comes of texts that Mara says day by day."""
    items = [said(day, text, **more) for day, text in enumerate(texts, 1)]
    return consolidated([], RememberedClaims(items=items), terms)


def held(outcome: Consolidation) -> dict[str, str]:
    """Return the value of every slot that is believed."""
    return {
        one.slot: one.value for one in outcome.observations if one.status is BeliefStatus.ACTIVE
    }


def calls(outcome: Consolidation) -> list[str]:
    """Return the verdicts in their order."""
    return [one.call for one in outcome.decisions]
