"""Histories of agents with tools: what a window keeps of their calls, and of what is used later."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.compaction.documents import heard
from mindpipe.compaction.filter import Fold, over_document, said_in
from mindpipe.compaction.later_use import LaterUse, cut_of, later_use
from mindpipe.compaction.records import WindowPlan
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, Head, Message, Role, TextPart
from mindpipe.history.adoption import ForeignDocument, read
from mindpipe.history.verbs.history import check
from mindpipe.io.files import write_whole
from mindpipe.providers.placing import ENDED
from mindpipe.providers.records import Imported, ImportOptions, RenderOptions
from mindpipe.validator.records import Question
from mindpipe_cli import input

MOMENTS = (0.5, 0.75)
"""After which shares of a history's messages the use of what came before is looked at."""
_FORM = "openai-chat"


class Transcripts(NamedTuple):
    """A file of recorded histories."""

    name: str
    conversations: Sequence[Imported]


def transcripts(paths: Iterable[Path]) -> list[Transcripts]:
    """Return the histories of files in the form of OpenAI chat, one or several in each.

    Raises:
        BadInputError: a file holds no history that can be read.
    """
    found: list[Transcripts] = []
    for path in paths:
        octets = input.read_document(str(path)).octets
        options = ImportOptions(agent="bench", name=path.name)
        foreign = ForeignDocument(octets=octets, format=_FORM, options=options)
        found.append(Transcripts(path.name, read(foreign)))
    return found


def written(file: Transcripts, fold: Fold, *, place: Path) -> list[WindowPlan | None]:
    """Write the windows over a file's histories into a file of `place`; return their plans.

    Each is a document as `mind compact` writes it: whole where nothing leaves, which has no plan.
    Several are an array of documents.
    """
    done = [
        over_document(heard(one), fold, format=_FORM, options=RenderOptions(), is_sound=_is_sound)
        for one in file.conversations
    ]
    octets = [one.octets for one in done]
    if len(octets) == 1:
        write_whole(place / file.name, octets)
    else:
        write_whole(place / f"{file.name}.json", [b"[", b",".join(octets), b"]"])
    return [one.planned for one in done]


def _is_sound(octets: bytes) -> bool:
    """Tell whether a document is one that the API would take."""
    found = check(octets, source="window", question=Question(format=_FORM, kind="history"))
    return all(finding.severity != "error" for finding in found)


def one_life(files: Iterable[Transcripts]) -> Conversation:
    """Return all histories as those of one agent, one after the other, under no head."""
    messages: list[Message] = []
    for talk in (said_in(one) for file in files for one in file.conversations):
        behind = messages[-1].cycle if messages else 0
        for message in _closed(talk.messages):
            cycle = behind + message.cycle
            messages.append(msgspec.structs.replace(message, seq=len(messages) + 1, cycle=cycle))
    return Conversation(head=Head(system=""), messages=tuple(messages))


def used_later(talk: Conversation, fold: Fold) -> Iterator[LaterUse]:
    """Yield what is used after each moment of what left until then.

    What came before a moment is folded as a history of its own.
    """
    for moment in MOMENTS:
        place = _cut(talk.messages, moment)
        before = _closed(talk.messages[:place])
        try:
            found = fold(Conversation(head=talk.head, messages=before))
        except NothingToDoError:
            continue
        words = found.conversation.head.summary or ""
        overlay = found.planned.parts
        yield from later_use(cut_of(before, overlay, words=words, later=talk.messages[place:]))


def _cut(messages: Sequence[Message], moment: float) -> int:
    """Return a place near a share of some messages that is not between a call and its answer."""
    place = int(len(messages) * moment)
    while place < len(messages) and messages[place].role not in (Role.USER, Role.ASSISTANT):
        place += 1
    return place


def _closed(messages: Sequence[Message]) -> Sequence[Message]:
    """Return messages whose last cycle is closed, as an import closes it."""
    last = messages[-1]
    if last.role is Role.ASSISTANT:
        return messages
    closing = msgspec.structs.replace(
        last,
        id=f"{last.id}-end",
        seq=last.seq + 1,
        turn=last.turn + 1,
        role=Role.ASSISTANT,
        parts=(TextPart(text=ENDED),),
        synthetic=True,
    )
    return (*messages, closing)
