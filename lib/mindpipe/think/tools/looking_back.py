"""Find again what was lived through, remembered or held true."""

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.history import retelling
from mindpipe.history import tables as history_tables
from mindpipe.history.verbs import search, show
from mindpipe.recall.indexes import telling
from mindpipe.recall.records import Recalled, RecallQuery
from mindpipe.recall.verbs import answering, indexing, searching
from mindpipe.think import builtin
from mindpipe.think.tools.desk import Desk, Found
from mindpipe.think.using import Told

MAX_RECALLED = 2_000
"""Of each thing that is recalled, so many characters at most are told."""


def search_history(desk: Desk, args: builtin.SearchHistory) -> Found:
    """Find words in what was lived through."""
    hits = search.search_widely(desk.store, agent=desk.agent, query=args.query, limit=args.limit)
    for cycle in {hit.cycle for hit in hits}:
        desk.take_in_cycle(cycle)
    return {
        "found": [
            {
                "cycle": hit.cycle,
                "seq": hit.seq,
                "at": hit.at,
                "role": hit.role.value,
                "excerpt": hit.excerpt,
            }
            for hit in hits
        ]
    }


def read_history(desk: Desk, args: builtin.ReadHistory) -> Found:
    """Read a cycle of the past again, page by page."""
    lived = retelling.told(show.show(desk.store, agent=desk.agent, cycle=args.cycle))
    wanted = [
        piece
        for piece in lived
        if args.seq in (None, piece.seq) and args.call in (None, piece.call)
    ]
    if not wanted:
        raise UsageError(
            f"Nothing of that is in cycle {args.cycle} of your history. Use search_history first."
        )
    desk.take_in_cycle(args.cycle)
    page = retelling.page_of(wanted, offset=args.offset, limit=args.limit)
    found: Found = {"cycle": args.cycle, "pieces": msgspec.to_builtins(list(page.pieces))}
    return found if page.next is None else {**found, "next_offset": page.next}


def recall(desk: Desk, args: builtin.Recall) -> Found:
    """Find what is remembered, held true or was lived through, and what files say of it."""
    for _ in indexing.catch_up(desk.store):
        pass
    question = RecallQuery(id=desk.call or "recall", query=args.query)
    asked = searching.Asked(desk.agent, now=desk.clock.now(), limit=args.limit)
    (answer,) = searching.search(desk.store, asked, [question])
    files = desk.files(args.query, args.limit)
    found = telling.mixed(answering.recalled(answer), files, most=args.limit)
    cycles = {one.ref: _cycle_of(desk, one.ref) for one in found if one.source == "message"}
    for cycle in set(cycles.values()):
        desk.take_in_cycle(cycle)
    desk.take_in(*(one.sources for one in found if one.source != "message"))
    return {"recalled": [_told(one, cycles.get(one.ref)) for one in found]}


def _cycle_of(desk: Desk, message: str) -> int:
    """Return the cycle of a message; 0 for one that is not there."""
    with desk.store.read() as rows:
        found = history_tables.message_by_id(rows, agent=desk.agent, id=message)
    return found.cycle if found else 0


def _told(one: Recalled, cycle: int | None) -> Found:
    """Return what was found as the model reads it."""
    told = Told(
        id=one.ref,
        source=one.source,
        at=one.at,
        text=one.text if len(one.text) <= MAX_RECALLED else f"{one.text[:MAX_RECALLED]}…",
        status=one.status,
        superseded_by=one.superseded_by,
        contradicted_by=one.contradicts,
        speaker=one.speaker,
        words_of=one.sources,
        cycle=cycle,
    )
    found: Found = msgspec.to_builtins(told)
    return found
