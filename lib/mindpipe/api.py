"""The Python API: a store and the agents in it, by the verbs that the commands run.

`import mindpipe` gives these names; nothing is loaded before one of them is used. Every method
returns the records that its command prints, and raises what that command ends with: a MindError,
whose words say what was wrong and what to try. See mind-python(7).
"""

import warnings
from collections.abc import Iterator, Mapping
from types import TracebackType, UnionType
from typing import TYPE_CHECKING, Self

from mindpipe.app import App

if TYPE_CHECKING:
    from os import PathLike

    from mindpipe.agents.records import Agent, AgentChange, Goal
    from mindpipe.compaction.records import Compaction
    from mindpipe.core.messages import Message
    from mindpipe.engine.dependencies import Dependencies
    from mindpipe.engine.records.journal import CycleReport, Ticket
    from mindpipe.engine.verbs.ask import AskAnswer
    from mindpipe.inbox.records import Event, Receipt
    from mindpipe.knowledge.records import Consolidated, Observation
    from mindpipe.memory.records import Added
    from mindpipe.plans.records import Plan
    from mindpipe.recall.records import Recalled

Setting = str | int | float | bool | None


class OpenStore:
    """A store that is open, for one thread; close it, or use it in a `with`."""

    def __init__(self, app: App) -> None:
        self._app = app

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it; what was done is on disk already."""
        self._app.store.close()

    def agents(self) -> "list[Agent]":
        """Return all agents by name, as `mind agent list`."""
        from mindpipe.agents.verbs import agent as agents

        return agents.list_(self._app.store)

    def agent(self, name: str) -> "OpenAgent":
        """Return one agent; raises UsageError where there is none of this name."""
        from mindpipe.agents.verbs import agent as agents

        _require(str, name=name)
        return OpenAgent(self._app, agents.show(self._app.store, name=name).name)

    def new_agent(self, name: str, **settings: Setting) -> "OpenAgent":
        """Make an agent, as `mind agent new`; settings are those of its options, with _ for -.

        Raises:
            RefusedError: there is one of this name.
            UsageError: the name or a setting is not allowed.
        """
        from mindpipe.agents.verbs import agent as agents

        _require(str, name=name)
        app = self._app
        change = app.new_agent(_change_of(settings))
        made = agents.new(app.store, app.clock, app.chance, name=name, change=change)
        return OpenAgent(app, made.name)


class OpenAgent:
    """One agent of a store that is open."""

    def __init__(self, app: App, name: str) -> None:
        self._app = app
        self.name = name

    @property
    def settings(self) -> "Agent":
        """Return the agent as `mind agent show` prints it."""
        from mindpipe.agents.verbs import agent as agents

        return agents.show(self._app.store, name=self.name)

    def set(self, **settings: Setting) -> "Agent":
        """Change settings, as `mind agent set`; None goes back to no value."""
        from mindpipe.agents.verbs import agent as agents

        change = self._app.change_of_agent(_change_of(settings))
        return agents.set_(self._app.store, name=self.name, change=change)

    def push(self, text: str, *, source: str | None = None, key: str | None = None) -> "Receipt":
        """Put words into the inbox, as `mind inbox push`; they are on disk when this returns.

        Without a source they are the operator's. With a key a repeated push is the same event.

        Raises:
            UsageError: there are no words, or what is given is no text.
            BadInputError: too long, or the key was used before for another event.
            RefusedError: the inbox holds as many open events as it may.
        """
        from mindpipe.core.errors import UsageError
        from mindpipe.core.events import OPERATOR, NewEvent
        from mindpipe.engine.delivery import bounds_of
        from mindpipe.inbox.verbs.push import push_events

        _require(str, text=text)
        _require(str | None, source=source, key=key)
        for name, given in (("text", text), ("source", source)):
            if given is not None and not given.strip():
                raise UsageError(f"{name} is empty; give it some words.")
        app = self._app
        whose = OPERATOR if source is None else source
        event = NewEvent(agent=self.name, text=text, source=whose, key=key)
        bounds = bounds_of(app.settings)
        (receipt,) = push_events(app.store, app.clock, app.chance, events=[event], bounds=bounds)
        return receipt

    def think(self, *, model: str | None = None) -> "CycleReport":
        """Live one cycle over what is due, as `mind think`.

        Raises:
            UsageError: there is no such model.
            NothingToDoError: nothing is due.
            MindError: the cycle could not be lived; what is due stays in the inbox.
        """
        from mindpipe.engine.dependencies import limits_of
        from mindpipe.engine.verbs import think

        _require(str | None, model=model)
        agent = self.settings
        return think.think(self._deps(agent, model), agent=self.name, limits=limits_of(agent))

    def ask(
        self, text: str, *, speaker: str | None = None, model: str | None = None
    ) -> "AskAnswer":
        """Say something to the agent, let it think, and return what it said to that, as `mind ask`.

        `speaker` is who says it; without one it is who is logged in.
        """
        from mindpipe.engine.delivery import deliver_to
        from mindpipe.engine.dependencies import limits_of
        from mindpipe.engine.verbs.ask import SaidToAgent, ask

        _require(str, text=text)
        _require(str | None, speaker=speaker, model=model)
        app, agent = self._app, self.settings
        return ask(
            self._deps(agent, model),
            agent=agent,
            question=SaidToAgent(text=text, speaker=speaker or _logged_in()),
            deliver=deliver_to(app.store, app.clock, app.chance, app.settings),
            limits=limits_of(agent),
        )

    def history(self, *, cycle: int | None = None) -> "Iterator[Message]":
        """Yield what was said, oldest first, as `mind history show`.

        Raises:
            UsageError: the cycle that is asked for is not there.
        """
        from mindpipe.history.verbs import history

        _require(int | None, cycle=cycle)
        return history.show(self._app.store, agent=self.name, cycle=cycle)

    def recall(self, query: str, *, limit: int = 10) -> "list[Recalled]":
        """Return what answers a question best of all that it lived, as `mind recall`.

        It goes by words and not by vectors.

        Raises:
            UsageError: the query is no text, or the limit is not at least 1.
        """
        from mindpipe.agents.verbs import agent as agents
        from mindpipe.context.verbs.remembered import quoted
        from mindpipe.core.errors import UsageError
        from mindpipe.recall.records import RecallQuery
        from mindpipe.recall.verbs import reindex
        from mindpipe.recall.verbs.recall import SearchRequest, recall, recalled

        _require(str, query=query)
        _require(int, limit=limit)
        if limit < 1:
            raise UsageError(f"limit is {limit}; it must be at least 1.")
        store = self._app.store
        reindex.caught_up(store, warnings.warn)
        asked = SearchRequest(agent=self.name, now=self._app.clock.now(), limit=limit)
        (answer,) = recall(store, asked, [RecallQuery(id="1", query=query)])
        whose = agents.show(store, name=self.name)
        return [said for one in recalled(answer) for said in quoted(store, whose, one, query=query)]

    def tickets(self) -> "list[Ticket]":
        """Return the calls that wait for a person, oldest first, as `mind ticket list`."""
        from mindpipe.engine.verbs import ticket

        trust = self._app.settings.security.sources()
        return ticket.list_(self._app.store, self._app.clock, agent=self.name, trust=trust)

    def approve(self, ticket: str, *, sha256: str, by: str | None = None) -> "Ticket":
        """Let exactly the call of this hash run, once, by the next cycle, as `mind ticket approve`.

        Raises:
            UsageError: there is no such ticket, or its call has another hash.
            RefusedError: it is decided, or its time is over.
        """
        from mindpipe.engine.delivery import announce_to
        from mindpipe.engine.verbs import ticket as tickets
        from mindpipe.engine.verbs.ticket import TicketVerdict

        _require(str, ticket=ticket, sha256=sha256)
        _require(str | None, by=by)
        app = self._app
        return tickets.approve(
            app.store,
            app.clock,
            announce_to(app.store, app.clock, app.chance, app.settings),
            ticket=ticket,
            sha256=sha256,
            verdict=TicketVerdict(_logged_in() if by is None else by),
        )

    def remember(
        self, text: str, *, speaker: str | None = None, source: str | None = None
    ) -> "Added":
        """Remember what somebody said, as `mind memory add`; of a source nobody vouches for it.

        Raises:
            BadInputError: the words cannot be kept.
        """
        from mindpipe.memory.records import NewItem
        from mindpipe.memory.verbs import memory

        _require(str, text=text)
        _require(str | None, speaker=speaker, source=source)
        item = NewItem(text=text, speaker=speaker, sources=() if source is None else (source,))
        app = self._app
        (added,) = memory.add(app.store, app.clock, app.chance, agent=self.name, given=[item])
        return added

    def consolidate(self) -> "list[Consolidated]":
        """Make beliefs of what is new in the memory, without a model, as `mind consolidate`.

        Raises:
            NothingToDoError: nothing is new.
        """
        from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions

        options = ConsolidateOptions(rules=self._app.knowledge().rules)
        store = self._app.store
        return list(self._app.consolidate(store, agent=self.name, options=options))

    def beliefs(self) -> "list[Observation]":
        """Return what is held true, the surest first, as `mind observation list`."""
        from mindpipe.knowledge.records import ObservationFilter
        from mindpipe.knowledge.verbs import observation

        return observation.list_(
            self._app.store,
            self._app.clock,
            wanted=ObservationFilter(agent=self.name),
            rules=self._app.knowledge().rules,
        )

    def inbox(self) -> "list[Event]":
        """Return what waits, most urgent first, as `mind inbox list`."""
        from mindpipe.inbox.verbs import inbox

        return inbox.list_(self._app.store, agent=self.name)

    def plans(self) -> "list[Plan]":
        """Return the plans, in the order in which they were made, as `mind plan list`."""
        from mindpipe.plans import verbs

        return verbs.list_(self._app.store, agent=self.name)

    def goals(self) -> "list[Goal]":
        """Return the goals, in the order in which they were made, as `mind goal list`."""
        from mindpipe.agents.verbs import goal

        return goal.list_(self._app.store, agent=self.name)

    def add_goal(self, text: str, *, priority: int | None = None) -> "Goal":
        """Give a goal, as `mind goal add`; `priority` says how much it matters, 1 (most) to 9.

        Raises:
            UsageError: the text is blank, or longer than 2,000 characters.
        """
        from mindpipe.agents.verbs import goal

        _require(str, text=text)
        _require(int | None, priority=priority)
        app = self._app
        return goal.add(
            app.store, app.clock, app.chance, agent=self.name, text=text, priority=priority
        )

    def set_goal(
        self,
        goal: str,
        *,
        text: str | None = None,
        state: str | None = None,
        priority: int | None = None,
    ) -> "Goal":
        """Change a goal, as `mind goal set`; `state` is one that `mind goal set --help` names.

        Raises:
            UsageError: there is no such goal or state, or nothing to change.
        """
        from mindpipe.agents.records import GoalState
        from mindpipe.agents.verbs import goal as goals
        from mindpipe.core.errors import UsageError

        _require(str, goal=goal)
        _require(str | None, text=text, state=state)
        _require(int | None, priority=priority)
        known = [one.value for one in GoalState]
        if state is not None and state not in known:
            raise UsageError(f'"{state}" is no state of a goal; it is one of {", ".join(known)}.')
        return goals.set_(
            self._app.store,
            self._app.clock,
            agent=self.name,
            goal=goal,
            text=text,
            state=None if state is None else GoalState(state),
            priority=priority,
        )

    def compact(self, *, budget: int | None = None, keep_cycles: int | None = None) -> "Compaction":
        """Fold old cycles out of the window, as `mind compact` does without a model.

        With a budget, in tokens, a window that fits stays as it is; `keep_cycles` at the end stay
        whole while they fit.

        Raises:
            NothingToDoError: no cycle would leave.
            UsageError: the agent has the strategy `model`, which mind compact asks.
        """
        from mindpipe.compaction.plans.lines import plan_octets
        from mindpipe.compaction.verbs.compact import plan, plan_options
        from mindpipe.context.verbs.origins import material_ports
        from mindpipe.core.errors import UsageError
        from mindpipe.engine.cycle.compaction import with_cache, with_waiting
        from mindpipe.history.verbs.log import current_segment

        _require(int | None, budget=budget, keep_cycles=keep_cycles)
        app, agent = self._app, self.settings
        usual = with_waiting(app.store, app.clock, plan_options(agent), agent=agent)
        if usual.strategy == "model":
            raise UsageError(f"{self.name} is compacted by a model; run mind compact.")
        if (budget is not None and budget < 1) or (keep_cycles is not None and keep_cycles < 0):
            raise UsageError("budget must be at least 1, and keep_cycles at least 0.")
        wanted = usual._replace(
            budget=budget or usual.budget,
            keep_cycles=usual.keep_cycles if keep_cycles is None else keep_cycles,
            if_over=budget is not None,
        )
        if (segment := current_segment(app.store, agent=self.name)) is not None:
            prices = app.models.prices()
            wanted = with_cache(app.store, wanted, target=segment.target, prices=prices)
        ports = material_ports(app.store, app.clock, app.tokens)
        planned = plan(ports, options=wanted)
        return app.apply_plan(ports, agent=self.name, octets=plan_octets(planned), source="plan")

    def view(self) -> str:
        """Return the life as one HTML page without network, as `mind view`."""
        from mindpipe.monitoring.verbs import view

        app = self._app
        pieces = view.view(
            app.store,
            app.clock,
            agent=self.name,
            files=app.page_files(),
            trust=tuple(app.settings.security.sources()),
        )
        return b"".join(pieces).decode()

    def _deps(self, agent: "Agent", model: str | None) -> "Dependencies":
        """Return what a worker for this agent needs; what it waits for is said to nobody."""
        return self._app.dependencies_to_think(agent, model=model, tell=lambda _: None)


def open_store(
    path: "str | PathLike[str]" = "mind.db",
    *,
    create: bool = False,
    environment: Mapping[str, str] | None = None,
    **options: str | int | None,
) -> OpenStore:
    """Open a store, with `create` make it where there is none.

    Args:
        path: Where the store is.
        create: Make it where there is none, as `mind init`.
        environment: What stands in the place of this process's variables: keys, MIND_ settings.
        **options: Settings by their names, such as model, now and seed; mind-config(1) has all.

    Raises:
        UnavailableError: there is no store, or it is of a newer version.
        UsageError: the path is none.
    """
    import os

    _require(str | os.PathLike, path=path)
    variables = os.environ if environment is None else environment
    app = App({"store": os.fspath(path), **options}, variables)
    if create and not app.is_there:
        from mindpipe.store.verbs.init import init

        init(app.where, app.clock, app.chance, agent=None, page_checksums=False)
    made = OpenStore(app)
    made.agents()  # what cannot be read is said now
    return made


def _require(kind: type | UnionType, **given: object) -> None:
    """Hold what is given to its kind.

    Raises:
        UsageError: something is of another kind, which types would have told.
    """
    from mindpipe.core.errors import UsageError

    wanted = getattr(kind, "__name__", str(kind))
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, kind):
            raise UsageError(f"{name} is of type {type(value).__name__}; it must be {wanted}.")


def _change_of(settings: Mapping[str, Setting]) -> "AgentChange":
    """Return settings as the change of an agent; raises UsageError for one that there is not."""
    import msgspec

    from mindpipe.agents.records import AgentChange
    from mindpipe.core.errors import UsageError

    try:
        return msgspec.convert(dict(settings), AgentChange)
    except msgspec.ValidationError as error:
        raise UsageError(f"this is no setting of an agent: {error}.") from None


def _logged_in() -> str:
    """Return who is logged in."""
    import getpass

    return getpass.getuser()
