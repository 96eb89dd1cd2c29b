"""What is done with a history: show, search, take in and put out, check and verify."""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    InputOutputError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UsageError,
)
from mindpipe.core.json import load_json
from mindpipe.core.messages import Head, Message
from mindpipe.core.octets import is_blank
from mindpipe.core.ports import Clock, Rows, Store, Tokens
from mindpipe.core.problems import Problem
from mindpipe.history import tables
from mindpipe.history.records import (
    GENESIS,
    BrokenRow,
    CarriedRows,
    Coverage,
    Cycle,
    CycleState,
    ExportWanted,
    Found,
    GivenQuery,
    ImportReceipt,
    OctetRow,
    RankedFound,
    StoredImport,
    Verdict,
)
from mindpipe.history.rows import (
    digest,
    excerpt,
    link,
    message_of,
    row_octets,
    searched_text,
    segment_of,
)
from mindpipe.history.verbs.cycles import cycles as all_cycles
from mindpipe.history.verbs.cycles import open_one
from mindpipe.history.verbs.log import (
    StoredBlobs,
    current_segment,
    row_sha256,
)
from mindpipe.providers.formats import ARCHIVES
from mindpipe.providers.records import Loss, RenderOptions
from mindpipe.providers.rendering import forget

if TYPE_CHECKING:
    from mindpipe.history.adoption import (
        ForeignDocument,
        ReadConversation,
        ReadFile,
    )
    from mindpipe.history.export import Export, Listen
    from mindpipe.history.query import CycleFit, SearchFit
    from mindpipe.validator.profiles import Profile
    from mindpipe.validator.records import Finding, Kind, Question

PAGE = 500


def show(
    store: Store, *, agent: str, cycle: int | None = None, limit: int | None = None
) -> Iterator[Message]:
    """Yield an agent's messages, or those of one cycle, oldest first; at most the newest `limit`.

    They are read in pages, so that no reader stays open while they are used.

    Raises:
        UsageError: there is no such cycle.
    """
    with store.read() as rows:
        if cycle is None:
            first, last = 1, tables.log_head(rows, agent=agent).seq
        elif (found := tables.seqs_of_cycle(rows, agent=agent, cycle=cycle)) is not None:
            first, last = found
        else:
            _require_cycle(rows, agent, cycle)
            first, last = 1, 0
    if limit is not None:
        first = max(first, last - limit + 1)
    return messages(store, agent=agent, since=first, until=last)


def messages(
    store: Store, *, agent: str, since: int | None = None, until: int | None = None
) -> Iterator[Message]:
    """Yield messages in order, in pages; `since` and `until` are the first and last seq wanted."""
    after = (since or 1) - 1
    while until is None or after < until:
        with store.read() as rows:
            found = tables.page(rows, agent=agent, after=after, until=until, limit=PAGE)
        yield from map(message_of, found)
        if len(found) < PAGE:
            return
        after = found[-1].seq


WhichWords = Literal["all", "any"]
# Of a word that more messages hold, those count in which it counts for most.
_MOST_HOLDERS = 500
# A word that more messages hold says little of where to look.
_MOST_SAYING = 5000


def cycles(store: Store, *, agent: str, limit: int | None) -> Iterator[Cycle]:
    """Yield an agent's newest `limit` cycles, or all, oldest first."""
    with store.read() as rows:
        last = tables.next_cycle(rows, agent=agent) - 1
    return all_cycles(store, agent=agent, after=0 if limit is None else max(0, last - limit))


WordsOf = Callable[[Message], str]
"""Say what of a message an excerpt is taken from."""


def search(
    store: Store,
    *,
    agent: str,
    query: str,
    limit: int = 20,
    words: WhichWords = "all",
    words_of: WordsOf = searched_text,
) -> list[Found]:
    """Return an agent's messages that hold all words of a query, or any of them, the best first.

    Nothing in the query is syntax, but for double quotes around words that belong together and a
    `*` at the end of a word. For any of the words their endings and function words do not matter,
    so that a question is a query too, and what stands beside a message counts for it.
    """
    with store.read() as rows:
        if words == "any":
            fits, terms = _any(rows, agent, query, limit)
        else:
            fits, terms = _all(rows, agent, query, limit)
        return [_found_at(rows, agent, fit, terms, words_of) for fit in fits]


