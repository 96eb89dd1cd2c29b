"""Recorded streams, cut wherever a connection can break."""

import random
import re
from collections.abc import Iterator

import pytest

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.providers.anthropic import reply
from mindpipe.providers.openai_responses import reply as openai_responses
from mindpipe.providers.stream import Assembler, EventReader
from support.development_data import CASSETTES, Exchange, exchanges
from support.loopback.asking import APIS, asking, model_at
from support.loopback.provider import Provider, running

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not CASSETTES.is_dir(), reason=f"no development data at {CASSETTES}"),
]

STREAMS = [one for one in exchanges() if one.streamed]
RANDOM_CUTS = 200
ARGUMENTS = re.compile(rb"input_json_delta|_call_arguments\.delta")

every_stream = pytest.mark.parametrize("stream", STREAMS, ids=[one.name for one in STREAMS])


def borders(stream: Exchange) -> list[int]:
    """Return where events end, the last one left out."""
    return [found.end() for found in re.finditer(rb"\n\n", stream.octets)][:-1]


def refused(assembler: Assembler) -> None:
    """Fail the test if what was fed so far is taken for a reply."""
    assert not assembler.ended
    for asked in (assembler.result, assembler.reply):
        with pytest.raises(ModelFault) as caught:
            asked()
        assert caught.value.fault is FaultClass.TRANSIENT


def cut_at(stream: Exchange, places: list[int]) -> Assembler:
    """Feed a stream and look at every place; return the assembler when all of it is fed."""
    reader, assembler = EventReader(), stream.reader.Assembler()
    before = 0
    for place in [*sorted(set(places)), len(stream.octets)]:
        for event in reader.feed(stream.octets[before:place]):
            assembler.feed(event)
        before = place
        if place < len(stream.octets):
            refused(assembler)
    return assembler


def test_the_recorded_streams_are_there() -> None:
    assert len(STREAMS) == 13
    with_arguments = [one for one in STREAMS if ARGUMENTS.search(one.octets)]
    assert len(with_arguments) >= 5


@every_stream
def test_a_stream_cut_at_any_event_border_is_no_reply(stream: Exchange) -> None:
    assert cut_at(stream, borders(stream)).reply().parts


@every_stream
def test_a_stream_cut_at_random_bytes_is_no_reply(stream: Exchange) -> None:
    chance = random.Random(stream.name)
    places = [chance.randrange(len(stream.octets) - 1) for _ in range(RANDOM_CUTS)]
    inside = [found.start() + 1 for found in ARGUMENTS.finditer(stream.octets)]
    assert cut_at(stream, places + inside).reply().parts


@pytest.mark.long
@every_stream
def test_a_stream_cut_at_any_byte_is_no_reply(stream: Exchange) -> None:
    assert cut_at(stream, list(range(len(stream.octets) - 1))).reply().parts


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running() as made:
        yield made


@every_stream
def test_the_adapter_reads_a_stream_as_its_assembler_does(
    provider: Provider, stream: Exchange
) -> None:
    names = {reply: APIS[0], openai_responses: APIS[2]}
    provider.says(200, stream.octets, "text/event-stream; charset=utf-8")
    model = model_at(provider, names[stream.reader])
    assert model.reply(asking(model.target)) == cut_at(stream, []).reply()
