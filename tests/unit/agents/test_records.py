"""Goals go from state to state; a change has a place for every setting."""

import itertools

import pytest

from mindpipe.agents.records import Agent, AgentChange, GoalState
from mindpipe.core.errors import IllegalStateError
from support.tables import each_row


@each_row(("one", "other"), list(itertools.product(GoalState, repeat=2)))
def test_goals_take_only_legal_steps(one: GoalState, other: GoalState) -> None:
    if one is not other:
        assert one.to(other) is other
    else:
        with pytest.raises(IllegalStateError):
            one.to(other)


def test_every_setting_can_be_changed() -> None:
    fixed = {"name", "entity", "created", "builtin_tools", "moves", "away", "lacks"}
    own = {"preset", "with_tools", "without_tools"}
    assert set(Agent.__struct_fields__) - fixed == set(AgentChange.__struct_fields__) - own
