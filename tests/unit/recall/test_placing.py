"""The new stands above the old, both sides of a contradiction together, and nothing is lost."""

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.knowledge.records import BeliefMark
from mindpipe.recall.query import ParsedQuery, understand
from mindpipe.recall.ranking import Ranked, place
from mindpipe.recall.records import EntrySource
from mindpipe.recall.signals import Candidate

AT = "2024-06-10T12:00:00Z"
NOW = understand("Where is the boat?", at=AT)
COURSE = understand("How did it go over time?", at=AT)


def found(scores: dict[str, float], *, source: EntrySource = "item") -> list[Ranked]:
    """Return candidates with their scores; without one nothing leads there."""
    return [
        Ranked(
            Candidate(
                number=number,
                source=source,
                ref=ref,
                place=0,
                kind="note",
                text=ref,
                at=AT,
                learnt=AT,
            ),
            score,
            {"words": score} if score else {"significance": 0.01},
        )
        for number, (ref, score) in enumerate(scores.items())
    ]


def mark(relation: Literal["supersedes", "contradicts"], old: str, new: str) -> BeliefMark:
    """Return a mark."""
    return BeliefMark(relation=relation, old=old, new=new, at=AT, by="verdict")


def placed(
    scores: dict[str, float],
    *marks: BeliefMark,
    asked: ParsedQuery = NOW,
    source: EntrySource = "item",
) -> str:
    """Return the refs in the order in which they are placed."""
    rows = place(found(scores, source=source), marks, asked)
    return "".join(one.candidate.ref for one in rows)


def test_the_old_gives_its_place_to_the_newest_and_stands_right_below() -> None:
    scores = {"a": 0.9, "b": 0.8, "c": 0.3, "d": 0.2}
    assert placed(scores) == "abcd"
    assert placed(scores, mark("supersedes", "a", "d")) == "dabc"
    chain = (mark("supersedes", "a", "c"), mark("supersedes", "c", "d"))
    assert placed(scores, *chain) == "dcab"


def test_what_consolidation_found_superseded_moves_no_item_that_says_much_more() -> None:
    rows = found({"a": 0.9, "b": 0.8, "c": 0.3})
    own = BeliefMark(relation="supersedes", old="a", new="c", at=AT)
    much = rows[0]._replace(candidate=rows[0].candidate._replace(text="It is at the pier. " * 9))
    assert [one.candidate.ref for one in place(rows, [own], NOW)] == ["c", "a", "b"]
    assert [one.candidate.ref for one in place([much, *rows[1:]], [own], NOW)] == [
        "a",
        "b",
        "c",
    ]
    verdict = mark("supersedes", "a", "c")
    (first, *_) = place([much, *rows[1:]], [verdict], NOW)
    assert first.candidate.ref == "c"


def test_what_backs_a_belief_stands_right_below_it() -> None:
    rows = found({"a": 0.9, "b": 0.8, "c": 0.3})
    (belief,) = found({"ob": 0.85}, source="observation")
    belief = belief._replace(candidate=belief.candidate._replace(number=9))
    order = place([*rows, belief], [], NOW, backing={"ob": "c", "b": "a"})
    assert [one.candidate.ref for one in order] == ["a", "ob", "c", "b"]


def test_what_takes_back_what_was_said_right_before_stands_above_it() -> None:
    rows = found({"a": 0.9, "b": 0.8, "c": 0.3})
    texts = ("The boat is called Vega.", "Sold it in May.", "Sorry, other way about: Mira.")
    said = [
        one._replace(candidate=one.candidate._replace(text=text, session="day", place=place))
        for one, text, place in zip(rows, texts, (1, 7, 2), strict=True)
    ]
    assert [one.candidate.ref for one in place(said, [], NOW)] == ["c", "a", "b"]
    # So it does where a belief stands on what it takes back; what comes later takes nothing back.
    (belief,) = found({"x": 1.0}, source="observation")
    belief = belief._replace(candidate=belief.candidate._replace(number=9))
    above = place([belief, *said], [], NOW, backing={"x": "a"})
    assert [one.candidate.ref for one in above] == ["c", "x", "a", "b"]
    later = said[2]._replace(candidate=said[2].candidate._replace(place=3))
    assert [one.candidate.ref for one in place([*said[:2], later], [], NOW)] == [
        "a",
        "b",
        "c",
    ]


def test_what_stands_lower_anyhow_stays_where_it_is() -> None:
    assert placed({"a": 0.9, "b": 0.8, "c": 0.1}, mark("supersedes", "c", "a")) == "abc"


def test_of_how_things_went_the_old_tells_as_much() -> None:
    scores = {"a": 0.9, "b": 0.8}
    assert placed(scores, mark("supersedes", "a", "b"), asked=COURSE) == "ab"


def test_who_asks_what_lies_between_two_times_finds_both_where_they_are() -> None:
    scores = {"a": 0.9, "b": 0.8, "d": 0.2}
    asked = understand("How many days lie between the review and the talk?", at=AT)
    assert placed(scores, mark("supersedes", "a", "d"), asked=asked) == "abd"


