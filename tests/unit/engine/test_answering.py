"""What a message answers that names one of another space."""

from pathlib import Path

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.engine.tools import spaces, specs
from mindpipe.engine.tools.scope import ToolScope
from mindpipe.spaces import verbs
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import HeardMessage, RunTrigger, WaitBounds
from support.life import AGENT, Life


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Return an agent in two spaces, in one of which somebody else speaks."""
    made = Life(tmp_path / "life")
    with made.open() as store:
        for space in ("alpha", "beta"):
            verbs.new(store, made.clock, name=space)
            for name, kind in ((AGENT, "agent"), ("sara", "human")):
                who = NewSpaceEntity(name=name, kind=kind)
                verbs.join(store, made.clock, made.chance, space=space, who=who)
    return made


def test_it_is_why_the_agent_speaks_here_and_no_reply(life: Life) -> None:
    with life.open() as store:
        asked = ask(life, store)
        said = spaces.send_message(desk(life, store), answering(asked))
        post = next(
            one for one in verbs.held(store, holder=f"{AGENT}/0") if one.id == said["messageId"]
        )
        assert (post.reply_to, post.answers) == (None, asked)


def test_whoever_waits_hears_only_what_is_said_where_they_asked(life: Life) -> None:
    with life.open() as store:
        asked = ask(life, store)
        trigger = RunTrigger(type="service", event="e_1", at=life.clock.now(), name="x")
        run = runs.begin(store, life.clock, life.chance, agent="sara", cycle=1, trigger=trigger)
        heard = HeardMessage(id=asked, space="alpha")
        bounds = WaitBounds(seconds=60)
        runs.wait(store, life.clock, life.chance, run=run.id, message=heard, bounds=bounds)
        with pytest.raises(UsageError, match=asked):
            spaces.send_message(desk(life, store), answering(asked))


def ask(life: Life, store: object) -> str:
    """Let somebody ask in alpha; return the id."""
    new = NewPost(sender="sara", text="Send the report to beta.")
    made = verbs.post(
        store, life.clock, life.chance, space="alpha", post=new, deliver=lambda _events: None
    )
    return made.id


def desk(life: Life, store: object) -> ToolScope:
    return ToolScope(store=store, clock=life.clock, chance=life.chance, agent=AGENT)


def answering(asked: str) -> specs.SendMessage:
    return specs.SendMessage(text="Here it is.", space="beta", message_id=asked)
