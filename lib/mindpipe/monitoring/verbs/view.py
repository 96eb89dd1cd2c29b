"""Gather what a page shows of a life, block by block, and write the page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction import tables as compactions
from mindpipe.compaction.records import Compaction, Summary, WindowPart
from mindpipe.compaction.verbs.windows import kept_window
from mindpipe.context import tables as contexts
from mindpipe.context.turns import is_timeline
from mindpipe.core.attachments import size_words
from mindpipe.core.errors import InputOutputError, UsageError
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.core.sources import untrusted
from mindpipe.core.text import counted
from mindpipe.engine.records.journal import Ticket, TicketState, Turn
from mindpipe.engine.tables import journal
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.history import tables as history
from mindpipe.history.records import Cycle, Segment
from mindpipe.history.rows import message_of, result_text
from mindpipe.history.verbs import log
from mindpipe.inbox.records import Event
from mindpipe.inbox.tables import events as inbox
from mindpipe.knowledge.explanation import is_quoted
from mindpipe.knowledge.records import BeliefStatus, Evidence, Observation, ObservationFilter, Stood
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import origins
from mindpipe.monitoring.page import document
from mindpipe.monitoring.page.document import PageFiles
from mindpipe.monitoring.page.records import (
    CycleBlock,
    LifeOverview,
    PageBelief,
    PageCall,
    PageCycle,
    PageEvidence,
    PageHead,
    PageMessage,
    PagePart,
    PageSegment,
    PageStanding,
    PageTicket,
    PageTurn,
    PageWindow,
    PairCurves,
    PairDifference,
    PairLife,
    PairMoment,
    PairRow,
    PairSide,
    PersonEntry,
    PersonLife,
)
from mindpipe.person.plots.lives import DrawnLife, gather
from mindpipe.person.plots.page import PageEntry, PageNote, entry_of
from mindpipe.person.verbs import persons
from mindpipe.plans import verbs as plans
from mindpipe.review import tables as review
from mindpipe.spending import verbs as spending
from mindpipe.trigger_runs import tables as trigger_runs

CYCLES_OF_BLOCK = 100
"""So many cycles are in memory at once."""
_MOST_SOURCES = 20
_EVENTS_TOLD = 3
"""Of so many events of a cycle the beginning is told where cycles stand side by side."""
_MOST_TOLD = 120
_HELD = frozenset({BeliefStatus.ACTIVE, BeliefStatus.STALE})
_MOST_ROWS = 1_000
_MOST_STATES = 10_000
CURVES = ("arousal", "valence", "energy", "stress", "cortisol_nmol_l", "hunger")
"""What is drawn of a person."""
OF_STORE = "run with --keep-states"
OF_LINES = "run with a shorter --every"
"""How a person is lived whose days have curves: in a store, and on lines."""


def view(
    store: Store, clock: Clock, *, agent: str, files: PageFiles, trust: tuple[str, ...] = ()
) -> Iterator[bytes]:
    """Yield the page of an agent's life, piece by piece; only some cycles are held at once.

    `trust` names the sources that every agent trusts.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read():
        known, trusted = overview(store, clock, agent=agent, trust=trust)
        room = document.PageRoom(cycles=known.cycles)
        title = f"{known.title} ({known.agent})"
        yield from document.opening(title, files, short=_short(known))
        yield room.of_overview(known)
        for block, octets in blocks(store, known, trust=trusted):
            yield room.of_cycles(block, octets)
        yield from document.closing(files)


def _short(life: LifeOverview) -> Iterator[str]:
    """Yield in lines what there is of a life, then what is held true, the newest first."""
    waiting = sum(one.state == TicketState.PENDING for one in life.tickets)
    held = [one for one in life.beliefs if one.stood and one.stood[-1].status in _HELD]
    yield f"{life.title} ({life.agent}), as of {life.made}"
    yield f"{counted(life.cycles, 'cycle')}, {counted(life.messages, 'message')}"
    yield f"{counted(len(life.tickets), 'ticket')}, {waiting} open"
    yield f"{counted(len(held), 'belief')} held"
    yield f"The same in a terminal: mind history show --agent {life.agent}"
    yield from (f"Held: {one.summary}" for one in reversed(held))


