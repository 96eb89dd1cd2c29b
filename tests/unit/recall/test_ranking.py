"""Answers stand in the order of one sum of signals, each of which can be seen."""

import math

from mindpipe.recall.query import understand
from mindpipe.recall.ranking import Ranked, rank, reasons
from mindpipe.recall.signals import WEIGHTS, Candidate, Statistics

AT = "2024-06-10T12:00:00Z"
KITE = Statistics(100, {"kite": 3})


def row(ref: str, text: str = "a kite", **more: object) -> Candidate:
    """Return a candidate that stands alone, of the day of the question."""
    known = {"number": 1, "source": "item", "ref": ref, "place": 0, "kind": "note", "text": text}
    return Candidate(**{**known, "at": AT, "learnt": AT, **more})  # type: ignore[arg-type]


def ranked(question: str, *rows: Candidate, near: dict[str, float] | None = None) -> list[Ranked]:
    """Return rows as they are ranked."""
    return rank(understand(question, at=AT), rows, KITE, at=AT, near=near)


def refs(question: str, *rows: Candidate, near: dict[str, float] | None = None) -> list[str]:
    """Return rows in their order, by ref."""
    return [one.candidate.ref for one in ranked(question, *rows, near=near)]


def test_the_score_is_the_sum_of_what_is_shown() -> None:
    first, second = ranked(
        "When did Mia fly the kite?",
        row("one", "yesterday a kite", speaker="Mia", number=2),
        row("two", "kite, and that for a long time"),
    )
    assert math.isclose(first.score, sum(first.signals.values()))
    assert ranked("Kite?", row("one"))[0].signals["words"] == WEIGHTS["words"]
    assert 0.9 < first.signals["words"] < WEIGHTS["words"]  # No row says that it flies.
    assert first.signals["named"] == WEIGHTS["named"]
    assert first.signals["tells when"] == WEIGHTS["tells when"]
    assert 0 < second.signals["words"] < first.signals["words"]
    assert reasons(first) == "words, named, tells when"


def test_each_signal_moves_a_row_past_one_that_is_alike() -> None:
    plain = row("plain", number=9)
    assert refs("Which kite?", plain, row("it", dense=0.2)) == ["it", "plain"]
    assert refs("What did Noor say of a kite?", plain, row("it", speaker="Noor"))[0] == "it"
    assert refs("Which kite?", row("it", speaker="assistant", number=9), row("plain"))[0] == "plain"
    older = row("plain", at="2024-05-01T12:00:00Z", number=9)
    assert refs("Which kite is it now?", older, row("it", at="2024-05-02T12:00:00Z"))[0] == "it"
    assert refs("Which kite was it at first?", row("it", number=9), older)[0] == "plain"
    held = row("it", "Noor flies a kite.", source="observation", subject="noor", number=1)
    assert refs("Does Noor have a kite?", row("plain", speaker="Noor"), held)[0] == "it"
    boat = row("plain", "a boat", speaker="Noor")
    assert refs("Does Noor have a boat?", held, boat)[0] == "plain"
    assert refs("Where is your home?", row("plain", "a kite"), row("it", "a flat"))[0] == "it"
    assert refs('Who said "a kite so red"?', plain, row("it", "a kite so red"))[0] == "it"
    assert refs("Which kite in May 2023?", plain, row("it", at="2023-05-31T23:00:00Z"))[0] == "it"
    assert refs("Which kite?", row("it", "a kite?", number=9), row("plain"))[0] == "plain"
    somehow = row("plain", "obviously a kite", number=9)
    assert refs("When was the kite?", somehow, row("it", "yesterday a kite"))[0] == "it"
    assert refs("Which kite?", plain, row("it", significance=9.0))[0] == "it"
    assert refs("Which kite?", row("it", at="2024-01-01T00:00:00Z", number=9), row("plain"))[0] == (
        "plain"
    )
    assert refs("Which kite?", plain, row("it", entities=("Noor",)), near={"noor": 0.1})[0] == "it"


def test_a_question_says_whether_the_newer_or_the_older_is_meant() -> None:
    old = row("old", "a kite, the kite", at="2024-01-01T12:00:00Z")
    new = row("new", at="2024-05-01T12:00:00Z")
    assert refs("Which kite does she fly these days?", old, new) == ["new", "old"]
    assert refs("Which kite did she fly before?", new, old) == ["old", "new"]
    assert refs("Which kite did she fly?", old, new) == ["old", "new"]


def test_what_was_so_before_is_what_something_newer_took_the_place_of() -> None:
    beside = row("beside", "a kite, the kite", speaker="Noor", at="2024-01-01T12:00:00Z", number=3)
    old = row("old", "my kite is red", speaker="Noor", at="2024-02-01T12:00:00Z", number=2)
    other = row("other", "a boat", speaker="Noor", at="2024-01-01T12:00:00Z")
    asked = understand("Which kite did Noor use to fly?", at=AT)
    gone = frozenset({"old", "other"})
    found = rank(asked, [beside, old, other], KITE, at=AT, superseded=gone)
    assert [one.candidate.ref for one in found][:2] == ["old", "beside"]
    now = rank(understand("Noor's kite?", at=AT), [beside, old], KITE, at=AT, superseded=gone)
    assert "was so" not in now[1].signals


