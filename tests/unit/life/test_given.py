"""What a replay takes as it was is named table by table, each once, each with its reason."""

from collections import Counter

from mindpipe.life.given import GIVEN
from mindpipe.life.tables.lives import BY_NAME
from mindpipe.store.changes import is_logged


def test_each_table_is_one_of_a_life_whose_changes_are_logged_and_stands_once() -> None:
    named = Counter(table for one in GIVEN for table in one.tables)
    assert [table for table, count in named.items() if count > 1] == []
    assert named.keys() <= BY_NAME.keys()
    assert [table for table in named if not is_logged(table)] == []


def test_what_a_cycle_makes_of_itself_is_never_taken_as_it_was() -> None:
    named = {table for one in GIVEN for table in one.tables}
    assert named.isdisjoint({"cycle", "turn", "call", "message", "segment", "compaction"})