def search_widely(
    store: Store, *, agent: str, query: str, limit: int, words_of: WordsOf = searched_text
) -> list[Found]:
    """Return the messages that hold all words of a query, then those that hold any, best first."""
    with store.read():
        found = search(store, agent=agent, query=query, limit=limit, words_of=words_of)
        there = {one.seq for one in found}
        others = search(
            store, agent=agent, query=query, limit=limit, words="any", words_of=words_of
        )
    return [*found, *(one for one in others if one.seq not in there)][:limit]


def cycles_about(store: Store, *, agent: str, text: str) -> "list[CycleFit]":
    """Return the closed cycles of an agent that bear on a text, best first."""
    from mindpipe.history.query import any_of, bearing

    with store.read() as rows:
        words = [
            set(tables.cycles_holding(rows, agent=agent, query=one.expression, limit=_MOST_SAYING))
            for one in any_of(text)
        ]
        open_ = tables.open_cycle(rows, agent=agent)
        lived = (open_.cycle if open_ else tables.next_cycle(rows, agent=agent)) - 1
    closed = [{cycle for cycle in held if cycle <= lived} for held in words]
    return bearing(closed, lived=lived) if lived else []


def search_each(
    store: Store,
    *,
    agent: str,
    queries: Iterable[GivenQuery],
    limit: int,
    words: WhichWords,
    words_of: WordsOf = searched_text,
) -> Iterator[RankedFound]:
    """Yield what `search` finds for each of many queries, with the query's id and the rank."""
    for given in queries:
        found = search(
            store,
            agent=agent,
            query=given.query,
            limit=limit,
            words=words,
            words_of=words_of,
        )
        for rank, one in enumerate(found, 1):
            yield RankedFound(query=given.id, rank=rank, **msgspec.structs.asdict(one))


def _all(
    rows: Rows, agent: str, text: str, limit: int
) -> "tuple[list[SearchFit], tuple[str, ...]]":
    """Return the messages that hold all words, and the words."""
    from mindpipe.history.query import SearchFit, query_of

    wanted = query_of(text)
    if wanted is None:
        return [], ()
    matches = tables.matches(rows, agent=agent, query=wanted.expression, limit=limit)
    return [SearchFit(match.seq, match.weight) for match in matches], wanted.terms


def _any(
    rows: Rows, agent: str, text: str, limit: int
) -> "tuple[list[SearchFit], tuple[str, ...]]":
    """Return the messages that fit any of the words, and the words."""
    from mindpipe.history.query import any_of, ranked

    wanted = any_of(text)
    holders = [
        tables.matches(rows, agent=agent, query=word.expression, limit=_MOST_HOLDERS)
        for word in wanted
    ]
    weights = [{match.seq: match.weight for match in matches} for matches in holders]
    return ranked(weights, limit=limit), tuple(term for word in wanted for term in word.terms)


def _found_at(
    rows: Rows,
    agent: str,
    fit: "SearchFit",
    terms: tuple[str, ...],
    words_of: WordsOf,
) -> Found:
    """Return a hit with its place and its words."""
    (row,) = tables.page(rows, agent=agent, after=fit.seq - 1, until=fit.seq, limit=1)
    message = message_of(row)
    return Found(
        agent=message.agent,
        ref=message.id,
        seq=message.seq,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role,
        at=message.at,
        score=round(fit.score, 6),
        excerpt=excerpt(words_of(message), terms=terms),
    )


_OWN = "mindpipe"


def export(
    store: Store, *, agent: str, wanted: ExportWanted, listen: "Listen" = forget
) -> "Export":
    """Return an agent's history, one cycle of it, or one imported document.

    A history that is nothing but one imported file comes back in that file's form as it was read.
    Everything else is written under the newest head, without its summary, as the log is whole.
    `listen` hears of every single loss while the pieces are drawn.

    Raises:
        NothingToDoError: there are no messages.
        UsageError: there is no such form, cycle or import.
    """
    from mindpipe.history.export import Export, rendered

    if not wanted.render and (imports := _as_read(store, agent, wanted)):
        pieces = (_restored(store, stored) for stored in imports)
        return Export(lambda _: itertools.chain.from_iterable(pieces))
    said = show(store, agent=agent, cycle=wanted.cycle)
    first = next(said, None)
    if first is None:
        place = "" if wanted.cycle is None else f" in cycle {wanted.cycle}"
        raise NothingToDoError(f"{agent} has no history{place}.")
    segment = current_segment(store, agent=agent)
    head = Head(system="") if segment is None else segment.head
    return rendered(
        Head(system=head.system, tools=head.tools),
        itertools.chain([first], said),
        wanted=wanted,
        blobs=StoredBlobs(store),
        listen=listen,
        lost=_older_heads(store, agent, head),
    )


