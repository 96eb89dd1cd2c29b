"""A window over a foreign document: the same document, with fewer messages and a summary."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction.filter.messages import Items, Windowed, kept_items, opening_message, parted
from mindpipe.compaction.records import WindowPlan
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, Head, Message
from mindpipe.providers.envelope import restore_document, rewritten_document
from mindpipe.providers.exporter import export_messages
from mindpipe.providers.records import Imported, Loss, RenderOptions
from mindpipe.providers.rendering import forget

Fold = Callable[[Conversation], Windowed]
"""Makes the window of a conversation; raises NothingToDoError where it stays as it is."""

CANONICAL = "mindpipe"
# Its replies name their reasoning, so that none of it may go alone: they are told from their parts.
_FROM_PARTS = frozenset({"openai-responses"})


class Written(NamedTuple):
    """A document in its form, and by which plan; None where nothing was to be folded.

    `anew` says that messages which stay were written again, without what the form of ours lacks.
    """

    octets: bytes
    planned: WindowPlan | None
    anew: bool = False


def said_in(imported: Imported) -> Conversation:
    """Return what a document says, without the messages that its import made up."""
    return _heard(imported)[0]


def _heard(imported: Imported) -> tuple[Conversation, Items]:
    """Return what a document says, and the items that each message was read from."""
    said, items = parted(
        (
            message
            for message in imported.messages
            if message.id in imported.sources or message.origin != "program"
        ),
        imported.sources,
    )
    return Conversation(head=imported.head, messages=said, blobs=imported.blobs), items


def over_document(
    imported: Imported,
    fold: Fold,
    *,
    format: str,
    options: RenderOptions,
    is_sound: Callable[[bytes], bool] = lambda _: True,
    report: Callable[[Loss], None] = forget,
) -> Written:
    """Return an imported document with the window of its messages in the place of all of them.

    What stands around the messages stays, and system text before them; so do messages of cycles
    that are sent whole. Only where the import repaired something, or `is_sound` says that its API
    would refuse the document, all its messages are written anew.

    Raises:
        UsageError: there is no such format to be written.
    """
    said, items = _heard(imported)
    try:
        windowed = fold(said)
    except NothingToDoError:
        octets = restore_document(imported.envelope, imported.messages, imported.sources)
        if not imported.repairs and is_sound(octets):
            return Written(octets, None)
        windowed = None
    sent = said if windowed is None else _shown(windowed, said=said, format=format)
    planned = windowed.planned if windowed else None
    form = _Form(format, _options(options, format, cut=planned is not None), sent.blobs)
    head = msgspec.structs.replace(sent.head, system="")
    if planned is not None and not imported.repairs and format not in _FROM_PARTS:
        lost: list[Loss] = []
        again: list[Message] = []

        def write(messages: Sequence[Message]) -> Iterator[bytes]:
            again.extend(messages)
            return form.items(Head(system=""), messages, lost.append)

        kept = kept_items(sent.messages, said.messages, items, write)
        octets = rewritten_document(imported.envelope, [*form.items(head, (), lost.append), *kept])
        if is_sound(octets):
            for loss in lost:
                report(loss)
            return Written(octets, planned, anew=bool(again))
    octets = rewritten_document(imported.envelope, form.items(head, sent.messages, report))
    return Written(octets, planned, anew=True)


def _options(options: RenderOptions, format: str, *, cut: bool) -> RenderOptions:
    """Return how messages are written anew; behind a cut, reasoning has lost what it rests on."""
    return msgspec.structs.replace(
        options, keep_thinking=not cut, keep_raw=not (cut and format in _FROM_PARTS)
    )


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


def _shown(windowed: Windowed, *, said: Conversation, format: str) -> Conversation:
    """Return what is sent, with the summary as a message where the form has no head for it."""
    sent = windowed.conversation
    if format != CANONICAL or sent.head.summary is None:
        return sent
    return Conversation(
        head=Head(system=""),
        messages=(_opening(sent.head.summary, windowed, said.messages[0]), *sent.messages),
        blobs=sent.blobs,
    )


def _opening(text: str, windowed: Windowed, first: Message) -> Message:
    """Return the summary of a window as a message, where the `first` of all stood."""
    return opening_message(
        text,
        windowed.planned.parts,
        agent=first.agent,
        segment=first.segment,
        tainted=windowed.tainted,
    )
