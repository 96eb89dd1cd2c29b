"""How rows were is told from later changes alone, and from which number on they came later."""

import msgspec

from mindpipe.life.past import Past
from mindpipe.store.changes import RowsUndone, Undo


def past_of(*later: Undo) -> Past:
    """Return how rows were before some changes."""
    return Past(msgspec.json.encode(one).decode() for one in later)


def test_rows_that_are_counted_came_later_from_the_first_number_that_was_given() -> None:
    past = past_of(
        {"event": RowsUndone(made=[(7,)]), "turn": RowsUndone(made=[("ava", 3, 1)])},
        {"event": RowsUndone(made=[(8,)]), "note": RowsUndone(made=[("key",)])},
    )
    assert past.first_made() == {"event": 7}


def test_a_number_that_a_row_had_by_then_is_no_later_one() -> None:
    """Row 6 was there, was taken away, and its number was given again."""
    gone = RowsUndone(gone=[((6,), {"seq": 6})])
    past = past_of({"event": gone}, {"event": RowsUndone(made=[(6,)])})
    assert past.first_made() == {}