class TrustedOverview(NamedTuple):
    """What is known of all of an agent's life, and whom the agent trusts, with all agents."""

    life: LifeOverview
    trust: tuple[str, ...]


def overview(
    store: Store, clock: Clock, *, agent: str, trust: tuple[str, ...] = ()
) -> TrustedOverview:
    """Return what is known of all of an agent's life; raises UsageError if there is none."""
    with store.read() as rows:
        who = agents.show(store, name=agent)
        trust = (*who.trust, *trust)
        changes = compactions.all_of(rows, agent=who.name)
        known = tickets.list_(store, clock, agent=who.name, every=True)
        life = LifeOverview(
            made=clock.now(),
            agent=who.name,
            title=who.title or who.name,
            entity=who.entity,
            model=who.model,
            description=who.description,
            instructions=who.instructions,
            trust=who.trust,
            compactions=tuple(changes),
            windows=tuple(_windows(store, changes, trust)),
            beliefs=tuple(_beliefs(store, rows, who.name, trust)),
            tickets=tuple(_ticket(one, trust) for one in known),
            plans=tuple(
                msgspec.structs.replace(one, sources=_untrusted(one.sources, trust))
                for one in plans.list_(store, agent=who.name)
            ),
            fired=tuple(plans.windows(store, agent=who.name, limit=_MOST_ROWS)),
            waits=tuple(trigger_runs.newest_waits(rows, agent=who.name, limit=_MOST_ROWS)),
            costs=tuple(spending.cost(store, agent=who.name)),
            cycles=history.next_cycle(rows, agent=who.name) - 1,
            messages=history.log_head(rows, agent=who.name).seq,
        )
        return TrustedOverview(life, trust)


def _windows(
    store: Store, changes: Iterable[Compaction], trust: tuple[str, ...]
) -> Iterator[PageWindow]:
    """Yield each window that a compaction put in force, once; one whose bytes are gone is empty."""
    for sha256 in dict.fromkeys(one.window for one in changes if one.window):
        try:
            parts = kept_window(store, sha256=sha256).parts
        except InputOutputError:
            parts = ()
        yield PageWindow(sha256=sha256, parts=tuple(_window_part(one, trust) for one in parts))


def _window_part(part: WindowPart, trust: tuple[str, ...]) -> WindowPart:
    """Return a part of a window, a summary with those of its sources that are not trusted."""
    if not isinstance(part, Summary):
        return part
    found = untrusted(part.sources, trust)
    return msgspec.structs.replace(part, sources={name: part.sources[name] for name in found})


def _ticket(ticket: Ticket, trust: tuple[str, ...]) -> PageTicket:
    """Return a ticket as a page has it."""
    arguments = ticket.approved_args or ticket.args
    return PageTicket(
        id=ticket.id,
        type=ticket.kind,
        state=ticket.state.value,
        cycle=ticket.cycle,
        call=ticket.call,
        tool=ticket.tool,
        arguments="" if arguments is None else to_json(arguments).decode(),
        reason=ticket.reason,
        created=ticket.created,
        decided=ticket.decided,
        person=ticket.person,
        result=ticket.result,
        sources=_untrusted(ticket.sources, trust),
    )


def _beliefs(store: Store, rows: Rows, agent: str, trust: tuple[str, ...]) -> Iterator[PageBelief]:
    """Yield all that was ever held, with how it stood and the words that it stands on."""
    for one in observations.find(rows, ObservationFilter(agent=agent)):
        evidence = observations.evidence_of(rows, agent=agent, observation=one.id)
        stood = observations.stood(rows, agent=agent, observation=one.id, as_of=None)
        one = msgspec.structs.replace(one, sources=_untrusted(one.sources, trust))
        yield _belief(one, stood, tuple(_evidence(store, rows, agent, evidence, trust)))


