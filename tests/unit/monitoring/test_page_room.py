"""What a page has room for: never more than its bound, however long the life and its words."""

import random
import zlib
from collections.abc import Iterator

import pytest

from mindpipe.core.records import to_json
from mindpipe.history.records import CycleOutcome, CycleState
from mindpipe.monitoring.page.document import MOST_BYTES, PageRoom
from mindpipe.monitoring.page.records import CycleBlock, PageCycle, PageMessage, PagePart

pytestmark = pytest.mark.heavy

FRAME = 100_000
BLOCK = 100


def cycle(number: int, words: str, chance: random.Random) -> PageCycle:
    """Return a cycle of which no figure is that of another."""
    minute = f"2026-{number // 43_200 % 12 + 1:02}-{number // 1_440 % 28 + 1:02}T{number % 24:02}"
    return PageCycle(
        cycle=number,
        state=CycleState.CLOSED,
        outcome=CycleOutcome.DONE,
        began=f"web/jo: {words}"[:300],
        model="program:./answer",
        events=chance.randrange(3),
        input_tokens=chance.randrange(100_000),
        output_tokens=chance.randrange(1_000),
        cost_micros=chance.randrange(100_000),
        milliseconds=chance.randrange(10_000),
        opened=f"{minute}:{chance.randrange(60):02}:{chance.randrange(60):02}Z",
        closed=f"{minute}:{chance.randrange(60):02}:{chance.randrange(60):02}Z",
        sources=("web/jo",),
    )


def life(cycles: int, words: int) -> Iterator[tuple[CycleBlock, tuple[bytes, ...]]]:
    """Yield the cycles of a life in blocks, each with so many words said three times."""
    chance = random.Random(1)
    for first in range(1, cycles + 1, BLOCK):
        span = range(first, min(cycles + 1, first + BLOCK))
        told = {
            one: " ".join(f"tea{chance.randrange(9_999)}" for _ in range(words)) for one in span
        }
        said = tuple(
            PageMessage(
                seq=3 * number + place,
                cycle=number,
                turn=place,
                role="user",
                at="2026-11-21T20:00:00Z",
                parts=(PagePart(type="text", text=f"{place} {told[number]}"),),
            )
            for number in span
            for place in range(3)
        )
        block = CycleBlock(
            cycles=tuple(cycle(number, told[number], chance) for number in span), messages=said
        )
        # Each row of the log has an id that nothing compresses.
        yield block, tuple(b"%016x%b" % (chance.getrandbits(64), to_json(one)) for one in said)


@pytest.mark.parametrize(
    ("cycles", "words"),
    [(10_000, 3), (10_000, 40), pytest.param(100_000, 3, marks=pytest.mark.long)],
)
def test_a_page_keeps_its_bound_however_long_a_life_is(cycles: int, words: int) -> None:
    room = PageRoom(cycles=cycles)
    taken, history = FRAME, zlib.compressobj()
    compressed = 0
    for block, octets in life(cycles, words):
        taken += len(room.of_cycles(block, octets))
        compressed += sum(len(history.compress(piece)) for piece in octets)
    compressed += len(history.flush())
    assert taken <= MOST_BYTES + compressed // 2
