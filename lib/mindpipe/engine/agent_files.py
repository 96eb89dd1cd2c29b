"""Let an agent live in plain files: a scratch store is filled from them and thrown away."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent, AgentFile
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.plans.lines import plan_octets
from mindpipe.compaction.verbs import compact, material
from mindpipe.context.timeline.wording import named
from mindpipe.context.turns import heard
from mindpipe.context.verbs import origins, prompts
from mindpipe.context.verbs.situations import PromptOptions, PromptPorts
from mindpipe.core.errors import (
    BadInputError,
    IllegalStateError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.events import NewEvent
from mindpipe.core.messages import (
    CallPart,
    Message,
    ResultPart,
    ResultStatus,
    Role,
    decode_message,
    text_of,
)
from mindpipe.core.models import Target
from mindpipe.core.ports import Chance, Clock, Store, Tokens
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe.core.sources import HISTORY
from mindpipe.engine import phase_store
from mindpipe.engine.cycle import journal
from mindpipe.engine.phase_lines import PhaseLines
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tools import dispatch
from mindpipe.engine.tools import scope as tool_scope
from mindpipe.engine.tools.offered import tools_now
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Cycle, CycleOutcome, CycleState
from mindpipe.history.verbs import history as history_verbs
from mindpipe.history.verbs import log
from mindpipe.inbox.records import Bounds, FileEvent, Receipt
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import SystemChance
from mindpipe.io.clock import StandingClock
from mindpipe.io.files import read_whole
from mindpipe.io.lines import IMPORT_BYTES, bounded_lines
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from mindpipe.store import schema
from mindpipe.store.scratch import scratch_store

# Tools whose effect a cycle over plain files has to know of, and where their result names an id.
MOST_SEGMENTS = 10_000
"""Each is opened anew, also one of which no message is left."""
_KEPT = {
    "set_memory": None,
    "delete_memory": None,
    "set_goal": "goalId",
    "delete_goal": None,
    "set_plan": "planId",
    "delete_plan": None,
}


class _GivenIds(SystemChance):
    """Chance that gives the id that was given then."""

    def __init__(self, given: str) -> None:
        self._given = given

    def new_id(self, prefix: str, *place: str | int) -> str:
        """Return the given id."""
        return self._given or super().new_id(prefix, *place)


def relive(store: Store, agent: Agent, messages: Iterable[Message]) -> None:
    """Run every kept call that was answered with success once more, at its time, with its id."""
    asked: dict[str, CallPart] = {}
    tainted: set[str] = set()
    for message in messages:
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
                tainted |= {part.id} if message.taint else set()
            elif isinstance(part, ResultPart) and part.status is ResultStatus.OK:
                call = asked.get(part.call)
                if call is not None and call.tool in _KEPT and call.args is not None:
                    scope = tool_scope.ToolScope(
                        store=store,
                        clock=StandingClock(message.at),
                        chance=_GivenIds(_given_id(call.tool, part.json)),
                        agent=agent.name,
                        sources=(HISTORY,) if call.id in tainted else (),
                    )
                    dispatch.do(scope, call.tool, call.args)


def relive_tickets(store: Store, agent: Agent, tickets: Iterable[Ticket]) -> None:
    """Do once more, at its time, what was decided and done by tools whose effect is kept."""
    for ticket in tickets:
        if ticket.tool in _KEPT and ticket.state is TicketState.EXECUTED:
            answer = msgspec.json.decode(ticket.result or "null")
            scope = tool_scope.ToolScope(
                store=store,
                clock=StandingClock(ticket.decided or ticket.created),
                chance=_GivenIds(_given_id(ticket.tool, answer)),
                agent=agent.name,
                sources=ticket.sources,
            )
            dispatch.do(scope, ticket.tool, ticket.to_run() or {})


def _given_id(tool: str, answer: object) -> str:
    """Return the id that a call's answer names, or nothing."""
    field = _KEPT[tool]
    return str(answer.get(field, "")) if field and isinstance(answer, dict) else ""


