"""Live a life again from what it heard, by the code of today, and say where it differs."""

import contextlib
import difflib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.ports import Tokens
from mindpipe.decisions.bands import DecisionRules
from mindpipe.engine.cycle import postconditions
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.verbs import act, think
from mindpipe.engine.worker.interrupts import StoppedError
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Redaction
from mindpipe.life.archive import LifeReader
from mindpipe.life.masks import is_marked
from mindpipe.life.operations import Begun, ConsolidationSetup, NewPart, Operation, Setup
from mindpipe.life.records import LifeReplayed, LifeVersions, ReplayDifference
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import operations as operation_tables
from mindpipe.life.tables import steps as step_tables
from mindpipe.life.tape import OtherReadingError, TapeEndError, TapeReader
from mindpipe.life.verbs.consolidating import CONSOLIDATE, consolidate_again
from mindpipe.life.verbs.folds import FOLD, fold_again
from mindpipe.life.verbs.replaying import (
    Again,
    Differs,
    dependencies_again,
    set_beside,
)
from mindpipe.life.verbs.rows import carried, distrusting, from_file, take
from mindpipe.life.verbs.rules_again import OPERATIONS, rules_again
from mindpipe.life.verbs.steps import Steps
from mindpipe.life.verbs.versions import versions_here
from mindpipe.store.changes import last_change
from mindpipe.store.scratch import scratch_file

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


def _is_behind(part: NewPart, redaction: Redaction) -> bool:
    """Tell whether a part began after a redaction, by the first instant that it heard."""
    tape = TapeReader()
    with contextlib.suppress(OtherReadingError, msgspec.ValidationError):
        tape.add(part.heard)
    heard = tape.peek("now")
    return heard is not None and str(heard) > redaction.at


_WORDED = [
    table
    for table in tables.TABLES
    if table.name not in tables.SHARED | tables.CHANGES and table.part != "record"
]
"""Tables that hold words as they stood at each moment of a life that is lived again."""


def _rests_on_marks(
    steps: Steps, store: "SqliteStore", redacted: list[Redaction], *, agent: str
) -> bool:
    """Tell whether words of which something was redacted could be heard in an operation.

    Those of a row that is of no cycle, as an item of memory that people gave, could from then on.
    """
    if not redacted or any(steps.cycles() >= one.cycle for one in redacted):
        return bool(redacted)
    with store.read() as rows:
        return any(
            "cycle" not in header.columns and any(map(is_marked, found))
            for header, found in carried(rows, agent=agent, of=_WORDED)
        )


def _can_be_redone(operation: Operation) -> bool:
    """Tell whether all that an operation heard is recorded."""
    if operation.begun.kind == CONSOLIDATE:
        return not msgspec.json.decode(operation.setup, type=ConsolidationSetup).worded
    if operation.begun.kind == FOLD or operation.begun.kind in OPERATIONS:
        return True
    return not msgspec.json.decode(operation.setup, type=Setup).files


