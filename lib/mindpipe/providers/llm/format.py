"""The logs.db of llm, the command and library: its responses, or its threads, as conversations.

Read are its schemas from 0.6 on: with and without tools, fragments, attachments and reasoning, and
the store of messages of 0.32 and later. Written are the responses of one conversation.
"""

import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import msgspec

from mindpipe.core.json_cursor import JsonSlice
from mindpipe.core.messages import (
    FilePart,
    Head,
    Message,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.ports import Octets
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.archives import (
    API,
    PROVIDER,
    at_instant,
    seconds_of,
    spoken_texts,
    thoughts_of,
)
from mindpipe.providers.documents import Document, Element, element_of
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    Members,
    SeenCall,
    SeenPart,
    SeenResult,
    ShapeError,
    arguments_of,
    item_of,
    reply_of,
    settled,
    stand_in,
    word,
)
from mindpipe.providers.llm.tables import LoggedTalk, LogsDatabase, WrittenLogs
from mindpipe.providers.program.format import with_summary
from mindpipe.providers.rendering import Rendering
from mindpipe.providers.words import (
    arguments_text,
    call_name,
    missing_file,
    worded_result,
)

_ULID = "0123456789abcdefghjkmnpqrstvwxyz"
_PIECE = 1 << 16


def documents(octets: Octets, *, source: str) -> Iterator[Document]:
    """Yield every conversation of a logs.db, each of its calls to be read when it is asked for.

    Raises:
        BadInputError: it is no such file, or damaged.
    """
    database = LogsDatabase(octets, source=source)
    for talk in database.talks():
        yield _document(database, talk, source)


def _document(database: LogsDatabase, talk: LoggedTalk, source: str) -> Document:
    return Document(
        source=source,
        label=f"{source} {talk.id}",
        shape="lines",
        read=lambda: _elements(database, talk),
        title=talk.id,
    )


def _elements(database: LogsDatabase, talk: LoggedTalk) -> Iterator[Element]:
    """Yield what was logged as JSON, so that its sources can be kept."""
    for index, (table, id_) in enumerate(talk.entries):
        octets = to_json(_stored(database.entry(table, id_)))
        value = msgspec.json.decode(octets)
        yield element_of(index, JsonSlice(value, octets), at=f"{table}[{id_}]")


