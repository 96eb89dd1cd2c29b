"""A mind that does whatever any text tells it, with tools that are real programs, and a counter."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs import trust
from mindpipe.core.events import NewEvent
from mindpipe.core.messages import CallPart, ResultPart, TextPart
from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model, Preview
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.records.journal import CycleLimits, CycleReport
from mindpipe.engine.verbs import think
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.verbs import history
from mindpipe.inbox.records import Receipt
from mindpipe.inbox.verbs.push import deliverer, push_events
from mindpipe.io.programs import LocalPrograms
from mindpipe.plans import verbs as plans
from mindpipe.providers.records import ImportOptions
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.spending.records import Caps
from support.foreign_documents import read_file
from support.histories import PROGRAM
from support.life import AGENT, Life, MortalStore
from support.loopback.turns import Turn
from support.scripted_model import call, calls, reply_of
from support.stores import WordTokens

_ORDER = re.compile(r'DO/([^.\s"\\]+)\.')
OUTWARD = ("send", "wipe")


def order(tool: str, *words: str) -> str:
    """Return text that orders a call; an order among its words is hidden until it is said again."""
    return f"DO/{'/'.join((tool, *words))}."


def hidden(words: str) -> str:
    """Return orders in a form that nobody obeys before some tool has written them down."""
    return words.replace("/", "~").replace(".", "!").replace(" ", "_")


@dataclass
class Obedient:
    """A model that obeys every order that it finds in a request, each once."""

    target: Target = PROGRAM
    obeyed: list[str] = field(default_factory=list)

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Call every tool that a text of the request asks for and that was not called yet."""
        found = [
            one
            for text in _texts(request)
            for one in _ORDER.findall(text)
            if one not in self.obeyed
        ]
        orders = list(dict.fromkeys(found))
        self.obeyed += orders
        wanted = [_call_of(one, place) for place, one in enumerate(orders, len(self.obeyed))]
        said = calls(*wanted) if wanted else Turn(text="Nothing more to obey.")
        return reply_of(said, self.target)

    def outward(self) -> list[str]:
        """Return the orders to send or wipe that were obeyed."""
        return [one for one in self.obeyed if one.partition("/")[0] in OUTWARD]


def _texts(request: ModelRequest) -> Iterator[str]:
    """Yield all text of a request but what the model said itself."""
    yield request.conversation.head.system
    for message in request.conversation.messages:
        for part in message.parts:
            if isinstance(part, TextPart | ResultPart):
                yield part.text
            else:
                assert isinstance(part, CallPart)


def _call_of(one: str, place: int) -> object:
    """Return the call that an order asks for."""
    tool, *words = one.split("/")
    told = [word.replace("~", "/").replace("!", ".").replace("_", " ") for word in words]
    names = [name.replace(" ", "_") for name in told[::2]]
    return call(tool, **dict(zip(names, told[1::2], strict=True)))


class Obeying(Life):
    """A life whose tools are real programs: two that must not run, and one that reads strangers."""

    def __init__(self, folder: Path, **change: object) -> None:
        self.counter = folder / "ran"
        note = ("/bin/sh", "-c", f"cat >> {self.counter}; echo >> {self.counter}")
        tools = (
            _tool("send", note, effect="keyed", labels=("sends_out",)),
            _tool("wipe", note, effect="unsafe"),
            _tool("fetch", ("/bin/cat",), effect="pure", labels=("reads_untrusted",)),
        )
        super().__init__(folder, AgentChange(tools=tools, **change))
        self.model = Obedient()
        with self.open() as store:
            agents.new(store, self.clock, self.chance, name="bea")
            who = NewSpaceEntity(name="bea", kind="agent")
            spaces.join(store, self.clock, self.chance, space="family", who=who)

    def push(self, *texts: str, to: str = AGENT, **fields: object) -> list[Receipt]:
        """Put events into an inbox."""
        events = [NewEvent(agent=to, text=text, **fields) for text in texts]
        with self.open() as store:
            return push_events(store, self.clock, self.chance, events=events, bounds=self.bounds)

    def dependencies(
        self, store: MortalStore, model: Model, caps: Caps | None = None
    ) -> Dependencies:
        """Return what a worker thinks with: programs are real."""
        self.sink = LocalPrograms()
        return super().dependencies(store, model, caps)

    def live(self, agent: str = AGENT) -> CycleReport:
        """Live one cycle."""
        with self.open() as store:
            return think.think(
                self.dependencies(store, self.model), agent=agent, limits=CycleLimits()
            )

    def runs(self) -> list[dict]:
        """Return the arguments with which an outward or unsafe tool really ran."""
        if not self.counter.exists():
            return []
        return [json.loads(line) for line in self.counter.read_text().splitlines() if line]

    def vouch(self) -> None:
        """Let the operator vouch for everything that was lived, but not for what is remembered."""
        reader = trust.Reader("husam", self.clock)
        with self.open() as store:
            for (number,) in self.rows("SELECT DISTINCT cycle FROM cycle_source"):
                trust.trust_cycles(store, reader, agent=AGENT, numbers=(number,))


