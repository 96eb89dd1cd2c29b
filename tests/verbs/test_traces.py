"""Cycles as OpenTelemetry spans: what the official types read, and what a receiver is sent."""

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mindpipe.monitoring.collector import HEADERS, address_of
from mindpipe.monitoring.spans import CONVENTIONS, SCHEMA_URL
from support.command import Mind, make_private

SECRET = "the lamp is amber"
ANSWER = f"""#!/bin/sh
end=$(tail -c 4000)
case "${{end##*'"role":"'}}" in
tool*) echo '{{"text":"Done: {SECRET}."}}' ;;
*) echo '{{"tool_calls":[{{"name":"look","arguments":{{"q":"{SECRET}"}}}},
 {{"name":"pay","arguments":{{"q":"{SECRET}"}}}},{{"name":"nope","arguments":{{}}}}]}}' ;;
esac
"""


@pytest.fixture
def lived(mind: Mind, life: Path) -> Mind:
    """Return an agent with a cycle of three tool calls, one that failed, and an imported one."""
    return mind.like(life)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of such a life, to be copied."""
    mind = Mind(make_private(tmp_path_factory.mktemp("traced") / "life"))
    ran = mind.shell(
        f"""
cat >answer <<'END'
{ANSWER}END
printf '#!/bin/sh\\necho "{SECRET}"\\n' >look
printf '#!/bin/sh\\nexit 1\\n' >broken
chmod 700 answer look broken
echo '{{"name":"look","description":"Look.","command":["./look"],"effect":"pure"}}' >look.json
echo '{{"name":"pay","description":"Pay.","command":["./look"],"effect":"unsafe",
 "approval":"always"}}' | tr -d '\\n' >pay.json
mind init
mind agent new ava --model program:./answer --tool look.json --tool pay.json
mind inbox push --agent ava --text '{SECRET}?'
mind think --agent ava
mind inbox push --agent ava --text again
mind think --agent ava --model program:./broken || test $? = 75
echo '[{{"role":"user","content":"Hi"}},{{"role":"assistant","content":"Hello."}}]' |
 mind history import --agent ava --format openai-chat -
