"""What changed between two looks at a folder: each change once, in the order of the paths."""

from collections.abc import Set as AbstractSet

from mindpipe.observers.records import Change, Seen, Snapshot


def is_same(before: Seen | None, now: Seen) -> bool:
    """Tell whether a file needs no reading: its times, size and inode are as they were.

    One that was seen right after it was written is read again.
    """
    return (
        before is not None
        and before.settled
        and (before.size, before.mtime_ns, before.ctime_ns, before.inode)
        == (now.size, now.mtime_ns, now.ctime_ns, now.inode)
    )


def compare(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return the changes from one look to the next.

    A file whose content is as it was has not changed, whatever its times say. One that is gone
    moved if another path has its inode and its content now. Copying and deleting is no move.
    """
    created = {path: seen for path, seen in after.items() if path not in before}
    gone = {path: seen for path, seen in before.items() if path not in after}
    moves = _moves(gone, created)
    arrived = set(moves.values())
    changes = [
        Change(kind="moved", before=gone[was], after=created[now]) for was, now in moves.items()
    ]
    changes += [
        Change(kind="deleted", before=seen) for path, seen in gone.items() if path not in moves
    ]
    changes += [
        Change(kind="created", after=seen) for path, seen in created.items() if path not in arrived
    ]
    changes += [
        Change(kind="modified", before=before[path], after=seen)
        for path, seen in after.items()
        if path in before and is_modified(before[path], seen)
    ]
    return sorted(changes, key=lambda change: change.path)


def is_modified(before: Seen, after: Seen) -> bool:
    """Tell whether the content of a file is another; where it is not known, its times decide."""
    if before.sha256 is not None and after.sha256 is not None:
        return before.sha256 != after.sha256
    return (before.size, before.mtime_ns) != (after.size, after.mtime_ns)


def only_touched(before: Snapshot, after: Snapshot) -> list[Seen]:
    """Return files of the same content whose row has to be renewed."""
    return [
        seen
        for path, seen in after.items()
        if path in before and before[path] != seen and not is_modified(before[path], seen)
    ]


def holding(before: Snapshot, after: Snapshot, held: AbstractSet[str]) -> dict[str, Seen]:
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
