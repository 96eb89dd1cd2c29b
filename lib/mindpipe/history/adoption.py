"""How an imported conversation becomes a part of an agent's log: new numbers, its own trust."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import Message, OpaquePart, Part, Role, TextPart, ThinkingPart
from mindpipe.core.models import Target
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.history.legality import breaches
from mindpipe.history.records import LogHead
from mindpipe.history.rows import digest
from mindpipe.providers.formats import FORMATS
from mindpipe.providers.importer import read_documents
from mindpipe.providers.items import import_id
from mindpipe.providers.placing import ENDED
from mindpipe.providers.records import Imported, ImportOptions

_NO_TEXT = "(no text)"


class ForeignDocument(Record):
    """A foreign file: its octets, the form in which to read it, and how."""

    octets: bytes
    format: str
    options: ImportOptions

    @property
    def sha256(self) -> str:
        """Return the hash of the file."""
        return digest(self.octets)

    @property
    def known_as(self) -> ImportOptions:
        """Return the options under which it is read: for ids it is known by name and content.

        Two files may have one name, as all pipes do.
        """
        return msgspec.structs.replace(self.options, name=f"{self.options.name} {self.sha256}")


def read(foreign: ForeignDocument) -> Sequence[Imported]:
    """Read every conversation of a file.

    Raises:
        BadInputError: all problems of all of them.
    """
    documents = read_documents(foreign.octets, format=foreign.format, options=foreign.known_as)
    problems = [problem for one in documents for problem in one.problems]
    if problems:
        raise BadInputError(
            [msgspec.structs.replace(one, source=foreign.options.name) for one in problems]
        )
    return documents


def convert(foreign: ForeignDocument, *, documents: Sequence[Imported]) -> Iterator[Message]:
    """Yield the messages of conversations as the rows of one history, with no store.

    Raises:
        BadInputError: they break a rule of histories.
    """
    behind: LogHead | None = None
    for imported in filter(lambda one: one.messages, documents):
        behind = behind or LogHead(agent=foreign.options.agent or imported.messages[0].agent)
        messages = checked(imported, behind=behind, kept=raw_hashes(imported), foreign=foreign)
        yield from messages
        last = messages[-1]
        behind = LogHead(
            agent=last.agent,
            seq=last.seq,
            segment=last.segment,
            cycle=last.cycle,
            turn=last.turn,
            role=last.role,
            answered=last.turn,
        )


def checked(
    imported: Imported, *, behind: LogHead, kept: set[str], foreign: ForeignDocument
) -> list[Message]:
    """Return the messages of a conversation in their place; raises BadInputError."""
    messages = list(placed(imported, behind=behind, kept=kept, foreign=foreign))
    problems = [
        Problem(
            source=foreign.options.name,
            message=f"message {breach.seq - behind.seq}: {breach.rule}: {breach.what}",
        )
        for breach in breaches(behind, messages)
    ]
    if problems:
        raise BadInputError(problems)
    return messages


def target_of(imported: Imported, *, format: str, tokenizer: str) -> Target:
    """Return the model that a foreign conversation was held with, as far as it says."""
    provider, api = FORMATS[format].spoken or ("import", "program")
    replies = [message.raw for message in imported.messages if message.raw is not None]
    model = replies[-1].model if replies else ""
    family = replies[-1].family if replies else ""
    return Target(provider=provider, api=api, model=model, family=family, tokenizer=tokenizer)


def placed(
    imported: Imported, *, behind: LogHead, kept: Collection[str], foreign: ForeignDocument
) -> Iterator[Message]:
    """Yield an imported conversation numbered behind a log's end, closed if it was not.

    `behind.segment` and `behind.cycle` are the last ones that are taken. `kept` are the hashes of
    the raw bytes that are there: a reply whose bytes are not is told from its readable parts.
    """
    cycles: dict[int, int] = {}
    last = None
    answered = 0
    read_as = _origin(foreign.known_as)
    for seq, message in enumerate(imported.messages, behind.seq + 1):
        cycle = cycles.setdefault(message.cycle, behind.cycle + 1 + len(cycles))
        last = msgspec.structs.replace(
            _trusted(_without_lost_raw(message, kept, foreign.options), foreign, read_as),
            agent=foreign.options.agent or message.agent,
            seq=seq,
            segment=behind.segment + 1,
            cycle=cycle,
        )
        answered = answered if last.role is Role.NOTE else last.turn
        yield last
    if last is not None and last.role is not Role.ASSISTANT:
        yield _closing(last, turn=answered + 1)


def _closing(last: Message, *, turn: int) -> Message:
    """Return the message that ends a cycle which its document left open."""
    return Message(
        id=import_id("m", last.agent, last.id, ENDED),
        agent=last.agent,
        seq=last.seq + 1,
        segment=last.segment,
        cycle=last.cycle,
        turn=turn,
        role=Role.ASSISTANT,
        parts=(TextPart(text=ENDED),),
        origin="program",
        synthetic=True,
        at=last.at,
    )


def _trusted(message: Message, foreign: ForeignDocument, read_as: str) -> Message:
    """Return a message that claims no more than its file may: rows say by themselves who spoke.

    `read_as` is the origin of messages that have none of their own.
    """
    if message.origin == read_as:
        return msgspec.structs.replace(message, origin=_origin(foreign.options))
    if foreign.format != "mindpipe" or foreign.options.trust:
        return message
    return msgspec.structs.replace(message, origin=_origin(foreign.options), taint=True)


def _origin(options: ImportOptions) -> str:
    return f"import:{options.name}"


def _without_lost_raw(message: Message, kept: Collection[str], options: ImportOptions) -> Message:
    """Return a reply without what lives in raw bytes that nobody kept."""
    if message.raw is None or all(sha256 in kept for sha256 in message.raw.sha256):
        return message
    return msgspec.structs.replace(
        message,
        raw=None,
        origin=_origin(options),
        parts=tuple(_readable(message.parts)) or (TextPart(text=_NO_TEXT),),
    )


def _readable(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts that need no raw bytes."""
    for part in parts:
        if isinstance(part, ThinkingPart):
            if part.text:
                yield ThinkingPart(raw=False, text=part.text)
        elif not isinstance(part, OpaquePart):
            yield part


def raw_hashes(imported: Imported) -> set[str]:
    """Return the hashes of all raw bytes that an imported conversation names."""
    return {
        sha256
        for message in imported.messages
        if message.raw is not None
        for sha256 in message.raw.sha256
    }
