"""A person decides tickets one after the other on a terminal."""

from pathlib import Path

import pytest

from mindpipe.engine.records.journal import TicketState
from support.approvals import Asking, tool
from support.command import BIN, NOW, Mind, make_private
from support.terminals import Screen, on_terminals


@pytest.fixture
def life(tmp_path: Path) -> Asking:
    """Return a life in which two calls wait for a person."""
    made = Asking(make_private(tmp_path / "life"), tool("pay"))
    made.ask("pay")
    made.ask("pay")
    return made


def review(life: Asking, typed: str) -> Screen:
    """Answer what is asked."""
    words = ["ticket", "review", "--store", str(life.path), "--now", NOW, "--by", "husam"]
    return on_terminals(Mind(life.path.parent), [str(BIN / "mind"), *words], typed=typed)


def states(life: Asking) -> list[TicketState]:
    return [ticket.state for ticket in life.all_tickets()]


def test_each_is_shown_whole_and_decided_by_its_hash(life: Asking) -> None:
    screen = review(life, "y\nn\n")
    assert states(life) == [TicketState.APPROVED, TicketState.DENIED]
    assert {ticket.person for ticket in life.all_tickets()} == {"husam"}
    for ticket in life.all_tickets():
        assert str(ticket.sha256) in screen.stderr
        assert ticket.reason in screen.stderr
    assert '"amount"' in screen.stderr


@pytest.mark.parametrize("typed", ["s\ns\n", "\n\n", "q\n", "s\nq\n", "what\nq\n"])
def test_what_is_skipped_waits_on(life: Asking, typed: str) -> None:
    before = life.everything()["ticket"]
    review(life, typed)
    assert life.everything()["ticket"] == before


def test_nobody_decides_in_a_script(life: Asking) -> None:
    ended = Mind(life.path.parent).run("ticket", "review", "--store", str(life.path), stdin="y\n")
    assert ended.status == 2
    assert "this asks on a terminal" in ended.words
    assert states(life) == [TicketState.PENDING, TicketState.PENDING]


def test_a_ticket_and_its_hash_are_named_by_how_they_begin(life: Asking) -> None:
    first, second = life.all_tickets()
    mind = Mind(life.path.parent)
    store = ("--store", str(life.path), "--now", NOW)
    begins = next(first.id[:size] for size in range(6, 30) if first.id[:size] != second.id[:size])
    shown = mind.run("ticket", "show", begins, *store)
    assert shown.records()[0]["id"] == first.id
    sha256 = str(first.sha256)
    assert mind.run("ticket", "approve", begins, "--hash", sha256[:7], *store).status == 4
    assert mind.run("ticket", "approve", begins, "--hash", sha256[:8], *store).status == 0
    assert states(life) == [TicketState.APPROVED, TicketState.PENDING]
    assert mind.run("ticket", "show", "t_", *store).status == 2
