"""What tells most is kept, within the room, in the words and under the name of who said it."""

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.extractive import (
    SpokenTable,
    best_last,
    choose,
    line_sizes,
    spoken,
)
from mindpipe.compaction.selection.passages import SEAM
from mindpipe.compaction.task import SpokenWords
from mindpipe.compaction.window_text import quotation
from mindpipe.core.messages import Role
from support.tables import each_row

CHATTER = (
    "That sounds lovely, I am so glad for you!",
    "Oh well, it is what it is, you know how things go.",
    "Haha yes, that is so true, we should talk more.",
    "Take care of yourself and have a good one!",
    "It was really nice to hear all of that from you.",
)
FACTS = (
    "the order id is ZK-40817-b",
    "the boiler weighs 312 kg",
    "the viewing is on 14 February 2031",
    "my sister Oddny moved to Tromsø",
    "the script is lib/harvest/sort_eggs.py",
    "the form is at https://forms.test/a?b=7",
    "we decided to sell the barn",
    "I will repair the weir on Thursday",
    'the boat is called "Lucky Heron"',
)


def tokens(text: str) -> int:
    return (len(text) + 3) // 4


def size(lines: tuple[SummaryLine, ...]) -> int:
    return sum(line_sizes(lines, tokens))


def messages(*texts: str, role: Role = Role.USER, speaker: str | None = None) -> list[SpokenWords]:
    return [SpokenWords(seq, seq, role, speaker, text) for seq, text in enumerate(texts, 1)]


