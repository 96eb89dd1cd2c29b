"""Which of many unread items are read first, so that no subject waits for another's flood."""

from collections.abc import Iterable, Sequence


def shared_out(unread: Sequence[tuple[int, str]], *, limit: int) -> tuple[int, ...]:
    """Return the numbers of at most `limit` items, in order, shared out over their subjects.

    `unread` are numbers with their subjects, in order. Subjects take turns, each with its oldest.
    """
    if len(unread) <= limit:
        return tuple(number for number, _ in unread)
    queues: dict[str, list[int]] = {}
    for number, subject in unread:
        queues.setdefault(subject, []).append(number)
    turns = max(map(len, queues.values()))
    taken = (queue[turn] for turn in range(turns) for queue in queues.values() if turn < len(queue))
    return tuple(sorted(number for number, _ in zip(taken, range(limit), strict=False)))


def mark_after(mark: int, unread: Iterable[int], read: frozenset[int]) -> int:
    """Return up to which number all items have been read, where some beyond the mark have.

    `unread` are the numbers of the items beyond the mark, in order.
    """
    for number in unread:
        if number not in read:
            break
        mark = number
    return mark
