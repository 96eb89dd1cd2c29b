"""Consolidations that are recorded, and done again."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.models import TextReply, TextRequest, Write
from mindpipe.core.ports import Clock
from mindpipe.core.records import Record, to_json
from mindpipe.history.rows import digest
from mindpipe.knowledge.keys import added_to, rules_of
from mindpipe.knowledge.records import Consolidated
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions, consolidate
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.language.strict import STRICT, strict_reader
from mindpipe.life.operations import ConsolidationSetup, Operation
from mindpipe.life.verbs.recording import OperationRecord, RecordedClock, Recorder, heard
from mindpipe.life.verbs.replaying import Again, AgainClock, AgainStore, Differs
from mindpipe.life.verbs.steps import Steps

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

CONSOLIDATE = "consolidate"
"""The kind of operation under which consolidations are recorded."""


class ConsolidationAsked(Record):
    """What one consolidation was asked for: at most so many items, and whether a person decides."""

    limit: int
    review: bool


def consolidate_recorded(
    recorder: Recorder, clock: Clock, *, agent: str, options: ConsolidateOptions
) -> Iterator[Consolidated]:
    """Consolidate as `mindpipe.knowledge.verbs.consolidate` does, and record it."""
    setup = ConsolidationSetup(
        store=recorder.store.identity,
        slots=recorder.slots,
        windows=recorder.windows,
        reader=options.reader.name,
        writes=options.write is not None,
    )
    asked = ConsolidationAsked(limit=options.limit, review=options.review)
    with recorder.operation(agent, CONSOLIDATE, asked, setup=setup) as record:
        if options.reader.name != STRICT.name:
            options = options._replace(reader=RecordedReader(options.reader, record))
        if options.write is not None:
            options = options._replace(write=_recorded(options.write, record))
        recorded = RecordedClock(clock, record.hear)
        yield from consolidate(recorder.store, recorded, agent=agent, options=options)


class RecordedReader:
    """A reader of which is kept what it read; what a model cost for that is no part of it."""

    def __init__(self, reader: StatementReader, record: OperationRecord) -> None:
        self._reader, self._record = reader, record

    @property
    def name(self) -> str:
        """Return the name and version of the reader."""
        return self._reader.name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance."""
        return heard(
            self._record.hear,
            "statements",
            lambda: self._record.outside_of(lambda: self._reader.read(said)),
            msgspec.to_builtins,
        )


def _recorded(write: Write, record: OperationRecord) -> Write:
    """Return what asks a model, of which each answer is kept with the hash of its question."""

    def asked(question: TextRequest) -> TextReply:
        return heard(
            record.hear,
            "reply",
            lambda: record.outside_of(lambda: write(question)),
            lambda reply: {"to": _hash_of(question), "reply": msgspec.to_builtins(reply)},
        )

    return asked


def _hash_of(question: TextRequest) -> str:
    return digest(to_json(question))


class _Reader:
    """A reader that reads what it read."""

    def __init__(self, again: Again, name: str) -> None:
        self._again = again
        self.name = name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        found = msgspec.convert(self._again.take("statements"), list[tuple[Statement, ...]])
        if len(found) != len(said):
            self._again.end_with(Differs("reading", then=len(found), now=f"{len(said)} read"))
        return found


def _written(again: Again) -> Write:
    """Return a model that answers what it answered, where it is asked the same."""

    def asked(question: TextRequest) -> TextReply:
        found = again.take("reply")
        again.request(_hash_of(question), found["to"])
        return msgspec.convert(found["reply"], TextReply)

    return asked


def consolidate_again(
    again: Again, store: "SqliteStore", steps: Steps, *, operation: Operation
) -> None:
    """Consolidate again, by the rules of today; what a model answered and others read stays.

    Raises whatever the consolidation does.
    """
    setup = msgspec.json.decode(operation.setup, type=ConsolidationSetup)
    asked = msgspec.json.decode(operation.begun.asked, type=ConsolidationAsked)
    rules = rules_of(slots=setup.slots, windows=setup.windows)
    strict = strict_reader(added_to(rules.slots))
    options = ConsolidateOptions(
        rules=rules,
        limit=asked.limit,
        review=asked.review,
        reader=_Reader(again, setup.reader) if setup.reader != STRICT.name else strict,
        write=_written(again) if setup.writes else None,
    )
    theirs = AgainStore(again, store, steps, identity=setup.store)
    for _ in consolidate(theirs, AgainClock(again), agent=operation.agent, options=options):
        pass
