"""What is claimed in what people say: figures, days, homes, wishes, versions, and by whom."""

import time

import msgspec

from mindpipe.knowledge.claims.claim import DOUBT, Claim
from mindpipe.knowledge.claims.of_items import claims_of_items, naming
from mindpipe.knowledge.claims.of_substrates import (
    claims_of_entities,
    claims_of_lesson,
    claims_of_reflections,
)
from mindpipe.language.figures import MOST_FIGURES, figures
from mindpipe.language.strict import STRICT
from mindpipe.language.topics import singular
from mindpipe.memory.records import (
    Entity,
    Item,
    Lesson,
    LessonOutcome,
    QuotedSpan,
    Reflection,
    Relation,
)
from support.beliefs import observation
from support.tables import each_row

AT = "2026-05-01T10:00:00Z"


def item(text: str, **more: object) -> Item:
    """Return an item that somebody called Mara says."""
    given = {"id": "it_1", "text": text, "at": AT, "learnt": AT, "speaker": "Mara", **more}
    return msgspec.convert(given, Item)


def claims_of_item(one: Item) -> list[Claim]:
    """Return what one item claims, read strictly."""
    return claims_of_items([one], STRICT)


def slots(text: str, **more: object) -> list[tuple[str, str, str]]:
    """Return subject, word and value of each claim."""
    return [(one.subject, one.word, one.value) for one in claims_of_item(item(text, **more))]


FIGURES: tuple[tuple[str, list[tuple[str, str, int]]], ...] = (
    ("The budget is between 300 and 400 euros.", [("300-400", "euro", 0)]),
    ("The price went from $30 to $40.", [("40", "$", 1)]),
    ("They moved the price to 90.", [("90", "", 1)]),
    ("My stamp collection has 1,250 stamps now.", [("1250", "stamp", 1)]),
    ("The pool's chlorine level has recently risen to 3.5%.", [("3.5", "%", 2)]),
    ("The number of hives I keep has grown to 14, and I love it.", [("14", "", 1)]),
    ("Our choir concert was moved to 12 June at 7 PM.", [("2026-06-12 19:00", "day", 1)]),
    ("I read 12 long novels in 2024.", [("12", "novel", 0)]),
    ("We cut the water bill by 15%.", []),
    ("The queue fell from 80 people to 35 people.", [("35", "people", 1)]),
    ("```\ntimeout = 30 seconds\n```", []),
    ("Let us meet at 3 PM or at 4:30.", [("15:00", "clock", 0), ("04:30", "clock", 0)]),
    ("Our standup was moved to 9:45.", [("09:45", "clock", 1)]),
    (
        "I get 10-15 letters a week, now 20 to 25 letters.",
        [("10-15", "letter", 0), ("20-25", "letter", 1)],
    ),
    ("The queue fell from 80 to 35 people.", [("35", "people", 1)]),
    ("The hall is open 9:00 to 17:00.", [("09:00-17:00", "clock", 0)]),
    ("The hall is open from 9 am to 5 pm.", [("09:00-17:00", "clock", 0)]),
    ("The hall is open 9-5 pm.", [("09:00-17:00", "clock", 0)]),
    ("The choir is from 2 to 4:30 pm.", [("14:00-16:30", "clock", 0)]),
    ("The hall is open between 9 am and 5 pm.", [("09:00-17:00", "clock", 0)]),
    ("The choir was moved from 9:00 to 10:30.", [("10:30", "clock", 1)]),
    ("We meet at 9:00 and 10:30.", [("09:00", "clock", 0), ("10:30", "clock", 0)]),
    ("The rent is from 800 to 900 euros.", [("800-900", "euro", 0)]),
    ("The rent is 800 to 900 euros.", [("800-900", "euro", 0)]),
)


@each_row(("text", "expected"), FIGURES)
def test_figures_are_read_with_their_unit_and_with_what_calls_them_new(
    text: str, expected: list[tuple[str, str, int]]
) -> None:
    assert [(one.value, one.unit, one.change) for one in figures(text, at=AT)] == expected


