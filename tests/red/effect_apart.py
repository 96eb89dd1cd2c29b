"""A build in which a store tool's effect and its row in the journal are two transactions."""

from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultStatus
from mindpipe.core.records import to_json
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState
from mindpipe.think.tools import doing
from mindpipe.think.verbs import act
from mindpipe.think.verbs.journal import holding, with_call_state
from mindpipe.think.verbs.running import result_of


def _run_in_two(means: Means, work: Work, call: Call) -> None:
    with holding(means, work):
        found = doing.run(means, work, call)
    reach("store_tool.before_commit")
    result = result_of(call, ResultStatus.OK, to_json(found).decode(), found)
    with holding(means, work) as rows:
        tables.save_call(rows, with_call_state(call, CallState.DONE, result))
    reach("store_tool.after_commit")


PATCHES = ((act, "_run_store_tool", _run_in_two),)
