"""Writers that number what they write, as the next after the last: two at once would lose some."""

import contextlib

from mindpipe.store.address import Address
from mindpipe.store.postgres.schema import open_store
from mindpipe.store.postgres.store import PostgresStore


def count_up(store: PostgresStore) -> int:
    """Write the next number, and return it."""
    with store.write() as rows:
        last = rows.value(int, "SELECT max(made) FROM plan_count") or 0
        rows.run(
            "INSERT INTO plan_count(agent, made) VALUES(:agent, :made)",
            {"agent": f"a{last + 1}", "made": last + 1},
        )
    return last + 1


def numbers(store: PostgresStore) -> list[int]:
    """Return all numbers that are there."""
    with store.read() as rows:
        return rows.all(int, "SELECT made FROM plan_count ORDER BY made")


def push(address: Address, times: int) -> None:
    """Write so many, one transaction each."""
    with contextlib.closing(open_store(address)) as store:
        for _ in range(times):
            count_up(store)
