"""Ask the independent validator about an agent's history, as rows and as an API would see it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.formats.records import RenderOptions
from mindpipe.history import tables
from mindpipe.history.records import Wanted
from mindpipe.history.verbs.blobs import StoredBlobs
from mindpipe.history.verbs.check import profile_of
from mindpipe.history.verbs.export import export
from mindpipe.history.verbs.segments import current_segment
from mindpipe.history.verbs.show import messages
from mindpipe.validator.canonical import check_canonical
from mindpipe.validator.canonical_heads import check_coverage, check_segments
from mindpipe.validator.check import check as check_form
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.records import Finding, Question

_RENDERED = frozenset({"anthropic", "openai-chat", "openai-responses", "ai-sdk"})


class Coverage(NamedTuple):
    """The ranges of cycles that summaries cover, and those that are sent; None: no end."""

    covered: Sequence[tuple[int, int]]
    sent: Sequence[tuple[int, int | None]]


def check_log(
    store: Store, *, agent: str, question: Question, coverage: Coverage | None = None
) -> list[Finding]:
    """Return what is wrong with an agent's history: rules H1 to H13, then as the form has it.

    `coverage` is what its window covers and sends; without one, what its segment says.

    Raises:
        NothingToDoError: the agent has no messages.
    """
    places: list[object] = []
    findings = check_canonical(_rows(store, agent, places), raw_bytes=StoredBlobs(store))
    if not places:
        raise NothingToDoError(f"{agent} has no history to check.")
    findings += _beside(store, agent, places, coverage or _of_segment(store, agent))
    if question.format in _RENDERED:
        findings += _rendered(store, agent, question)
    return findings


def _rows(store: Store, agent: str, places: list[object]) -> Iterator[object]:
    """Yield an agent's messages as plain JSON, and note the segment and cycle of each."""
    shared: dict[tuple[int, int], object] = {}
    for message in messages(store, agent=agent):
        place = (message.segment, message.cycle)
        places.append(shared.setdefault(place, {"segment": place[0], "cycle": place[1]}))
        yield _plain(message)


def _plain(message: Message) -> object:
    """Return a message as a reader of its JSON would have it."""
    return msgspec.json.decode(msgspec.json.encode(message))


def _of_segment(store: Store, agent: str) -> Coverage:
    """Return what the newest segment sends, and what its summary stands for."""
    present = current_segment(store, agent=agent)
    first = 1 if present is None else present.first_cycle
    told = present is not None and present.head.summary is not None and first > 1
    return Coverage([(1, first - 1)] if told else [], [(first, None)])


def _beside(store: Store, agent: str, places: list[object], coverage: Coverage) -> list[Finding]:
    """Return what is wrong beside the rows: heads without a hash, cycles neither sent nor told."""
    with store.read() as rows:
        segments = tables.segments(rows, agent=agent)
    ledger = Ledger()
    heads = [{"segment": one.segment, "head": one.head_sha256} for one in segments]
    check_segments(places, heads, ledger)
    last = msgspec.convert(places[-1], dict[str, int])["cycle"]
    ends: dict[str, object] = {
        "sent": [[first, max(first, last if end is None else end)] for first, end in coverage.sent],
        "covers": [list(ends) for ends in coverage.covered],
    }
    check_coverage(places, ends, ledger)
    return ledger.findings


def _rendered(store: Store, agent: str, question: Question) -> list[Finding]:
    """Return what the API would refuse in the history as it would be sent to it."""
    form = question.format or ""
    options = RenderOptions(sdk=question.sdk, strict_roles=question.strict_roles)
    document = export(store, agent=agent, wanted=Wanted(format=form, options=options, render=True))
    body = msgspec.json.decode(b"".join(document.chunks()))
    return check_form(form, body, profile=profile_of(question), kind=question.kind or "history")
