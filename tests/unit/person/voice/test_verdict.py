"""A yes is of the very thing that is asked, and still so; what is known of people is told."""

import msgspec

from mindpipe.person.calendar import DAY_US, HOUR_US
from mindpipe.person.records.episode import Episode, HeardWords
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.language import language
from mindpipe.person.voice.spoken import spoken
from support.tables import each_row

NOW = 3 * DAY_US + 15 * HOUR_US
OLGA = PersonIdentity(
    self_narrative="I'm Olga, sixty-six, a retired weaver in Riga. My husband Igor died in May.",
    relational_markers=(
        *("Vera, my daughter, a baker", "Jana, my sister, who taught me to skate", "Muris, my cat"),
        *("Anton, Vera's husband", "Mrs Ozola, my neighbour", "Pavel, my brother"),
    ),
    learnt=(
        LearntFact(
            text="Vera has had a little girl, seven pounds, and they call her Sofija",
            since_us=DAY_US,
            about="Sofija",
            kin="granddaughter",
        ),
        LearntFact(
            text="Muris, your cat, died", since_us=2 * DAY_US, about="Muris", turn="bereavement"
        ),
        LearntFact(
            text="Jana, your sister, died", since_us=2 * DAY_US, about="Jana", turn="bereavement"
        ),
    ),
)


def happened(day: float, kind: str, text: str, source: str = "", **more: object) -> Episode:
    t_us = round(day * DAY_US)
    one = Episode(id=f"e{t_us}", t_us=t_us, until_us=t_us, type=kind, text=text, source=source)
    return msgspec.structs.replace(one, **more)


LIVED = (
    happened(0.4, "speech", "I broke the blue vase, sorry.", "Mrs Ozola"),
    happened(0.3, "speech", "Jana is in hospital.", "Vera"),
    happened(0.5, "news", "Pavel is in hospital with his heart", valence=-0.6),
    happened(1.2, "pain", "you have a toothache", until_us=round(1.3 * DAY_US)),
    happened(1.5, "news", "you have passed the driving test"),
    happened(2.2, "news", "Pavel is home from hospital", valence=0.5),
    happened(2.6, "speech", "I'm sorry about the vase.", "Mrs Ozola"),
    happened(2.8, "speech", "The choir sings on Friday.", "Mrs Ozola"),
)

# What is asked, and how each answer begins, or what it has.
ASKED = (
    ("Is Pavel still in hospital?", "No. Pavel is home"),
    ("Is Pavel your father?", "No. Pavel is my brother"),
    ("Is Pavel your brother?", "Yes. Pavel is my brother"),
    ("Is Anton your son?", "No. Anton is my son-in-law"),
    ("Are you married?", "No. My husband Igor died"),
    ("When did Igor die?", "My husband Igor died in May"),
    ("Do you have a cat?", "No. Muris"),
    ("Do you still have a toothache?", "No. I had a toothache"),
    ("Did you fail the driving test?", "No. I have passed"),
    ("What is your granddaughter called?", "Sofija"),
    ("Who is Sofija?", "my granddaughter"),
    ("Are you a grandmother?", "Yes. Vera has had a little girl"),
    ("Did Vera have a boy?", "No. Vera has had a little girl"),
    ("What did Mrs Ozola break?", "I broke the blue vase"),
    ("Did Mrs Ozola say sorry?", "sorry"),
    ("Is Jana in hospital?", "No. Jana, my sister, died"),
    ("Who is Jana?", "Jana was my sister"),
    ("What did Jana teach you?", "Jana taught me to skate"),
    ("What happened to Muris?", "Muris, my cat, died"),
)


@each_row("asked, words", ASKED)
def test_an_answer_is_of_what_is_asked(asked: str, words: str) -> None:
    """Who is home is not in hospital, and who had a cat that died has none."""
    lived = LifeMoment(
        name="Olga",
        identity=OLGA,
        affect=Affect(arousal=0.3, valence=0.1, energy=0.5, stress=0.0),
    )
    for number in range(5):
        moment = ThoughtMoment(
            person="olga",
            seed=1,
            t_us=NOW + number,
            mode="respond",
            codes=(),
            trigger="respond0",
            lived=lived,
        )
        answer = spoken(moment, HeardWords(t_us=NOW, text=asked), episodes=LIVED)
        assert words in answer, answer


def test_whom_one_helps_is_an_object() -> None:
    """`You` before a verb that it is helped with is no subject."""
    said = language().questions.retold.in_first_person

    assert said("Oleg helps you dig the pond") == "Oleg helps me dig the pond"
    assert said("you dig the pond") == "I dig the pond"
