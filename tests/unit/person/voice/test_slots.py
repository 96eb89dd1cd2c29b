"""How something is felt that is over by now, and what it does to the mood of the words."""

import re
from typing import get_args

import msgspec
import pytest

from mindpipe.person.mind.sentences import turns_of
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.state import Coping, Distortion
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment, ThoughtStep
from mindpipe.person.voice.grammar import Speaker, expanded, grammar_of
from mindpipe.person.voice.language import language
from mindpipe.person.voice.lived import lived_words, new_sentence
from mindpipe.person.voice.slots import feeling, is_failure, moment_seen, told_as
from support.tables import each_row

HOUR = 3_600_000_000
BAD, FAIR = -0.4, 0.1
# Type, text and class of what happened, the valence and codes of the moment, hours since, the tag.
ENDED = (
    ("threat", "the dentist pulls a tooth", "", BAD, (), 0, "fear"),
    ("threat", "the dentist pulls a tooth", "", BAD, (), 2, "relief"),
    ("threat", "you wait outside the examination room", "", BAD, (), 2, "waiting"),
    ("threat", "you wait outside the examination room", "", FAIR, (), 2, "relief"),
    ("news", "Emil has been arrested", "anxiety", BAD, (), 2, "fear"),
    ("news", "the server is down", "stress", FAIR, (), 2, "fear"),
    ("injury", "a nail goes through your hand", "", BAD, ("P1",), 30, "hurting"),
    ("injury", "a nail goes through your hand", "", FAIR, (), 30, "plain"),
    ("action", "a stranger holds the door", "touched", FAIR, (), 1, "content"),
)


def moment_after(episode: Episode, hours: int, valence: float, *codes: str) -> ThoughtMoment:
    return ThoughtMoment(
        person="ida", seed=1, t_us=episode.until_us + hours * HOUR, mode="spontaneous",
        codes=(), trigger="episode",
        lived=LifeMoment(
            name="Ida", identity=PersonIdentity(), situation=LifeSituation(), episode=episode,
            step="meaning", affect=Affect(arousal=0.3, valence=valence, energy=0.5, stress=0.2),
        ),
    )  # fmt: skip


def tags_of(moment: ThoughtMoment) -> frozenset[str]:
    assert moment.lived is not None
    return moment_seen(moment, moment.lived, language()).speaker.tags


@each_row("kind, text, emotion, valence, codes, hours, felt", ENDED)
def test_what_is_over_is_felt_as_it_ended(
    kind: str, text: str, emotion: str, valence: float, codes: tuple[str, ...], hours: int,
    felt: str,
) -> None:  # fmt: skip
    episode = msgspec.convert(
        {"id": "e", "t_us": 0, "until_us": 0, "type": kind, "text": text, "emotion": emotion,
         "valence": 0.3 if kind == "action" else -0.4, "importance": 0.3}, Episode,
    )  # fmt: skip
    moment = moment_after(episode, hours, valence)
    assert felt in tags_of(msgspec.structs.replace(moment, codes=codes))


def test_what_does_one_good_is_told_as_such_on_a_bad_day_too() -> None:
    kind_act = Episode(
        id="e", t_us=0, until_us=0, type="action", text="a boy gives you his last sweet",
        source="Wim", valence=0.7, importance=0.7,
    )  # fmt: skip
    tags = tags_of(moment_after(kind_act, 0, -0.6))
    assert "touched" in tags
    assert tags.isdisjoint({"low", "tense", "gloom", "bright"})


EXAM = "you play before the jury and you lose the thread"
# The text of a task, the valence of the moment, hours since, how it is felt.
TRIED = (
    (EXAM, FAIR, 0, "shame"),
    (EXAM, FAIR, 3, "shame"),
    (EXAM, 0.4, 5, "shame"),
    (EXAM, FAIR, 40, "plain"),
    ("you play before the jury and never lose the thread", FAIR, 3, "relief"),
    ("the driving test takes forty minutes", FAIR, 3, "relief"),
)


@each_row("text, valence, hours, felt", TRIED)
def test_what_one_failed_at_is_no_joy_whatever_the_mood(
    text: str, valence: float, hours: int, felt: str
) -> None:
    task = Episode(id="e", t_us=0, until_us=0, type="task", text=text, valence=-0.4, importance=0.8)
    assert felt in tags_of(moment_after(task, hours, valence))


