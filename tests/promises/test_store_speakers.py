"""Promise 30 for who said what: in older stores it was not noted, and everything goes on."""

from pathlib import Path

import pytest

from support import released_stores
from support.command import Mind, make_private
from support.proofs import proved

pytestmark = pytest.mark.of_a_file
# The first of these has observations, and in the last nobody noted yet who said what.
STORES = [one for one in released_stores.kept() if "0037" <= one.name < "0040"]
AGAIN = '{"id": "%s", "text": "%s", "speaker": "husam"%s}'


@pytest.mark.parametrize("kept", STORES, ids=lambda kept: kept.name)
def test_items_and_evidence_of_older_stores_say_that_nobody_noted_it(
    kept: Path, tmp_path: Path
) -> None:
    folder = make_private(tmp_path / "life")
    released_stores.open_kept(kept, folder)
    mind = Mind(folder)
    mind("store", "migrate")
    items = mind("memory", "list", "--agent", "ava", "--archived").records()
    assert items
    assert all(one["vouched"] is None and "claimed_speaker" not in one for one in items)
    held = mind("observation", "list", "--agent", "ava").records()
    shown = mind("observation", "show", "--agent", "ava", *(one["id"] for one in held)).records()
    evidence = [one for record in shown for one in record["evidence"]]
    assert evidence
    assert all(one["vouched"] is None for one in evidence)
    # Its lines can be given again, as they were first and as they are printed now.
    one = items[0]
    again = AGAIN % (one["id"], one["text"], f', "at": "{one["at"]}"')
    assert mind("memory", "add", "--agent", "ava", stdin=again).record()["duplicate"]
    printed = mind("memory", "show", one["id"], "--agent", "ava").stdout
    assert mind("memory", "add", "--agent", "ava", stdin=printed).record()["duplicate"]
    mind("memory", "add", "--agent", "ava", "--text", "I live in Rome.", "--speaker", "husam")
    assert mind.run("consolidate", "--agent", "ava").status == 0
    assert mind("recall", "--agent", "ava", "--speaker", "husam", "Rome").records()
    proved(30, stores_without_speakers=1)
