"""Live a life again from what it heard, by the code of today, and say where it differs."""

import difflib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Tokens
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.verbs import think
from mindpipe.life import tables
from mindpipe.life.operations import Begun, NewPart, Operation, Setup
from mindpipe.life.records import LifeReplayed, ReplayDifference
from mindpipe.life.replaying import Again, Differs, dependencies_again, set_beside
from mindpipe.life.steps import Steps
from mindpipe.life.tape import TapeEndError
from mindpipe.life.verbs.life import opened
from mindpipe.life.verbs.rows import from_file, take
from mindpipe.store.scratch import scratch_file

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

Done = Callable[[Dependencies, Operation], None]
"""Does an operation once more."""


def _think(deps: Dependencies, operation: Operation) -> None:
    asked = msgspec.json.decode(operation.begun.asked, type=think.ThinkAsked)
    think.again(deps, agent=operation.agent, asked=asked)


KINDS: Mapping[str, Done] = {think.THINK: _think}
"""What is done again, by the kind of the operation; all else is given as it was."""


class LifeReplay:
    """A life in a file that is lived again; `verdict` says what came of it once that is over."""

    def __init__(
        self,
        pieces: Iterable[bytes],
        *,
        name: str,
        make_tokens: Callable[[str], Tokens],
        upto: int | None = None,
    ) -> None:
        self._reader = opened(pieces, name=name)
        self._name = name
        self._make_tokens = make_tokens
        self._upto = upto
        self.verdict: LifeReplayed | None = None

    def differences(self) -> Iterator[ReplayDifference]:
        """Live it again, and yield where it differs, with which it ends.

        Raises:
            InputOutputError: the file is not as it was written.
            RefusedError: nothing of what it heard is recorded.
        """
        manifest = self._reader.manifest
        with scratch_file() as store:
            with from_file(store, self._name) as rows:
                take(rows, manifest, self._reader.tables(), self._reader.fault)
                self._reader.finish()
            yield from self._again(store, agent=manifest.agent)

    def _again(self, store: "SqliteStore", *, agent: str) -> Iterator[ReplayDifference]:
        with store.read() as rows:
            recorded = tables.operations(rows, agent=agent)
            first = tables.parts_of(rows, recorded[0].number) if recorded else []
            changes = tables.count_changes(rows, agent=agent)
            last = tables.last_change(rows, agent=agent) or 0
        if not first:
            raise RefusedError(
                f"nothing of what {agent} heard is recorded in {self._name}; it was lived with an "
                "earlier mindpipe, or exported without its record."
            )
        steps = Steps(store, agent=agent)
        steps.go_back(first[0].after)
        count = _Count(before=changes - steps.kept)
        equal = True
        for stored in recorded:
            if self._upto is not None and steps.cycles() >= self._upto:
                break
            operation = _operation(agent, stored)
            with store.read() as rows:
                parts = tables.parts_of(rows, stored.number)
            count.given += steps.bring_to(parts[0].after)
            done = KINDS.get(operation.begun.kind)
            if done is None or operation.setup.files or steps.at > parts[0].after:
                continue
            found = self._live(steps, store, stored.number, operation, parts, done, count)
            if found is not None:
                equal = False
                yield found
                break
        else:
            count.given += steps.bring_to(last)
        self.verdict = LifeReplayed(
            agent=agent, cycles=steps.cycles(), equal=equal, **msgspec.structs.asdict(count)
        )

    def _live(
        self,
        steps: Steps,
        store: "SqliteStore",
        number: int,
        operation: Operation,
        parts: list[NewPart],
        done: Done,
        count: "_Count",
    ) -> ReplayDifference | None:
        """Do one operation again; return where it differs, if it does."""
        again = Again(steps, store, operation=operation, parts=parts)
        set_beside(store, operation)
        deps = dependencies_again(
            again, store, steps, operation=operation, make_tokens=self._make_tokens
        )
        ended = ""
        try:
            done(deps, operation)
        except TapeEndError:
            pass
        except Exception as error:
            # It may have ended so then too.
            ended = f": {error}"
        differs = again.differs
        if differs is None and again.part < len(parts):
            then, now = f"{len(parts)} transactions", f"{again.part}{ended}"
            differs = Differs("end", then=then, now=now)
        count.lived += 1
        count.cut += again.is_cut
        count.prompts += again.prompts
        count.given += again.given
        count.changes += again.part
        if differs is None:
            return None
        return ReplayDifference(
            agent=operation.agent,
            cycle=steps.cycles(),
            operation=number,
            kind=operation.begun.kind,
            part=again.part + 1,
            what="prompt" if _is_of_prompt(differs) else differs.what,
            table=differs.table,
            key=differs.key,
            then=differs.then,
            now=differs.now,
            diff=tuple(_diff(differs)),
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
        texts = [str(then[name]), str(now.get(name))]
        if max(map(len, texts)) > _LONG:
            lines = difflib.unified_diff(
                *map(_lines, texts), f"{name} then", f"{name} now", lineterm="", n=1
            )
            yield from itertools.islice(lines, _SHOWN_LINES)


def _lines(text: str) -> list[str]:
    """Return the lines of a text; a JSON document has one value in each."""
    try:
        return msgspec.json.format(text, indent=1).splitlines()
    except msgspec.DecodeError:
        return text.splitlines()


class _Count(msgspec.Struct):
    """What was done so far; see `LifeReplayed`."""

    before: int
    lived: int = 0
    prompts: int = 0
    changes: int = 0
    given: int = 0
    cut: int = 0


def _operation(agent: str, stored: tables.StoredOperation) -> Operation:
    return Operation(
        agent=agent,
        begun=msgspec.json.decode(stored.body, type=Begun),
        setup=msgspec.json.decode(stored.setup, type=Setup),
    )
