"""A slot of a thought takes what fits it: what one sees, what one feels about, what was said."""

import pytest

from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import EventType, LifeTopic
from mindpipe.person.records.person import PersonIdentity, Traits
from mindpipe.person.voice.appraised import feeling
from mindpipe.person.voice.happening import event_slots
from mindpipe.person.voice.kinds import kind_of_thing
from mindpipe.person.voice.language import language


@pytest.mark.parametrize(
    ("thing", "kind"),
    [
        ("the hospital", "place"),
        ("my left foot", "body"),
        ("the night crew", "person"),
        ("the final exam", "event"),
        ("the bad news", "matter"),
        ("two toes", "body"),
        ("six weeks", "amount"),
        ("Monday", "time"),
        ("Odile", "person"),
        ("Odile's shirts", "thing"),
        ("losing to Odile", "event"),
        ("the kettle", "thing"),
    ],
)
def test_a_noun_phrase_is_of_a_kind(thing: str, kind: str) -> None:
    assert kind_of_thing(thing, language().reader.lexicon) == kind


def _slots(type_: EventType, text: str, who: str = "", valence: float = 0.5) -> dict[str, object]:
    episode = Episode(
        id="e", t_us=0, until_us=0, type=type_, text=text, source=who,
        people=(who,) if who else (), valence=valence, importance=0.5,
    )  # fmt: skip
    return dict(event_slots(episode, language(), ago="yesterday"))


def test_a_place_is_nothing_one_feels_about() -> None:
    slots = _slots("contact", "Odile rides with you to the hospital", "Odile")
    assert slots["sight"] == ()
    assert slots["affair"] == ("Odile riding with me to the hospital",)
    assert slots["favour"] == ("riding with me to the hospital",)


def test_a_remark_is_referred_to_by_what_it_was_about() -> None:
    slots = _slots("speech", "You should sell the goat before the winter.", "Odile")
    assert slots["remark"] == ("what Odile said about the goat", "what Odile said")
    likened = _slots("speech", "You look like a ghost.", "Odile")
    assert likened["remark"] == ("what Odile said",)


@pytest.mark.parametrize(
    ("type_", "text", "affair"),
    [
        ("news", "the boiler is cracked", "the cracked boiler"),
        ("news", "two ribs are broken: no riding till May", "two broken ribs"),
        ("news", "your sister is engaged", "my sister being engaged"),
        ("injury", "a ladder falls on your right knee", "what happened to my right knee"),
        ("injury", "you slip on the stairs", "the accident"),
        ("illness", "you have a fever", "being ill"),
        ("exercise", "you swim in the cold river", "swimming in the river"),
        ("contact", "you hold the boy for the first time and he sleeps", "holding the boy"),
        ("goal", "fetch Clive from the Queen Elizabeth", "fetching Clive"),
        (
            "action",
            "you stand up in the chapel and read about the doves",
            "reading about the doves",
        ),
        ("news", "your mother is home with her arm in plaster", "my mother being home"),
        ("news", "Ada has had a girl, seven pounds two", "Ada having a girl"),
    ],
)
def test_what_is_felt_about_is_told_as_an_event(type_: EventType, text: str, affair: str) -> None:
    assert affair in _slots(type_, text, valence=-0.5)["affair"]  # type: ignore[operator]


def test_what_was_done_is_shortened_and_not_copied() -> None:
    slots = _slots("contact", "Odile tells you about the new red lighthouse", "Odile")
    assert slots["scene"] == ("Odile telling me about the lighthouse",)


def test_a_request_is_no_interjection_and_a_likeness_no_thing() -> None:
    asked = language().facets.read("Come on, I made lentils.", spoken=True, source="Odile").asked
    assert asked == ()
    assert _slots("speech", "You swim like a fish.", "Odile")["remark"] == ("what Odile said",)


def test_a_remark_is_about_what_it_names_first() -> None:
    slots = _slots("speech", "This fence would fall in the first storm.", "Odile")
    assert slots["remark"] == ("what Odile said about the fence", "what Odile said")


def test_of_a_kind_remark_the_kind_part_is_quoted() -> None:
    text = "Come on, I made lentils. You look like a ghost."
    assert _slots("speech", text, "Odile")["saying"] == ("I made lentils",)
    assert len(_slots("speech", text, "Odile", valence=-0.5)["saying"]) > 1  # type: ignore[arg-type]


CALLED: tuple[tuple[LifeTopic, str, str], ...] = (
    ("dismissal", "you are fired", "losing my work"),
    ("birth", "your daughter Nia is born", "the birth of my daughter Nia"),
    ("separation", "Julia has left you", "the parting"),
)


@pytest.mark.parametrize(("topic", "text", "called"), CALLED)
def test_a_turn_of_a_life_is_called_by_its_name(topic: LifeTopic, text: str, called: str) -> None:
    told = Episode(id="e", t_us=0, until_us=0, type="news", text=text, topic=topic)
    assert event_slots(told, language(), ago="")["affair"] == (called,)


