"""The one door for secrets."""

import json

from mindpipe.core.redaction import redact
from support.tables import each_row


@each_row(
    ("text", "expected"),
    [
        ("key sk-ant-api03-AbC_d-9 end", "key [redacted] end"),
        ("sk-proj-abcd", "[redacted]"),
        ("Incorrect API key provided: sk-abc1****wxyz.", "Incorrect API key provided: [redacted]."),
        ("Authorization: Bearer abcdef123456", "Authorization: [redacted]"),
        ("authorization=Basic dXNlcjpwYXNz1234", "authorization=[redacted]"),
        ("sent with bearer abcdef.123456~x", "sent with bearer [redacted]"),
        ('{"x-api-key": "abcd1234efgh"}', '{"x-api-key": "[redacted]"}'),
        ('{\\"api_key\\": \\"abcd1234efgh\\"}', '{\\"api_key\\": \\"[redacted]\\"}'),
        ("ghp_0123456789abcdefABCD and AKIA0123456789ABCDEF", "[redacted] and [redacted]"),
        ("AIza" + "b" * 35, "[redacted]"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "[redacted]"),
        (
            "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b",
            "a [redacted] b",
        ),
    ],
)
def test_what_looks_like_a_key_is_blotted_out(text: str, expected: str) -> None:
    assert redact(text) == expected


@each_row(
    "text",
    [
        "a task-runner, a risk-averse desk-bound clerk",
        "the bearer of good news; basic arithmetic",
        "api_key: str, authorization: required",
        "sk-learn is sklearn",
        "gAAAAABo" + "sk-" + "x" * 40,
    ],
)
def test_ordinary_words_and_encoded_bytes_stay(text: str) -> None:
    assert redact(text) == text


def test_known_secrets_of_any_shape_go() -> None:
    assert redact("my pass phrase here", ["pass phrase"]) == "my [redacted] here"
    assert redact("an ordinary a", ["a", ""]) == "an ordinary a"


@each_row("before", ['"', "'", "\\", " ", "\n", "\t", "ä"])
def test_a_line_of_json_stays_one(before: str) -> None:
    told = {
        "a": f"x-api-key: {before}abcd1234efgh{before}",
        "b": f"{before}Bearer abcdefgh1234567{before}",
        "c": f"{before}sk-ant-api03-abcd{before}end",
        "d": f"{before}-----BEGIN PRIVATE KEY-----\nMIIE",
    }
    again = json.loads(redact(json.dumps(told, ensure_ascii=False)))
    assert again["b"] == f"{before}Bearer [redacted]{before}"
    assert again["c"] == f"{before}[redacted]{before}end"
    assert again["d"] == f"{before}[redacted]"