class LifeReplay:
    """A life in a file that is lived again; `verdict` says what came of it once that is over."""

    def __init__(
        self,
        reader: LifeReader,
        *,
        make_tokens: Callable[[str], Tokens],
        upto: int | None = None,
        goes_on: bool = False,
    ) -> None:
        self._reader = reader
        self._goes_on = goes_on
        self._make_tokens = make_tokens
        self._upto = upto
        self.verdict: LifeReplayed | None = None

    def differences(self) -> Iterator[ReplayDifference]:
        """Live it again, and yield where it differs, with which it ends.

        One that `goes_on` yields of each operation all rows of the first transaction that comes out
        otherwise, and goes on from what was recorded of it.

        Raises:
            InputOutputError: the file is not as it was written.
            NothingToDoError: it has lived no cycle.
            RefusedError: nothing of what it heard is recorded.
            UsageError: it has not lived so many cycles.
        """
        manifest = self._reader.manifest
        # One that went back to before its first cycle has lived what it left.
        if self._upto is not None and 0 < manifest.cycles < self._upto:
            lived = f"cycles 1 to {manifest.cycles}"
            raise UsageError(f"{manifest.agent} has no cycle {self._upto}; it lived {lived}.")
        if missing := set(manifest.without) - {"record"}:
            raise RefusedError(
                f"{self._reader.name} was exported without {', '.join(sorted(missing))}; a life is "
                "lived again from all of it."
            )
        with scratch_file() as store:
            with from_file(store, self._reader) as rows:
                take(rows, manifest, self._reader.tables(), self._reader.fault)
                self._reader.finish()
            with distrusting(self._reader):
                yield from self._again(store, agent=manifest.agent)

    def _again(self, store: "SqliteStore", *, agent: str) -> Iterator[ReplayDifference]:
        with store.read() as rows:
            recorded = operation_tables.operations(rows, agent=agent)
            first = operation_tables.parts_of(rows, recorded[0].number) if recorded else []
            redacted = list(history_tables.redactions(rows, agent=agent))
            changes = step_tables.count_changes(rows, agent=agent)
            last = last_change(rows, agent=agent) or 0
        if not first:
            if not self._reader.manifest.cycles:
                raise NothingToDoError(f"{agent} has lived no cycle yet.")
            raise RefusedError(
                f"nothing of what {agent} heard is recorded in {self._reader.name}; it was lived "
                "with an earlier mindpipe, or exported without its record."
            )
        steps = Steps(store, agent=agent)
        steps.go_back(first[0].after)
        count = _Count(before=changes - steps.kept)
        place = 0
        forerunner: list[NewPart] | None = None
        for stored in recorded:
            if self._upto is not None and steps.cycles() >= self._upto:
                break
            operation = _operation(agent, stored)
            place, before = operation.begun.place, place
            with store.read() as rows:
                parts = operation_tables.parts_of(rows, stored.number)
            gap = _gap(operation.begun, before=before, parts=_parts_by(forerunner, parts))
            if gap is not None:
                count.different += 1
                yield _missing(steps, operation, stored.number, then=gap.then, now=gap.now)
                if not self._goes_on:
                    break
            if [one.part for one in parts] != list(range(1, len(parts) + 1)) or not parts:
                raise self._reader.fault(f"parts of operation {stored.number} are missing")
            forerunner = parts
            steps.bring_to(parts[0].after)
            if steps.at > parts[0].after or not _can_be_redone(operation) or steps.is_given_cycle():
                continue
            # What came after one was lived from words without the secret, and can be compared.
            redacted = [one for one in redacted if not _is_behind(parts[0], one)]
            found = self._live(steps, store, stored.number, operation, parts, count)
            if found and _rests_on_marks(steps, store, redacted, agent=agent):
                # Nobody can tell whether it would differ also as it was.
                count.redacted += 1
                count.different -= 1
                found = []
            if found and not self._goes_on:
                yield found[0]
                break
            yield from found
            steps.bring_to(parts[-1].number)
        else:
            behind = _brought_to_the_end(steps, last)
            if behind:
                count.different += 1
                yield _missing(
                    steps,
                    _operation(agent, recorded[-1]),
                    recorded[-1].number,
                    then=f"{behind} rows of turns or cycles behind this",
                    now="nothing is recorded of them",
                )
        self.verdict = LifeReplayed(
            agent=agent,
            cycles=steps.cycles(),
            given=steps.given,
            given_cycles=steps.given_cycles,
            given_rows={table: n for table, n in sorted(steps.given_rows.items()) if n},
            equal=not count.different,
            versions=_other_versions(recorded) or msgspec.UNSET,
            **{**msgspec.structs.asdict(count), "redacted": count.redacted or msgspec.UNSET},
        )

    def _live(
        self,
        steps: Steps,
        store: "SqliteStore",
        number: int,
        operation: Operation,
        parts: list[NewPart],
        count: "_Count",
    ) -> list[ReplayDifference]:
        """Do one operation again; return where it differs, if it does."""
        again = Again(steps, store, operation=operation, parts=parts)
        set_beside(store, operation)
        ended = ""
        try:
            store.search_by(again.search, again.scored)
            self._do(again, store, steps, operation)
        except (TapeEndError, StoppedError, EmergencyError):
            pass
        except Exception as error:
            # It may have ended so then too.
            ended = f": {error}"
        finally:
            store.search_by(None)
        differs = again.differs
        if not differs and again.part < len(parts):
            then, now = f"{len(parts)} transactions", f"{again.part}{ended}"
            differs = [Differs("end", then=then, now=now)]
        if not differs and not again.is_cut:
            differs = again.unheard()
        count.lived += 1
        count.cut += again.is_cut
        count.prompts += again.prompts
        count.changes += again.part
        count.different += bool(differs)
        return [
            ReplayDifference(
                agent=operation.agent,
                cycle=steps.cycles(),
                operation=number,
                kind=operation.begun.kind,
                part=again.part + 1,
                what="prompt" if _is_of_prompt(one) else one.what,
                table=one.table,
                key=one.key,
                then=one.then,
                now=one.now,
                diff=tuple(_diff(one)),
            )
            for one in differs
        ]

    def _do(self, again: Again, store: "SqliteStore", steps: Steps, operation: Operation) -> None:
        """Do an operation once more."""
        if operation.begun.kind == CONSOLIDATE:
            consolidate_again(again, store, steps, operation=operation)
            return
        if operation.begun.kind == FOLD:
            fold_again(again, store, steps, operation=operation, make_tokens=self._make_tokens)
            return
        if operation.begun.kind in OPERATIONS:
            rules_again(again, store, steps, operation=operation)
            return
        deps = dependencies_again(
            again, store, steps, operation=operation, make_tokens=self._make_tokens
        )
        _do_with(deps, operation)


