"""Hold the quotes of items that are given to what they quote, before any of them is kept."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from mindpipe.core.bad_lines import BadLines
from mindpipe.core.ports import Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.history.verbs import quoted
from mindpipe.memory.quotes import holds
from mindpipe.memory.records import Added, NewItem, Span
from mindpipe.memory.verbs import items
from mindpipe.memory.verbs.adding import Adding


class Quoting:
    """Add items, but refuse one that quotes words which are not where it says that they are."""

    def __init__(self, adding: Adding, store: Store, *, agent: str, bad_lines: BadLines) -> None:
        self._adding = adding
        self._store = store
        self._agent = agent
        self._bad_lines = bad_lines

    def add(
        self, given: Sequence[NewItem], *, source: str = "item", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Add those items whose quotes are true; return what became of each not refused."""
        lines = numbers or range(1, len(given) + 1)
        spans = [one.span for one in given if one.span is not None]
        if not spans:
            return self._adding.add(given, source=source, numbers=numbers)
        words = self._words(spans, given)
        sound: list[tuple[int, NewItem]] = []
        for line, one in zip(lines, given, strict=True):
            if one.span is None or holds(one.span, words.get(one.span.message, "")):
                sound.append((line, one))
                continue
            told = _fault(one.span, there=one.span.message in words, agent=self._agent)
            problem = Problem(source=source, line=line, field="$.span", message=told)
            self._bad_lines.refuse([problem], to_json(one))
        return self._adding.add(
            [one for _, one in sound], source=source, numbers=[line for line, _ in sound]
        )

    def _words(self, spans: Sequence[Span], given: Sequence[NewItem]) -> dict[str, str]:
        """Return the words of what is quoted: messages of the log, items, and items given too."""
        names = [one.message for one in spans]
        kept = items.of_ids(self._store, agent=self._agent, ids=names)
        return {
            **{one.id: one.text for one in given if one.id is not None},
            **{one.item.id: one.item.text for one in kept},
            **quoted.words_of(self._store, agent=self._agent, ids=names),
        }


def held_to_the_log(
    adding: Callable[[BadLines], AbstractContextManager[Adding]], store: Store, *, agent: str
) -> Callable[[BadLines], AbstractContextManager[Quoting]]:
    """Return what adds items as `adding` does, but for those that misquote the log."""

    @contextlib.contextmanager
    def quoting(bad_lines: BadLines) -> Iterator[Quoting]:
        with adding(bad_lines) as addition:
            yield Quoting(addition, store, agent=agent, bad_lines=bad_lines)

    return quoting


def _fault(span: Span, *, there: bool, agent: str) -> str:
    """Return what is wrong with a quote."""
    if not there:
        return f"quotes {span.message}, which is not in the log of {agent}"
    return f"characters {span.start} to {span.end} of {span.message} are not what it quotes"
