"""Compact messages and whole documents of any format by the planner of a store's windows.

Only what it plans from is read elsewhere: from a summary that stands in the messages as words, for
which a store would have to hold a plan in force.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from mindpipe.compaction.documents import HeardDocument, heard
from mindpipe.compaction.plans.planner import Material, PlanOptions, plan_window
from mindpipe.compaction.records import Anchors, Overlay, Summary, WindowPlan
from mindpipe.compaction.sent import is_covered, opening_message, sent_messages
from mindpipe.compaction.sizes import head_tokens
from mindpipe.compaction.task import Count, CycleInView, Embed
from mindpipe.compaction.window_text import (
    MOST_NUMBER,
    OPENING,
    covered_ranges,
    read_summary,
    summary_text,
)
from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.messages import (
    Conversation,
    Head,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
    text_of,
)
from mindpipe.core.models import Write
from mindpipe.core.problems import Problem
from mindpipe.history.records import GENESIS
from mindpipe.history.rows import message_tokens
from mindpipe.providers.envelope import document_of_items, rewritten_document
from mindpipe.providers.exporter import export_messages
from mindpipe.providers.formats import CANONICAL
from mindpipe.providers.records import Imported, Loss, RenderOptions
from mindpipe.providers.rendering import forget


class CompactedConversation(NamedTuple):
    """A plan, and what is sent by it: the head holds the summary, the messages are whole cycles.

    `tainted` says whether anything is that the summary covers.
    """

    planned: WindowPlan
    conversation: Conversation
    tainted: bool


def over_messages(
    conversation: Conversation,
    options: PlanOptions,
    *,
    count: Count,
    tokenizer: str,
    embed: Embed | None = None,
    write: Write | None = None,
) -> CompactedConversation:
    """Return the window of a conversation whose messages are numbered in cycles.

    A summary of an earlier run is folded again, with all that it covers. A last cycle that is not
    closed stays. Where system text and tools leave no room in the budget, the smallest that has
    some is taken, and named by the plan.

    Raises:
        BadInputError: a call id is used twice, so that it is not clear what answers what.
        NothingToDoError: it fits already, or no cycle may leave.
    """
    _check_calls(conversation.messages, source=options.agent)
    base, messages = reopened(conversation.messages, options=options, count=count)
    lived = lives(messages, count=count)
    material = Material(
        lived=lived,
        head=head_tokens(conversation.head, count=count),
        seq=messages[-1].seq if messages else 0,
        sha256=GENESIS,
        through=max(
            [one.cycle for one in lived] + [last for _, last in covered_ranges(base)] + [0]
        ),
        count=count,
        tokenizer=tokenizer,
        base=base,
        stored=False,
        findable=False,
        embed=embed,
        write=write,
    )
    if messages and not is_closed(messages[-1]):
        options = options._replace(keep_cycles=max(1, options.keep_cycles))
    options = options._replace(if_over=True, min_saving=0)
    planned = plan_window(material, options, raised=True)
    head = msgspec.structs.replace(conversation.head, summary=summary_text(planned.parts))
    sent = sent_messages(messages, planned.parts)
    folded = (one for one in messages if is_covered(one.cycle, covered_ranges(planned.parts)))
    tainted = (bool(base) and conversation.messages[0].taint) or any(one.taint for one in folded)
    windowed = msgspec.structs.replace(conversation, head=head, messages=sent)
    return CompactedConversation(planned, windowed, tainted)


def _check_calls(messages: Sequence[Message], *, source: str) -> None:
    """Refuse messages in which two calls have one id."""
    used: set[str] = set()
    for message in messages:
        for call in calls_of(message):
            if call.id in used:
                what = f"H5: the call id {call.id} of message {message.id} is used before"
                raise BadInputError([Problem(source=source, message=what)])
            used.add(call.id)


def is_closed(message: Message) -> bool:
    """Tell whether a message closes its cycle: the assistant speaks and calls nothing."""
    return message.role is Role.ASSISTANT and not calls_of(message)


def reopened(
    messages: Sequence[Message], *, options: PlanOptions, count: Count
) -> tuple[Overlay, Sequence[Message]]:
    """Return the parts that an earlier run folded, and the messages without their summary.

    The summary is the beginning of the first message; what follows it there stays a message. Where
    messages are numbered from 1 again, as they are after an import, they get the numbers of cycles
    that the summary does not cover. A text that leaves out more cycles than there are is none.
    """
    first = messages[0] if messages else None
    text = first.parts[0] if first is not None and first.role is Role.USER else None
    if first is None or not isinstance(text, TextPart) or not text.text.startswith(OPENING):
        return (), messages
    read = read_summary(text.text, strategy=options.strategy or "anchored", count=count)
    if read is None:
        return (), messages
    rest = tuple(messages[1:])
    behind = (*((TextPart(text=read.rest),) if read.rest else ()), *first.parts[1:])
    if behind:
        rest = (msgspec.structs.replace(first, parts=behind), *rest)
    if not _is_possible(read.parts, rest):
        return (), messages
    return quoted(read.parts), renumbered(rest, covered_ranges(read.parts))


def _is_possible(base: Overlay, messages: Sequence[Message]) -> bool:
    """Tell whether messages fill the cycles that a summary leaves out, all numbers in bounds."""
    folded = [part for part in base if isinstance(part, Summary)]
    cycles = len({message.cycle for message in messages})
    last = folded[-1].last
    left_out = last - sum(part.last - part.first + 1 for part in folded)
    told = len(messages) + sum(part.messages for part in folded)
    return left_out <= cycles and max(last + cycles, told) <= MOST_NUMBER


def quoted(base: Overlay) -> Overlay:
    """Return parts whose tasks and tickets are only quoted: a text says so, whoever wrote it."""
    return tuple(
        msgspec.structs.replace(
            part,
            anchors=tuple(
                msgspec.structs.replace(one, kind="quoted")
                if one.kind in {"task", "ticket"}
                else one
                for one in part.anchors
            ),
        )
        if isinstance(part, Anchors)
        else part
        for part in base
    )


def renumbered(
    messages: tuple[Message, ...], covered: Sequence[tuple[int, int]]
) -> tuple[Message, ...]:
    """Return messages in cycles that no range covers; as they are if none of them is covered."""
    if not any(is_covered(message.cycle, covered) for message in messages):
        return messages
    numbers: dict[int, int] = {}
    number = 0
    for message in messages:
        if message.cycle not in numbers:
            number = _following(number, covered)
            numbers[message.cycle] = number
    return tuple(
        msgspec.structs.replace(message, cycle=numbers[message.cycle]) for message in messages
    )


def _following(number: int, covered: Sequence[tuple[int, int]]) -> int:
    """Return the first number behind another one that no range covers."""
    number += 1
    for first, last in covered:
        if first <= number <= last:
            number = last + 1
    return number


def lives(messages: Sequence[Message], *, count: Count) -> tuple[CycleInView, ...]:
    """Return messages as cycles, oldest first, each message with its tokens."""
    lived: dict[int, CycleInView] = {}
    # Short cycles often have the same counts, which then are in memory once.
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    place = 0
    for cycle, own in groupby(messages, key=lambda message: message.cycle):
        counts = tuple(message_tokens(one, count) for one in own)
        counts = known.setdefault(counts, counts)
        one = CycleInView(cycle, messages[place : place + len(counts)], counts)
        if (before := lived.get(cycle)) is not None:
            one = before._replace(
                messages=(*before.messages, *one.messages), counts=(*before.counts, *counts)
            )
        lived[cycle] = one
        place += len(counts)
    return tuple(lived.values())


Render = Callable[[Sequence[Message]], Iterable[bytes]]
"""Writes messages as items of the document's form."""
Items = Mapping[str, Sequence[str]]
"""The exact text of the items that each message was read from, by its id."""