def _belief(
    one: Observation, stood: Iterable[Stood], evidence: tuple[PageEvidence, ...]
) -> PageBelief:
    """Return a belief as a page has it."""
    return PageBelief(
        id=one.id,
        type=one.kind,
        subject=one.subject_id,
        slot=one.slot,
        value=one.value,
        summary=one.summary,
        learnt=one.learnt,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        supersedes=one.supersedes_observation_id,
        sources=one.sources,
        stood=tuple(
            PageStanding(
                at=line.at,
                status=line.status,
                confidence=line.confidence,
                contested=line.contested,
                pinned=line.pinned,
                operator_confirmed=line.operator_confirmed,
                by=line.by,
                why=line.why,
            )
            for line in stood
        ),
        evidence=evidence,
    )


def _evidence(
    store: Store, rows: Rows, agent: str, evidence: Sequence[Evidence], trust: tuple[str, ...]
) -> Iterator[PageEvidence]:
    """Yield evidence with the words that it is in, and where in the log it quotes."""
    texts = origins.sources_of(store, agent=agent, evidence=evidence)
    words = origins.log_of(store, agent=agent, evidence=evidence)
    for one in evidence:
        span, origin = one.span, texts.get((one.source, one.ref))
        row = history.message_by_id(rows, agent=agent, id=span.message) if span else None
        yield PageEvidence(
            stance=one.stance,
            weight=one.weight,
            source=one.source,
            ref=one.ref,
            at=one.at,
            linked=one.linked,
            retracted=one.retracted,
            origin=one.origin,
            speaker=one.speaker,
            claimed_speaker=one.claimed_speaker,
            sources=_untrusted(one.sources, trust),
            text=origin.text if origin else None,
            quote=span.quote if span else None,
            seq=row.seq if row else None,
            cycle=row.cycle if row else None,
            start=span.start if span else None,
            end=span.end if span else None,
            found=is_quoted(one, words) if span else None,
        )


class LoadedBlock(NamedTuple):
    """Some cycles for a page, and the octets of the part of the history that they are."""

    block: CycleBlock
    octets: tuple[bytes, ...]


def blocks(
    store: Store, overview: LifeOverview, *, trust: tuple[str, ...]
) -> Iterator[LoadedBlock]:
    """Yield the cycles of an agent from first to last, a hundred at a time."""
    known = _Known(overview.agent, trust, set(), set())
    for first in range(1, overview.cycles + 1, CYCLES_OF_BLOCK):
        span = range(first, min(overview.cycles + 1, first + CYCLES_OF_BLOCK))
        with store.read() as rows:
            yield _block(store, rows, span, known)


class _Known(NamedTuple):
    """Whose life it is, whom that one trusts, and which segments and heads a page has already."""

    agent: str
    trust: tuple[str, ...]
    segments: set[int]
    heads: set[str]


def _block(store: Store, rows: Rows, span: range, known: _Known) -> LoadedBlock:
    """Return some cycles with all that was said in them."""
    agent, first, last = known.agent, span[0], span[-1]
    said = [
        message_of(row) for row in history.from_cycle(rows, agent=agent, cycle=first, until=last)
    ]
    seqs = {message.id: message.seq for message in said}
    turns = journal.turns_between(rows, agent=agent, first=first, last=last)
    sources: dict[int, list[str]] = {}
    for found in contexts.sources(rows, agent=agent, first=first, last=last):
        sources.setdefault(found.cycle, []).append(found.source)
    new = [
        segment
        for number in dict.fromkeys(turn.asked.segment for turn in turns)
        if number not in known.segments
        and (segment := log.segment(store, agent=agent, number=number)) is not None
    ]
    known.segments.update(segment.segment for segment in new)
    heads = {one.head_sha256: one for one in new if one.head_sha256 not in known.heads}
    known.heads.update(heads)
    lived = list(history.cycle_page(rows, agent=agent, after=first - 1, limit=len(span)))
    began = _beginnings(rows, lived)
    block = CycleBlock(
        cycles=tuple(
            _cycle(one, sources.get(one.cycle, ()), known.trust, began=began[one.cycle])
            for one in lived
        ),
        messages=tuple(map(_message, said)),
        turns=tuple(_turn(turn, seqs, known.trust) for turn in turns),
        calls=tuple(
            PageCall(id=one.id, effect=one.effect, state=one.state)
            for one in journal.calls_between(rows, agent=agent, first=first, last=last)
        ),
        segments=tuple(map(_segment, new)),
        heads=tuple(map(_head, heads.values())),
    )
    return LoadedBlock(block, tuple(map(to_json, said)))


