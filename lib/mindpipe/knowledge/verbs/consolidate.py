"""Turn what is remembered into what is held true: windows, leases, one transaction a subject."""

import functools
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple, Protocol, TypeVar

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    BadInputError,
    FencedError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import deadline, expired
from mindpipe.core.models import Write
from mindpipe.core.ports import BootTime, Clock, Rows, Store
from mindpipe.core.records import Record
from mindpipe.core.sources import untrusted
from mindpipe.core.text import counted
from mindpipe.history.verbs.log import log_head
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, HANGS_ON, REPLACED
from mindpipe.knowledge.claims.claim import DOUBT, Claim
from mindpipe.knowledge.claims.of_items import names_of, voices_of
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.beliefs import (
    CHANGING,
    LATEST,
    LATEST_OF_FAMILY,
    Beliefs,
    doubted,
    over_by,
)
from mindpipe.knowledge.deciding.consolidation import (
    RememberedClaims,
    claims_by_subject,
    joined,
    keys_of,
    mark_after,
    report_on,
    shared_out,
    weigh,
)
from mindpipe.knowledge.deciding.days import grown_by, key_of_plan
from mindpipe.knowledge.deciding.files import GivenVerdicts, Word, given
from mindpipe.knowledge.deciding.slots import Family, agreement, families_of, place_of
from mindpipe.knowledge.keys import THINGS, SlotRules, Slots
from mindpipe.knowledge.records import (
    BeliefStatus,
    Changes,
    Consolidated,
    ConsolidationWindow,
    GivenVerdict,
    Observation,
    ObservationFilter,
    WindowStretch,
)
from mindpipe.knowledge.tables import decisions, observations, windows
from mindpipe.knowledge.verbs.publish import publish
from mindpipe.knowledge.verbs.relations import names_told
from mindpipe.knowledge.verbs.withdrawals import withdraw
from mindpipe.knowledge.verbs.wording import worded_by
from mindpipe.language.records import (
    ENDING,
    MENTIONED,
    REPLACEMENT,
    Statement,
    StatementReader,
    Utterance,
)
from mindpipe.language.strict import STRICT
from mindpipe.memory.records import Item, Numbered, NumberedItem
from mindpipe.memory.verbs import entity, lesson, memory, reflection

R = TypeVar("R", bound=Record)
READ_AT_ONCE = 1_000
LOOKAHEAD = 5
"""Windows ahead in which the oldest items of subjects are looked for that others flood."""
LEASE_SECONDS = 60.0
MOST_ATTEMPTS = 5


class After(Protocol[R]):
    """Return what a substrate has behind a number."""

    def __call__(
        self, store: Store, *, number: int, agent: str | None, limit: int
    ) -> list[Numbered[R]]:
        """Return an agent's records with a greater number, at most `limit`, in order."""
        ...


def claim(store: Store, clock: Clock, *, agent: str, limit: int) -> ConsolidationWindow:
    """Return the window that is this run's to do: one that was left, or the next one.

    Raises:
        NothingToDoError: nothing is new.
        TemporaryError: another run is at work.
        RefusedError: a window was left five times; it is given up, and the next run goes on.
    """
    with store.write(agent) as rows:
        last = windows.last(rows, agent)
        if last is None or last.state != "claimed":
            window = _next(
                store,
                rows,
                last or ConsolidationWindow(agent=agent, number=0, opened=""),
                limit,
                now=clock.now(),
            )
            window = _leased(msgspec.structs.replace(window, opened=clock.now()), clock)
            windows.add(rows, window)
            return window
        if not expired(BootTime(boot=last.boot, seconds=last.seconds), clock.boot()):
            raise TemporaryError(f"another run consolidates the memory of {agent} right now.")
        if last.attempts < MOST_ATTEMPTS:
            window = msgspec.structs.replace(last, attempts=last.attempts + 1)
            return _kept(rows, _leased(window, clock), held=last.attempts)
        close(store, last, state="lost")
    raise RefusedError(
        f"window {last.number} of {agent} was begun {counted(last.attempts, 'time')} and never "
        f"ended, so it is given up with its {counted(len(last.items), 'item')}. "
        "The next run goes on behind it."
    )


