"""What the operator tells the loop of an agent by an interrupt: to stop, to rest, to go on."""

from collections.abc import Collection

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import Command, Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import emergencies, inbox

PAUSED = "told so by an interrupt"
STANDING = frozenset({Command.PAUSE, Command.RESUME})


def obey(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    owner: str,
    up_to: Priority = Priority.URGENT,
    only: Collection[Command] = frozenset(Command),
) -> tuple[Command, ...]:
    """Take those commands up to a priority that wait in an inbox, do them, and return them.

    Each is done in the transaction that also acknowledges it. To stop is left to the caller. Who
    lives without a loop obeys `STANDING` ones: to stop means a loop.
    """
    if not _waiting(store, clock, agent, only, up_to=up_to):
        return ()
    with store.write(agent):
        ids = _waiting(store, clock, agent, only, up_to=up_to)
        taken = inbox.claim_only(store, clock, agent=agent, owner=owner, ids=ids)
        for event in taken:
            _do(store, agent, event)
            inbox.ack(store, id=event.id, epoch=event.epoch)
    return tuple(found for event in taken if (found := emergencies.command_of(event)))


def forget(store: Store, clock: Clock, *, agent: str, owner: str) -> None:
    """Take note of the stops that no loop was there to hear: they do not mean one that begins."""
    with store.write(agent):
        ids = _waiting(store, clock, agent, {Command.STOP})
        for event in inbox.claim_only(store, clock, agent=agent, owner=owner, ids=ids):
            inbox.ack(store, id=event.id, epoch=event.epoch, outcome="skipped")


def _waiting(
    store: Store,
    clock: Clock,
    agent: str,
    only: Collection[Command],
    *,
    up_to: Priority = Priority.URGENT,
) -> list[str]:
    """Return the ids of those commands that wait, the most urgent first."""
    found = emergencies.commands(store, clock, agent=agent, up_to=up_to)
    return [event.id for event in found if emergencies.command_of(event) in only]


def _do(store: Store, agent: str, event: Event) -> None:
    """Pause an agent or let it go on."""
    command = emergencies.command_of(event)
    if command is Command.PAUSE:
        agents.set_(store, name=agent, change=AgentChange(paused=event.text or PAUSED))
    elif command is Command.RESUME:
        agents.set_(store, name=agent, change=AgentChange(paused=None))
