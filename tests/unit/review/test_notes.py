"""The observer's notes rest in the store, one for each person and instant."""

from pathlib import Path

from mindpipe.review import verbs as review
from mindpipe.review.records import ReviewNote
from mindpipe.store.access import open_store
from support.command import Mind


def observation(t_us: int, *, person: str = "ann", content: str = "A note.") -> ReviewNote:
    return ReviewNote(
        person=person,
        t_us=t_us,
        content=content,
        thoughts=(f"th:{person}:{t_us}",),
        model="composed",
        composed=True,
    )


def test_notes_come_back_as_they_were_oldest_first(mind_with_store: Mind) -> None:
    store = open_store(Path(mind_with_store.folder, "mind.db"))
    kept = [observation(120), observation(-60), observation(60, person="ben")]
    for one in kept:
        review.keep_note(store, one)
    assert review.list_notes(store, person="ann") == [kept[1], kept[0]]
    assert review.list_notes(store, person="ben") == [kept[2]]
    assert review.list_notes(store, person="eve") == []


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
    assert [one.content for one in review.list_notes(store, person="ann")] == ["Another."]
