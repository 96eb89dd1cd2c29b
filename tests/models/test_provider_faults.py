"""Every way in which a provider fails, and the class that the failure is given."""

import subprocess
import sys

import pytest

from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Model
from mindpipe.providers.http import CallLimits
from support.loopback.asking import APIS, KEY, asking, model_at, short
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.patience import in_some_span

TRANSIENT, OUR_REQUEST = FaultClass.TRANSIENT, FaultClass.OUR_REQUEST
OUR_ACCOUNT, TOO_LONG = FaultClass.OUR_ACCOUNT, FaultClass.TOO_LONG
LOST_THINKING = FaultClass.LOST_THINKING

TURN = Turn(
    text="I will look.",
    calls=(Call("call_1", "recall", '{"query": "report"}'),),
    finish="calls",
)

every_api = pytest.mark.parametrize("name", APIS)


def fault_of(model: Model, request: ModelRequest | None = None) -> ModelFault:
    """Ask once and return the fault; a reply fails the test."""
    with pytest.raises(ModelFault) as caught:
        model.reply(request or asking(model.target))
    return caught.value


@every_api
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, OUR_REQUEST),
        (401, OUR_ACCOUNT),
        (403, OUR_ACCOUNT),
        (404, OUR_ACCOUNT),
        (408, TRANSIENT),
        (409, TRANSIENT),
        (413, OUR_REQUEST),
        (422, OUR_REQUEST),
        (429, TRANSIENT),
        (500, TRANSIENT),
        (502, TRANSIENT),
        (503, TRANSIENT),
        (504, TRANSIENT),
        (529, TRANSIENT),
    ],
)
def test_a_status_has_its_class_and_is_asked_for_once(
    provider: Provider, name: str, status: int, expected: FaultClass
) -> None:
    provider.fails(status, "No such luck.")
    fault = fault_of(model_at(provider, name))
    assert (fault.fault, fault.http_status, fault.sent) == (expected, status, True)
    assert "No such luck" in str(fault)
    assert not str(fault).endswith(".")
    assert len(provider.requests) == 1


