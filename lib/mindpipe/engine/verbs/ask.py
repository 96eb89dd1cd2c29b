"""Ask an agent something in a space, let it think of that, and say what it answered there."""

from collections.abc import Iterator

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.attachments import Attachment
from mindpipe.core.errors import AgentHeldError, MindError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import Deliver
from mindpipe.core.records import Record
from mindpipe.core.sources import Sources, space_source
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.records.journal import CycleLimits, CycleReport, EventChoice
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.verbs.think import think
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity, Post

_LOOK_SECONDS = 0.2
_MOST_ANSWERS = 100
_MOST_UNHEARD = 20


class SaidToAgent(Record):
    """What somebody says to an agent, and in which space; without one in a space of theirs.

    `sources` names whose words it is where a program speaks for somebody: it is a service, which
    nobody trusts because it is new. `files` go along with it.
    """

    text: str
    speaker: str
    space: str | None = None
    sources: Sources = ()
    files: tuple[Attachment, ...] = ()

    @property
    def asker(self) -> NewSpaceEntity:
        """Return who asks, as somebody in a space."""
        return NewSpaceEntity(name=self.speaker, kind="service" if self.sources else "human")


class AskAnswer(Record):
    """What came of a question: what the agent said to it, in any space, and how its cycle ended.

    `closing` is the text with which the cycle ended, which nobody was sent; `tickets` are the
    calls in it that wait for a person. Both are empty where another worker took the question.
    """

    agent: str
    space: str
    asked: str
    answers: tuple[Post, ...]
    cycle: int | None = None
    outcome: str | None = None
    closing: str = ""
    tickets: tuple[str, ...] = ()


def ask(
    deps: Dependencies,
    *,
    agent: Agent,
    question: SaidToAgent,
    deliver: Deliver,
    limits: CycleLimits,
) -> AskAnswer:
    """Say something to an agent, let it think until it has taken that up, and return its answer.

    What the same speaker said there before and nobody has taken up is heard with it. Where another
    worker thinks for the agent, that one is waited for.

    Raises:
        UsageError: there is no such space, or one of the two is not in it; nothing was said.
        RefusedError: its life goes on in another store; nothing was said.
        MindError: the cycle could not be lived; what was said waits in the inbox, or is dead.
    """
    agents.require_here(deps.store, name=agent.name)
    asked = _say(deps, agent, question, deliver)
    source = space_source(asked.space)
    event = inbox.find(deps.store, agent=agent.name, source=source, key=asked.id)
    assert event is not None, "a member that is an agent hears what is said"
    try:
        report = _until_taken_up(deps, agent, event, limits)
    except (MindError, KeyboardInterrupt):
        if inbox.show(deps.store, id=event.id).state in (EventState.READY, EventState.LEASED):
            deps.holder.tell(
                f"what you said waits in the inbox: mind think --agent {agent.name} takes it up, "
                "saying it again would put it there twice."
            )
        raise
    told = report.events if report is not None else (event.id,)
    answers = _answers(deps, agent, asked, told)
    if report is None:
        return AskAnswer(agent=agent.name, space=asked.space, asked=asked.id, answers=answers)
    return AskAnswer(
        agent=agent.name,
        space=asked.space,
        asked=asked.id,
        answers=answers,
        cycle=report.cycle,
        outcome=report.outcome,
        closing=report.summary,
        tickets=tickets.of_cycle(deps.store, deps.clock, agent=agent.name, cycle=report.cycle),
    )


def _answers(
    deps: Dependencies, agent: Agent, asked: Post, events: tuple[str, ...]
) -> tuple[Post, ...]:
    """Return what an agent said since a post, in whichever space, to it or the others it took up.

    `events` are those of its cycle. The oldest comes first.
    """
    keys = {inbox.show(deps.store, id=one).key for one in events}
    found = [
        post
        for space in spaces.list_(deps.store, member=agent.name)
        for post in spaces.read(deps.store, space=space.name, limit=_MOST_ANSWERS)
        if post.sender == agent.name
        and keys & {post.answers, post.reply_to}
        and post.at >= asked.at
        and (post.space != asked.space or post.seq > asked.seq)
    ]
    return tuple(sorted(found, key=lambda post: (post.at, post.space, post.seq)))


