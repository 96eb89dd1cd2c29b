"""The queue of spontaneous thoughts: weights, order, and how long items live."""

from math import sqrt

import pytest

from mindpipe.person.chance import key_of
from mindpipe.person.mind.queue import WEIGHTS, ThoughtCandidate, ThoughtQueue, select
from support.persons import SECOND_US, readouts
from support.tables import each_row

KEY = key_of(7, "ann")
HOUR = 3600.0


def candidate(
    category: str, text: str = "x", urgency: float = 0.5, since_us: int = 0
) -> ThoughtCandidate:
    return ThoughtCandidate(category, "s", text, urgency, since_us)  # type: ignore[arg-type] # a table


def texts(queue: ThoughtQueue, second: float) -> list[tuple[str, float]]:
    """Return words and urgency of what waits, without needs and drift."""
    found = queue.candidates(round(second * SECOND_US), readouts(), (), drifting=False)
    return [(one.text, one.urgency) for one in found]


def test_the_weights_are_those_of_the_founding_requirements() -> None:
    assert list(WEIGHTS.items()) == [
        ("PredictionError", 8.0),
        ("BiologicalNeed", 5.0),
        ("GoalRehearsal", 3.0),
        ("SocialModeling", 2.0),
        ("AssociativeDrift", 1.0),
    ]


@pytest.mark.heavy
@each_row("categories", [tuple(WEIGHTS), ("PredictionError", "AssociativeDrift")])
def test_categories_come_as_often_as_they_weigh(categories: tuple[str, ...]) -> None:
    draws = 100_000
    # Two candidates of one category do not make it heavier.
    found = [candidate(name) for name in categories for _ in range(2)]
    counts = dict.fromkeys(categories, 0)
    for draw in range(draws):
        chosen = select(found, key=KEY, t_us=draw * 30 * SECOND_US)
        assert chosen is not None
        counts[chosen.category] += 1
    total = sum(WEIGHTS[name] for name in categories)  # type: ignore[index] # a table
    for name, count in counts.items():
        share = WEIGHTS[name] / total  # type: ignore[index] # a table
        assert abs(count / draws - share) <= 3 * sqrt(share * (1 - share) / draws)


def test_inside_a_category_the_most_urgent_comes_then_the_oldest_then_by_words() -> None:
    found = [
        candidate("SocialModeling", "late", 0.5, since_us=2),
        candidate("SocialModeling", "b", 0.5, since_us=1),
        candidate("SocialModeling", "a", 0.5, since_us=1),
        candidate("SocialModeling", "weak", 0.4, since_us=0),
    ]
    order = []
    while found:
        chosen = select(found, key=KEY, t_us=0)
        assert chosen is not None
        order.append(chosen.text)
        found.remove(chosen)
    assert order == ["a", "b", "late", "weak"]


def test_without_a_candidate_nothing_comes() -> None:
    assert select([], key=KEY, t_us=0) is None


def test_the_first_thought_of_the_conformance_row_is_a_need() -> None:
    found = [candidate("BiologicalNeed"), candidate("AssociativeDrift")]
    chosen = select(found, key=KEY, t_us=25_290 * SECOND_US)
    assert chosen is not None
    assert chosen.category == "BiologicalNeed"


def test_drift_comes_last_in_the_order_of_draws() -> None:
    # u(stream 3, t 0) is 0.839, which is 5.03 of 6; drift begins at 5.
    found = [candidate("AssociativeDrift"), candidate("BiologicalNeed")]
    chosen = select(found, key=KEY, t_us=0)
    assert chosen is not None
    assert chosen.category == "AssociativeDrift"


def test_an_error_presses_half_as_much_after_300_s_and_is_gone_after_600() -> None:
    queue = ThoughtQueue()
    queue.add_prediction_error(0, "you got hurt", strength=0.8, event="e")
    words = "Something unexpected happened: you got hurt"
    assert texts(queue, 0) == [(words, 0.8)]
    assert texts(queue, 300) == [(words, 0.4)]
    assert texts(queue, 599.9) != []
    assert texts(queue, 600) == []
    queue.forget_expired(600 * SECOND_US)
    assert queue.items == ()


def test_an_error_is_over_when_it_came_to_mind() -> None:
    queue = ThoughtQueue()
    queue.add_prediction_error(0, "a", strength=1.0, event="e")
    (found,) = queue.candidates(0, readouts(), (), drifting=False)
    queue.take(found, 0)
    assert queue.items == ()


def test_a_goal_presses_more_from_a_day_before_it_is_due() -> None:
    queue = ThoughtQueue()
    due_us = round(48 * HOUR) * SECOND_US
    queue.add_goal(0, "the interview", importance=0.4, due_us=due_us, event="e")
    words = "You think about what lies ahead: the interview"
    assert texts(queue, 0) == [(words, 0.4)]
    assert texts(queue, 24 * HOUR) == [(words, 0.4)]
    assert texts(queue, 36 * HOUR) == [(words, pytest.approx(0.65))]
    assert texts(queue, 48 * HOUR) == [(words, pytest.approx(0.9))]
    assert texts(queue, 90 * HOUR) == [(words, 1.0)]
    queue.add_goal(0, "the interview", importance=0.0, due_us=due_us, event="e")
    assert texts(queue, 0) == [(words, 0.0)]


def test_a_goal_rests_300_s_and_lasts_until_it_is_done() -> None:
    queue = ThoughtQueue()
    queue.add_goal(0, "write home", importance=0.5, due_us=None, event="e")
    (found,) = queue.candidates(0, readouts(), (), drifting=False)
    queue.take(found, 0)
    assert texts(queue, 299) == []
    assert len(texts(queue, 300)) == 1
    queue.add_goal(0, "write home", importance=0.9, due_us=None, event="f")
    assert [item.strength for item in queue.items] == [0.9]
    queue.goal_done("something else")
    assert len(queue.items) == 1
    queue.goal_done("Write home")
    assert queue.items == ()


def test_a_concern_is_over_after_a_day_or_three_uses() -> None:
    queue = ThoughtQueue()
    queue.add_concern(0, "what did she mean?", event="e")
    assert [text for text, _ in texts(queue, 24 * HOUR - 1)] == ["what did she mean?"]
    assert texts(queue, 24 * HOUR) == []
    for uses in (1, 2, 3):
        (found,) = queue.candidates(0, readouts(), (), drifting=False)
        queue.take(found, 0)
        assert [item.uses for item in queue.items] == ([uses] if uses < 3 else [])


def test_of_more_than_ten_concerns_the_oldest_goes() -> None:
    queue = ThoughtQueue()
    queue.add_goal(0, "stays", importance=0.5, due_us=None, event="g")
    for number in range(12):
        queue.add_concern(number, f"concern {number}", event="e")
    concerns = [item.text for item in queue.items if item.category == "SocialModeling"]
    assert concerns == [f"concern {number}" for number in range(2, 12)]
    assert queue.items[0].text == "stays"


def test_what_waits_is_put_out_and_taken_back() -> None:
    queue = ThoughtQueue()
    queue.add_prediction_error(0, "a", strength=1.0, event="e")
    queue.add_concern(1, "b", event="f")
    assert ThoughtQueue(queue.items).items == queue.items


def test_drift_is_there_unless_it_is_turned_off() -> None:
    queue = ThoughtQueue()
    assert [one.category for one in queue.candidates(0, readouts(), ())] == ["AssociativeDrift"]
    assert queue.candidates(0, readouts(), (), drifting=False) == []
