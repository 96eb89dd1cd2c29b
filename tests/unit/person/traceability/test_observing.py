"""The observer behind glass, and what rests of a person: the rows on the reviewer and the store."""

from mindpipe.person.records.person import Traits
from mindpipe.person.records.thought import ThoughtTrigger
from mindpipe.review.note import CAPACITY, INTERVAL_US, Reviewer
from mindpipe.review.prompts import question
from mindpipe.review.records import (
    HeardThought,
    ObservedState,
    ReviewError,
    ReviewFailure,
    ReviewNote,
    ReviewQuestion,
    heard_of,
)
from mindpipe.review.verbs import note_when_due
from mindpipe_cli.review import line_of
from support.command import Mind
from support.persons import SECOND_US, thought
from support.proofs import proves

MINUTE_US = 60 * SECOND_US


def heard(number: int, *, mode: str = "react") -> HeardThought:
    trigger = ThoughtTrigger(dim="pain", dir="+")
    return heard_of(thought(number * SECOND_US, f"Thought {number}.", mode=mode, trigger=trigger))


def noted(asked: ReviewQuestion) -> str:
    return f"{len(asked.thoughts)} thoughts."


def look(reviewer: Reviewer, t_us: int) -> ReviewNote | ReviewFailure | None:
    return note_when_due(reviewer, ObservedState(t_us=t_us), noted, person="ann", model="test")


@proves("Reviewer: shared interface, 60 s, buffer 20, oldest dropped")
def test_the_observer_is_any_function_and_sees_the_latest_twenty_thoughts() -> None:
    assert (CAPACITY, INTERVAL_US) == (20, 60 * SECOND_US)
    reviewer = Reviewer()
    modes = ("react", "spontaneous", "respond")
    for number in range(25):
        reviewer.add_thought(heard(number, mode=modes[number % 3]))
    found = look(reviewer, 30 * SECOND_US)
    assert isinstance(found, ReviewNote)
    assert found.content == "20 thoughts."
    assert found.thoughts == tuple(f"th:ann:{number * SECOND_US}" for number in range(5, 25))


@proves("reviewer system and user prompt, numbers, final question")
def test_the_observer_reads_numbers_and_is_asked_for_patterns() -> None:
    seen = ObservedState(
        arousal=0.72,
        valence=-0.41,
        energy=0.55,
        cognitive_load=0.63,
        regulation=0.38,
        distortions=("catastrophizing", "mind_reading"),
        coping=("rumination",),
        traits=Traits(),
    )
    asked = question(seen, (heard(1),))
    assert asked.system == (
        "You are a clinical psychologist observing a person through a one-way mirror. "
        "You see their inner thoughts and physiological state. "
        "Provide brief, insightful observations about psychological patterns you notice. "
        "Be concise — 2-3 sentences max. Use clinical language but keep it accessible. "
        "Never address the person directly."
    )
    assert asked.user == (
        "Current psychological state:\n- Arousal: 0.72\n- Valence: -0.41\n- Energy: 0.55\n"
        "- Cognitive load: 0.63\n- Regulation: 0.38\n"
        "Active cognitive distortions: catastrophizing, mind_reading\n"
        "Active coping strategies: rumination\n"
        "Personality (Big Five): O 0.50, C 0.50, E 0.50, A 0.50, N 0.50\n"
        "Recent thoughts:\n1. [react, pain +] Thought 1.\n"
        "What patterns do you observe? Any concerns?"
    )


@proves("independent limit; empty buffer: none")
def test_the_observer_keeps_its_own_pace_and_says_nothing_about_nothing() -> None:
    reviewer = Reviewer()
    assert look(reviewer, 0) is None
    reviewer.add_thought(heard(0))
    assert look(reviewer, 0) is not None
    assert look(reviewer, MINUTE_US - 1) is None
    assert look(reviewer, MINUTE_US) is not None

    def fails(_: ReviewQuestion) -> str:
        raise ReviewError("no line", error_class="unreachable")

    seen = ObservedState(t_us=2 * MINUTE_US)
    failed = note_when_due(reviewer, seen, fails, person="ann", model="test")
    assert isinstance(failed, ReviewFailure)
    assert reviewer.last_us == 2 * MINUTE_US


@proves("Observation {content, timestamp}, [REVIEW] magenta")
def test_a_note_has_words_and_an_instant_and_is_shown_in_magenta() -> None:
    note = ReviewNote(
        person="ann", t_us=90 * MINUTE_US, content="Calm.", thoughts=(), model="composed"
    )
    assert (note.content, note.t_us) == ("Calm.", 90 * MINUTE_US)
    line = line_of(note)
    assert line.plain == "[REVIEW] 01:30:00 ann: Calm."
    assert [(part.start, part.end, part.style) for part in line.spans] == [(0, 8, "magenta")]


@proves("observation only, no influence")
def test_with_and_without_an_observer_a_life_is_the_same_to_the_byte(mind: Mind) -> None:
    made = mind("simulate", "new", "--name", "Ann", "--seed", "7", "--at", "15:00").stdout
    (mind.folder / "hurt.jsonl").write_bytes(
        b'{"kind":"event","at":"15:00:10","type":"injury","nrs":8,"class":"fracture"}\n'
    )
    seed = ("--set", "pacing=seed")
    run = ("simulate", "run", *seed, "--until", "15:10", "--every", "1m", "--events", "hurt.jsonl")
    watched, alone = (
        mind(*run, flag, stdin=made).stdout.splitlines() for flag in ("--review", "--no-review")
    )
    notes = [line for line in watched if b'"kind":"observation"' in line]
    assert len(notes) >= 9
    assert [line for line in watched if line not in notes] == alone
    assert sum(b'"kind":"thought"' in line for line in alone) >= 20


@proves("SQLite persistence")
def test_a_person_rests_in_the_store_and_goes_on_from_there_as_it_was(mind: Mind) -> None:
    made = mind("simulate", "new", "--name", "Ann", "--seed", "7", "--at", "12:00").stdout
    mind("init")
    mind("simulate", "new", "--store", "mind.db", "--name", "Ann", "--seed", "7", "--at", "12:00")
    for until in ("12:01", "12:02"):
        mind("simulate", "run", "--store", "mind.db", "--person", "ann", "--until", until)
    rested = mind("simulate", "run", "--store", "mind.db", "--until", "12:03", "--every", "1m")
    straight = mind("simulate", "run", "--until", "12:03", "--every", "3m", stdin=made)
    last, lived = (
        [line for line in ran.stdout.splitlines() if b'"kind":"state"' in line][-1]
        for ran in (rested, straight)
    )
    assert last == lived
