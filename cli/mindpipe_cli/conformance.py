"""The conformance suites: what every plugin of a kind does, tried one promise at a time."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from mindpipe.agents.manifests import plugin_tools
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import (
    CallPart,
    Conversation,
    Head,
    Message,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ToolSpec,
)
from mindpipe.core.models import Finish, ModelReply, ModelRequest, RequestOptions
from mindpipe.core.plugins import Plugin, PluginKind
from mindpipe.core.ports import Embedder, Model
from mindpipe.core.records import Record
from mindpipe.language.plugin_reader import PluginReader
from mindpipe.language.records import StatementReader, Utterance
from mindpipe.providers.plugins import (
    PluginEmbedder,
    PluginModel,
    plugin_conversations,
)
from mindpipe.providers.records import ImportOptions, RenderOptions
from mindpipe.providers.request import make_request

Check = Callable[[], None]


class PluginCheck(Record):
    """One promise that a plugin was held to: whether it keeps it, and what was seen where not."""

    check: str
    passed: bool
    what: str = ""


class _Broken(Exception):
    """A promise was not kept; the words say what was seen."""


def check(plugin: Plugin, sample: str | None = None) -> list[PluginCheck]:
    """Try every promise of a plugin's kind; `sample` is a file that an importer or a reader reads.

    Of a reader it has an utterance a line, among which it must find a statement.
    """
    found: list[PluginCheck] = []
    suites: dict[PluginKind, Callable[[], Iterator[Check]]] = {
        PluginKind.MODELS: lambda: _model_checks(PluginModel(plugin)),
        PluginKind.EMBEDDERS: lambda: _embedder_checks(PluginEmbedder(plugin, plugin.plugin)),
        PluginKind.TOOLS: lambda: _tool_checks(plugin),
        PluginKind.IMPORTERS: lambda: _importer_checks(plugin, Path(sample or "")),
        PluginKind.READERS: lambda: _reader_checks(PluginReader(plugin), sample),
    }
    try:
        for one in suites[plugin.kind]():
            found.append(_tried(one))
    except Exception as error:
        found.append(PluginCheck(check="it can be made", passed=False, what=_words(error)))
    return found


def _tried(one: Check) -> PluginCheck:
    """Try one promise; its docstring is what is promised."""
    name = (one.__doc__ or "").strip().rstrip(".")
    try:
        one()
    except Exception as error:
        return PluginCheck(check=name, passed=False, what=_words(error))
    return PluginCheck(check=name, passed=True)


def _words(error: Exception) -> str:
    """Return what went wrong, on one line."""
    kind = "" if isinstance(error, _Broken) else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())


def _require(kept: bool, what: str) -> None:  # noqa: FBT001 - it reads as an assertion
    """Raise _Broken where a promise is not kept."""
    if not kept:
        raise _Broken(what)


_TOOL = ToolSpec(
    name="recall",
    description="Search what was said before.",
    input_schema={"type": "object", "properties": {"query": {"type": "string"}}},
)


def _message(seq: int, role: Role, *parts: TextPart | CallPart | ResultPart) -> Message:
    """Return one message of a short conversation."""
    return Message(
        id=f"m_{seq}", agent="ava", seq=seq, segment=1, cycle=1, turn=1, role=role, parts=parts
    )


def _request(model: Model, *messages: Message, stream: bool = True) -> ModelRequest:
    """Return a request with these messages, under a head with one tool."""
    asked = Conversation(head=Head(system="Be brief.", tools=(_TOOL,)), messages=messages)
    options = RequestOptions(max_tokens=256, stream=stream)
    return make_request(asked, model.target, options, RenderOptions(), 120.0)


class _Heard:
    """A preview that remembers the text that it heard."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def text(self, piece: str) -> None:
        self.texts.append(piece)

    def thinking(self, piece: str) -> None:
        """Pass over reasoning."""

    def call(self, tool: str) -> None:
        """Pass over a call."""

    def argument(self, piece: str) -> None:
        """Pass over arguments."""


