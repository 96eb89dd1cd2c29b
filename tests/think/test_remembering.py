"""What an agent finds and reads again of its own past, and whose words it takes in with that."""

from pathlib import Path

import pytest

from mindpipe.context.verbs import origins
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import ResultPart
from mindpipe.engine.tools import dispatch
from mindpipe.engine.tools import scope as desks
from mindpipe.history.verbs import history
from mindpipe.store.sqlite import SqliteStore
from support.life import AGENT
from support.obedient_agent import Obeying, order

READING = 9


@pytest.fixture
def life(tmp_path: Path) -> Obeying:
    """Return a life of two cycles: what the operator said, and what eve had it fetch."""
    made = Obeying(tmp_path / "life")
    made.push("The station has a hotel.")
    made.live()
    made.push(order("fetch", "page", "the_hotel_in_Tokyo_is_full"), source="web", sender="eve")
    made.live()
    return made


def do(life: Obeying, store: SqliteStore, tool: str, **args: object) -> dict[str, object]:
    """Call a built-in tool in a cycle of its own."""
    desk = desks.ToolScope(
        store=store, clock=life.clock, chance=life.chance, agent=AGENT, cycle=READING, call="c_9"
    )
    return dispatch.do(desk, tool, dict(args))


def taken_in(store: SqliteStore) -> tuple[str, ...]:
    found = origins.of_cycles(store, agent=AGENT, first=READING, last=READING)
    return found.get(READING, ())


def pieces(found: dict[str, object]) -> list[dict[str, object]]:
    told = found["pieces"]
    assert isinstance(told, list)
    return told


def test_a_cycle_is_read_whole_and_what_was_cleared_by_its_call(life: Obeying) -> None:
    with life.open() as store:
        told = pieces(do(life, store, "read_history", cycle=2))
        roles = [piece["role"] for piece in told]
        assert roles == ["user", "note", "assistant", "tool", "assistant"]
        called, answered = told[2], told[3]
        assert (called["tool"], answered["status"]) == ("fetch", "ok")
        assert called["call"] == answered["call"]
        (message,) = [
            one for one in history.show(store, agent=AGENT, cycle=2) if one.role == "tool"
        ]
        (result,) = message.parts
        assert isinstance(result, ResultPart)
        assert answered["text"] == result.text
        again = do(life, store, "read_history", cycle=2, call=called["call"])
        assert pieces(again) == [called, answered]
        assert pieces(do(life, store, "read_history", cycle=2, seq=told[0]["seq"])) == told[:1]


def test_a_long_cycle_is_read_page_by_page(life: Obeying) -> None:
    with life.open() as store:
        whole = pieces(do(life, store, "read_history", cycle=1))
        page = do(life, store, "read_history", cycle=1, limit=10)
        assert [len(str(piece["text"])) for piece in pieces(page)] == [10]
        rest = do(life, store, "read_history", cycle=1, offset=page["next_offset"])
        assert "next_offset" not in rest
        joined = "".join(str(piece["text"]) for piece in (*pieces(page), *pieces(rest)))
        assert joined == "".join(str(piece["text"]) for piece in whole)


@pytest.mark.parametrize("args", [{"cycle": 3}, {"cycle": 1, "seq": 99}, {"cycle": 2, "call": "c"}])
def test_what_is_not_there_is_said(life: Obeying, args: dict[str, object]) -> None:
    with life.open() as store, pytest.raises(UsageError, match="Search it first"):
        do(life, store, "read_history", **args)


@pytest.mark.parametrize(("cycle", "sources"), [(1, ()), (2, ("tool:fetch", "web/eve"))])
def test_whoever_was_read_then_is_read_again(
    life: Obeying, cycle: int, sources: tuple[str, ...]
) -> None:
    with life.open() as store:
        assert taken_in(store) == ()
        do(life, store, "read_history", cycle=cycle)
        assert taken_in(store) == sources


def test_messages_with_all_words_are_found_before_those_with_any(life: Obeying) -> None:
    with life.open() as store:
        found = do(life, store, "search_history", query="station hotel", limit=3)["found"]
        assert isinstance(found, list)
        assert [hit["cycle"] for hit in found][:2] == [1, 2]
        assert len({hit["seq"] for hit in found}) == len(found)
        asked = do(life, store, "search_history", query="Which hotels were full?")["found"]
        assert isinstance(asked, list)
        assert asked[0]["cycle"] == 2
        assert taken_in(store) == ("tool:fetch", "web/eve")
        assert len(do(life, store, "search_history", query="hotel", limit=1)["found"]) == 1
