"""What comes back beside a thought."""

from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.recall import recalled_episodes
from mindpipe.person.records.episode import Episode, LifeSituation

WEIGHTY = Episode(
    id="a", t_us=0, until_us=0, type="news", text="two ribs are broken", importance=0.9,
    valence=-0.5, noticed_us=0,
)  # fmt: skip
SLIGHT = Episode(
    id="b", t_us=0, until_us=0, type="contact", text="Bo rides with you to the harbour",
    importance=0.3, valence=0.5, noticed_us=0,
)  # fmt: skip


def back(asked: str) -> str:
    """Return what comes back first where somebody says this, mostly."""
    t_us = 2 * DAY_US
    about = Episode(id="q", t_us=t_us, until_us=t_us, type="speech", text=asked)
    first = [
        recalled_episodes(
            (WEIGHTY, SLIGHT), t_us, about=about, situation=LifeSituation(), valence=-0.5, key=key
        )[0].id
        for key in [(number, number) for number in range(40)]
    ]
    return max(sorted(set(first)), key=first.count)


def test_what_a_question_has_words_of_comes_back_before_what_weighs_more() -> None:
    assert back("How are you?") == "a"
    assert back("Who rode with you to the harbour?") == "b"
    assert back("You rode to the harbour.") == "a"
