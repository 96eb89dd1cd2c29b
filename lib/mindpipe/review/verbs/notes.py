"""Keep the observer's notes in a store, apart from all that the person has there."""

from mindpipe.core.ports import Store
from mindpipe.review import tables
from mindpipe.review.records import Observation


def keep(store: Store, observation: Observation) -> None:
    """Keep a note, in the place of any other on that person at that instant."""
    with store.write() as rows:
        tables.put_observation(rows, observation)


def notes(store: Store, *, person: str) -> list[Observation]:
    """Return the notes on a person, oldest first."""
    with store.read() as rows:
        return tables.observations_of(rows, person)


def last_us(store: Store, *, person: str) -> int | None:
    """Return when the latest note on a person was taken, None where there is none."""
    with store.read() as rows:
        return tables.last_looked_us(rows, person)
