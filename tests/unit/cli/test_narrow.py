"""A narrow terminal shows every id whole, and with --full every word of a record."""

import re

import pytest

from support.command import Mind
from support.terminals import on_terminals

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_ids_and_words_are_whole_however_narrow(mind: Mind, columns: int) -> None:
    mind("init", "--agent", "ava")
    mind("space", "new", "family")
    for name in ("ava", "husam"):
        mind("space", "join", "family", name, "--kind", "human" if name == "husam" else "agent")
    mind("space", "post", "family", "--as", "husam", "Where is the boat?")
    due = ("--due", "2027-01-01T00:00:00Z")
    mind("inbox", "push", "--agent", "ava", "--text", "hello there how are you", *due)
    events = mind("inbox", "list", "--agent", "ava").records()
    shown = on_terminals(
        mind, [str(mind.program), "inbox", "list", "--agent", "ava", "--full"], columns=columns
    )
    lines = _COLOUR.sub("", shown.stdout).splitlines()
    words = {word for line in lines for word in line.split()}
    assert max(len(line.rstrip()) for line in lines) <= columns
    for event in events:
        assert {event["id"], event["type"], event["source"], event["state"]} <= words
        assert set(str(event["text"]).split()) <= words
    assert due[1] in words


def test_where_not_all_fits_ids_give_way_to_words_and_stay_usable(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    text = "The lamp of the second lighthouse is to be cleaned before noon."
    for _ in range(2):
        mind("inbox", "push", "--agent", "ava", "--text", text)
    line = [str(mind.program), "inbox", "list", "--agent", "ava"]
    shown = _COLOUR.sub("", on_terminals(mind, line, columns=110).stdout)
    ids = [event["id"] for event in mind("inbox", "list", "--agent", "ava").records()]
    first = shown.splitlines()[1].split()[0]
    assert not set(ids) & set(shown.split())
    assert mind("inbox", "dead", first, "--reason", "Done by hand.").record()["id"] == ids[0]


@pytest.mark.parametrize("columns", [20, 60])
def test_a_list_without_records_says_its_columns_whole(mind: Mind, columns: int) -> None:
    mind("init", "--agent", "ava")
    shown = on_terminals(mind, [str(mind.program), "run", "list"], columns=columns)
    assert {"id", "agent", "waits_for", "ended"} <= set(_COLOUR.sub("", shown.stdout).split())
