"""What is said of things that are not there."""

from mindpipe.agents.missing import unknown_agent, unknown_goal, unknown_note


def test_the_nearest_name_is_offered() -> None:
    assert str(unknown_agent("avva", ["ava", "bea"])) == (
        'no agent "avva"; did you mean ava? mind agent list shows them.'
    )
    assert str(unknown_note("sara", "ava", ["sarah"])) == (
        'agent ava has no note "sara"; did you mean sarah? mind note list --agent ava shows them.'
    )


def test_nothing_near_is_no_question() -> None:
    assert str(unknown_agent("x", ["ava"])) == 'no agent "x"; mind agent list shows them.'
    assert str(unknown_goal("g_1", "ava")) == (
        'agent ava has no goal "g_1"; mind goal list --agent ava shows them.'
    )
