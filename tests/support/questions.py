"""An agent that asks and waits, a friend who answers, and what the store says of its runs."""

from mindpipe.engine.delivery import delivery
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, Post
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun, TriggerRunState
from support.life import AGENT, Life
from support.loopback.turns import Turn
from support.scripted_model import call, calls

ALL = tuple(TriggerRunState)


def asking(space: str, text: str = "Shall I?") -> Turn:
    """Return a turn that asks in a space and waits."""
    return calls(call("send_message", text=text, space=space, wait=True))


PLAYS = {
    "ask": (asking("family"),),
    "ask-work": (asking("work"),),
    "ask-on": (asking("family", "And this?"),),
    "ask-twice": (
        calls(
            call("send_message", text="One?", space="family", wait=True),
            call("send_message", text="Two?", space="work", wait=True),
        ),
    ),
    "say": (calls(call("send_message", text="Hi", space="family")), Turn(text="Said.")),
    "look": (calls(call("get_my_runs")), Turn(text="Seen.")),
    "words": (Turn(text="Fine."),),
}
AFTER = (Turn(text="All right."),)


class Asking(Life):
    """A life in which a friend speaks."""

    def say(
        self,
        text: str,
        *,
        space: str = "family",
        by: str = "husam",
        dies: tuple[str, int] | None = None,
        **fields: object,
    ) -> Post:
        """Let a friend say something in a space; `dies` names a failpoint and its passage."""
        with self.open() as store, self._failing(store, dies, None):
            deliver = delivery(store, self.clock, self.chance, bounds=self.bounds, max_depth=5)
            return spaces.post(
                store,
                self.clock,
                self.chance,
                space=space,
                post=NewPost(sender=by, text=text, **fields),
                deliver=deliver,
            )

    def runs(self) -> list[TriggerRun]:
        """Return all runs, oldest first."""
        with self.open() as store:
            return runs.of_agent(store, agent=AGENT, states=ALL)[::-1]

    def posts(self, space: str = "family", by: str = AGENT) -> list[Post]:
        """Return what somebody said in a space."""
        with self.open() as store:
            return [post for post in spaces.read(store, space=space) if post.sender == by]

    def due(self) -> int:
        """Return how many events could be claimed now."""
        with self.open() as store:
            return len(inbox.peek(store, self.clock, agent=AGENT))
