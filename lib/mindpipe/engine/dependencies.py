"""What a worker lives cycles with, in parts: models, prompts, tools, policy, and who it is."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.agents.records import Agent, ContextStyle
from mindpipe.context.budget.records import Allocations
from mindpipe.context.recollection.records import RecentPastOf, nothing_recent
from mindpipe.context.records import Knowledge
from mindpipe.core.models import ModelRequest, Target, Usage
from mindpipe.core.ports import (
    Chance,
    Clock,
    Deliver,
    Embedder,
    Model,
    Preview,
    Programs,
    Store,
    Tokens,
)
from mindpipe.core.records import Record
from mindpipe.core.tools import APPROVAL_HOURS
from mindpipe.engine.records.journal import CycleLimits, Ticket
from mindpipe.inbox.records import Event
from mindpipe.recall.records import FilesOf, no_files
from mindpipe.spending.records import Caps

KeepAlive = Callable[[Callable[[Store], None], float], AbstractContextManager[None]]
"""Renew a lease from another thread: what renews it on a store of its own, and for how long."""


class Prices(Protocol):
    """What calls cost, in micro-dollars; None where a price is not known."""

    def of(self, usage: Usage, target: Target) -> int | None:
        """Return what a reply cost."""
        ...

    def at_most(self, request: ModelRequest) -> int | None:
        """Return the most that a request can cost."""
        ...


def _nothing_written(_path: str) -> str | None:
    """Know of no file."""


def _silent(_words: str) -> None:
    """Tell nobody."""


def _go_on() -> None:
    """Pass."""


def _unprinted(_ticket: Ticket) -> None:
    """Print nothing."""


class ModelAccess(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a worker asks, what that costs and may cost, and how it is counted.

    `fallback` is asked where `model` is failing, `embedder` says which old cycles bear on the
    present (None: words do), `preview` hears a reply while it is written.
    """

    model: Model
    fallback: Model | None = None
    embedder: Embedder | None = None
    prices: Prices
    caps: Caps = Caps()
    preview: Preview | None = None
    tokens: Tokens


class PromptAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What a prompt is made from beside the store.

    `knowledge` tells where to read what is held true, `budget` divides the window of a timeline,
    `lately` tells what a loop knows, and `files` answers from files that an index leads to.
    """

    knowledge: Knowledge = Knowledge()
    budget: Allocations = Allocations()
    recent: RecentPastOf = nothing_recent
    files: FilesOf = no_files


class ToolAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What tools reach: programs, what of the environment they may see, workers, other inboxes.

    `workers` names the programs that take tasks (None: unknown). `written` says when a file was
    last written to, None where there is none. Below `folders` an agent's own plans may expect files
    (None: unknown).
    """

    programs: Programs
    environment: dict[str, str] = {}
    workers: tuple[str, ...] | None = None
    deliver: Deliver
    written: Callable[[str], str | None] = _nothing_written
    folders: tuple[str, ...] | None = None


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator set of cycles.

    `trust` names the sources that every agent may act on. `style` is how agents that name none are
    shown their life, with `space_messages` of a space whole in a timeline. A run waits
    `wait_seconds` at most for a reply, where it does not say for how long; with `wait_any` any
    message in the space is one. A message `max_depth` hops deep wakes no agent. A store
    that is not `lasting` ends with its worker; what waits for a person outlives it where it `asks`.
    """

    trust: tuple[str, ...] = ()
    approval_hours: float = APPROVAL_HOURS
    style: ContextStyle = "continuous"
    space_messages: int = 50
    wait_seconds: float = 300.0
    wait_any: bool = False
    max_depth: int = 5
    lasting: bool = True
    asks: bool = True

    def style_of(self, agent: Agent) -> ContextStyle:
        """Return how an agent is shown its life."""
        return agent.style or self.style


def trust_of(agent: Agent, policy: Policy) -> tuple[str, ...]:
    """Return the sources whose text an agent may act on."""
    return (*agent.trust, *policy.trust)


def limits_of(
    agent: Agent,
    *,
    turns: int | None = None,
    seconds: float | None = None,
    tokens: int | None = None,
) -> CycleLimits:
    """Return what bounds a cycle of an agent; what is given stands in the place of its settings."""
    return CycleLimits(
        turns=turns or agent.max_turns,
        calls=agent.max_calls,
        seconds=seconds or agent.max_seconds,
        tokens=tokens,
    )


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds an agent: `owner` names it in leases, `lease` is in seconds.

    `tell` hears in words why the worker waits; `check` is called before each step and raises when
    the worker was asked to stop. `begins` is called with the ticket of an approved call before its
    program starts, which does not start where that raises: over plain lines nothing else lasts.
    """

    owner: str
    lease: float = 60.0
    keep_alive: KeepAlive
    tell: Callable[[str], None] = _silent
    check: Callable[[], None] = _go_on
    begins: Callable[[Ticket], None] = _unprinted


class OperationRecording(Protocol):
    """Keep what one operation hears from outside, so that it can be done again from that alone."""

    def __call__(
        self, deps: "Dependencies", *, agent: str, kind: str, asked: Record
    ) -> AbstractContextManager["Dependencies"]:
        """Give dependencies that are recorded while the block lasts; `asked` is what it was given.

        `kind` names what is done, e.g. `think`.
        """
        ...


@contextlib.contextmanager
def unrecorded(
    deps: "Dependencies", *, agent: str, kind: str, asked: Record
) -> "Iterator[Dependencies]":
    """Record nothing."""
    del agent, kind, asked
    yield deps


class RulePorts(NamedTuple):
    """What is done by rules alone needs of the outside: no model, and no program."""

    store: Store
    clock: Clock
    chance: Chance
    deliver: Deliver


class RuleRecording(Protocol):
    """Keep what is done by rules alone, so that it can be done again from that; `asked` says what.

    `rules` are what was set of it. `kind` names it, as in `mindpipe.life.verbs.rules_again`.
    """

    def __call__(
        self, ports: RulePorts, *, agent: str, kind: str, asked: Record, rules: Record
    ) -> AbstractContextManager[RulePorts]:
        """Give ports that are recorded while the block lasts."""
        ...


class NoRules(Record):
    """Nothing that was asked, or set."""


@contextlib.contextmanager
def unrecorded_rules(
    ports: RulePorts, *, agent: str, kind: str, asked: Record, rules: Record
) -> "Iterator[RulePorts]":
    """Record nothing."""
    del agent, kind, asked, rules
    yield ports


class Dependencies(msgspec.Struct, frozen=True, kw_only=True):
    """What one worker lives cycles with; a function takes the part that it needs."""

    store: Store
    clock: Clock
    chance: Chance
    models: ModelAccess
    prompts: PromptAccess = PromptAccess()
    tools: ToolAccess
    policy: Policy = Policy()
    holder: Holder
    recording: OperationRecording = unrecorded


class OpenCycle(msgspec.Struct, frozen=True, kw_only=True):
    """The open cycle that a worker holds: its agent, lease epoch, number and events.

    `began` is the boot time in seconds at which this worker took it, `seconds` how long it has.
    """

    agent: Agent
    epoch: int
    cycle: int
    events: tuple[Event, ...]
    began: float
    seconds: float

    def left(self, now: float) -> float:
        """Return the seconds that a call begun at boot time `now` may take; one at least."""
        return max(1.0, self.began + self.seconds - now)


def holder_of(agent: str, cycle: int) -> str:
    """Return the name under which a cycle's posts are held back until its turns are committed."""
    return f"{agent}/{cycle}"
