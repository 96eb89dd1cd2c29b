"""See what one's own runs are doing."""

import msgspec

from mindpipe.core.records import Record
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.trigger_runs import verbs
from mindpipe.trigger_runs.records import TriggerRun


class ListedRun(Record, omit_defaults=True):
    """One run as the tool `get_my_runs` tells it.

    `space`, `sender` and `post` are those of the message that began it, `waits_for` is the message
    whose reply it waits for, in `waits_in`, until an instant.
    """

    id: str
    state: str
    began: str
    trigger: str
    this: bool = False
    space: str | None = None
    sender: str | None = None
    post: str | None = None
    waits_in: str | None = None
    waits_for: str | None = None
    until: str | None = None


def get_my_runs(scope: ToolScope, _: specs.GetMyRuns) -> ToolAnswer:
    """List the runs that have not ended, newest first."""
    found = verbs.of_agent(scope.store, agent=scope.agent)
    return {"runs": [msgspec.to_builtins(_listed(run, scope.cycle)) for run in found]}


def _listed(run: TriggerRun, cycle: int) -> ListedRun:
    """Return a run as it is told to its agent; no words of others are in it."""
    wait = run.waiting
    return ListedRun(
        id=run.id,
        state=run.state.value,
        began=run.began,
        trigger=run.trigger.type,
        this=cycle in run.cycles,
        space=run.trigger.space,
        sender=run.trigger.sender,
        post=run.trigger.post,
        waits_in=wait.space if wait else None,
        waits_for=wait.post if wait else None,
        until=wait.until if wait else None,
    )


def skip(_: ToolScope, __: specs.Skip) -> ToolAnswer:
    """End the cycle without a trace, which the next step of the cycle does."""
    return {"success": True}


def done(_: ToolScope, __: specs.Done) -> ToolAnswer:
    """End the cycle with the summary of the call, which the next step of the cycle does."""
    return {"success": True}