STATEMENTS = (
    ("User prefers free tools over paid ones.", ("User", "prefers", "free tools over paid ones")),
    ("Tomas now lives in Ghent.", ("Tomas", "residence", "Ghent")),
    (
        "The user responds best to short notes, not essays.",
        ("user", "communication_style", "short notes, not essays"),
    ),
    ("larkspur is in active development.", ("larkspur", "status", "active development")),
    ("Ferry Timer 4 was released May 2025.", ("Ferry Timer 4", "event", "May 2025")),
    ("Ines is Tomas's business partner.", ("Tomas", "relation", "Ines")),
    ("I live in Porto, near the river.", ("Mara", "residence", "Porto")),
    ("I've moved to Old Harbour!", ("Mara", "residence", "Old Harbour")),
    ("I've settled into my new flat in Ghent.", ("Mara", "residence", "Ghent")),
    ("I've just started working at Nordlicht.", ("Mara", "workplace", "Nordlicht")),
    ("My sister Ines plays the oboe.", ("Mara", "relation", "Ines")),
    ("Our new neighbour is called José.", ("Mara", "relation", "José")),
    ("Bruno's wife Carla sings.", ("Bruno", "partner", "Carla")),
    ("I prefer trains over planes.", ("Mara", "prefers", "trains over planes")),
    ("I don't like cold soup.", ("Mara", "taste", "not cold soup")),
    ("My favourite tea is oolong.", ("Mara", "favourite", "oolong")),
    (
        "Always answer in metric units when I ask.",
        ("Mara", "instruction", "Always answer in metric units when I ask"),
    ),
    ("We run Redwood 7.2.1 here.", ("Redwood", "version", "7.2.1")),
    ("Larkspur is now in beta.", ("Larkspur", "status", "beta")),
    ("The Relay bot listens on port 8443.", ("Relay bot", "port", "8443")),
)