def renew(
    rows: Rows, clock: Clock, window: ConsolidationWindow, *, seconds: float = LEASE_SECONDS
) -> ConsolidationWindow:
    """Hold a window for another while; raises FencedError if another run has taken it over."""
    return _kept(rows, _leased(window, clock, seconds=seconds), held=window.attempts)


def let_go(store: Store, window: ConsolidationWindow) -> None:
    """Let the next run take a window up at once."""
    with store.write(window.agent) as rows:
        windows.change(
            rows, msgspec.structs.replace(window, boot="", seconds=0.0), held=window.attempts
        )


def close(
    store: Store, window: ConsolidationWindow, *, state: Literal["done", "lost"] = "done"
) -> None:
    """End a window, and move on the mark up to which everything has been read.

    Raises:
        FencedError: another run has taken it over.
    """
    agent = window.agent
    with store.write(agent) as rows:
        _kept(rows, msgspec.structs.replace(window, state=state), held=window.attempts)
        mark, read = windows.mark(rows, agent), {*windows.ahead(rows, agent), *window.items}
        if read:
            unread = [one.number for one in _from(store, agent, after=mark, upto=max(read))]
            reached = mark_after(mark, unread, frozenset(read))
            windows.add_ahead(rows, agent, sorted(one for one in window.items if one > reached))
            windows.move_mark(rows, agent, to=reached)


def read(store: Store, window: ConsolidationWindow) -> RememberedClaims:
    """Return what a window reads, as it is now."""
    agent, wanted = window.agent, frozenset(window.items)
    first, last = min(wanted, default=1) - 1, max(wanted, default=0)
    found = _from(store, agent, after=first, upto=last)
    names = {one.id: one for one in _stretch(store, entity.after, window.entities, agent)}
    known = agents.show(store, name=agent)
    own = {name.casefold() for name in (known.name, known.title) if name}
    return RememberedClaims(
        items=[one.item for one in found if one.number in wanted and not _is_of(own, one.item)],
        lessons=_stretch(store, lesson.after, window.lessons, agent),
        reflections=_stretch(store, reflection.after, window.reflections, agent),
        entities=entity.of_ids(store, agent=agent, ids=names),
    )


def _is_of(names: AbstractSet[str], item: Item) -> bool:
    """Tell whether an item is what one of some names said, in small letters."""
    return (item.speaker or item.claimed_speaker or "").casefold() in names


def is_behind(store: Store, *, agent: str) -> bool:
    """Tell whether an agent has items that no window has read."""
    with store.read() as rows:
        read = len(windows.ahead(rows, agent))
        mark = windows.mark(rows, agent)
        return len(memory.after(store, number=mark, agent=agent, limit=read + 1)) > read


def _next(
    store: Store, rows: Rows, last: ConsolidationWindow, limit: int, *, now: str
) -> ConsolidationWindow:
    """Return the window behind the last job.

    Raises:
        NothingToDoError: nothing is new, and no day has come that changes what is held.
    """
    agent, mark = last.agent, windows.mark(rows, last.agent)
    read = frozenset(windows.ahead(rows, agent))
    found = memory.after(store, number=mark, agent=agent, limit=limit + 1)
    if len(found) > limit or read:
        found = memory.after(store, number=mark, agent=agent, limit=limit * LOOKAHEAD)
    unread = [
        (one.number, one.item.subject or one.item.speaker or "")
        for one in found
        if one.number not in read
    ]
    window = ConsolidationWindow(
        agent=agent,
        number=last.number + 1,
        items=shared_out(unread, limit=limit),
        lessons=_behind(store, lesson.after, last.lessons, agent, limit),
        reflections=_behind(store, reflection.after, last.reflections, agent, limit),
        entities=_behind(store, entity.after, last.entities, agent, limit),
        opened="",
    )
    others = (window.lessons, window.reflections, window.entities)
    if not (window.items or any(one.upto != one.after for one in others) or _due(rows, agent, now)):
        raise NothingToDoError(f"nothing is new in the memory of {agent}.{_unread(store, agent)}")
    return window