def _texts(reply: ModelReply) -> str:
    """Return the text of a reply."""
    return "".join(part.text for part in reply.parts if isinstance(part, TextPart))


def _model_checks(model: Model) -> Iterator[Check]:
    """Yield what every model does."""
    hello = _message(1, Role.USER, TextPart(text='Grüße, "Ada"\n😀 \\ end'))

    def answers() -> None:
        """It answers a request with a reply whose parts and finish agree."""
        for stream in (True, False):
            _agrees(model.reply(_request(model, hello, stream=stream)))

    def goes_on() -> None:
        """It takes a conversation with a tool call and its result."""
        call = CallPart(id="c_1", tool="recall", args={"query": "a"}, args_text='{"query":"a"}')
        result = ResultPart(call="c_1", status=ResultStatus.OK, text="Nothing.")
        turn = (hello, _message(2, Role.ASSISTANT, call), _message(3, Role.TOOL, result))
        _agrees(model.reply(_request(model, *turn)))

    def previews() -> None:
        """A preview that hears of a reply's text hears all of it, in order."""
        heard = _Heard()
        reply = model.reply(_request(model, hello), heard)
        said = "".join(heard.texts)
        _require(said in ("", _texts(reply)), f"heard {said!r}, replied {_texts(reply)!r}")

    def keeps_raw() -> None:
        """Raw bytes, where there are any, are one JSON object."""
        raw = model.reply(_request(model, hello)).raw
        if raw:
            msgspec.json.decode(raw, type=dict[str, object])

    yield from (answers, goes_on, previews, keeps_raw)


def _agrees(reply: ModelReply) -> None:
    """Require that a reply is in order, and that it calls no tool that nobody offered."""
    calls = [part for part in reply.parts if isinstance(part, CallPart)]
    _require(
        reply.finish is not Finish.CALLS or bool(calls), "finish is calls, and there is no call"
    )
    for part in reply.parts:
        if isinstance(part, TextPart):
            _require(bool(part.text.strip()), "a part of text is blank; leave it out")
    for call in calls:
        _require(call.tool == _TOOL.name, f"it calls {call.tool!r}, which was not offered")
        if call.invalid is None:
            read = msgspec.json.decode(call.args_text, type=dict[str, object])
            _require(read == call.args, "args is not what args_text says")


_TEXTS = (
    "a hotel in Tokyo",
    "the hotel in Tokyo",
    "green tea",
    "",
    " \n",
    "half \ud800",
    "é" * 900,
)


def _embedder_checks(embedder: Embedder) -> Iterator[Check]:
    """Yield what every embedding model does."""

    def one_each() -> None:
        """It gives one vector for each text, all of one length, whatever the texts are."""
        found = embedder.vectors(_TEXTS)
        _require(len(found) == len(_TEXTS), f"{len(found)} vectors for {len(_TEXTS)} texts")

    def numbers() -> None:
        """Every number of a vector is finite, and a text of English words has one that is not 0."""
        for text, vector in zip(_TEXTS, embedder.vectors(_TEXTS), strict=True):
            _require(all(map(math.isfinite, vector)), f"{text[:20]!r} has a number without end")
            _require(
                not text.isascii() or not text.strip() or any(vector),
                f"{text[:20]!r} has only zeros",
            )

    def same() -> None:
        """The same text has the same vector, alone and among others."""
        for text, among in zip(_TEXTS[:3], embedder.vectors(_TEXTS)[:3], strict=True):
            alone = embedder.vectors([text])[0]
            close = (
                math.isclose(one, other, abs_tol=1e-3)
                for one, other in zip(alone, among, strict=True)
            )
            _require(all(close), f"{text!r} has two vectors")

    def nothing() -> None:
        """It gives no vector where there is no text."""
        _require(embedder.vectors([]) == [], "there are vectors of no text")

    yield from (one_each, numbers, same, nothing)


