"""Speak with one MCP server, as a program: so it runs under limits, in a folder of its own.

`list SERVER…` prints a server's tools and the hash of what it says of them; `serve SERVER…` stays
connected and calls a tool for each line of stdin, unless the server says anything else of its tools
by now. A tool of an agent has `call HASH TOOL SERVER…` as its command, of which the sessions of
servers make such lines: there is no other way to call one.
"""

import base64
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

import msgspec

from mindpipe.core.addresses import shown_address
from mindpipe.core.attachments import MOST_BYTES, MOST_FILES, TEXT, measures_of
from mindpipe.core.errors import ExitStatus
from mindpipe.core.json import depth_of_value
from mindpipe.core.mcp_servers import (
    BRIDGE,
    AskingRun,
    McpServer,
    ServerQuestion,
    declined_words,
    server_of,
)
from mindpipe.core.ports import ProgramFile
from mindpipe.core.records import Record

if TYPE_CHECKING:
    from anyio import CancelScope
    from anyio.abc import ObjectReceiveStream, ObjectSendStream
    from mcp import Client, MCPError
    from mcp.client.session import ClientRequestContext
    from mcp.shared.dispatcher import ProgressFnT
    from mcp.types import (
        CallToolResult,
        ContentBlock,
        ElicitRequestFormParams,
        ElicitRequestParams,
        ElicitResult,
    )

_PAGES = 100
_CONNECT_SECONDS = 30.0
_MOST_ASKED = 1 << 14
_MOST_SAID = 1 << 13
_BETWEEN_PROGRESS = 1.0
_MOST_PROGRESS = 100
_LONGEST_PROGRESS = 200
_MOST_NESTED = 64
ASKED = ExitStatus.TEMPORARY
"""How a call ends whose server asked what nobody has answered; its output is an `AskingRun`."""


