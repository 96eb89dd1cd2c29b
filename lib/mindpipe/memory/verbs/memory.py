"""Items of memory: added, extracted, listed, shown, searched, archived, revoked."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.instants import later
from mindpipe.core.lines import AllOrNothing, BadLines
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.problems import Problem, problems_in
from mindpipe.core.records import to_json
from mindpipe.core.redaction import Redactor
from mindpipe.core.sources import MORE, covers, joined
from mindpipe.language.records import StatementReader
from mindpipe.memory import settle
from mindpipe.memory.extraction.records import FindItems, LogPage
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import (
    Added,
    Item,
    ItemFilter,
    NewItem,
    NumberedItem,
    Origin,
    QuotedSpan,
    Retracted,
    StoredRelation,
)
from mindpipe.memory.settle import settle_filter, settle_instant, settle_item, then
from mindpipe.memory.strength import ARCHIVE_BELOW, strength
from mindpipe.memory.tables import edges, items, written
from mindpipe.memory.tables.written import Body, Written
from mindpipe.memory.verbs import entity

if TYPE_CHECKING:
    from mindpipe.providers.memories import WrittenMemory

MOST_AHEAD_SECONDS = 366 * 86_400.0
"""By so much a clock may be behind whoever said something."""
_STATE = ("archived", "retracted", "recalled", "recalled_at")
WordsOf = Callable[[Sequence[str]], Mapping[str, str]]
"""Give the words of those messages of an agent's log that have one of some ids."""


