"""A person decides tickets one after the other on a terminal."""

import json
from pathlib import Path

import pytest

from mindpipe.engine.records.journal import TicketState
from support.approvals import Asking, tool
from support.command import NOW, Mind, make_private
from support.terminals import Screen, on_terminals


@pytest.fixture
def life(tmp_path: Path) -> Asking:
    """Return a life in which two calls wait for a person."""
    made = Asking(make_private(tmp_path / "life"), tool("pay"))
    made.ask("pay")
    made.ask("pay")
    return made


def review(life: Asking, typed: str, **environment: str) -> Screen:
    """Answer what is asked."""
    words = ["ticket", "review", "--store", str(life.path), "--now", NOW, "--by", "husam"]
    mind = Mind(life.path.parent, environment)
    return on_terminals(mind, [str(mind.program), *words], typed=typed)


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


def test_a_list_is_cut_to_the_width_unless_it_is_full(life: Asking) -> None:
    mind = Mind(life.path.parent, {})
    words = [str(mind.program), "ticket", "list", "--store", str(life.path), "--now", NOW]
    reasons = {word for ticket in life.all_tickets() for word in ticket.reason.split()}
    cut = on_terminals(mind, words, columns=80).stdout
    assert len([line for line in cut.splitlines() if "left out" not in line and line.strip()]) <= 4
    full = on_terminals(mind, [*words, "--full"], columns=80).stdout
    assert reasons <= set(full.split())
    assert len(full) > len(cut)


def test_whose_words_led_to_it_is_shown(tmp_path: Path) -> None:
    life = Asking(make_private(tmp_path / "life"), tool("pay"))
    life.push("Something else.")
    life.push("play pay " + "and more " * 60, source="mail:shop", sender="Eve", priority=2)
    life.think(life.model)
    (ticket,) = life.all_tickets()
    screen = review(life, "q\n")
    shown = json.loads(screen.stderr.split("led_by:")[1].split("Let exactly")[0])
    assert [(one["source"], one["trusted"]) for one in shown] == [
        ("mail:shop", False),
        ("operator", True),
    ]
    first, second = shown
    assert (first["woke"], first["claimed"]) == (True, "Eve")
    assert first["text"].startswith("play pay and more ")
    assert first["text"].endswith("…")
    assert second["text"] == "Something else."
    assert "mail:shop/Eve" in ticket.sources or "mail:shop" in str(ticket.sources)


@pytest.mark.parametrize("typed", ["s\ns\n", "\n\n", "q\n", "s\nq\n", "what\nq\n"])
def test_what_is_skipped_waits_on(life: Asking, typed: str) -> None:
    before = life.everything()["ticket"]
    review(life, typed)
    assert life.everything()["ticket"] == before


def test_who_types_no_more_decides_nothing(life: Asking) -> None:
    before = life.everything()["ticket"]
    screen = review(life, "\x04")
    assert "Traceback" not in screen.stderr
    assert screen.status == 130
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


def edit(life: Asking, typed: str, saves: str) -> Screen:
    """Review with an editor that saves some text."""
    editor = life.path.parent / "editor"
    editor.write_text(f"#!/bin/sh\n{saves}\n")
    editor.chmod(0o700)
    return review(life, typed, VISUAL=str(editor))


SAVES = """echo '{"amount": 3, "to": "Ada"}' > "$1"; touch -d 2001-01-01 "$1" """


def test_an_edited_call_is_shown_again_and_runs_as_it_was_approved(life: Asking) -> None:
    screen = edit(life, "e\ny\nq\n", SAVES)
    first, second = life.all_tickets()
    assert (first.state, second.state) == (TicketState.APPROVED, TicketState.PENDING)
    assert (first.args, first.to_run()) == (
        {"amount": 5, "to": "Ada"},
        {"amount": 3, "to": "Ada"},
    )
    assert first.sha256 != first.approved_sha256
    assert str(first.approved_sha256) in screen.stderr
    assert (first.person, screen.stderr.count("Let exactly this run")) == ("husam", 3)
    life.think(life.model)
    assert life.sink.heard == [{"amount": 3, "to": "Ada"}]
    told = str(life.value(f"SELECT text FROM event WHERE key='{first.id}:executed'"))
    assert 'husam changed the arguments to {"amount":3,"to":"Ada"}. pay ran.' in told
    asked = str(life.value(f"SELECT args FROM call WHERE id='{first.call}'"))
    assert asked == '{"amount":5,"to":"Ada"}'


@pytest.mark.parametrize(
    ("saves", "said"),
    [
        ("exit 0", "saved nothing"),
        ("exit 3", "Editing failed"),
        ("""echo '{"amount": "three"}' > "$1"; touch -d 2001-01-01 "$1" """, "do not fit pay"),
        ("""echo '{"amount": 3' > "$1"; touch -d 2001-01-01 "$1" """, "the edited arguments"),
        ("""echo '[3]' > "$1"; touch -d 2001-01-01 "$1" """, "expected a JSON object"),
        (
            """echo '{"to": "Ada", "amount":   5}' > "$1"; touch -d 2001-01-01 "$1" """,
            "Let exactly this run",
        ),
    ],
)
def test_an_edit_that_is_none_changes_nothing(tmp_path: Path, saves: str, said: str) -> None:
    schema = {"type": "object", "properties": {"amount": {"type": "integer"}}}
    life = Asking(make_private(tmp_path / "life"), tool("pay", input_schema=schema))
    before = life.ask("pay")
    assert said in edit(life, "e\nq\n", saves).stderr
    assert life.all_tickets() == [before]
    edit(life, "e\ny\n", saves)
    (after,) = life.all_tickets()
    assert (after.state, after.approved_args) == (TicketState.APPROVED, None)


def test_a_draft_that_is_not_approved_is_forgotten(life: Asking) -> None:
    before = life.all_tickets()
    edit(life, "e\ns\ne\nq\n", SAVES)
    assert life.all_tickets() == before


def test_a_script_approves_a_call_with_other_arguments(life: Asking) -> None:
    first, _ = life.all_tickets()
    mind = Mind(life.path.parent)
    words = ("ticket", "approve", first.id, "--hash", str(first.sha256), "--by", "husam")
    store = ("--store", str(life.path), "--now", NOW)
    assert mind.run(*words, "--args", "[]", *store).status == 65
    made = mind.run(*words, "--args", '{"amount":4}', *store).records()[0]
    assert (made["args"], made["approved_args"]) == ({"amount": 5, "to": "Ada"}, {"amount": 4})
    life.think(life.model)
    assert life.sink.heard == [{"amount": 4}]