class ListedTool(Record, omit_defaults=True):
    """One tool of a server, in the server's own words."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    annotations: dict[str, object] | None = None


class Listing(Record):
    """What a server says of its tools, by name, and the SHA-256 of it."""

    sha256: str
    tools: tuple[ListedTool, ...]


class BridgeProgress(Record, tag="progress"):
    """How far a server says that a call is, of how much, and in which words."""

    done: float | None
    total: float | None = None
    message: str | None = None


class BridgeOutcome(Record, tag="outcome"):
    """What came of a call, with its status as that of a program; null where it was too late.

    `found` is the same answer as a JSON value, where the server gave one; the text then holds it,
    too. `lost` says that nobody knows whether the tool acted, `gone` that the server was not there
    any more before anything was called, `cut` that the text was longer. `files` are the pictures
    and other octets of the answer, which its text tells of.
    """

    status: ExitStatus | None
    text: str = ""
    found: object = None
    lost: bool = False
    gone: bool = False
    cut: bool = False
    files: tuple[ProgramFile, ...] = ()


class BridgeCall(msgspec.Struct, frozen=True):
    """One call of a tool: the hash of what the server said of its tools, and the arguments.

    `answers` are what a person answered to questions that the server asked in earlier calls.
    """

    sha256: str
    tool: str
    arguments: dict[str, object]
    seconds: float = 60.0
    output_bytes: int = 65536
    answers: tuple[ServerQuestion, ...] = ()


def bridge(*words: str) -> tuple[str, ...]:
    """Return the command that runs the bridge with these words."""
    return (sys.executable, "-I", "-m", BRIDGE, *words)


def main() -> None:
    """Do what the words of the command say, print the outcome, and end."""
    ways = {"list": _list, "serve": _serve}
    try:
        import anyio

        outcome = anyio.run(ways[sys.argv[1]], sys.argv[2:])
    except ImportError:
        outcome = BridgeOutcome(
            status=ExitStatus.UNAVAILABLE,
            text="MCP servers need the extra mcp: pip install '.[mcp]' in mindpipe's folder.",
        )
    except Exception as error:
        outcome = BridgeOutcome(status=ExitStatus.FAILED, text=_failure(error, sys.argv[2:]))
    if sys.argv[1] == "serve":
        _say(outcome)
        os._exit(0)
    with open(2 if outcome.status else 1, "wb", closefd=False) as stream:
        stream.write(outcome.text.encode("utf-8", "replace") + b"\n")
    os._exit(outcome.status or 0)


def _failure(error: BaseException, server: list[str]) -> str:
    """Return in words why a server failed; of its address what may be shown."""
    words, url = _cause(error), server_of(server).filled_in_part(os.environ).url
    if url:
        words = f"{words.replace(url, shown_address(url))}, at {shown_address(url)}"
    return f"the MCP server failed: {words}"


async def _list(words: list[str]) -> BridgeOutcome:
    """Ask a server for its tools."""
    async with _connected(words, Questions()) as client:
        listing = await _listing(client)
    return BridgeOutcome(status=ExitStatus.DONE, text=msgspec.json.encode(listing).decode())


async def _serve(words: list[str]) -> BridgeOutcome:
    """Stay connected and make one call for each line of stdin, until there are no more.

    An empty line, or the end of stdin, cancels the call that is under way, and the server is told.
    """
    import anyio

    questions, is_connected = Questions(), False
    told, lines = anyio.create_memory_object_stream[bytes](1)
    try:
        with Path(os.devnull).open("w") as nowhere:
            async with anyio.create_task_group() as readers:
                readers.start_soon(_read, told)
                async with _connected(words, questions, errors=nowhere) as client:
                    is_connected = True
                    async for line in lines:
                        if not line.strip():
                            continue  # the call that this would cancel has ended
                        outcome = await _made(client, line, questions, lines)
                        _say(outcome)
                        if outcome.lost or outcome.gone:
                            # The connection is gone: taking leave of it could only fail or wait.
                            os._exit(0)
    except Exception as error:
        # Over HTTP a connection that breaks ends everything, and who waits is not told first.
        if not is_connected:
            raise
        _say(
            BridgeOutcome(status=None, lost=True)
            if questions.is_called
            else BridgeOutcome(status=ExitStatus.FAILED, text=_failure(error, words), gone=True)
        )
    os._exit(0)


async def _read(told: "ObjectSendStream[bytes]") -> None:
    """Pass on the lines of stdin."""
    from anyio import to_thread

    async with told:
        while line := await to_thread.run_sync(sys.stdin.buffer.readline, abandon_on_cancel=True):
            await told.send(line)


async def _made(
    client: "Client", line: bytes, questions: "Questions", lines: "ObjectReceiveStream[bytes]"
) -> BridgeOutcome:
    """Make the call of a line; one that takes too long is cancelled, and the server told so."""
    import anyio

    call = msgspec.json.decode(line, type=BridgeCall)
    outcome = BridgeOutcome(status=None)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_cancel_when_told, lines, tasks.cancel_scope)
        with anyio.move_on_after(call.seconds):
            outcome = await _outcome(client, call, questions, hear=_Progress().hear)
        tasks.cancel_scope.cancel()
    questions.is_called = False
    octets = outcome.text.encode("utf-8", "replace")
    if len(octets) > call.output_bytes and outcome.status is not ASKED:
        text = octets[: call.output_bytes].decode("utf-8", "ignore")
        outcome = msgspec.structs.replace(outcome, text=text, found=None, cut=True)
    return outcome


async def _cancel_when_told(lines: "ObjectReceiveStream[bytes]", scope: "CancelScope") -> None:
    """Cancel a call once whoever asked for it says more, or is gone: nobody waits for it."""
    from anyio import EndOfStream

    with contextlib.suppress(EndOfStream):
        await lines.receive()
    scope.cancel()


class _Progress:
    """What a server says of how far a call is: once a second is passed on, and so often at most."""

    def __init__(self) -> None:
        self._next = 0.0
        self._left = _MOST_PROGRESS

    async def hear(self, progress: float, total: float | None, message: str | None) -> None:
        """Pass it on, unless it comes too soon or too often."""
        from anyio import current_time

        if self._left and (now := current_time()) >= self._next:
            self._next, self._left = now + _BETWEEN_PROGRESS, self._left - 1
            words = None if message is None else message[:_LONGEST_PROGRESS]
            _say(BridgeProgress(done=progress, total=total, message=words))


def _say(outcome: BridgeOutcome | BridgeProgress) -> None:
    """Answer a line, or say how far that is."""
    with open(1, "wb", closefd=False) as stream:
        stream.write(msgspec.json.encode(outcome) + b"\n")


async def _outcome(
    client: "Client", call: BridgeCall, questions: "Questions", *, hear: "ProgressFnT"
) -> BridgeOutcome:
    """Call a tool, unless the server says anything else than it did, and return what came of it."""
    from mcp import MCPError

    broken: tuple[type[Exception], ...] = (MCPError, *_lost())
    try:
        listed = await _listing(client)
    except broken as error:
        words = f"the MCP server failed: {_cause(error)}"
        return BridgeOutcome(status=ExitStatus.FAILED, text=words, gone=True)
    if listed.sha256 != call.sha256:
        return BridgeOutcome(
            status=ExitStatus.REFUSED,
            text="the tools of this MCP server have changed, so nothing was called; somebody "
            "must look at them and give them again (mind agent set NAME --mcp FILE).",
        )
    questions.begin(call.answers)
    questions.is_called = True
    try:
        result = await client.call_tool(call.tool, call.arguments, progress_callback=hear)
    except MCPError as error:
        if _is_closed(error):
            return BridgeOutcome(status=None, lost=True)
        return questions.outcome(_cause(error), failed=True)
    except _lost():
        return BridgeOutcome(status=None, lost=True)
    answer = _answer_of(result)
    outcome = questions.outcome(answer.text, failed=bool(result.is_error), found=answer.found)
    return msgspec.structs.replace(outcome, files=answer.files)


def _is_closed(error: "MCPError") -> bool:
    """Tell whether a server is gone, so that nobody knows whether it acted."""
    from mcp.types import CONNECTION_CLOSED

    return error.code == CONNECTION_CLOSED


def _lost() -> tuple[type[Exception], ...]:
    """Return the errors of a connection that breaks."""
    import anyio
    import httpx2

    streams = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream)
    return (OSError, *streams, httpx2.TransportError)


class Questions:
    """What a server asks in the middle of a call: an answer that a person gave before, or none.

    The first question without an answer is kept for a person; it and all after it are told that
    nobody has decided yet. What a person cannot be shown as fields is declined. `is_called` tells
    that a tool is at work, which nobody knows the end of where the server goes.
    """

    def __init__(self) -> None:
        self.is_called = False
        self._answers: tuple[ServerQuestion, ...] = ()
        self._open: ServerQuestion | None = None
        self._declined: str | None = None

    def begin(self, answers: tuple[ServerQuestion, ...]) -> None:
        """Forget the call before, and know what was answered for this one."""
        self._answers, self._open, self._declined = answers, None, None

    async def answer(
        self, context: "ClientRequestContext", params: "ElicitRequestParams"
    ) -> "ElicitResult":
        """Answer one question of a server."""
        from mcp.types import ElicitRequestFormParams, ElicitResult

        del context
        if not isinstance(params, ElicitRequestFormParams) or self._is_long(params):
            self._declined = self._declined or params.message[:_MOST_SAID]
            return ElicitResult(action="decline")
        asked = ServerQuestion(message=params.message, schema=dict(params.requested_schema))
        for known in self._answers:
            if known.is_asked_again(asked):
                return ElicitResult.model_validate({"action": "accept", "content": known.fields})
        self._open = self._open or asked
        return ElicitResult(action="cancel")

    def outcome(self, text: str, *, failed: bool, found: object = None) -> BridgeOutcome:
        """Return what came of a call, and what its server wanted to know meanwhile."""
        if self._open is not None:
            asking = AskingRun(question=self._open, text=text[:_MOST_SAID], failed=failed)
            return BridgeOutcome(status=ASKED, text=msgspec.json.encode(asking).decode())
        status = ExitStatus.FAILED if failed else ExitStatus.DONE
        words = "" if self._declined is None else declined_words(self._declined)
        text = "\n".join(filter(None, (text, words)))
        return BridgeOutcome(status=status, text=text, found=None if failed else found)

    def _is_long(self, params: "ElicitRequestFormParams") -> bool:
        """Tell whether a question is longer than what anybody is asked."""
        return len(params.model_dump_json()) > _MOST_ASKED


@contextlib.asynccontextmanager
async def _connected(
    words: list[str], questions: Questions, *, errors: TextIO | None = None
) -> "AsyncIterator[Client]":
    """Give the client of a server, which is started with the environment of this program.

    It is greeted by the handshake, in which every server can ask for input in a call; where it
    knows none, by the discovery of the modern protocol. Sampling and roots are not offered.
    """
    server = server_of(words).filled(os.environ)
    async with contextlib.AsyncExitStack() as stack:
        greeted = _greeted(server, questions, errors=errors, mode="legacy")
        try:
            client = await stack.enter_async_context(greeted)
        except Exception as error:
            if not _is_stranger(error):
                raise
            greeted = _greeted(server, questions, errors=errors, mode="auto")
            client = await stack.enter_async_context(greeted)
        yield client


def _is_stranger(error: BaseException) -> bool:
    """Tell whether a server answered a greeting by not knowing it."""
    from mcp import MCPError

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return isinstance(error, MCPError) and not _is_closed(error)


@contextlib.asynccontextmanager
async def _greeted(
    server: McpServer,
    questions: Questions,
    *,
    errors: TextIO | None,
    mode: Literal["legacy", "auto"],
) -> "AsyncIterator[Client]":
    """Give the client of a server that was greeted in one way."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async with contextlib.AsyncExitStack() as stack:
        if server.url:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client

            patience = httpx2.Timeout(_CONNECT_SECONDS, read=None)
            made = httpx2.AsyncClient(headers=server.headers, timeout=patience)
            http = await stack.enter_async_context(made)
            transport = streamable_http_client(server.url, http_client=http)
        else:
            environment = {**os.environ, **server.env}
            started = StdioServerParameters(
                command=server.command,
                args=list(server.args),
                env=environment,
                cwd=server.cwd or None,
            )
            transport = stdio_client(started, errlog=errors) if errors else stdio_client(started)
        # What a server says of its tools is compared at each call: no answer of it is kept.
        client = Client(
            transport,
            mode=mode,
            elicitation_callback=questions.answer,
            cache=None,
        )
        yield await stack.enter_async_context(client)


