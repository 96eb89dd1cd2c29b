"""What is said of what is held, and does not name it, finds it in a store too, run after run."""

import pytest

from support.command import Mind

pytestmark = pytest.mark.heavy

TOLD = (
    ("The budget is 40,000 euros.", "The budget went up to 50,000."),
    ("The deadline of Atlas is July 3.", "The deadline was extended to July 20."),
    ("I prefer tea to coffee.", "I prefer coffee."),
)
HELD = ["2026-07-20", "50000", "coffee", "not tea to coffee"]


def test_what_a_figure_names_is_found_in_the_store(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    for place, texts in enumerate(zip(*TOLD, strict=True)):
        for number, text in enumerate(texts):
            at = f"2026-05-{10 * place + number + 1:02}T10:00:00Z"
            line = f'{{"kind": "episodic", "text": "{text}", "speaker": "Tom", "at": "{at}"}}'
            mind("memory", "add", "--agent", "ava", stdin=line)
        mind("consolidate", "--agent", "ava")
    found = mind("observation", "list", "--agent", "ava").records()
    assert sorted(one["value"] for one in found if one["status"] == "active") == HELD
    assert mind("knowledge", "verify", "--agent", "ava").record()["wrong"] == 0


MOVED = (
    ("Tom", "2026-01-02", "I live in Graz."),
    ("Tom", "2026-05-01", "I'm moving to Lyon."),
    ("Tom", "2026-05-08", "We're in!"),
    ("Mia", "2026-01-02", "I live in Ulm."),
    ("Mia", "2026-05-08", "the new flat is tiny"),
)


def test_a_home_that_was_planned_is_found_in_the_store_and_one_that_is_in_doubt(
    mind: Mind,
) -> None:
    mind("init", "--agent", "ava")
    for speaker, day, text in MOVED:
        line = (
            f'{{"kind": "episodic", "text": "{text}", "speaker": "{speaker}", '
            f'"at": "{day}T10:00:00Z"}}'
        )
        mind("memory", "add", "--agent", "ava", stdin=line)
        mind("consolidate", "--agent", "ava", "--now", f"{day}T12:00:00Z")
    found = mind("observation", "list", "--agent", "ava").records()
    homes = {(one["subject_id"], one["value"]): one["status"] for one in found}
    assert homes["tom", "Lyon"] == "active"
    assert homes["tom", "Lyon from some day"] == "invalidated"
    assert homes["mia", "Ulm"] == "stale"
    assert mind("knowledge", "verify", "--agent", "ava").record()["wrong"] == 0