def _older_heads(store: Store, agent: str, head: Head) -> list[Loss]:
    """Return the system texts of earlier segments, of which a document holds only the newest."""
    with store.read() as rows:
        found = {
            row.head_sha256: segment_of(row, head=octets)
            for row in tables.segments(rows, agent=agent)
            if (octets := tables.blob(rows, sha256=row.head_sha256)) is not None
        }
    why = "only the newest system text stands in a document"
    return [
        Loss(message=f"segment {segment.segment}", part="system", why=why)
        for segment in found.values()
        if segment.head.system not in ("", head.system)
    ]


def _as_read(store: Store, agent: str, wanted: ExportWanted) -> list[StoredImport]:
    """Return the imports that are to come back as they were read; none if messages are wanted."""
    with store.read() as rows:
        imports = tables.imports(rows, agent=agent)
        last = tables.log_head(rows, agent=agent).seq
    if wanted.format in ARCHIVES:
        if wanted.document is not None:
            raise UsageError(f"no import of {wanted.format} is kept as it was read.")
        return []
    if wanted.document is None:
        ours = wanted.cycle is not None or wanted.format == _OWN
        whole = not ours and _is_one_file(imports, format=wanted.format, last=last)
        return imports if whole else []
    found = [one for one in imports if one.id == wanted.document]
    if not found or found[0].format != wanted.format:
        raise UsageError(f"{agent} has no import {wanted.document} of {wanted.format}.")
    return found


def _is_one_file(imports: list[StoredImport], *, format: str, last: int) -> bool:
    """Tell whether a log is exactly the documents of one file in one form."""
    files = {(one.format, one.document_sha256) for one in imports}
    held = sum(one.last_seq - one.first_seq + 1 for one in imports)
    return len(files) == 1 and imports[0].format == format and held == last


def _restored(store: Store, stored: StoredImport) -> Iterator[bytes]:
    """Yield the pieces of one imported document as it was read, which end with a line end."""
    from mindpipe.providers.envelope import restored_pieces

    last = b""
    kept = StoredBlobs(store)
    try:
        for last in restored_pieces(kept[stored.envelope_sha256], _sources(store, kept, stored)):
            yield last
    except KeyError:
        raise InputOutputError(f"the sources of import {stored.id} are no longer kept.") from None
    if not last.endswith(b"\n"):
        yield b"\n"


def _sources(store: Store, kept: Mapping[str, bytes], stored: StoredImport) -> Iterator[bytes]:
    """Yield what the messages of an imported document were read from, some at a time."""
    for after in range(stored.first_seq - 1, stored.last_seq, _SOURCES_PAGE):
        until = min(after + _SOURCES_PAGE, stored.last_seq)
        with store.read() as rows:
            held = tables.page(
                rows, agent=stored.agent, after=after, until=until, limit=_SOURCES_PAGE
            )
        yield from (kept[row.source] for row in held if row.source is not None)


_SOURCES_PAGE = 100
_WALK_PAGE = 200


class _Bytes(msgspec.Struct):
    """The one field that points to blobs, in a raw reply or a file part."""

    sha256: tuple[str, ...] | str = ()


def verify(store: Store, *, agent: str, anchor: str | None = None) -> "ChainWalk":
    """Return a walk along an agent's chain, which names every row that is not what was written.

    `anchor` is a head hash that was kept elsewhere: a row has to have it.
    """
    return ChainWalk(store, agent=agent, anchor=anchor)


def trust(store: Store, *, agent: str, cycle: int) -> Cycle:
    """Return a cycle that somebody has read and may vouch for.

    Raises:
        RefusedError: it is open, and may take in more than was read.
        UsageError: there is no such cycle.
    """
    with store.read() as rows:
        lived = _require_cycle(rows, agent, cycle)
    if lived.state is CycleState.OPEN:
        raise RefusedError(f"cycle {cycle} of {agent} is still open; read it once it is closed.")
    return lived


def _require_cycle(rows: Rows, agent: str, cycle: int) -> Cycle:
    """Return a cycle; raises UsageError where it is missing."""
    lived = tables.find_cycle(rows, agent=agent, cycle=cycle)
    if lived is None:
        raise UsageError(f"{agent} has no cycle {cycle}. mind history cycles lists what there is.")
    return lived


