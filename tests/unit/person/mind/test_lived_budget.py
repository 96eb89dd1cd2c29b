"""What a prompt says of a life within its budget: what matters most, and all that was given."""

from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.draft import LivedDraft, PromptDraft, ToldEpisode
from mindpipe.person.mind.learnt import turned
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.prompts import PromptBuilder, system_text
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtTrigger
from support.lone_life import happening

MARKERS = ("Ines, my wife", "Ana from work", "my mother Elif", "Rex, our dog", "Bo from the choir")
WHO = PersonIdentity(self_narrative="I'm Ole, 40, a joiner.", relational_markers=MARKERS)
CALM = Affect(arousal=0.2, valence=0.1, energy=0.5, stress=0.1)


def episode(number: int, importance: float) -> Episode:
    """Return something long that happened."""
    text = f"thing {number} " + "with many words of it that go on and on " * 8
    return Episode(
        id=f"e{number}", t_us=number, until_us=number, type="news", text=text, importance=importance
    )


def prompt(most: int, *, facts: int = 8) -> str:
    """Return both texts of a prompt of somebody to whom much happened."""
    told = tuple(
        ToldEpisode(episode(number, 0.9 if number == 1 else 0.3), "today") for number in range(8)
    )
    learnt = [
        LearntFact(text="Ines died; you are widowed", since_us=0, about="Ines", turn="bereavement"),
        *(
            LearntFact(text=f"fact {number} of a long day", since_us=number)
            for number in range(facts)
        ),
    ]
    moment = LifeMoment(identity=WHO, affect=CALM)
    draft = PromptDraft(
        mode="spontaneous",
        trigger=ThoughtTrigger(text="you look around"),
        t_us=DAY_US,
        identity=PersonIdentity(
            self_narrative=WHO.self_narrative, relational_markers=MARKERS, learnt=tuple(learnt)
        ),
        lived=LivedDraft(
            moment,
            happened=told,
            back=tuple(ToldEpisode(episode(number, 0.4), "on Monday") for number in range(10, 14)),
            ahead=tuple((f"goal {number}", "later") for number in range(5)),
        ),
    )
    made = PromptBuilder(most).build(draft)
    return f"{made.system}\n{made.user}"


def test_what_was_lived_gives_way_and_what_was_given_stays_whole() -> None:
    sizes = []
    for most in (3000, 1200, 800, 600, 400):
        text = prompt(most)
        assert all(marker in text for marker in MARKERS)
        assert "I'm Ole, 40, a joiner." in text
        assert "Ines died; you are widowed" in text
        assert "thing 1 " in text
        assert "thing 7 " in text
        assert "goal 0" in text
        sizes.append(len(text.encode()) // 4)
    assert sizes == sorted(sizes, reverse=True)
    assert all(size <= most for size, most in zip(sizes[1:4], (1200, 800, 600), strict=True))


def test_what_was_so_before_is_told_as_over() -> None:
    news = happening("10:00", "news", text="Ines has died", valence=-1.0, importance=1.0)
    turn = turn_of(news, WHO)
    assert turn is not None
    who = turned(WHO, turn, news)
    text = system_text(who, 2 * DAY_US + DAY_US // 2)
    assert "What you have learnt: Ines, your wife, died; you are widowed (on Monday)" in text
    assert "What is over: you were married to Ines (until Monday)" in text
    assert "What is over" not in system_text(WHO, DAY_US)