def _beginnings(rows: Rows, cycles: Sequence[Cycle]) -> dict[int, str]:
    """Return what the first events of each cycle said, and who; what it was for where none is."""
    first = {one.cycle: one.events[:_EVENTS_TOLD] for one in cycles}
    seqs = inbox.seqs_of(rows, [id for ids in first.values() for id in ids])
    told = {event.id: _told(event) for event in inbox.events_at(rows, seqs)}
    return {
        one.cycle: "; ".join(told[id] for id in first[one.cycle] if id in told) or one.trigger
        for one in cycles
    }


def _told(event: Event) -> str:
    """Return the beginning of what an event says, and who says it."""
    text = " ".join((event.text or ", ".join(_facts(event.body))).split())
    cut = text if len(text) <= _MOST_TOLD else f"{text[: _MOST_TOLD - 1]}…"
    return f"{event.sender or event.source}: {cut}" if cut else event.sender or event.source


def _facts(value: object, name: str = "") -> Iterator[str]:
    """Yield what stands in a JSON value, each behind its name."""
    if isinstance(value, dict):
        yield from (fact for key, each in value.items() for fact in _facts(each, str(key)))
    elif isinstance(value, list):
        yield from (fact for each in value for fact in _facts(each, name))
    elif value not in (None, ""):
        said = ("no", "yes")[value] if isinstance(value, bool) else value
        yield f"{name.replace('_', ' ')} {said}".strip()


def _cycle(
    cycle: Cycle, sources: Sequence[str], trust: tuple[str, ...], *, began: str
) -> PageCycle:
    """Return a cycle as a page has it."""
    return PageCycle(
        cycle=cycle.cycle,
        state=cycle.state,
        outcome=cycle.outcome,
        began=began,
        model=cycle.model,
        events=len(cycle.events),
        input_tokens=cycle.input_tokens,
        cached_tokens=cycle.cached_tokens,
        output_tokens=cycle.output_tokens,
        cost_micros=cycle.cost_micros,
        milliseconds=cycle.milliseconds,
        opened=cycle.opened,
        closed=cycle.closed,
        reason=cycle.reason,
        sources=_some(sources),
        untrusted=_untrusted(sources, trust),
    )


def _message(message: Message) -> PageMessage:
    """Return a message as a page has it."""
    return PageMessage(
        seq=message.seq,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role.value,
        at=message.at,
        origin=message.origin,
        taint=message.taint,
        parts=tuple(map(_part, message.parts)),
    )


def _part(part: Part) -> PagePart:
    """Return a part of a message with its words."""
    match part:
        case TextPart():
            return PagePart(type="text", text=part.text)
        case ThinkingPart():
            return PagePart(type="thinking", text=part.text or "")
        case CallPart():
            words = part.args_text or to_json(part.args).decode()
            return PagePart(
                type="call", text=words, call=part.id, tool=part.tool, invalid=part.invalid
            )
        case ResultPart():
            return PagePart(
                type="result",
                text=result_text(part),
                call=part.call,
                status=part.status.value,
                ticket=part.ticket,
            )
        case FilePart():
            size = f", {size_words(part.size)}" if part.size else ""
            return PagePart(
                type="file",
                text=f"{part.name}{size}",
                media_type=part.media_type,
                sha256=part.sha256,
            )
        case OpaquePart():
            return PagePart(type="opaque", text=f"{part.provider} {part.kind}")


