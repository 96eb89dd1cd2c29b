"""Answer request after request, several at a time, in the order they came."""

import collections
import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from mindpipe.core.errors import (
    BadInputError,
    MindError,
    ModelBusyError,
    NothingToDoError,
    UnavailableError,
)
from mindpipe.core.models import FaultClass, ModelFault, ModelRequest
from mindpipe.core.ports import Model
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.models import verbs
from mindpipe.models.requests import Answer, GivenRequest, read_request
from mindpipe.stream.lines import IMPORT_BYTES, bounded_lines
from mindpipe.wiring.models import ModelShop, refuse_above
from mindpipe.wiring.voices import require_model
from mindpipe_cli import documents, output
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import rejects_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.stream.rejects import RejectsFile

COLUMNS = ("text", "tool_calls", "stop_reason", "usage")
COMPOSED = "composed"
"""The offline voice of a person, which speaks from the moment that a request is about."""
_SETTING = "import.max_bytes"
Work = Callable[[], Answer]
Start = Callable[[Work], Work]
"""Starts work, and returns what waits for its answer."""
_PASSING = frozenset({FaultClass.TRANSIENT, FaultClass.LONG_WAIT})
# Faults that every other line would meet too, so that skipping one is no use.
_OF_EVERY_LINE = _PASSING | {FaultClass.OUR_ACCOUNT}


class Wish(Record):
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


def complete(session: Session, wish: Wish) -> None:
    """Print one answer per line, and say how many lines were rejected.

    Raises:
        BadInputError: a line is no request, unless bad lines are skipped.
        MindError: the model failed; TemporaryError or UnavailableError where the line was sound.
        NothingToDoError: there was no line.
        RefusedError: a request may cost more than the cap of one call.
    """
    with rejects_of(wish.on_error, wish.rejects) as rejects, documents.opened(wish.file) as file:
        asking = _Asking(session, wish, rejects)
        session.write(asking.answers(file), columns=COLUMNS)
    if rejects is not None and rejects.count:
        output.say(f"{rejects.count} of {asking.count} lines were rejected; see {wish.rejects}.")


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

    def __init__(self, session: Session, wish: Wish, rejects: "RejectsFile | None") -> None:
        self.count = 0
        self._session = session
        self._wish = wish
        self._rejects = rejects
        self._source = name_of(wish.file)
        shop = ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)
        self._model_for = _chosen(session, shop, wish, source=self._source)
        self._cap = session.settings.number("caps.call_micros")
        self._prices = shop.prices()

    def answers(self, file: BinaryIO) -> Iterator[Answer]:
        """Keep as many requests under way as are wished; yield answers in the lines' order."""
        under_way: collections.deque[_Asked] = collections.deque()
        limit = self._session.settings.number(_SETTING) or IMPORT_BYTES
        lines = bounded_lines(file, limit=limit, source=self._source, setting=_SETTING)
        with _starting(self._wish.parallel) as start:
            for line in lines:
                self.count += 1
                under_way.append(self._asked(line, start))
                if len(under_way) >= self._wish.parallel:
                    yield from self._settled(under_way.popleft())
            while under_way:
                yield from self._settled(under_way.popleft())
        if not self.count:
            raise NothingToDoError(NO_INPUT)
        if self._rejects is not None:
            self._rejects.settle()

    def _asked(self, line: tuple[int, bytes] | Problem, start: Start) -> _Asked:
        """Send one line on its way; one that is too long has failed already."""
        if isinstance(line, Problem):
            return _Asked(line=line.line, octets=b"", answer=functools.partial(_refuse, line))
        work = functools.partial(self._answer, *line)
        return _Asked(line=line[0], octets=line[1], answer=start(work))

    def _answer(self, number: int, octets: bytes) -> Answer:
        """Ask the model what one line asks."""
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

    def _settled(self, asked: _Asked) -> Iterator[Answer]:
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
    session: Session, shop: ModelShop, wish: Wish, *, source: str
) -> Callable[[GivenRequest, int], Model]:
    """Return what gives the model for a request on a line: one for all, or one for its moment."""
    record = documents.path_of(wish.record) if wish.record else None
    name = wish.model or session.settings.text("model")
    if name != COMPOSED:
        if name:
            require_model(name, others=(COMPOSED,))
        model = shop.model(wish.model, record=record)
        return lambda _given, _line: model
    from mindpipe.person.voice.composed import composed_words
    from mindpipe.wiring.composing import ComposedModel, moment_of

    def speaking(given: GivenRequest, line: int) -> Model:
        words = composed_words(moment_of(given.about, source=source, line=line))
        return shop.recorded(ComposedModel(words), record=record)

    return speaking


def _refuse(problem: Problem) -> Answer:
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
