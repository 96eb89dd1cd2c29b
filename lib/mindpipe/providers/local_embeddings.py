"""The Embedder port over a sentence-transformers model on this machine, by name or by folder."""

import importlib
import os
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from mindpipe.core.errors import UnavailableError
from mindpipe.core.text import is_blank, without_surrogates

_TOGETHER = 64
# Read by the libraries when they are imported: they would ask a server for newer weights, and draw
# bars over ours.
_SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TOKENIZERS_PARALLELISM": "false",
}


class _Encoder(Protocol):
    """What is used of sentence_transformers.SentenceTransformer."""

    def encode(self, sentences: list[str], **options: object) -> "_Array":
        """Return one row per text."""
        ...


class _Array(Protocol):
    """What is used of an array."""

    def tolist(self) -> list[list[float]]:
        """Return its rows as lists."""
        ...


class LocalEmbeddings:
    """Turn texts into vectors by a model on the CPU, loaded at the first text.

    `where` is a folder, or the name of a model that this machine has already: nothing is fetched
    from the network. A model reads only so many tokens of a text; what comes behind is lost.
    Vectors are normalised, and a text has the same one alone and among others, up to about 1e-6.
    """

    def __init__(self, where: str, *, name: str) -> None:
        self._where = where
        self._name = name

    @property
    def name(self) -> str:
        """Return the embedding model's name."""
        return self._name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, all of one length; a blank one is embedded as a dot.

        Raises:
            UnavailableError: the extra `embed` is not installed, or the model is not there.
        """
        if not texts:
            return []
        asked = ["." if is_blank(text) else without_surrogates(text)[0] for text in texts]
        return self._encoder.encode(
            asked, batch_size=_TOGETHER, normalize_embeddings=True, show_progress_bar=False
        ).tolist()

    @cached_property
    def _encoder(self) -> _Encoder:
        """Return the model; it is loaded here, which takes seconds."""
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)
        try:
            library = importlib.import_module("sentence_transformers")
        except ImportError:
            raise self._unavailable(
                "sentence-transformers is not installed; install mindpipe[embed]"
            ) from None
        try:
            encoder: _Encoder = library.SentenceTransformer(self._where, device="cpu")
        except (OSError, ValueError, KeyError) as error:
            why = str(error).strip().split("\n")[0]
            raise self._unavailable(f"it is no folder and not on this machine ({why})") from None
        return encoder

    def _unavailable(self, why: str) -> UnavailableError:
        """Return the error that names the model and why it is not there."""
        return UnavailableError(f"the embedding model {self._name} cannot be used: {why}.")
