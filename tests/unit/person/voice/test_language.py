"""Another language is another folder of tables: nothing of English is left in what is said."""

import re
from pathlib import Path

import msgspec
import pytest

from mindpipe.person.records.episode import Episode, HeardWords, LifeSituation
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment, ThoughtStep
from mindpipe.person.voice import lived, spoken
from mindpipe.person.voice.language import language
from support.tables import each_row

WORDS = """
determiners = "de het een"
prepositions = "op in bij met"
pronouns = "ik jij je hij zij"
auxiliaries = "is zijn heeft"
proper = "Jan"
openable = "ik het"
irregular = ""
[turned]
je = "mij"
[times]
"this morning" = "vanochtend"
[phrases]
wordless = "Ik heb er geen woorden voor."
no_answer = "Dat weet ik niet."
"""
MANNER = """
[fields]
zee = "schip boot"
[ways]
[ages]
child = 14
retired = 67
young = 27
old = 60
young_words = "leerling"
old_words = "weduwe"
[weather]
[feelings]
[topics]
[deaths]
words = "dood gestorven"
[loss]
[small_talk]
somebody = "iemand"
[trials]
words = "examen"
[partners]
words = "man vrouw"
[work]
words = "werk"
[people]
my = "mijn"
mine = "mijn|onze"
yours = "jouw"
titles = "Dhr|Mevr"
qualified = "oudere"
late = 'wijlen'
outlives = 'weduwe'
begins = '^(?:de|het|een)'
lowered = '^(?:de|het|een)'
[told]
graves = "ongeluk"
joys = "geslaagd"
denies = '\\\\b(?:niet|geen)\\\\b'
[heard]
how = 'hoe gaat het'
[asked]
only = '^(?:wie|wat|waar)\\b[^.!?]*\\?$'
who = '^wie is\\b'
"""
QUESTIONS = """
[asks]
opens = "wat wie waar wanneer waarom hoe"
before = "^(?:(?:zo|en|maar|{name})\\\\b[ ,.!]*)+"
inner = "^weet je(?= )"
self = "je jij"
yours = "jouw"
speaker = "ik mij mijn"
indefinite = "iemand iets niemand niets"
telling = "zeggen"
before_now = "was had"
none = "\\\\b(?:niet|geen)\\\\b"
learns = "(?!)"
starts = "(?!)"
introduces = "[Ii]k ben (?P<name>[A-Z]\\\\w+)|^(?P<first>[A-Z]\\\\w+) hier\\\\b"
bare = "doe ga"
taste = "(?!)"
[same]
[types]
[kinds]
[windows]
[back]
[own]
[told]
[tone]
turns = "[.!?;] "
reassures = "(?!)"
setback = "(?!)"
confesses = "(?!)"
bodes_well = "(?!)"
bodes_ill = "(?!)"
"""
THOUGHTS = '''
[[thought]]
say = """
zien voelen
zien
"""
[[zien]]
say = """
Ik denk aan {thing}.
{ago}: {thing}.
Ik zie {thing} voor me.
"""
[[voelen]]
say = """
Het gaat.
Ik zit stil, {weekday} of niet.
Mijn handen zijn koud.
"""
[[answer]]
when = "how"
say = """
goed
"""
[[answer]]
when = "heard_bad"
say = """
ach
"""
[[goed]]
say = "Het gaat wel."
[[ach]]
say = "Wat erg."
'''
STEPS: tuple[ThoughtStep, ...] = ("noticing", "meaning", "leaning")
EVENT = Episode(
    id="e", t_us=0, until_us=0, type="news", text="de boot is in het ijs gezonken", valence=-0.5
)


@pytest.fixture
def dutch(tmp_path: Path) -> str:
    """Return the folder of a small language of a dozen entries."""
    for name in (
        "thoughts",
        "course",
        "feelings",
        "passing",
        "daily",
        "hours",
        "dreams",
        "registers",
        "answers",
    ):
        (tmp_path / f"{name}.toml").write_text(THOUGHTS if name == "thoughts" else "")
    (tmp_path / "words.toml").write_text(WORDS)
    (tmp_path / "manner.toml").write_text(MANNER)
    (tmp_path / "questions.toml").write_text(QUESTIONS)
    return str(tmp_path)


