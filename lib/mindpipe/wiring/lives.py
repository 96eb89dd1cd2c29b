"""Let an agent live in plain files: a store in memory is filled from them and thrown away."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent, AgentFile
from mindpipe.compaction.plans.plan_lines import plan_octets
from mindpipe.compaction.verbs import planning, publishing
from mindpipe.context.turning import heard
from mindpipe.context.verbs import compacting, portraits, prompts
from mindpipe.core.errors import BadInputError, NothingToDoError, RefusedError
from mindpipe.core.events import NewEvent
from mindpipe.core.messages import Message, Role, decode_message, text_of
from mindpipe.core.models import Target
from mindpipe.core.ports import Chance, Clock, Tokens
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Cycle, CycleState, Outcome
from mindpipe.history.verbs import log, show
from mindpipe.inbox.records import Bounds, FileEvent
from mindpipe.inbox.verbs.push import push_events
from mindpipe.spaces import verbs as spaces
from mindpipe.store import schema
from mindpipe.store.connection import connect
from mindpipe.store.sqlite import SqliteStore
from mindpipe.stream.files import read_whole
from mindpipe.stream.lines import IMPORT_BYTES, bounded_lines
from mindpipe.think import toolbox
from mindpipe.think.place import place_after
from mindpipe.think.verbs import places
from mindpipe.wiring.reliving import relive
from mindpipe.wiring.retelling_spaces import retell
from mindpipe.wiring.schema import migrations

MEMORY = Path(":memory:")
STORE_ID = "s_files"


class Files(NamedTuple):
    """The plain files of one agent: its document as read, and where its history and inbox are."""

    agent: AgentFile
    source: str
    history: Path | None
    events: Path | None


class Life:
    """An agent in a store of its own in memory, as its files tell it."""

    def __init__(self, clock: Clock, chance: Chance, tokens: Tokens) -> None:
        connection = connect(MEMORY, create=True)
        schema.apply(connection, MEMORY, migrations())
        self.store = SqliteStore(connection, MEMORY)
        self._clock = clock
        self._chance = chance
        self._tokens = tokens
        self._last = 0

    def settle(self, files: Files, target: Target) -> Agent:
        """Fill the store from the files and return the agent.

        Raises:
            BadInputError: a file breaks its format.
        """
        name = files.agent.agent.name
        with self.store.write() as rows:
            schema.give_identity(rows, identity=STORE_ID, created=self._clock.now())
            portraits.settle(
                self.store, self._clock, self._chance, portrait=files.agent, source=files.source
            )
            agent = agents.show(self.store, name=name)
            if files.history is not None:
                self._remember(agent, target, _messages(files.history, name))
            if files.events is not None:
                push_events(
                    self.store,
                    self._clock,
                    self._chance,
                    events=_events(files.events, name),
                    bounds=Bounds(),
                )
        self._last = log.log_head(self.store, agent=name).seq
        return agent

    def new_messages(self, agent: Agent) -> Iterator[Message]:
        """Yield what was added to the history since the files were read."""
        return show.messages(self.store, agent=agent.name, since=self._last + 1)

    def _remember(self, agent: Agent, target: Target, messages: Sequence[Message]) -> None:
        """Append a history as it was lived: its segments, cycles and messages, and what it did."""
        before: list[Message] = []
        for number in range(1, max((message.segment for message in messages), default=0) + 1):
            lived = [message for message in messages if message.segment == number]
            if not self._fold(agent, before, lived):
                self._open_segment(agent, target, before, lived)
            self._open_cycles(agent, {message.cycle for message in lived})
            log.append(self.store, self._tokens, messages=lived)
            relive(self.store, agent, lived)
            before += lived
        if any(next(heard(text_of(one)), None) for one in before if one.role is Role.USER):
            retell(self.store, agent, before)
        places.move(self.store, agent=agent.name, space=self._place_after(agent, before))

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
        ports = compacting.ports_of(self.store, self._clock, self._tokens)
        try:
            if planning.sent_size(ports, agent=agent.name).total <= agent.max_tokens:
                return False
            planned = planning.plan(ports, wish=planning.wish_of(agent, automatic=True))
        except (NothingToDoError, RefusedError):
            return False
        publishing.publish(ports, planned=planned, octets=plan_octets(planned))
        return True

    def _open_segment(
        self, agent: Agent, target: Target, before: Sequence[Message], lived: Sequence[Message]
    ) -> None:
        """Open the segment that some messages were lived in, as it was then."""
        ports = prompts.Ports(self.store, self._clock, self._chance, self._tokens)
        wish = prompts.Frame(
            agent=agent,
            target=target,
            tools=toolbox.specs(agent),
            cycle=min((message.cycle for message in lived), default=1),
            place=self._place_after(agent, before),
        )
        prompts.frame(ports, wish, anew="read from a file")

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
        outcome=Outcome.IMPORTED,
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
