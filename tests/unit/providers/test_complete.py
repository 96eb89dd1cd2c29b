"""One request is asked again while its fault is passing, and every wait has its reason said."""

from collections.abc import Iterator

import msgspec
import pytest

from mindpipe.core.errors import CapReachedError
from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import (
    FaultClass,
    Finish,
    ModelFault,
    ModelReply,
    ModelRequest,
    Target,
    Usage,
)
from mindpipe.core.ports import Preview
from mindpipe.io.chance import make_chance
from mindpipe.providers.completions import Answer, GivenMessage, GivenRequest
from mindpipe.providers.verbs import complete
from support.fakes import FixedClock

GIVEN = GivenRequest(messages=(GivenMessage(role=Role.USER, parts=(TextPart(text="Hello."),)),))
REPLY = ModelReply(parts=(TextPart(text="Hi."),), finish=Finish.END, provider_finish="end")


class Failing:
    """A model that raises what it is given, one after another, and then replies."""

    def __init__(self, *faults: ModelFault) -> None:
        self.target = Target(provider="program", api="program", model="x", family="x")
        self.asked = 0
        self.usage = Usage()
        self._faults: Iterator[ModelFault] = iter(faults)

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Raise the next fault, or reply."""
        del request, preview
        self.asked += 1
        if (fault := next(self._faults, None)) is not None:
            raise fault
        return msgspec.structs.replace(REPLY, usage=self.usage)


def passing() -> ModelFault:
    return ModelFault("the connection broke.", fault=FaultClass.TRANSIENT, wait=20.0)


def asked(model: Failing, said: list[str], **more: object) -> Answer:
    chance = make_chance(1)
    allow = more.get("allow", lambda _: None)
    return complete(model, FixedClock(), chance, given=GIVEN, allow=allow, tell=said.append)


def ask(model: Failing, said: list[str], **more: object) -> str:
    return asked(model, said, **more).text


def test_a_wait_has_its_reason_said() -> None:
    said: list[str] = []
    assert ask(Failing(passing(), passing()), said) == "Hi."
    assert said == [
        "the connection broke. Attempt 2 in 20 s.",
        "the connection broke. Attempt 3 in 20 s.",
    ]


def test_attempts_have_an_end() -> None:
    said: list[str] = []
    with pytest.raises(ModelFault, match=r"the connection broke$"):
        ask(Failing(*[passing() for _ in range(20)]), said)
    assert len(said) == 5


def test_what_will_not_pass_is_raised_at_once() -> None:
    said: list[str] = []
    with pytest.raises(ModelFault):
        ask(Failing(ModelFault("no such model", fault=FaultClass.OUR_ACCOUNT)), said)
    assert said == []


def test_what_may_not_be_sent_is_not() -> None:
    def refuse(_request: ModelRequest) -> None:
        raise CapReachedError("too dear", scope="call")

    model = Failing()
    with pytest.raises(CapReachedError):
        ask(model, [], allow=refuse)
    assert model.asked == 0


@pytest.mark.parametrize(
    ("told", "left", "words"),
    [
        (Usage(input_tokens=9, output_tokens=8192), (9, 8192), []),
        (Usage(input_tokens=9, output_tokens=8193), (9, None), ["output"]),
        (Usage(input_tokens=50_000), (50_000, None), []),
        (Usage(input_tokens=-1, output_tokens=1), (None, 1), ["input"]),
        (Usage(input_tokens=1, output_tokens=-1), (1, None), ["output"]),
        (Usage(input_tokens=2 * 10**6, output_tokens=1), (None, 1), ["input"]),
        (Usage(input_tokens=1, cache_read_tokens=10**30), (None, None), ["input"]),
        (
            Usage(cache_write_tokens=10**30, output_tokens=10**30),
            (None, None),
            ["input and output"],
        ),
    ],
)
def test_reported_tokens_that_cannot_be_count_as_not_reported(
    told: Usage, left: tuple[int | None, int | None], words: list[str]
) -> None:
    said: list[str] = []
    model = Failing()
    model.usage = told
    usage = asked(model, said).usage
    assert (usage.input_tokens, usage.output_tokens) == left
    assert (usage.clamped is True) is bool(words)
    assert [line.partition("more ")[2].partition(" tokens")[0] for line in said] == words
