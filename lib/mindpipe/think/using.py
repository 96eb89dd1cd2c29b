"""Tell whether what was recalled was used in what an agent then said and did."""

from collections.abc import Iterable

from mindpipe.context.choosing import stems_of
from mindpipe.core.records import Record
from mindpipe.recall.records import AnswerSource

LEAST_SHARED = 3
MOST_SHARED = 8


class Told(Record, omit_defaults=True):
    """One thing as the tool `recall` tells it.

    `words_of` names the untrusted sources whose words it holds, `cycle` the one of a message.
    """

    id: str
    source: AnswerSource
    at: str
    text: str
    status: str = "active"
    superseded_by: str | None = None
    contradicted_by: tuple[str, ...] = ()
    speaker: str | None = None
    words_of: tuple[str, ...] = ()
    cycle: int | None = None


class Answered(Record):
    """The answer of the tool `recall`."""

    recalled: tuple[Told, ...] = ()


def used(recalled: Iterable[Told], said: str) -> tuple[str, ...]:
    """Return the ids of those things that were used in what was said afterwards.

    A thing was used if its id is named, or if half of its words that say something are said again,
    by their stems: at least three, of a long text eight. It is a rule of thumb: nobody has said
    that the answer was right, so what follows from it is small.
    """
    words = stems_of(said)
    return tuple(one.id for one in recalled if one.id in said or _is_said(one.text, words))


def _is_said(text: str, words: frozenset[str]) -> bool:
    """Tell whether enough of a text is said again."""
    own = stems_of(text)
    least = min(max(LEAST_SHARED, (len(own) + 1) // 2), MOST_SHARED)
    return len(own & words) >= least