def _unread(store: Store, agent: str) -> str:
    """Return what to do where an agent has a history of which nothing is remembered yet."""
    if log_head(store, agent=agent).seq <= memory.read_upto(store, agent=agent):
        return ""
    return f" mind memory extract --agent {agent} finds what is to be remembered of its history."


def _due(
    rows: Rows, agent: str, now: str, *, subject: str | None = None
) -> list[observations.DueBelief]:
    """Return what is held of an agent, or of one subject, that the days have overtaken."""
    return observations.due(rows, agent=agent, now=now, grown=grown_by(now), subject=subject)


def _from(store: Store, agent: str, *, after: int, upto: int) -> Iterator[NumberedItem]:
    """Yield an agent's items with numbers in a stretch."""
    while after < upto:
        found = memory.after(store, number=after, agent=agent, limit=READ_AT_ONCE)
        yield from (one for one in found if one.number <= upto)
        after = found[-1].number if found else upto


def _behind(
    store: Store, find: After[R], last: WindowStretch, agent: str, limit: int
) -> WindowStretch:
    """Return the stretch of a substrate that comes behind the last job."""
    found = find(store, number=last.upto, agent=agent, limit=limit)
    return WindowStretch(after=last.upto, upto=found[-1].number if found else last.upto)


def _stretch(store: Store, find: After[R], stretch: WindowStretch, agent: str) -> list[R]:
    """Return what a substrate has in a stretch."""
    count = max(stretch.upto - stretch.after, 1)
    found = find(store, number=stretch.after, agent=agent, limit=count)
    return [one.record for one in found if one.number <= stretch.upto]


def _leased(
    window: ConsolidationWindow, clock: Clock, *, seconds: float = LEASE_SECONDS
) -> ConsolidationWindow:
    """Return a window with its lease from now on."""
    end = deadline(clock.boot(), seconds=seconds)
    return msgspec.structs.replace(window, boot=end.boot, seconds=end.seconds)


def _kept(rows: Rows, window: ConsolidationWindow, *, held: int) -> ConsolidationWindow:
    """Keep a window and return it; raises FencedError if it is not at its `held`th attempt."""
    if not windows.change(rows, window, held=held):
        raise FencedError(
            f"another run has taken over window {window.number} of {window.agent}. Try again."
        )
    return window


def held_for(
    rows: Rows, *, agent: str, claims: Iterable[Claim], slots: Slots, due: Sequence[str] = ()
) -> list[Observation]:
    """Return what claims may speak for or against, with its latest evidence and the claims' own.

    What an entity among their sources spoke for once comes too, though it has ended; and what is
    `due`, with what it will take the place of.
    """
    said = list(claims)
    keys = {key for claim in said for key in keys_of(claim, slots)}
    if due:
        found = observations.find(rows, ObservationFilter(agent=agent, ids=tuple(due)))
        keys |= {key for one in found if (key := key_of_plan(one)) is not None}
    ids = dict.fromkeys(observations.ids_of_keys(rows, agent=agent, keys=sorted(keys)))
    ids |= dict.fromkeys([*due, *others(rows, agent, said)])
    ids |= dict.fromkeys([*_agreeing(rows, agent, said, slots), *_named(rows, agent, said)])
    changing = {one.evidence.ref for one in said if one.evidence.source == CHANGING}
    if changing:
        cited = observations.ids_citing(rows, agent=agent, source=CHANGING, refs=sorted(changing))
        ids |= dict.fromkeys(cited)
    refs = sorted({ref for claim in said for ref in (claim.evidence.ref, *claim.items)})
    held = observations.find(rows, ObservationFilter(agent=agent, ids=tuple(ids))) if ids else []
    return [
        msgspec.structs.replace(
            one,
            evidence=observations.latest_evidence(
                rows, agent=agent, observation=one.id, refs=refs, limit=LATEST
            ),
        )
        for one in held
    ]


