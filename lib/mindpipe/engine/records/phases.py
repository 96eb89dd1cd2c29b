"""What phases of an iteration tell each other beside the rows of the store."""

from mindpipe.core.records import Natural, Record


class Acted(Record, omit_defaults=True):
    """What one act did: ids of decisions by what became of them, and of calls for a person.

    `applied`, `failed` and `unknown` ran; `queued` wait for a person, of whom `escalated` want one
    now; `refused` and `expired` never run. `called` are the keys of calls that were made.
    Of delegated tasks some were `sent`, are `late`, or were `handed_over` to a person.
    """

    agent: str
    applied: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    queued: tuple[str, ...] = ()
    escalated: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    handed_over: tuple[str, ...] = ()


class PhaseFailure(Record):
    """What a phase ended with; those behind it pass on what came and end with the same status."""

    agent: str
    phase: str
    status: Natural
    error: str