# The type, text and valence of what is no failure, or is one.
FAILED = (
    ("task", "You can't say how proud you are: the bridge stands.", 0.6, False),
    ("exercise", "You lose count of the laps and laugh.", 0.4, False),
    ("task", "You lose count of the laps and laugh.", -0.1, False),
    ("threat", "A man follows you. You cannot find your keys.", -0.6, False),
    ("task", "You cannot find your keys.", -0.2, False),
    ("task", "You miss your mother.", -0.3, False),
    ("threat", "You miss your mother.", -0.3, False),
    ("task", "You break off the bread", 0.0, False),
    ("threat", "In the wood you stumble, and he comes nearer.", -0.6, False),
    ("task", "You play before the jury and you forget a bar.", 0.2, False),
    ("task", "You play before the jury and your voice breaks off.", -0.3, True),
    ("task", "You play before the jury and you miss the cue.", -0.3, True),
    ("task", "You sing. You cannot find the words.", -0.3, True),
    ("threat", "Your mind goes blank in the oral.", -0.6, True),
    ("task", "Your hands fail at the lathe.", -0.3, True),
)


def test_a_funeral_is_no_joy_however_good_its_company_is() -> None:
    text = "Nuno's funeral: everybody stands at the grave"
    told = {"id": "e", "t_us": 0, "until_us": 0, "type": "contact", "text": text}
    episode = msgspec.convert(told | {"valence": 0.4}, Episode)
    assert feeling(episode, language()) == "sad"
    assert told_as(episode, language()) == "happening"


@each_row("kind, text, valence, failed", FAILED)
def test_only_what_goes_badly_at_a_task_or_a_trial_is_a_failure(
    kind: str, text: str, valence: float, *, failed: bool
) -> None:
    episode = msgspec.convert(
        {"id": "e", "t_us": 0, "until_us": 0, "type": kind, "text": text, "valence": valence},
        Episode,
    )
    assert is_failure(episode, language()) is failed
    assert (feeling(episode, language()) == "shame") is failed


def test_a_trial_that_is_over_is_awaited_and_not_ahead() -> None:
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="food", text="soup"), 1, FAIR)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, goal="pass the oral exam", step="passing")
    before = moment_seen(moment, lived, language()).speaker
    over = msgspec.structs.replace(lived, goal_over=True)
    after = moment_seen(moment, over, language()).speaker
    assert ("aiming" in before.tags, "awaiting" in before.tags) == (True, False)
    assert ("aiming" in after.tags, "awaiting" in after.tags) == (False, True)
    assert after.slots["goal_thing"] == ("the oral exam",)
    assert "goal_doing" not in after.slots


def test_somebody_is_introduced_once_a_day() -> None:
    identity = PersonIdentity(relational_markers=("Lea, our niece, teaching in Turin",))
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="food", text="soup"), 1, FAIR)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, identity=identity)
    told = msgspec.structs.replace(lived, introduced=identity.relational_markers)
    slots = [moment_seen(moment, one, language()).speaker.slots for one in (lived, told)]
    assert [one["tie_told"] for one in slots] == [("Lea, our niece, teaching in Turin,",), ()]
    assert [one["tie"] for one in slots] == [("Lea",), ("Lea",)]


OF_A_FATHER = PersonIdentity(
    self_narrative="I'm Ida, twenty, and I study in Ulm.",
    relational_markers=("Holger, my father", "Pia, my flatmate"),
)


def slots_of(text: str, identity: PersonIdentity = OF_A_FATHER) -> dict[str, tuple[str, ...]]:
    """Return the slots of Ida's moment right after news."""
    news = Episode(
        id="e", t_us=0, until_us=0, type="news", text=text, valence=-0.8, emotion="sadness",
        importance=0.9,
    )  # fmt: skip
    moment = moment_after(news, 0, BAD)
    lived = moment.lived
    assert lived is not None
    lived = msgspec.structs.replace(lived, identity=identity)
    return {k: tuple(v) for k, v in moment_seen(moment, lived, language()).speaker.slots.items()}


def test_who_is_named_by_what_they_are_is_not_told_of_it() -> None:
    assert slots_of("your father fell from a ladder")["untold"] == ("Pia",)
    assert slots_of("the cellar is flooded")["untold"] == ("Holger", "Pia")


