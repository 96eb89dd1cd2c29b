"""What becomes of a run when its cycle closes: it ends, or waits; and what its agent has seen."""

from collections.abc import Iterable
from itertools import chain

from mindpipe.context.triggers import message_of, time_out_of
from mindpipe.core.events import NewEvent
from mindpipe.runs import verbs as runs
from mindpipe.runs.records import Message, RunState
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Post
from mindpipe.think.means import Means, Work


def begin_wait(means: Means, work: Work, said: Iterable[Post]) -> NewEvent | None:
    """Let the run wait for a reply to what its last turn said so; return its time-out to push.

    The event is to be pushed once those of the cycle are acknowledged: then a full inbox has room.
    """
    post = next((post for post in said if post.waits), None)
    run = runs.current(means.store, agent=work.agent.name, cycle=work.cycle)
    if post is None or run is None:
        return None
    wait = runs.wait(
        means.store,
        means.clock,
        means.chance,
        run=run.id,
        message=Message(id=post.id, space=post.space),
        seconds=means.wait_seconds,
    )
    return time_out_of(wait, depth=post.depth)


def end_run(means: Means, work: Work, state: RunState, why: str | None) -> None:
    """End the run of a cycle that closes, unless it waits."""
    run = runs.current(means.store, agent=work.agent.name, cycle=work.cycle)
    if run is not None and run.state is RunState.RUNNING:
        runs.finish(means.store, means.clock, run=run.id, state=state, reason=why)


def note_seen(means: Means, work: Work) -> None:
    """Move what the agent has seen in each space to what its run showed it, once that is over."""
    name = work.agent.name
    messages = (message_of(event) for event in work.events)
    taken = [message.id for message in messages if message is not None]
    runs.note_shown(means.store, agent=name, cycle=work.cycle, posts=taken)
    run = runs.current(means.store, agent=name, cycle=work.cycle)
    if run is not None and run.state is RunState.WAITING:
        return
    lived = run.cycles if run is not None else (work.cycle,)
    shown = (runs.shown(means.store, agent=name, cycle=cycle) for cycle in lived)
    spaces.shown(means.store, name=name, posts=list(chain.from_iterable(shown)))