def _turn(turn: Turn, seqs: Mapping[str, int], trust: tuple[str, ...]) -> PageTurn:
    """Return what a turn asked, its news by their numbers where the log has them."""
    asked = turn.asked
    apart = tuple(
        msgspec.structs.replace(_message(one), seq=0) for one in asked.unsent if one.id not in seqs
    )
    return PageTurn(
        cycle=turn.cycle,
        turn=turn.turn,
        state=turn.state,
        model=f"{asked.target.provider}/{asked.target.model}",
        segment=asked.segment,
        sha256=asked.request_sha256,
        unsent=tuple(seqs[one.id] for one in asked.unsent if one.id in seqs),
        apart=apart,
        sources=_untrusted(asked.sources, trust),
    )


def _segment(segment: Segment) -> PageSegment:
    """Return a segment as a page has it."""
    return PageSegment(
        segment=segment.segment,
        head=segment.head_sha256,
        timeline=is_timeline(segment.head.system),
        first_cycle=segment.first_cycle,
        reason=segment.reason,
    )


def _head(segment: Segment) -> PageHead:
    """Return the head of a segment; the schemas of its tools are one text."""
    head = segment.head
    return PageHead(
        sha256=segment.head_sha256,
        system=head.system,
        tools=tuple(tool.name for tool in head.tools),
        schemas=msgspec.json.format(to_json(head.tools), indent=2).decode() if head.tools else "",
        summary=head.summary,
    )


def _untrusted(sources: Sequence[str], trust: tuple[str, ...]) -> tuple[str, ...]:
    """Return so many sources that are not trusted as are read."""
    return _some(untrusted(sources, trust))


def _some(sources: Sequence[str]) -> tuple[str, ...]:
    """Return so many sources as are read."""
    more = len(sources) - _MOST_SOURCES
    shown = tuple(sources[:_MOST_SOURCES])
    return (*shown, f"and {more} more") if more > 0 else shown


def lived(store: Store, *, person: str) -> list[object]:
    """Return what a store keeps of a person's life; raises UsageError if there is no such one."""
    with store.read() as rows:
        notes = [
            msgspec.json.decode(note, type=PageNote)
            for note in review.observations_of(rows, person)
        ]
        return [*persons.lived(store, person=person), *notes]


def view_persons(
    records: Iterable[object],
    clock: Clock,
    *,
    person: str | None,
    files: PageFiles,
    advice: str = OF_LINES,
) -> Iterator[bytes]:
    """Yield the page of the persons that records tell of, or of one of them.

    `advice` says what to do where a day has no curves.

    Raises:
        NothingToDoError: no state has readouts.
        UsageError: none is of that person.
    """
    known = list(records)
    told = gather(known, CURVES)
    lives = [one for one in told if person in (None, one.person)]
    if not lives:
        raise UsageError(f"no state is of {person}; there is {told[0].person}.")
    entries: dict[str, list[PageEntry]] = {life.person: [] for life in lives}
    for record in known:
        if (entry := entry_of(record)) is not None and entry[0] in entries:
            entries[entry[0]].append(entry[1])
    room = document.PageRoom(cycles=0)
    names = ", ".join(entries)
    yield from document.opening(names, files, short=_short_of_persons(entries))
    for life in lives:
        made = _life(life, entries[life.person], clock.now(), advice)
        yield room.of_person(made, (to_json(made),))
    yield from document.closing(files)


def _short_of_persons(entries: Mapping[str, Sequence[PageEntry]]) -> Iterator[str]:
    """Yield in lines who lived and what is told of each, the newest first."""
    for person, told in entries.items():
        yield f"{person}: {len(told)} events, thoughts and notes"
        yield from (one.words for one in sorted(told, reverse=True)[:_MOST_SOURCES])


