"""How an imported conversation becomes a part of an agent's log: new numbers, its own trust."""

import functools
import hashlib
import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.attachments import TEXT
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import (
    FilePart,
    Head,
    Message,
    OpaquePart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.models import Target
from mindpipe.core.octets import OctetsPart, end_of_lines
from mindpipe.core.ports import Octets, PutAside
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.core.redaction import Redactor
from mindpipe.history.legality import Legality
from mindpipe.history.records import LogHead, RuleBreach
from mindpipe.history.rows import digest, digest_of_file
from mindpipe.providers.documents import MOST_PROBLEMS
from mindpipe.providers.formats import FORMATS
from mindpipe.providers.importer import conversions, read_documents
from mindpipe.providers.items import import_id
from mindpipe.providers.placing import ENDED
from mindpipe.providers.records import Imported, ImportOptions, Repair
from mindpipe.providers.turns import Conversion, ImportedPiece

MOST_CONVERSATIONS = 100_000
"""What is told of each of them is held until all are taken in."""
_NO_TEXT = "(no text)"
_BATCH_BYTES = 1 << 21
_MESSAGE_BYTES = 500
"""What a message takes beside its text, roughly."""
_MESSAGES = msgspec.json.Decoder(tuple[Message, ...])


class ForeignDocument(Record, dict=True):
    """A foreign file: its octets, the form in which to read it, and how."""

    octets: Octets
    format: str
    options: ImportOptions

    @functools.cached_property
    def sha256(self) -> str:
        """Return the hash of the file, which each of its conversations asks for."""
        return digest_of_file(self.octets)

    @property
    def known_as(self) -> ImportOptions:
        """Return the options under which it is read: for ids it is known by name and content.

        Two files may have one name, as all pipes do.
        """
        return msgspec.structs.replace(self.options, name=f"{self.options.name} {self.sha256}")


class GrownDocument(NamedTuple):
    """What is new in a log that grew: its octets, and the hash of the last part that is known."""

    octets: Octets
    last_known: str | None


def grown(octets: Octets, known: Collection[str]) -> GrownDocument:
    """Return what of a file of lines stands behind the parts that were imported before.

    `known` are the hashes of those: the file as it once was, then what had come to it, and so on.
    A last line without an end is still being written, and is left for the next time.
    """
    whole = end_of_lines(octets)
    last: str | None = None
    start = 0
    while known:
        hashing = hashlib.sha256()
        place = end = start
        found = None
        while place < whole:
            following = octets.find(b"\n", place) + 1
            hashing.update(octets[place:following])
            place = following
            if (sha256 := hashing.hexdigest()) in known:
                found, end = sha256, place
        if found is None:
            break
        last, start = found, end
    is_all = (start, whole) == (0, len(octets))
    return GrownDocument(octets if is_all else OctetsPart(octets, start, whole), last)


def read(foreign: ForeignDocument) -> Sequence[Imported]:
    """Read every conversation of a file at once.

    Raises:
        BadInputError: all problems of all of them.
    """
    documents = read_documents(foreign.octets, format=foreign.format, options=foreign.known_as)
    if problems := [problem for one in documents for problem in one.problems]:
        raise _refusal(problems, foreign)
    return documents


def _refusal(problems: Iterable[Problem], foreign: ForeignDocument) -> BadInputError:
    """Return the error for problems of a file, under the name that a person knows it by."""
    name = foreign.options.name
    return BadInputError([msgspec.structs.replace(one, source=name) for one in problems])


class ReadConversation(Record):
    """What is known of a conversation beside its messages when all of it was read.

    `batches` is in how many batches its messages are, `model` and `family` are those of its last
    reply, `known` is how many items were passed over since the history has them.
    """

    batches: int
    known: int
    name: str
    head: Head
    envelope: bytes
    model: str
    family: str
    repairs: tuple[Repair, ...]
    left_out: tuple[str, ...]


class ReadFile:
    """The conversations of a file, read and put aside until all of them are known to be sound.

    `conversations` and `messages` keep them; not more than some messages are in memory at a time.
    """

    def __init__(self, *, conversations: PutAside, messages: PutAside) -> None:
        self.count = 0
        self._conversations = conversations
        self._messages = messages

    def read(self, foreign: ForeignDocument, *, known: Collection[str] = ()) -> None:
        """Read all conversations of a file, which is not held, but for items with known ids.

        Raises:
            BadInputError: all problems of all of them, up to a number that a person can read.
        """
        found: list[Problem] = []
        try:
            for one in conversions(
                foreign.octets, format=foreign.format, options=foreign.known_as, known=known
            ):
                self._take(one)
                found += one.problems
                if len(found) > MOST_PROBLEMS:
                    break
                if self.count > MOST_CONVERSATIONS:
                    what = f"more than {MOST_CONVERSATIONS} conversations; split the file"
                    raise BadInputError([Problem(source=foreign.options.name, message=what)])
        except BadInputError as error:
            raise _refusal(error.problems, foreign) from None
        if found:
            raise _refusal(found, foreign)

    def each(self) -> Iterator[tuple[ReadConversation, Iterator[ImportedPiece]]]:
        """Yield every conversation with its messages, which are to be taken before the next."""
        batches = map(_BATCHES.decode, self._messages.pieces())
        for octets in self._conversations.pieces():
            conversation = _CONVERSATIONS.decode(octets)
            yield conversation, itertools.islice(batches, conversation.batches)

    def _take(self, conversion: Conversion) -> None:
        """Read one conversation and put it aside."""
        batches = 0
        model = family = ""
        for batch in _batches(conversion.pieces()):
            for message in batch.messages:
                if message.raw is not None:
                    model, family = message.raw.model, message.raw.family
            self._messages.add(_ENCODER.encode(batch))
            batches += 1
        left_out = conversion.left_out
        if more := conversion.more_repairs:
            left_out += (f"{more} more repairs from what is listed",)
        read = ReadConversation(
            batches=batches,
            known=conversion.known,
            name=conversion.name,
            head=conversion.head,
            envelope=conversion.envelope,
            model=model,
            family=family,
            repairs=() if conversion.problems else conversion.repairs,
            left_out=left_out,
        )
        self._conversations.add(_ENCODER.encode(read))
        self.count += 1


def _batches(pieces: Iterable[ImportedPiece]) -> Iterator[ImportedPiece]:
    """Yield messages in batches that end with a whole turn."""
    messages: list[Message] = []
    sources: dict[str, bytes] = {}
    blobs: dict[str, bytes] = {}
    size = 0
    for piece in pieces:
        messages += piece.messages
        sources.update(piece.sources)
        blobs.update(piece.blobs)
        size += sum(map(len, piece.sources.values())) + _MESSAGE_BYTES * len(piece.messages)
        if size > _BATCH_BYTES and (end := _whole_turns(messages)):
            yield _batch(messages[:end], sources, blobs)
            messages = messages[end:]
            blobs = {}
            size = 0
    if messages:
        yield _batch(messages, sources, blobs)


def _batch(
    messages: list[Message], sources: dict[str, bytes], blobs: dict[str, bytes]
) -> ImportedPiece:
    """Return messages with what they were read from, which is taken out of `sources`."""
    own = {one.id: sources.pop(one.id) for one in messages if one.id in sources}
    return ImportedPiece(messages=tuple(messages), sources=own, blobs=blobs)


def redacted(batch: ImportedPiece, redactor: Redactor) -> ImportedPiece:
    """Return messages without secrets, also in the octets that they were read from."""
    files = {
        part.sha256
        for message in batch.messages
        for part in message.parts
        if isinstance(part, FilePart) and part.media_type != TEXT
    }
    told = to_json(batch.messages).decode()
    clean = redactor.text(told)
    blobs: dict[str, bytes] = {}
    for sha256, octets in batch.blobs.items():
        kept = octets if sha256 in files else redactor.octets(octets)
        name = sha256 if kept is octets else digest(kept)
        clean = clean.replace(sha256, name)
        blobs[name] = kept
    return ImportedPiece(
        messages=batch.messages if clean == told else _MESSAGES.decode(clean),
        sources={id: redactor.octets(octets) for id, octets in batch.sources.items()},
        blobs=blobs,
    )


def redacted_frame(conversation: ReadConversation, redactor: Redactor) -> ReadConversation:
    """Return what is known of a conversation beside its messages, without secrets."""
    head = redactor.value(msgspec.to_builtins(conversation.head))
    return msgspec.structs.replace(
        conversation,
        head=msgspec.convert(head, type(conversation.head)),
        envelope=redactor.octets(conversation.envelope),
    )


def _whole_turns(messages: Sequence[Message]) -> int:
    """Return how many messages there are up to the last one behind which a log may end."""
    for place in range(len(messages), 0, -1):
        message = messages[place - 1]
        is_reply = message.role is Role.ASSISTANT and not calls_of(message)
        if is_reply or message.role is Role.TOOL:
            return place
    return 0


def convert(file: ReadFile, foreign: ForeignDocument) -> Iterator[Message]:
    """Yield the messages of conversations as the rows of one history, with no store.

    Raises:
        BadInputError: they break a rule of histories.
    """
    behind: LogHead | None = None
    for _, batches in file.each():
        adoption: Adoption | None = None
        for batch in batches:
            if adoption is None:
                behind = behind or LogHead(agent=foreign.options.agent or batch.messages[0].agent)
                adoption = Adoption(behind=behind, foreign=foreign)
            yield from adoption.take(batch.messages, kept=raw_hashes(batch.messages))
        if adoption is not None:
            yield from adoption.end()
            behind = adoption.head


class Adoption:
    """Numbers a conversation behind a log's end, closes it, and judges it on the way.

    `behind.segment` and `behind.cycle` are the last ones that are taken.
    """

    def __init__(self, *, behind: LogHead, foreign: ForeignDocument) -> None:
        self._behind = behind
        self._foreign = foreign
        self._read_as = _origin(foreign.known_as)
        self._legality = Legality(behind)
        self._problems: list[Problem] = []
        self._cycles: dict[int, int] = {}
        self._seq = behind.seq
        self._answered = 0
        self._last: Message | None = None

    def take(self, messages: Iterable[Message], *, kept: Collection[str]) -> list[Message]:
        """Return messages in their place; none where one until now broke a rule.

        `kept` are the hashes of the raw bytes that are there: a reply whose bytes are not is told
        from its readable parts.
        """
        return self._judged([self._placed(one, kept) for one in messages])

    def end(self) -> list[Message]:
        """Return what closes the conversation, if it was not closed.

        Raises:
            BadInputError: it breaks rules of histories.
        """
        last = self._last
        closing: list[Message] = []
        if last is not None and last.role is not Role.ASSISTANT:
            closing = [_closing(last, turn=self._answered + 1)]
        closed = self._judged(closing)
        self._refuse(self._legality.end())
        if self._problems:
            raise BadInputError(self._problems)
        return closed

    @property
    def head(self) -> LogHead:
        """Return where the log ends now."""
        last = self._last
        if last is None:
            return self._behind
        return LogHead(
            agent=last.agent,
            seq=last.seq,
            segment=last.segment,
            cycle=last.cycle,
            turn=last.turn,
            role=last.role,
            answered=last.turn,
        )

    def _placed(self, message: Message, kept: Collection[str]) -> Message:
        """Return a message with its number, segment and cycle."""
        foreign, behind = self._foreign, self._behind
        self._seq += 1
        cycle = self._cycles.setdefault(message.cycle, behind.cycle + 1 + len(self._cycles))
        placed = msgspec.structs.replace(
            _trusted(_without_lost_raw(message, kept, foreign.options), foreign, self._read_as),
            agent=foreign.options.agent or message.agent,
            seq=self._seq,
            segment=behind.segment + 1,
            cycle=cycle,
        )
        self._answered = self._answered if placed.role is Role.NOTE else placed.turn
        return placed

    def _judged(self, messages: list[Message]) -> list[Message]:
        """Return messages, or none of them where one until now broke a rule."""
        for message in messages:
            self._refuse(self._legality.breaches_of(message))
            self._last = message
        return [] if self._problems else messages

    def _refuse(self, found: Iterable[RuleBreach]) -> None:
        """Write down broken rules, up to a number that a person can read."""
        for breach in itertools.islice(found, MOST_PROBLEMS - len(self._problems)):
            what = f"message {breach.seq - self._behind.seq}: {breach.rule}: {breach.what}"
            self._problems.append(Problem(source=self._foreign.options.name, message=what))


def target_of(conversation: ReadConversation, *, format: str, tokenizer: str) -> Target:
    """Return the model that a foreign conversation was held with, as far as it says."""
    known = FORMATS.get(format)
    provider, api = (known and known.spoken) or ("import", "program")
    return Target(
        provider=provider,
        api=api,
        model=conversation.model,
        family=conversation.family,
        tokenizer=tokenizer,
    )


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


def raw_hashes(messages: Iterable[Message]) -> set[str]:
    """Return the hashes of all raw bytes that messages name."""
    return {
        sha256 for message in messages if message.raw is not None for sha256 in message.raw.sha256
    }


_ENCODER = msgspec.msgpack.Encoder()
_BATCHES = msgspec.msgpack.Decoder(ImportedPiece)
_CONVERSATIONS = msgspec.msgpack.Decoder(ReadConversation)
