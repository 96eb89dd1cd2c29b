"""What changed in a folder since it was last seen, and who remembers that."""

from collections.abc import Set as AbstractSet
from typing import Protocol

from mindpipe.observers.records import FileChange, ObserverMemory, ObserverStep, SeenFile, Snapshot


def is_same(before: SeenFile | None, now: SeenFile) -> bool:
    """Tell whether a file needs no reading: its times, size and inode are as they were.

    One that was seen right after it was written is read again.
    """
    return (
        before is not None
        and before.settled
        and (before.size, before.mtime_ns, before.ctime_ns, before.inode)
        == (now.size, now.mtime_ns, now.ctime_ns, now.inode)
    )


def compare(before: Snapshot, after: Snapshot) -> list[FileChange]:
    """Return the changes from one look to the next.

    A file whose content is as it was has not changed, whatever its times say. One that is gone
    moved if another path has its inode and its content now. Copying and deleting is no move.
    """
    created = {path: seen for path, seen in after.items() if path not in before}
    gone = {path: seen for path, seen in before.items() if path not in after}
    moves = _moves(gone, created)
    arrived = set(moves.values())
    changes = [
        FileChange(kind="moved", before=gone[was], after=created[now]) for was, now in moves.items()
    ]
    changes += [
        FileChange(kind="deleted", before=seen) for path, seen in gone.items() if path not in moves
    ]
    changes += [
        FileChange(kind="created", after=seen)
        for path, seen in created.items()
        if path not in arrived
    ]
    changes += [
        FileChange(kind="modified", before=before[path], after=seen)
        for path, seen in after.items()
        if path in before and is_modified(before[path], seen)
    ]
    return sorted(changes, key=lambda change: change.path)


def is_modified(before: SeenFile, after: SeenFile) -> bool:
    """Tell whether the content of a file is another; where it is not known, its times decide."""
    if before.sha256 is not None and after.sha256 is not None:
        return before.sha256 != after.sha256
    return (before.size, before.mtime_ns) != (after.size, after.mtime_ns)


def only_touched(before: Snapshot, after: Snapshot) -> list[SeenFile]:
    """Return files of the same content whose row has to be renewed."""
    return [
        seen
        for path, seen in after.items()
        if path in before and before[path] != seen and not is_modified(before[path], seen)
    ]


def holding(before: Snapshot, after: Snapshot, held: AbstractSet[str]) -> dict[str, SeenFile]:
    """Return a look in which some paths are as they were: they still move, or cannot be seen."""
    kept = {path: seen for path, seen in after.items() if path not in held}
    kept.update((path, before[path]) for path in held if path in before)
    return kept


def _moves(gone: Snapshot, created: Snapshot) -> dict[str, str]:
    """Return old and new path of what moved: same inode, same content, each used once."""
    places: dict[tuple[int, str], list[str]] = {}
    for path, seen in sorted(created.items()):
        if seen.sha256 is not None:
            places.setdefault((seen.inode, seen.sha256), []).append(path)
    found: dict[str, str] = {}
    for path, seen in sorted(gone.items()):
        waiting = places.get((seen.inode, seen.sha256 or ""))
        if waiting:
            found[path] = waiting.pop(0)
    return found


class Keeper(Protocol):
    """Keep what observers have seen and hand on what they say, both or neither."""

    def load(self, observer: str) -> ObserverMemory:
        """Return what an observer has seen."""
        ...

    def keep(self, step: ObserverStep) -> bool:
        """Take one step; False means that another process took it meanwhile: load, look again.

        Raises:
            RefusedError: there is no room; nothing is kept, and the step may be taken later.
        """
        ...
