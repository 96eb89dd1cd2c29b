"""Only who sees no way on for itself is a risk: not one who is tired of a thing, or quotes."""

import pytest

from mindpipe.review.hopelessness import hopeless_in


@pytest.mark.parametrize(
    "thought",
    [
        "There is no point any more.",
        "There is no point in going on.",
        "I can't bear it any longer, and nobody sees it.",
        "I cannot go on.",
        "It will never get better.",
        "I want to die.",
        "They would be better off without me.",
        "I feel like a burden, and at night I believe it.",
        "I give up. What is the use of it all?",
        "I see no way out.",
        "Nothing matters.",
    ],
)
def test_no_way_on_is_heard(thought: str) -> None:
    assert hopeless_in(thought)


@pytest.mark.parametrize(
    "thought",
    [
        "It passes, there is no point in going on about it.",
        "There is no point in going over it again.",
        "I cannot bear any noise.",
        "I can't take it off by myself.",
        "I gave up my seat to an old man.",
        "I shall never be better than today.",
        "I do not want to die.",
        "“I give up”, said Joost, and laughed.",
        "Nothing matters more to me than Darius.",
        "I am hopeless at cooking.",
        "No use crying over milk.",
    ],
)
def test_what_is_said_of_one_thing_or_denied_or_quoted_is_no_risk(thought: str) -> None:
    assert hopeless_in(thought) == ()
