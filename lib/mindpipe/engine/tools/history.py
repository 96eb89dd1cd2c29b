"""Find again what was lived through or held true, and tell whether it was used afterwards."""

from collections.abc import Iterable

import msgspec

from mindpipe.context.receipt import stems_of
from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.history import pages
from mindpipe.history import tables as history_tables
from mindpipe.history.verbs import history
from mindpipe.recall import indexes
from mindpipe.recall.records import AnswerSource, Recalled, RecallQuery
from mindpipe.recall.verbs import recall as recall_verbs
from mindpipe.recall.verbs import reindex

LEAST_SHARED = 3
MOST_SHARED = 8


class RecalledItem(Record, omit_defaults=True):
    """One thing as the tool `recall` tells it.

    `claimed_speaker` is who it only says that it is of. `words_of` names the untrusted sources
    whose words it holds, `cycle` the one of a message.
    """

    id: str
    source: AnswerSource
    at: str
    text: str
    status: str = "active"
    superseded_by: str | None = None
    contradicted_by: tuple[str, ...] = ()
    speaker: str | None = None
    claimed_speaker: str | None = None
    words_of: tuple[str, ...] = ()
    cycle: int | None = None


class RecallAnswer(Record):
    """The answer of the tool `recall`."""

    recalled: tuple[RecalledItem, ...] = ()


def used(recalled: Iterable[RecalledItem], said: str) -> tuple[str, ...]:
    """Return the ids of those things that were used in what was said afterwards.

    A thing was used if its id is named, or if half of its words that say something are said again,
    by their stems: at least three, of a long text eight. It is a rule of thumb: nobody has said
    that the answer was right, so what follows from it is small.
    """
    words = stems_of(said)
    return tuple(one.id for one in recalled if one.id in said or _is_said(one.text, words))


def _is_said(text: str, words: frozenset[str]) -> bool:
    """Tell whether enough of a text is said again."""
    own = stems_of(text)
    least = min(max(LEAST_SHARED, (len(own) + 1) // 2), MOST_SHARED)
    return len(own & words) >= least


MAX_RECALLED = 2_000
"""Of each thing that is recalled, so many characters at most are told."""


def search_history(scope: ToolScope, args: specs.SearchHistory) -> ToolAnswer:
    """Find words in what was lived through."""
    hits = history.search_widely(scope.store, agent=scope.agent, query=args.query, limit=args.limit)
    for cycle in {hit.cycle for hit in hits}:
        scope.take_in_cycle(cycle)
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


def read_history(scope: ToolScope, args: specs.ReadHistory) -> ToolAnswer:
    """Read a cycle of the past again, page by page."""
    try:
        lived = pages.told(history.show(scope.store, agent=scope.agent, cycle=args.cycle))
    except UsageError:  # whose words are for a shell
        lived = iter(())
    wanted = [
        piece
        for piece in lived
        if args.seq in (None, piece.seq) and args.call in (None, piece.call)
    ]
    if not wanted:
        raise UsageError(
            f"Nothing of that is in cycle {args.cycle} of your history. Search it first."
        )
    scope.take_in_cycle(args.cycle)
    page = pages.page_of(wanted, offset=args.offset, limit=args.limit)
    found: ToolAnswer = {"cycle": args.cycle, "pieces": msgspec.to_builtins(list(page.pieces))}
    return found if page.next is None else {**found, "next_offset": page.next}


def recall(scope: ToolScope, args: specs.Recall) -> ToolAnswer:
    """Find what is remembered, held true or was lived through, and what files say of it."""
    for _ in reindex.catch_up(scope.store):
        pass
    question = RecallQuery(id=scope.call or "recall", query=args.query)
    asked = recall_verbs.SearchRequest(scope.agent, now=scope.clock.now(), limit=args.limit)
    (answer,) = recall_verbs.recall(scope.store, asked, [question])
    files = scope.files(args.query, args.limit)
    found = indexes.mixed(recall_verbs.recalled(answer), files, most=args.limit)
    cycles = {one.ref: _cycle_of(scope, one.ref) for one in found if one.source == "message"}
    for cycle in set(cycles.values()):
        scope.take_in_cycle(cycle)
    scope.take_in(*(one.sources for one in found if one.source != "message"))
    return {"recalled": [told(one, cycles.get(one.ref)) for one in found]}


def _cycle_of(scope: ToolScope, message: str) -> int:
    """Return the cycle of a message; 0 for one that is not there."""
    with scope.store.read() as rows:
        found = history_tables.message_by_id(rows, agent=scope.agent, id=message)
    return found.cycle if found else 0


def told(one: Recalled, cycle: int | None = None) -> ToolAnswer:
    """Return what was found as a model reads it."""
    item = RecalledItem(
        id=one.ref,
        source=one.source,
        at=one.at,
        text=one.text if len(one.text) <= MAX_RECALLED else f"{one.text[:MAX_RECALLED]}…",
        status=one.status,
        superseded_by=one.superseded_by,
        contradicted_by=one.contradicts,
        speaker=one.speaker,
        claimed_speaker=one.claimed_speaker,
        words_of=one.sources,
        cycle=cycle,
    )
    found: ToolAnswer = msgspec.to_builtins(item)
    return found
