"""What each tool of the MCP server does: a call of the verb that a command has, and its lines."""

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.selection.transcript import words_said
from mindpipe.context.verbs import remembered
from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import terminal_text, without_surrogates
from mindpipe.engine.delivery import bounds_of, deliver_to
from mindpipe.engine.dependencies import limits_of
from mindpipe.engine.tools.history import told
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.verbs.ask import SaidToAgent, ask
from mindpipe.history.verbs import history
from mindpipe.inbox.verbs.push import push_events
from mindpipe.knowledge.keys import rules_of
from mindpipe.knowledge.records import BeliefStatus, Observation, ObservationFilter
from mindpipe.knowledge.verbs import observation
from mindpipe.mcp_server.records import (
    MOST_TOLD,
    AgentAnswer,
    AskArguments,
    BeliefsArguments,
    ClientName,
    HeldBelief,
    PushArguments,
    RecallArguments,
    RememberArguments,
    SearchArguments,
    TicketsArguments,
    WhyArguments,
)
from mindpipe.mcp_server.tools import ServedTool
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenItem
from mindpipe.memory.settle import under_source
from mindpipe.memory.verbs import memory
from mindpipe.recall.records import RecallQuery
from mindpipe.recall.verbs import embed, reindex
from mindpipe.recall.verbs import recall as recall_verbs
from mindpipe.recall.verbs.gather import BRISK

if TYPE_CHECKING:
    from mindpipe.app import App
    from mindpipe.knowledge.keys import SlotRules
    from mindpipe.recall.verbs.embed import Meant

_HELD = (BeliefStatus.ACTIVE, BeliefStatus.STALE)
Answer = Iterable[object]


class ServedAgent:
    """An agent as clients reach it, over one open store; used by one thread.

    `tell` says on the side what a client is not told.
    """

    def __init__(self, app: "App", *, agent: str, tell: Callable[[str], None]) -> None:
        self._app = app
        self._name = agent
        self._tell = tell

    def call(self, tool: ServedTool, arguments: dict[str, object], client: ClientName) -> str:
        """Do what one call asks for, and return its lines.

        Raises:
            UsageError: the arguments do not fit.
            MindError: the verb refuses it.
        """
        try:
            given = msgspec.convert(_storable(arguments), tool.arguments)
        except msgspec.ValidationError as error:
            raise UsageError(f"the arguments of {tool.name} do not fit: {error}.") from None
        lines = _CALLS[tool.arguments](self, given, client)
        return "\n".join(to_json(_shortened(msgspec.to_builtins(one))).decode() for one in lines)

    @property
    def _store(self) -> Store:
        return self._app.store

    @functools.cached_property
    def _rules(self) -> "SlotRules":
        knowledge = self._app.settings.knowledge
        return rules_of(slots=knowledge.slots, windows=knowledge.windows)

    def agent(self) -> Agent:
        """Return the agent as it is now; raises UsageError if there is none of this name."""
        return agents.show(self._store, name=self._name)

    def recall(self, given: RecallArguments, _: ClientName) -> Answer:
        """Find again what is remembered, held true or was lived through."""
        agent = self.agent()
        reindex.caught_up(self._store, self._tell)
        asked = recall_verbs.SearchRequest(
            self._name, now=self._app.clock.now(), limit=given.limit, effort=BRISK
        )
        question = RecallQuery(id="query", query=given.query)
        for answer in recall_verbs.recall(self._store, asked, [question], meaning=self._meaning):
            for one in recall_verbs.recalled(answer):
                yield from map(told, remembered.quoted(self._store, agent, one, query=given.query))

    def beliefs(self, given: BeliefsArguments, _: ClientName) -> Answer:
        """List what is held true."""
        wanted = ObservationFilter(agent=self._name, subject=given.subject, statuses=_HELD)
        found = observation.list_(self._store, self._app.clock, wanted=wanted, rules=self._rules)
        return map(_belief, found[: given.limit])

    def why(self, given: WhyArguments, _: ClientName) -> Answer:
        """Say why a belief is held."""
        shown = observation.show(
            self._store, self._app.clock, agent=self._name, ids=(given.id,), rules=self._rules
        )
        return (*map(_belief, shown), *observation.explain(self._store, shown, rules=self._rules))

    def history_search(self, given: SearchArguments, _: ClientName) -> Answer:
        """Find words in what was lived through."""
        self.agent()
        return history.search_widely(
            self._store,
            agent=self._name,
            query=given.query,
            limit=given.limit,
            words_of=words_said,
        )

    def tickets(self, _: TicketsArguments, __: ClientName) -> Answer:
        """List what waits for a person."""
        self.agent()
        trust = self._app.settings.security.sources()
        return tickets.list_(self._store, self._app.clock, agent=self._name, trust=trust)

    def remember(self, given: RememberArguments, client: ClientName) -> Answer:
        """Keep an item under the words of the client."""
        key = given.key and f"{client.source}/{given.key}"
        bare = GivenItem(text=given.text, at=given.at, speaker=given.speaker, key=key)
        trust = (*self.agent().trust, *self._app.settings.security.sources())
        item = under_source(bare, client.source, trust=trust)
        bad_lines = AllOrNothing()
        for field, words in item_faults(item):
            bad_lines.refuse([Problem(source="remember", field=field, message=words)], b"")
        bad_lines.settle()
        app = self._app
        with memory.adding(
            self._store, app.clock, app.chance, agent=self._name, bad_lines=bad_lines
        ) as adder:
            added = adder.add([item], source="remember")
        reindex.caught_up(self._store, self._tell)
        return added

    def push(self, given: PushArguments, client: ClientName) -> Answer:
        """Push an event of the client's."""
        app = self._app
        event = NewEvent(
            agent=self.agent().name, source=client.source, key=given.key, text=given.text
        )
        return push_events(
            self._store,
            app.clock,
            app.chance,
            events=[event],
            bounds=bounds_of(app.settings),
        )

    def ask(self, given: AskArguments, client: ClientName) -> Answer:
        """Let the agent think of what the client says, and tell what it says to it."""
        app = self._app
        agent = self.agent()
        deps = app.dependencies_to_think(agent, tell=self._tell)
        question = SaidToAgent(text=given.text, speaker=client.speaker, sources=(client.source,))
        deliver = deliver_to(app.store, app.clock, app.chance, app.settings)
        answer = ask(deps, agent=agent, question=question, deliver=deliver, limits=limits_of(agent))
        heard = tuple(one.text for one in answer.answers if one.space == answer.space)
        return [
            AgentAnswer(
                answers=heard,
                closing=answer.closing,
                outcome=answer.outcome,
                tickets=answer.tickets,
            )
        ]

    def _meaning(self, rows: Rows, questions: Callable[[], list[str]]) -> "Meant | None":
        """Return what questions mean where an embedding model is configured and answers."""
        embedder = self._app.models.embedder()
        if embedder is None:
            return None
        try:
            return embed.meant(rows, embedder, questions(), agent=self._name, clock=self._app.clock)
        except UnavailableError as error:
            self._tell(f"{error} Searched by words alone.")
            return None