@each_row(("text", "expected"), STATEMENTS)
def test_statements_fill_slots(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in slots(text)


TOLD = (
    ("I improved the dashboard's response time to 250ms.", "dashboard's response time is 250 ms"),
    ("The bird list has now reached 52 rare species.", "bird list has now reached 52 rare species"),
    ("The bird list for the lagoon has 45 species.", "bird list for the lagoon has 45 species"),
    ("It rained, and my harp recital is on May 30.", "harp recital is on 2026-05-30"),
    ("I raised my rent from 700 euros to $800.", "I raised my rent from 700 euros to $800"),
    ("I have saved $500 for a trip, so we may go.", "I have saved $500 for a trip"),
    ("25 boats were moored at the pier.", "25 boats were moored at the pier"),
    ("The old hall is open from 9:00 to 18:00.", "The old hall is open from 9:00 to 18:00"),
    ("I met Ines at the old harbour on 3 May 2026.", "I met Ines at the old harbour on 2026-05-03"),
)


@each_row(("text", "expected"), TOLD)
def test_figures_are_told_in_the_words_of_their_sentence(text: str, expected: str) -> None:
    assert figures(text, at=AT)[-1].told == expected


NOTHING = (
    "Do you live in a quiet street?",
    "I lived through a long winter.",
    "Never had a better day.",
    "On Monday I heard a rumour.",
    "I'm thinking about lunch.",
    "My friends say that Bruno works for Acme.",
    "Lunch was good, and I had a walk.",
    "I had soup for lunch.",
)


@each_row("text", NOTHING)
def test_what_only_sounds_alike_claims_nothing(text: str) -> None:
    assert slots(text) == []


NOT_SO = (
    ("I no longer live in Porto.", ("residence", "not Porto", True)),
    ("I don't live in Old Haven anymore.", ("residence", "not Old Haven", True)),
    ("I do not work at Nordlicht any longer.", ("workplace", "not Nordlicht", True)),
    ("I don't like cold soup any more.", ("taste", "not cold soup", True)),
    ("No, that is wrong! I don't live in Bremen.", ("residence", "not Bremen", True)),
    ("I'm not vegan! Butter!", ("diet", "not vegan", True)),
    ("I got fired from Siemens.", ("workplace", "not Siemens", True)),
    ("I lost my job.", ("workplace", "", False)),
    ("Ines and I broke up.", ("partner", "not Ines", True)),
    ("My cat Bramble died this morning.", ("pet", "not Bramble (cat)", False)),
)


@each_row(("text", "expected"), NOT_SO)
def test_what_is_not_so_is_claimed_as_not_so(text: str, expected: tuple[str, str, bool]) -> None:
    said = [(one.word, one.value, one.begins) for one in claims_of_item(item(text))]
    assert said[0] == expected


def test_whoever_loses_a_workplace_loses_the_job() -> None:
    claims = claims_of_item(item("I quit my job."))
    said = [(one.word, one.value, one.begins) for one in claims]
    assert said == [("workplace", "", False), ("job", "", False)]
    named = naming(claims[1], observation(slot="job", value="nurse"))
    assert (named.value, named.summary) == ("not nurse", "Mara no longer works as nurse.")
    assert named.evidence.value == "not nurse"


@each_row("more", [{"origin": "agent"}, {"origin": "recalled"}, {"speaker": "assistant"}])
def test_what_the_model_says_itself_claims_nothing(more: dict[str, str]) -> None:
    assert slots("I live in Porto.", **more) == []


def test_what_was_taken_back_claims_nothing() -> None:
    assert slots("I live in Porto.", retracted=AT) == []


def test_the_quarantined_make_no_preference_but_may_state_facts() -> None:
    said = "I live in Porto. I prefer trains over planes."
    assert [word for _, word, _ in slots(said, sources=("mail",))] == ["residence"]


def test_a_comparison_is_of_one_topic_whichever_side_is_preferred() -> None:
    said = ("I prefer trains over planes for short trips.", "I prefer planes to trains.")
    topics = [claim.topic for text in said for claim in claims_of_item(item(text))]
    assert topics == [("planes", "trains")] * 2


def test_only_programs_tell_of_the_mind_itself() -> None:
    said = "I often repeat the question."
    assert slots(said) == []
    (claim,) = claims_of_item(item(said, origin="program", speaker=None))
    assert (claim.kind, claim.word, claim.value) == (
        "self_model",
        "tendency",
        "repeat the question",
    )


def test_the_characters_that_a_claim_stands_on_are_quoted() -> None:
    text = "I live in Kiel. Lena said she hates tea. I have a cat called Tom."
    whole = QuotedSpan(message="m_1", start=7, end=7 + len(text), quote=text)
    found = claims_of_item(item(text, speaker="ben", span=whole))
    spans = [claim.evidence.span for claim in found]
    kiel = QuotedSpan(message="m_1", start=7, end=22, quote="I live in Kiel.")
    tom = QuotedSpan(message="m_1", start=48, end=72, quote="I have a cat called Tom.")
    assert spans == [kiel, tom]
    assert whole.holds(kiel)
    assert not kiel.holds(tom)


def test_an_operators_word_weighs_twice() -> None:
    weights = [
        claims_of_item(item("I live in Porto.", origin=origin))[0].evidence.weight
        for origin in ("human", "operator")
    ]
    assert weights == [1.0, 2.0]


def test_a_lesson_weighs_by_its_confidence_and_by_how_it_went() -> None:
    lesson = Lesson(id="ls_1", text="Back up before upgrading.", learnt=AT, confidence=0.5)
    good, bad = LessonOutcome(at=AT, good=True), LessonOutcome(at=AT, good=False)

    def weight(*outcomes: LessonOutcome) -> float:
        (claim,) = claims_of_lesson(
            Lesson(id="ls_1", text=lesson.text, learnt=AT, confidence=0.5, outcomes=outcomes)
        )
        assert (claim.kind, claim.word) == ("self_model", "procedure")
        return claim.evidence.weight

    assert (weight(), weight(good), weight(bad)) == (0.75, 1.0, 0.5)
    assert weight(*[good] * 9) == 2.0
    assert weight(*[bad] * 9) == 0.0


def test_reflections_tell_of_the_mind_unless_the_mind_wrote_them() -> None:
    text = "A quiet week. I tend to answer before reading to the end."
    said = Reflection(id="rf_1", text=text, since=AT, until=AT, learnt=AT)
    (claim,) = claims_of_reflections([said], STRICT)
    assert (claim.word, claim.value) == ("tendency", "answer before reading to the end")
    assert claims_of_reflections([msgspec.structs.replace(said, origin="agent")], STRICT) == []
    assert claims_of_reflections([msgspec.structs.replace(said, sources=("web",))], STRICT) == []


def test_entities_tell_how_they_stand_to_others_and_what_they_are() -> None:
    entity = Entity(
        id="ines",
        name="Ines",
        profile="Ines is an oboist. She tours.",
        relations=(
            Relation(type="sister", to="mara"),
            Relation(type="employer", to="opera", since="2020-01-01T00:00:00Z", until=AT),
        ),
        learnt=AT,
    )
    found = [
        (one.word, one.topic, one.value, one.sense) for one in claims_of_entities([entity], STRICT)
    ]
    assert found == [
        ("relation", ("sister", "mara"), "mara", "states"),
        ("employer", (), "opera", "ends"),
        ("definition", (), "Ines is an oboist.", "states"),
    ]


@each_row(
    ("plural", "one"),
    [
        ("libraries", "library"),
        ("boxes", "box"),
        ("glass", "glass"),
        ("bus", "bus"),
        ("species", "species"),
        ("cards", "card"),
    ],
)
def test_regular_plurals_lose_their_ending(plural: str, one: str) -> None:
    assert singular(plural) == one


@each_row("listed", ["1 %", "%1", "12 users, ", "$1,000 "])
def test_of_a_listing_the_first_figures_are_read_and_at_once(listed: str) -> None:
    begun = time.process_time()
    found = figures(listed * 2_000, at=AT)
    assert len(found) == MOST_FIGURES
    assert time.process_time() - begun < 30


def test_nothing_is_claimed_by_an_item_that_is_called_like_an_observation() -> None:
    sound = item("I live in Porto.")
    assert claims_of_item(sound) != []
    assert claims_of_item(msgspec.structs.replace(sound, id="ob_1")) == []


OVENS = "the bakery on the quay now has 20 big ovens"
UNREAL = (
    f"I dreamt that {OVENS}.",
    "Has the bakery on the quay now reached 20 big ovens?",
    "The bakery on the quay never had 20 big ovens.",
    f"Imagine {OVENS}.",
    "The bakery on the quay should have 20 big ovens.",
    f"Bruno says that {OVENS}.",
    f"Maybe {OVENS}.",
    f"{OVENS}, I think, or so.",
    f"{OVENS}, said nobody.",
    "The bakery on the quay nearly got 20 big ovens.",
    "Dana wants the bakery on the quay extended to 20 big ovens.",
    "The bakery on the quay was offered 20 big ovens but we refused.",
    "Dana wants the deadline of Atlas extended to May 20.",
    "Kim wanted the meeting moved to 16:00 but I refused.",
)


@each_row("text", UNREAL)
def test_a_figure_that_is_not_asserted_is_none(text: str) -> None:
    said = [one for one in claims_of_item(item(text)) if one.word != DOUBT]
    assert [one.value for one in said if one.sense == "states"] == []


def test_what_a_question_takes_for_granted_is_stated() -> None:
    said = f"Can you draw a plan of it, given that {OVENS}?"
    assert [value for _, _, value in slots(said)] == ["20"]
    assert [value for _, _, value in slots(f"I told you that {OVENS}.")] == ["20"]


def test_a_range_is_of_what_its_sentence_names() -> None:
    assert slots("The meeting is from 9:00 to 10:30.") == [("Mara", "metric", "09:00-10:30")]
    assert slots("The rent is from 800 to 900 euros.") == [("Mara", "count", "800-900")]


def test_a_figure_that_nobody_known_and_vouched_for_says_is_none() -> None:
    said = f"By the way, {OVENS}."
    assert [value for _, _, value in slots(said)] == ["20"]
    assert slots(said, speaker=None, sources=("mail",)) == []
