"""The observer's notes rest in the store, one for each person and instant."""

from pathlib import Path

import msgspec

from mindpipe.review import verbs as review
from mindpipe.review.records import ReviewNote
from mindpipe.store.access import open_store
from support.command import Mind, looked_into


def observation(t_us: int, *, person: str = "ann", content: str = "A note.") -> ReviewNote:
    return ReviewNote(
        person=person,
        t_us=t_us,
        content=content,
        thoughts=(f"th:{person}:{t_us}",),
        model="composed",
        composed=True,
    )


def notes(mind: Mind, person: str) -> list[ReviewNote]:
    """Return the notes on a person as the store has them, oldest first."""
    with looked_into(mind.folder) as store:
        bodies = store.execute(
            "SELECT body FROM person_observation WHERE person = ? ORDER BY t_us", (person,)
        )
        return [msgspec.json.decode(body, type=ReviewNote) for (body,) in bodies]


def test_notes_come_back_as_they_were_oldest_first(mind_with_store: Mind) -> None:
    store = open_store(Path(mind_with_store.folder, "mind.db"))
    kept = [observation(120), observation(-60), observation(60, person="ben")]
    for one in kept:
        review.keep_note(store, one)
    assert notes(mind_with_store, "ann") == [kept[1], kept[0]]
    assert notes(mind_with_store, "ben") == [kept[2]]
    assert notes(mind_with_store, "eve") == []


def test_the_latest_look_is_known(mind_with_store: Mind) -> None:
    store = open_store(Path(mind_with_store.folder, "mind.db"))
    assert review.last_look_us(store, person="ann") is None
    review.keep_note(store, observation(120))
    review.keep_note(store, observation(60))
    assert review.last_look_us(store, person="ann") == 120


def test_a_note_takes_the_place_of_one_at_the_same_instant(mind_with_store: Mind) -> None:
    store = open_store(Path(mind_with_store.folder, "mind.db"))
    review.keep_note(store, observation(60))
    review.keep_note(store, observation(60, content="Another."))
    assert [one.content for one in notes(mind_with_store, "ann")] == ["Another."]
