"""Read the journal, and write to it only while the lease holds, which is renewed meanwhile."""

import contextlib
from collections.abc import Callable, Iterator

import msgspec

from mindpipe.agents.verbs import lease as leases
from mindpipe.core.messages import ResultPart
from mindpipe.core.ports import Rows, Store
from mindpipe.engine.cycle.next_step import bad_turns, equal_answers, equal_failures
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call, CallState, Journal, Turn, TurnState
from mindpipe.engine.tables import journal
from mindpipe.inbox.verbs import inbox
from mindpipe.spending import verbs as spending

GRACE_SECONDS = 60.0


@contextlib.contextmanager
def holding(deps: Dependencies, work: OpenCycle) -> Iterator[Rows]:
    """Open a transaction that writes only if this worker still holds the agent.

    Raises:
        FencedError: another worker took it; nothing was written.
    """
    with deps.store.write(work.agent.name) as rows:
        leases.check(deps.store, agent=work.agent.name, owner=deps.holder.owner, epoch=work.epoch)
        yield rows


def renewal(deps: Dependencies, work: OpenCycle) -> Callable[[Store], None]:
    """Return what renews the leases of a worker on a store of its own."""
    clock, owner, seconds = deps.clock, deps.holder.owner, deps.holder.lease

    def renew(store: Store) -> None:
        with store.write(work.agent.name):
            leases.renew(
                store,
                clock,
                agent=work.agent.name,
                owner=owner,
                epoch=work.epoch,
                seconds=seconds,
            )
            for event in work.events:
                inbox.extend(store, clock, id=event.id, epoch=event.epoch, seconds=seconds)

    return renew


def load(store: Store, work: OpenCycle) -> Journal:
    """Return how far the cycle has come."""
    name = work.agent.name
    with store.read() as rows:
        turn = journal.last_turn(rows, agent=name, cycle=work.cycle)
        every = journal.calls_of_cycle(rows, agent=name, cycle=work.cycle)
    number = turn.turn if turn else 0
    return Journal(
        agent=name,
        cycle=work.cycle,
        events=tuple(event.id for event in work.events),
        turn=turn,
        calls=tuple(call for call in every if call.turn == number),
        all_calls=len(every),
        bad_turns=bad_turns(every),
        equal_failures=equal_failures(every),
        equal_answers=equal_answers(every),
    )


def tokens_used(store: Store, work: OpenCycle) -> int:
    """Return the input and output tokens of all that the cycle's calls used so far."""
    entries = spending.cycle_entries(store, agent=work.agent.name, cycle=work.cycle)
    return sum(entry.input_tokens + entry.output_tokens for entry in entries)


def with_turn_state(turn: Turn, state: TurnState) -> Turn:
    """Return the turn after one legal step."""
    return msgspec.structs.replace(turn, state=turn.state.to(state))


def with_call_state(call: Call, state: CallState, result: ResultPart | None = None) -> Call:
    """Return the call after one legal step, with its answer."""
    return msgspec.structs.replace(call, state=call.state.to(state), result=result)


def place(store: Store, *, agent: str) -> str | None:
    """Return the space that an agent is in, or None."""
    with store.read() as rows:
        return journal.place_of(rows, agent=agent)


def move(store: Store, *, agent: str, space: str | None) -> None:
    """Put an agent into a space, or out of all."""
    with store.write(agent) as rows:
        journal.set_place(rows, agent=agent, space=space)