def _stored(value: object) -> object:
    """Return what a row holds as JSON can have it."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, dict):
        return {key: _stored(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_stored(one) for one in value]
    return value


def _objects(members: Members, name: str) -> list[Members]:
    """Return the objects of a list that stands in a member."""
    found = members.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _named(attachment: Members) -> str:
    """Return how an attachment is named in the text."""
    names = (word(attachment, name) for name in ("path", "url", "type", "id"))
    return next(filter(None, names), "")


class _Entry:
    """One logged call of a model: what it was told, and what it answered."""

    def __init__(self, element: Element, findings: Findings) -> None:
        self.element = element
        self.findings = findings
        self.row = cast("Members", element.value)

    def items(self) -> Iterator[ImportedItem]:
        """Yield what was said: system text, results, words, and the reply."""
        found = self._of_messages() if "messages" in self.row else self._of_columns()
        for item in found:
            dated = at_instant(item, self.row.get("datetime_utc"))
            if item.role == "assistant":
                model = word(self.row, "resolved_model") or word(self.row, "model")
                dated = msgspec.structs.replace(dated, model=model)
            yield dated

    def _of_columns(self) -> Iterator[ImportedItem]:
        """Yield what a response says; its results are those that were sent with it."""
        row = self.row
        system = [word(one, "content") for one in _objects(row, "system_fragments")]
        yield from self._spoken("system", [*system, word(row, "system")], ())
        results: list[SeenPart] = [self._result(one) for one in _objects(row, "tool_results")]
        if results:
            yield item_of(self.element, role="user", parts=results)
        words = [word(one, "content") for one in _objects(row, "prompt_fragments")]
        attached = [_named(one) for one in _objects(row, "prompt_attachments")]
        yield from self._spoken("user", [*words, word(row, "prompt")], attached)
        said: list[SeenPart] = []
        if reasoning := word(row, "reasoning"):
            said.append(ThinkingPart(raw=False, text=reasoning))
        said.append(TextPart(text=word(row, "response")))
        said += [self._call(one) for one in _objects(row, "tool_calls")]
        yield from self._reply(said)

    def _spoken(
        self, role: str, words: list[str], attached: list[str] | tuple[()]
    ) -> Iterator[ImportedItem]:
        """Yield words, if there are any."""
        parts: list[SeenPart] = [TextPart(text=one) for one in words if not is_blank(one)]
        parts += [stand_in(self.findings, "attachment", one) for one in attached]
        if parts:
            yield item_of(self.element, role="system" if role == "system" else "user", parts=parts)

    def _reply(self, parts: list[SeenPart]) -> Iterator[ImportedItem]:
        """Yield a reply, if anything was said."""
        if settled(parts)[0]:
            yield reply_of(self.element, parts=parts, raw=self.element.octets.decode())

    def _of_messages(self) -> Iterator[ImportedItem]:
        """Yield the messages of a turn."""
        for message in _objects(self.row, "messages"):
            parts = [self._part(one) for one in _objects(message, "parts")]
            match word(message, "role"):
                case "assistant":
                    yield from self._reply(parts)
                case "system":
                    yield item_of(self.element, role="system", parts=parts)
                case "user" | "tool":
                    yield item_of(self.element, role="user", parts=parts)
                case other:
                    raise ShapeError(self.element.at, f"no role that is known: {other!r}")

    def _part(self, part: Members) -> SeenPart:
        """Return one part of a message."""
        match word(part, "type"):
            case "text":
                return TextPart(text=word(part, "text"))
            case "reasoning":
                return ThinkingPart(raw=False, text=word(part, "text"))
            case "tool_call":
                return self._call(part)
            case "tool_result":
                return self._result(part)
            case kind:
                attachment = part.get("attachment")
                name = _named(attachment) if isinstance(attachment, dict) else ""
                return stand_in(self.findings, kind or "part", name)

    def _call(self, call: Members) -> SeenCall:
        """Return a call; in a response its arguments are text."""
        given = call.get("arguments")
        text = given if isinstance(given, str) else to_json(given or {}).decode()
        args, fault = arguments_of(text or "{}")
        return SeenCall(
            id=word(call, "tool_call_id"),
            tool=word(call, "name"),
            args=args,
            args_text=text,
            at=self.element.at,
            fault=fault,
        )

    def _result(self, result: Members) -> SeenResult:
        """Return the result of a call."""
        failed = word(result, "exception")
        for one in _objects(result, "attachments"):
            stand_in(self.findings, "attachment", _named(one))
        return SeenResult(
            id=word(result, "tool_call_id"),
            status=ResultStatus.ERROR if failed else ResultStatus.OK,
            text=word(result, "output") or failed,
            at=self.element.at,
            tool=word(result, "name"),
        )


def _items(findings: Findings) -> Iterator[ImportedItem]:
    """Yield what was said, one logged call after the other; system text only where it changes."""
    system = ""
    for element in findings.elements():
        try:
            for item in _Entry(element, findings).items():
                if item.role == "system":
                    text = "\n\n".join(one.text for one in item.parts if isinstance(one, TextPart))
                    if text == system:
                        continue
                    system = text
                yield item
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=None, what=str(fault))


def read_llm(document: Document, findings: Findings) -> DocumentReading:
    """Read one conversation of the logs."""
    return DocumentReading(
        head=Head(system=""),
        items=_items(findings),
        provider=PROVIDER,
        api=API,
        ordered=False,
    )


def write_llm(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
    """Yield a logs.db with one conversation, a response for each reply.

    What was told since the last reply is the prompt of the next one, in one text.
    """
    with tempfile.TemporaryDirectory(prefix="mindpipe-") as folder:
        path = Path(folder, "logs.db")
        logs = WrittenLogs(path)
        _Conversation(logs, head, rendering).write(with_summary(head, messages))
        logs.close()
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece


class _Conversation:
    """Writes one conversation: what was told waits for the next reply."""

    def __init__(self, logs: WrittenLogs, head: Head, rendering: Rendering) -> None:
        self.logs = logs
        self.head = head
        self.rendering = rendering
        self.id = ""
        self.model = ""
        self.at = ""
        self.told: list[Message] = []
        self.tools: dict[str, str] = {}

    def write(self, messages: Iterable[Message]) -> None:
        """Write all messages; what nobody answered is in a response without words."""
        self.logs.add_tools(self.head.tools)
        agent = ""
        for message in messages:
            agent = agent or message.agent
            self.id = self.id or _ulid(message.at, agent)
            # A conversation is read in the order of its instants.
            self.at = max(self.at, message.at)
            if message.role is Role.ASSISTANT:
                self._respond(message)
            else:
                self.told.append(message)
        if self.told:
            self._respond(None)
        if agent:
            self.logs.add_conversation(self.id, name=agent, model=self.model)

    def _respond(self, reply: Message | None) -> None:
        """Write a reply, with all that was told before it."""
        last = reply or self.told[-1]
        id_ = _ulid(self.at, last.id, place=last.seq)
        if reply is not None and reply.raw is not None:
            self.model = reply.raw.model
        spoken = "\n\n".join(text for one in self.told for text in self._texts(one))
        thoughts = [] if reply is None else thoughts_of(reply, self.rendering)
        said = [] if reply is None else spoken_texts(reply, self.rendering)
        self.logs.add_response(
            {
                "id": id_,
                "model": self.model,
                "prompt": spoken,
                "system": self.head.system or None,
                "options_json": "{}",
                "response": "\n\n".join(said),
                "conversation_id": self.id,
                "datetime_utc": self.at.replace("Z", "+00:00"),
                "reasoning": "\n\n".join(thoughts) or None,
            }
        )
        self.logs.add_attachments(id_, dict(self._files()))
        for message in self.told:
            for part in message.parts:
                if isinstance(part, ResultPart):
                    self._add_result(id_, part)
        self.told, self.tools = [], {}
        for call in () if reply is None else calls_of(reply):
            self.tools[call.id] = call_name(call)
            arguments = arguments_text(call)
            self.logs.add_call(id_, name=call_name(call), arguments=arguments, id_=call.id)

    def _texts(self, message: Message) -> Iterator[str]:
        """Yield what is said in a message; its files are attached, unless they are gone."""
        for part in message.parts:
            if isinstance(part, TextPart):
                yield part.text
            elif isinstance(part, FilePart) and self.rendering.file_octets(part) is None:
                why = f"the bytes of {part.name} are no longer kept"
                self.rendering.lose(message.id, part="file", why=why)
                yield missing_file(part)

    def _add_result(self, response: str, part: ResultPart) -> None:
        text, failed = worded_result(part)
        self.logs.add_result(
            response,
            name=self.tools.get(part.call, ""),
            output=text,
            id_=part.call,
            exception=text if failed else None,
        )

    def _files(self) -> Iterator[tuple[str, tuple[str, bytes]]]:
        """Yield the files that were told, by their hash."""
        for message in self.told:
            for part in message.parts:
                if isinstance(part, FilePart):
                    octets = self.rendering.file_octets(part)
                    if octets is not None:
                        yield part.sha256, (part.media_type, octets)


def _ulid(at: str, text: str, *, place: int = 0) -> str:
    """Return an id as llm makes them: in the order of instants, and there of places."""
    milliseconds = int((seconds_of(at) or 0) * 1000) & ((1 << 48) - 1)
    rest = int.from_bytes(hashlib.sha256(text.encode()).digest()[:5])
    number = milliseconds << 80 | (place & ((1 << 40) - 1)) << 40 | rest
    return "".join(_ULID[number >> shift & 31] for shift in range(125, -1, -5))