"""
    )
    assert ran.status == 0, ran.words
    return mind.folder


def with_octets(value: object) -> object:
    """Return OTLP's JSON as protobuf's: it writes ids in base64, OTLP in hexadecimal."""
    match value:
        case dict():
            return {
                name: base64.b64encode(bytes.fromhex(one)).decode()
                if name in {"traceId", "spanId", "parentSpanId"}
                else with_octets(one)
                for name, one in value.items()
            }
        case list():
            return [with_octets(one) for one in value]
    return value


def with_hexadecimal(value: object) -> object:
    """Return protobuf's JSON as OTLP's."""
    match value:
        case dict():
            return {
                name: base64.b64decode(one).hex()
                if name in {"traceId", "spanId", "parentSpanId"}
                else with_hexadecimal(one)
                for name, one in value.items()
            }
        case list():
            return [with_hexadecimal(one) for one in value]
    return value


def requests_of(lines: bytes) -> list[ExportTraceServiceRequest]:
    """Return lines as the official types read them; an unknown field or type is refused."""
    return [
        json_format.ParseDict(with_octets(json.loads(line)), ExportTraceServiceRequest())
        for line in lines.splitlines()
    ]


def spans_of(request: ExportTraceServiceRequest) -> list[Span]:
    """Return all spans of a request."""
    return [
        span
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def plain(value: AnyValue) -> object:
    """Return the value of an attribute."""
    match value.WhichOneof("value"):
        case "array_value":
            return [plain(one) for one in value.array_value.values]
        case str(name):
            found: object = getattr(value, name)
            return found
    return None


def about(span: Span) -> dict[str, object]:
    """Return the attributes of a span."""
    return {one.key: plain(one.value) for one in span.attributes}


def lasted(span: Span) -> float:
    """Return how many milliseconds a span lasts."""
    return (span.end_time_unix_nano - span.start_time_unix_nano) / 1e6


@pytest.mark.heavy
def test_the_official_types_read_every_line_and_write_it_the_same(lived: Mind) -> None:
    for options in ((), ("--content",)):
        lines = lived("trace", "export", "--agent", "ava", *options).stdout
        requests = requests_of(lines)
        assert len(requests) == 3
        for line, request in zip(lines.splitlines(), requests, strict=True):
            again = json_format.MessageToDict(request, use_integers_for_enums=True)
            assert with_hexadecimal(again) == json.loads(line)


def test_spans_are_named_and_joined_as_the_conventions_ask(lived: Mind) -> None:
    thought, failed, imported = requests_of(lived("trace", "export", "--agent", "ava").stdout)
    assert {one.schema_url for one in thought.resource_spans} == {SCHEMA_URL}
    assert thought.resource_spans[0].scope_spans[0].schema_url == SCHEMA_URL
    assert CONVENTIONS in SCHEMA_URL
    root, *rest = spans_of(thought)
    model = lived("agent", "show", "ava").record()["model"].removeprefix("program:")
    assert [one.name for one in (root, *rest)] == [
        "invoke_agent ava",
        f"chat {model}",
        f"chat {model}",
        "execute_tool look",
        "execute_tool pay",
        "execute_tool nope",
    ]
    kinds = [Span.SPAN_KIND_INTERNAL] + 2 * [Span.SPAN_KIND_CLIENT] + 3 * [Span.SPAN_KIND_INTERNAL]
    assert [one.kind for one in (root, *rest)] == kinds
    assert not root.parent_span_id
    assert {one.parent_span_id for one in rest} == {root.span_id}
    assert {one.trace_id for one in rest} == {root.trace_id}
    assert len({one.span_id for one in (root, *rest)}) == 6
    assert {len(root.trace_id), len(root.span_id)} == {16, 8}
    for one in rest:
        assert root.start_time_unix_nano <= one.start_time_unix_nano <= one.end_time_unix_nano
        assert one.end_time_unix_nano <= root.end_time_unix_nano
    (asked, _, look, pay, nope) = map(about, rest)
    assert asked["gen_ai.operation.name"] == "chat"
    assert asked["gen_ai.provider.name"] == "program"
    assert asked["gen_ai.request.model"] == model
    entry = lived("store", "export", "ledger").records()[0]
    assert asked["gen_ai.usage.input_tokens"] == entry["input_tokens"] > 0
    assert asked["gen_ai.usage.output_tokens"] == entry["output_tokens"] > 0
    assert asked["mindpipe.cost.micros"] == entry["micros"]
    assert [one["mindpipe.tool.status"] for one in (look, pay, nope)] == [
        "ok",
        "ticketed",
        "invalid",
    ]
    ticket = lived("ticket", "list").record()["id"]
    assert pay["mindpipe.ticket.id"] == ticket
    assert about(root)["mindpipe.tickets"] == [ticket]
    assert nope["error.type"] == "invalid"
    assert [one.status.code for one in rest[2:]] == [0, 0, Status.STATUS_CODE_ERROR]
    whole, lost = spans_of(failed)
    assert {one.status.code for one in (whole, lost)} == {Status.STATUS_CODE_ERROR}
    assert whole.status.message.startswith("the program broken failed")
    assert about(lost)["error.type"] == "abandoned"
    assert about(lost)["mindpipe.cost.state"] == "lost"
    assert [one.name.split()[0] for one in spans_of(imported)] == ["invoke_agent", "chat"]
    assert len({spans_of(one)[0].trace_id for one in (thought, failed, imported)}) == 3


def test_spans_last_as_long_as_was_measured(lived: Mind) -> None:
    (thought, *_) = requests_of(lived("trace", "export", "--agent", "ava").stdout)
    root, first, second, look, pay, nope = spans_of(thought)
    cycle = lived("store", "export", "cycle").records()[0]
    turns = lived("store", "export", "turn").records()[:2]
    answers = [json.loads(str(turn["answer"])) for turn in turns]
    assert lasted(root) == cycle["milliseconds"] > 0
    assert [lasted(one) for one in (first, second)] == [one["milliseconds"] for one in answers]
    assert lasted(first) > 0
    apart = float(turns[1]["first_seconds"]) - float(turns[0]["first_seconds"])
    assert second.start_time_unix_nano - first.start_time_unix_nano == round(apart * 1000) * 10**6
    assert look.end_time_unix_nano <= second.start_time_unix_nano
    assert [lasted(one) for one in (pay, nope)] == [0, 0], "neither was run"


ABREAST = """#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Done."}' ;;
*) echo '{"tool_calls":[{"name":"hear","arguments":{}},{"name":"tell","arguments":{}}]}' ;;
esac
"""


def test_calls_side_by_side_each_last_as_long_as_their_own_work(mind: Mind) -> None:
    # Neither opens its end of the pipe before the other does.
    pipe = mind.folder / "pipe"
    os.mkfifo(pipe)
    hear, tell = (f"#!/bin/sh\n{words} '{pipe}'\n" for words in ("read it <", "echo it >"))
    for name, body in {"answer": ABREAST, "hear": hear, "tell": tell}.items():
        (mind.folder / name).write_text(body)
        (mind.folder / name).chmod(0o700)
    mind("init", "--agent", "ava")
    for name in ("hear", "tell"):
        manifest = {
            "name": name,
            "description": "It.",
            "command": [f"./{name}"],
            "effect": "pure",
        }
        (mind.folder / f"{name}.json").write_text(json.dumps(manifest))
    tools = ("--tool", "hear.json", "--tool", "tell.json")
    mind("agent", "set", "ava", "--model", "program:./answer", *tools)
    mind("inbox", "push", "--agent", "ava", "--text", "Hello.")
    mind("think", "--agent", "ava")
    calls = sorted(mind("store", "export", "call").records(), key=lambda one: str(one["tool"]))
    times = [json.loads(str(call["took"])) for call in calls]
    first = float(mind("store", "export", "turn").records()[0]["first_seconds"])
    (thought,) = requests_of(mind("trace", "export", "--agent", "ava").stdout)
    root, *_, heard, told = spans_of(thought)
    for span, took in zip((heard, told), times, strict=True):
        for at, measured in (
            (span.start_time_unix_nano, took["began"]),
            (span.end_time_unix_nano, took["ended"]),
        ):
            assert (at - root.start_time_unix_nano) / 1e6 == round((measured - first) * 1000)
    assert max(one["began"] for one in times) < min(one["ended"] for one in times)
    assert times[0] != times[1]


def test_what_was_said_travels_only_on_request(lived: Mind) -> None:
    assert SECRET.encode() not in lived("trace", "export", "--agent", "ava").stdout
    told = requests_of(lived("trace", "export", "--agent", "ava", "--content").stdout)
    root, first, second, look, *_ = map(about, spans_of(told[0]))
    assert SECRET in str(root["gen_ai.input.messages"])
    assert json.loads(str(root["gen_ai.system_instructions"]))[0]["type"] == "text"
    (said,) = json.loads(str(root["gen_ai.output.messages"]))
    assert said == {
        "role": "assistant",
        "parts": [{"type": "text", "content": f"Done: {SECRET}."}],
        "finish_reason": "stop",
    }
    (called,) = json.loads(str(first["gen_ai.output.messages"]))
    assert called["parts"][0]["type"] == "tool_call"
    assert called["parts"][0]["arguments"] == {"q": SECRET}
    assert called["finish_reason"] == "tool_call"
    heard = json.loads(str(second["gen_ai.input.messages"]))
    assert heard[-1]["role"] == "tool"
    assert heard[-1]["parts"][0]["response"] == f"{SECRET}\n"
    assert json.loads(str(look["gen_ai.tool.call.arguments"])) == {"q": SECRET}
    assert look["gen_ai.tool.call.result"] == f"{SECRET}\n"


def test_a_second_export_is_the_same_whatever_became_of_tickets(lived: Mind) -> None:
    before = lived("trace", "export", "--agent", "ava", "--content").stdout
    ticket = lived("ticket", "list").record()
    lived("ticket", "deny", ticket["id"], "--by", "husam")
    lived("agent", "set", "ava", "--name", "Ava the Second")
    lived("inbox", "push", "--agent", "ava", "--text", "more")
    lived("think", "--agent", "ava")
    after = lived("trace", "export", "--agent", "ava", "--content").stdout
    assert after.startswith(before)
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    last = lived("trace", "export", "--agent", "ava", "--content", "--after", "3").stdout
    assert after == before + last
    ended = lived.run("trace", "export", "--agent", "ava", "--after", "4")
    assert (ended.status, ended.stdout) == (0, b"")


def test_an_open_cycle_waits_for_its_end(lived: Mind) -> None:
    lived("inbox", "push", "--agent", "ava", "--text", "more")
    lived.run("think", "--agent", "ava", environment=lived.failing("reserve.after_commit:kill"))
    assert len(lived("history", "cycles", "--agent", "ava").records()) == 4
    assert len(lived("trace", "export", "--agent", "ava").stdout.splitlines()) == 3


@pytest.fixture
def receiver() -> Iterator[HTTPServer]:
    """Yield a server on the loopback."""
    with HTTPServer(host="127.0.0.1", port=0) as server:
        yield server


@pytest.mark.heavy
def test_a_receiver_is_sent_the_same_lines(lived: Mind, receiver: HTTPServer) -> None:
    taken: list[bytes] = []

    def take(request: Request) -> Response:
        assert request.headers["content-type"] == "application/json"
        assert request.headers["x-key"] == "a b"
        taken.append(request.get_data())
        answer = json_format.MessageToJson(ExportTraceServiceResponse())
        return Response(answer, content_type="application/json")

    receiver.expect_request("/v1/traces", method="POST").respond_with_handler(take)
    sent = lived.run(
        *("trace", "export", "--agent", "ava", "--endpoint", receiver.url_for("/")),
        environment={HEADERS: "X-Key=a%20b"},
    )
    receiver.check_assertions()
    assert sent.status == 0, sent.words
    lines = lived("trace", "export", "--agent", "ava").stdout
    assert taken == lines.splitlines()
    assert sent.record() == {
        "endpoint": receiver.url_for("/v1/traces"),
        "cycles": 3,
        "spans": sum(len(spans_of(one)) for one in requests_of(lines)),
        "last": 3,
    }


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("status", "body", "ends", "words"),
    [
        (503, "", 75, "asks to be sent cycle 1 later (503)"),
        (400, "no such tenant\nmore", 1, "refused cycle 1 (400: no such tenant)"),
        (302, "", 1, "refused cycle 1 (302)"),
        (
            200,
            '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}',
            1,
            "left out 2 spans of cycle 1: too old",
        ),
    ],
)
def test_what_a_receiver_does_not_take_is_said(
    lived: Mind, receiver: HTTPServer, status: int, body: str, ends: int, words: str
) -> None:
    receiver.expect_request("/otlp").respond_with_data(body, status=status)
    at = receiver.url_for("/otlp")
    ran = lived.run("trace", "export", "--agent", "ava", "--endpoint", at)
    assert (ran.status, ran.stdout) == (ends, b"")
    assert ran.words.startswith(f"mind trace export: {receiver.url_for('').rstrip('/')} {words}")


@pytest.mark.heavy
def test_one_goes_on_where_a_receiver_stopped(lived: Mind, receiver: HTTPServer) -> None:
    receiver.expect_ordered_request("/v1/traces").respond_with_data("{}")
    receiver.expect_ordered_request("/v1/traces").respond_with_data("", status=429)
    ran = lived.run("trace", "export", "--agent", "ava", "--endpoint", receiver.url_for(""))
    assert ran.status == 75
    assert "cycle 2 later (429). It took all before; go on with --after 1." in ran.words


@pytest.mark.heavy
def test_who_cannot_be_reached_is_named(lived: Mind, receiver: HTTPServer) -> None:
    at = f"http://127.0.0.1:{receiver.port}"
    receiver.stop()
    secret = f"http://ada:secret@127.0.0.1:{receiver.port}/v1/traces?key=secret"
    ran = lived.run("trace", "export", "--agent", "ava", "--endpoint", secret)
    assert ran.status == 69
    assert ran.words.startswith(f"mind trace export: {at} cannot be sent to: ")
    assert "secret" not in ran.words
    for wrong in ("127.0.0.1:4318", "ftp://here", "http://", "http://h:99999"):
        ran = lived.run("trace", "export", "--agent", "ava", "--endpoint", wrong)
        assert (ran.status, ran.stdout) == (2, b""), wrong
        assert f'"{wrong}" is no address of HTTP' in ran.words


def test_only_an_address_without_a_path_gets_one() -> None:
    assert address_of("http://h:4318") == "http://h:4318/v1/traces"
    assert address_of("https://h/") == "https://h/v1/traces"
    assert address_of("https://h/api/otel/v1/traces") == "https://h/api/otel/v1/traces"


def test_one_who_follows_is_told_of_each_cycle_as_it_ends(lived: Mind) -> None:
    known = lived("trace", "export", "--agent", "ava").stdout.splitlines()
    with lived.start("trace", "export", "--agent", "ava", "--follow") as following:
        assert following.stdout is not None
        try:
            assert [following.stdout.readline().rstrip(b"\n") for _ in known] == known
            lived("inbox", "push", "--agent", "ava", "--text", "More?")
            lived("think", "--agent", "ava")
            new = following.stdout.readline().rstrip(b"\n")
        finally:
            following.kill()
    after = ("trace", "export", "--agent", "ava", "--after", str(len(known)))
    assert lived(*after).stdout.splitlines() == [new]
    ended = lived(*after, "--follow", "--timeout", "0").stdout.splitlines()
    assert ended == [new]
    assert lived.run(*after, "--timeout", "1").status == 2
