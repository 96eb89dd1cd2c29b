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
        "I can't cope and want to die.",
        "I can't sleep but I want to die.",
        "Without him life feels pointless.",
        "I can't believe I want to die.",
        "I cannot believe I want to die.",
        "I want to kill myself.",
        "I can't stop wanting to kill myself.",
        "I think of killing myself.",
        "I am going to end my life.",
        "I don't want to live.",
        "I don't want to live any more.",
        "I no longer want to live, and nobody knows.",
        "I do not want to be here any more.",
        "I don’t want to wake up.",
        "I never want to wake up again.",
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
        "I don't want to die.",
        "I would never kill myself.",
        "I would never, ever kill myself.",
        "I don't really want to die.",
        "I cannot give up.",
        "I don't believe I want to die.",
        "“I don't want to live any more”, said Joost.",
        "“I would never kill myself”, said Joost.",
        "I don't want to live in Berlin.",
        "I don't want to be here when he comes.",
        "I don't want to wake up the baby.",
        "I nearly killed myself laughing.",
        "I could kill myself laughing.",
        "I walk home without feeling like a burden.",
    ],
)
def test_what_is_said_of_one_thing_or_denied_or_quoted_is_no_risk(thought: str) -> None:
    assert hopeless_in(thought) == ()
