"""Arguments of calls are a JSON object or the reason why they are none."""

from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import Finish
from mindpipe.providers.stream import read_call, settle
from support.tables import each_row


@each_row(
    ("written", "args"),
    [
        ("{}", {}),
        (' {"a" : [1, 2.50, null]} ', {"a": [1, 2.5, None]}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ('{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_an_object_is_parsed_and_its_text_kept(written: object, args: dict[str, object]) -> None:
    call = read_call(identifier="x", tool="t", written=written)
    assert (call.args, call.invalid) == (args, None)
    assert call.args_text == (written if isinstance(written, str) else '{"a":1}')


@each_row(
    "written",
    [
        "",
        " ",
        "null",
        "[]",
        "7",
        '"{}"',
        '{"path": "/etc/ho',
        '{"a": 1,}',
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        '{"a": ' + "[" * 200 + "]" * 200 + "}",
        '{"a": ' + "9" * 2000 + "}",
        '{"a": "\\ud83d"}',
        '{"a": "\ud83d"}',
    ],
)
def test_anything_else_is_invalid_and_never_mended(written: str) -> None:
    call = read_call(identifier="x", tool="t", written=written)
    assert call.args is None
    assert call.invalid is not None
    assert call.invalid.startswith("json: ")
    assert call.args_text == written.replace("\ud83d", "\ufffd")


@each_row("written", [None, 7, [1], True])
def test_arguments_of_another_type_are_invalid(written: object) -> None:
    assert read_call(identifier="x", tool="t", written=written).args is None


CALL = CallPart(id="1", tool="t", args={}, args_text="{}")
TEXT = TextPart(text="a")


@each_row(
    ("parts", "finish", "expected"),
    [
        ([TEXT], Finish.END, Finish.END),
        ([TEXT], Finish.CALLS, Finish.END),
        ([TEXT, CALL], Finish.END, Finish.CALLS),
        ([CALL], Finish.CALLS, Finish.CALLS),
        ([CALL], Finish.PAUSE, Finish.PAUSE),
    ],
)
def test_parts_and_finish_agree(parts: list, finish: Finish, expected: Finish) -> None:
    assert settle(parts, finish) == (tuple(parts), expected)


@each_row(
    ("finish", "reason"),
    [(Finish.CUT, "cut off"), (Finish.UNKNOWN, "cut off"), (Finish.REFUSAL, "declined")],
)
def test_no_call_of_an_unfinished_reply_may_run(finish: Finish, reason: str) -> None:
    (text, call), kept = settle([TEXT, CALL], finish)
    assert (text, kept) == (TEXT, finish)
    assert call == CallPart(id="1", tool="t", args=None, args_text="{}", invalid=reason)
