"""What a person's own compaction is planned with: what waits, and a model only while none lives."""

from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.verbs import compact
from mindpipe.core.errors import TemporaryError
from mindpipe.engine.cycle.compaction import asking, with_waiting
from support.approvals import Asking, tool
from support.life import AGENT
from support.windows import FoldingLife, folding_life, reporting

pytestmark = pytest.mark.heavy

OPTIONS = PlanOptions(agent=AGENT, strategy="anchored", budget=1200, keep_cycles=1)


@pytest.fixture
def life(tmp_path: Path) -> FoldingLife:
    """Return an agent of thirty cycles, whose model is never asked for a summary by itself."""
    life = folding_life(tmp_path / "life", max_tokens=100_000, compaction="model")
    life.live(reporting(), 30)
    return life


def test_what_waits_is_what_the_old_cycles_are_compared_with(life: FoldingLife) -> None:
    life.push("Is the boiler warm?")
    with life.open() as store:
        agent = agents.show(store, name=AGENT)
        assert with_waiting(store, life.clock, OPTIONS, agent=agent).inbox == "Is the boiler warm?"
        own = OPTIONS._replace(inbox="The roof?")
        assert with_waiting(store, life.clock, own, agent=agent).inbox == "The roof?"


def test_a_ticket_that_is_open_is_always_named(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("pay"))
    ticket = life.ask("pay")
    with life.open() as store:
        agent = agents.show(store, name=AGENT)
        assert with_waiting(store, life.clock, OPTIONS, agent=agent).tickets == (ticket.id,)
        life.deny(ticket)
        assert with_waiting(store, life.clock, OPTIONS, agent=agent).tickets == ()


def test_a_model_is_asked_under_the_lease_of_its_agent(life: FoldingLife) -> None:
    model = reporting()
    with life.open() as store:
        deps = life.dependencies(store, model)
        with asking(deps, agent=AGENT) as ports:
            with pytest.raises(TemporaryError):
                leases.acquire(store, life.clock, agent=AGENT, owner="another", seconds=9)
            planned = compact.plan(ports, options=OPTIONS._replace(strategy="model"))
        leases.acquire(store, life.clock, agent=AGENT, owner="another", seconds=9)
        with pytest.raises(TemporaryError), asking(deps, agent=AGENT):
            pass
    assert planned.plan.fallback == "the model's answer has no heading " + ", ".join(
        ("Goal", "Decisions", "State", "Open items", "Errors", "Anchors", "Lookup hints")
    )
    assert life.rows("SELECT purpose, state FROM ledger WHERE purpose != 'think'") == [
        ("compact", "settled")
    ]
    assert life.changes() == []