def test_what_is_held_now_is_no_answer_to_what_was_so_before() -> None:
    held = row("held", "Noor has a red kite.", source="observation", subject="Noor", number=1)
    said = row("said", "my blue kite", speaker="Noor", at="2024-01-01T12:00:00Z", number=2)
    assert refs("Which kite does Noor have?", said, held) == ["held", "said"]
    asked = "Which kite did Noor have before she got another?"
    assert refs(asked, said, held) == ["said", "held"]


def test_who_asks_of_himself_finds_what_is_held_first() -> None:
    held = row("held", "Noor has a red kite.", source="observation", subject="Noor", number=1)
    said = row("said", "a kite, a kite", number=2)
    assert refs("Which kite do I have?", said, held) == ["held", "said"]
    assert refs("Which kite?", said, held) == ["said", "held"]
    assert refs("Which kite of Mia's do I have?", said, held) == ["said", "held"]


def test_of_what_answers_alike_the_later_stands_first_where_the_present_is_meant() -> None:
    old = row("old", "my kite is a red one", speaker="Noor", at="2024-01-01T12:00:00Z")
    new = row("new", "since the storm is over my kite is a blue one", speaker="Noor", number=2)
    assert refs("Which kite does Noor have?", old, new) == ["new", "old"]
    assert refs("Which kite did Noor have?", old, new) == ["old", "new"]
    first, second = ranked("Which kite does Noor have?", old, new)
    assert math.isclose(first.score, sum(first.signals.values()))
    assert math.isclose(second.score, sum(second.signals.values()))
    both = old._replace(text="a kite that I fly"), new._replace(text="they fly my kite and others")
    assert refs("Which kite does Noor fly?", *both) == ["new", "old"]
    # Others speak of their own, a question says nothing, and a long text says much besides.
    for beside in (
        new._replace(speaker="Mia"),
        new._replace(text=f"{new.text}?"),
        new._replace(text=f"{new.text}, and {'so on and ' * 20}"),
        new._replace(text="a new one, and it is blue"),
        new._replace(text="since the storm is over there is somebody who flies his kite"),
    ):
        assert refs("Which kite does Noor have?", old, beside)[0] == "old"


def test_what_is_held_no_longer_stands_no_higher_than_what_was_said() -> None:
    held = row("held", "Noor has a red kite.", source="observation", subject="Noor", number=1)
    said = row("said", "a kite, a kite", speaker="Noor", number=2)
    assert refs("Which kite does Noor have?", said, held) == ["held", "said"]
    assert refs("Which kite does Noor have?", said, held._replace(held=False)) == ["said", "held"]


def test_what_is_held_on_less_than_half_of_the_matter_is_no_answer() -> None:
    held = row("held", "Noor likes kites.", source="observation", subject="Noor")
    (half,) = ranked("Which kite does Noor fly?", held)
    (less,) = ranked("Which string does Noor knot to a kite?", held)
    assert half.signals["believed"] == WEIGHTS["believed"]
    assert "believed" not in less.signals
    # A word that leads to one of the question is one of it.
    flat = held._replace(text="Noor has a flat.")
    (found,) = ranked("Where does Noor live?", flat)
    assert found.signals["believed"] == WEIGHTS["believed"]


def test_a_figure_that_a_question_gives_is_not_what_it_asks_after() -> None:
    held = row("held", "Vega is at version 5.3.", source="observation", subject="Vega", number=1)
    (given,) = ranked("Which kite is on the page that uses Vega 5.3?", held)
    (asked,) = ranked("Which version is Vega 5.3?", held)
    assert "believed" not in given.signals
    assert asked.signals["believed"] == WEIGHTS["believed"]


def test_a_quoted_phrase_is_whole_words_side_by_side() -> None:
    (found,) = ranked('Was the "art" of kite flying there?', row("it", "the party had a kite"))
    assert "quoted" not in found.signals


def test_of_equals_the_newer_row_comes_first() -> None:
    assert refs("Which kite?", row("old", number=1), row("new", number=2)) == ["new", "old"]


def test_a_silent_signal_takes_nothing_away() -> None:
    rows = [row("one", number=2), row("two", "kite and more of it")]
    without = {one.candidate.ref: one.score for one in ranked("Which kite?", *rows)}
    (first, *_) = ranked("Which kite?", rows[0]._replace(dense=None), rows[1]._replace(dense=-0.2))
    assert first.score == without["one"]


def test_what_only_the_rows_beside_it_lead_to_is_found_and_what_nothing_leads_to_is_not() -> None:
    rows = [
        row("told", session="s", place=1),
        row("beside", "Yes.", session="s", place=2),
        row("apart", "No.", number=3),
    ]
    found = {one.candidate.ref: one for one in ranked("Which kite?", *rows)}
    assert found["beside"].signals["words nearby"] > 0
    assert found["beside"].signals["words in its session"] > 0
    assert found["beside"].speaks
    assert not found["apart"].speaks


def test_no_candidates_and_no_words_are_no_trouble() -> None:
    assert ranked("Which kite?") == []
    (only,) = ranked("?", row("one"))
    assert not only.speaks