def test_whose_death_is_told_by_what_they_are_is_lost_by_name() -> None:
    assert slots_of("your father died in his sleep")["lost"] == ("Holger",)


WHOSE_DEATH = (
    ("Pia calls your mobile: your father died this morning", ("Holger",)),
    ("Pia calls your mobile: your mother died this morning", ("my mother",)),
    ("the hospital rings: Pia has died in her sleep", ("Pia",)),
    ("Pia calls: a patient of hers is dead", ()),
)


@each_row("text, lost", WHOSE_DEATH)
def test_who_died_is_of_whom_it_is_told_and_never_who_calls(
    text: str, lost: tuple[str, ...]
) -> None:
    assert slots_of(text)["lost"] == lost
    assert all(one in slots_of(text)["thing2"] for one in lost)


def test_who_died_long_since_is_not_mourned_with_another_death() -> None:
    widow = msgspec.structs.replace(
        OF_A_FATHER, relational_markers=("Edith, my late wife", *OF_A_FATHER.relational_markers)
    )
    slots = slots_of("the hospital rings: Pia has died in her sleep", widow)
    assert slots["lost"] == ("Pia",)
    assert set(slots["dead"]) == {"Edith", "Pia"}


GRIEVED = (
    ("speech", "Papa died in the night.", True),
    ("action", "Pia weeps for Holger, who is dead", True),
    ("contact", "Holger's funeral: you stand at the grave", False),
)


@each_row("kind, text, told", GRIEVED)
def test_a_death_that_is_told_is_no_farewell(kind: str, text: str, *, told: bool) -> None:
    """By whatever it is told, it is news; nobody shakes hands before the funeral."""
    fact = LearntFact(
        text="Holger, your father, died", since_us=0, about="Holger", turn="bereavement"
    )
    grieving = msgspec.structs.replace(OF_A_FATHER, learnt=(fact,))
    record = {"id": "e", "t_us": 0, "until_us": 0, "type": kind, "text": text, "valence": -0.9}
    more = {"topic": "bereavement", "importance": 0.9, "emotion": "sadness"}
    moment = moment_after(msgspec.convert(record | more, Episode), 0, BAD)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, identity=grieving)
    assert ("news" in moment_seen(moment, lived, language()).speaker.tags) is told


def test_an_animal_is_mourned_as_such_and_not_beside_a_person() -> None:
    """Who lost a father and a dog thinks of the father where the words are of a person."""
    animal = LearntFact(text="Rex, your dog, died", since_us=0, about="Rex", turn="bereavement")
    father = LearntFact(
        text="Holger, your father, died", since_us=0, about="Holger", turn="bereavement"
    )
    people = (*OF_A_FATHER.relational_markers, "Rex, my dog")

    def lost(*learnt: LearntFact) -> tuple[frozenset[str], tuple[str, ...]]:
        identity = msgspec.structs.replace(OF_A_FATHER, relational_markers=people, learnt=learnt)
        moment = moment_after(BUN, 30, BAD)
        assert moment.lived is not None
        lived = msgspec.structs.replace(moment.lived, identity=identity, step="passing")
        seen = moment_seen(moment, lived, language()).speaker
        return seen.tags, tuple(seen.slots["lost"])

    tags, names = lost(animal)
    assert "pet_lost" in tags
    assert names == ("Rex",)
    tags, names = lost(animal, father)
    assert "pet_lost" not in tags
    assert names == ("Holger",)


BUN = Episode(id="b", t_us=0, until_us=0, type="food", text="you eat a bun", valence=0.1)


def test_a_detail_is_not_what_a_thought_is_of() -> None:
    told = slots_of("the operation went well, your father is awake and wants the coffee")
    assert told["thing"] == ("the operation",)
    assert "the coffee" in told["thing2"]


def test_what_news_says_of_now_is_not_over() -> None:
    told = slots_of("the operation went well, your father is awake and wants the coffee")
    assert told["deed"] == ("the operation went well",)


def speaker_of(**slots: tuple[str, ...]) -> Speaker:
    return Speaker(frozenset(), slots, lambda: 0.0, 1, {})


def test_what_one_slot_named_another_does_not_name_again() -> None:
    grammar = grammar_of(
        {"a": [{"say": "I think of {doing}.\n"}], "b": [{"say": "It was {thing}."}]}
    )
    speaker = speaker_of(doing=("selling the boat",), thing=("the boat",))
    assert expanded(grammar, "b", speaker) == "It was the boat."
    assert expanded(grammar, "a", speaker) is None