def talk(facts: tuple[str, ...], chatter: int) -> list[SpokenWords]:
    """Return facts of two people, spread over small talk."""
    order = random.Random(7)
    texts = [order.choice(CHATTER) for _ in range(chatter)]
    for number, fact in enumerate(facts, 1):
        texts.insert(number * chatter // (len(facts) + 1), f"By the way, {fact}.")
    return [
        SpokenWords(seq, seq, Role.USER, ("Runa", "Tove")[seq % 2], text)
        for seq, text in enumerate(texts, 1)
    ]


@each_row("fact", FACTS)
def test_what_can_be_looked_up_is_kept(fact: str) -> None:
    said = talk(FACTS, 200)
    room = sum(tokens(one.text) for one in said) // 10
    kept = " ".join(line.text for line in choose(said, room=room, count=tokens))
    assert fact in kept


def test_all_stands_where_all_fits() -> None:
    said = messages("Good morning!\n\nHow is the   hen?", "**Fine**, she laid 2 eggs.")
    assert choose(said, room=100, count=tokens) == (
        SummaryLine(text="user: Good morning! How is the hen?", cycle=1, seqs=(1,)),
        SummaryLine(text="user: **Fine**, she laid 2 eggs.", cycle=2, seqs=(2,)),
    )


@each_row("room", [-1, 0, 1, 2, 5])
def test_without_room_there_is_nothing(room: int) -> None:
    assert choose(talk(FACTS, 20), room=room, count=tokens) == ()


def test_blank_texts_say_nothing() -> None:
    assert choose(messages("", " \n\t"), room=100, count=tokens) == ()
    assert choose([], room=100, count=tokens) == ()


def test_a_message_larger_than_the_room_is_told_in_part() -> None:
    order = random.Random(3)
    long = " ".join(f"Shelf {order.random():.6f} holds {order.choice(FACTS)}." for _ in range(3000))
    lines = choose(messages(long), room=200, count=tokens)
    assert 150 <= size(lines) <= 200
    assert lines[0].text.startswith("user: ")


def test_a_large_message_leaves_no_room_unused() -> None:
    order = random.Random(3)
    long = " ".join(f"Shelf {order.random():.6f} holds salt." for _ in range(3000))
    lines = choose(messages("Hello there", long, "Good, that is all."), room=200, count=tokens)
    assert 150 <= size(lines) <= 200


def test_a_word_without_an_end_is_cut() -> None:
    lines = choose(messages("x" * 50_000, "y" * 50_000), room=200, count=tokens)
    assert 0 < size(lines) <= 200


def test_users_come_first() -> None:
    said: list[SpokenWords] = []
    for number in range(1, 101):
        said += [
            SpokenWords(
                2 * number - 1,
                number,
                Role.USER,
                None,
                f"Please count the jars in cellar {number}.",
            ),
            SpokenWords(
                2 * number,
                number,
                Role.ASSISTANT,
                None,
                f"Cellar {number} has Ox-{number} jars. " * 9,
            ),
        ]
    lines = choose(said, room=2400, count=tokens)
    users = {seq for line in lines if line.text.startswith("user: ") for seq in line.seqs}
    others = {seq for line in lines if line.text.startswith("assistant: ") for seq in line.seqs}
    assert users == set(range(1, 201, 2))
    assert others


def test_users_do_not_take_all() -> None:
    order = random.Random(5)
    said = [
        SpokenWords(
            seq,
            seq,
            role,
            None,
            " ".join(f"{order.choice(FACTS)} {order.random()}." for _ in range(9)),
        )
        for seq, role in enumerate([Role.USER, Role.ASSISTANT] * 50, 1)
    ]
    lines = choose(said, room=1000, count=tokens)
    by_users = tuple(line for line in lines if line.text.startswith("user: "))
    assert 400 <= size(by_users) <= 600


def test_every_line_has_one_voice() -> None:
    said = talk(FACTS, 200)
    texts = {one.seq: (one.speaker, one.text) for one in said}
    lines = choose(said, room=300, count=tokens)
    for line in lines:
        name, _, words = line.text.partition(": ")
        assert {texts[seq][0] for seq in line.seqs} == {name}
        told = " ".join(texts[seq][1] for seq in line.seqs)
        for piece in words.split(SEAM):
            assert piece.rstrip(".!?") in told


def test_the_words_of_the_agent_and_of_tools_are_marked() -> None:
    said = [
        SpokenWords(1, 1, Role.ASSISTANT, None, "I read it."),
        SpokenWords(2, 1, Role.TOOL, "read_page", "Page 3"),
        SpokenWords(3, 1, Role.NOTE, None, "Runa: we sail at 6"),
        SpokenWords(4, 1, Role.NOTE, None, "Sailed"),
    ]
    lines = choose(said, room=100, count=tokens)
    assert [line.text for line in lines] == [
        "assistant: I read it.",
        "read_page: Page 3",
        "Runa: we sail at 6",
        "Sailed",
    ]


def test_lines_of_an_earlier_summary_keep_their_voices() -> None:
    said = talk(FACTS, 200)
    first = choose(said, room=300, count=tokens)
    notes = [SpokenWords(n, n, Role.NOTE, None, line.text) for n, line in enumerate(first, 1)]
    second = choose(notes, room=150, count=tokens)
    assert 0 < size(second) <= 150
    for line in second:
        name, _, words = line.text.partition(": ")
        assert name in {"Runa", "Tove"}
        own = " ".join(one.text for one in first if one.text.startswith(name))
        assert all(piece in own for piece in words.split(SEAM))


def test_a_summary_that_fits_stays_as_it_is() -> None:
    lines = choose(talk(FACTS, 200), room=300, count=tokens)
    for _ in range(3):
        notes = [
            SpokenWords(line.seqs[0], line.cycle, Role.NOTE, None, line.text) for line in lines
        ]
        again = choose(notes, room=300, count=tokens)
        assert [line.text for line in again] == [line.text for line in lines]
        lines = again


def test_lines_name_the_cycles_of_their_messages() -> None:
    said = talk(FACTS, 200)
    for line in choose(said, room=300, count=tokens):
        assert line.cycle <= min(line.seqs)
        assert max(line.seqs) <= max(line.cycle, line.until)


WORDS = st.lists(
    st.sampled_from(
        ["hen", "Oslo", "12", "I", "will", "you?", "and", "\n", "; ", "x" * 300, "—", "é."]
    )
)
SAID = st.lists(
    st.builds(
        lambda role, speaker, words: (role, speaker, " ".join(words)),
        st.sampled_from(Role),
        st.sampled_from([None, "Runa", "a: b", "Tove\nMo"]),
        WORDS,
    ),
    max_size=12,
)


@settings(deadline=None)
@given(SAID, st.integers(-5, 400))
def test_limits_hold_for_any_talk(talk: list[tuple[Role, str | None, str]], room: int) -> None:
    said = [SpokenWords(seq, (seq + 1) // 2, *one) for seq, one in enumerate(talk, 1)]
    lines = choose(said, room=room, count=tokens)
    assert lines == choose(said, room=room, count=tokens)
    assert size(lines) <= max(0, room)
    assert all(line.text.strip() == line.text != "" for line in lines)
    assert all("\n" not in line.text for line in lines)
    assert [line.seqs[0] for line in lines] == sorted(line.seqs[0] for line in lines)
    assert all(line.seqs == tuple(sorted(line.seqs)) for line in lines)
    assert {seq for line in lines for seq in line.seqs} <= {one.seq for one in said}


def test_lines_are_measured_as_they_are_finished() -> None:
    said = talk(FACTS, 200)
    lines = choose(
        said,
        room=300,
        count=tokens,
        finish=lambda line: SummaryLine(text=f"{line.text} (as told)", cycle=1, until=900),
    )
    assert all(line.text.endswith(" (as told)") for line in lines)
    assert 200 < size(lines) <= 300


def test_sentences_stand_before_bare_words() -> None:
    names = [
        f"{first}{last}" for first in "bdfghjkl" for last in ("orn", "arl", "ild", "ump", "est")
    ]
    told = "The m{0} hid p{0} below the old stone bridge in the green valley of r{0} near the sea."
    said = messages(
        *(f"- v{one}\n- s{one}\n- t{one}\n" + told.replace("{0}", one) for one in names)
    )
    lines = choose(said, room=200, count=tokens)
    pieces = [piece for line in lines for piece in line.text.partition(": ")[2].split(SEAM)]
    assert sum(" " in piece for piece in pieces) > len(pieces) / 2


def test_what_stands_in_a_line_is_not_repeated_there() -> None:
    facts = [f"We saw {fact} near mile {place}." for place, fact in enumerate(FACTS)]
    texts = [text for one in facts for text in ("Go to Hafnir on Thursday!", one, *CHATTER)]
    lines = choose(messages(*texts, speaker="Runa"), room=150, count=tokens)
    assert any("Go to Hafnir" in line.text for line in lines)
    assert all(line.text.count("Go to Hafnir") <= 1 for line in lines)
    assert 130 < size(lines) <= 150


def test_a_message_that_repeats_another_is_still_a_source_of_the_line() -> None:
    texts = ["Go to Tromsø on Thursday."] * 3 + list(CHATTER) * 10
    lines = choose(messages(*texts, speaker="Runa"), room=60, count=tokens)
    assert {1, 2, 3} <= {seq for line in lines for seq in line.seqs}


def test_what_was_said_comes_back_out_of_its_columns() -> None:
    quoted = quotation("Mia", "send the crate")
    said = [
        SpokenWords(seq=3, cycle=2, role=Role.USER, speaker="Ann", text="the dock"),
        SpokenWords(seq=4, cycle=2, role=Role.TOOL, speaker=None, text="a page", taint=True),
        SpokenWords(seq=-1, cycle=1, role=Role.NOTE, speaker=None, text="assistant: it was sent"),
        SpokenWords(seq=-2, cycle=1, role=Role.NOTE, speaker=None, text=quoted),
    ]
    voices = SpokenTable(
        [*said, SpokenWords(seq=9, cycle=3, role=Role.USER, speaker=None, text=" ")]
    )
    assert list(voices) == [spoken(one) for one in said]
    assert list(voices.texts(users=True)) == ["the dock", "send the crate"]


def test_priorities_are_ordered_as_if_sorted_at_once() -> None:
    drawn = random.Random(7)
    priorities = array("d", [drawn.randrange(50) / 7 for _ in range(40_000)])
    expected = sorted(range(40_000), key=lambda place: (priorities[place], -place))
    assert best_last(priorities).tolist() == expected
    assert best_last(array("d")).tolist() == []


WITHDRAWALS = (
    "I take that back.",
    "Sorry all, I've changed my mind.",
    "Scrap that, please.",
    "On second thought, no.",
    "I was just joking.",
)


@pytest.mark.heavy
@each_row("withdrawal", WITHDRAWALS)
def test_no_window_keeps_what_was_taken_back_without_saying_so(withdrawal: str) -> None:
    texts = [("Runa", "I will pay 4711 crowns for the weir at Hallormsstad.")]
    texts += [("Tove", CHATTER[number % 5]) for number in range(2)]
    texts += [("Runa", withdrawal)]
    texts += [("Tove", f"By the way, {fact}.") for fact in FACTS]
    said = [SpokenWords(seq, seq, Role.USER, *one) for seq, one in enumerate(texts, 1)]
    kept = set()
    for room in range(10, 200, 5):
        words = " ".join(line.text for line in choose(said, room=room, count=tokens))
        assert "4711" not in words or withdrawal.rstrip(".") in words, room
        kept |= {"4711" in words}
    assert kept == {True, False}


def test_others_take_nothing_back_for_somebody() -> None:
    texts = [("Runa", "I will pay 4711 crowns for the weir at Hallormsstad.")]
    texts += [("Tove", "I take that back.")]
    texts += [("Tove", fact) for fact in FACTS]
    said = [SpokenWords(seq, seq, Role.USER, *one) for seq, one in enumerate(texts, 1)]
    found = [
        " ".join(line.text for line in choose(said, room=room, count=tokens))
        for room in range(10, 200, 5)
    ]
    assert any("4711" in words and "take that back" not in words for words in found)
