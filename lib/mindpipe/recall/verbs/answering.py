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
            why=why,
            source=one.candidate.source,
            signals=_signals(one, explain=explain),
        )
        for place, (one, why) in enumerate(_with_reasons(answer), 1)
    ]


def recalled(answer: Answer, *, explain: bool = False) -> list[Recalled]:
    """Return what was found for a question, with its words and how it stands."""
    return [
        _recalled(answer, place, one, why, explain=explain)
        for place, (one, why) in enumerate(_with_reasons(answer), 1)
    ]


def _with_reasons(answer: Answer) -> list[tuple[Ranked, str]]:
    """Return what was found, each with why it is there, also where its score alone does not say."""
    replacing = {mark.new for mark in answer.marks if mark.relation == "supersedes"}
    told: list[tuple[Ranked, str]] = []
    below = 0.0
    for one in reversed(answer.found):
        why = reasons(one)
        if one.score < below:
            replaces = one.candidate.source in MARKED and one.candidate.ref in replacing
            why += ", put above what it replaced" if replaces else ", put beside its other side"
        below = max(below, one.score)
        told.append((one, why.removeprefix(", ")))
    return told[::-1]


def _recalled(answer: Answer, rank: int, one: Ranked, why: str, *, explain: bool) -> Recalled:
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
        why=why,
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