@every_api
@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Sat, 21 Nov 2026 20:01:30 GMT"}, 90.0),
        ({"retry-after": "Sat, 21 Nov 2026 19:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_provider_names_is_told(
    provider: Provider, name: str, headers: dict[str, str], wait: float | None
) -> None:
    provider.fails(429, "Slow down.", headers=headers)
    fault = fault_of(model_at(provider, name))
    assert (fault.fault, fault.wait) == (TRANSIENT, wait)


@pytest.mark.parametrize(
    ("name", "status", "code", "words", "expected"),
    [
        (APIS[0], 400, None, "prompt is too long: 208310 tokens > 200000 maximum", TOO_LONG),
        (APIS[0], 400, None, "input length and `max_tokens` exceed context limit: 1 + 2", TOO_LONG),
        (APIS[1], 400, "context_length_exceeded", "Too much.", TOO_LONG),
        (APIS[1], 400, None, "This model's maximum context length is 4096 tokens.", TOO_LONG),
        (APIS[1], 400, None, "the request exceeds the available context size", TOO_LONG),
        (APIS[1], 429, None, "Request too large for gpt-4o on tokens per min.", TOO_LONG),
        (APIS[1], 400, None, "tools[0].function.name: 'billing desk' is no name", OUR_REQUEST),
        (APIS[2], 400, None, "Your input exceeds the context window of this model.", TOO_LONG),
        (
            APIS[0],
            400,
            None,
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            LOST_THINKING,
        ),
        (
            APIS[0],
            400,
            None,
            "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest "
            "assistant message cannot be modified.",
            LOST_THINKING,
        ),
        (APIS[2], 400, "invalid_encrypted_content", "It could not be verified.", LOST_THINKING),
        (
            APIS[2],
            400,
            None,
            "The encrypted content gAAA... could not be verified.",
            LOST_THINKING,
        ),
        (APIS[0], 400, None, "Your credit balance is too low to access the API.", OUR_ACCOUNT),
        (APIS[0], 429, None, "You have reached your specified API usage limits.", OUR_ACCOUNT),
        (APIS[1], 429, "insufficient_quota", "You exceeded your current quota.", OUR_ACCOUNT),
        (APIS[1], 400, "model_not_found", "The model `gpt-0` does not exist.", OUR_ACCOUNT),
    ],
)
def test_codes_and_words_say_more_than_the_status(
    provider: Provider, name: str, status: int, code: str | None, words: str, expected: FaultClass
) -> None:
    provider.fails(status, words, code=code)
    assert fault_of(model_at(provider, name)).fault is expected


@every_api
@pytest.mark.parametrize(
    ("status", "expected"), [(502, TRANSIENT), (404, OUR_ACCOUNT), (200, TRANSIENT)]
)
def test_a_page_instead_of_json_is_no_reply(
    provider: Provider, name: str, status: int, expected: FaultClass
) -> None:
    provider.shows_page(status)
    fault = fault_of(model_at(provider, name))
    assert fault.fault is expected
    assert f"the provider gave no valid reply (HTTP {status}, text/html)" in str(fault)


@every_api
@pytest.mark.parametrize("octets", [b"", b"null", b"[]", b"{}", b"{", b"\xff\xfe", b"[" * 100_000])
def test_json_that_is_no_reply_is_a_failed_attempt(
    provider: Provider, name: str, octets: bytes
) -> None:
    provider.says(200, octets, "application/json")
    fault = fault_of(model_at(provider, name))
    assert fault.fault is TRANSIENT
    assert "no valid reply" in str(fault)


@every_api
def test_a_redirect_is_not_followed(provider: Provider, name: str) -> None:
    provider.says(307, b"", "text/plain", Location=f"{provider.openai_url}/elsewhere")
    assert fault_of(model_at(provider, name)).fault is OUR_ACCOUNT
    assert len(provider.requests) == 1


@every_api
def test_an_endless_error_body_is_cut(provider: Provider, name: str) -> None:
    provider.floods(500, mebibytes=50)
    fault = fault_of(model_at(provider, name))
    assert (fault.fault, fault.http_status) == (TRANSIENT, 500)
    assert provider.flooded < 25


@every_api
@pytest.mark.parametrize("media_type", ["application/json", "text/event-stream"])
def test_an_endless_reply_is_cut(provider: Provider, name: str, media_type: str) -> None:
    provider.floods(200, mebibytes=50, media_type=media_type)
    limits = CallLimits(reply_bytes=2 << 20)
    fault = fault_of(model_at(provider, name, limits=limits))
    assert fault.fault is TRANSIENT
    assert "longer than 2097152 bytes" in str(fault)
    assert provider.flooded < 25


@every_api
@pytest.mark.parametrize("status", [200, 500])
def test_a_compressed_bomb_is_cut_after_decompression(
    provider: Provider, name: str, status: int
) -> None:
    provider.bombs(status, mebibytes=24)
    limits = CallLimits(reply_bytes=4 << 20)
    assert fault_of(model_at(provider, name, limits=limits)).fault is TRANSIENT


@every_api
def test_broken_compression_is_no_reply(provider: Provider, name: str) -> None:
    provider.says(200, b"not gzip at all", "application/json", Content_Encoding="gzip")
    assert fault_of(model_at(provider, name)).fault is TRANSIENT


@every_api
@pytest.mark.parametrize("how", ["streamed", "whole"])
def test_silence_ends_in_a_time_out(provider: Provider, name: str, how: str) -> None:
    def shows(seconds: float) -> None:
        provider.hangs()
        before = len(provider.requests)
        model = model_at(provider, name, limits=short(seconds))
        request = asking(model.target, stream=how == "streamed", seconds=seconds)
        fault = fault_of(model, request)
        assert (fault.fault, fault.sent) == (TRANSIENT, True)
        assert "too slow" in str(fault)
        assert len(provider.requests) == before + 1

    in_some_span(shows)


@every_api
def test_a_stream_that_stalls_ends_in_a_time_out(provider: Provider, name: str) -> None:
    provider.stalls(TURN, at=200)
    model = model_at(provider, name, limits=CallLimits(first_byte=600.0, between_events=0.2))
    fault = fault_of(model, asking(model.target, seconds=600.0))
    assert fault.fault is TRANSIENT
    assert "too slow" in str(fault)


@every_api
def test_the_time_of_the_whole_call_bounds_a_stream(provider: Provider, name: str) -> None:
    def shows(seconds: float) -> None:
        provider.stalls(TURN, at=200)
        model = model_at(provider, name)
        fault = fault_of(model, asking(model.target, seconds=seconds))
        assert fault.fault is TRANSIENT
        assert "too slow" in str(fault)

    in_some_span(shows)


@every_api
@pytest.mark.parametrize(
    ("octets", "words"), [(b": here\n\n", "whole call"), (b"data: x", "no event within")]
)
def test_signs_of_life_alone_do_not_keep_a_call_open(
    provider: Provider, name: str, octets: bytes, words: str
) -> None:
    def shows(seconds: float) -> None:
        provider.babbles(octets)
        model = model_at(provider, name, limits=short(seconds))
        fault = fault_of(model, asking(model.target, seconds=2 * seconds))
        assert fault.fault is TRANSIENT
        assert words in str(fault)

    in_some_span(shows)


@every_api
def test_an_error_whose_body_never_ends_has_the_class_of_its_status(
    provider: Provider, name: str
) -> None:
    def shows(seconds: float) -> None:
        provider.babbles(b" ", status=401)
        model = model_at(provider, name, limits=short(seconds))
        assert fault_of(model, asking(model.target, seconds=seconds)).fault is OUR_ACCOUNT

    in_some_span(shows)


@every_api
@pytest.mark.parametrize("how", ["torn", "ended"])
def test_a_stream_cut_at_any_event_is_no_reply(provider: Provider, name: str, how: str) -> None:
    model = model_at(provider, name)
    whole = b"".join(_events(name))
    borders = [place for place in range(len(whole)) if whole[:place].endswith(b"\n\n")]
    assert len(borders) > 5
    for border in [0, *borders]:
        provider.cuts(TURN, at=border, torn=how == "torn")
        assert fault_of(model).fault is TRANSIENT
    provider.answers(TURN)
    assert isinstance(model.reply(asking(model.target)), ModelReply)


def _events(name: str) -> list[bytes]:
    """Return the events with which the provider streams TURN."""
    from support.loopback import wire_anthropic, wire_chat, wire_responses

    wire = {APIS[0]: wire_anthropic, APIS[1]: wire_chat, APIS[2]: wire_responses}[name]
    return wire.events(TURN, name.partition("/")[2])


@every_api
@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", TRANSIENT),
        ("server_error", TRANSIENT),
        ("something_new", TRANSIENT),
        ("invalid_request_error", OUR_REQUEST),
        ("context_length_exceeded", TOO_LONG),
    ],
)
def test_an_error_inside_a_stream_has_its_class(
    provider: Provider, name: str, after: int, kind: str, expected: FaultClass
) -> None:
    provider.breaks(TURN, after=after, kind=kind, message="Not now.")
    fault = fault_of(model_at(provider, name))
    assert (fault.fault, fault.http_status) == (expected, 200)
    assert "Not now" in str(fault)
    assert not str(fault).endswith(".")