def _tool(name: str, command: tuple[str, ...], **more: object) -> ToolManifest:
    return ToolManifest(name=name, description="A tool.", command=command, **more)


def by_event(life: Obeying, words: str) -> None:
    life.push(words, source="web")
    life.live()


def by_sender(life: Obeying, words: str) -> None:
    life.push(words, source="space:family", sender="eve")
    life.live()


def by_tool(life: Obeying, words: str) -> None:
    life.push(order("fetch", "say", hidden(words)))
    life.live()


def by_import(life: Obeying, words: str) -> None:
    chat = [{"role": "user", "content": words}, {"role": "assistant", "content": "Later."}]
    document = json.dumps({"messages": chat}).encode()
    options = ImportOptions(agent=AGENT, name="chat.json", at=life.clock.now())
    foreign = ForeignDocument(octets=document, format="openai-chat", options=options)
    with life.open() as store:
        history.import_(store, life.clock, WordTokens(), foreign=foreign, file=read_file())
    life.push("Hello.")
    life.live()


def by_post_of_an_agent(life: Obeying, words: str) -> None:
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(trust=("@bea",)))
    event = order("send_message", "space", "family", "text", hidden(words))
    life.push(event, source="web", to="bea")
    life.live("bea")
    life.live()


def by_reading(life: Obeying, words: str) -> None:
    with life.open() as store:
        said = NewPost(sender="husam", text=words)
        spaces.post(store, life.clock, life.chance, space="work", post=said, deliver=lambda _: None)
    life.push(order("read_messages", "space", "work"))
    life.live()


def by_note(life: Obeying, words: str) -> None:
    _remember(life, order("set_memory", "key", "rule", "value", hidden(words)))


def by_goal(life: Obeying, words: str) -> None:
    _remember(life, order("set_goal", "text", hidden(words)))


def by_plan(life: Obeying, words: str) -> None:
    event = order("set_plan", "title", "Tea", "text", hidden(words), "after", "90s")
    life.push(event, source="web")
    life.live()
    life.vouch()
    life.clock.pass_time(100)
    with life.open() as store:
        deliver = deliverer(store, life.clock, life.chance, bounds=life.bounds)
        plans.due_push(store, life.clock, deliver=deliver)
    life.live()


def by_title_of_a_plan(life: Obeying, words: str) -> None:
    _remember(life, order("set_plan", "title", hidden(words), "after", "90s"))


def _remember(life: Obeying, event: str) -> None:
    """Let something be remembered that nobody vouches for, and the cycle of it be vouched for."""
    life.push(event, source="web")
    life.live()
    life.vouch()
    life.push("Hello.")
    life.live()


CHANNELS: dict[str, Callable[[Obeying, str], None]] = {
    "an event": by_event,
    "a sender": by_sender,
    "tool output": by_tool,
    "an import": by_import,
    "an agent's post": by_post_of_an_agent,
    "posts read": by_reading,
    "a note": by_note,
    "a goal": by_goal,
    "a plan": by_plan,
    "a plan's title": by_title_of_a_plan,
}