def _say(deps: Dependencies, agent: Agent, question: SaidToAgent, deliver: Deliver) -> Post:
    """Say it in the space that was named, or in one of the two, which is made where it is not.

    Where the answer to something before was stopped, it joins that cycle, and is read at once.
    """
    said = NewPost(sender=question.speaker, text=question.text, sources=question.sources)
    with deps.store.write(agent.name):
        space = question.space or _own_space(deps, agent, question.asker)
        spaces.show(deps.store, name=space)
        spaces.member(deps.store, space=space, name=agent.name)
        if _was_stopped(deps, agent, question, space):
            deliver = _urgently(deliver, agent)
        return spaces.post(
            deps.store,
            deps.clock,
            deps.chance,
            space=space,
            post=said,
            deliver=deliver,
            files=question.files,
        )


def _urgently(deliver: Deliver, agent: Agent) -> Deliver:
    """Return what pushes to an agent what joins its open cycle, and to others as usual."""

    def urgent(events: list[NewEvent]) -> None:
        deliver(
            [
                msgspec.structs.replace(event, priority=Priority.EMERGENCY)
                if event.agent == agent.name
                else event
                for event in events
            ]
        )

    return urgent


def _own_space(deps: Dependencies, agent: Agent, asker: NewSpaceEntity) -> str:
    """Return the space of two, which is made where there is none."""
    known = spaces.entity(deps.store, name=asker.name)
    own = NewSpaceEntity(name=agent.name, kind="agent", title=agent.title, id=agent.entity)
    space, made = spaces.meet(deps.store, deps.clock, deps.chance, host=own, guest=asker)
    if made:
        _trust(deps, agent, asker, space, known=known is not None)
    return space


def _trust(
    deps: Dependencies, agent: Agent, asker: NewSpaceEntity, space: str, *, known: bool
) -> None:
    """Say whose words an agent acts on. Who is new in this store runs its commands, and is trusted.

    So is he by an agent that he meets later, whose store has another that acts on his words. A
    service is not.
    """
    handle = f"@{asker.name}"
    if asker.kind != "human" or handle in agent.trust:
        return
    if not known or any(handle in one.trust for one in agents.list_(deps.store)):
        agents.trust(deps.store, name=agent.name, add=(handle,))
        deps.holder.tell(
            f"made the space {space}; {agent.name} acts on the words of {handle} from now on "
            f"(mind agent trust remove {agent.name} {handle})."
        )
    else:
        deps.holder.tell(
            f"made the space {space}; {handle} was known in this store before, and {agent.name} "
            f"asks before it acts on those words (mind agent trust add {agent.name} {handle})."
        )


def _until_taken_up(
    deps: Dependencies, agent: Agent, event: Event, limits: CycleLimits
) -> CycleReport | None:
    """Live cycles until one has taken up the event; return that, or None if another worker did."""
    told = False
    while True:
        now = inbox.show(deps.store, id=event.id)
        if now.state is EventState.DONE:
            return None
        if now.state is EventState.DEAD:
            raise MindError(
                f"{agent.name} could not take up what was said: {now.reason}. It is kept; "
                f"mind inbox redrive --agent {agent.name} tries it again."
            )
        try:
            choice = EventChoice(only=(*_unheard(deps, agent, event), event.id))
            report = think(deps, agent=agent.name, limits=limits, choice=choice)
        except AgentHeldError:
            if not told:
                deps.holder.tell(f"another worker thinks for {agent.name}; waiting for it.")
            told = True
            deps.clock.pause(_LOOK_SECONDS)
            continue
        if event.id in report.events:
            return report


def _unheard(deps: Dependencies, agent: Agent, event: Event) -> Iterator[str]:
    """Yield the events of what the speaker of one said in its space before, and that wait."""
    assert event.space is not None
    for post in spaces.read(deps.store, space=event.space, limit=_MOST_UNHEARD):
        if post.sender == event.sender:
            said = inbox.find(deps.store, agent=agent.name, source=event.source, key=post.id)
            if said is not None and said.state is EventState.READY and said.id != event.id:
                yield said.id


def _was_stopped(deps: Dependencies, agent: Agent, question: SaidToAgent, space: str) -> bool:
    """Tell whether the answer to what the same speaker said before here was stopped half way."""
    cycle = cycles.open_one(deps.store, agent=agent.name)
    if cycle is None:
        return False
    events = (inbox.show(deps.store, id=one) for one in cycle.events)
    place = (space_source(space), question.speaker)
    return any((event.source, event.sender) == place for event in events)
