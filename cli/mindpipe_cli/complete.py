"""`mind complete`: one model request per line in, one response per line out, in input order."""

import collections
import contextlib
import functools
import io
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import click
import msgspec

from mindpipe.core.errors import (
    BadInputError,
    MindError,
    ModelBusyError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.models import FaultClass, ModelFault, ModelRequest
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe_cli import input, output
from mindpipe_cli.attached_files import attached_files
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    attach_option,
    on_error_options,
    parallel_option,
    plain_option,
    text_option,
    voice_options,
    words_or_file,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Model
    from mindpipe.io.rejects import RejectsFile
    from mindpipe.model_access import ModelCatalog
    from mindpipe.providers.completions import Answer, GivenRequest, RequestLine
    from mindpipe.providers.verbs import CompletionAids

_ANSWER = ("text", "tool_calls", "stop_reason", "usage")
_COMPOSED = "composed"
"""The offline voice of a person, which speaks from the moment that a request is about."""
_SETTING = "import.max_bytes"
_BOM = b"\xef\xbb\xbf"
Work = Callable[[], "Answer"]
Start = Callable[[Work], Work]
"""Starts work, and returns what waits for its answer."""
_PASSING = frozenset({FaultClass.TRANSIENT, FaultClass.LONG_WAIT})
# Faults that every other line would meet too, so that skipping one is no use.
_OF_EVERY_LINE = _PASSING | {FaultClass.OUR_ACCOUNT}


class _CompletionOptions(Record):
    """What the options of `mind complete` ask for."""

    words: str | None = None
    text: str | None = None
    file: str = "-"
    model: str | None = None
    record: str | None = None
    parallel: int = 1
    on_error: str = "stop"
    rejects: str | None = None
    system: str | None = None
    schema: str | None = None
    attached: tuple[str, ...] = ()
    plain: bool = False
    stream: bool = False

    @property
    def source(self) -> str:
        """Return how problems name what is asked."""
        return input.name_of(self.file) if self.words in (None, "-") else "TEXT"


class _Asked(Record):
    """One line on its way: its number, its bytes, and what waits for its answer."""

    line: int | None
    octets: bytes
    answer: Work


@command("complete", example="mind complete --model program:./answer --parallel 4 < requests.jsonl")
@click.argument("words", required=False, metavar="[TEXT]")
@text_option
@click.option("-f", "--file", default="-", metavar="FILE", help="The file of the requests [stdin].")
@click.option(
    "--system",
    metavar="TEXT",
    callback=words_or_file,
    help="Instructions of every request that has none, or @FILE that holds them.",
)
@click.option("--schema", metavar="FILE|JSON", help="Answer by this JSON Schema.")
@plain_option
@click.option("--stream", is_flag=True, help="Print the text as it comes.")
@attach_option
@voice_options()
@on_error_options
@parallel_option
def COMMAND(session: Session, **values: str | int | tuple[str, ...] | None) -> None:
    """Ask a model for one answer, or for one per line, and print the answers in that order.

    TEXT is always one request, whatever stands in it; what is piped in beside it goes behind it, as
    the matter that it speaks of. Without TEXT, or with - for it, stdin is asked, or --file FILE:
    text is one request too, and so is each line that is an object: the request of the program
    protocol (system, messages, tools, max_tokens, temperature, schema), or one as the APIs of
    Anthropic and OpenAI take it (so that of mind context show, too; --model says who is asked), or
    a message with role and content; a list of such messages is a conversation. With --text - what
    looks like these is text as well. On a terminal, or with --plain or --stream, the text of the
    answer is printed, else a record per line.

    With --schema the answer is JSON that fits it, also in the field json. One that does not is
    asked for once more, with what was wrong; after that the status is 65.

    --attach FILE goes along with the last message of each request: an image or PDF as the API has
    it, a text as words; where nothing else is said it is asked alone. What kind a file is is
    told by its bytes.

    What a request has under the key about comes back with its answer and is sent to no model;
    --model composed, the offline voice of a person, speaks from about.moment alone. No request is
    sent that may cost more than the setting caps.call_micros.
    """
    options = _settled_options(session, msgspec.convert(values, _CompletionOptions))
    with (
        input.rejects_of(options.on_error, options.rejects) as rejects,
        _opened(options) as file,
    ):
        asking = _Asking(session, options, rejects)
        if options.plain:
            for answer in asking.answers(file):
                _print(answer, streamed=options.stream)
        else:
            session.write(asking.answers(file), columns=_ANSWER)
    if rejects is not None and rejects.count:
        output.say(
            f"rejected {rejects.count} of {counted(asking.count, 'line')}; see {options.rejects}."
        )


def _settled_options(session: Session, options: _CompletionOptions) -> _CompletionOptions:
    """Return the options with how answers are printed; raises UsageError where they disagree."""
    if (options.stream or options.plain) and session.shape_asked:
        raise UsageError("--plain and --stream print text; take away --json or the like.")
    if options.stream and options.parallel > 1:
        raise UsageError("--stream prints one answer at a time; take away --parallel.")
    if options.stream and options.schema:
        raise UsageError("--schema prints an answer once it was checked; take away --stream.")
    plain = options.plain or options.stream or session.watched
    return msgspec.structs.replace(options, plain=plain, words=_words_of(options))


def _words_of(options: _CompletionOptions) -> str | None:
    """Return the words that are asked, `-` for those on stdin, None where requests are read.

    They are empty where files that go along are all there is: nobody can pipe in requests then.

    Raises:
        UsageError: there are none in what was given, or more than one thing is asked.
    """
    argument = None if options.words == "-" else options.words
    given = [one for one in (argument, options.text) if one is not None]
    if len(given) > 1 or (given and options.file != "-"):
        raise UsageError("ask one thing: TEXT, --text TEXT (- is stdin) or --file FILE.")
    if given and not given[0].strip():
        raise UsageError("the text is empty; give it some words.")
    if given:
        return given[0]
    alone = options.attached and options.words is None and options.file == "-"
    return "" if alone and ("-" in options.attached or output.on_terminal("stdin")) else None


@contextlib.contextmanager
def _opened(options: _CompletionOptions) -> Iterator[BinaryIO]:
    """Give what is asked: the words that were given, a file, or stdin."""
    if options.words in (None, "-"):
        alone = bool(options.attached)  # what goes along may be all that is asked
        with input.open_input(options.file, may_be_empty=alone) as file:
            yield file
    else:
        words = options.words or ""  # empty where the files that go along are asked alone
        if os.path.isfile(words):  # noqa: PTH113 - loads no pathlib
            output.say(f"{words} is asked as words; --file {words} would read that file.")
        elsewhere = "-" in (*options.attached, options.schema)
        matter = b"" if elsewhere else input.piped_matter()
        yield io.BytesIO(b"\n\n".join(filter(None, (os.fsencode(words), matter))))


def _print(answer: "Answer", *, streamed: bool) -> None:
    """Print the text of an answer, and say what else there is to know of it."""
    if not streamed:
        output.write_text(f"{answer.text}\n" if answer.text else "")
    if answer.tool_calls or answer.stop_reason == "length":
        output.flush()
    for call in answer.tool_calls:
        output.say(f"it calls {call.name} {msgspec.json.encode(call.arguments).decode()}")
    if answer.stop_reason == "length":
        output.say("the answer was cut off at max_tokens.")


class _StreamPreview:
    """The Preview port of an answer that is printed as it comes."""

    def __init__(self) -> None:
        self._open = False

    def text(self, piece: str) -> None:
        """Print a piece of the text."""
        if piece:
            output.write_text(piece)
            output.flush()
            self._open = not piece.endswith("\n")

    def thinking(self, piece: str) -> None:
        """Reasoning is no part of the answer."""

    def call(self, tool: str) -> None:
        """Calls are told when they are whole."""

    def argument(self, piece: str) -> None:
        """Calls are told when they are whole."""

    def end(self) -> None:
        """End the line that is open."""
        if self._open:
            output.write_text("\n")
        self._open = False


@contextlib.contextmanager
def _starting(parallel: int) -> Iterator[Start]:
    """Give what starts work in one of several threads, or, where it is one, when it is asked."""
    if parallel == 1:
        yield lambda work: work
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(parallel) as pool:
        yield lambda work: pool.submit(work).result


class _Asking:
    """Ask one model, and count the lines."""

    def __init__(
        self, session: Session, options: _CompletionOptions, rejects: "RejectsFile | None"
    ) -> None:
        self.count = 0
        self._session = session
        self._options = options
        self._rejects = rejects
        self._source = options.source
        from mindpipe.model_access import ModelCatalog

        shop = ModelCatalog(settings=session.settings, environment=os.environ, clock=session.clock)
        self._model_for = _chosen(session, shop, options, source=self._source)
        self._cap = session.settings.caps.call_micros
        self._prices = shop.prices()
        self._schema = _schema_of(options.schema)
        self._files = attached_files(options.attached)
        self._preview = _StreamPreview() if options.stream else None

    def answers(self, file: BinaryIO) -> "Iterator[Answer]":
        """Keep as many requests under way as are wished; yield answers in the lines' order."""
        under_way: collections.deque[_Asked] = collections.deque()
        with _starting(self._options.parallel) as start:
            for line in self._lines(file):
                self.count += 1
                under_way.append(self._asked(line, start))
                if len(under_way) >= self._options.parallel:
                    yield from self._settled(under_way.popleft())
            while under_way:
                yield from self._settled(under_way.popleft())
        if self._rejects is not None:
            self._rejects.settle()

    def _lines(self, file: BinaryIO) -> Iterator[tuple[int, bytes] | Problem]:
        """Yield each line that is a request, or the only request that all of the input is."""
        from mindpipe.io.lines import IMPORT_BYTES, bounded_lines
        from mindpipe.providers.completions import text_request

        limit = self._session.settings.import_.max_bytes or IMPORT_BYTES
        if not isinstance(file, io.BufferedReader):
            file = io.BufferedReader(io.BytesIO(file.read()))
        as_text = self._options.words is not None
        # What --rejects keeps are lines, whatever the first one is.
        as_lines = self._rejects is not None or _begins_object(file.peek(1))
        if as_text or not as_lines or _is_spread(file.peek(1)):
            whole = file.read(limit + 1)
            if len(whole) > limit:
                message = f"longer than {limit} bytes; split it or raise {_SETTING}"
                yield Problem(source=self._source, line=1, message=message)
                return
            only = _only_request(whole, as_text=as_text, source=self._source)
            if self._options.words == "" or (self._files and not whole.strip()):
                only = text_request("")
            if only is not None:
                yield 1, only
                return
            file = io.BufferedReader(io.BytesIO(whole))
        yield from bounded_lines(file, limit=limit, source=self._source, setting=_SETTING)

    def _asked(self, line: tuple[int, bytes] | Problem, start: Start) -> _Asked:
        """Send one line on its way; one that is too long has failed already."""
        if isinstance(line, Problem):
            return _Asked(line=line.line, octets=b"", answer=functools.partial(_refuse, line))
        work = functools.partial(self._answer, *line)
        return _Asked(line=line[0], octets=line[1], answer=start(work))

    def _answer(self, number: int, octets: bytes) -> "Answer":
        """Ask the model what one line asks."""
        from mindpipe.model_access import refuse_above
        from mindpipe.providers import verbs
        from mindpipe.providers.completions import read_request, with_files

        line = with_files(
            read_request(octets, source=self._source, number=number),
            self._files,
            source=self._source,
            number=number,
        )
        given = self._with_options(line, number)
        place = f"{self._source}:{number}"

        def tell(words: str) -> None:
            if self._preview is not None:
                self._preview.end()
            output.say(f"{place}: {words}")

        def allow(request: ModelRequest) -> None:
            if self._cap is not None:
                refuse_above(self._cap, request, self._prices, place=place)

        try:
            answer = verbs.complete(
                self._model_for(given, number),
                self._session.clock,
                self._session.chance,
                given=given,
                allow=allow,
                tell=tell,
                aids=self._aids(line, given),
            )
        except BadInputError as error:
            placed = {"source": self._source, "line": number}
            raise BadInputError(
                [msgspec.structs.replace(problem, **placed) for problem in error.problems]
            ) from None
        finally:
            if self._preview is not None:
                self._preview.end()
        return answer

    def _with_options(self, line: "RequestLine", number: int) -> "GivenRequest":
        """Return a request with what the options say and it does not."""
        given = line.given
        if self._options.system and not given.system:
            given = msgspec.structs.replace(given, system=self._options.system)
        if given.schema is not msgspec.UNSET:
            from mindpipe.agents.manifests import schema_problems

            at, source = "$.schema", self._source
            if found := list(schema_problems(given.schema, source=source, at=at)):
                raise BadInputError(
                    [msgspec.structs.replace(problem, line=number) for problem in found]
                )
        elif self._schema is not None:
            given = msgspec.structs.replace(given, schema=self._schema)
        return given

    def _aids(self, line: "RequestLine", given: "GivenRequest") -> "CompletionAids":
        """Return what a request is asked with."""
        from mindpipe.providers.verbs import CompletionAids

        if given.schema is msgspec.UNSET:
            return CompletionAids(blobs=line.blobs, preview=self._preview)
        return CompletionAids(blobs=line.blobs, preview=self._preview, fault_of=_fault_of)

    def _settled(self, asked: _Asked) -> "Iterator[Answer]":
        """Yield the answer, or keep the line with its reasons where that is wished."""
        try:
            yield asked.answer()
        except BadInputError as error:
            if self._rejects is None:
                raise
            self._rejects.refuse(error.problems, asked.octets)
        except ModelFault as fault:
            problem = Problem(source=self._source, line=asked.line, message=str(fault))
            if self._rejects is None or fault.fault in _OF_EVERY_LINE:
                raise error_of(fault, problem) from fault
            self._rejects.refuse([problem], asked.octets)


def _chosen(
    session: Session, shop: "ModelCatalog", options: _CompletionOptions, *, source: str
) -> "Callable[[GivenRequest, int], Model]":
    """Return what gives the model for a request on a line: one for all, or one for its moment."""
    from mindpipe.io.model_aliases import without_alias

    record = input.path_of(options.record) if options.record else None
    name = without_alias(options.model or session.settings.model or "", os.environ)
    if name != _COMPOSED:
        if name:
            from mindpipe.person.voice.models import require_model

            require_model(name, others=(_COMPOSED,))
        model = shop.model(options.model, record=record)
        return lambda _given, _line: model
    from mindpipe.person.voice.composed import ComposedModel, composed_words, moment_of

    def speaking(given: "GivenRequest", line: int) -> "Model":
        words = composed_words(moment_of(given.about, source=source, line=line))
        return shop.recorded(ComposedModel(words), record=record)

    return speaking


def _begins_object(octets: bytes) -> bool:
    """Tell whether what an input begins with is a line of JSON, and no text or list."""
    return octets.removeprefix(_BOM).lstrip()[:1] == b"{"


def _is_spread(octets: bytes) -> bool:
    """Tell whether the first line is but the beginning of an object over several lines."""
    return octets.removeprefix(_BOM).lstrip().partition(b"\n")[0].strip() == b"{" != octets


def _only_request(whole: bytes, *, as_text: bool, source: str) -> bytes | None:
    """Return the only request that an input is, or None where each of its lines is one.

    `as_text` says that it is text, whatever it looks like.

    Raises:
        BadInputError: it is text, but not UTF-8.
    """
    octets = whole.removeprefix(_BOM)
    if not octets.strip():
        return None
    if not as_text and _begins_object(octets):
        return octets if _is_spread(octets) and _is_object(octets) else None
    if not as_text and octets.lstrip()[:1] == b"[":
        if _is_list(octets):
            return octets
        if _is_list(octets.strip().partition(b"\n")[0]):
            return None
    from mindpipe.providers.completions import text_request

    return text_request(input.text_of(octets, source=source).strip("\r\n"))


def _is_object(octets: bytes) -> bool:
    """Tell whether octets are one JSON object."""
    try:
        return bool(msgspec.json.decode(octets, type=dict[str, object]))
    except msgspec.DecodeError:
        return False


def _is_list(octets: bytes) -> bool:
    """Tell whether octets are a JSON list of objects, as messages are."""
    try:
        return bool(msgspec.json.decode(octets, type=list[dict[str, object]]))
    except msgspec.DecodeError:
        return False


def _schema_of(given: str | None) -> dict[str, object] | None:
    """Return the JSON Schema of --schema; raises BadInputError with all that is wrong with it."""
    if given is None:
        return None
    from mindpipe.agents.manifests import schema_problems

    written = given.lstrip().startswith("{")
    source = "--schema" if written else given
    words = given if written else input.read_document(given).octets.decode("utf-8", "replace")
    schema = input.json_object(words, source)
    if found := list(schema_problems(schema, source=source, at="$")):
        raise BadInputError(found)
    return schema


def _fault_of(value: object, schema: dict[str, object]) -> str | None:
    """Return what is wrong with a value by a schema."""
    from mindpipe.agents.json_schema import UncheckedError, fault_of

    try:
        return fault_of(value, schema)
    except UncheckedError as error:
        return f"it cannot be checked: {error}"


def _refuse(problem: Problem) -> "Answer":
    """Fail for a line that cannot be read."""
    raise BadInputError([problem])


def error_of(fault: ModelFault, problem: Problem) -> MindError:
    """Return the error that a fault is to whoever called: one that may pass says so."""
    words = f"{problem.line_of_text()}."
    if fault.fault in _PASSING:
        return ModelBusyError(f"{words} Try again.")
    if fault.fault is FaultClass.OUR_ACCOUNT:
        return UnavailableError(words)
    return MindError(words)
