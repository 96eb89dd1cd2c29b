"""A build in which a store tool's effect and its row in the journal are two transactions."""

from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultStatus
from mindpipe.core.records import to_json
from mindpipe.engine.cycle import tool_calls
from mindpipe.engine.cycle.journal import holding, with_call_state
from mindpipe.engine.cycle.tool_calls import result_of
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call, CallState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import dispatch


def _run_in_two(deps: Dependencies, work: OpenCycle, call: Call) -> None:
    with holding(deps, work):
        found = dispatch.run(deps, work, call)
    reach("store_tool.before_commit")
    result = result_of(call, ResultStatus.OK, to_json(found).decode(), found)
    with holding(deps, work) as rows:
        journal.save_call(rows, with_call_state(call, CallState.DONE, result))
    reach("store_tool.after_commit")


PATCHES = ((tool_calls, "_run_store_tool", _run_in_two),)
