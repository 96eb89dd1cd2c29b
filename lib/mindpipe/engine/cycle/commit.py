"""Commit a turn: its messages, results, acknowledgements, posts and spending in one transaction."""

from collections.abc import Iterable
from itertools import chain

from mindpipe.agents.verbs import lease as leases
from mindpipe.context.triggers import message_of, time_out_of
from mindpipe.context.verbs import origins
from mindpipe.context.verbs.said import in_cycle, last_reply
from mindpipe.core.errors import IllegalStateError
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Message, Part, RawReply, Role, TextPart
from mindpipe.core.ports import Clock, Store
from mindpipe.core.sources import joined, untrusted
from mindpipe.engine.cycle import recall_outcome
from mindpipe.engine.cycle.journal import holding, with_turn_state
from mindpipe.engine.cycle.next_step import CommitTurn
from mindpipe.engine.dependencies import Dependencies, OpenCycle, holder_of
from mindpipe.engine.records.journal import Call, CallState, Turn, TurnState
from mindpipe.engine.tables import journal
from mindpipe.history.records import CycleEnd, CycleOutcome
from mindpipe.history.verbs import attachments, cycles, log
from mindpipe.history.verbs.history import show
from mindpipe.inbox.verbs import inbox
from mindpipe.knowledge.keys import added_to
from mindpipe.knowledge.verbs import heard
from mindpipe.knowledge.verbs.heard import HeardItems
from mindpipe.language.strict import strict_reader
from mindpipe.memory.extraction.finder import items_in
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Post
from mindpipe.spending import verbs as spending
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import (
    HeardMessage,
    TriggerRun,
    TriggerRunState,
    WaitBounds,
)


def begin_wait(deps: Dependencies, work: OpenCycle, said: Iterable[Post]) -> NewEvent | None:
    """Let the run wait for a reply to what its last turn said so; return its time-out to push.

    The event is to be pushed once those of the cycle are acknowledged: then a full inbox has room.
    """
    post = next((post for post in said if post.waits), None)
    if post is None:
        return None
    run = runs.current(deps.store, agent=work.agent.name, cycle=work.cycle)
    if run is None:
        return None
    wait = runs.wait(
        deps.store,
        deps.clock,
        deps.chance,
        run=run.id,
        message=HeardMessage(id=post.id, space=post.space),
        bounds=WaitBounds(
            seconds=post.waits_seconds or deps.policy.wait_seconds,
            whom=post.waits_for,
            anybody=deps.policy.wait_any and post.waits_for is None,
        ),
    )
    return time_out_of(wait, depth=post.depth)


def end_run(
    store: Store, clock: Clock, work: OpenCycle, state: TriggerRunState, why: str | None
) -> TriggerRun | None:
    """End the run of a cycle that closes, unless it waits, and return it as it then is."""
    run = runs.current(store, agent=work.agent.name, cycle=work.cycle)
    if run is None or run.state is not TriggerRunState.RUNNING:
        return run
    return runs.finish(store, clock, run=run.id, state=state, reason=why)


def note_seen(store: Store, work: OpenCycle, run: TriggerRun | None) -> None:
    """Move what the agent has seen in each space to what its run showed it, once that is over."""
    name = work.agent.name
    messages = (message_of(event) for event in work.events)
    taken = [message.id for message in messages if message is not None]
    runs.note_shown(store, agent=name, cycle=work.cycle, posts=taken)
    if run is not None and run.state is TriggerRunState.WAITING:
        return
    lived = run.cycles if run is not None else (work.cycle,)
    shown = (runs.shown(store, agent=name, cycle=cycle) for cycle in lived)
    spaces.shown(store, name=name, posts=list(chain.from_iterable(shown)))


FIRST_HAND = 2.0
"""So much less need words of others matter than what a mind makes of a cycle: a reader that comes
later, and recall, find only what was kept."""


