"""The calls of voices that failed in a run, which goes on: told once, at its end."""

from collections.abc import Iterable

import msgspec

from mindpipe.person.records.thought import Failure
from mindpipe_cli import output

_BEGINNING = b'{"kind":"failure"'


class Failures:
    """How many calls of voices failed, and why the first one did."""

    def __init__(self) -> None:
        self._count = 0
        self._first = ""

    def hear(self, happened: Iterable[object]) -> None:
        """Count the failures among all that happened, as records or as lines."""
        for one in happened:
            if isinstance(one, bytes) and one.startswith(_BEGINNING):
                self._take(msgspec.json.decode(one, type=Failure))
            elif isinstance(one, Failure):
                self._take(one)

    def tell(self) -> None:
        """Say on stderr how many calls failed, if any did."""
        if self._count:
            calls = "a call of a voice" if self._count == 1 else f"{self._count} calls of voices"
            output.say(f"{calls} failed, at first: {self._first}.")

    def _take(self, failure: Failure) -> None:
        """Count one failure."""
        self._count += 1
        self._first = self._first or f"{failure.person}: {failure.message.removesuffix('.')}"