_CALLS: dict[type[Record], Callable[[ServedAgent, Record, ClientName], Answer]] = {
    kind: cast("Callable[[ServedAgent, Record, ClientName], Answer]", do)
    for kind, do in (
        (RecallArguments, ServedAgent.recall),
        (BeliefsArguments, ServedAgent.beliefs),
        (WhyArguments, ServedAgent.why),
        (SearchArguments, ServedAgent.history_search),
        (TicketsArguments, ServedAgent.tickets),
        (RememberArguments, ServedAgent.remember),
        (PushArguments, ServedAgent.push),
        (AskArguments, ServedAgent.ask),
    )
}
"""What is done for the arguments of each tool."""


def _belief(one: Observation) -> HeldBelief:
    """Return a belief as a client reads it."""
    return HeldBelief(
        id=one.id,
        summary=one.summary,
        status=one.status.value,
        confidence=round(one.confidence, 3),
        freshness=round(one.freshness, 3),
        learnt=one.learnt,
        last_supported_at=one.last_supported_at,
        contested=one.contested,
        words_of=one.sources,
    )


def _storable(value: object) -> object:
    """Return arguments whose strings are text: a lone half of a pair is no character."""
    if isinstance(value, str):
        return without_surrogates(value)[0]
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {str(_storable(name)): _storable(one) for name, one in value.items()}
    return value


def _shortened(value: object) -> object:
    """Return a record in plain values: texts without control characters, long ones cut."""
    if isinstance(value, str):
        clean = terminal_text(value)
        return clean if len(clean) <= MOST_TOLD else f"{clean[:MOST_TOLD]}…"
    if isinstance(value, list | tuple):
        return [_shortened(one) for one in value]
    if isinstance(value, dict):
        return {name: _shortened(one) for name, one in value.items()}
    return value
