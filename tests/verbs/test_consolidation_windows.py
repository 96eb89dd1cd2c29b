"""What a consolidation window keeps once it has ended, and how values are looked up in a talk."""

from pathlib import Path

import pytest

from mindpipe.core.errors import NothingToDoError
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.tables import observations, windows
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions, consolidate
from mindpipe.memory.records import GivenItem
from mindpipe.memory.verbs import memory
from support.life import AGENT, Life


def believe(life: Life, *texts: str) -> None:
    given = [GivenItem(text=text, speaker="Mia") for text in texts]
    with life.open() as store:
        memory.add(store, life.clock, life.chance, agent=AGENT, given=given)
        how = ConsolidateOptions(SlotRules())
        list(consolidate(store, life.clock, agent=AGENT, options=how))


def test_an_ended_window_keeps_no_list_of_what_it_has_read(tmp_path: Path) -> None:
    life = Life(tmp_path)
    believe(life, "I live in Rome.", "I like tea.")
    with life.open() as store:
        with store.read() as rows:
            last = windows.last(rows, AGENT)
        assert last is not None
        assert (last.state, last.items) == ("done", ())
        with pytest.raises(NothingToDoError):
            list(
                consolidate(store, life.clock, agent=AGENT, options=ConsolidateOptions(SlotRules()))
            )


NAMING = ("No, I don't live in rome.", "Not in ROME's centre", "Rome", "(Rome)")
NOT_NAMING = ("I don't live in Romeville.", "I never said so.", "")


def test_a_text_names_a_value_that_it_says_whole(tmp_path: Path) -> None:
    life = Life(tmp_path)
    believe(life, "I live in Rome.")
    with life.open() as store, store.read() as rows:
        found = {
            text: observations.has_value_in(rows, agent=AGENT, text=text)
            for text in (*NAMING, *NOT_NAMING)
        }
        assert not observations.has_value_in(rows, agent="nobody", text="Rome")
    assert found == dict.fromkeys(NAMING, True) | dict.fromkeys(NOT_NAMING, False)
