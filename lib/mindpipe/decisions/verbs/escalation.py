"""Call for a person: once per key, however often it is asked for and whoever dies meanwhile."""

import msgspec

from mindpipe.core.instants import LAST_INSTANT, later
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.decisions import tables
from mindpipe.decisions.records import Escalation, EscalationState

_FIRST_RETRY_SECONDS = 60.0
_LAST_RETRY_SECONDS = 3600.0


def raise_(rows: Rows, clock: Clock, *, agent: str, key: str, about: str, text: str) -> None:
    """Want a person to be called, inside the transaction; the same key is the same call."""
    if tables.find_escalation(rows, key) is not None:
        return
    made = Escalation(
        key=key,
        agent=agent,
        state=EscalationState.WAITING,
        about=about,
        text=text,
        created=clock.now(),
    )
    tables.save_escalation(rows, made)


def due(store: Store, clock: Clock, *, agent: str) -> list[Escalation]:
    """Return the calls to be made now, and those of which nobody knows whether they were."""
    with store.read() as rows:
        return tables.to_call(rows, agent=agent, now=clock.now())


def may_be_due(store: Store, *, agent: str) -> bool:
    """Tell whether a call is to be made now or some day."""
    with store.read() as rows:
        return bool(tables.to_call(rows, agent=agent, now=LAST_INSTANT))


def find(rows: Rows, key: str) -> Escalation | None:
    """Return one escalation, inside the transaction."""
    return tables.find_escalation(rows, key)


def step(
    rows: Rows, escalation: Escalation, state: EscalationState, **changes: object
) -> Escalation:
    """Return an escalation after one legal step, saved inside the transaction."""
    made = msgspec.structs.replace(escalation, state=escalation.state.to(state), **changes)
    tables.save_escalation(rows, made)
    return made


def retry_at(clock: Clock, attempts: int) -> str:
    """Return when a call that failed so often is tried again: a minute later, then ever later."""
    seconds = min(_LAST_RETRY_SECONDS, _FIRST_RETRY_SECONDS * 2.0 ** min(attempts - 1, 10))
    return later(clock.now(), seconds=seconds)
