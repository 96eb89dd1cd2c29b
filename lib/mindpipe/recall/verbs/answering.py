"""Put what was found into the records that are printed."""

import msgspec

from mindpipe.recall.candidates import MARKED
from mindpipe.recall.ranking import Ranked, reasons
from mindpipe.recall.records import Hit, Recalled
from mindpipe.recall.verbs.searching import Answer

_DIGITS = 6


def hits(answer: Answer, *, explain: bool = False) -> list[Hit]:
    """Return what was found for one of many questions."""
    return [
        Hit(
            query=answer.question.id,
            rank=place,
            ref=one.candidate.ref,
            score=round(one.score, _DIGITS),
            why=reasons(one),
            source=one.candidate.source,
            signals=_signals(one, explain=explain),
        )
        for place, one in enumerate(answer.found, 1)
    ]


def recalled(answer: Answer, *, explain: bool = False) -> list[Recalled]:
    """Return what was found for a question, with its words and how it stands."""
    return [
        _recalled(answer, place, one, explain=explain) for place, one in enumerate(answer.found, 1)
    ]


def _recalled(answer: Answer, rank: int, one: Ranked, *, explain: bool) -> Recalled:
    """Return one thing that was found."""
    entry = one.candidate
    own = [
        mark
        for mark in answer.marks
        if entry.source in MARKED and entry.ref in (mark.old, mark.new)
    ]
    by = [mark.new for mark in own if mark.relation == "supersedes" and mark.old == entry.ref]
    against = [
        mark.new if mark.old == entry.ref else mark.old
        for mark in own
        if mark.relation == "contradicts"
    ]
    status = answer.statuses.get(entry.number, "superseded" if by else "active")
    return Recalled(
        rank=rank,
        ref=entry.ref,
        source=entry.source,
        score=round(one.score, _DIGITS),
        why=reasons(one),
        text=entry.text,
        at=entry.at,
        kind=entry.kind,
        speaker=entry.speaker,
        subject=entry.subject,
        status=status,
        superseded_by=by[-1] if by else None,
        contradicts=tuple(dict.fromkeys(against)),
        sources=entry.sources,
        signals=_signals(one, explain=explain),
    )


def _signals(one: Ranked, *, explain: bool) -> dict[str, float] | msgspec.UnsetType:
    """Return what a score is made of, if it is asked for."""
    if not explain:
        return msgspec.UNSET
    return {name: round(value, _DIGITS) for name, value in one.signals.items()}
