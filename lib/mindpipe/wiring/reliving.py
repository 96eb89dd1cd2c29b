"""Do again what an agent's own tools did to its goals, memories and plans, as history tells it."""

from collections.abc import Iterable

from mindpipe.agents.records import Agent
from mindpipe.core.messages import CallPart, Message, ResultPart, ResultStatus
from mindpipe.core.ports import Store
from mindpipe.core.sources import HISTORY
from mindpipe.think.tools import desk as desks
from mindpipe.think.tools import doing
from mindpipe.wiring.chance import SystemChance
from mindpipe.wiring.clock import StandingClock

# Tools whose effect a cycle over plain files has to know of, and where their result names an id.
_KEPT = {
    "set_memory": None,
    "delete_memory": None,
    "set_goal": "goalId",
    "delete_goal": None,
    "set_plan": "planId",
    "delete_plan": None,
}


class _GivenIds(SystemChance):
    """Chance that gives the id that was given then."""

    def __init__(self, given: str) -> None:
        self._given = given

    def new_id(self, prefix: str, *place: str | int) -> str:
        """Return the given id."""
        return self._given or super().new_id(prefix, *place)


def relive(store: Store, agent: Agent, messages: Iterable[Message]) -> None:
    """Run every kept call that was answered with success once more, at its time, with its id."""
    asked: dict[str, CallPart] = {}
    tainted: set[str] = set()
    for message in messages:
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
                tainted |= {part.id} if message.taint else set()
            elif isinstance(part, ResultPart) and part.status is ResultStatus.OK:
                call = asked.get(part.call)
                if call is not None and call.tool in _KEPT and call.args is not None:
                    desk = desks.Desk(
                        store=store,
                        clock=StandingClock(message.at),
                        chance=_GivenIds(_given_id(call.tool, part.json)),
                        agent=agent.name,
                        sources=(HISTORY,) if call.id in tainted else (),
                    )
                    doing.do(desk, call.tool, call.args)


def _given_id(tool: str, answer: object) -> str:
    """Return the id that a call's answer names, or nothing."""
    field = _KEPT[tool]
    return str(answer.get(field, "")) if field and isinstance(answer, dict) else ""