def test_a_sentence_that_cannot_be_said_names_nothing() -> None:
    grammar = grammar_of({"a": [{"say": "{thing} and {sight}.\n{scene} again."}]})
    speaker = speaker_of(thing=("the boat",), sight=(), scene=("the boat",))
    assert expanded(grammar, "a", speaker) == "the boat again."


def test_nobody_is_named_twice_in_one_dream() -> None:
    grammar = grammar_of({"dream": [{"say": "{tie} is there, and {tie} waves"}]})
    assert expanded(grammar, "dream", speaker_of(tie=("Holger",))) is None
    both = expanded(grammar, "dream", speaker_of(tie=("Holger", "Pia")))
    assert both in ("Holger is there, and Pia waves", "Pia is there, and Holger waves")


def test_a_turn_of_phrase_is_the_same_whoever_is_named() -> None:
    holger, pia = (
        {turn.begins for turn in turns_of(f"I tell {name} in my head, and begin.")}
        for name in ("Holger", "Pia")
    )
    assert holger == pia


def test_a_turn_of_phrase_is_not_said_again_while_another_can_be() -> None:
    said: set[int] = set()
    table = {
        "x": [
            {"say": "It went well, and nobody had to tell me.\nSo be it, I know it all too well."}
        ]
    }
    tongue = language()._replace(grammar=grammar_of(table))
    first = new_sentence(tongue, "x", speaker_of(), said)
    again = {
        "x": [{"say": f"Here we are again, {first.split(', ')[1]}\nThat is what there is to it."}]
    }
    other = tongue._replace(grammar=grammar_of(again))
    draws = iter([0.0] * 4 + [0.9] * 40)
    speaker = speaker_of()._replace(draw=lambda: next(draws))
    assert new_sentence(other, "x", speaker, said) == "That is what there is to it."


def test_a_line_is_said_only_where_its_own_condition_holds() -> None:
    table = {"a": [{"say": "[-sobered] I smile.\n[sobered|unwell] I sit still."}]}
    grammar, plain = grammar_of(table), speaker_of()
    assert expanded(grammar, "a", plain) == "I smile."
    sobered = plain._replace(tags=frozenset(("sobered",)))
    assert expanded(grammar, "a", sobered) == "I sit still."


def test_a_person_says_the_same_part_of_the_common_phrases() -> None:
    table = {"a": [{"say": "\n".join(f"phrase {number}" for number in range(20))}]}
    grammar = grammar_of(table)

    def said_by(idiolect: int | None) -> set[str | None]:
        speakers = (
            Speaker(frozenset(), {}, lambda at=at: at / 40, idiolect, {}) for at in range(40)
        )
        return {expanded(grammar, "a", one) for one in speakers}

    ida, ben = said_by(1), said_by(2)
    assert (len(ida), len(ben), len(said_by(None))) == (6, 6, 20)
    assert said_by(1) == ida != ben


# Where one is, and what that is to the tables.
PLACES = (
    ("at home, in the kitchen", {"placed", "athome"}),
    ("at work, on the ward", {"placed", "atwork"}),
    ("at the bank", {"placed", "elsewhere"}),
    ("on the beach", {"placed", "elsewhere", "outdoors"}),
    ("", set[str]()),
)


@each_row("place, tags", PLACES)
def test_what_is_seen_goes_by_the_place(place: str, tags: set[str]) -> None:
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="news", text=""), 1, FAIR)
    assert moment.lived is not None
    there = msgspec.structs.replace(moment.lived, situation=LifeSituation(place=place))
    found = moment_seen(moment, there, language()).speaker.tags
    assert found & {"placed", "athome", "atwork", "elsewhere", "outdoors"} == tags


def test_what_is_seen_of_a_memory_is_a_whole_thing_and_no_time() -> None:
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="news", text=""), 1, FAIR)
    assert moment.lived is not None
    memories = ("the winter on the ferry", "an empty stadium car park", "the swans by the lock")
    known = msgspec.structs.replace(moment.lived, identity=PersonIdentity(key_memories=memories))
    slots = moment_seen(moment, known, language()).speaker.slots
    assert set(slots["memthing"]) == {"the ferry", "the lock"}


