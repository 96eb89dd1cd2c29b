"""Obey what the operator told a loop by an interrupt: stop, pause, resume."""

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import OPERATOR, Command, Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import emergencies, inbox

PAUSED = "told so by an interrupt"


def command_of(event: Event) -> Command | None:
    """Return what an event commands, or None where a mind is to read it.

    Only the operator commands, and only by an interrupt in which nobody else's words are.
    """
    if event.type != "interrupt" or event.source != OPERATOR or event.sources or event.sender:
        return None
    said = event.body.get("command")
    return Command(said) if isinstance(said, str) and said in set(Command) else None


def obey(
    store: Store, clock: Clock, *, agent: str, owner: str, up_to: Priority = Priority.URGENT
) -> tuple[Command, ...]:
    """Take the commands up to a priority that wait in an inbox, do them, and return them.

    Each is done in the transaction that also acknowledges it. To stop is left to the caller.
    """
    if not _commands(store, clock, agent, up_to):
        return ()
    with store.write():
        ids = [event.id for event in _commands(store, clock, agent, up_to)]
        taken = inbox.claim_only(store, clock, agent=agent, owner=owner, ids=ids)
        for event in taken:
            _do(store, agent, event)
            inbox.ack(store, id=event.id, epoch=event.epoch)
    return tuple(found for event in taken if (found := command_of(event)))


def forget(store: Store, clock: Clock, *, agent: str, owner: str) -> None:
    """Take note of the stops that no loop was there to hear: they do not mean one that begins."""
    with store.write():
        ids = [
            event.id
            for event in _commands(store, clock, agent, Priority.URGENT)
            if command_of(event) is Command.STOP
        ]
        for event in inbox.claim_only(store, clock, agent=agent, owner=owner, ids=ids):
            inbox.ack(store, id=event.id, epoch=event.epoch, outcome="skipped")


def _commands(store: Store, clock: Clock, agent: str, up_to: Priority) -> list[Event]:
    """Return the commands that wait, the most urgent first."""
    found = emergencies.interrupts(store, clock, agent=agent, up_to=up_to)
    return [event for event in found if command_of(event) is not None]


def _do(store: Store, agent: str, event: Event) -> None:
    """Pause an agent or let it go on."""
    command = command_of(event)
    if command is Command.PAUSE:
        agents.set_(store, name=agent, change=AgentChange(paused=event.text or PAUSED))
    elif command is Command.RESUME:
        agents.set_(store, name=agent, change=AgentChange(paused=None))
