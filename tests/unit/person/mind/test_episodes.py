"""What happened keeps its id: thoughts refer to it also when it happens again, or ends."""

from mindpipe.person.mind.episodes import (
    episode_of,
    is_named,
    with_episode,
    with_goal_done,
    with_goal_ended,
)
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import HOUR_US, PersonEvent
from mindpipe.person.records.person import PersonIdentity


def event(
    id_: str, hour: int, type_: str = "action", text: str = "Ben slams the door"
) -> PersonEvent:
    return PersonEvent(v=1, person="mara", t_us=hour * HOUR_US, id=id_, type=type_, text=text)


def kept(*events: PersonEvent) -> tuple[Episode, ...]:
    found: tuple[Episode, ...] = ()
    for one in events:
        episode = episode_of(one)
        assert episode is not None
        found = with_episode(found, episode)
    return found


def test_what_happens_again_keeps_the_id_of_the_first_time_and_knows_the_latest() -> None:
    (both,) = kept(event("a", 9), event("b", 12), event("c", 13))
    assert (both.id, both.event, both.count, both.t_us) == ("a", "c", 3, 13 * HOUR_US)
    assert both.is_of("a") and both.is_of("c")


def test_news_that_ends_a_goal_is_one_thing_to_think_of() -> None:
    news = event("b", 12, "news", "you failed the driving test")
    found = kept(event("a", 9, "goal", "pass the driving test"), news)
    goal, told = with_goal_ended(found, news, "pass the driving test", "failed")
    assert (goal.ended, goal.is_of("b"), told.is_of("b")) == ("failed", False, True)


def test_who_asks_for_what_was_told_does_not_tell_it_again() -> None:
    told = event("a", 9, "speech", "My mother is coming on Sunday.")
    asked = event("b", 12, "speech", "Is my mother coming on Sunday?")
    assert [one.id for one in kept(told, asked)] == ["a", "b"]


def test_a_goal_that_is_reached_keeps_its_id() -> None:
    goals = kept(event("a", 9, "goal", "finish the thesis"))
    (done,) = with_goal_done(goals, event("b", 12, "goal_done", "finish the thesis"))
    assert (done.id, done.event, done.ended) == ("a", "b", "done")


def test_what_happened_is_named_by_a_word_of_it_and_not_by_who_was_there() -> None:
    shown = event("a", 10, "contact", "Nora shows you a film about owls")
    episode = episode_of(shown, PersonIdentity(relational_markers=("Nora, my friend",)))
    assert episode is not None
    assert is_named(episode, "The owl looked straight at me.")
    assert not is_named(episode, "Nora hums two notes.")