def remember(deps: Dependencies, work: OpenCycle) -> None:
    """Keep the items of a cycle that come near the agent's threshold, or deny what is held.

    They are of the words of its events, each quarantined under the untrusted sources of its own.
    What they deny by its name is believed no more in the next prompt; all else waits for a
    consolidation. Nothing is kept over plain files, where it would be thrown away.
    """
    if not deps.policy.lasting:
        return
    name, cycle = work.agent.name, work.cycle
    lived = list(show(deps.store, agent=name, cycle=cycle))
    pieces = in_cycle(deps.store, work.agent, cycle=cycle, lived=lived)
    rules = deps.prompts.knowledge.rules
    reader = strict_reader(added_to(rules.slots))
    answered = last_reply(deps.store, name, cycle=cycle)
    found = HeardItems(name, list(items_in(pieces, reader)), answered)
    counting = {one.id for one in heard.counting(deps.store, found, rules.slots).items}
    wanted = [
        item
        for item in found.items
        if item.significance + FIRST_HAND >= work.agent.memory_threshold or item.id in counting
    ]
    if not wanted:
        return
    from mindpipe.memory.verbs import memory

    kept = memory.keep_found(
        deps.store, deps.clock, deps.chance, agent=name, found=wanted, reader=reader
    )
    if counting:
        # What beliefs are weighed by loads for a while, and few cycles deny what is held.
        from mindpipe.knowledge.verbs.denials import deny
        from mindpipe.knowledge.verbs.withdrawals import withdraw

        withdraw(deps.store, deps.clock, agent=name, items=kept, rules=rules)
        deny(deps.store, deps.clock, HeardItems(name, kept, answered), rules)


def commit(deps: Dependencies, work: OpenCycle, turn: Turn, step: CommitTurn) -> None:
    """Append the turn, publish what was said in it, and close the cycle if it is the last."""
    with holding(deps, work) as rows:
        calls = journal.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
        # First: what the calls brought in decides whether their results below are tainted.
        take_in(deps.store, work, turn, calls)
        log.append(
            deps.store, deps.models.tokens, messages=messages_of(deps, work, turn, calls, step)
        )
        said = publish(deps, turn, waits=step.stopped is None)
        journal.save_turn(rows, with_turn_state(turn, TurnState.COMMITTED))
        if step.last:
            remember(deps, work)
            if not step.stopped:
                recall_outcome.settle(deps, work)
            wait = begin_wait(deps, work, said)
            end(
                deps,
                work,
                outcome=CycleOutcome.STOPPED if step.stopped else CycleOutcome.DONE,
                why=step.stopped,
            )
            if wait is not None:
                # Only now, when the events of the cycle are settled, has a full inbox room for it.
                deps.tools.deliver([wait])
        reach("turn.before_commit")
    reach("turn.after_commit")


def forget(deps: Dependencies, work: OpenCycle, turn: Turn) -> None:
    """Close a cycle that leaves no trace in history."""
    with holding(deps, work) as rows:
        journal.save_turn(rows, with_turn_state(turn, TurnState.COMMITTED))
        spaces.drop_held(deps.store, holder=holder_of(work.agent.name, work.cycle))
        end(deps, work, outcome=CycleOutcome.SKIPPED, why=None)


def publish(deps: Dependencies, turn: Turn, *, waits: bool = True) -> list[Post]:
    """Let everybody see what the agent said in this turn, and return it.

    Without `waits` the agent waits for no reply to it.
    """
    holder = holder_of(turn.agent, turn.cycle)
    return spaces.release_held(deps.store, holder=holder, deliver=deps.tools.deliver, waits=waits)


def end(deps: Dependencies, work: OpenCycle, *, outcome: CycleOutcome, why: str | None) -> None:
    """Close the cycle, acknowledge its events and give the lease back, in the open transaction."""
    name = work.agent.name
    close(deps.store, deps.clock, work, outcome=outcome, why=why)
    # The run first: while it waits, what it was shown does not count as seen.
    note_seen(deps.store, work, end_run(deps.store, deps.clock, work, TriggerRunState.DONE, why))
    for event in work.events:
        inbox.ack(
            deps.store,
            id=event.id,
            epoch=event.epoch,
            outcome="skipped" if outcome is CycleOutcome.SKIPPED else "handled",
        )
    leases.release(deps.store, agent=name, owner=deps.holder.owner, epoch=work.epoch)