def kept_items(
    sent: Iterable[Message], said: Iterable[Message], items: Items, render: Render
) -> Iterator[bytes]:
    """Yield the items of the cycles that are sent.

    A cycle comes as it was read. It is written anew where stubs stand in it, or reasoning that
    rests on what is no longer sent.
    """
    known = {message.id: message.parts for message in said}
    for _, own in groupby(sent, key=lambda message: message.cycle):
        cycle = list(own)
        texts = [text for message in cycle for text in items.get(message.id, ())]
        if texts and all(_as_read(message, known) for message in cycle):
            yield from (text.encode() for text in texts)
        else:
            yield from render(cycle)


def _as_read(message: Message, known: Mapping[str, tuple[Part, ...]]) -> bool:
    """Tell whether a message says what it said, with no reasoning in it."""
    reasons = any(isinstance(part, ThinkingPart) for part in message.parts)
    return not reasons and known.get(message.id) == message.parts


def asked_last(said: Conversation) -> str:
    """Return the words that were said to the model last."""
    heard = (text_of(one) for one in reversed(said.messages) if one.role is Role.USER)
    return next((words for words in heard if words), "")


Fold = Callable[[Conversation], CompactedConversation]
"""Makes the window of a conversation; raises NothingToDoError where it stays as it is."""
# Its replies name their reasoning, so that none of it may go alone: they are told from their parts.
_FROM_PARTS = frozenset({"openai-responses"})