def _tool_checks(plugin: Plugin) -> Iterator[Check]:
    """Yield what every collection of tools does."""
    from mindpipe.engine.tools.specs import BY_NAME

    def are_sound() -> None:
        """Its manifests are those that a file could hold, under names that are not built in."""
        plugin_tools(plugin, reserved=BY_NAME)

    def are_apart() -> None:
        """No two tools have one name."""
        names = [tool.name for tool in plugin_tools(plugin)]
        _require(len(set(names)) == len(names), f"names: {', '.join(names)}")

    def can_start() -> None:
        """Every command begins with a program that is there."""
        import shutil

        for tool in plugin_tools(plugin):
            _require(
                shutil.which(tool.command[0]) is not None,
                f"{tool.name} is started by {tool.command[0]}, which is not there",
            )

    yield from (are_sound, are_apart, can_start)


def _importer_checks(plugin: Plugin, file: Path) -> Iterator[Check]:
    """Yield what every importer does."""
    from mindpipe.io.files import read_whole
    from mindpipe.providers.importer import read_plugin_documents

    octets = read_whole(file)

    def reads() -> None:
        """It reads the file, every conversation without a problem, and with messages."""
        options = ImportOptions(agent="ava", name=file.name, at="2026-11-21T20:00:00Z")
        found = read_plugin_documents(octets, plugin=plugin, options=options)
        _require(bool(found), "it finds no conversation")
        for one in found:
            if one.problems:
                raise BadInputError(list(one.problems))
            _require(bool(one.messages), "a conversation has no messages")

    def repeats() -> None:
        """It reads the same file the same way twice."""
        once, twice = (
            list(plugin_conversations(octets, plugin=plugin, source=file.name)) for _ in range(2)
        )
        _require(once == twice, "the second reading differs")

    def refuses() -> None:
        """It raises ValueError for what is no such file."""
        for other in (b"", b"\x00\xff\xfe no such file", octets[: len(octets) // 2] + b"\xff{"):
            try:
                list(plugin_conversations(other, plugin=plugin, source="other"))
            except BadInputError:
                continue
            raise _Broken(f"it takes {other[:24]!r}")

    yield from (reads, repeats, refuses)


_SAID: Sequence[Utterance] = (
    Utterance("I live in Hull now, and my sister Ada moved to York.", speaker="Bea"),
    Utterance("Do you like green tea? 😀", speaker="Ada"),
    Utterance(""),
    Utterance(" \n"),
    Utterance("Ich wohne in Köln."),
)


def _reader_checks(reader: StatementReader, sample: str | None) -> Iterator[Check]:
    """Yield what every reader of statements does."""
    from mindpipe.io.files import read_whole
    from mindpipe.knowledge.claims.attributes import attribute_of

    lines = read_whole(Path(sample)).decode().splitlines() if sample else ()
    said = (*_SAID, *(Utterance(line, speaker="Bea") for line in lines))

    def is_named() -> None:
        """Its name is NAME/VERSION, and stands in every statement."""
        _require("/" in reader.name, f"its name is {reader.name!r}")
        for one in itertools.chain.from_iterable(reader.read(said)):
            _require(one.reader == reader.name, f"a statement is of {one.reader!r}")

    def finds() -> None:
        """It reads statements, each of an attribute that there is, on characters of its words."""
        found = list(itertools.chain.from_iterable(reader.read(said)))
        _require(bool(found), "it reads none; give words that it reads: --sample FILE")
        for one in found:
            known = attribute_of(one.attribute) is not None
            _require(known, f"there is no attribute {one.attribute!r}")

    def repeats() -> None:
        """It reads the same words the same way, alone and among others."""
        for one, statements in zip(said, reader.read(said), strict=True):
            _require(reader.read([one])[0] == statements, f"{one.text!r} is read in two ways")

    yield from (is_named, finds, repeats)
