"""What a speaker says to be over stands for what he said of it, until he tells of it anew."""

from mindpipe.recall.endings import endings, things_in
from mindpipe.recall.signals import Candidate

HAD = ("a1", "2024-01-05", "my car is a red Skoda")
EARNED = ("a1", "2024-01-05", "the shifts at Aldi pay for it all")


def row(ref: str, day: str, text: str, *, speaker: str = "Mia", source: str = "item") -> Candidate:
    """Return a candidate of a day, which numbers it too."""
    at = f"{day}T09:00:00Z"
    known = {"number": int(day[-2:]), "source": source, "ref": ref, "place": 0, "kind": "note"}
    return Candidate(**{**known, "text": text, "at": at, "learnt": at, "speaker": speaker})  # type: ignore[arg-type]


def marked(
    *told: Candidate, of: tuple[str, str, str] = HAD, thing: str = "skoda"
) -> list[tuple[str, str]]:
    """Return what ends what: the ids of the older item and of the newer."""
    found = endings([row(*of)], told, things={thing})
    return [(one.old, one.new) for one in found]


def test_who_is_rid_of_a_thing_ends_what_named_it() -> None:
    assert marked(row("a2", "2024-01-09", "sold the Skoda to Tom")) == [("a1", "a2")]
    left = row("a2", "2024-01-09", "I don't work at Aldi any more.")
    assert marked(left, of=EARNED, thing="aldi") == [("a1", "a2")]


def test_others_questions_and_what_came_before_end_nothing() -> None:
    sold = row("a2", "2024-01-09", "sold the Skoda to Tom")
    assert marked(sold._replace(speaker="Tom")) == []
    assert marked(sold._replace(at="2024-01-01T09:00:00Z")) == []
    assert marked(sold._replace(source="message")) == []
    assert marked(sold._replace(text="Should I have sold the Skoda?")) == []
    assert marked(sold._replace(text="washed the Skoda")) == []
    assert marked(sold, thing="red") == []


def test_who_likes_a_thing_no_more_has_it_still() -> None:
    assert marked(row("a2", "2024-01-09", "I hate the Skoda now.")) == []


def test_what_is_told_of_anew_is_not_over() -> None:
    left = row("a2", "2024-01-09", "I quit Aldi.")
    again = row("a3", "2024-01-12", "I work at Aldi.")
    assert marked(left, again, of=EARNED, thing="aldi") == []
    later = left._replace(at="2024-01-15T09:00:00Z")
    assert marked(again, later, of=EARNED, thing="aldi") == [("a1", "a2")]


def test_things_are_named_by_the_words_of_short_items() -> None:
    rows = [row(*HAD), row("m", "2024-01-06", "a blue Saab", source="message")]
    assert things_in(rows, beside={"car"}) == ["red", "skoda"]
