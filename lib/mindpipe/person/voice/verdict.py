"""Whether something that is known is a yes to a question, a no, or leaves it open.

A yes must be of the very thing that is asked, and still be so: who is home from hospital is not in
hospital, who had a cold has none, and whoever was married to somebody dead is not married.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from mindpipe.person.voice.asked import NEVER, HeardQuestion, KnownFact, pattern_of
from mindpipe.person.voice.manner import texts


class Verdicts:
    """Judges what is known with the words of a language, from the table `questions`."""

    def __init__(
        self, table: Mapping[str, object], words: Callable[[Iterable[str]], frozenset[str]]
    ) -> None:
        """Take the table, and what brings words to the form in which they are compared."""
        tables = texts(table.get("verdicts"))
        self._words = words
        self._at, self._from = tables.get("at", NEVER), tables.get("from", NEVER)
        self._still = pattern_of(tables, "still")
        self._passing = pattern_of(tables, "passing")
        self._dead = words(tables.get("dead", "").split())
        pairs = [(words((one,)), words((other,))) for one, other in _pairs(table)]
        self._opposite = {w: other for one, other in pairs for w in one}
        self._opposite |= {w: one for one, other in pairs for w in other}

    def opposites(self, need: frozenset[str], words: frozenset[str]) -> frozenset[str]:
        """Return what is asked for of which something known says the opposite."""
        return frozenset(
            word for word in need - words if not self._opposite.get(word, _NONE).isdisjoint(words)
        )

    def passes(self, text: str) -> bool:
        """Tell whether a text tells what is over within a day: `is in labour`."""
        return self._passing.search(text) is not None

    def denies(self, question: HeardQuestion, known: KnownFact) -> bool:
        """Tell whether something is a no to who asks whether something is so."""
        if self.opposites(question.need, known.words):
            return True
        now = not (question.past or question.ahead)
        if now and known.of == "lived" and question.subject == "self" and known.over:
            return True
        lost = not self._dead.isdisjoint(known.words) and self._dead.isdisjoint(question.need)
        if now and lost and question.subject == "self":
            return True
        return now and any(
            re.search(rf"(?i){self._from}{place}", known.text)
            and not re.search(rf"(?i){self._at}{place}", known.text)
            for place in self._places(question.text)
        )

    def leaves_open(self, question: HeardQuestion, known: KnownFact) -> bool:
        """Tell whether something was so, and nothing tells whether it still is."""
        past = known.of == "lived" and not known.lasts
        return past and self._still.search(question.text) is not None

    def _places(self, text: str) -> list[str]:
        """Return where somebody is asked to be: `hospital`."""
        return [re.escape(one) for one in re.findall(rf"(?i){self._at}(\w+)", text)]


_NONE: frozenset[str] = frozenset()


def _pairs(table: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    """Yield words that say the opposite of each other."""
    return texts(table.get("opposite")).items()