HOUSE = PersonIdentity(
    self_narrative="I'm Ida, forty, a clerk. I live with Tom in Graz.",
    relational_markers=("Tom, my husband", "Lea, my daughter, six", "Uwe, my brother in Linz"),
)
# Who is there, who was met today, who may be thought of, who may be missed, who may be asked.
PEOPLE = (
    ((), (), ("Tom", "Lea", "Uwe"), ("Uwe",), ()),
    (("Tom",), (), ("Lea", "Uwe"), ("Uwe",), ("Tom",)),
    (("Lea",), ("Uwe",), ("Tom", "Uwe"), (), ()),
)


@each_row("company, met, thought, missed, asked", PEOPLE)
def test_nobody_is_missed_who_is_there_or_was_met(
    company: tuple[str, ...], met: tuple[str, ...], thought: tuple[str, ...],
    missed: tuple[str, ...], asked: tuple[str, ...],
) -> None:  # fmt: skip
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="food", text="soup"), 1, FAIR)
    assert moment.lived is not None
    lived = msgspec.structs.replace(
        moment.lived, identity=HOUSE, situation=LifeSituation(company=company), met=met
    )
    slots = moment_seen(moment, lived, language()).speaker.slots
    assert (slots["tie"], slots["far"], slots["company_grown"]) == (thought, missed, asked)


def test_whom_it_happened_to_is_not_told_of_it() -> None:
    fell = Episode(
        id="e", t_us=0, until_us=0, type="speech", text="Your brother fell off a ladder.",
        source="Tom", valence=-0.6, importance=0.7,
    )  # fmt: skip
    moment = moment_after(fell, 1, BAD)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, identity=HOUSE)
    slots = moment_seen(moment, lived, language()).speaker.slots
    for slot in ("tie", "untold", "close", "near_one"):
        assert "Uwe" not in slots[slot], slot


@each_row(
    "text, held",
    (
        ("Can you look after bed four? The boy has a fever.", False),
        ("My chest is a bit tight.", False),
        ("You burnt the fish again.", True),
    ),
)
def test_only_what_is_said_of_one_is_held_against_who_said_it(text: str, held: bool) -> None:  # noqa: FBT001 # a column of the table
    told = Episode(
        id="e", t_us=0, until_us=0, type="speech", text=text, source="Tom", valence=-0.5,
        importance=0.6,
    )  # fmt: skip
    assert ("grudge" in tags_of(moment_after(told, 20, BAD))) is held


@pytest.mark.parametrize(
    ("woke_h", "facet"), [(31, "f_morrow"), (7, "f_later"), (None, "f_morrow")]
)
def test_no_new_day_begins_without_sleep(woke_h: int | None, facet: str) -> None:
    fell = Episode(
        id="e", t_us=20 * HOUR, until_us=20 * HOUR, type="news", text="the roof lost nine tiles",
        valence=-0.5, importance=0.7, noticed_us=20 * HOUR, thoughts=3, told_us=21 * HOUR,
    )  # fmt: skip
    moment = moment_after(fell, 13, BAD)
    assert moment.lived is not None
    woke_us = None if woke_h is None else woke_h * HOUR
    moment = msgspec.structs.replace(
        moment, lived=msgspec.structs.replace(moment.lived, woke_us=woke_us)
    )
    assert facet in tags_of(moment)


@pytest.mark.parametrize(("hours", "off"), [(30, True), (24 * 8, False)])
def test_a_hurt_keeps_from_work_for_a_week(hours: int, off: bool) -> None:  # noqa: FBT001 # a column of the table
    soup = Episode(id="e", t_us=0, until_us=0, type="food", text="soup")
    burn = Episode(
        id="f", t_us=0, until_us=0, type="injury", text="you burn your left hand", importance=0.6
    )
    moment = moment_after(soup, hours, FAIR)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, ails=burn)
    tags = tags_of(msgspec.structs.replace(moment, lived=lived))
    assert "ail_injury" in tags
    assert ("ail_off" in tags) is off


@pytest.mark.parametrize(("woke_h", "slept"), [(7, False), (31, True)])
def test_nobody_wakes_after_a_turn_who_has_not_slept_since(woke_h: int, slept: bool) -> None:  # noqa: FBT001 # a column of the table
    fact = LearntFact(text="you were fired", since_us=10 * HOUR, about="work", turn="dismissal")
    soup = Episode(id="e", t_us=0, until_us=0, type="food", text="soup")
    moment = moment_after(soup, 34, FAIR)
    assert moment.lived is not None
    lived = msgspec.structs.replace(
        moment.lived, identity=PersonIdentity(learnt=(fact,)), woke_us=woke_h * HOUR
    )
    tags = tags_of(msgspec.structs.replace(moment, lived=lived))
    assert ("slept_since" in tags) is slept


