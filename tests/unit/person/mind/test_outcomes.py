"""A goal that an event plainly ends is over; what only sounds like its end leaves it open."""

import pytest

from mindpipe.person.mind.episodes import with_episode, with_goal_done
from mindpipe.person.mind.outcomes import EndedGoal, ended_goals
from mindpipe.person.prompts import happened_text
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.state import QueueItem

GOALS = tuple(
    QueueItem(t_us=0, category="GoalRehearsal", text=text, event=text)
    for text in (
        "pass the driving test",
        "win the contract with Lisbon",
        "run the marathon",
        "repaint the old harbour boat",
    )
)
ENDED = (
    ("news", "you failed the driving test by two points", "pass the driving test", "failed"),
    ("speech", "You did not pass the test, I am afraid.", "pass the driving test", "failed"),
    ("news", "your bid for the contract is rejected", "win the contract with Lisbon", "failed"),
    ("news", "the marathon has been cancelled", "run the marathon", "failed"),
    ("action", "you give up the marathon and limp home", "run the marathon", "given_up"),
)
OPEN = (
    "Did you fail the driving test?",
    "If you fail the driving test, we will pay again.",
    "I dreamt that you failed the driving test.",
    "You will fail the driving test.",
    "you fail to find your keys",
    "He failed the driving test.",
    "Great, you failed the driving test.",
    "you practise for the driving test",
    "You lost the keys in Lisbon.",
    "You missed the bus after the harbour fair.",
    "You lost your wallet on the way to the driving test.",
    "You have not finished the marathon yet.",
    "Your neighbour's marathon party was cancelled.",
)


def told(text: str, kind: str = "speech", **fields: object) -> PersonEvent:
    return PersonEvent(v=1, person="mara", t_us=5, id="e", type=kind, text=text, **fields)  # type: ignore[arg-type]  # the fields of a row


@pytest.mark.parametrize(("kind", "text", "goal", "outcome"), ENDED)
def test_what_is_told_plainly_ends_its_goal_alone(
    kind: str, text: str, goal: str, outcome: str
) -> None:
    assert ended_goals(told(text, kind), GOALS) == [EndedGoal(goal, outcome)]  # type: ignore[arg-type]  # a row of the table


@pytest.mark.parametrize("text", OPEN)
def test_what_only_sounds_like_an_end_leaves_goals_open(text: str) -> None:
    assert ended_goals(told(text), GOALS) == []


@pytest.mark.parametrize(
    ("due_us", "text", "valence", "ended"),
    [
        (4, "the committee keeps your model for the exhibition", 0.8, 1),
        (None, "the committee keeps your model for the exhibition", 0.8, 0),
        (9, "the committee keeps your model for the exhibition", 0.8, 0),
        (4, "the bus is on time", 0.8, 0),
        (4, "the committee looks at your model tomorrow", -0.1, 0),
    ],
)
def test_good_news_of_what_was_due_ends_the_wait(
    due_us: int | None, text: str, valence: float, ended: int
) -> None:
    goal = QueueItem(
        t_us=0, category="GoalRehearsal", text="hand in the model", event="g", due_us=due_us
    )
    over = ended_goals(told(text, "news", valence=valence), (goal,))
    assert over == [EndedGoal("hand in the model", "done")] * ended


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (None, "you have reached this: run the marathon"),
        ("failed", "you did not manage this, and it is over: run the marathon"),
        ("given_up", "you have given this up: run the marathon"),
    ],
)
def test_a_goal_is_said_as_it_ended(outcome: str | None, said: str) -> None:
    goal = Episode(id="g", t_us=0, until_us=0, type="goal", text="run the marathon", importance=0.8)
    done = told("run the marathon", "goal_done", outcome=outcome)
    (ended,) = with_goal_done(with_episode((), goal), done)
    assert happened_text(ended) == said
    assert (ended.valence < 0.0) == (outcome is not None)
