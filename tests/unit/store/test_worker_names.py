"""The name of a worker's connections says who it is in 63 octets of ASCII, whatever that is."""

import msgspec
import pytest

from mindpipe.store.address import Address
from mindpipe.store.records import Presence

pytest.importorskip("psycopg", reason="a store on a server needs the extra postgres")
WHO = Presence(host="db7", pid=4242, since="2026-11-28T22:25:01Z", names=("team-*", "ava"))
STORE, OTHER = Address("postgresql://db/fleet", "mindpipe"), Address("postgresql://db/fleet", "b")


def test_what_has_room_is_read_as_it_was_given() -> None:
    from mindpipe.store.postgres.presence import name_of, who_has

    assert name_of(WHO, STORE).startswith("mind run 4242@db7 ")
    assert who_has(name_of(WHO, STORE), STORE) == WHO
    assert who_has(name_of(WHO, STORE), OTHER) is None
    assert who_has("mind run as I say", STORE) is None


def test_of_what_has_no_room_the_host_and_the_first_agents_are_told() -> None:
    from mindpipe.store.postgres.presence import name_of, who_has

    long = msgspec.structs.replace(
        WHO, host="worker-7d9f8b6c5d-x2v9k.pods.example", names=("größe-*", *"abcdefgh" * 9)
    )
    name = name_of(long, STORE)
    assert (len(name), name.isascii(), name.endswith("..")) == (63, True, True)
    found = who_has(name, STORE)
    assert found is not None
    assert (found.host, found.pid, found.since) == ("ker-7d9f8b6c5d-x2v9k", 4242, WHO.since)
    # Of the last one all are meant that begin as it does.
    assert found.names == ("gr??e-*", "a", "b", "c*")
