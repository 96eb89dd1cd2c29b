"""What was said in a log, cycle by cycle, each piece with who said it and whose words it holds.

Of a cycle that the agent lived its events tell, which both context styles take up alike: their
words, senders, spaces and times stand in the store, and nothing is read back out of a prompt. Of an
imported log, which has no events, its messages tell.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby, islice

from mindpipe.agents.records import Agent
from mindpipe.context.prompt import quoted
from mindpipe.context.timeline.wording import told
from mindpipe.context.verbs import origins, speakers
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Message, Role
from mindpipe.core.ports import Store
from mindpipe.history.rows import searched_text
from mindpipe.history.verbs import log
from mindpipe.history.verbs.history import messages, show
from mindpipe.inbox.records import Event
from mindpipe.memory.extraction.pieces import is_said, origin_of, pieces_of, quoting
from mindpipe.memory.extraction.records import LogPage, SpeakerWords
from mindpipe.memory.records import Item
from mindpipe.memory.verbs.memory import read_upto
from mindpipe.spaces import verbs as spaces

PAGE = 500
"""How many messages are read at once."""


def said(store: Store, agent: Agent, *, since_cycle: int | None) -> Iterator[LogPage]:
    """Yield what was said in an agent's log from a cycle on; without one, what was not read yet.

    The agent's `trust` names all whom it trusts.
    """
    name = agent.name
    last = log.log_head(store, agent=name).seq
    rows = messages(store, agent=name, since=_first(store, name, since_cycle), until=last)
    while page := list(islice(rows, PAGE)):
        pieces = [
            piece
            for cycle, lived in groupby(page, key=lambda message: message.cycle)
            for piece in in_cycle(store, agent, cycle=cycle, lived=list(lived))
        ]
        yield LogPage(page[-1].seq, pieces)


def _first(store: Store, agent: str, cycle: int | None) -> int:
    """Return the number of the first message that is read."""
    if cycle is None:
        return read_upto(store, agent=agent) + 1
    found = next(show(store, agent=agent, cycle=cycle), None)
    return 1 if found is None else found.seq


def in_cycle(
    store: Store, agent: Agent, *, cycle: int, lived: Sequence[Message]
) -> Iterator[SpeakerWords]:
    """Yield what others said in a cycle of which some messages are given."""
    logs = [(message, searched_text(message)) for message in lived]
    events = list(origins.events_of(store, agent.name, cycle))
    if not events:
        whose = origins.whose_words(store, agent, cycle=cycle)
        for message, text in logs:
            yield from pieces_of(message, log=text, whose=whose)
        return
    cleared = origins.cleared(store, agent=agent.name, cycle=cycle)
    words = (_words(store, agent, event, cleared) for event in events)
    yield from quoting(((one, _shown(one.text)) for one in words if one is not None), logs)


def heard(store: Store, agent: Agent, events: Sequence[Event], *, cycle: int) -> list[Item]:
    """Return the words of events of a cycle under way as items, which are not to be kept."""
    cleared = origins.cleared(store, agent=agent.name, cycle=cycle)
    return [
        Item(
            id=f"heard-{event.id}",
            text=words.text,
            at=words.at,
            learnt=words.at,
            speaker=words.speaker,
            claimed_speaker=words.claimed_speaker,
            origin=words.origin,
            sources=words.sources,
            trusted=words.trusted,
        )
        for event in events
        if (words := _words(store, agent, event, cleared)) is not None
    ]


def last_reply(store: Store, agent: str, *, cycle: int) -> Callable[[], str]:
    """Return what gives the words of an agent in the cycle before, which somebody may answer.

    They are read once, and only if somebody asks for them.
    """

    @cache
    def words() -> str:
        if cycle <= 1:
            return ""
        with suppress(UsageError):
            lived = show(store, agent=agent, cycle=cycle - 1)
            return "\n".join(searched_text(one) for one in lived if one.role is Role.ASSISTANT)
        return ""

    return words


def _words(
    store: Store, agent: Agent, event: Event, cleared: frozenset[str]
) -> SpeakerWords | None:
    """Return the words of an event with who is known to have said them; None of nobody's words.

    Its sender and space are those that are known, as in a prompt.
    """
    trust = (*agent.trust, *cleared)
    heard = speakers.known(store, event, trust=trust)
    speaker = speakers.said_by(store, event, trust=trust).known
    sender = spaces.entity(store, name=event.sender) if event.sender else None
    kind = sender.kind if sender else None
    if not (event.text or "").strip() or not is_said(event.type, event.source, kind):
        return None
    whose = origins.split(set(event.origins()) - cleared, agent)
    in_space = heard.type == "space_message"
    # Where nobody vouches for a line it may name any source, the operator too.
    source = None if in_space or whose.sources else heard.source
    known = speaker or (source if heard.sender is None else None)
    return SpeakerWords(
        message="",
        text=event.text or "",
        at=event.pushed,
        speaker=known,
        claimed_speaker=None if known else event.sender,
        session=event.space if in_space and speaker else None,
        origin=origin_of(source, heard.sender, kind),
        sources=whose.sources,
        trusted=whose.trusted,
    )


def _shown(text: str) -> tuple[str, ...]:
    """Return as which strings a text may stand in the message that opens a cycle, of any style."""
    return tuple(dict.fromkeys((quoted(text), told(text))))
