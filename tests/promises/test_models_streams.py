"""Promise 24: a stream that is cut anywhere leaves nothing behind, whichever API it is of."""

import contextlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

from mindpipe.core.errors import MindError
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.io.clock import make_clock
from mindpipe.providers.anthropic.client import AnthropicMessages
from mindpipe.providers.http import LIMITS, Exchange
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.openai_chat.client import OpenAIChat
from mindpipe.providers.openai_responses.client import OpenAIResponses
from red import cut_streams_mended
from support.broken_builds import broken
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.asking import asking, model_at
from support.loopback.life import EVERY, OnlineLife
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.proofs import proved, turned_red
from support.validation import faults_of

KINDS = {
    EVERY[0]: (wire_anthropic, AnthropicMessages),
    EVERY[1]: (wire_chat, OpenAIChat),
    EVERY[2]: (wire_responses, OpenAIResponses),
}
WORKING = Turn(
    text="I will look.",
    thinking="Where is it? 😀",
    calls=(
        Call("call_1", "pure", '{"query": "the report"}'),
        Call("call_2", "unsafe", '{"query" :"Größe 😀", "deep": {"a": [1, 2]}}'),
    ),
    finish="calls",
)
DONE = Turn(text="It is done.")
# One less than the failures in a row after which the provider is left alone.
CUTS_IN_A_CYCLE = 4
RANDOM_CUTS, LIVED_CUTS = 200, 40
# The longer a history, the longer each request.
CUTS_IN_A_LIFE = 40


class Cut(NamedTuple):
    """How many bytes of a stream come, and whether the connection breaks there or just ends."""

    at: int
    torn: bool


def octets_of(name: str, turn: Turn) -> list[bytes]:
    """Return the events of a streamed turn."""
    return KINDS[name][0].events(turn, name.partition("/")[2])


def borders(name: str) -> list[int]:
    """Return where each event of the working turn begins."""
    events = octets_of(name, WORKING)
    return [sum(map(len, events[:number])) for number in range(len(events))]


def inside_arguments(name: str, cuts: Sequence[Cut]) -> int:
    """Return how many cuts lie between the first and the last byte of a call's arguments."""
    whole = b"".join(octets_of(name, WORKING))
    first, last = whole.index(b"the re"), whole.rindex(b"[1, 2]")
    return sum(first < cut.at < last for cut in cuts)


@dataclass
class CutStreams:
    """A model whose answers are cut streams, as many as there are, then a whole one.

    They are read as those of a server are, without the server.
    """

    name: str
    cuts: list[Cut]

    @property
    def target(self) -> Target:
        """Return what requests are written for."""
        return target_of(parse_model_name(self.name))

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Read the next stream."""
        exchange = Exchange(KINDS[self.name][1].form, clock=make_clock(None), limits=LIMITS)
        cut = self.cuts.pop() if self.cuts else None
        octets = b"".join(octets_of(self.name, WORKING if cut else DONE))

        def body() -> Iterator[bytes]:
            yield octets[: cut.at] if cut else octets
            if cut is not None and cut.torn:
                raise httpx2.ReadError("the connection is gone")

        def send(*_: object) -> httpx2.Response:
            headers = {"content-type": "text/event-stream"}
            return httpx2.Response(200, headers=headers, content=body())

        return exchange.reply(send, request, preview)


def live(life: OnlineLife, name: str, cuts: Sequence[Cut]) -> int:
    """Live cycles in each of which four streams are cut before one comes whole; return how many."""
    left, cycles = list(cuts), 0
    while left:
        model = CutStreams(name, left[:CUTS_IN_A_CYCLE])
        del left[:CUTS_IN_A_CYCLE]
        life.push("Find it.")
        life.think(model)
        cycles += 1
    return cycles


def partial(life: OnlineLife) -> int:
    """Return how many messages hold anything of a stream that was cut."""
    found = "SELECT count(*) FROM message WHERE parts LIKE '%I will%' OR parts LIKE '%\"call\"%'"
    return int(str(life.value(found)))


def cuts_of(name: str, *, everywhere: bool) -> list[Cut]:
    """Return cuts at each border of an event and at random bytes, or at every byte."""
    chance = random.Random(24)
    length = len(b"".join(octets_of(name, WORKING)))
    places = [*borders(name), *(chance.randrange(length) for _ in range(RANDOM_CUTS))]
    return [Cut(at, chance.random() < 0.5) for at in (range(length) if everywhere else places)]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_stream_cut_anywhere_is_no_reply(name: str, *, everywhere: bool) -> None:
    cuts = cuts_of(name, everywhere=everywhere)
    for cut in cuts:
        model = CutStreams(name, [cut])
        with pytest.raises(ModelFault) as caught:
            model.reply(asking(model.target))
        assert caught.value.fault is FaultClass.TRANSIENT
    inside = inside_arguments(name, cuts)
    assert inside >= 10
    proved(24, cuts=len(cuts), inside_arguments=inside)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_cycle_whose_streams_are_cut_keeps_nothing_of_them(
    tmp_path: Path, name: str, *, everywhere: bool
) -> None:
    cuts = cuts_of(name, everywhere=everywhere)
    if not everywhere:
        cuts = random.Random(24).sample(cuts, LIVED_CUTS)
    for number in range(0, len(cuts), CUTS_IN_A_LIFE):
        life, some = OnlineLife(tmp_path / f"life-{number}"), cuts[number:][:CUTS_IN_A_LIFE]
        cycles = live(life, name, some)
        assert life.sink.runs == []
        assert life.value("SELECT count(*) FROM call") == 0
        assert partial(life) == 0
        states = dict(life.rows("SELECT state, count(*) FROM ledger GROUP BY state"))
        assert states == {"lost": len(some), "settled": cycles}
        assert life.value("SELECT count(*) FROM message WHERE role = 'assistant'") == cycles
        assert faults_of(life.where) == []
    inside = inside_arguments(name, cuts)
    assert inside >= 3
    proved(24, lived_cuts=len(cuts), inside_arguments=inside, tools_run=0, partial_messages=0)


@pytest.mark.parametrize("name", EVERY)
def test_a_build_that_mends_cut_arguments_runs_a_tool(tmp_path: Path, name: str) -> None:
    life = OnlineLife(tmp_path / "life")
    # What it says then need not be fit to be sent again.
    with broken(cut_streams_mended.PATCHES), contextlib.suppress(MindError):
        live(life, name, [Cut(at, torn=False) for at in borders(name)[3:]])
    assert life.sink.runs != []
    assert partial(life) > 0
    turned_red(24, "cut_streams_mended", tools_run=len(life.sink.runs))


@pytest.mark.parametrize("name", EVERY)
def test_a_connection_that_a_server_breaks_is_read_the_same(
    tmp_path: Path, provider: Provider, name: str
) -> None:
    life = OnlineLife(tmp_path / "life")
    chance = random.Random(24)
    cuts = chance.sample(cuts_of(name, everywhere=False), CUTS_IN_A_CYCLE)
    for cut in cuts:
        provider.cuts(WORKING, at=cut.at, torn=cut.torn)
    life.push("Find it.")
    assert life.think(model_at(provider, name)).outcome == "done"
    assert len(provider.requests) == len(cuts) + 1
    assert (life.sink.runs, partial(life)) == ([], 0)