@pytest.mark.parametrize(
    ("text", "affair"),
    [
        ("Aunt Lou writes that Vera is in hospital with a broken wrist", "the news about Vera"),
        ("the girl in room two gets up and asks for soup", "the news about the girl"),
        ("a new supermarket will open on the harbour road in May", "the new supermarket"),
        ("Hanna wakes you: Timo has had a stroke", "the stroke"),
        ("a letter comes from the bank: the loan is refused", "the refused loan"),
        ("Hanna whispers that Mr Weiss wants to let you go", "Mr Weiss wanting to let me go"),
        ("hail has torn the nets over the young trees", "the news about the nets"),
        ("Timo's family moves to Porto in the autumn", "Timo's family moving to Porto"),
        ("Ines telephones: she has lost the keys but she is not angry", "Ines losing the keys"),
        (
            "the owner writes that the lease will end by the close of June",
            "the news about the lease",
        ),
    ],
)
def test_news_is_called_by_what_it_is_of(text: str, affair: str) -> None:
    told = _slots("news", text, valence=-0.5)
    assert affair in told["affair"]  # type: ignore[operator]
    assert "the news" not in told["thing"]  # type: ignore[operator]
    assert all("that the" not in one for one in told["scene"])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("type_", "text", "never"),
    [
        ("news", "the doctor says that Odile is out of danger", "danger"),
        ("news", "Odile from the office is getting divorced", "the divorced"),
        ("speech", "My chest is a bit tight.", "bit"),
        ("speech", "They name you as the one who drives me home.", "one"),
        ("action", "Pip shows you the tooth that finally came out", "finally"),
        ("news", "Ngozi has had a little girl, seven pounds two", "two"),
        ("climate", "it blows hard from the west and rain beats on the window", "west"),
    ],
)
def test_what_is_no_thing_of_it_is_not_named_as_one(
    type_: EventType, text: str, never: str
) -> None:
    slots = _slots(type_, text, "Odile" if type_ == "speech" else "")
    told = [one for name in ("thing", "thing2", "affair", "scene") for one in slots[name]]  # type: ignore[attr-defined]  # all slots are tuples of words
    assert told
    assert not any(one.endswith(never) or f"{never} " in one for one in told), told


def test_what_is_done_is_called_by_its_noun_when_it_is_named_again() -> None:
    brief = language().reader.brief
    assert brief("Odile getting divorced") == "the divorce"
    assert brief("arguing about the money") == "the argument"
    assert brief("the task at the board") == "the task at the board"
    assert brief("the priest letting earth fall") == "the priest letting earth fall"


def test_poor_company_does_not_content() -> None:
    def felt(valence: float) -> str:
        episode = Episode(
            id="e", t_us=0, until_us=0, type="contact", text="you and Odile argue",
            valence=valence, importance=0.5,
        )  # fmt: skip
        return feeling(episode, language())

    assert (felt(-0.1), felt(0.2)) == ("plain", "content")


def test_where_something_was_is_no_thing_of_it() -> None:
    asked = _slots("task", "they ask you to solve it now, at the board", valence=-0.5)
    assert asked["thing"] == asked["affair"] == ("the task at the board",)
    assert asked["sight"] == ()
    watched = _slots("task", "three people look at you across a table", valence=-0.5)
    assert watched["thing"] == ("three people looking at me",)
    assert _slots("task", "you weld a gate at the bench")["thing"] == ("the gate",)


def test_what_was_said_of_one_s_own_people_is_about_them() -> None:
    identity = PersonIdentity(relational_markers=("Karel, my father", "Jitka, my girlfriend"))
    tongue = language()
    manner = tongue.manners.manner("Milan", Traits(), identity, "milan")
    told = Episode(
        id="e", t_us=0, until_us=0, type="speech", text="Your father fell off a ladder.",
        source="Jitka", valence=-0.6, importance=0.7,
    )  # fmt: skip
    remark = event_slots(told, tongue, ago="today", manner=manner)["remark"]
    assert remark[0] == "what Jitka said about Karel"


def test_what_befalls_one_s_own_people_is_theirs() -> None:
    """A stroke of one's father is not told as if it were one's own."""
    identity = PersonIdentity(relational_markers=("Karel, my father", "Jitka, my girlfriend"))
    tongue = language()
    manner = tongue.manners.manner("Milan", Traits(), identity, "milan")

    def things(type_: EventType, text: str) -> tuple[str, ...]:
        told = Episode(
            id="e", t_us=0, until_us=0, type=type_, text=text, valence=-0.6, importance=0.7
        )
        return event_slots(told, tongue, ago="today", manner=manner)["thing"]

    assert "Karel's stroke" in things("news", "Karel has had a stroke")
    assert "the accident" in things("news", "you have had an accident with Karel")
