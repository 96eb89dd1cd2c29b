"""A transaction takes what it holds in one order, on a file as on a server."""

import pytest

from mindpipe.core.ports import NOBODY, HeldKind
from mindpipe.store.holding import Holding

Taken = tuple[HeldKind, tuple[str, ...]]
IN_ORDER: tuple[tuple[tuple[str, ...], tuple[Taken, ...]], ...] = (
    ((NOBODY,), (("agent", ("ava",)), ("task", ("k1",)), ("ticket", ("t1",)), ("inbox", ("ava",)))),
    ((NOBODY,), (("space", ("", "den")), ("inbox", ("bea",)))),
    ((NOBODY,), (("inbox", ("bea", "ava")), ("inbox", ("ava",)), ("inbox", ("bea",)))),
    ((NOBODY,), (("inbox", ("bea",)), ("row", ("ava",)), ("inbox", ("bea",)), ("row", ("bea",)))),
    (("bea",), (("breaker", ("m",)), ("spending", ("2026",)), ("agent", ("bea",)))),
    # What others get is followed by what the agent itself gets.
    (("ava",), (("inbox", ("bea",)), ("inbox", ("ava",)))),
    ((NOBODY,), (("agent", ("ava",)), ("inbox", ("bea",)), ("inbox", ("ava",)))),
    # Whoever holds the whole store keeps everybody out already.
    ((), (("inbox", ("bea",)), ("space", ("den",)), ("agent", ("ava",)))),
)
OUT_OF_ORDER: tuple[tuple[tuple[str, ...], Taken, Taken], ...] = (
    ((NOBODY,), ("task", ("k1",)), ("agent", ("ava",))),
    ((NOBODY,), ("ticket", ("t1",)), ("task", ("k1",))),
    ((NOBODY,), ("inbox", ("bea",)), ("space", ("den",))),
    ((NOBODY,), ("inbox", ("bea",)), ("inbox", ("ava",))),
    ((NOBODY,), ("inbox", ("bea",)), ("inbox", ("cleo",))),
    ((NOBODY,), ("space", ("den",)), ("space", ("",))),
    (("bea",), ("inbox", ("cleo",)), ("inbox", ("ava",))),
)


@pytest.mark.parametrize(("of", "takes"), IN_ORDER)
def test_what_is_taken_in_order_is_taken_once(
    of: tuple[str, ...], takes: tuple[Taken, ...]
) -> None:
    held = Holding(of)
    taken = [(kind, name) for kind, names in takes for name in held.take(kind, names)]
    assert len(taken) == len(set(taken))
    assert bool(taken) is bool(of)


@pytest.mark.parametrize(("of", "first", "then"), OUT_OF_ORDER)
def test_what_others_take_before_what_is_held_is_refused(
    of: tuple[str, ...], first: Taken, then: Taken
) -> None:
    held = Holding(of)
    assert held.take(*first)
    with pytest.raises(AssertionError, match=f"wants {then[0]} '{then[1][0]}' then"):
        held.take(*then)
