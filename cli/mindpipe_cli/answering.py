"""Answer request after request, several at a time, in the order they came."""

import collections
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.models import ModelFault
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.models import verbs
from mindpipe.models.requests import Answer, read_request
from mindpipe.stream.files import locked_append
from mindpipe.stream.lines import IMPORT_BYTES, bounded_lines
from mindpipe.wiring.worker import Workshop
from mindpipe_cli.session import Session


class Wish(Record):
    """What the options of `mind complete` ask for."""

    model: str | None = None
    record: str | None = None
    parallel: int = 1
    on_error: str = "stop"
    rejects: str | None = None


def answers(session: Session, file: BinaryIO, wish: Wish) -> Iterator[Answer]:
    """Yield one answer per line.

    Raises:
        BadInputError: a line is no request, or its model failed, unless bad lines are skipped.
        NothingToDoError: there was no line.
    """
    shop = Workshop(
        settings=session.settings,
        environment=os.environ,
        clock=session.clock,
        chance=session.chance,
    )
    model = shop.model(wish.model, agent=None, record=Path(wish.record) if wish.record else None)

    def answer(number: int, line: bytes) -> Answer:
        given = read_request(line, source="stdin", number=number)
        try:
            return verbs.complete(model, session.clock, session.chance, given=given)
        except ModelFault as fault:
            problem = Problem(source="stdin", line=number, message=str(fault))
            raise BadInputError([problem]) from fault

    with ThreadPoolExecutor(wish.parallel) as pool:
        yield from _in_order(pool, answer, file, wish)


def _in_order(
    pool: ThreadPoolExecutor,
    answer: Callable[[int, bytes], Answer],
    file: BinaryIO,
    wish: Wish,
) -> Iterator[Answer]:
    """Keep as many requests under way as are wished, and yield their answers as they were asked."""
    under_way: collections.deque[tuple[bytes, Future[Answer]]] = collections.deque()
    count = 0
    lines = bounded_lines(file, limit=IMPORT_BYTES, source="stdin", setting="import.max_bytes")
    for line in lines:
        count += 1
        if isinstance(line, Problem):
            raise BadInputError([line])
        under_way.append((line[1], pool.submit(answer, *line)))
        if len(under_way) >= wish.parallel:
            yield from _settled(*under_way.popleft(), wish)
    while under_way:
        yield from _settled(*under_way.popleft(), wish)
    if not count:
        raise NothingToDoError("no input.")


def _settled(line: bytes, future: Future[Answer], wish: Wish) -> Iterator[Answer]:
    """Yield the answer, or keep the line with its reason where that is wished."""
    try:
        yield future.result()
    except BadInputError as error:
        if wish.on_error != "skip":
            raise
        if wish.rejects is not None:
            with locked_append(Path(wish.rejects)) as kept:
                reasons = [problem.line_of_text() for problem in error.problems]
                kept.append(to_json({"reasons": reasons, "line": line.decode()}) + b"\n")