class _SpokenMessage(NamedTuple):
    """One message of a space."""

    space: str
    post: NewPost


def retell(store: Store, agent: Agent, messages: Iterable[Message]) -> None:
    """Put into spaces what was heard and said in them; the agent has seen all of it.

    What was said in a space that the agent is not in, or by who is not in it any more, is left out.
    """
    mine = spaces.list_(store, member=agent.name)
    members = {one.name for space in mine for one in spaces.members(store, space=space.name)}
    found = ((name, spaces.entity(store, name=name)) for name in sorted(members))
    known = [(name, entity) for name, entity in found if entity is not None]
    names = {named(entity.title): name for name, entity in known}
    names |= {entity.id: name for name, entity in known}
    titles = {title: space.name for space in mine for title in (space.title, space.name)}
    for where, post in _said(agent, messages, names):
        if where in titles:
            _say(store, titles[where], post)
    for space in mine:
        spaces.seen(store, space=space.name, name=agent.name)


def _said(
    agent: Agent, messages: Iterable[Message], names: dict[str, str]
) -> Iterator[_SpokenMessage]:
    """Yield what was heard and said, in its order; `names` are by id and title."""
    place = ""
    asked: dict[str, CallPart] = {}
    for message in messages:
        sources = (HISTORY,) if message.taint else ()
        for one in heard(text_of(message)) if message.role is Role.USER else ():
            place = one.space
            if (who := names.get(one.entity) or names.get(one.who)) is not None:
                yield _SpokenMessage(place, _post(who, one.text, one.at, one.id, sources))
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
            elif (
                isinstance(part, ResultPart)
                and (call := asked.get(part.call)) is not None
                # What a tool of somebody else answers is not what the agent has said.
                and call.tool == "send_message"
                and (id := _id_of(part))
            ):
                args = call.args or {}
                post = _post(agent.name, str(args.get("text")), message.at, id, sources)
                yield _SpokenMessage(str(args.get("space") or place), post)


def _post(sender: str, text: str, at: str, id: str, sources: tuple[str, ...]) -> NewPost:
    """Return something as it was said."""
    return NewPost(sender=sender, text=text, at=at, id=id, sources=sources)


def _id_of(result: ResultPart) -> str:
    """Return the id of the message that a call has sent, or nothing."""
    answer = result.json
    return str(answer.get("messageId", "")) if isinstance(answer, dict) else ""


def _say(store: Store, space: str, post: NewPost) -> None:
    """Say something as it was said, to nobody."""
    clock = StandingClock(post.at or "")
    try:
        spaces.post(store, clock, SystemChance(), space=space, post=post, deliver=_to_nobody)
    except UsageError:
        return


def _to_nobody(_events: list[NewEvent]) -> None:
    """Tell nobody."""


_STATED = re.compile(
    r"^ACTIVE SPACE:\n  - (?:\".* \(id: ([a-z0-9_.-]+)\)|\(none\b.*)$", re.MULTILINE
)


def place_after(messages: Iterable[Message], titles: Mapping[str, str]) -> str | None:
    """Return the space that an agent is in after its history, or None.

    A cycle's note says where it began; entering and leaving move on from there. `titles` are the
    titles of its spaces by name.
    """
    place: str | None = None
    asked: dict[str, CallPart] = {}
    names = {**{title: name for name, title in titles.items()}, **{name: name for name in titles}}
    for message in messages:
        if message.role is Role.NOTE and message.origin == "program":
            stated = _STATED.findall(text_of(message))
            place = (stated[-1] or None) if stated else place
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
            elif isinstance(part, ResultPart) and part.status is ResultStatus.OK:
                place = _moved(asked.get(part.call), names, place)
    return place


def _moved(call: CallPart | None, names: Mapping[str, str], place: str | None) -> str | None:
    """Return where an answered call leaves the agent."""
    if call is not None and call.tool == "leave_space":
        return None
    if call is not None and call.tool == "enter_space":
        return names.get(str((call.args or {}).get("space")), place)
    return place