# Type, text and valence of the worst thing, hours since, and which of three tags hold.
DAYS = (
    ("news", "your husband Tom has died", -0.9, 3, {"sobered", "bereft"}),
    ("news", "your husband Tom has died", -0.9, 30, set[str]()),
    ("injury", "a crate drops on your knee", -0.5, 3, {"sobered"}),
    ("news", "the shop opens at nine", -0.1, 3, set[str]()),
)


@each_row("kind, text, valence, hours, wanted", DAYS)
def test_a_day_with_a_death_is_no_day_like_any_other(
    kind: str, text: str, valence: float, hours: int, wanted: set[str]
) -> None:
    worst = msgspec.convert(
        {"id": "w", "t_us": 0, "until_us": 0, "type": kind, "text": text, "valence": valence,
         "importance": 0.9}, Episode,
    )  # fmt: skip
    kiss = Episode(id="e", t_us=0, until_us=0, type="contact", text="you and Lea bake", valence=0.3)
    moment = moment_after(kiss, hours, 0.3)
    assert moment.lived is not None
    seen = moment_seen(moment, msgspec.structs.replace(moment.lived, weighs=worst), language())
    assert seen.speaker.tags & {"sobered", "bereft"} == wanted
    assert ("content" in seen.speaker.tags) == ("bereft" not in wanted)


def test_a_simile_has_the_tone_of_what_is_felt() -> None:
    grammar = language().grammar
    ledger = frozenset(("ledger", "known"))

    def similes(*tags: str) -> set[str | None]:
        speakers = (
            Speaker(ledger | set(tags), {}, lambda at=at: at / 50, None, {}) for at in range(50)
        )
        return {expanded(grammar, "like", one) for one in speakers}

    heavy, light = similes("dark", "low"), similes("lit")
    assert "like an error on page one that one finds on page forty" in heavy
    assert heavy.isdisjoint(light)
    assert light == similes("lit", "bright")
    assert similes() == {None}
    assert similes("lit", "bereft") == {None}


# How many hours after it happened (at eight in the evening of a day), and what may be claimed.
SPANS = (
    (1, set[str]()),
    (5, {"hours_on"}),
    (3, set[str]()),
    (20, {"hours_on", "night_on"}),
    (40, {"hours_on", "night_on", "days_on"}),
)
CLAIMS = re.compile(
    r"\ball (?:day|the time)\b|until \{weekday\}|saving up things|whenever I|was long enough|"
    r"is too big now|sits in that chair now|in waves"
)
ASKED = {"hours_on", "night_on", "days_on", "past", "aimed"}


@each_row("hours, spans", SPANS)
def test_time_that_has_passed_is_told_by_how_much_has_passed(hours: int, spans: set[str]) -> None:
    at_us = 20 * HOUR
    shown = Episode(id="e", t_us=at_us, until_us=at_us, type="news", text="Ada is ill")
    moment = moment_after(shown, hours, FAIR)
    assert tags_of(moment) & {"hours_on", "night_on", "days_on"} == spans


def test_what_claims_a_span_of_time_asks_for_it() -> None:
    unasked = [
        one.text
        for symbol in ("means", "next", "turn", "grief_is", "worry_end")
        for choice in language().grammar[symbol]
        for one in choice.fragments
        if CLAIMS.search(one.text)
        and not {
            tag
            for when in (choice.when, one.when)
            if when is not None
            for need in when.needs
            for tag in need
        }
        & ASKED
    ]
    assert unasked == []


# What belongs to a home, and where it may not be seen.
HOUSEHOLD = re.compile(
    r"\b(?:kettle|house|cupboard|curtain|pillow\w*|jug|stove|tap|carpet|teapot|fridge)\b"
)
AWAY = ("at work, in the depot", "on the tram", "in the park", "in the shop", "out, away from home")