class ChainWalk:
    """One pass along an agent's chain, page by page; `verdict` is what it came to."""

    def __init__(self, store: Store, *, agent: str, anchor: str | None = None) -> None:
        self._store = store
        self._agent = agent
        self._anchor = anchor
        self._previous = GENESIS
        self._seq = 0
        self._rows = 0
        self._broken = 0
        self._met = anchor is None or anchor == GENESIS
        self._carried: list[CarriedRows] = []
        self._redacted = 0
        self._messages: frozenset[str] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """Return what was found so far: rows, the anchor to keep elsewhere, broken rows."""
        return Verdict(
            agent=self._agent,
            rows=self._rows,
            anchor=self._previous,
            broken=self._broken,
            redacted=self._redacted or msgspec.UNSET,
        )

    def broken(self) -> Iterator[BrokenRow]:
        """Yield every broken row: messages along the chain, segments and their heads, blobs.

        Raises:
            NothingToDoError: the agent has no rows and no anchor says that it should.
        """
        for one in self._found():
            self._broken += 1
            yield one

    def _found(self) -> Iterator[BrokenRow]:
        """Yield what is wrong, page by page."""
        with self._store.read() as rows:
            self._carried = tables.carried(rows, agent=self._agent)
            redactions = tables.redactions(rows, agent=self._agent)
        self._messages = frozenset(id for one in redactions for id in one.messages)
        yield from self._segments({segment for one in redactions for segment in one.segments})
        while page := self._page():
            for row in page:
                yield from self._follow(row)
            with self._store.read() as rows:
                yield from self._blobs(rows, page)
        if not self._rows and self._anchor is None:
            raise NothingToDoError(f"{self._agent} has no history to verify.")
        if not self._met:
            yield self._break(
                self._seq, "no row has the hash of the anchor: the log was cut or written anew"
            )

    def _page(self) -> list[OctetRow]:
        """Return the next rows."""
        with self._store.read() as rows:
            return tables.octet_page(rows, agent=self._agent, after=self._seq, limit=_WALK_PAGE)

    def _break(self, number: int, what: str, *, table: str = "message") -> BrokenRow:
        """Name a broken row."""
        return BrokenRow(agent=self._agent, table=table, number=number, what=what)

    def _follow(self, row: OctetRow) -> Iterator[BrokenRow]:
        """Check that a row follows the one before it, and go on from what it says."""
        if row.seq != self._seq + 1:
            yield self._break(row.seq, f"it follows seq {self._seq}: what was between is gone")
        *cells, stored, segment = msgspec.structs.astuple(self._as_written(row))
        sha256 = stored.decode("ascii", "replace")
        is_redacted = row.id.decode("utf-8", "replace") in self._messages
        self._redacted += is_redacted
        if not is_redacted and link(self._previous, row_octets([*cells, segment])) != sha256:
            yield self._break(row.seq, "its hash does not fit its columns and the row before")
        # A damaged number never leads backwards: the walk has an end.
        self._seq = max(row.seq, self._seq + 1)
        self._previous, self._rows = sha256, self._rows + 1
        self._met = self._met or sha256 == self._anchor

    def _as_written(self, row: OctetRow) -> OctetRow:
        """Return a row under the number that it had where it was written."""
        while self._carried and self._carried[0].upto < row.seq:
            del self._carried[0]
        by = self._carried[0].moved if self._carried else 0
        return msgspec.structs.replace(row, number=row.number - by) if by else row

    def _segments(self, redacted: Collection[int]) -> Iterator[BrokenRow]:
        """Check every segment's row, but those that are redacted, and the head it points to."""
        with self._store.read() as rows:
            try:
                found = tables.segments(rows, agent=self._agent)
            except UnicodeDecodeError:
                yield self._break(0, "a segment's text is not UTF-8", table="segment")
                return
            for row in found:
                if row.segment not in redacted and row.sha256 != row_sha256(row):
                    what = "its hash does not fit its columns"
                    yield self._break(row.segment, what, table="segment")
                head = tables.blob(rows, sha256=row.head_sha256)
                if head is None or digest(head) != row.head_sha256:
                    yield self._break(row.segment, "its head is not what was kept", table="segment")

    def _blobs(self, rows: Rows, page: list[OctetRow]) -> Iterator[BrokenRow]:
        """Check the octets that a page of rows points to; octets no longer kept are no fault."""
        owners = {sha256: row.seq for row in page for sha256 in _pointed(row)}
        for sha256, octets in tables.blobs(rows, shas=owners):
            if digest(octets) != sha256:
                yield self._break(owners[sha256], "its raw, file or source bytes have changed")