def others(rows: Rows, agent: str, claims: Iterable[Claim]) -> Iterator[str]:
    """Yield the ids of what may have ended, where nobody names it, or says for sure."""
    for claim in _each_once(claims):
        may_be = {REPLACEMENT: REPLACED, ENDING: over_by(claim), DOUBT: doubted(claim)}
        named = list(may_be.get(claim.word, ()))
        if named and (subject := names_of([claim.subject])):
            for one in map(ATTRIBUTES.__getitem__, named):
                yield from observations.ids_of_word(
                    rows, agent=agent, kind=one.kind, subject=min(subject), word=one.slot
                )
        if claim.word in HANGS_ON and (subject := names_of([claim.subject])):
            yield from observations.ids_of_word(
                rows,
                agent=agent,
                kind=ATTRIBUTES["relation"].kind,
                subject=min(subject),
                word="relation",
            )
        of_others = claim.topic == (MENTIONED,) or claim.word == "prefers" or not claim.value
        bears = not named and (claim.names_kind or claim.ends_thing or of_others)
        if bears and (subject := names_of([claim.subject])):
            yield from observations.ids_of_word(
                rows, agent=agent, kind=claim.kind, subject=min(subject), word=claim.word
            )


def _named(rows: Rows, agent: str, claims: Iterable[Claim]) -> Iterator[str]:
    """Yield the ids of the figures that newer ones name."""
    for claim in claims:
        if claim.names_another and claim.named and (subject := names_of([claim.subject])):
            yield from observations.ids_named(
                rows,
                agent=agent,
                kind=claim.kind,
                subject=min(subject),
                word=claim.word,
                stems=sorted(claim.named),
            )


