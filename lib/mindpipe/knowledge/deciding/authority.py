"""By what right something is said: trusted or not, of oneself or of another."""

import contextlib
from collections.abc import Iterable

from mindpipe.core.errors import UsageError
from mindpipe.core.sources import USER
from mindpipe.knowledge.confidence import trust_of
from mindpipe.knowledge.keys import normal_subject
from mindpipe.knowledge.records import Evidence

HEARSAY = 0.5
"""The authority of another's word about somebody who speaks here: it never replaces his own."""


def is_own(evidence: Evidence, subject: str) -> bool:
    """Tell whether evidence is the known word of its subject, which is normal already."""
    unknown = evidence.speaker is None and (evidence.sources or evidence.claimed_speaker)
    if evidence.source != "memory_item" or unknown:
        return False
    with contextlib.suppress(UsageError):
        return normal_subject(evidence.speaker or USER) == subject
    return False


def is_hearsay(evidence: Evidence, subject: str) -> bool:
    """Tell whether evidence is the word of another than its subject.

    Of words of which nobody noted who said them, and that somebody vouches for, it is not known. A
    reflection sums up what was said, whoever wrote it.
    """
    if evidence.source == "reflection":
        return True
    if evidence.source != "memory_item" or evidence.origin == "operator":
        return bool(evidence.sources)
    unnamed = evidence.speaker is None and not evidence.sources and not evidence.claimed_speaker
    return not unnamed and not is_own(evidence, subject)


def speaks(evidence: Iterable[Evidence], subject: str) -> bool:
    """Tell whether a subject's own word is among the evidence that counts for something."""
    return any(
        one.stance == "support" and one.retracted is None and is_own(one, subject)
        for one in evidence
    )


def authority_of(evidence: Evidence, subject: str, *, own: bool) -> float:
    """Return what the speaker of evidence counts; `own` says that the subject spoke himself."""
    return HEARSAY if own and is_hearsay(evidence, subject) else 1.0


def standing_in_words(evidence: Evidence, subject: str, *, own: bool) -> str:
    """Return what less than full trust and authority of evidence come to, "" where both are full.

    `own` says that the subject spoke himself.
    """
    said = []
    if trust_of(evidence) < 1.0:
        said.append("nobody vouches for it: weighed it counts half, and ends nothing vouched for")
    if authority_of(evidence, subject, own=own) < 1.0:
        said.append("another's word about who spoke himself: it replaces nothing of his")
    return "; ".join(said)