STORE_ID = "s_files"


class LifeFiles(NamedTuple):
    """The plain files of one agent: its document as read, and where its history and inbox are."""

    agent: AgentFile
    source: str
    history: Path | None
    events: Path | None


class ScratchLife:
    """An agent in a store of its own in memory, as its files tell it."""

    def __init__(self, clock: Clock, chance: Chance, tokens: Tokens) -> None:
        self.store = scratch_store()
        self._clock = clock
        self._chance = chance
        self._tokens = tokens
        self._last = 0

    def settle(self, files: LifeFiles, target: Target) -> Agent:
        """Fill the store from the files and return the agent.

        Raises:
            BadInputError: a file breaks its format.
        """
        name = files.agent.agent.name
        with self.store.write():
            agent = self._agent(files.agent, files.source)
            if files.history is not None:
                self._remember(agent, target, _messages(files.history, name))
            if files.events is not None:
                self._push(_events(files.events, name))
        self._last = log.log_head(self.store, agent=name).seq
        return agent

    def go_on(
        self, portrait: AgentFile, source: str, lines: PhaseLines, target: Target | None
    ) -> Agent:
        """Fill the store from the lines between phases and return the agent.

        Its history is lived again only for a model that is to go on with it, the `target`. Events
        that had no ids have them in the lines from now on.

        Raises:
            BadInputError: a line is none of this pipe.
        """
        with self.store.write():
            agent = self._agent(portrait, source)
            if target is not None:
                self._remember(agent, target, lines.all(Message))
                relive_tickets(self.store, agent, lines.all(Ticket))
            phase_store.fill(self.store, self._clock, lines)
            receipts = [one for events in lines.told() for one in self._push(events)]
            for event in phase_store.pushed(self.store, receipts):
                lines.put(event)
            lines.forget_told()
        return agent

    def _agent(self, portrait: AgentFile, source: str) -> Agent:
        """Put an agent into the store and return it."""
        with self.store.write() as rows:
            schema.give_identity(rows, identity=STORE_ID, created=self._clock.now())
            prompts.settle(self.store, self._clock, self._chance, portrait=portrait, source=source)
            return agents.show(self.store, name=portrait.agent.name)

    def _push(self, events: Sequence[NewEvent]) -> list[Receipt]:
        """Push events, and return their receipts."""
        return push_events(self.store, self._clock, self._chance, events=events, bounds=Bounds())

    def new_messages(self, agent: Agent) -> Iterator[Message]:
        """Yield what was added to the history since the files were read."""
        return history_verbs.messages(self.store, agent=agent.name, since=self._last + 1)

    def _remember(self, agent: Agent, target: Target, messages: Sequence[Message]) -> None:
        """Append a history as it was lived: its segments, cycles and messages, and what it did."""
        before: list[Message] = []
        last = max((message.segment for message in messages), default=0)
        if last > MOST_SEGMENTS:
            words = f"segment {last} is more than the {MOST_SEGMENTS} that a history may have"
            raise BadInputError([Problem(source="history", message=words)])
        for number in range(1, last + 1):
            lived = [message for message in messages if message.segment == number]
            if not self._fold(agent, before, lived):
                self._open_segment(agent, target, before, lived)
            self._open_cycles(agent, {message.cycle for message in lived})
            try:
                log.append(self.store, self._tokens, messages=lived)
            except IllegalStateError as error:
                # What a history of lines breaks was broken by who wrote them, not by the program.
                raise BadInputError([Problem(source="history", message=str(error))]) from None
            relive(self.store, agent, lived)
            before += lived
        if any(next(heard(text_of(one)), None) for one in before if one.role is Role.USER):
            retell(self.store, agent, before)
        journal.move(self.store, agent=agent.name, space=self._place_after(agent, before))

    def _open_cycles(self, agent: Agent, numbers: Iterable[int]) -> None:
        """Make the cycles of some messages, which are closed."""
        with self.store.write() as rows:
            for number in sorted(numbers):
                if history_tables.find_cycle(rows, agent=agent.name, cycle=number) is None:
                    history_tables.insert_cycle(rows, _lived(agent.name, number))

    def _fold(self, agent: Agent, before: Sequence[Message], lived: Sequence[Message]) -> bool:
        """Fold old cycles in a segment of its own where that was done between two cycles then.

        So a window stays as it is from one run to the next, although no file holds it.
        """
        if not before or (lived and lived[0].cycle == before[-1].cycle):
            return False
        ports = origins.material_ports(self.store, self._clock, self._tokens)
        try:
            if material.sent_size(ports, agent=agent.name).total <= agent.max_tokens:
                return False
            planned = compact.plan(ports, options=compact.plan_options(agent, automatic=True))
        except (NothingToDoError, RefusedError):
            return False
        compact.publish(ports, planned=planned, octets=plan_octets(planned))
        return True

    def _open_segment(
        self, agent: Agent, target: Target, before: Sequence[Message], lived: Sequence[Message]
    ) -> None:
        """Open the segment that some messages were lived in, as it was then."""
        ports = PromptPorts(self.store, self._clock, self._chance, self._tokens)
        options = PromptOptions(
            agent=agent,
            target=target,
            tools=tools_now(self.store, agent, workers=None),
            cycle=min((message.cycle for message in lived), default=1),
            place=self._place_after(agent, before),
        )
        prompts.segment_for(ports, options, anew="read from a file")

    def _place_after(self, agent: Agent, messages: Sequence[Message]) -> str | None:
        """Return where the agent is after some of its history."""
        mine = spaces.list_(self.store, member=agent.name)
        return place_after(messages, {space.name: space.title for space in mine})