def said(**texts: str) -> list[Ranked]:
    """Return items that say something, a day after each other, each a little less fitting."""
    scores = {ref: 1 - 0.1 * place for place, ref in enumerate(texts)}
    return [
        one._replace(
            candidate=one.candidate._replace(
                text=texts[one.candidate.ref], at=f"2024-05-{10 + place}T12:00:00Z"
            )
        )
        for place, one in enumerate(found(scores))
    ]


def order(question: str, rows: list[Ranked]) -> str:
    """Return the refs of items in the order in which a question finds them."""
    asked = understand(question, at=AT)
    return "".join(one.candidate.ref for one in place(rows, [], asked))


def test_items_that_open_alike_may_tell_of_different_things() -> None:
    rows = said(
        a="My sister is a surgeon at a hospital in Leeds.",
        b="My sister is allergic to nuts.",
    )
    assert order("Is my sister currently a surgeon at a hospital in Leeds?", rows) == "ab"


def test_the_other_side_comes_along_right_below_from_wherever_it_is() -> None:
    scores = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.0}
    assert placed(scores, mark("contradicts", "a", "d")) == "adbc"
    assert placed(scores, mark("contradicts", "d", "b"), asked=COURSE) == "abdc"


def test_what_nothing_leads_to_comes_along_or_not_at_all() -> None:
    scores = {"a": 0.9, "b": 0.0, "c": 0.0}
    assert placed(scores, mark("supersedes", "a", "b")) == "ba"
    assert placed(scores, mark("contradicts", "b", "c")) == "a"


def test_two_sides_that_both_fit_support_each_other_where_it_is_asked_how_things_are() -> None:
    scores = {"a": 0.90, "b": 0.85, "c": 0.80}
    both = mark("contradicts", "b", "c")
    assert placed(scores, both) == "bca"
    assert placed(scores, both, asked=COURSE) == "abc"
    assert placed({"a": 0.90, "b": 0.85, "c": 0.10}, both) == "abc"
    (first, *_) = place(found(scores), [both], NOW)
    assert first.signals["other side"] == 0.1 * 0.80
    assert first.score == 0.85 + 0.1 * 0.80


def test_where_days_are_asked_for_what_is_not_of_them_is_not_lifted_above_what_is() -> None:
    asked = understand("Where was the boat in May?", at=AT)
    rows = [
        one._replace(candidate=one.candidate._replace(at=at))
        for one, at in zip(
            found({"a": 0.9, "b": 0.8, "c": 0.7}),
            ("2024-05-03T12:00:00Z", "2024-05-09T12:00:00Z", AT),
            strict=True,
        )
    ]

    def refs(*marks: BeliefMark) -> str:
        return "".join(one.candidate.ref for one in place(rows, marks, asked))

    assert refs(mark("supersedes", "a", "c")) == "abc"
    assert refs(mark("supersedes", "b", "c"), mark("contradicts", "a", "c")) == "abc"
    assert refs(mark("supersedes", "a", "b")) == "bac"
    assert refs(mark("supersedes", "c", "b")) == "abc"


def test_marks_bear_on_items_and_on_candidates_alone() -> None:
    marks = (mark("supersedes", "a", "b"), mark("contradicts", "a", "x"))
    assert placed({"a": 0.9, "b": 0.8}, *marks, source="message") == "ab"
    assert placed({"a": 0.9}, *marks) == "a"


_REFS = st.sampled_from("abcdef")
_MARKS = st.lists(
    st.builds(mark, st.sampled_from(["supersedes", "contradicts"]), _REFS, _REFS), max_size=8
)


@given(st.lists(_REFS, unique=True, min_size=1), _MARKS)
def test_whatever_the_marks_all_is_there_once(order: list[str], marks: list[BeliefMark]) -> None:
    scores = {ref: 1 - number / 10 for number, ref in enumerate(order)}
    assert sorted(placed(scores, *marks)) == sorted(order)


def talk(*rows: tuple[str, str, float]) -> str:
    """Return the first letters of rows of one talk, by speaker, text and score, as placed."""
    (one,) = found({"": 1.0})
    said = [
        Ranked(
            one.candidate._replace(
                number=at, ref=text, text=text, speaker=speaker, session="s", place=at
            ),
            score,
            {"words": score},
        )
        for at, (speaker, text, score) in enumerate(rows)
    ]
    return "".join(each.candidate.text[0] for each in place(said, [], NOW))


def test_a_slip_is_taken_back_over_what_others_answer_to_it() -> None:
    told = ("ana", "1 The boat leaves at nine.", 3.0)
    heard = ("assistant", "2 It is noted.", 2.0)
    meant = ("ana", "no hang on, ten", 1.0)
    other = ("bo", "3 The boat is red.", 2.5)
    assert talk(told, meant) == "n1"
    assert talk(told, heard, meant) == "n12"
    assert talk(told, heard, other, meant) == "n132"
    assert talk(told, heard, other, heard, meant) == "13n2"
    assert talk(heard, ("bo", "make that ten", 1.0)) == "m2"
