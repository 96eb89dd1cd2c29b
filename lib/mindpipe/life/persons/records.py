"""What travels of a person's life: where one that is lived again differs, and what came of it."""

from typing import Any

from mindpipe.core.records import Natural, Record
from mindpipe.person.records.scales import Instant, PersonId


class PersonDifference(Record, omit_defaults=True):
    """Where a person's life that is lived again first differs from what is kept of it.

    `at` is when, in the tick of a number. `what` is `prompt` (the voice was asked something else
    than then; `now` has both texts), `thought`, `memory`, `failure`, `identity`, `state` or `tick`
    (it is not kept); `key` is the id of what differs, `then` and `now` show the fields that do.
    """

    person: PersonId
    tick: Natural
    t_us: Instant
    at: str
    what: str
    key: str = ""
    then: Any = None
    now: Any = None


class PersonReplayed(Record):
    """What came of living a person's life again, from the tick after `before` on, until `at`.

    `replies` of models were given as they were; all else was done again: `thoughts`, `memories`
    and `states`. `equal` tells that nothing differed.
    """

    person: PersonId
    at: str
    ticks: Natural
    thoughts: Natural
    replies: Natural
    memories: Natural
    states: Natural
    before: Natural
    equal: bool


class PersonVerdict(Record):
    """What the lines of a person came to: what was looked at, and how much of it is wrong.

    Of its ticks so many were lived again, up to the first difference.
    """

    person: PersonId
    at: str
    events: Natural
    thoughts: Natural
    memories: Natural
    states: Natural
    ticks: Natural
    wrong: Natural


class PersonForked(Record):
    """A fork of a person: the store that it lives in, and the instant up to which it is the same.

    Of its `thoughts` those in `kept_replies` have words of the record, `asked` those of its voice.
    """

    person: PersonId
    store: str
    at: str
    t_us: Instant
    thoughts: Natural
    kept_replies: Natural
    asked: Natural
    without: tuple[str, ...] = ()


class PersonImported(Record):
    """A life that came in on lines."""

    person: PersonId
    at: str
    events: Natural
    thoughts: Natural
    memories: Natural
    states: Natural