class Adding:
    """One addition inside its transaction, part by part; `bad_lines` takes what is refused.

    With `log` it refuses an item that quotes words which are not where it says that they are.
    """

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        chance: Chance,
        *,
        agent: str,
        redactor: Redactor,
        bad_lines: BadLines | None = None,
        log: WordsOf | None = None,
    ) -> None:
        self._rows = rows
        self._redactor = redactor
        self._log = log
        self._agent = agent
        self._taken = items.last_number(rows)
        self._stem = settle.stem(chance.new_id("it", agent, self._taken + 1))
        self._now = clock.now()
        self.bad_lines: BadLines = bad_lines or AllOrNothing()
        self._told = bad_lines is not None

    def add(
        self, given: Sequence[NewItem], *, source: str = "item", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Insert some sound items and return what became of each that was not refused.

        `source` and `numbers` (else 1, 2, ...) tell where they stand, should one be refused.
        """
        lines = numbers or range(1, len(given) + 1)
        given = list(map(self._redacted, given))
        past = self._not_ahead(given, source, lines)
        given, lines = [given[place] for place in past], [lines[place] for place in past]
        if self._log is not None:
            true = self._quoting_truly(given, self._log, source, lines)
            given, lines = [given[place] for place in true], [lines[place] for place in true]
        first = items.take_numbers(self._rows, count=len(given), taken=self._taken)
        self._taken = first + len(given) - 1
        made = settle.item_ids(self._stem, first, len(given))
        settled = [
            settle_item(one, id=id, agent=self._agent, now=self._now)
            for one, id in zip(given, made, strict=True)
        ]
        items.add_items(self._rows, settled, first=first)
        added: list[Added | None] = [Added(id=one.id, key=one.key or one.id) for one in settled]
        for number in items.missing_numbers(self._rows, first=first, last=self._taken):
            place = number - first
            added[place] = self._same(settled[place], given[place], source, lines[place])
        return [one for one in added if one is not None]

    def _redacted(self, given: NewItem) -> NewItem:
        """Return an item without secrets; one that quotes is as what it quotes."""
        text = given.text if given.span is not None else self._redactor.text(given.text)
        return given if text == given.text else msgspec.structs.replace(given, text=text)

    def _not_ahead(
        self, given: Sequence[NewItem], source: str, lines: Sequence[int]
    ) -> Sequence[int]:
        """Return the places of items that can have been said by now; refuse the others.

        Whatever is dated so far ahead would stay the last word for as long. What was learnt before
        is a printed item, and taken as it was kept.
        """
        latest = later(self._now, seconds=MOST_AHEAD_SECONDS)
        said: list[int] = []
        for place, one in enumerate(given):
            if one.learnt is not None or (settle_instant(one.at) or "") <= latest:
                said.append(place)
                continue
            told = (
                f"{one.at} is more than a year ahead of the clock ({self._now}); "
                "give when it was said, or set the clock with --now"
            )
            problem = Problem(source=source, line=lines[place], field="$.at", message=told)
            self.bad_lines.refuse([problem], to_json(one))
        return said

    def _quoting_truly(
        self, given: Sequence[NewItem], log: WordsOf, source: str, lines: Sequence[int]
    ) -> Sequence[int]:
        """Return the places of items that quote nothing, or what is there; refuse the others.

        Messages of the log can be quoted, items that are kept, and items that are given with it.
        """
        names = [one.span.message for one in given if one.span is not None]
        if not names:
            return range(len(given))
        words = {
            **{one.id: one.text for one in given if one.id is not None},
            **{
                one.item.id: one.item.text
                for one in items.items_of(self._rows, agent=self._agent, ids=names)
            },
            **log(names),
        }
        true: list[int] = []
        for place, one in enumerate(given):
            if one.span is None or settle.holds(one.span, words.get(one.span.message, "")):
                true.append(place)
                continue
            told = _misquoted(one.span, there=one.span.message in words, agent=self._agent)
            problem = Problem(source=source, line=lines[place], field="$.span", message=told)
            self.bad_lines.refuse([problem], to_json(one))
        return true

    def _same(self, item: Item, given: NewItem, source: str, line: int) -> Added | None:
        """Return the receipt of an item that was there; None where that one says something else."""
        found = items.find_same(self._rows, agent=self._agent, id=item.id, key=item.key)
        assert found is not None
        if found.retracted and self._told and given.learnt is None:
            words = f"{found.id} was taken back on {found.retracted}; say it again under another id"
            place = "key" if given.key and found.key == given.key else "id"
            problem = Problem(source=source, line=line, field=f"$.{place}", message=words)
            self.bad_lines.refuse([problem], to_json(given))
            return None
        if _content(_again(given, found)) == _content(found):
            return Added(id=found.id, key=found.key or found.id, duplicate=True)
        field = "key" if given.key and found.key == given.key else "id"
        words = f"{getattr(given, field)} is there with other content, as {found.id}"
        problem = Problem(source=source, line=line, field=f"$.{field}", message=words)
        self.bad_lines.refuse([problem], to_json(given))
        return None


def _misquoted(span: QuotedSpan, *, there: bool, agent: str) -> str:
    """Return what is wrong with a quote."""
    if not there:
        return f"quotes {span.message}, which is not in the log of {agent}"
    return f"characters {span.start} to {span.end} of {span.message} are not what it quotes"


def _again(given: NewItem, found: Item) -> Item:
    """Return what is given once more, with what it leaves out as it was kept the first time.

    Whom the agent trusts may be another matter by now: its sources are trusted as they were then.
    """
    again = settle_item(given, id=found.id, agent=found.agent, now=found.learnt)
    at = found.at if given.at is None else again.at
    key = found.key if given.key in (None, found.id) else given.key
    again = msgspec.structs.replace(again, id=given.id or found.id, at=at, key=key)
    return _trusted_as(again, found)


def _trusted_as(again: Item, found: Item) -> Item:
    """Return an item of the same sources as another, trusted like them, and of the same speaker."""
    if {*again.sources, *again.trusted} != {*found.sources, *found.trusted}:
        return again
    names = (again.speaker or again.claimed_speaker, found.speaker or found.claimed_speaker)
    said_by = found if names[0] == names[1] else again
    origin = found.origin if again.origin == "operator" and found.sources else again.origin
    return msgspec.structs.replace(
        again,
        sources=found.sources,
        trusted=found.trusted,
        vouched=found.vouched,
        origin=origin,
        speaker=said_by.speaker,
        claimed_speaker=said_by.claimed_speaker,
    )


def _content(item: Item) -> dict[str, object]:
    """Return what an item says, without what becomes of it later."""
    fields = msgspec.structs.asdict(item)
    return {name: value for name, value in fields.items() if name not in _STATE}


@contextlib.contextmanager
def adding(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    bad_lines: BadLines,
    log: WordsOf | None = None,
) -> Iterator[Adding]:
    """Give what adds items part by part, all in one transaction; with `log` quotes are held to it.

    Raises:
        BadInputError: an item is at fault, or its id or key is there with other content, or it
            misquotes the log, and `bad_lines` lets nothing be kept then.
    """
    with store.write(agent) as rows:
        yield Adding(
            rows,
            clock,
            chance,
            agent=agent,
            redactor=store.redactor,
            bad_lines=bad_lines,
            log=log,
        )
        bad_lines.settle()


def add(
    store: Store, clock: Clock, chance: Chance, *, agent: str, given: Iterable[NewItem]
) -> list[Added]:
    """Keep some items of the program's own, in the caller's transaction or in one of their own.

    One whose id or key is there with the same content is a duplicate and changes nothing.

    Raises:
        BadInputError: an item is at fault, or its id or key is there with other content; nothing
            is kept.
    """
    found = list(given)
    if problems := [
        problem
        for number, one in enumerate(found, 1)
        for problem in problems_in(one, source="item", line=number)
        or [
            Problem(source="item", line=number, field=field, message=words)
            for field, words in item_faults(one)
        ]
    ]:
        raise BadInputError(problems)
    with adding(store, clock, chance, agent=agent, bad_lines=AllOrNothing()) as addition:
        return addition.add(found)


class _Passed:
    """Pass over an entity that cannot be what it is taken for."""

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Leave it."""

    def settle(self) -> None:
        """Go on."""


def extract(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    pages: Iterable[LogPage],
    look: FindItems,
    least: float = 0.0,
    reader: StatementReader | None = None,
) -> Iterator[Item]:
    """Yield the items of an agent's log that were not kept yet, as they are kept.

    What `look` finds in a page with a significance of `least` or more is kept in a transaction of
    its own, together with how far the log was read. `reader` is who labels what it finds, None
    where that is the strict one.

    Raises:
        BadInputError: a model misquoted the log, and that is not to be passed over.
        UnavailableError: a model was to be asked and cannot be.
    """
    for page in pages:
        found = [item for item in look(page.said) if item.significance >= least]
        yield from keep_found(
            store, clock, chance, agent=agent, found=found, upto=page.upto, reader=reader
        )


def keep_found(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    found: Sequence[Item],
    upto: int | None = None,
    reader: StatementReader | None = None,
) -> list[Item]:
    """Keep items of an agent's log that are not kept yet, and return these as they are kept.

    The relations that they state become edges of the graph; a name that is known as something else
    is left out of it. With `upto` the log is read up to the message of that number from now on.
    An item that is there stays as it is: it was weighed by what was known then.

    Raises:
        BadInputError: an item is at fault; nothing is kept.
    """
    # Nobody else needs the rules, which take a while to load.
    from mindpipe.language.strict import STRICT
    from mindpipe.memory.extraction.edges import entities_of

    ends = entities_of(found, reader or STRICT)  # a model may be slow: no transaction is open
    with store.write(agent) as rows:
        there = items.items_of(rows, agent=agent, ids=[item.id for item in found])
        known = {one.item.id for one in there}
        new = {item.id: item for item in found if item.id not in known}
        add(store, clock, chance, agent=agent, given=list(new.values()))
        with entity.add(store, clock, agent=agent, bad_lines=_Passed()) as addition:
            addition.add([one for id in new for one in ends.get(id, ())])
        if upto is not None:
            items.set_mark(rows, agent=agent, upto=upto)
        kept = items.items_of(rows, agent=agent, ids=new)
    return [one.item for one in kept]


def read_upto(store: Store, *, agent: str) -> int:
    """Return the number of the last message of an agent's log that was read; 0 before the first."""
    with store.read() as rows:
        return items.mark(rows, agent=agent)


def after(
    store: Store, *, number: int, agent: str | None = None, limit: int = 1000
) -> list[NumberedItem]:
    """Return the items with a greater number, of one agent or of all, in the order of numbers."""
    with store.read() as rows:
        return list(items.items_after(rows, number, agent=agent, limit=limit))


def of_ids(store: Store, *, agent: str, ids: Iterable[str]) -> list[NumberedItem]:
    """Return those items of an agent that have one of some ids, in the order of their numbers."""
    with store.read() as rows:
        return items.items_of(rows, agent=agent, ids=ids)


def said_before(store: Store, item: Item) -> Item | None:
    """Return what the speaker of an agent's item said right before it, None where nothing."""
    with store.read() as rows:
        found = items.items_of(rows, agent=item.agent or "", ids=(item.id,))
        return items.last_of_speaker(rows, item, number=found[0].number) if found else None


def list_(
    store: Store, *, agent: str, wanted: ItemFilter, limit: int | None = None
) -> Iterator[Item]:
    """Yield an agent's items of a filter, in the order in which they came.

    Raises:
        UsageError: an instant of the filter is none.
    """
    settled = settle_filter(wanted)
    with store.read() as rows:
        for item in items.filtered_items(rows, agent=agent, wanted=settled, limit=limit):
            yield then(item, as_of=settled.as_of)


def dump(
    store: Store, *, agent: str, wanted: ItemFilter, limit: int | None = None
) -> Iterator[bytes]:
    """Yield the items of a filter as a dump of mem0; one that came from there has its id again.

    Raises:
        UsageError: an instant of the filter is none.
    """
    from mindpipe.providers.memories import mem0_dump

    found = list_(store, agent=agent, wanted=wanted, limit=limit)
    return mem0_dump(_written(item, agent) for item in found)


def _written(item: Item, agent: str) -> "WrittenMemory":
    """Return an item as mem0 has it; the key of one that came from there says its id."""
    from mindpipe.providers.memories import WrittenMemory

    form, _, rest = (item.key or "").partition(":")
    id_, _, changed = rest.partition("@") if form == "mem0" else (item.id, "", "")
    speaker = item.speaker or item.claimed_speaker
    user = item.subject or speaker
    return WrittenMemory(
        id=id_,
        memory=item.text,
        created_at=item.at,
        updated_at=changed or None,
        user_id=user,
        actor_id=speaker,
        role="assistant" if speaker is None else "user",
        # A memory of mem0 is of a user, or else of an agent.
        agent_id=agent if user is None else None,
        run_id=item.session,
        categories=item.tags,
    )


def show(store: Store, *, agent: str, id: str, as_of: str | None = None) -> Item:
    """Return one item as of an instant; raises UsageError if the agent has none of this id."""
    instant = settle_instant(as_of)
    found = of_ids(store, agent=agent, ids=[id])
    if not found or (instant is not None and found[0].item.learnt > instant):
        raise UsageError(f'{agent} has no item "{id}"; mind memory list shows them.')
    return then(found[0].item, as_of=instant)


def search(
    store: Store, *, agent: str, words: str, wanted: ItemFilter, limit: int | None = None
) -> Iterator[Item]:
    """Yield an agent's items of a filter that have every one of some words in their text.

    Words are compared without regard to the case of letters, and part of a word counts.

    Raises:
        UsageError: there are no words, or an instant of the filter is none.
    """
    meant = words.casefold().split()
    if not meant:
        raise UsageError("name some words to search for.")
    left = limit
    for item in list_(store, agent=agent, wanted=wanted):
        text = item.text.casefold()
        if all(word in text for word in meant):
            yield item
            if left is not None and (left := left - 1) == 0:
                return


def archive(
    store: Store, clock: Clock, *, agent: str, below: float = ARCHIVE_BELOW, dry_run: bool = False
) -> list[Item]:
    """Set aside the items whose strength has fallen below a threshold, and return them.

    Their text stays, and being recalled brings them back.

    Raises:
        NothingToDoError: none is so weak.
    """
    now = clock.now()
    with store.read() if dry_run else store.write(agent) as rows:
        weak = [
            one.number
            for one in items.fading_items(rows, agent=agent)
            if strength(one, now=now) < below
        ]
        if not weak:
            raise NothingToDoError(f"no item of {agent} is weaker than {below:g}.")
        if not dry_run:
            items.archive_items(rows, weak, at=now)
        return items.items_at(rows, weak)


def recalled(store: Store, clock: Clock, *, agent: str, ids: Iterable[str]) -> int:
    """Count that items were found and used, which strengthens them; return how many there were."""
    with store.write(agent) as rows:
        return items.recall_items(rows, ids, agent=agent, at=clock.now())


class _Said(msgspec.Struct):
    """What is read of any record that is kept as JSON."""

    text: str = ""
    name: str = ""
    origin: Origin = "human"
    items: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()


_TABLES: tuple[Written, ...] = ("reflection", "lesson", "memory_entity")


def revoke(
    store: Store, clock: Clock, *, agent: str, source: str, dry_run: bool = False
) -> list[Retracted]:
    """Take back an agent's items, reflections, lessons, versions of entities and relations.

    `source` may end in `*`, leave its sender out, or be somebody who speaks in spaces; what has
    more sources than are kept by name may be of any. It does not matter whether it was trusted.
    What was learnt from an item goes with the item, but for what the operator wrote. An entity
    falls back to its last version that does not depend on the source. Nothing is deleted; with
    `dry_run` nothing is changed.
    """
    with store.read() as rows:
        taken = [
            one
            for one in items.items_of_others(rows, agent=agent)
            if _meant(source, (*one.sources, *one.trusted))
        ]
    return _take_back(store, clock, agent=agent, taken=taken, source=source, dry_run=dry_run)


def retract(
    store: Store, clock: Clock, *, agent: str, ids: Sequence[str], dry_run: bool = False
) -> list[Retracted]:
    """Take back items, lessons, reflections and entities of an agent by their ids.

    What was learnt from an item goes with it, but for what the operator wrote, and with an entity
    all its versions and relations. Nothing is deleted; with `dry_run` nothing is changed.

    Raises:
        UsageError: the agent has nothing of an id, or it is taken back already.
    """
    found = {one.item.id: one.item for one in of_ids(store, agent=agent, ids=ids)}
    retracted = {id: item.retracted for id, item in found.items()}
    others = [id for id in ids if id not in found]
    with store.read() as rows:
        for table in _TABLES:
            # Of an entity the last version stands last: the older ones may be taken back already.
            bodies = written.bodies(rows, table, agent=agent, ids=others)
            retracted |= {body.id: body.retracted for body in bodies}
    for id in ids:
        if id not in retracted:
            kinds = "item, lesson, reflection or entity"
            raise UsageError(f'{agent} has no {kinds} "{id}"; mind memory list shows the items.')
        if retracted[id] is not None:
            raise UsageError(f"{id} was taken back at {retracted[id]} already.")
    taken = list(found.values())
    return _take_back(
        store, clock, agent=agent, taken=taken, named=frozenset(others), dry_run=dry_run
    )


def _take_back(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    taken: Sequence[Item],
    source: str | None = None,
    named: Set[str] = frozenset(),
    dry_run: bool,
) -> list[Retracted]:
    """Take back items with what was learnt from them, what is named, and words of a source."""
    now = clock.now()
    gone = {one.id for one in taken}
    found = [_item_receipt(one, agent) for one in taken]
    with store.read() if dry_run else store.write(agent) as rows:
        if not dry_run:
            items.retract_items(rows, gone, agent=agent, at=now)
        for table in _TABLES:
            bodies = [
                (body, said)
                for body in written.bodies(rows, table, agent=agent)
                if body.retracted is None
                and (_stands_on(said := _said(body), source, gone) or body.id in named)
            ]
            found += [_receipt(table, body, said) for body, said in bodies]
            if not dry_run:
                written.retract_bodies(rows, table, [body.number for body, _ in bodies], at=now)
        related = [
            one
            for one in edges.standing(rows, agent=agent)
            if _meant(source, one.record.sources)
            or not gone.isdisjoint(one.record.items)
            or not named.isdisjoint((one.record.source, one.record.target))
        ]
        if not dry_run:
            edges.retract_relations(rows, [one.number for one in related], at=now)
    return [*found, *(_edge_receipt(one.record) for one in related)]


def _stands_on(said: _Said, source: str | None, gone: Set[str]) -> bool:
    """Tell whether a record holds words of a source, or was made of items that are taken back."""
    made_of = said.origin != "operator" and not gone.isdisjoint(said.items)
    return made_of or _meant(source, (*said.sources, *said.trusted))


def _meant(source: str | None, said: Iterable[str]) -> bool:
    """Tell whether what is revoked means, or may mean, one of some sources."""
    return source is not None and any(one == MORE or covers(source, one) for one in said)


def _said(body: Body) -> _Said:
    """Return what is read of a record."""
    return msgspec.json.decode(body.body, type=_Said)


def _item_receipt(item: Item, agent: str) -> Retracted:
    """Return the receipt of an item that was taken back."""
    return Retracted(
        kind="memory_item",
        agent=agent,
        id=item.id,
        text=item.text,
        sources=joined(item.sources, item.trusted),
    )


def _receipt(table: Written, body: Body, said: _Said) -> Retracted:
    """Return the receipt of a record that was taken back."""
    return Retracted(
        kind="entity" if table == "memory_entity" else table,
        agent=body.agent,
        id=body.id,
        text=said.text or said.name,
        sources=joined(said.sources, said.trusted),
    )


def _edge_receipt(edge: StoredRelation) -> Retracted:
    """Return the receipt of an edge that was taken back."""
    return Retracted(
        kind="relation",
        agent=edge.agent,
        id=edge.source,
        text=f"{edge.source} {edge.type} {edge.target}",
        sources=edge.sources,
    )
