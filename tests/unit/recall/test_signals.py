"""What speaks for a row: words, surroundings, who speaks, what it is, how near it is in a graph."""

import math

from mindpipe.recall.query import understand
from mindpipe.recall.signals import (
    Candidate,
    CandidateRelations,
    Statistics,
    is_beside_the_person,
    is_mere_question,
    is_named,
    nearness,
    row_texts,
    tells_when,
    word_weights,
)

AT = "2024-06-10T12:00:00Z"


def row(
    number: int,
    text: str = "",
    *,
    session: str | None = "s",
    speaker: str | None = None,
    kind: str = "episodic",
) -> Candidate:
    """Return a candidate whose place is its number."""
    return Candidate(
        number=number,
        source="message" if kind in ("user", "assistant") else "item",
        ref=f"it_{number}",
        place=number,
        kind=kind,
        text=text,
        at=AT,
        learnt=AT,
        speaker=speaker,
        session=session,
    )


def weights(rows: list[Candidate], question: str, statistics: Statistics) -> list[dict[int, float]]:
    """Return what each word of a question weighs in rows."""
    return list(word_weights(row_texts(rows), understand(question, at=AT), statistics))


def test_a_word_is_one_from_its_first_letter() -> None:
    rows = [row(1, "a skylark"), row(2, "the lark, a lark"), row(3, "no_lark"), row(4, "larks")]
    (found,) = weights(rows, "larks?", Statistics(10, {"lark": 3}))
    assert sorted(found) == [1, 2, 3]
    assert found[1] > found[3]


def test_a_word_is_found_in_all_its_forms_and_nowhere_else() -> None:
    rows = [
        row(0, "We painted."),
        row(1, "The PAINTINGS hang"),
        row(2, "pain"),
        row(3, "paintbrush"),
    ]
    own, _ = weights(rows, "paint", Statistics(4, {"paint": 2}))
    assert set(own) == {0, 1}
    rows = [row(0, "She went home"), row(1, "gone"), row(2, "wentworth"), row(3, "a café")]
    assert [set(one) for one in weights(rows, "go", Statistics(4, {}))] == [{0, 1}]
    assert [set(one) for one in weights(rows, "cafe", Statistics(4, {}))] == [{3}]
    rows = [row(0, "its mobility"), row(1, "capable"), row(2, "capability"), row(3, "happiness")]
    assert [set(one) for one in weights(rows, "capability", Statistics(4, {}))] == [{1, 2}]
    assert [set(one) for one in weights(rows, "happy", Statistics(4, {}))] == [{3}]


def test_rare_words_short_rows_and_more_of_a_word_weigh_more() -> None:
    rows = [row(0, "kite"), row(1, "kite " * 2), row(2, "kite" + " and so on" * 9), row(3, "rain")]
    (rare,) = weights(rows, "kite", Statistics(1000, {"kite": 3}))
    (common,) = weights(rows, "kite", Statistics(1000, {"kite": 900}))
    assert rare[1] > rare[0] > rare[2] > common[0] > 0
    assert math.isclose(
        common[0] / rare[0], math.log(1 + 100.5 / 900.5) / math.log(1 + 997.5 / 3.5)
    )


def test_a_row_is_found_by_its_speaker_and_its_day() -> None:
    rows = [row(0, "Yes.", speaker="Noor Haddad"), row(1, "Yes.")]
    assert [set(one) for one in weights(rows, "noor june", Statistics(2, {}))] == [{0}, {0, 1}]


def test_each_layer_is_carried_to_neighbours_and_the_session_by_itself() -> None:
    rows = [
        *(row(number) for number in range(4)),
        row(5),
        row(6, session="t"),
        row(7, session=None),
    ]
    around = CandidateRelations(rows)
    one = around.carried([{0: 1.0}])
    assert one.own == [1.0, 0, 0, 0, 0, 0, 0]
    assert one.nearby == [0, 0.6, 0.4, 0, 0, 0, 0]
    assert one.session == [0.3, 0.3, 0.3, 0.3, 0.3, 0, 0]
    both = around.carried([{0: 1.0}, {2: 2.0}])
    assert both.nearby[1] == 0.6 + 1.2
    assert around.carried([{0: 1.0, 2: 2.0}]).nearby[1] == 1.2
    assert around.carried([{6: 1.0}]).totals() == [0, 0, 0, 0, 0, 0, 1.0]


def test_rows_of_other_sources_are_no_neighbours() -> None:
    around = CandidateRelations([row(0), row(1, kind="user")])
    assert around.carried([{0: 1.0}]).totals() == [1.3, 0]


def test_a_word_of_the_topic_counts_less_than_the_question_s_own() -> None:
    rows = [row(0, "I live here"), row(1, "a new flat"), row(2, "soup")]
    own, kin = weights(rows, "Where do they live?", Statistics(3, {"live": 1, "flat": 1}))
    assert set(own) == {0}
    assert set(kin) == {1}
    assert 0 < kin[1] < own[0]


def test_who_speaks_is_named_in_whole_or_in_part() -> None:
    words = frozenset(understand("What does Noor want from the user?", at=AT).words)
    assert is_named(row(0, speaker="Noor Haddad"), words)
    assert not is_named(row(0, speaker="Mia"), words)
    assert not is_named(row(0, speaker="user"), words)
    assert not is_named(row(0), words)


def test_an_assistants_words_stand_back_unless_they_are_asked_for() -> None:
    plain, yours = (understand(one, at=AT) for one in ("Which tea?", "Which tea did you suggest?"))
    for said in (row(0, speaker="assistant"), row(0, kind="assistant")):
        assert is_beside_the_person(plain, said)
        assert not is_beside_the_person(yours, said)
    for said in (row(0, speaker="user"), row(0, speaker="Mia"), row(0)):
        assert not is_beside_the_person(plain, said)


def test_what_a_text_is() -> None:
    assert is_mere_question("Tea? ")
    assert not is_mere_question("Tea.")
    assert not is_mere_question("I would like to have tea and to talk, " * 6 + "can you come?")
    assert tells_when("It was last week")
    assert not tells_when("It was fine")


def test_who_is_nearer_in_the_graph_has_more_of_the_walk() -> None:
    found = nearness([("mia", "noor"), ("noor", "oslo"), ("oslo", "ferry"), ("x", "y")], ["mia"])
    assert found["noor"] > found["oslo"] > found["ferry"] > 0
    assert "x" not in found
    assert math.isclose(sum(found.values()), 1)
    assert nearness([("mia", "noor")], []) == {}


def test_the_walk_over_two_entities_is_the_one_that_can_be_reckoned() -> None:
    # p = 0.15 + 0.85 q and q = 0.85 p.
    found = nearness([("mia", "noor")], ["mia"], rounds=500)
    assert math.isclose(found["mia"], 0.15 / (1 - 0.85**2), rel_tol=1e-6)
    assert nearness([], ["mia"])["mia"] == 1