def close(
    store: Store, clock: Clock, work: OpenCycle, *, outcome: CycleOutcome, why: str | None
) -> None:
    """Close the cycle with what it took; a call whose reply never came counts in full."""
    name = work.agent.name
    spending.lose_open(store, agent=name, cycle=work.cycle)
    entries = spending.cycle_entries(store, agent=name, cycle=work.cycle)
    taken = clock.boot().seconds - work.began
    cycles.close_cycle(
        store,
        clock,
        agent=name,
        cycle=work.cycle,
        end=CycleEnd(
            outcome=outcome,
            reason=why,
            input_tokens=sum(entry.input_tokens for entry in entries),
            cached_tokens=sum(entry.cached_tokens for entry in entries),
            output_tokens=sum(entry.output_tokens for entry in entries),
            cost_micros=sum(entry.micros for entry in entries if entry.state.value != "void"),
            milliseconds=max(0, round(taken * 1000)),
        ),
    )


def take_in(store: Store, work: OpenCycle, turn: Turn, calls: list[Call]) -> None:
    """Remember whose words the turn read, and whose its tools brought in for the next one."""
    answers = {tool.name: tool.answers() for tool in work.agent.tools}
    # A call that failed, or broke off, may have brought words, too.
    brought = (
        answers.get(call.tool)
        for call in calls
        if call.state in {CallState.DONE, CallState.FAILED, CallState.UNKNOWN}
    )
    sources = joined(turn.asked.origins, (one for one in brought if one is not None))
    origins.add(store, agent=turn.agent, cycle=turn.cycle, sources=sources)


def messages_of(
    deps: Dependencies, work: OpenCycle, turn: Turn, calls: list[Call], step: CommitTurn
) -> list[Message]:
    """Return the turn as rows of history: what was sent, the reply, its results, the last word."""
    sent = list(turn.asked.unsent)
    start = log.log_head(deps.store, agent=turn.agent).seq
    if sent and sent[0].seq != start + 1:
        raise IllegalStateError("history moved under the open cycle; nothing was written")
    writer = _TurnMessages(
        deps, turn, start + len(sent), brought=bool(calls) and _brought(deps.store, work)
    )
    answer = turn.answer
    if answer is not None and answer.parts:
        writer.add(Role.ASSISTANT, answer.parts, turn.turn, raw=answer.raw, origin="model")
    if calls:
        results = [call.result for call in calls if call.result is not None]
        there = attachments.of(deps.store, owners=[call.id for call in calls])
        files = [file for call in calls for file in there.get(call.id, ())]
        writer.add(Role.TOOL, (*results, *files), turn.turn)
    if step.closing is not None:
        number = turn.turn + 1 if writer.made else turn.turn
        writer.add(Role.ASSISTANT, (TextPart(text=step.closing),), number, synthetic=True)
    return [*sent, *writer.made]


def _brought(store: Store, work: OpenCycle) -> bool:
    """Tell whether the cycle took in words that nobody vouches for, its tools' output included."""
    found = origins.of_cycles(store, agent=work.agent.name, first=work.cycle, last=work.cycle)
    return bool(untrusted(found.get(work.cycle, ()), work.agent.trust))


class _TurnMessages:
    """Number new messages after those that are there."""

    def __init__(self, deps: Dependencies, turn: Turn, seq: int, *, brought: bool) -> None:
        self._deps = deps
        self._turn = turn
        self._brought = brought
        self._seq = seq
        self.made: list[Message] = []

    def add(
        self,
        role: Role,
        parts: tuple[Part, ...],
        number: int,
        *,
        raw: RawReply | None = None,
        origin: str = "program",
        synthetic: bool = False,
    ) -> None:
        """Add one message of this cycle in turn `number`."""
        self._seq += 1
        turn = self._turn
        self.made.append(
            Message(
                id=self._deps.chance.new_id("m", turn.agent, self._seq),
                agent=turn.agent,
                seq=self._seq,
                segment=turn.asked.segment,
                cycle=turn.cycle,
                turn=number,
                role=role,
                parts=parts,
                raw=raw,
                origin=origin,
                taint=turn.asked.taint or (self._brought and role is Role.TOOL),
                synthetic=synthetic,
                at=self._deps.clock.now(),
            )
        )