def _each_once(claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield claims, of a subject's doubts the first: they look for the same."""
    doubted: set[str] = set()
    for claim in claims:
        if claim.word != DOUBT or claim.subject not in doubted:
            yield claim
        if claim.word == DOUBT:
            doubted.add(claim.subject)


def _agreeing(rows: Rows, agent: str, claims: Iterable[Claim], slots: Slots) -> Iterator[str]:
    """Yield the ids of figures that are held, of whose topic a claim may be."""
    topics: dict[Family, list[observations.Topic]] = {}
    for claim in claims:
        place = place_of(claim, slots) if claim.families else None
        for family in families_of(claim, place.subject_id) if place else ():
            if family not in topics:
                topics[family] = observations.topics_of_family(
                    rows,
                    agent=agent,
                    kind=family.kind,
                    subject=family.subject_id,
                    family=family.name,
                    limit=LATEST_OF_FAMILY,
                )
            yield from (one.id for one in topics[family] if agreement(claim, one))


LIMIT = 5_000
"""Items, and of each other substrate as many, that one window reads unless it is said otherwise."""

ASKED_SECONDS = 900.0
"""How long a window is held while claims are put into words: a model may be slow, and tried again.
"""
HELD_UTTERANCES = 200
"""Utterances that a reader reads before the window is held anew: a model is asked some five times.
"""


class ConsolidateOptions(NamedTuple):
    """How memory is consolidated: the rules in force, how much at once, and what is left to whom.

    `review` leaves supersessions to a person, `write` asks a model to put claims into words,
    `reader` says what is stated; `tell` hears which sources were put aside, and why, `look` is
    shown the items that are read.
    """

    rules: SlotRules
    limit: int = LIMIT
    reader: StatementReader = STRICT
    review: bool = False
    write: Write | None = None
    tell: Callable[[str], object] = str
    look: Callable[[Sequence[Item]], object] = len


def not_vouched(items: Sequence[Item], *, agent: str, trust: Sequence[str]) -> str | None:
    """Return how many items nobody vouches for, of whom, and how to; None where there is none."""
    sources = [bad for one in items if (bad := untrusted(one.sources, trust))]
    if not sources:
        return None
    whose = sorted({source for each in sources for source in each})
    more = f" and {len(whose) - _MOST_SOURCES:,} more" if len(whose) > _MOST_SOURCES else ""
    return (
        f"nobody vouches for {len(sources):,} of {counted(len(items), 'item')} "
        f"({', '.join(whose[:_MOST_SOURCES])}{more}): where they are weighed they count half, "
        "they end nothing that somebody vouches for, and what is held of them says whose words "
        f"it is. To act on such words: mind agent trust add {agent} "
        f"{' '.join(map(shlex.quote, whose[:_MOST_SOURCES]))}"
    )


_MOST_SOURCES = 4


def consolidate(
    store: Store, clock: Clock, *, agent: str, options: ConsolidateOptions
) -> Iterator[Consolidated]:
    """Do the work of one window and yield what it changed, subject by subject.

    Raises:
        FencedError: another run has taken the window over.
        NothingToDoError: nothing is new.
        TemporaryError: another run is at work.
        RefusedError: a window was left five times and is given up.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    window = claim(store, clock, agent=agent, limit=options.limit)
    try:
        yield from _subjects(store, clock, window, options)
    except (Exception, KeyboardInterrupt, GeneratorExit):
        let_go(store, window)
        raise
    close(store, window)


def _subjects(
    store: Store, clock: Clock, window: ConsolidationWindow, options: ConsolidateOptions
) -> Iterator[Consolidated]:
    """Consolidate one subject after the other, each in a transaction of its own."""
    terms = Terms(window.opened, options.rules.windows, options.rules.slots, options.review)
    reader = options.reader
    if reader.name != STRICT.name:
        reader = _HoldingReader(store, clock, window, reader)
    remembered = read(store, window)
    options.look(remembered.items)
    items = remembered.items
    if withdraw(store, clock, agent=window.agent, items=items, rules=options.rules):
        remembered = read(store, window)
    with store.read() as rows:
        done = windows.subjects(rows, window)
        told = names_told(rows, agent=window.agent)
        due: dict[str, list[Claim]] = {
            one.subject_id: [] for one in _due(rows, window.agent, terms.now)
        }
    known = functools.partial(things, store, window.agent)
    claims = due | claims_by_subject(
        remembered, reader, spoken=names_of(told), held=known, told=told
    )
    word = None if options.write is None else worded_by(options.write, tell=options.tell)
    for subject, found in claims.items():
        if subject in done:
            continue
        said = found if word is None else _worded(store, clock, window, word, subject, found)
        with store.write(window.agent) as rows:
            renew(rows, clock, window)
            changed = _settle_all(store, rows, window, subject, said, terms, options.tell)
            windows.add_subject(rows, window, subject)
            reach("consolidate.before_publish")
        reach("consolidate.after_publish")
        if changed.doubted or any(one.word != DOUBT for one in said) or not said:
            yield changed
    with store.write(window.agent) as rows:
        windows.add_voices(rows, window.agent, sorted(voices_of(remembered.items)))


def things(store: Store, agent: str) -> list[Observation]:
    """Return what is held of projects and tools."""
    wanted = ObservationFilter(agent=agent, statuses=(BeliefStatus.ACTIVE,))
    with store.read() as rows:
        return [
            one
            for kind in THINGS
            for one in observations.find(rows, msgspec.structs.replace(wanted, kind=kind))
        ]


class _HoldingReader:
    """A reader that takes its time: the window is held meanwhile, some utterances after others."""

    def __init__(
        self, store: Store, clock: Clock, window: ConsolidationWindow, reader: StatementReader
    ) -> None:
        self._store = store
        self._clock = clock
        self._window = window
        self._reader = reader

    @property
    def name(self) -> str:
        """Return the name and version of the reader."""
        return self._reader.name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance; raises FencedError if the window is lost."""
        found: list[tuple[Statement, ...]] = []
        for start in range(0, len(said), HELD_UTTERANCES):
            with self._store.write(self._window.agent) as rows:
                renew(rows, self._clock, self._window, seconds=ASKED_SECONDS)
            found += self._reader.read(said[start : start + HELD_UTTERANCES])
        return found


def _worded(
    store: Store,
    clock: Clock,
    window: ConsolidationWindow,
    word: Word,
    subject: str,
    claims: Sequence[Claim],
) -> Sequence[Claim]:
    """Return claims in other words; the window is held meanwhile, and no transaction is open."""
    with store.write(window.agent) as rows:
        renew(rows, clock, window, seconds=ASKED_SECONDS)
    return word(subject, claims)


def _settle_all(
    store: Store,
    rows: Rows,
    window: ConsolidationWindow,
    subject: str,
    said: Sequence[Claim],
    terms: Terms,
    tell: Callable[[str], object],
) -> Consolidated:
    """Weigh the claims on one subject; where they come to something unsound, source by source.

    Nothing was written then. A source that is unsound by itself is put aside and told, so that it
    keeps none of the others from being read, now and in every run after it.
    """
    try:
        return settle(store, rows, window.agent, subject, said, terms)
    except BadInputError:
        by_source: dict[tuple[str, str], list[Claim]] = {}
        for claim in sorted(said, key=lambda claim: claim.evidence.at):
            by_source.setdefault((claim.evidence.source, claim.evidence.ref), []).append(claim)
    changed = Consolidated(subject=subject)
    for (source, ref), claims in by_source.items():
        try:
            changed = joined(changed, settle(store, rows, window.agent, subject, claims, terms))
        except BadInputError as error:
            tell(f"{source} {ref} is put aside: {error.problems[0].message}")
            changed = msgspec.structs.replace(changed, aside=(*changed.aside, ref))
    return changed


def settle(
    store: Store,
    rows: Rows,
    agent: str,
    subject: str,
    said: Sequence[Claim],
    terms: Terms,
) -> Consolidated:
    """Weigh the claims on one subject and write what comes of it."""
    due = [one.id for one in _due(rows, agent, terms.now, subject=subject)]
    beliefs = Beliefs(held_for(rows, agent=agent, claims=said, slots=terms.slots, due=due))
    weigh(beliefs, said, terms)
    changes = beliefs.changes(now=terms.now, windows=terms.windows)
    decisions = list(beliefs.decisions.values())
    publish(
        store,
        Changes(
            agent=agent,
            at=terms.now,
            changes=tuple(changes),
            decisions=tuple(decisions),
            marks=tuple(beliefs.marks.values()),
        ),
        slots=terms.slots,
    )
    return report_on(subject, changes, decisions, marks=len(beliefs.marks))


def judge(
    store: Store, clock: Clock, *, agent: str, verdicts: Sequence[GivenVerdict], source: str
) -> GivenVerdicts:
    """Keep verdicts, all or none, and return what they came to; those kept before are passed over.

    `source` is the name by which problems name where they stand.

    Raises:
        BadInputError: a verdict names no item, or one that the agent does not have.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    ids = {one for verdict in verdicts for one in (*verdict.old, *verdict.new)}
    ids |= {f"{one.conversation}/{id}" for one in verdicts for id in (*one.old, *one.new)}
    with store.write(agent) as rows:
        known = {one.item.id for one in memory.of_ids(store, agent=agent, ids=sorted(ids))}
        found = given(verdicts, known, now=clock.now(), source=source)
        if found.problems:
            raise BadInputError(found.problems)
        names = [one.id for one in found.decisions]
        kept = {one.id for one in decisions.find(rows, agent=agent, ids=names)} if names else set()
        new = tuple(one for one in found.decisions if one.id not in kept)
        publish(
            store,
            Changes(
                agent=agent,
                at=clock.now(),
                by="verdict",
                decisions=new,
                marks=tuple(found.marks),
            ),
        )
    return found