async def _listing(client: "Client") -> Listing:
    """Return all pages of a server's tools."""
    found: list[ListedTool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += [
            ListedTool(
                name=tool.name,
                description=tool.description or "",
                input_schema=tool.input_schema,
                title=tool.title,
                annotations=tool.annotations.model_dump(by_alias=True, exclude_none=True)
                if tool.annotations
                else None,
            )
            for tool in page.tools
        ]
        cursor = page.next_cursor
        if cursor is None:
            break
    tools = tuple(sorted(found, key=lambda tool: tool.name))
    exact = msgspec.json.encode(tools, order="deterministic")
    return Listing(sha256=hashlib.sha256(exact).hexdigest(), tools=tools)


class _ServerAnswer(NamedTuple):
    """What a server answered: in words and, where it gave a structured answer, as a JSON value.

    `files` are the octets that the words tell of by their names.
    """

    text: str
    found: object = None
    files: tuple[ProgramFile, ...] = ()


def _answer_of(result: "CallToolResult") -> _ServerAnswer:
    """Return an answer; what is no text is told of as JSON, and its octets are a file.

    The text of a structured one ends with it as JSON: most servers say it in words of theirs as
    well, which are left out where they say the same.
    """
    shown = [_shown_part(part, place) for place, part in enumerate(result.content, 1)]
    parts = [one.text for one in shown]
    files = _within(one.file for one in shown if one.file is not None)
    found = result.structured_content
    if found is None or _wraps_words(found, parts):
        return _ServerAnswer("\n".join(parts), files=files)
    said = [_decoded(part) for part in parts]
    same: list[object] = [found, *(found.values() if len(found) == 1 else ())]
    both = zip(parts, said, strict=True)
    others = [part for part, one in both if one not in same and part not in same]
    if said in same:
        others = []
    text = "\n".join((*others, msgspec.json.encode(found).decode()))
    is_deep = depth_of_value(found, limit=_MOST_NESTED) > _MOST_NESTED
    return _ServerAnswer(text, None if is_deep else found, files)


def _wraps_words(found: dict[str, object], parts: list[str]) -> bool:
    """Tell whether a structured answer is but words or a figure that are said beside it.

    Of an answer that is no object servers make one of a single field.
    """
    if len(found) != 1 or len(parts) != 1:
        return False
    (value,) = found.values()
    return not isinstance(value, dict | list) and value in (parts[0], _decoded(parts[0]))


def _decoded(text: str) -> object:
    """Return what JSON says; other text as it is."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


class _ShownPart(NamedTuple):
    """One part of an answer as text, and the file that it is."""

    text: str
    file: ProgramFile | None = None


def _shown_part(part: "ContentBlock", place: int) -> _ShownPart:
    """Return one part of an answer, the octets of which are a file."""
    if part.type == "text":
        return _ShownPart(part.text)
    if part.type == "resource" and (text := getattr(part.resource, "text", None)) is not None:
        return _ShownPart(f"[resource {part.resource.uri}]\n{text}")
    if part.type == "resource":
        uri = str(part.resource.uri)
        about = {"uri": uri, "mimeType": part.resource.mime_type}
        data, name = getattr(part.resource, "blob", ""), uri.rstrip("/").rpartition("/")[2]
        return _with_file("resource", about, data, name or f"resource-{place}")
    if part.type == "resource_link":
        about = {"uri": str(part.uri), "name": part.name, "mimeType": part.mime_type}
        return _ShownPart(_about(part.type, about))
    ending = part.mime_type.partition("/")[2] or part.type
    return _with_file(
        part.type, {"mimeType": part.mime_type}, part.data, f"{part.type}-{place}.{ending}"
    )


def _with_file(kind: str, about: dict[str, str | None], data: str, name: str) -> _ShownPart:
    """Return a part that has octets: told with their size and hash, and themselves.

    What is text is read where all the answer is, and nowhere else.
    """
    octets = base64.b64decode(data)
    found = measures_of(octets)
    if kind == "resource" and found is not None and found.media_type == TEXT:
        return _ShownPart(f"[resource {about['uri']}]\n{octets.decode()}")
    told = {"bytes": len(octets), "sha256": hashlib.sha256(octets).hexdigest()}
    return _ShownPart(
        _about(kind, {"file": name, **about}, told), ProgramFile(name=name, octets=octets)
    )


def _about(kind: str, about: dict[str, str | None], octets: dict[str, object] | None = None) -> str:
    """Return what a part is as JSON."""
    told: dict[str, object] = {"type": kind, **{k: v for k, v in about.items() if v is not None}}
    return json.dumps({**told, **(octets or {})}, ensure_ascii=False)


def _within(files: Iterable[ProgramFile]) -> tuple[ProgramFile, ...]:
    """Return those of some files, the first ones, that a request has room for."""
    size, found = 0, list[ProgramFile]()
    for one in files:
        size += len(one.octets)
        if len(found) < MOST_FILES and size <= MOST_BYTES:
            found.append(one)
    return tuple(found)


def _cause(error: BaseException) -> str:
    """Return what a failure comes down to: groups say nothing by themselves."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    main()
