"""The Tokens port over rs-bpe, which carries its tables, and tiktoken, which fetches them."""

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from mindpipe.core.errors import UnavailableError
from mindpipe.core.text import without_surrogates

if TYPE_CHECKING:
    import tiktoken

_REMEMBERED, _MOST_REMEMBERED = 2048, 20_000
_PIECE, _LONGEST = 2000, 1_000_000
# No token reaches over such a place, whatever stands before it: a token that holds a space and
# then a letter begins with that space.
_SEAM = re.compile(r"(?<=\S) (?=[A-Za-z])")
TokenizerName = Literal["o200k_base", "cl100k_base"]


class _Counter(Protocol):
    """What rs-bpe gives."""

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        ...


class RsBpeTokens:
    """Count with rs-bpe; its table is loaded at the first count (about 50 ms)."""

    def __init__(self, name: TokenizerName) -> None:
        self._name: TokenizerName = name
        self._counter: _Counter | None = None
        self._known = functools.lru_cache(maxsize=_REMEMBERED)(self._count)

    @property
    def name(self) -> str:
        """Return the tokenizer's name."""
        return self._name

    def count(self, text: str) -> int:
        """Return how many tokens the text has; marks of special tokens count as plain text.

        What was counted a short while ago is known, piece by piece: a request that begins like the
        one before it is counted from where they part.
        """
        if len(text) > _LONGEST:
            return self._count(text)
        return sum(
            self._known(piece) if len(piece) <= _MOST_REMEMBERED else self._count(piece)
            for piece in pieces_of(text)
        )

    def _count(self, text: str) -> int:
        """Count."""
        if self._counter is None:
            self._counter = _rs_bpe(self._name)
        return self._counter.count(without_surrogates(text)[0])


def pieces_of(text: str) -> Iterator[str]:
    """Yield a text in pieces of 2,000 characters or more, whose tokens are together those of it."""
    at = 0
    while len(text) - at > 2 * _PIECE:
        seam = _SEAM.search(text, at + _PIECE)
        if seam is None:
            break
        yield text[at : seam.start()]
        at = seam.start()
    yield text[at:]


class TiktokenTokens:
    """Count with tiktoken; the first use of a table on a machine fetches it."""

    def __init__(self, name: TokenizerName) -> None:
        self._name: TokenizerName = name
        self._encoding: tiktoken.Encoding | None = None

    @property
    def name(self) -> str:
        """Return the tokenizer's name."""
        return self._name

    def count(self, text: str) -> int:
        """Return how many tokens the text has; marks of special tokens count as plain text.

        Raises:
            UnavailableError: the table is neither here nor to be had.
        """
        if self._encoding is None:
            self._encoding = _tiktoken(self._name)
        return len(self._encoding.encode_ordinary(without_surrogates(text)[0]))


def _rs_bpe(name: TokenizerName) -> _Counter:
    """Load a tokenizer of rs-bpe."""
    try:
        from rs_bpe import openai
    except ImportError as error:
        raise UnavailableError(
            "rs-bpe cannot be loaded; install it again, or set the tokenizer to tiktoken."
        ) from error
    loaded: _Counter = getattr(openai, name)()
    return loaded


def _tiktoken(name: TokenizerName) -> "tiktoken.Encoding":
    """Load a table of tiktoken, from its cache or from the network."""
    try:
        import tiktoken

        return tiktoken.get_encoding(name)
    except (ImportError, OSError, ValueError) as error:
        raise UnavailableError(
            f"tiktoken has no table for {name} here and cannot fetch it; "
            "set TIKTOKEN_CACHE_DIR to a folder that holds it, or use rs-bpe."
        ) from error
