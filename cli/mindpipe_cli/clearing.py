"""Write down who vouches for what was read, as the `trust` commands ask."""

from mindpipe.context.records import Clearance, MemoryKind
from mindpipe.context.verbs import clearing
from mindpipe_cli.persons import person
from mindpipe_cli.session import Session

_COLUMNS = ("agent", "kind", "subject", "sources", "person", "at")


def events(session: Session, *, ids: tuple[str, ...], by: str | None) -> None:
    """Vouch for events."""
    _write(session, clearing.trust_events(session.store, _reader(session, by), ids=ids))


def cycles(session: Session, *, agent: str, numbers: tuple[int, ...], by: str | None) -> None:
    """Vouch for cycles."""
    reader = _reader(session, by)
    _write(session, clearing.trust_cycles(session.store, reader, agent=agent, numbers=numbers))


def memories(
    session: Session,
    *,
    kind: MemoryKind,
    agent: str,
    subjects: tuple[str, ...],
    by: str | None,
) -> None:
    """Vouch for notes, goals or plans."""
    made = clearing.trust_memories(
        session.store, _reader(session, by), kind=kind, agent=agent, subjects=subjects
    )
    _write(session, made)


def list_(session: Session, *, agent: str) -> None:
    """Write all that was cleared of an agent."""
    _write(session, clearing.clearances(session.store, agent=agent))


def _reader(session: Session, by: str | None) -> clearing.Reader:
    """Return who has read it, and when."""
    return clearing.Reader(person(by), session.clock)


def _write(session: Session, made: list[Clearance]) -> None:
    """Write clearances."""
    session.write(made, columns=_COLUMNS)
