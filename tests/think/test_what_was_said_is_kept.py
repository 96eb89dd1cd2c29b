"""What was said to an agent is remembered when the cycle closes, and only then."""

from pathlib import Path

import pytest

from living import AGENT
from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.history.verbs.show import show
from mindpipe.history.words import searched_text
from mindpipe.memory.records import Item
from mindpipe.memory.verbs import items
from obeying import Obeying

DECIDED = "I've decided to sell the boat."


@pytest.fixture
def life(tmp_path: Path) -> Obeying:
    return Obeying(tmp_path / "life")


def change(life: Obeying, wanted: AgentChange) -> None:
    with life.open() as store:
        agents.set_(store, name=AGENT, change=wanted)


def kept(life: Obeying) -> list[Item]:
    with life.open() as store:
        return [one.item for one in items.after(store, number=0, agent=AGENT)]


def test_what_is_significant_is_kept_with_the_words_of_the_log(life: Obeying) -> None:
    life.push(f"Good morning to you. {DECIDED}")
    life.live()
    (item,) = kept(life)
    assert (item.text, item.origin, item.sources) == (DECIDED, "operator", ())
    assert item.span is not None
    with life.open() as store:
        logs = {one.id: searched_text(one) for one in show(store, agent=AGENT)}
    assert logs[item.span.message][item.span.start : item.span.end] == item.span.quote == DECIDED


def test_what_is_less_than_the_threshold_is_not_kept(life: Obeying) -> None:
    change(life, AgentChange(memory_threshold=9.0))
    life.push(DECIDED)
    life.live()
    assert kept(life) == []


def test_what_was_read_beside_untrusted_words_is_quarantined(life: Obeying) -> None:
    life.push(DECIDED, source="web", sender="eve")
    life.live()
    (item,) = kept(life)
    assert (item.origin, item.sources) == ("human", ("web/eve",))


def test_a_trusted_sender_quarantines_nothing(life: Obeying) -> None:
    change(life, AgentChange(trust=("web/eve",)))
    life.push(DECIDED, source="web", sender="eve")
    life.live()
    assert [item.sources for item in kept(life)] == [()]
