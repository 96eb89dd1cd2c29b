"""What an identity says of its way of speaking."""

from mindpipe.person.records.person import PersonIdentity, Traits
from mindpipe.person.voice.language import language
from mindpipe.person.voice.manner import Tie
from support.tables import each_row

MANNERS = language().manners
LIVES = (
    ("I'm Ola, fifty, and drive a night bus in Bergen.", "road", "grown"),
    ("I am Tess, a student of law in Leeds.", "study", "young"),
    ("I'm Piet. I was a carpenter and I am retired.", "building", "old"),
    ("I'm Sana, thirty-one, a software developer at a bank.", "screen", "grown"),
    ("I'm Joan and drive a night bus, line 85, with 9 stops.", "road", "grown"),
    ("I'm Rosa, forty, a nurse in Porto.", "medicine", "grown"),
    ("I'm Tam, thirty-eight, and I bake bread at night.", "kitchen", "grown"),
    ("My name is Lin, I am 68 and I grow apples in an orchard.", "soil", "old"),
)
MEANT = (
    ("Good morning!", "greeting"), ("How are you today?", "how"), ("What happened?", "what"),
    ("Bye, see you", "farewell"), ("Thanks a lot", "thanks"), ("I love you", "love"),
    ("Could you pass the salt?", "request"), ("Do you like tea?", "yesno"),
    ("Why is the sky blue?", "asks"), ("The bus was late.", ""), ("I'm sorry", "sorry"),
)  # fmt: skip


@each_row("told, field, age", LIVES)
def test_a_narrative_tells_the_field_of_life_and_the_age(told: str, field: str, age: str) -> None:
    tags = MANNERS.manner("X", Traits(), PersonIdentity(self_narrative=told), "x").tags
    assert {field, age, "known"} <= tags


def test_the_trade_of_others_is_not_that_of_somebody() -> None:
    identity = PersonIdentity(
        self_narrative="I'm Ada, thirty, and I live in Ulm.",
        relational_markers=("Jo, my husband, who drives a delivery van", "Zoe, who studies law"),
    )
    assert MANNERS.fields.keys().isdisjoint(MANNERS.manner("Ada", Traits(), identity, "ada").tags)


def test_traits_and_patterns_tell_the_ways_of_somebody() -> None:
    identity = PersonIdentity(
        self_narrative="I'm Ola.",
        disposition_traits=("blunt",),
        emotional_patterns=("jokes when he is nervous", "turns fear into sums"),
    )
    tags = MANNERS.manner("Ola", Traits(e=0.9, n=0.2), identity, "ola").tags
    assert {"blunt", "jokes", "sums", "outgoing", "steady"} <= tags


def test_an_identity_that_all_have_tells_nothing() -> None:
    assert MANNERS.manner("", Traits(), PersonIdentity(), "x").tags == frozenset()


def test_the_people_of_somebody_have_a_name_and_are_something() -> None:
    markers = ("Noor, my wife", "my older brother Jan", "old Mr Ito from the club", "my cat")
    identity = PersonIdentity(relational_markers=markers)
    assert MANNERS.manner("X", Traits(), identity, "x").ties == (
        Tie("Noor", "my wife", "Noor, my wife,"),
        Tie("Jan", "my older brother"),
        Tie("Mr Ito", ""),
        Tie("my cat", "my cat"),
    )


@each_row("text, meant", MEANT)
def test_what_is_said_to_somebody_means_something(text: str, meant: str) -> None:
    assert MANNERS.meaning(text) == meant