@pytest.mark.parametrize("place", AWAY)
@pytest.mark.parametrize("code", ["", "E1"])
def test_nothing_of_a_home_is_seen_elsewhere(place: str, code: str) -> None:
    shown = Episode(id="e", t_us=0, until_us=0, type="news", text="")
    told = set[str]()
    for at in range(240):
        moment = moment_after(shown, 1 + at, FAIR)
        assert moment.lived is not None
        lived = msgspec.structs.replace(
            moment.lived, step="passing", episode=None, situation=LifeSituation(place=place)
        )
        codes = (code,) if code else ()
        told.add(lived_words(msgspec.structs.replace(moment, lived=lived, codes=codes), lived))
    # What was left at home may be worried about wherever one is.
    here = (one for one in sorted(told) if "before I left" not in one)
    assert [one for one in here if HOUSEHOLD.search(one)] == []


FIELDS = (
    ("I'm Ida, forty, a nurse.", "on the ward", "atwork"),
    ("I'm Ida, forty, a lorry driver.", "on the ward", "in_care"),
    ("I'm Ida, forty, a lorry driver.", "in the shop", "in_shop"),
    ("I'm Ida, forty, a clerk.", "on the tram", "in_transit"),
)


@each_row("narrative, place, tag", FIELDS)
def test_a_place_is_that_of_work_to_those_who_work_there(
    narrative: str, place: str, tag: str
) -> None:
    moment = moment_after(Episode(id="e", t_us=0, until_us=0, type="news", text=""), 1, FAIR)
    assert moment.lived is not None
    known = msgspec.structs.replace(
        moment.lived,
        situation=LifeSituation(place=place),
        identity=PersonIdentity(self_narrative=narrative),
    )
    found = moment_seen(moment, known, language()).speaker.tags
    assert found & {"atwork", "in_care", "in_shop", "in_transit"} == {tag}


# What happened, how it was, how many hours ago, and whether a thought at rest may be of anything.
GRAVE_DAYS = (
    ("news", "Reto has died", -0.9, "", 1),
    ("news", "you are given notice", -0.6, "dismissal", 2),
    ("injury", "a beam falls on your arm", -0.6, "", 1),
    ("news", "there has been an accident", -0.7, "", 3),
)


@each_row("kind, text, valence, topic, hours", GRAVE_DAYS)
def test_nobody_speaks_of_itself_in_the_first_hours_of_a_grave_day(
    kind: str, text: str, valence: float, topic: str, hours: int
) -> None:
    weighs = msgspec.convert(
        {"id": "e", "t_us": 9 * HOUR, "until_us": 9 * HOUR, "type": kind, "text": text,
         "topic": topic, "valence": valence, "importance": 0.8}, Episode,
    )  # fmt: skip
    person = PersonIdentity(
        self_narrative="I'm Ida, forty, a clerk.", disposition_traits=("never idle", "blunt"),
        values_commitments=("keeping promises",),
    )  # fmt: skip
    told = set[str]()
    for at in range(150):
        moment = moment_after(weighs, hours, BAD)
        assert moment.lived is not None
        lived = msgspec.structs.replace(
            moment.lived, step="passing", episode=None, weighs=weighs, identity=person,
            situation=LifeSituation(place="at home"),
        )  # fmt: skip
        told.add(lived_words(msgspec.structs.replace(moment, seed=at, lived=lived), lived))
    of_itself = {"never idle", "blunt", "keeping promises"}
    assert [one for one in sorted(told) if any(words in one for words in of_itself)] == []
    assert len(told) > 3


# What happened, how it was, and the words that do not fit it.
UNFIT = (
    ("contact", "Ben brings you a bowl of soup", 0.6,
     r"let me be\?|not through|not done with|cannot let|end up at|not finished with|get past"),
    ("news", "Reto has died", -0.9,
     r"complete failure|useless|disaster|I am such a fool|must think I am|Maybe it's not|I need a"),
    ("injury", "a beam falls on your arm", -0.7,
     r"makes me happy|stay in it|the day to stay|not that bad|Nothing's wrong|complete failure"),
    ("contact", "you lose to Ben by half a point", 0.4,
     r"makes me happy|stay in it|the day to stay|still good|best of the day|warm and comfort"),
)  # fmt: skip