def _do_with(deps: Dependencies, operation: Operation) -> None:
    """Do once more what may ask models and run programs."""
    agent, asked = operation.agent, operation.begun.asked
    match operation.begun.kind:
        case act.ACT:
            act.act_again(deps, agent=agent, rules=_rules_of(asked))
        case act.CALL:
            act.call_due(deps, agent=agent, rules=_rules_of(asked))
        case postconditions.JUDGE:
            postconditions.judge(deps, agent=agent)
        case _:
            given = msgspec.json.decode(asked, type=think.ThinkAsked)
            think.again(deps, agent=agent, asked=given)


def _rules_of(asked: msgspec.Raw) -> DecisionRules:
    return msgspec.json.decode(asked, type=act.ActAsked).rules


def _parts_by(forerunner: list[NewPart] | None, parts: list[NewPart]) -> int | None:
    """Return how many parts an operation's forerunner had as it began; None without a forerunner.

    The forerunner may have gone on beside it.
    """
    if forerunner is None or not parts:
        return None
    return sum(one.number <= parts[0].after for one in forerunner)


class _Gap(NamedTuple):
    """What of the record is missing before an operation: what there was then, and is now."""

    then: str
    now: str


def _gap(begun: Begun, *, before: int, parts: int | None) -> _Gap | None:
    """Return what is missing before an operation, whose forerunner has so many parts, if any is."""
    if begun.place > before + 1:
        return _Gap(
            f"{begun.place - 1} operations before this one", f"{before} of them are recorded"
        )
    if None in {parts, begun.parts_before} or parts == begun.parts_before:
        return None
    return _Gap(
        f"{begun.parts_before} parts of the operation before this one",
        f"{parts} of them are recorded",
    )


_SHOWN_LINES = 60
_LONG = 80


def _is_of_prompt(differs: Differs) -> bool:
    """Tell whether a turn asks something else: its row says what, before it is sent."""
    return differs.table == "turn" and isinstance(differs.now, dict) and "asked" in differs.now


def _diff(differs: Differs) -> Iterator[str]:
    """Yield the lines in which long values differ, as a unified diff."""
    then, now = differs.then, differs.now
    if not isinstance(then, dict) or not isinstance(now, dict):
        return
    for name in then:
        before, after = str(then[name]), str(now.get(name))
        if max(len(before), len(after)) > _LONG:
            lines = difflib.unified_diff(
                _lines(before), _lines(after), f"{name} then", f"{name} now", lineterm="", n=1
            )
            yield from itertools.islice(lines, _SHOWN_LINES)


def _lines(text: str) -> list[str]:
    """Return the lines of a text; a JSON document has one value, or line of a value, in each."""
    try:
        return msgspec.json.format(text, indent=1).replace(r"\n", "\n").splitlines()
    except msgspec.DecodeError:
        return text.splitlines()


class _Count(msgspec.Struct):
    """What was done so far; see `LifeReplayed`."""

    before: int
    lived: int = 0
    prompts: int = 0
    changes: int = 0
    cut: int = 0
    different: int = 0
    redacted: int = 0


def _brought_to_the_end(steps: Steps, last: int) -> int:
    """Take over what is left of the log of changes; return its rows that operations would make.

    A cycle is recorded to its end, but for what was imported.
    """
    before = steps.given_rows.copy()
    steps.bring_to(last)
    rest = steps.given_rows - before
    return 0 if rest["import"] else rest["turn"] or rest["cycle"]


def _missing(
    steps: Steps, operation: Operation, number: int, *, then: str, now: str
) -> ReplayDifference:
    """Return the difference that something of the record is missing before or behind it."""
    return ReplayDifference(
        agent=operation.agent,
        cycle=steps.cycles(),
        operation=number,
        kind=operation.begun.kind,
        part=0,
        what="record",
        then=then,
        now=now,
    )


class _SetupVersions(msgspec.Struct):
    """Of what an operation was set up with, the versions."""

    versions: LifeVersions | None = None


def _other_versions(
    recorded: Iterable[operation_tables.StoredOperation],
) -> dict[str, tuple[str, ...]]:
    """Return the versions of then that are others here, by name."""
    found: dict[str, dict[str, None]] = {}
    for setup in dict.fromkeys(one.setup for one in recorded):
        told = msgspec.json.decode(setup, type=_SetupVersions).versions
        for name, version in (told.others_than(versions_here()) if told else {}).items():
            found.setdefault(name, {})[version] = None
    return {name: tuple(versions) for name, versions in sorted(found.items())}


def _operation(agent: str, stored: operation_tables.StoredOperation) -> Operation:
    return Operation(
        agent=agent,
        begun=msgspec.json.decode(stored.body, type=Begun),
        setup=msgspec.Raw(stored.setup.encode()),
    )
