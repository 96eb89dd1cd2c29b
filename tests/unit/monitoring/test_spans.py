"""When what happened in a cycle began and ended, as well as it was measured."""

import pytest

from mindpipe.core.models import Finish, RequestOptions, Target, Usage
from mindpipe.engine.records.journal import Turn, TurnReply, TurnRequest, TurnState
from mindpipe.history.records import Cycle, CycleState
from mindpipe.monitoring.spans import CycleTimes

AT = "2026-11-21T20:00:{:02d}Z"
TARGET = Target(provider="program", api="program", model="x", family="x")
ASKED = TurnRequest(
    segment=1, target=TARGET, options=RequestOptions(), request_sha256="", unsent=()
)


def cycle(*, milliseconds: int, closed: int) -> Cycle:
    return Cycle(
        agent="ava",
        cycle=1,
        state=CycleState.CLOSED,
        outcome=None,
        trigger="",
        events=(),
        model="program:x",
        input_tokens=0,
        output_tokens=0,
        cost_micros=0,
        milliseconds=milliseconds,
        opened=AT.format(0),
        closed=AT.format(closed),
        epoch=1,
    )


def turn(number: int, seconds: float, milliseconds: int, boot: str = "one") -> Turn:
    reply = TurnReply(
        parts=(), raw=None, finish=Finish.END, usage=Usage(), model="x", milliseconds=milliseconds
    )
    return Turn(
        agent="ava",
        cycle=1,
        turn=number,
        state=TurnState.COMMITTED,
        attempts=1,
        first_boot=boot,
        first_seconds=seconds,
        asked=ASKED,
        answer=reply,
    )


TWO = [turn(1, 10.0, 1_200), turn(2, 12.5, 300)]


@pytest.mark.parametrize(
    ("lived", "turns", "told"),
    [
        # Lasted, then of each turn: asked, replied, its calls answered; all in milliseconds.
        (
            cycle(milliseconds=2_900, closed=3),
            TWO,
            (2_900, (0, 1_200, 2_500), (2_500, 2_800, 2_900)),
        ),
        # The end of an imported cycle, or of one that was taken up again, is what history says.
        (
            cycle(milliseconds=0, closed=7),
            [],
            (7_000, (1_000, 2_000, 3_000), (1_000, 2_000, 3_000)),
        ),
        (cycle(milliseconds=400, closed=9), TWO, (9_000, (0, 1_200, 2_500), (2_500, 2_800, 9_000))),
        # What was measured lies in its cycle, whatever the clock on the wall did meanwhile.
        (cycle(milliseconds=400, closed=0), TWO, (2_800, (0, 1_200, 2_500), (2_500, 2_800, 2_800))),
        # Turns of another start of the machine, and of an earlier release, have whole seconds.
        (
            cycle(milliseconds=2_900, closed=3),
            [turn(1, 10.0, 1_200), turn(2, 0.5, 300, "two")],
            (2_900, (0, 1_200, 2_900), (1_000, 2_000, 2_900)),
        ),
        (
            cycle(milliseconds=2_900, closed=3),
            [turn(1, 10.0, 0), turn(2, 11.5, 0)],
            (2_900, (0, 2_000, 2_900), (1_500, 2_000, 2_900)),
        ),
    ],
)
def test_times_are_as_exact_as_they_were_measured(
    lived: Cycle, turns: list[Turn], told: tuple[int, tuple[int, ...], tuple[int, ...]]
) -> None:
    times = CycleTimes(lived, turns)
    found = []
    for number in (1, 2):
        asked = times.asked(number, AT.format(1))
        replied = times.replied(number, AT.format(2), since=asked, default=asked)
        answered = times.answered(number, AT.format(3), since=replied)
        found.append((asked, replied, answered))
    since = times.opened
    whole, *spans = told
    assert (times.closed - since) / 1e6 == whole
    assert [tuple((one - since) / 1e6 for one in span) for span in found] == spans