@each_row("kind, text, valence, unfit", UNFIT)
def test_what_is_said_of_something_fits_what_it_was(
    kind: str, text: str, valence: float, unfit: str
) -> None:
    shown = msgspec.convert(
        {"id": "e", "t_us": 9 * HOUR, "until_us": 9 * HOUR, "type": kind, "text": text,
         "valence": valence, "importance": 0.8, "people": ["Ben"]}, Episode,
    )  # fmt: skip
    told = set[str]()
    for at in range(240):
        moment = moment_after(shown, 1, valence)
        assert moment.lived is not None
        steps: tuple[ThoughtStep, ...] = ("noticing", "meaning", "leaning")
        lived = msgspec.structs.replace(moment.lived, step=steps[at % 3], ago="this morning")
        asked = msgspec.structs.replace(
            moment, seed=at, lived=lived, distortions=get_args(Distortion),
            coping=get_args(Coping)[at % len(get_args(Coping))],
        )  # fmt: skip
        told.add(lived_words(asked, lived))
    assert [one for one in sorted(told) if re.search(unfit, one)] == []


def test_a_threat_in_words_does_not_numb_a_day() -> None:
    said = Episode(
        id="e", t_us=0, until_us=0, type="speech", text="They want to give your route away",
        topic="dismissal", valence=-0.7, importance=0.7,
    )  # fmt: skip
    found = tags_of(moment_after(said, 1, BAD))
    assert "sobered" in found
    assert found.isdisjoint({"numbed", "stunned"})


@pytest.mark.parametrize(
    ("text", "importance", "stunned"),
    [
        ("Vera writes that she is getting divorced", 0.7, False),
        ("Aunt Lou is in hospital with a broken wrist", 0.6, False),
        ("Vera has had a stroke and cannot speak", 0.9, True),
    ],
)
def test_only_the_worst_that_befalls_another_stuns(
    text: str, importance: float, *, stunned: bool
) -> None:
    shown = Episode(
        id="e", t_us=0, until_us=0, type="news", text=text, valence=-0.8, importance=importance
    )
    assert ("numbed" in tags_of(moment_after(shown, 3, -0.3))) is stunned


@pytest.mark.parametrize(
    ("text", "importance", "held"),
    [
        ("you bruise your left knee", 0.4, {"sore_leg"}),
        ("you break your wrist", 0.9, {"sore_arm", "ail_grave"}),
    ],
)
def test_a_hurt_takes_over_the_day_as_far_as_it_is_bad(
    text: str, importance: float, held: set[str]
) -> None:
    ails = Episode(
        id="e", t_us=0, until_us=0, type="injury", text=text, valence=-0.6, importance=importance
    )
    moment = moment_after(ails, 3, -0.1)
    assert moment.lived is not None
    lived = msgspec.structs.replace(moment.lived, step="passing", episode=None, ails=ails)
    tags = tags_of(msgspec.structs.replace(moment, lived=lived))
    assert {"sore_leg", "sore_arm", "ail_grave"} & tags == held


def test_a_death_that_was_taken_back_is_mourned_by_nobody() -> None:
    shown = Episode(
        id="e", t_us=0, until_us=0, type="news", text="Uncle Pol has died", valence=-1.0,
        importance=1.0, emotion="sadness", topic="bereavement",
    )  # fmt: skip
    moment = moment_after(shown, 9, -0.2)
    assert moment.lived is not None
    told = LearntFact(text="Uncle Pol has died", since_us=0, about="Uncle Pol", turn="bereavement")
    for until_us, mourned in ((None, True), (HOUR, False)):
        fact = msgspec.structs.replace(told, until_us=until_us)
        identity = PersonIdentity(relational_markers=("Uncle Pol",), learnt=(fact,))
        lived = msgspec.structs.replace(moment.lived, identity=identity)
        tags = tags_of(msgspec.structs.replace(moment, lived=lived))
        assert ("mourning" in tags, "bereft" in tags) == (mourned, mourned)
        assert ("f_" in tags) is not mourned


@pytest.mark.parametrize(
    ("text", "importance", "kind", "felt"),
    [
        ("a gale is blowing from the west", 0.3, "weather", "plain"),
        ("a storm has taken the roof", 0.9, "news", "sad"),
        ("the rent will rise in May", 0.3, "news", "sad"),
    ],
)
def test_news_of_the_weather_is_weather(text: str, importance: float, kind: str, felt: str) -> None:
    shown = Episode(
        id="e", t_us=0, until_us=0, type="news", text=text, valence=-0.5, importance=importance
    )
    assert {kind, felt} <= tags_of(moment_after(shown, 1, -0.1))
