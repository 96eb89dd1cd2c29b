"""What both Tokens adapters do.

tiktoken fetches its tables; here it finds them in its cache, written from those that rs-bpe
carries. tiktoken compares them with the hashes it knows, so that only the true tables pass.
"""

import base64
import hashlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from rs_bpe import bpe, openai

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Tokens
from mindpipe.providers.tokens import RsBpeTokens, TiktokenTokens, TokenizerName, pieces_of
from support.tables import each_row

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
SIZES = {"o200k_base": 199_998, "cl100k_base": 100_256}
ADAPTERS: dict[str, Callable[[str], Tokens]] = {"rs-bpe": RsBpeTokens, "tiktoken": TiktokenTokens}


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache of tiktoken that holds both tables."""
    folder = tmp_path_factory.mktemp("tables")
    for name, size in SIZES.items():
        table = getattr(bpe.openai, name)().bpe()
        lines = (
            base64.b64encode(bytes(table.decode_tokens([rank]))) + b" %d\n" % rank
            for rank in range(size)
        )
        key = hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()
        (folder / key).write_bytes(b"".join(lines))
    return folder


@pytest.fixture(params=[f"{kind} {name}" for kind in ADAPTERS for name in SIZES])
def tokens(request: pytest.FixtureRequest, tables: Path, monkeypatch: pytest.MonkeyPatch) -> Tokens:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tables))
    kind, name = request.param.split()
    return ADAPTERS[kind](name)


def test_the_name_stands_beside_the_count(tokens: Tokens) -> None:
    assert tokens.name in SIZES


@pytest.mark.parametrize(
    ("text", "wide", "narrow"),
    [
        ("", 0, 0),
        ("Hello, world!", 4, 4),
        ("antidisestablishmentarianism", 6, 6),
        ("<|endoftext|>", 7, 7),
        ("Größe 😀", 3, 3),
        ("مرحبا بالعالم", 4, 10),
    ],
)
def test_counts_are_those_of_the_named_table(
    tokens: Tokens, text: str, wide: int, narrow: int
) -> None:
    assert tokens.count(text) == (wide if tokens.name == "o200k_base" else narrow)


@pytest.mark.parametrize("text", ["\ud800 half", "a\x00b", "a \u202e b", " \n\t " * 50, "x" * 5000])
def test_odd_text_is_counted_alike_by_both(tokens: Tokens, text: str) -> None:
    assert tokens.count(text) == RsBpeTokens(tokens.name).count(text) > 0


def test_plain_text_is_counted_alike_by_both(tokens: Tokens) -> None:
    for text in ("Grüße aus Köln", "def f(x):\n    return x + 1\n", "مرحبا بالعالم", "1234567"):
        assert tokens.count(text) == RsBpeTokens(tokens.name).count(text)


ODD = (
    "a",
    "the",
    " ",
    "  ",
    "\n",
    "\r\n",
    "1",
    "23456",
    "'s",
    "'LL",
    ".",
    "/",
    "é",
    "中",
    "🎉",
    "\u0301",
)
SPACED = (
    "\u00a0",
    "\t",
    "<|",
    '"',
    "\\n",
    "ß",
    "İ",
    "\u200d",
    "٣",
    "²",
    " word",
    " X",
    "' ",
    "\x1f",
)


@each_row("name", SIZES)
def test_a_long_text_has_the_tokens_of_its_pieces(name: TokenizerName) -> None:
    chance, whole = random.Random(1), getattr(openai, name)()
    for _ in range(40):
        text = "".join(chance.choices((*ODD, *SPACED), k=4000))
        assert len(list(pieces_of(text))) > 1
        assert "".join(pieces_of(text)) == text
        assert RsBpeTokens(name).count(text) == whole.count(text)


def test_a_table_that_is_not_to_be_had_is_no_reason_to_use_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "empty"))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(UnavailableError, match="cannot fetch it"):
        TiktokenTokens("r50k_base").count("a")