def _pointed(row: OctetRow) -> list[str]:
    """Return the hashes of the blobs that a row points to; none where its JSON is broken."""
    shas: list[str] = [] if row.source is None else [row.source.decode("ascii", "replace")]
    try:
        parts = msgspec.json.decode(row.parts, type=list[_Bytes])
        raw = [] if row.raw is None else [msgspec.json.decode(row.raw, type=_Bytes)]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return shas
    for one in [*parts, *raw]:
        shas += [one.sha256] if isinstance(one.sha256, str) else one.sha256
    return shas


def check(octets: bytes, *, source: str, question: "Question") -> "list[Finding]":
    """Return what is wrong with a request body, an exported history, a bare list or lines.

    Of several documents, one on each line, what is wrong is told with the line.

    Raises:
        BadInputError: it is not JSON, or rows of our own that are to be checked as another form.
        NothingToDoError: there is nothing.
    """
    if not octets.strip():
        raise NothingToDoError(f"{source} is empty; there is nothing to check.")
    body = _body(octets, source=source)
    form = question.format or _OWN
    if isinstance(body, list) and len(body) > 1 and all(map(_is_document, body)):
        return [
            msgspec.structs.replace(finding, at=f"line {number}: {finding.at}")
            for number, document in enumerate(body, 1)
            for finding in _check_form(form, document, question=question, kind=question.kind)
        ]
    if form != _OWN and _are_rows(body):
        message = (
            f"these are rows of our own; say --for {_OWN}, or mind history export --format {form} "
            "first"
        )
        raise BadInputError([Problem(source=source, message=message)])
    return _check_form(form, body, question=question, kind=question.kind)


def _check_form(
    form: str, body: object, *, question: "Question", kind: "Kind | None"
) -> "list[Finding]":
    """Return what the validator says of a body."""
    # The judge is loaded when it is called: what only reads a history does without it.
    from mindpipe.validator.check import check as check_form

    return check_form(form, body, profile=profile_of(question), kind=kind)