def moment_at(t_us: int, step: ThoughtStep, folder: str) -> ThoughtMoment:
    return ThoughtMoment(
        person="jan", seed=3, t_us=t_us, mode="spontaneous", codes=(), trigger="episode",
        lived=LifeMoment(
            name="Jan",
            identity=PersonIdentity(
                self_narrative="Ik ben Jan, schipper.", relational_markers=("Mia, mijn vrouw",)
            ),
            affect=Affect(arousal=0.3, valence=-0.3, energy=0.5, stress=0.2),
            situation=LifeSituation(place="thuis", weekday="Monday"),
            episode=EVENT, step=step, ago="this morning", language=folder,
        ),
    )  # fmt: skip


def test_another_language_is_another_folder(dutch: str) -> None:
    english = (set(language().reader.lexicon.function) | {"monday"}) - {"is", "me", "in", "of"}
    foreign = set(re.findall(r"\w+", f"{WORDS} {THOUGHTS} {EVENT.text}".casefold()))
    thoughts = set[str]()
    for number in range(60):
        moment = moment_at(
            number * 60_000_000, ("noticing", "meaning", "leaning")[number % 3], dutch
        )
        assert moment.lived is not None
        words = lived.lived_words(moment, moment.lived)
        thoughts.add(words)
        assert set(re.findall(r"\w+", words.casefold())).isdisjoint(english - {"of"}), words
        assert set(re.findall(r"\w+", words.casefold())) <= foreign, words
    assert len(thoughts) > 5
    assert any("vanochtend" in one.casefold() for one in thoughts)


def test_an_answer_is_in_the_language_too(dutch: str) -> None:
    moment = moment_at(60_000_000, "meaning", dutch)
    plain = msgspec.structs.replace(moment, mode="respond", trigger="respond0")

    def said(text: str) -> str:
        return spoken.spoken(plain, HeardWords(t_us=0, text=text, source="Mia"))

    assert said("Hoe gaat het met je?") == "Het gaat wel."
    assert said("Er was een ongeluk.") == "Wat erg."
    assert said("Blauw.") == "Dat weet ik niet."


def test_verbs_are_of_the_number_of_what_is_named() -> None:
    agreed = language().agreed
    assert agreed("Here is the cups, the cups is red.", ["the cups"]) == (
        "Here are the cups, the cups are red."
    )
    assert agreed("Lurdes is here.", ["Lurdes"]) == "Lurdes is here."


SPOKEN_SO = (
    ("I keep something back of all this.", "I keep something back of all this."),
    ("It is as if somebody had shut a window.", "It is as if someone had shut a window."),
    ("I should like to know what goes on.", "I should like to know what goes on."),
)


@each_row("words, said", SPOKEN_SO)
def test_a_register_leaves_other_senses_of_a_word(words: str, said: str) -> None:
    tongue = language()
    tags = frozenset(("old", "ledger"))
    everybody = {tongue.spoken_by(words, tags, idiolect) for idiolect in range(200)}
    assert {one.replace("somebody", "someone") for one in everybody} == {said}


def test_news_are_one() -> None:
    assert language().agreed("The news takes something with it.", ["the news"]) == (
        "The news takes something with it."
    )


def test_what_is_hedged_already_is_hedged_once() -> None:
    words = "I know where Rui kept them, I think."
    assert language().spoken_by(words, frozenset(("dry",)), 1) == words


def test_a_short_form_ends_no_clause() -> None:
    words = "I call it what it is: the stroke."
    assert language().spoken_by(words, frozenset(("young",)), 1) == words


def test_who_has_to_go_does_not_think_of_its_stomach() -> None:
    for turn in ("after_love", "after_separation"):
        tags = frozenset((turn, "wanting", "toilet"))
        held = [one for one in language().grammar["bodily"] if one.when.holds(tags)]
        said = " ".join(one.text for choice in held for one in choice.fragments)
        assert "to eat" not in said
        assert "My stomach" not in said
