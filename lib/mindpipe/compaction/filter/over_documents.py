"""A window over a foreign document: the same document, with fewer messages and a summary."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from mindpipe.compaction.filter.opening_message import is_tainted, opening_message
from mindpipe.compaction.filter.over_messages import Windowed
from mindpipe.compaction.records import Summary, WindowPlan
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, Head, Message, Part, Role
from mindpipe.formats.exporters import export_messages
from mindpipe.formats.records import Imported, Loss, RenderOptions
from mindpipe.formats.rendering import forget
from mindpipe.formats.restore import restore_document, rewritten_document

Fold = Callable[[Conversation], Windowed]
"""Makes the window of a conversation; raises NothingToDoError where it stays as it is."""

CANONICAL = "mindpipe"
# Its replies name their reasoning, so that none of it may go alone: they are told from their parts.
_FROM_PARTS = frozenset({"openai-responses"})


class Written(NamedTuple):
    """A document in its form, and by which plan; None where nothing was to be folded."""

    octets: bytes
    planned: WindowPlan | None


def said_in(imported: Imported) -> Conversation:
    """Return what a document says, without the messages that its import made up.

    Where people speak one after the other before anybody answers, each of their messages is a
    cycle of its own, so that it may leave the window alone.
    """
    said = tuple(
        message
        for message in imported.messages
        if message.id in imported.sources or message.origin != "program"
    )
    return Conversation(
        head=imported.head, messages=tuple(_parted(said, imported.sources)), blobs=imported.blobs
    )


def _parted(said: Iterable[Message], sources: Mapping[str, bytes]) -> Iterator[Message]:
    """Yield messages, those apart again that an import joined."""
    added = 0
    for message in said:
        joined = _joined(message, sources)
        for part in joined[:-1]:
            yield msgspec.structs.replace(
                message,
                id=f"{message.id}.{added}",
                seq=message.seq + added,
                cycle=message.cycle + added,
                parts=(part,),
            )
            added += 1
        yield msgspec.structs.replace(
            message,
            seq=message.seq + added,
            cycle=message.cycle + added,
            parts=joined[-1:] or message.parts,
        )


def _joined(message: Message, sources: Mapping[str, bytes]) -> tuple[Part, ...]:
    """Return the parts of a user's message that came from as many items; else none."""
    if message.role is not Role.USER or len(message.parts) == 1:
        return ()
    items = msgspec.json.decode(sources.get(message.id, b"[]"), type=list[msgspec.Raw])
    return message.parts if len(items) == len(message.parts) else ()


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

    What stands around the messages stays, and system text before them. Where nothing is to be
    folded the document is as it was, unless the import repaired something or `is_sound` says that
    its API would refuse it: then all its messages are written anew.

    Raises:
        UsageError: there is no such format to be written.
    """
    said = said_in(imported)
    try:
        windowed = fold(said)
    except NothingToDoError:
        octets = restore_document(imported.envelope, imported.messages, imported.sources)
        if not imported.repairs and is_sound(octets):
            return Written(octets, None)
        windowed = None
    sent = said if windowed is None else _shown(windowed, said=said, format=format)
    cut = windowed is not None
    items = export_messages(
        msgspec.structs.replace(sent.head, system=""),
        sent.messages,
        format=format,
        options=msgspec.structs.replace(
            options, keep_thinking=not cut, keep_raw=not (cut and format in _FROM_PARTS)
        ),
        blobs=sent.blobs,
        report=report,
    )
    octets = rewritten_document(imported.envelope, items)
    return Written(octets, windowed.planned if windowed else None)


def _shown(windowed: Windowed, *, said: Conversation, format: str) -> Conversation:
    """Return what is sent, with the summary as a message where the form has no head for it."""
    sent = windowed.conversation
    if format != CANONICAL or sent.head.summary is None:
        return sent
    return Conversation(
        head=Head(system=""),
        messages=(_opening(sent.head.summary, windowed.planned, said.messages), *sent.messages),
        blobs=sent.blobs,
    )


def _opening(text: str, planned: WindowPlan, said: tuple[Message, ...]) -> Message:
    """Return the summary of a window over messages as its first message."""
    first = next(part.first for part in planned.parts if isinstance(part, Summary))
    place = next((one for one in said if one.cycle == first), said[0])
    return opening_message(
        text,
        planned.parts,
        agent=place.agent,
        segment=place.segment,
        tainted=is_tainted(said, planned.parts),
    )
