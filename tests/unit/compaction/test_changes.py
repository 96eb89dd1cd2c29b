"""What an undo takes back is told from the changes before it."""

from mindpipe.compaction.plans.changes import taken_back, undone
from mindpipe.compaction.records import Compaction


def after(changes: list[Compaction], action: str) -> Compaction:
    """Return the next change: an apply of a window of its own, or an undo."""
    if action == "undo":
        made = undone(changes)
        assert made is not None
        return made
    number = len(changes) + 1
    return Compaction(
        agent="ava",
        number=number,
        action="apply",
        window=f"w{number}",
        before=number - 1,
        through=number,
        strategy="anchored",
        tokens_before=2,
        tokens_after=1,
        segment=number,
        at="",
    )


def test_an_undo_takes_back_the_window_that_was_in_force() -> None:
    changes: list[Compaction] = []
    for action in ("apply", "apply", "undo", "apply", "undo", "undo"):
        changes.append(after(changes, action))
    assert [one.window for one in changes] == ["w1", "w2", "w1", "w4", "w1", None]
    assert taken_back(changes) == {3: 2, 5: 4, 6: 1}
    assert undone(changes) is None