def _life(life: DrawnLife, entries: Iterable[PageEntry], made: str, advice: str) -> PersonLife:
    """Return a person's life as a page has it."""
    first, last = life.t_us[0], life.t_us[-1]
    # A page can leave out no state of a curve, so that the curves of a long life are thinned here.
    drawn = slice(None, None, -(-len(life.t_us) // _MOST_STATES))
    return PersonLife(
        person=life.person,
        made=made,
        t_us=tuple(life.t_us[drawn]),
        curves={
            name: tuple(round(value, 4) for value in values[drawn])
            for name, values in life.curves.items()
        },
        stretches=tuple((life.t_us[one[0]], life.t_us[one[-1]]) for one in life.stretches()),
        no_curves=advice,
        nights=tuple(life.nights()),
        entries=tuple(
            PersonEntry(t_us=one.t_us, what=one.what, how=one.how, words=one.words)
            for one in sorted({one for one in entries if first <= one.t_us <= last})
        ),
    )


def view_pair(
    first: PairSide,
    second: PairSide,
    clock: Clock,
    *,
    differences: Iterable[PairDifference],
    files: PageFiles,
) -> Iterator[bytes]:
    """Yield the page of two lives beside each other: where they part, and all that follows."""
    made = _pair(first, second, clock.now(), differences)
    room = document.PageRoom(cycles=0)
    short = (f"{one.what} {one.key}: {one.first} / {one.second}" for one in made.differences)
    yield from document.opening(" and ".join(made.names), files, short=short)
    yield room.of_pair(made, (to_json(made),))
    yield from document.closing(files)


def _pair(
    first: PairSide, second: PairSide, made: str, differences: Iterable[PairDifference]
) -> PairLife:
    """Return two lives as a page has them."""
    alike = 0
    for one, other in zip(first.moments, second.moments, strict=False):
        if one != other:
            break
        alike += 1
    shared = [
        PairRow(label=one.label, what=one.what, first=one.words, same=True) for one in first.moments
    ]
    rows = list(_beside(first.moments[alike:], second.moments[alike:]))
    sides = [one for one in (first, second) if one.t_us]
    return PairLife(
        made=made,
        names=(first.name, second.name),
        parting=rows[0] if rows else None,
        differences=tuple(differences),
        rows=tuple(rows),
        shared=tuple(shared[:alike]),
        curves=tuple(map(_curves, sides)) if len(sides) == _TWO else (),
    )


_TWO = 2


def _curves(side: PairSide) -> PairCurves:
    """Return the curves of a life, thinned where it is long."""
    drawn = slice(None, None, -(-len(side.t_us) // _MOST_STATES))
    return PairCurves(
        t_us=side.t_us[drawn],
        curves={name: tuple(values[drawn]) for name, values in side.curves.items()},
        nights=side.nights,
    )


def _beside(first: Sequence[PairMoment], second: Sequence[PairMoment]) -> Iterator[PairRow]:
    """Yield what two lives have at each place; what is at one place is in one row."""
    ours, theirs = list(reversed(first)), list(reversed(second))
    while ours or theirs:
        one = ours[-1] if ours else None
        other = theirs[-1] if theirs else None
        if one is not None and other is not None and _is_alike(one, other):
            ours.pop()
            theirs.pop()
            same = one.words == other.words
            yield PairRow(
                label=one.label,
                what=one.what,
                first=one.words,
                second=None if same else other.words,
                same=same,
            )
        elif other is None or (one is not None and one.place <= other.place):
            assert one is not None
            ours.pop()
            yield PairRow(label=one.label, what=one.what, first=one.words)
        else:
            theirs.pop()
            yield PairRow(label=other.label, what=other.what, second=other.words)


def _is_alike(one: PairMoment, other: PairMoment) -> bool:
    """Tell whether two moments stand at one place."""
    return (one.place, one.what) == (other.place, other.what)
