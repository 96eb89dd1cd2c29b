"""The Embedder port over a sentence model in a folder of this machine."""

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import msgspec
import numpy as np

from mindpipe.core.errors import UnavailableError
from mindpipe.core.text import is_blank, without_surrogates
from mindpipe.providers.bert import Bert, BertConfig, Pooling
from mindpipe.providers.safetensors import Floats, read_tensors

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
MODULES, SENTENCES = "modules.json", "sentence_bert_config.json"
_TOKENS_TOGETHER = 512
"""So many tokens are computed at once; more would take more memory and not less time."""
_STEPS = ("Transformer", "Pooling", "Normalize")
_Kind = TypeVar("_Kind")


class _Module(msgspec.Struct):
    """One step from a text to its vector, and the folder that says more of it."""

    type: str
    path: str = ""


class _SentenceConfig(msgspec.Struct):
    """How many tokens of a text are read, and whether in lower case whatever the tokenizer does."""

    max_seq_length: int | None = None
    do_lower_case: bool = False


class _PoolingConfig(msgspec.Struct):
    """How the vectors of tokens become one."""

    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False
    pooling_mode: str | None = None


class _Tokens(Protocol):
    """What is used of one text that was cut into tokens."""

    ids: list[int]


class _Tokenizer(Protocol):
    """What is used of tokenizers.Tokenizer."""

    def no_padding(self) -> None: ...

    def enable_truncation(self, max_length: int) -> None: ...

    def get_vocab_size(self) -> int: ...

    def encode_batch_fast(self, input: list[str]) -> list[_Tokens]: ...


class _SentenceModel(NamedTuple):
    """What turns texts into tokens and these into vectors."""

    tokenizer: _Tokenizer
    bert: Bert
    lower: bool

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Return one row per text."""
        asked = [text.lower() for text in texts] if self.lower else list(texts)
        tokens = [one.ids for one in self.tokenizer.encode_batch_fast(asked)]
        found = np.empty((len(tokens), self.bert.size), dtype=np.float32)

        def compute(places: list[int]) -> None:
            found[places] = self.bert.vectors([tokens[place] for place in places])

        limits = importlib.import_module("threadpoolctl").threadpool_limits
        # Threads of BLAS wait for each other in a loop, which takes a hundred times as long where
        # another program has their core. Ours share nothing until they end.
        with limits(limits=1, user_api="blas"), ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compute, _batches([len(one) for one in tokens])))
        return found


class LocalEmbeddings:
    """Turn texts into vectors by a BERT model on the CPU, loaded at the first text.

    `folder` holds it as sentence-transformers keeps it: model.safetensors, tokenizer.json and
    config.json, and beside them how one vector is made of those of all tokens. A model reads only
    so many tokens of a text; what comes behind is lost. Vectors are normalised, and a text has the
    same one alone and among others, up to about 1e-6.
    """

    def __init__(self, folder: Path, *, name: str, absent: str | None = None) -> None:
        self._folder = folder
        self._name = name
        self._absent = absent or f"there is no folder {folder}"

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
        rows: list[list[float]] = self._model.vectors(asked).tolist()
        return rows

    @cached_property
    def _model(self) -> _SentenceModel:
        """Return the model; its weights are read from the disk as they are used."""
        # It warns of processes that are forked later, where its own threads do not live on.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            library = importlib.import_module("tokenizers")
            importlib.import_module("threadpoolctl")
        except ImportError as error:
            raise self._unavailable(
                f"{error.name} is not installed; install it with pip install '.[embed]' in "
                "mindpipe's folder"
            ) from None
        if not self._folder.is_dir():
            raise self._unavailable(self._absent)
        try:
            return _read_model(self._folder, library.Tokenizer.from_file)
        except FileNotFoundError as error:
            raise self._unavailable(f"{error.filename} is missing") from None
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            why = str(error).strip().split("\n")[0]
            raise self._unavailable(
                f"{self._folder} holds no model that is read here: {why}"
            ) from None

    def _unavailable(self, why: str) -> UnavailableError:
        """Return the error that names the model and why it is not there."""
        return UnavailableError(f"the embedding model {self._name} cannot be used: {why}.")


def _read_model(folder: Path, open_tokenizer: Callable[[str], _Tokenizer]) -> _SentenceModel:
    """Return the model of a folder.

    Raises:
        OSError: a file cannot be read.
        ValueError: its files do not fit together.
        msgspec.MsgspecError: it is another kind of model.
    """
    modules = _read(folder / MODULES, list[_Module], default=[])
    places = {one.type.rpartition(".")[2]: folder / one.path for one in modules}
    if unknown := places.keys() - set(_STEPS):
        raise ValueError(f"{', '.join(sorted(unknown))} in {MODULES} is not known")
    folder = places.get("Transformer", folder)
    config = _read(folder / CONFIG, BertConfig)
    sentences = _read(folder / SENTENCES, _SentenceConfig, default=_SentenceConfig())
    pooling: Pooling = "mean"
    if "Pooling" in places:
        pooling = _pooling(_read(places["Pooling"] / CONFIG, _PoolingConfig))
    tensors = read_tensors(folder / WEIGHTS)
    try:
        tokenizer = open_tokenizer(str(folder / TOKENIZER))
    except Exception as error:
        # tokenizers raises nothing narrower.
        raise ValueError(f"{folder / TOKENIZER}: {error}") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(
        min(
            sentences.max_seq_length or config.max_position_embeddings,
            config.max_position_embeddings,
        )
    )
    bert = Bert(config, tensors, pooling)
    if tokenizer.get_vocab_size() > bert.words:
        raise ValueError("its tokenizer knows more words than its weights")
    if not tokenizer.encode_batch_fast([""])[0].ids:
        raise ValueError("its tokenizer does not mark where a text begins")
    return _SentenceModel(tokenizer, bert, sentences.do_lower_case)


def _pooling(config: _PoolingConfig) -> Pooling:
    """Return how one vector is made; raises ValueError where it is otherwise than we can."""
    modes = (config.pooling_mode_mean_tokens, config.pooling_mode_cls_token)
    if modes == (True, False) or config.pooling_mode == "mean":
        return "mean"
    if modes == (False, True) or config.pooling_mode == "cls":
        return "cls"
    raise ValueError("its vectors are neither the mean of tokens nor the first")


def _read(path: Path, kind: type[_Kind], *, default: _Kind | None = None) -> _Kind:
    """Return what a file of JSON says, or the default where there is no such file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        if default is None:
            raise
        return default


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of texts of so many tokens, as many as are computed at once."""
    batch: list[int] = []
    tokens = 0
    for place, length in enumerate(lengths):
        if batch and tokens + length > _TOKENS_TOGETHER:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += length
    if batch:
        yield batch
