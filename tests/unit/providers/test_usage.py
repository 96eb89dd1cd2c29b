"""What is taken of a usage that a reply reports, and what of one that JSON cannot hold."""

import json

from mindpipe.core.models import Usage
from mindpipe.providers.usage import usage_of, with_plain_usage
from support.tables import each_row


@each_row(
    ("reported", "usage"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"input_tokens": 9, "output_tokens": 0}, Usage(input_tokens=9, output_tokens=0)),
        ({"input_tokens": 9.0, "output_tokens": None}, Usage(input_tokens=9)),
        ({"input_tokens": 9, "output_tokens": -1}, Usage(input_tokens=9, clamped=True)),
        ({"input_tokens": "9", "output_tokens": 1}, Usage(output_tokens=1, clamped=True)),
        ({"input_tokens": True, "output_tokens": 1.5}, Usage(clamped=True)),
        ({"input_tokens": [9], "cached": 3}, Usage(clamped=True)),
        ({"input_tokens": 9, "cache": -1}, Usage(input_tokens=9, clamped=True)),
        ([1], Usage(clamped=True)),
        ("many", Usage(clamped=True)),
    ],
)
def test_what_is_no_count_counts_as_not_reported(reported: object, usage: Usage) -> None:
    assert usage_of(reported, cache_read=("cache",)) == usage


@each_row(
    ("written", "left"),
    [
        ('{"usage":{"a":1}}', None),
        ('{"usage":{"a":9007199254740991}}', None),
        ('{"usage":{"a":9007199254740992}}', {"usage": {"a": "9007199254740992"}}),
        ('{"usage":{"a":NaN,"b":[-Infinity]}}', {"usage": {"a": "NaN", "b": ["-Infinity"]}}),
        ('{"usage":1e400,"text":"\\ud800"}', {"usage": "inf", "text": "\ud800"}),
        ('{"message":{"usage":{"a":1e400}}}', {"message": {"usage": {"a": "inf"}}}),
        ('{"response":{"usage":{"a":1,"a":2}}}', {"response": {"usage": {"a": 2}}}),
        ('{"usage":{"a":NaN},"input":NaN}', None),
        ('{"usage":{"a":NaN},"input":{"b":1,"b":2}}', None),
        ('{"usages":{"a":NaN}}', None),
        ('{"input":{"usage":{"a":NaN}}}', None),
        ('{"usage":{"a":NaN}', None),
        ('{"input":{"usage":{"a":99999999999999999999}}}', None),
    ],
)
def test_a_report_that_is_no_json_leaves_the_reply_readable(
    written: str, left: dict[str, object] | None
) -> None:
    plain = with_plain_usage(written.encode())
    assert plain == written.encode() if left is None else json.loads(plain) == left
