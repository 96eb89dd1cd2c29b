"""Summaries through the real SDKs: one call each, and every failure is told in words."""

import http
from collections.abc import Callable

import pytest

from mindpipe.compaction.filter import lives
from mindpipe.compaction.strategies import model as strategy
from mindpipe.compaction.task import CompactionTask, SummaryDraft
from mindpipe.compaction.verbs.writer import TRIES, writer
from mindpipe.core.errors import CapReachedError, UnavailableError
from mindpipe.core.models import ModelRequest, Write
from mindpipe.core.ports import Model
from mindpipe.io.chance import make_chance
from mindpipe.model_access import PriceList, make_tokens, refuse_above
from mindpipe.providers.prices import PRICES
from support.fakes import FixedClock
from support.histories import conversation, said, user
from support.loopback.asking import APIS, model_at
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn

TOKENS = make_tokens("o200k_base")
SUMMARY = """\
## Goal
- [1] Ada wants key_7 kept.
## Decisions
- none
## State
- none
## Open items
- none
## Errors
- none
## Anchors
- [1] key_7
## Lookup hints
- none
"""


def drafted(write: Write) -> SummaryDraft:
    """Return what the strategy makes of a small history."""
    made = conversation(user("Keep key_7, please."), said("I keep key_7."))
    old = lives(made.messages, count=TOKENS.count)
    return strategy.draft(
        CompactionTask(old=old, folded=(), room=2000, inbox="", count=TOKENS.count, write=write)
    )


def write_with(
    make: Callable[[], Model],
    *,
    allow: Callable[[ModelRequest], None] = lambda _: None,
    told: list[str] | None = None,
) -> Write:
    """Return what asks a model, and tells into a list why it waits."""
    tell = (told if told is not None else []).append
    return writer(make, FixedClock(), make_chance(1), allow=allow, tell=tell)


@pytest.mark.parametrize("name", APIS)
def test_one_bounded_call_writes_the_summary(provider: Provider, name: str) -> None:
    provider.answers(Turn(text=SUMMARY))
    made = drafted(write_with(lambda: model_at(provider, name)))
    assert made.fallback is None
    assert [line.text for line in made.lines] == ["Goal: Ada wants key_7 kept.", "Exactly: key_7"]
    (seen,) = provider.requests
    body = seen.json()
    limits = [body[key] for key in body if key.startswith("max_")]
    assert limits == [1600 + 4096]
    assert "> [1 user] Keep key_7, please." in seen.body.decode().replace("\\n", "\n")


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (Turn(text=SUMMARY[:80], finish="cut"), "the model's answer was cut off at its limit"),
        (
            Turn(calls=(Call(id="c1", tool="recall", arguments="{}"),), finish="calls"),
            "the model called a tool",
        ),
        (Turn(text="I will not.", finish="refusal"), "the model refused to answer"),
        (Turn(text="   "), "the model's answer is empty"),
        (Turn(text="It was nice."), "the model's answer has no heading Goal"),
    ],
)
def test_what_is_no_summary_gives_way(provider: Provider, name: str, turn: Turn, why: str) -> None:
    provider.answers(turn)
    made = drafted(write_with(lambda: model_at(provider, name)))
    assert made.strategy == "anchored"
    assert made.fallback is not None
    assert made.fallback.startswith(why)
    assert made.lines


@pytest.mark.parametrize("name", APIS)
def test_a_provider_that_is_down_is_asked_a_few_times_and_gives_way(
    provider: Provider, name: str
) -> None:
    for _ in range(TRIES + 1):
        provider.fails(http.HTTPStatus.SERVICE_UNAVAILABLE)
    told: list[str] = []
    made = drafted(write_with(lambda: model_at(provider, name), told=told))
    assert made.fallback is not None
    assert "503" in made.fallback
    assert len(provider.requests) == TRIES
    assert len(told) == TRIES - 1


def test_nothing_is_sent_that_may_cost_more_than_the_cap(provider: Provider) -> None:
    prices = PriceList(PRICES, TOKENS)

    def allow(request: ModelRequest) -> None:
        refuse_above(1, request, prices, place="the summary")

    made = drafted(write_with(lambda: model_at(provider, APIS[0]), allow=allow))
    assert made.fallback is not None
    assert "the cap per call" in made.fallback
    assert provider.requests == []


@pytest.mark.parametrize(
    "error", [UnavailableError("no key for it."), CapReachedError("too dear.", scope="call")]
)
def test_a_model_that_is_not_there_gives_way(error: Exception) -> None:
    def make() -> Model:
        raise error

    assert drafted(write_with(make)).fallback == str(error).rstrip(".")
