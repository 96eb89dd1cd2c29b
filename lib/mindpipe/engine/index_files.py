"""What files answer that the configured index leads to, for as long as a worker lives."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.sources import file_source
from mindpipe.recall import indexes
from mindpipe.recall.records import Recalled

if TYPE_CHECKING:
    from mindpipe.recall.routes import Routing


class IndexFiles:
    """Answers questions from files; those that changed are read anew.

    `tell` hears once what is wrong with an index. Then files answer nothing until it is mended, so
    that nobody stops thinking for that.
    """

    def __init__(self, root: str, *, tell: Callable[[str], None]) -> None:
        self._root = root
        self._tell = tell
        self._routing: Routing | None = None
        self._told: set[str] = set()

    def __call__(self, question: str, most: int) -> list[Recalled]:
        """Return what files answer, best first, with whose words that is."""
        try:
            found = indexes.recalled(self._current().answer(question, most=most))
        except MindError as error:
            self._say(f"recall.index: {error}")
            self._routing = None
            return []
        return [
            msgspec.structs.replace(one, sources=(file_source(one.path or one.ref),))
            for one in found
        ]

    def _current(self) -> "Routing":
        """Return what answers, read anew where a file changed."""
        from mindpipe.recall.routes import Routing

        if self._routing is None or self._routing.is_stale:
            self._routing = Routing(self._root, tell=self._say)
        return self._routing

    def _say(self, words: str) -> None:
        """Say something that was not said before."""
        if words not in self._told:
            self._told.add(words)
            self._tell(words)