@every_api
def test_nobody_listening_means_nothing_was_sent(provider: Provider, name: str) -> None:
    model = model_at(provider, name, base_url="http://ada:secret@127.0.0.1:9/v1?key=secret")
    fault = fault_of(model)
    assert (fault.fault, fault.sent) == (TRANSIENT, False)
    assert "cannot be reached at http://127.0.0.1:9; check" in str(fault)
    assert "secret" not in str(fault)


@every_api
@pytest.mark.parametrize("address", ["ftp://127.0.0.1/v1", "http://", "no address"])
def test_an_address_that_is_none_is_ours_to_mend(
    provider: Provider, name: str, address: str
) -> None:
    fault = fault_of(model_at(provider, name, base_url=address))
    assert (fault.fault, fault.sent) == (OUR_ACCOUNT, False)


@every_api
def test_a_key_never_stands_in_an_error(provider: Provider, name: str) -> None:
    provider.fails(401, f"Incorrect API key provided: {KEY}. Header: Authorization: Bearer {KEY}")
    fault = fault_of(model_at(provider, name))
    assert fault.fault is OUR_ACCOUNT
    assert "Incorrect API key provided" in str(fault)
    assert KEY not in _everything(fault)


@every_api
@pytest.mark.parametrize(
    "key", ["opaque-secret-of-a-server", "two\nlines-of-secret", "größe-geheim"]
)
def test_a_key_of_any_shape_never_stands_in_an_error(
    provider: Provider, name: str, key: str
) -> None:
    provider.fails(401, f"I do not know {key}.")
    assert key not in _everything(fault_of(model_at(provider, name, api_key=key)))


def _everything(fault: BaseException) -> str:
    """Return the text of a fault and of all that it was raised from."""
    told = ""
    cause: BaseException | None = fault
    while cause is not None:
        told += f"{cause!r} {cause}"
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return told


def test_importing_the_adapters_imports_no_sdk() -> None:
    apis = "anthropic openai_chat openai_responses program"
    modules = [f"{api}.client" for api in apis.split()] + ["replay", "tokens", "prices", "http"]
    lines = [f"import mindpipe.providers.{module}" for module in modules]
    lines.append("import sys")
    heavy = "{'anthropic', 'openai', 'httpx2', 'httpx', 'tiktoken', 'rs_bpe', 'numpy', 'asyncio'}"
    lines.append(f"print(sorted({heavy} & set(sys.modules)))")
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, check=True, text=True
    )
    assert ran.stdout == "[]\n"