def _lived(agent: str, number: int) -> Cycle:
    """Return a closed cycle of which only the messages are known."""
    return Cycle(
        agent=agent,
        cycle=number,
        state=CycleState.CLOSED,
        outcome=CycleOutcome.IMPORTED,
        trigger="",
        events=(),
        model="",
        input_tokens=0,
        output_tokens=0,
        cost_micros=0,
        milliseconds=0,
        opened="",
        closed="",
        epoch=0,
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file; raises BadInputError for one that is too long."""
    import io

    stream = io.BytesIO(read_whole(path))
    lines = bounded_lines(stream, limit=IMPORT_BYTES, source=str(path), setting="import.max_bytes")
    for line in lines:
        if isinstance(line, Problem):
            raise BadInputError([line])
        yield line


def _messages(path: Path, agent: str) -> list[Message]:
    """Read a history of canonical messages; a file that is not there yet is empty."""
    found: list[Message] = []
    for number, line in _lines(path) if path.exists() else ():
        try:
            message = decode_message(line)
        except NO_RECORD as error:
            raise _bad(path, number, error) from None
        found.append(msgspec.structs.replace(message, agent=agent))
    return found


def _events(path: Path, agent: str) -> list[NewEvent]:
    """Read the events of an inbox file that are for this agent."""
    found: list[NewEvent] = []
    for number, line in _lines(path):
        try:
            event = msgspec.json.decode(line, type=FileEvent)
        except NO_RECORD as error:
            raise _bad(path, number, error) from None
        if event.agent in (None, agent):
            found.append(_as_new(event, agent))
    return found


def _as_new(event: FileEvent, agent: str) -> NewEvent:
    """Return an event as it was pushed."""
    fields = {name: getattr(event, name) for name in NewEvent.__struct_fields__}
    return NewEvent(**{**fields, "agent": agent})


def _bad(path: Path, number: int, error: Exception) -> BadInputError:
    """Return the error of a line that is no record."""
    message, _, place = str(error).partition(" - at ")
    problem = Problem(
        source=str(path), line=number, field=place.strip("`") or None, message=message
    )
    return BadInputError([problem])
