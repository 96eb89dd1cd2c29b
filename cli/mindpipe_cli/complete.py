"""`mind complete`: one model request per line in, one response per line out, in input order."""

import collections
import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    MindError,
    ModelBusyError,
    UnavailableError,
)
from mindpipe.core.models import FaultClass, ModelFault, ModelRequest
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe_cli import input, output
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    file_argument,
    on_error_options,
    parallel_option,
    voice_options,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Model
    from mindpipe.io.rejects import RejectsFile
    from mindpipe.model_access import ModelCatalog
    from mindpipe.providers.completions import Answer, GivenRequest

_ANSWER = ("text", "tool_calls", "stop_reason", "usage")
_COMPOSED = "composed"
"""The offline voice of a person, which speaks from the moment that a request is about."""
_SETTING = "import.max_bytes"
Work = Callable[[], "Answer"]
Start = Callable[[Work], Work]
"""Starts work, and returns what waits for its answer."""
_PASSING = frozenset({FaultClass.TRANSIENT, FaultClass.LONG_WAIT})
# Faults that every other line would meet too, so that skipping one is no use.
_OF_EVERY_LINE = _PASSING | {FaultClass.OUR_ACCOUNT}


class _CompletionOptions(Record):
    """What the options of `mind complete` ask for."""

    file: str = "-"
    model: str | None = None
    record: str | None = None
    parallel: int = 1
    on_error: str = "stop"
    rejects: str | None = None


class _Asked(Record):
    """One line on its way: its number, its bytes, and what waits for its answer."""

    line: int | None
    octets: bytes
    answer: Work


@command("complete", example="mind complete --model program:./answer --parallel 4 < requests.jsonl")
@file_argument
@voice_options()
@on_error_options
@parallel_option
def COMMAND(session: Session, **values: str | int | None) -> None:
    """Ask one model request per line and print one response per line, in input order.

    A request is the object of the program protocol: system, messages, tools, max_tokens,
    temperature. What it has under the key about comes back with the answer and is sent to no
    model; --model composed, the offline voice of a person, speaks from about.moment alone. No
    request is sent that may cost more than the setting caps.call_micros.
    """
    options = msgspec.convert(values, _CompletionOptions)
    with (
        input.rejects_of(options.on_error, options.rejects) as rejects,
        input.open_input(options.file) as file,
    ):
        asking = _Asking(session, options, rejects)
        session.write(asking.answers(file), columns=_ANSWER)
    if rejects is not None and rejects.count:
        output.say(
            f"rejected {rejects.count} of {counted(asking.count, 'line')}; see {options.rejects}."
        )


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
        self._source = input.name_of(options.file)
        from mindpipe.model_access import ModelCatalog

        shop = ModelCatalog(settings=session.settings, environment=os.environ, clock=session.clock)
        self._model_for = _chosen(session, shop, options, source=self._source)
        self._cap = session.settings.caps.call_micros
        self._prices = shop.prices()

    def answers(self, file: BinaryIO) -> "Iterator[Answer]":
        """Keep as many requests under way as are wished; yield answers in the lines' order."""
        under_way: collections.deque[_Asked] = collections.deque()
        from mindpipe.io.lines import IMPORT_BYTES, bounded_lines

        limit = self._session.settings.import_.max_bytes or IMPORT_BYTES
        lines = bounded_lines(file, limit=limit, source=self._source, setting=_SETTING)
        with _starting(self._options.parallel) as start:
            for line in lines:
                self.count += 1
                under_way.append(self._asked(line, start))
                if len(under_way) >= self._options.parallel:
                    yield from self._settled(under_way.popleft())
            while under_way:
                yield from self._settled(under_way.popleft())
        if self._rejects is not None:
            self._rejects.settle()

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
        from mindpipe.providers.completions import read_request

        given = read_request(octets, source=self._source, number=number)
        place = f"{self._source}:{number}"

        def allow(request: ModelRequest) -> None:
            if self._cap is not None:
                refuse_above(self._cap, request, self._prices, place=place)

        return verbs.complete(
            self._model_for(given, number),
            self._session.clock,
            self._session.chance,
            given=given,
            allow=allow,
            tell=lambda words: output.say(f"{place}: {words}"),
        )

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
    record = input.path_of(options.record) if options.record else None
    name = options.model or session.settings.model
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
