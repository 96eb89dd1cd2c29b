"""The one door for secrets."""

import base64
import hashlib
import json
import random

from mindpipe.core.redaction import MARK, Redactor, redact, secrets_among
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


HEX = "0123456789abcdef" * 3


@each_row(
    "key",
    [
        "sk-ant-api03-AbC_d-9efghijklmnop",
        "sk-or-v1-" + HEX,
        "sk-" + HEX,
        "ghp_" + HEX[:36],
        "github_pat_" + HEX,
        "glpat-" + HEX[:20],
        "hf_" + HEX[:34],
        "xoxb-123456789012-" + HEX[:24],
        "npm_" + HEX[:36],
        "pypi-AgEIcHlwaS5vcmc" + HEX,
        "AKIA0123456789ABCDEF",
        "AIza" + "b" * 35,
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
        f"-----BEGIN RSA PRIVATE KEY-----\n{HEX}\n-----END RSA PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\\n{HEX}\\n-----END PRIVATE KEY-----",
    ],
)
def test_what_an_issuer_writes_so_is_not_kept(key: str) -> None:
    redactor = Redactor()
    assert redactor.text(f"it is {key}, keep it") == f"it is {MARK}, keep it"
    assert redactor.octets(b"\xff" + key.encode() + b"\xff") == b"\xff" + MARK.encode() + b"\xff"
    assert redactor.value({"a": [key, 1, None]}) == {"a": [MARK, 1, None]}
    assert redactor.found


@each_row(
    "text",
    [
        "a task-runner, a risk-averse desk-bound clerk; sk-SK and sk-learn-2024-tutorial-part-two",
        "set npm_config_registry_url, hf_hub_download_with_a_very_long_name and xoxb-token",
        "pip install pypi-attestations-and-more-things-of-this-kind",
        'curl -H "Authorization: Bearer abcdef123456" -H "x-api-key: abcd1234efgh"',
        "basic 2026-11-27T10:00:00Z and api_key=settings.v2.key.of.mine",
        "A file begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
        'AKIA is how they begin, AIza too; eyJ is {" in base64',
        hashlib.sha256(b"a").hexdigest(),
        "e_1NG0UbvfYgqahv00000001 it_6nnVD0OmJUC2Uc00000001 toolu_01A09q90qw90lq917835lq9",
        "gAAAAABo" + "sk-" + "x" * 40,
        base64.b64encode(random.Random(1).randbytes(2_000_000)).decode(),
        base64.urlsafe_b64encode(random.Random(2).randbytes(2_000_000)).decode(),
    ],
)
def test_what_is_no_secret_is_kept_whole(text: str) -> None:
    redactor = Redactor()
    assert redactor.text(text) is text
    assert redactor.octets(octets := text.encode()) is octets
    assert not redactor.found


def test_known_secrets_are_not_kept_the_longer_first() -> None:
    redactor = Redactor(lambda: ["abcdef123456", "abcdef123456789", "s3cret.of.mine"])
    assert redactor.text("abcdef123456789 abcdef123456 s3cret.of.mine") == " ".join([MARK] * 3)


@each_row("secret", ["geheimwört-4711-ü", "пароль-12345678", 'with"quotes"and\\1234'])
def test_of_octets_a_known_secret_is_taken_out_as_of_their_text_and_of_json(secret: str) -> None:
    redactor = Redactor(lambda: [secret])
    text = f"It is {secret}."
    assert redactor.text(text) == f"It is {MARK}."
    assert redactor.octets(text.encode()) == f"It is {MARK}.".encode()
    assert redactor.octets(b"\xff\x80 " + text.encode()) == b"\xff\x80 It is [redacted]."
    assert redactor.text(json.dumps([text], ensure_ascii=False)) == f'["It is {MARK}."]'
    assert redactor.touches(text)
    assert not redactor.touches("It is nothing of the kind.")


@each_row(
    "value",
    [
        "",
        "ollama",
        "lm-studio",
        "no-key-required",
        "two words 123",
        "/run/secrets/k-1",
        "http://a:1/b",
    ],
)
def test_a_known_value_that_could_be_a_word_or_a_place_is_no_secret(value: str) -> None:
    assert Redactor(lambda: [value]).text(f"it says {value} here") == f"it says {value} here"


def test_variables_hold_secrets_by_their_names() -> None:
    variables = {
        "OPENAI_API_KEY": "a",
        "GITHUB_TOKEN": "b",
        "DB_PASSWORD": "c",
        "AWS_SECRET_ACCESS_KEY": "d",
        "OWN": "e",
        "GPG_KEY": "f",
        "TOKEN_FILE": "g",
    }
    assert secrets_among(variables, ["OWN"]) == ["a", "b", "c", "d", "e"]
