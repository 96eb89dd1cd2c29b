"""Run the calls of a recorded turn, each journalled before and after."""

from collections.abc import Collection, Sequence

from mindpipe.core.errors import MindError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultStatus
from mindpipe.core.records import to_json
from mindpipe.core.tools import Effect
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState
from mindpipe.think.tools import doing
from mindpipe.think.verbs.answers import answer, put
from mindpipe.think.verbs.consent import begin
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.running import Begun, after_crash, result_of, run_programs


def run(means: Means, work: Work, calls: Sequence[Call], sources: Collection[str]) -> None:
    """Bring calls to their answers; several run side by side.

    `sources` names whose text in the request is not trusted.
    """
    found = [_begin(means, work, call, sources) for call in calls]
    begun = [one for one in found if one is not None]
    results = run_programs(means, work, begun)
    for one, result in zip(begun, results, strict=True):
        reach("act.before_done")
        answer(means, work, one.call, result)
        reach("act.after_done")


def skip(means: Means, work: Work, call: Call, reason: str) -> None:
    """Answer a call without running it."""
    words = f"Not run: the cycle stops after {reason}."
    answer(means, work, call, result_of(call, ResultStatus.SKIPPED, words))


def _begin(means: Means, work: Work, call: Call, sources: Collection[str]) -> Begun | None:
    """Return a call whose program is to run now, or None where it has its answer without that."""
    if call.effect is Effect.STORE:
        _run_store_tool(means, work, call)
        return None
    tool = next((tool for tool in work.agent.tools if tool.name == call.tool), None)
    if tool is None:
        answer(means, work, call, result_of(call, ResultStatus.ERROR, "This tool was removed."))
        return None
    if call.state is CallState.STARTED and call.effect is Effect.UNSAFE:
        answer(means, work, call, after_crash(means, work, Begun(call, tool)))
        return None
    if call.state is CallState.PLANNED:
        call = begin(means, work, call, tool, sources)
    return Begun(call, tool) if call.state is CallState.STARTED else None


def _run_store_tool(means: Means, work: Work, call: Call) -> None:
    """Do a built-in tool's effect and write its answer in one transaction."""
    with holding(means, work) as rows:
        try:
            found = doing.run(means, work, call)
            result = result_of(call, ResultStatus.OK, to_json(found).decode(), found)
        except MindError as error:
            result = result_of(call, ResultStatus.ERROR, str(error))
        put(means, rows, call, result)
        reach("store_tool.before_commit")
    reach("store_tool.after_commit")