class WrittenDocument(NamedTuple):
    """A document in its form, and by which plan; None where nothing was to be folded.

    `anew` says that messages which stay were written again, without what the form of ours lacks.
    """

    octets: bytes
    planned: WindowPlan | None
    anew: bool = False


def said_in(imported: Imported) -> Conversation:
    """Return what a document says, without the messages that its import made up."""
    return heard(imported).said


def over_document(
    document: HeardDocument,
    fold: Fold,
    *,
    format: str,
    options: RenderOptions,
    is_sound: Callable[[bytes], bool] = lambda _: True,
    report: Callable[[Loss], None] = forget,
) -> WrittenDocument:
    """Return a document with the window of its messages in the place of all of them.

    What stands around the messages stays, and system text before them; so do messages of cycles
    that are sent whole. Only where the import repaired something, or `is_sound` says that its API
    would refuse the document, all its messages are written anew.

    Raises:
        UsageError: there is no such format to be written.
    """
    said = document.said
    try:
        windowed = fold(said)
    except NothingToDoError:
        octets = document_of_items(document.envelope, document.items)
        if not document.repairs and is_sound(octets):
            return WrittenDocument(octets, None)
        windowed = None
    sent = said if windowed is None else _shown(windowed, said=said, format=format)
    planned = windowed.planned if windowed else None
    # Behind a cut, reasoning has lost what it rests on.
    cut = planned is not None
    options = msgspec.structs.replace(
        options, keep_thinking=not cut, keep_raw=not (cut and format in _FROM_PARTS)
    )
    form = _Form(format, options, sent.blobs)
    head = msgspec.structs.replace(sent.head, system="")
    if planned is not None and not document.repairs and format not in _FROM_PARTS:
        lost: list[Loss] = []
        again: list[Message] = []

        def write(messages: Sequence[Message]) -> Iterator[bytes]:
            again.extend(messages)
            return form.items(Head(system=""), messages, lost.append)

        ids = {message.id for message in sent.messages}
        pairs = zip(document.messages, document.items, strict=True)
        known = [(message, items) for message, items in pairs if message.id in ids]
        kept = kept_items(
            sent.messages,
            [message for message, _ in known],
            {message.id: items for message, items in known},
            write,
        )
        octets = rewritten_document(document.envelope, [*form.items(head, (), lost.append), *kept])
        if is_sound(octets):
            for loss in lost:
                report(loss)
            return WrittenDocument(octets, planned, anew=bool(again))
    octets = rewritten_document(document.envelope, form.items(head, sent.messages, report))
    return WrittenDocument(octets, planned, anew=True)


class _Form(NamedTuple):
    """A form to write messages in, and what they need for it."""

    format: str
    options: RenderOptions
    blobs: Mapping[str, bytes]

    def items(
        self, head: Head, messages: Iterable[Message], report: Callable[[Loss], None]
    ) -> Iterator[bytes]:
        """Yield messages as items of the form, the summary of a head before them."""
        return export_messages(
            head,
            messages,
            format=self.format,
            options=self.options,
            blobs=self.blobs,
            report=report,
        )


def _shown(windowed: CompactedConversation, *, said: Conversation, format: str) -> Conversation:
    """Return what is sent, with the summary as a message where the form has no head for it."""
    sent = windowed.conversation
    if format != CANONICAL or sent.head.summary is None:
        return sent
    return Conversation(
        head=Head(system=""),
        messages=(_opening(sent.head.summary, windowed, said.messages[0]), *sent.messages),
        blobs=sent.blobs,
    )


def _opening(text: str, windowed: CompactedConversation, first: Message) -> Message:
    """Return the summary of a window as a message, where the `first` of all stood."""
    return opening_message(
        text,
        windowed.planned.parts,
        agent=first.agent,
        segment=first.segment,
        tainted=windowed.tainted,
    )
