"""The voice of somebody who lives at its own pace: grammar, variety, mood, and whose it is."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from mindpipe.person.mind.parsers.improved import parse_improved
from mindpipe.person.mind.sentences import marks_of, sentence_marks, sentences_of, turns_of
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.event import HOUR_US, EventType
from mindpipe.person.records.person import PersonIdentity, Traits
from mindpipe.person.records.state import Coping, Distortion
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment, ThoughtStep
from mindpipe.person.voice.composed import composed_words
from mindpipe.person.voice.grammar import grammar_of, slots_in
from mindpipe.person.voice.language import in_full, language
from mindpipe.person.voice.lived import lived_words
from mindpipe.person.voice.slots import WANTS, moment_seen

TEXTS = (
    "you sit at Nora's bed and read her the paper",
    "one wrist is broken: five weeks without handball",
    "",
    "Fire",
    "Der Hund hat mein Brot gefressen",
    'he said "go home" and i left',
    "🎉🎉 you won!!! 🎉",
    "YOU HAVE LOST THE HOUSE",
    "very very odd: the the cat... and then? nothing",
    "a long story " * 60,
    "How do I mend the roof in June?",
    "pass the driving test",
)
NURSE = PersonIdentity(
    self_narrative="I'm Ines, thirty-four, a nurse on nights in Porto.",
    disposition_traits=("dry", "orderly"),
    relational_markers=("Rui, my husband", "my mother Alda, who worries"),
    key_memories=("the first night on the ward", "I fell off the roof when I was nine."),
    emotional_patterns=("goes quiet when she is hurt",),
    values_commitments=("never leaving a bed unmade",),
)
COOK = PersonIdentity(
    self_narrative="I'm Bram, seventy-one. I cooked in a canteen in Ghent.",
    disposition_traits=("loud", "superstitious"),
    relational_markers=("Lotte, my daughter",),
    key_memories=("carrying Lotte through the flood",),
    emotional_patterns=("jokes when he is nervous",),
    values_commitments=("nobody goes hungry",),
)
GOOD = Affect(arousal=0.3, valence=0.5, energy=0.7, stress=0.0)
BAD = Affect(arousal=0.6, valence=-0.6, energy=0.3, stress=0.5)
DOUBLED = re.compile(r"\b(?!had |that |ha |no |so )(\w+) \1\b", re.I)
FLAWS = {
    "a lower-case i": re.compile(r"(?<![\w.'’])i(?![\w.'’])"),
    "a sentence in lower case": re.compile(r"(?:^|[.!?]\s+)[a-zà-ÿ]"),
    "a slot": re.compile(r"[{}_]"),
    "a blank before a mark": re.compile(r"\s[,.;:!?]"),
    "two marks": re.compile(r"[,;:][,.;:]|,,"),
    "a before a vowel": re.compile(r"\ba (?!one\b|uni|use|eu)[aeiou]\w"),
    "no end": re.compile(r"[^.!?]$"),
}
HARSH = re.compile(
    r"my fault|a failure|useless|such a fool|will go wrong|disaster|worst case", re.I
)


def episode_of(text: str, kind: EventType = "news", **fields: Any) -> Episode:
    known: dict[str, Any] = {"id": "e", "valence": -0.5, "source": "Rui"} | fields
    return Episode(t_us=0, until_us=0, type=kind, text=text, **known)


def moment_of(
    t_us: int, *, seed: int = 3, trigger: str = "episode", **fields: Any
) -> ThoughtMoment:
    lived: dict[str, Any] = {
        "name": "Ines",
        "identity": NURSE,
        "affect": GOOD,
        "situation": LifeSituation(
            place="at home", company=("Rui",), weather="rain", weekday="Monday"
        ),
    }
    moment = ThoughtMoment(
        person="ines", seed=seed, t_us=t_us, mode="spontaneous", codes=("E2",), trigger=trigger
    )
    return msgspec.structs.replace(moment, lived=LifeMoment(**(lived | fields)))


def thought_at(moment: ThoughtMoment) -> str:
    """Return what is thought at a moment, nothing where there is nothing to say."""
    assert moment.lived is not None
    return lived_words(moment, moment.lived)


def odd_moments() -> Iterator[ThoughtMoment]:
    """Yield moments of every kind of event, step and mood, of odd texts and dreams."""
    ways = product(get_args(EventType), get_args(ThoughtStep), (GOOD, BAD), (False, True))
    for number, (kind, step, affect, dream) in enumerate(ways):
        for at, text in enumerate(TEXTS):
            yield moment_of(
                7_200_000_000 * (number % 40) + number * 1000 + at,
                episode=episode_of(text, kind, people=("Rui",)),
                memory=episode_of(TEXTS[(at + number) % len(TEXTS)], "speech", id="m"),
                step=step,
                ago="yesterday evening",
                memory_ago="on Tuesday",
                affect=affect,
                dream=dream,
            )


@pytest.mark.heavy
def test_the_grammar_is_right_whatever_happened() -> None:
    found = set()
    for moment in odd_moments():
        words = composed_words(moment)
        assert moment.lived and moment.lived.episode
        plain = re.sub("very very", "very", words, flags=re.I)
        if DOUBLED.search(plain):
            found.add(f"doubled: {words}")
        found |= {f"{flaw}: {words}" for flaw, is_there in FLAWS.items() if is_there.search(plain)}
    assert not found, "\n".join(sorted(found)[:20])


def test_the_same_moment_gives_the_same_words_and_another_one_others() -> None:
    moments = [
        moment_of(t_us, episode=episode_of(TEXTS[0]), step="noticing")
        for t_us in range(0, 200_000, 1000)
    ]
    said = [composed_words(moment) for moment in moments]
    assert said == [composed_words(moment) for moment in moments]
    assert len(set(said)) > 5


@pytest.mark.heavy
def test_no_sentence_is_said_twice_while_it_is_remembered() -> None:
    said: tuple[int, ...] = ()
    for number in range(120):
        step = get_args(ThoughtStep)[number % 4]
        words = thought_at(
            moment_of(
                number * 600_000_000,
                episode=episode_of(TEXTS[1]),
                step=step,
                ago="just now",
                said=said,
            )
        )
        assert set(sentence_marks(words)).isdisjoint(said), words
        said += marks_of(words)


def test_somebody_idle_thinks_another_thing_sooner_than_the_same_one_anew() -> None:
    said: tuple[int, ...] = ()
    lately: tuple[str, ...] = ()
    for number in range(120):
        fields = {"said": said, "lately": lately, "quiet_us": HOUR_US}
        words = thought_at(moment_of(number * 300_000_000, trigger="drift4", **fields))
        assert words, number
        assert set(sentence_marks(words)).isdisjoint(said), words
        # The words of a slot may come back: the clock, a memory, somebody's name.
        parts = {turn.words for turn in turns_of(words) if len(turn.words.split()) > 6}
        assert not any(part in one.casefold() for part in parts for one in lately), words
        said += marks_of(words)
        lately = (words, *lately)[:12]


def test_nobody_dreams_of_the_hour_or_thinks_of_it_in_the_midst_of_an_answer() -> None:
    quiet = {"quiet_us": 9 * HOUR_US}
    told = {
        thought_at(moment_of(number * 600_000_000, trigger="drift4", dream=True, **quiet))
        for number in range(40)
    }
    assert not any(re.search(r"\bquarter (?:past|to)\b|\bI ought to\b", one) for one in told)


@pytest.mark.heavy
def test_a_thought_is_short_and_names_what_it_is_of() -> None:
    thoughts = [
        composed_words(
            moment_of(number, episode=episode_of(TEXTS[1], source=""), step=step, ago="just now")
        )
        for number in range(200)
        for step in ("noticing", "meaning", "leaning")
    ]
    assert all(1 <= len(sentences_of(one)) <= 4 for one in thoughts)
    assert sum("wrist" in one or "five weeks" in one.lower() for one in thoughts) > 0.8 * len(
        thoughts
    )


def test_good_and_calm_moments_never_blame_or_despair() -> None:
    for number in range(300):
        moment = moment_of(number, episode=episode_of(TEXTS[0]), step="leaning", ago="just now")
        distorted = msgspec.structs.replace(
            moment, distortions=get_args(Distortion), coping="rumination"
        )
        assert not HARSH.search(composed_words(distorted))


@pytest.mark.parametrize("table", ["cope", "twist"])
def test_what_coping_and_distortions_say_is_found_again_by_the_parser(table: str) -> None:
    names = get_args(Coping) if table == "cope" else get_args(Distortion)
    choices = language().grammar[table]
    assert {name for one in choices for name in one.when.needs[0]} == set(names)
    for choice in choices:
        (name,) = choice.when.needs[0]
        for fragment in choice.fragments:
            words = re.sub(r"\{name_it\}", "it", fragment.text)
            words = in_full(re.sub(r", \{\w+\}", "", words))
            assert name in parse_improved(words), words


def test_distortions_show_in_low_and_tense_moods() -> None:
    labels = set[str]()
    shown = episode_of(TEXTS[1], noticed_us=0, thoughts=3, last_us=0, importance=0.9)
    for number in range(200):
        moment = moment_of(number, episode=shown, step="leaning", ago="just now", affect=BAD)
        strained = msgspec.structs.replace(moment, distortions=("fortune_telling",))
        labels |= set(parse_improved(composed_words(strained)))
    assert "fortune_telling" in labels


@pytest.mark.heavy
def test_two_persons_share_few_sentences_and_nobody_speaks_like_somebody() -> None:
    def sentences(**fields: Any) -> set[str]:
        return {
            sentence
            for number in range(300)
            for sentence in sentences_of(
                thought_at(
                    moment_of(
                        number * 977,
                        step=get_args(ThoughtStep)[number % 4],
                        ago="just now",
                        episode=episode_of(TEXTS[0]),
                        **fields,
                    )
                )
            )
        }

    nurse = sentences()
    cook = sentences(identity=COOK, traits=Traits(e=0.8, n=0.7))
    nobody = sentences(identity=PersonIdentity())
    assert len(nurse & cook) < 0.35 * len(nurse)
    assert len(nurse & nobody) < 0.4 * len(nurse)


def test_loneliness_is_said_only_where_it_is_what_the_thought_came_from() -> None:
    lonely = re.compile(r"lonel|\balone\b|miss having people", re.I)
    for number in range(300):
        assert not lonely.search(composed_words(moment_of(number, trigger="drift3")))
    moments = [moment_of(number, trigger="contact") for number in range(200)]
    # Not everybody has the same words for it.
    everybody = [msgspec.structs.replace(one, person=f"ines{one.t_us % 9}") for one in moments]
    wanted = [composed_words(one) for one in everybody]
    assert any(lonely.search(words) for words in wanted)


def test_nobody_who_died_is_thought_of_as_living() -> None:
    died = episode_of("the ward telephones: Rui's heart has stopped", emotion="sadness", valence=-1)
    seen = moment_seen(moment_of(0, weighs=died), _lived_of(moment_of(0, weighs=died)), language())
    assert seen.speaker.slots["lost"] == ("Rui",)
    assert "Rui" not in seen.speaker.slots["tie"]


def _lived_of(moment: ThoughtMoment) -> LifeMoment:
    assert moment.lived is not None
    return moment.lived


def test_every_slot_of_the_tables_is_known_and_every_table_is_used() -> None:
    moment = moment_of(
        0, episode=episode_of(TEXTS[0]), memory=episode_of(TEXTS[0], id="m"),
        weighs=episode_of(TEXTS[1], id="w"), ails=episode_of(TEXTS[1], id="a"), step="noticing",
    )  # fmt: skip
    resting = msgspec.structs.replace(_lived_of(moment), step="passing", episode=None)
    known = {"asked_name", "asked_kin", "speaker", "speaker_kin", "own_name", "hurt", "plan"}
    known |= {"known_fact", "activity"}
    waiting = msgspec.structs.replace(resting, goal="pass the oral exam", goal_over=True)
    later = msgspec.structs.replace(
        _lived_of(moment),
        episode=episode_of(TEXTS[0], noticed_us=0, felt=-0.5, thoughts=2, importance=0.5),
        since=episode_of(TEXTS[1], id="s"),
    )
    known |= set(moment_seen(_at(moment, 4 * HOUR_US), later, language()).speaker.slots)
    for lived in (_lived_of(moment), resting, waiting):
        known |= set(moment_seen(moment, lived, language()).speaker.slots)
    grammar = language().grammar
    assert slots_in(grammar) <= known
    named = {
        name
        for symbol, choices in grammar.items()
        for choice in choices
        for fragment in choice.fragments
        for name in (*fragment.parts[1::2], *_plan_of(symbol, fragment.text))
    }
    assert set(grammar) - named <= {"thought", "answer"}


def _at(moment: ThoughtMoment, t_us: int) -> ThoughtMoment:
    return msgspec.structs.replace(moment, t_us=t_us)


# How often it was thought of something, hours after it and since the last thought of it, how much
# it matters, and what is left to say.
RETURNS = (
    (1, 0.2, 0.1, 0.8, "something"),
    (4, 0.8, 0.1, 0.8, "something"),
    (9, 1.8, 0.1, 0.2, "nothing"),
    (9, 3.5, 1.2, 0.8, "something"),
    (9, 3.5, 0.3, 0.8, "nothing"),
    (9, 4.5, 0.5, 0.2, "nothing"),
    (9, 26.0, 12.0, 0.5, "something"),
    (9, 28.0, 2.0, 0.5, "nothing"),
    (9, 26.0, 9.0, 0.1, "nothing"),
    (9, 52.0, 24.0, 0.5, "something"),
    (9, 52.0, 24.0, 0.2, "nothing"),
)


@pytest.mark.parametrize(("thoughts", "hours", "since", "importance", "left"), RETURNS)
def test_a_return_turns_another_facet_up_or_says_nothing(
    thoughts: int, hours: float, since: float, importance: float, left: str
) -> None:
    noticed_us, t_us = 12 * HOUR_US, round((12 + hours) * HOUR_US)
    shown = episode_of(
        TEXTS[1], noticed_us=noticed_us, felt=-0.5, thoughts=thoughts, importance=importance,
        told_us=t_us - round(since * HOUR_US),
    )  # fmt: skip
    moment = moment_of(t_us, episode=shown, step="meaning", ago="this morning", affect=BAD)
    assert bool(lived_words(moment, _lived_of(moment))) is (left == "something")


def test_the_thoughts_of_something_fresh_are_each_of_another_facet() -> None:
    told = list[str]()
    for thoughts in range(1, 8):
        shown = episode_of(
            TEXTS[1], noticed_us=0, felt=-0.5, thoughts=thoughts, importance=0.9, last_us=0
        )
        moment = moment_of(thoughts * 60_000_000, episode=shown, step="meaning", affect=BAD)
        seen = moment_seen(moment, _lived_of(moment), language())
        told += (tag for tag in seen.speaker.tags if tag.startswith("f_"))
    assert len(set(told)) == len(told) == 7


def _plan_of(symbol: str, text: str) -> list[str]:
    """Return the tables that a text names, where it is a plan of sentences and no sentence."""
    return text.split() if symbol in ("thought", "answer") else []


def test_every_fragment_has_whole_braces_and_no_doubled_word() -> None:
    for symbol, choices in language().grammar.items():
        for choice in choices:
            assert choice.fragments, symbol
            for fragment in choice.fragments:
                bare = re.sub(r"\{\w+\}", "", fragment.text)
                assert "{" not in bare and "}" not in bare, fragment.text
                if symbol not in ("thought", "answer"):
                    assert not DOUBLED.search(fragment.text), fragment.text
                assert not re.search(r"(?<![\w'])i(?![\w'])", bare), fragment.text


def test_every_want_has_words_of_its_own() -> None:
    for want in sorted(WANTS):
        said = {
            composed_words(moment_of(number, trigger=want, goal="pass the test"))
            for number in range(80)
        }
        assert len(said) > 1, want


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="see: expected when and say"):
        grammar_of({"see": [{"when": "low", "words": "no"}]})
    with pytest.raises(ValueError, match="see: expected a list of choices"):
        grammar_of({"see": "no"})
