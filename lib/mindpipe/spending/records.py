"""Entries of the ledger and the caps they are held against; money is whole micro-dollars."""

from mindpipe.core.models import Usage
from mindpipe.core.records import Record, State

LEAST_CALIBRATION = 0.5
"""A report of fewer input tokens than this share of what we counted is not believed.

It is our own choice: an honest report lower than that only makes us fold earlier than we need to.
"""
MOST_CALIBRATION = 4.5
"""A report of more than so many input tokens for each one that we counted is not believed.

It is our own choice too, a little above the largest difference that we found published between two
tokenizers for one text: 4.4 (OpenAI, "Hello GPT-4o", 2024: Gujarati, 145 tokens against 33).
"""


class EntryState(State):
    """How certain the cost of one model call is."""

    RESERVED = "reserved"
    SETTLED = "settled"
    LOST = "lost"
    VOID = "void"

    def successors(self) -> frozenset["EntryState"]:
        """Return what may follow: only a reservation changes, and only once."""
        if self is EntryState.RESERVED:
            return frozenset({EntryState.SETTLED, EntryState.LOST, EntryState.VOID})
        return frozenset()


class Caps(Record):
    """Most that may be spent, in micro-dollars; None is no cap.

    `purpose_day` holds for a day's calls of the same purpose.
    """

    call: int | None = None
    cycle: int | None = None
    purpose_day: int | None = None
    agent_day: int | None = None
    store_day: int | None = None


def lowest(*caps: int | None) -> int | None:
    """Return the lowest of caps in micro-dollars, of which each may be missing."""
    return min((cap for cap in caps if cap is not None), default=None)


class NewLedgerEntry(Record):
    """One model call that is about to be made; `micros` is its upper bound, None if unpriced.

    `counted_tokens` is what we count in its request, None where that cannot be compared with what
    a provider reports.
    """

    id: str
    agent: str
    cycle: int
    turn: int
    attempt: int
    purpose: str
    model: str
    micros: int | None
    counted_tokens: int | None = None


class LedgerEntry(Record):
    """One model call in the ledger: what it was for, its state, its cost and its tokens.

    `cached_tokens` of the input tokens were read from the provider's cache. `counted_tokens` is
    what we count in the same input, None where the provider reported nothing to compare it with.
    `clamped` says that it reported figures that cannot be, instead of which ours stand here.
    """

    id: str
    agent: str
    cycle: int
    turn: int
    attempt: int
    purpose: str
    model: str
    day: str
    state: EntryState
    micros: int
    priced: bool
    input_tokens: int
    output_tokens: int
    at: str
    counted_tokens: int | None = None
    cached_tokens: int = 0
    clamped: bool = False


class Cost(Record):
    """What a group of calls cost: how many, their tokens, and micro-dollars by certainty.

    `cached_tokens` of the input tokens were read from the provider's cache. Of `clamped_calls` the
    provider reported figures that cannot be, instead of which ours were counted.
    """

    agent: str
    model: str
    day: str
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    settled_micros: int
    reserved_micros: int
    lost_micros: int
    unpriced_calls: int
    clamped_calls: int = 0


class ModelKey(Record):
    """A provider or server that has a key: its name, and where that is, never the key itself."""

    name: str
    source: str


class ModelAlias(Record):
    """A name that a user gave to a model."""

    name: str
    model: str


class FetchedModel(Record):
    """A model on this machine: the folder it is in, and how many files of it were fetched now.

    `octets` is how long all its files are together.
    """

    model: str
    folder: str
    fetched: int
    octets: int


class Settlement(Record):
    """The true cost of a call: `micros` is None if its price is not known.

    `reported` tells whether the provider said how many input tokens there were; else they are
    counted.
    """

    id: str
    micros: int | None
    usage: Usage
    reported: bool = True
