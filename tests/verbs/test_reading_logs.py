"""An agent's log is read once, from where it was read last, and what it gives is kept once."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mindpipe.agents.records import Agent
from mindpipe.context.verbs.said import said
from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.models import TextReply, TextRequest
from mindpipe.core.problems import Problem
from mindpipe.io.chance import SeededChance
from mindpipe.memory.extraction.records import FindItems
from mindpipe.memory.records import Item, NewEntity, Relation
from mindpipe.memory.verbs import entity, memory
from mindpipe.memory.verbs.extract import by_rules, with_model
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.life import AGENT
from support.obedient_agent import Obeying

HOME = "Grey skies as they walked home."
RAIN = "Rain again in Oslo?"
SISTER = "My sister Eva sings."


class Passed:
    """Remember what was refused."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        self.lines.append(octets)

    def settle(self) -> None: ...


@pytest.fixture
def life(tmp_path: Path) -> Obeying:
    """Return a life of two cycles that remembers nothing unasked."""
    made = Obeying(tmp_path / "life", memory_threshold=10.0)
    made.push(f"{RAIN}\n{HOME}")
    made.live()
    made.push(SISTER, source="web", sender="eve")
    made.live()
    return made


def read(
    store: SqliteStore,
    *,
    since: int | None = None,
    least: float = 0.0,
    look: FindItems | None = None,
    trust: tuple[str, ...] = (),
) -> list[str]:
    agent = Agent(name=AGENT, trust=trust)
    found = memory.extract(
        store,
        FixedClock(),
        SeededChance(7),
        agent=agent.name,
        pages=said(store, agent, since_cycle=since),
        look=look or by_rules(),
        least=least,
    )
    return [item.text for item in found]


def kept(store: SqliteStore) -> list[Item]:
    return [one.item for one in memory.after(store, number=0, agent=AGENT)]


def test_a_log_is_read_once_and_from_a_cycle_on_again(life: Obeying) -> None:
    with life.open() as store:
        assert read(store) == [HOME, SISTER]
        mark = memory.read_upto(store, agent=AGENT)
        assert read(store) == []
        assert read(store, since=1) == []
    life.push("I prefer tea.")
    life.live()
    with life.open() as store:
        assert read(store) == ["I prefer tea."]
        assert memory.read_upto(store, agent=AGENT) > mark
        assert [item.text for item in kept(store)] == [HOME, SISTER, "I prefer tea."]


def test_what_is_kept_is_under_the_sources_of_its_cycle(life: Obeying) -> None:
    with life.open() as store:
        read(store)
        assert [item.sources for item in kept(store)] == [(), ("web/eve",)]


def test_whom_the_agent_trusts_quarantines_nothing(life: Obeying) -> None:
    with life.open() as store:
        read(store, trust=("web",))
        assert [item.sources for item in kept(store)] == [(), ()]


def test_what_is_below_the_significance_is_passed_over_for_good(life: Obeying) -> None:
    with life.open() as store:
        assert read(store, least=5.0) == [SISTER]
        assert read(store) == []
        assert read(store, since=1) == [HOME]


def test_a_relation_becomes_an_edge_of_the_graph(life: Obeying) -> None:
    with life.open() as store:
        # Who is only said to be eve has no place in the graph.
        read(store, trust=("web",))
        (item,) = [one for one in kept(store) if "relation:sister" in one.tags]
        speaker = entity.show(store, agent=AGENT, id=item.speaker or "")
        assert speaker.relations == (Relation(type="sister", to="eva", items=(item.id,)),)
        assert entity.show(store, agent=AGENT, id="eva").type == "person"


def test_a_name_that_is_known_as_something_else_is_left_out_of_the_graph(life: Obeying) -> None:
    with life.open() as store:
        with entity.add(store, FixedClock(), agent=AGENT, bad_lines=AllOrNothing()) as all_:
            all_.add([NewEntity(name="Eva", type="tool")])
        assert read(store) == [HOME, SISTER]
        assert entity.show(store, agent=AGENT, id="eva").type == "tool"


def test_a_model_labels_items_and_finds_more_and_what_it_misquotes_is_refused(
    life: Obeying,
) -> None:
    asked: list[str] = []

    def write(question: TextRequest) -> TextReply:
        asked.append(question.text)
        return TextReply(
            '{"piece":1,"quote":"walked home","tags":["walk"],"significance":9}\n'
            '{"piece":1,"quote":"Rain again in Oslo"}\n'
            '{"piece":1,"quote":"ran home"}\n{"piece":3,"quote":"sings"}'
        )

    refused = Passed()
    with life.open() as store:
        found = read(store, look=with_model(write, bad_lines=refused), trust=("web",))
        (walk,) = [one for one in kept(store) if one.text == HOME]
    assert found == [HOME, SISTER, RAIN[:-1]]
    assert (walk.tags, walk.significance, walk.kind) == (("walk",), 9.0, "semantic")
    assert [b"ran home" in line or b"sings" in line for line in refused.lines] == [True, True]
    assert len(asked) == 1


def test_a_misquote_keeps_nothing_where_bad_lines_are_not_passed_over(life: Obeying) -> None:
    def write(_: TextRequest) -> TextReply:
        return TextReply('{"piece":1,"quote":"ran home"}')

    with life.open() as store:
        look = with_model(write, bad_lines=AllOrNothing())
        with pytest.raises(BadInputError, match="is not in the log word for word"):
            read(store, look=look)
        assert kept(store) == []
        assert memory.read_upto(store, agent=AGENT) == 0


def test_a_model_that_cannot_be_asked_keeps_nothing(life: Obeying) -> None:
    look = with_model(lambda _: TextReply("", "it is gone"), bad_lines=Passed())
    with life.open() as store:
        with pytest.raises(UnavailableError, match="it is gone"):
            read(store, look=look)
        assert kept(store) == []
