"""Octets that are not held: those between two places of others, and what can be asked of any."""

from typing import overload

from mindpipe.core.ports import Octets

_PIECE = 1 << 20


class OctetsPart:
    """The octets from one place of others up to another, of which nothing is held."""

    def __init__(self, octets: Octets, start: int, end: int) -> None:
        self._octets = octets
        self._start = start
        self._end = end

    def __len__(self) -> int:
        """Return how many there are."""
        return self._end - self._start

    @overload
    def __getitem__(self, wanted: int, /) -> int: ...
    @overload
    def __getitem__(self, wanted: slice, /) -> bytes: ...
    def __getitem__(self, wanted: int | slice, /) -> int | bytes:
        """Return one of them, or those that stand side by side."""
        if isinstance(wanted, int):
            return self._octets[self._start + range(len(self))[wanted]]
        start, end, _ = wanted.indices(len(self))
        return self._octets[self._start + start : self._start + max(start, end)]

    def startswith(self, prefix: bytes, /) -> bool:
        """Tell how they begin."""
        return self[: len(prefix)] == prefix

    def find(self, wanted: bytes, start: int = 0, /) -> int:
        """Return where some octets stand first, from a place on; -1 where they do not."""
        found = self._octets.find(wanted, self._start + start)
        return -1 if found < 0 or found + len(wanted) > self._end else found - self._start


def end_of_lines(octets: Octets) -> int:
    """Return where the last whole line ends: what follows is still being written."""
    end = len(octets)
    while end > 0:
        start = max(0, end - _PIECE)
        found = octets[start:end].rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def is_blank(octets: Octets, start: int, end: int) -> bool:
    """Tell whether nothing stands between two places, however far apart they are."""
    pieces = (octets[at : min(end, at + _PIECE)] for at in range(start, end, _PIECE))
    return not any(map(bytes.strip, pieces))
