"""Changes of a window by hand that are recorded, and done again."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs import compact
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core.ports import Tokens
from mindpipe.core.records import Record
from mindpipe.history.rows import digest
from mindpipe.life.operations import FoldSetup, Operation
from mindpipe.life.verbs.recording import RecordedClock, Recorder
from mindpipe.life.verbs.replaying import Again, AgainClock, AgainStore
from mindpipe.life.verbs.steps import Steps

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

FOLD = "fold"
"""The kind of operation under which changes of a window by hand are recorded."""


class FoldAsked(Record):
    """The hash of the plan that was put in force; None where the last change was undone."""

    window: str | None


def apply_recorded(
    recorder: Recorder, ports: MaterialPorts, *, agent: str, octets: bytes, source: str
) -> Compaction:
    """Put a plan in force as `mindpipe.compaction.verbs.compact.apply` does, and record it."""
    return _recorded(
        recorder,
        ports,
        lambda heard: compact.apply(heard, agent=agent, octets=octets, source=source),
        agent=agent,
        asked=FoldAsked(window=digest(octets)),
    )


def undo_recorded(recorder: Recorder, ports: MaterialPorts, *, agent: str) -> Compaction:
    """Undo the last change as `mindpipe.compaction.verbs.compact.undo` does, and record it."""
    return _recorded(
        recorder,
        ports,
        lambda heard: compact.undo(heard, agent=agent),
        agent=agent,
        asked=FoldAsked(window=None),
    )


def _recorded(
    recorder: Recorder,
    ports: MaterialPorts,
    change: Callable[[MaterialPorts], Compaction],
    *,
    agent: str,
    asked: FoldAsked,
) -> Compaction:
    setup = FoldSetup(store=ports.store.identity, tokens=ports.tokens.name)
    with recorder.operation(agent, FOLD, asked, setup=setup) as record:
        return change(ports._replace(clock=RecordedClock(ports.clock, record.hear)))


def fold_again(
    again: Again,
    store: "SqliteStore",
    steps: Steps,
    *,
    operation: Operation,
    make_tokens: Callable[[str], Tokens],
) -> None:
    """Change the window again, by the program of today; raises whatever that does."""
    setup = msgspec.json.decode(operation.setup, type=FoldSetup)
    asked = msgspec.json.decode(operation.begun.asked, type=FoldAsked)
    theirs = AgainStore(again, store, steps, identity=setup.store)
    ports = material_ports(theirs, AgainClock(again), make_tokens(setup.tokens))
    if asked.window is None:
        compact.undo(ports, agent=operation.agent)
    else:
        compact.apply(ports, agent=operation.agent, octets=again.octets(asked.window))
