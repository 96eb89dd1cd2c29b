"""The parts of which a thought of an hour is put together: they fit, and nothing repeats."""

import re
import tomllib

import pytest

from mindpipe.person.mind.sentences import marks_of, sentence_marks
from mindpipe.person.records.episode import LifeSituation, RoutineBlock
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.hours import hour_slots, hour_words
from mindpipe.person.voice.language import ENGLISH, language
from mindpipe.person.voice.phrases import is_many
from mindpipe.person.voice.slots import moment_seen

TABLES = tomllib.loads((ENGLISH / "hours.toml").read_text())
SUBJECTS = ("handy", "fixed", "person_out", "limb", "day_light", "smell", "dish", "tune_open")
NUMBERS = re.compile(r"^(?:two|three|four|some|many|both)\b", re.I)
PEOPLE = ("Rui, my husband", "my mother Alda, who worries")
LIVES = {
    "a nurse": "I'm Ines, thirty-four, a nurse on nights in Porto.",
    "a child": "I'm Zoe, nine, and go to school.",
    "an old man": "I'm Otto, seventy-nine, a retired tram driver in Graz.",
    "a clerk": "I'm Bo, forty, an accountant in Aarhus.",
    "a cook": "I'm Bram, fifty-one, a cook in a canteen.",
}
PLACES = (("at home", ""), ("at work", "working"), ("in the park", ""), ("at home", "eating"))
HEAD = re.compile(
    r" (?:of|with|on|in|from|who|that|by|between|at|for|without|goes|has|is|will|I)\b"
)
FLAWS = re.compile(r" [,.;:]|[,;:][.,;:]|\b(?!that )(\w+) \1\b")


def lines_of(table: str) -> list[str]:
    """Return the fragments of a table without their conditions."""
    said = "\n".join(choice["say"] for choice in TABLES[table])
    return [re.sub(r"^\[[^\]]*\] ", "", line) for line in said.strip().splitlines() if line]


@pytest.mark.parametrize("table", SUBJECTS)
def test_what_does_something_is_one(table: str) -> None:
    for line in lines_of(table):
        head = re.split(
            r" (?:of|with|on|in|from|who|that|by|between|at|for|without|goes|has|is|will)\b", line
        )[0]
        assert not NUMBERS.match(line), line
        assert not is_many(head.split()[-1]), line


@pytest.mark.parametrize("life", LIVES)
@pytest.mark.parametrize("mood", ["calm", "struck"])
def test_hours_are_whole_sentences_of_which_none_is_said_twice(life: str, mood: str) -> None:
    tongue = language()
    identity = PersonIdentity(
        self_narrative=LIVES[life],
        relational_markers=PEOPLE,
        key_memories=("the ferry in the storm",),
    )
    block = RoutineBlock(what="meal", start_min=1110, minutes=45, people=("Rui",))
    said, lately, told = frozenset[int](), tuple[str, ...](), list[str]()
    for number in range(120):
        t_us = 8 * HOUR_US + number * HOUR_US // 12
        place, activity = PLACES[number % len(PLACES)]
        lived = LifeMoment(
            name="Ines", identity=identity, lately=lately, quiet_us=HOUR_US,
            affect=Affect(arousal=0.3, valence=0.3, energy=0.6, stress=0.0),
            situation=LifeSituation(
                place=place, activity=activity, weekday="Monday", weather="it rains"
            ),
            coming=block, coming_us=t_us + HOUR_US,
        )  # fmt: skip
        moment = ThoughtMoment(
            person="ines", seed=3, t_us=t_us, mode="spontaneous", codes=("E2",), trigger="drift4",
            lived=lived,
        )  # fmt: skip
        speaker = moment_seen(moment, lived, tongue).speaker
        if mood == "struck":
            speaker = speaker._replace(tags=speaker.tags | {"numbed"})
        words = hour_words(tongue, speaker, said, lived)
        assert words, number
        assert re.fullmatch(r"[A-ZÀ-Þ“][^{}_]*[.?!]", words), words
        assert not FLAWS.search(words), words
        said |= set(sentence_marks(words))
        lately = (words, *lately)[:12]
        told.append(words)
    assert len(set(told)) == len(told)


def test_a_newborn_does_what_a_newborn_does() -> None:
    tongue = language()
    learnt = LearntFact(text="Nia was born", since_us=0, about="Nia", turn="birth")
    identity = PersonIdentity(self_narrative="I'm Rosa, thirty-two.", learnt=(learnt,))
    grown = {line.split(" {")[0] for line in lines_of("comp_does")}
    told = set[str]()
    for number in range(200):
        t_us = 8 * HOUR_US + number * HOUR_US // 12
        lived = LifeMoment(
            name="Rosa", identity=identity,
            situation=LifeSituation(place="at home", company=("Nia",)),
            affect=Affect(arousal=0.3, valence=0.3, energy=0.6, stress=0.0),
        )  # fmt: skip
        moment = ThoughtMoment(
            person="rosa",
            seed=3,
            t_us=t_us,
            mode="spontaneous",
            codes=(),
            trigger="drift4",
            lived=lived,
        )
        told.add(hour_words(tongue, moment_seen(moment, lived, tongue).speaker, frozenset(), lived))
    of_her = {one for one in told if one.startswith("Nia ")}
    assert of_her
    assert not any(one.startswith(f"Nia {deed}") for one in of_her for deed in grown - {"yawns"})


def test_no_part_of_an_hour_comes_back_while_it_is_remembered() -> None:
    tongue = language()
    identity = PersonIdentity(self_narrative=LIVES["a clerk"], relational_markers=PEOPLE)
    said, told = set[int](), list[str]()
    for number in range(90):
        t_us = 8 * HOUR_US + number * HOUR_US // 12
        lived = LifeMoment(
            name="Bo", identity=identity, situation=LifeSituation(place="at home"),
            affect=Affect(arousal=0.3, valence=0.3, energy=0.6, stress=0.0),
        )  # fmt: skip
        moment = ThoughtMoment(
            person="bo", seed=3, t_us=t_us, mode="spontaneous", codes=(), trigger="drift4",
            lived=lived,
        )  # fmt: skip
        speaker = moment_seen(moment, lived, tongue).speaker
        words = hour_words(tongue, speaker, frozenset(said), lived)
        if not words:
            continue
        assert said.isdisjoint(marks_of(words)), words
        said |= set(marks_of(words))
        told.append(words)
    assert len(told) > 30


@pytest.mark.parametrize(("company", "who"), [((), ("Rui and Alda",)), (("Rui",), ())])
def test_nobody_waits_for_a_time_with_those_who_are_there(
    company: tuple[str, ...], who: tuple[str, ...]
) -> None:
    meal = RoutineBlock(what="meal", start_min=1110, minutes=45, people=("Rui", "Alda"))
    lived = LifeMoment(
        affect=Affect(arousal=0.3, valence=0.1, energy=0.5, stress=0.0),
        situation=LifeSituation(place="at home", company=company),
        coming=meal,
        coming_us=HOUR_US,
    )
    slots, _ = hour_slots(lived, 0, language())
    assert slots["next_who"] == who