def _body(octets: bytes, *, source: str) -> object:
    """Read one JSON document, or JSON Lines as a list."""
    try:
        body = load_json(octets, source=source)
    except BadInputError:
        lines = [(n, line) for n, line in enumerate(octets.split(b"\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise
        return [load_json(line, source=source, line=number) for number, line in lines]
    is_row = isinstance(body, dict) and "parts" in body
    return [body] if is_row else body


def _is_document(line: object) -> bool:
    """Tell whether a line is a whole conversation, in any form, and not one message of it."""
    return isinstance(line, dict) and ("messages" in line or isinstance(line.get("input"), list))


def _are_rows(body: object) -> bool:
    """Tell whether a body begins with a canonical message, which no other form looks like."""
    first = body[0] if isinstance(body, list) and body else None
    return isinstance(first, dict) and {"seq", "parts"} <= first.keys()


def profile_of(question: "Question") -> "Profile":
    """Return the facts about the model that is asked for."""
    from mindpipe.validator.profiles import profile_for

    return profile_for(question.model, sdk=question.sdk, strict_roles=question.strict_roles)


def check_log(
    store: Store, *, agent: str, question: "Question", coverage: Coverage | None = None
) -> "list[Finding]":
    """Return what is wrong with an agent's history: rules H1 to H13, then as the form has it.

    `coverage` is what its window covers and sends; without one, what its segment says.

    Raises:
        NothingToDoError: the agent has no messages.
    """
    places: list[object] = []
    from mindpipe.providers.formats import CANONICAL
    from mindpipe.validator.canonical import check_canonical

    findings = check_canonical(_rows(store, agent, places), raw_bytes=StoredBlobs(store))
    if not places:
        raise NothingToDoError(f"{agent} has no history to check.")
    findings += _beside(store, agent, places, coverage or _of_segment(store, agent))
    if question.format not in {None, CANONICAL}:
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


def _beside(store: Store, agent: str, places: list[object], coverage: Coverage) -> "list[Finding]":
    """Return what is wrong beside the rows: heads without a hash, cycles neither sent nor told."""
    with store.read() as rows:
        segments = tables.segments(rows, agent=agent)
    from mindpipe.validator.canonical import check_coverage, check_segments
    from mindpipe.validator.plain import Ledger

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


def _rendered(store: Store, agent: str, question: "Question") -> "list[Finding]":
    """Return what the API would refuse in the history as it would be sent to it."""
    form = question.format or ""
    options = RenderOptions(sdk=question.sdk, strict_roles=question.strict_roles)
    document = export(
        store, agent=agent, wanted=ExportWanted(format=form, options=options, render=True)
    )
    body = msgspec.json.decode(b"".join(document.chunks()))
    return _check_form(form, body, question=question, kind=question.kind or "history")


Advance = Callable[[int, int], None]
"""Hears how many conversations of a file are done, and how many there are."""


def _silent(_done: int, _all: int) -> None:
    """Hear and do nothing."""


def import_(
    store: Store,
    clock: Clock,
    tokens: Tokens,
    *,
    foreign: "ForeignDocument",
    file: "ReadFile",
    advance: Advance = _silent,
    grown: bool = False,
) -> list[ImportReceipt]:
    """Import every conversation of a file into one agent's history, in one transaction.

    Each opens a segment and cycles of its own. A file that was imported before is not imported
    again: its receipts say `duplicate`, and so does that of a conversation in which nothing is
    new: where the items of a form have ids, those that an earlier import took are passed over.
    `file` reads it and puts it aside before anything is written, so that some messages at a time
    are in memory, however many there are. With `grown` only what came to the file since it was
    imported is taken.

    Raises:
        BadInputError: the file breaks its form or a rule of histories; nothing is stored.
        TemporaryError: the agent is in the middle of a cycle, or another import came between.
    """
    from mindpipe.history import adoption

    agent = foreign.options.agent
    with store.read() as rows:
        before = _imports(rows, agent=agent, format=foreign.format)
    # An archive is written anew each time: what is new in it is told by the ids of its items.
    if grown and foreign.format not in ARCHIVES:
        rest = adoption.grown(foreign.octets, {one.document_sha256 for one in before})
        if rest.last_known is not None and is_blank(rest.octets, 0, len(rest.octets)):
            return _known(before, rest.last_known)
        foreign = msgspec.structs.replace(foreign, octets=rest.octets)
    sha256 = foreign.sha256
    if known := _known(before, sha256):
        return known
    from mindpipe.history.verbs.intake import Intake

    file.read(foreign, known=_ids_of_items(store, before, format=foreign.format))
    with store.write(agent) as rows:
        now = _imports(rows, agent=agent, format=foreign.format)
        if known := _known(now, sha256):
            return known
        if now != before:
            raise TemporaryError(f"another import into {agent} came between. Try again.")
        if open_one(store, agent=agent) is not None:
            raise TemporaryError(f"{agent} is in the middle of a cycle. Try again after it.")
        receipts: list[ImportReceipt] = []
        for position, (conversation, batches) in enumerate(file.each()):
            if conversation.known and not conversation.batches:
                receipts.append(_nothing_new(conversation, before))
            else:
                intake = Intake(store, clock, tokens, foreign, conversation)
                receipts.append(intake.take(rows, batches, sha256=sha256, position=position))
            advance(position + 1, file.count)
    return receipts


def _imports(rows: Rows, *, agent: str, format: str) -> list[StoredImport]:
    """Return an agent's imports of one form, oldest first."""
    return [one for one in tables.imports(rows, agent=agent) if one.format == format]


def _ids_of_items(store: Store, earlier: list[StoredImport], *, format: str) -> frozenset[str]:
    """Return the ids of the items that some imports of a form took."""
    from mindpipe.providers.formats import item_id_of

    member = item_id_of(format)
    ids: set[str] = set()
    with store.read() as rows:
        for stored in earlier if member else ():
            for octets in tables.sources(rows, stored=stored):
                items = msgspec.json.decode(octets)
                named = (one.get(member) for one in items if isinstance(one, dict))
                ids.update(one for one in named if isinstance(one, str))
    return frozenset(ids)


def _nothing_new(conversation: "ReadConversation", earlier: list[StoredImport]) -> ImportReceipt:
    """Return the receipt of the latest import that took items of a conversation."""
    named = [one for one in earlier if one.name == conversation.name]
    stored = (named or earlier)[-1]
    return ImportReceipt(
        **msgspec.structs.asdict(stored), duplicate=True, left_out=conversation.left_out
    )


def _known(imports: Iterable[StoredImport], sha256: str) -> list[ImportReceipt]:
    """Return the receipts of a file that was imported before."""
    return [
        ImportReceipt(**msgspec.structs.asdict(stored), duplicate=True)
        for stored in imports
        if stored.document_sha256 == sha256
    ]
