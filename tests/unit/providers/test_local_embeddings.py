"""A model in a folder: what is read of it, what its vectors are, and what is no model."""

import base64
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.providers.bert import gelu
from mindpipe.providers.local_embeddings import LocalEmbeddings
from mindpipe.recall.vectors import from_halves, normalised
from support.command import ROOT
from support.local_models import PLACES, minilm, small_model, tensors, write_json, write_tensors

REFERENCES = ROOT / "fixtures" / "embedding" / "references.jsonl"
TYPE = "sentence_transformers.models."


def rows(folder: Path, *texts: str) -> np.ndarray:
    return np.array(LocalEmbeddings(folder, name="local/small").vectors(texts), dtype=np.float32)


def modules(folder: Path, pooling: dict[str, object], *, more: str | None = None) -> None:
    types = ["Transformer", "Pooling", "Normalize", *([more] if more else [])]
    paths = {"Transformer": "", "Pooling": "1_Pooling"}
    said = [{"type": f"{TYPE}{one}", "path": paths.get(one, f"x_{one}")} for one in types]
    write_json(folder / "modules.json", said)
    write_json(folder / "1_Pooling" / "config.json", pooling)


@pytest.mark.embed
def test_vectors_are_those_that_sentence_transformers_makes() -> None:
    """The fixture holds what the library made of the same weights, as stores keep it."""
    lines = [json.loads(line) for line in REFERENCES.read_text().splitlines()]
    kept = from_halves(b"".join(base64.b64decode(line["halves"]) for line in lines), 384)
    found = normalised(minilm().vectors([line["text"] for line in lines]))
    cosines = (normalised(kept.tolist()) * found).sum(axis=1)
    assert len(lines) == 24
    assert cosines.min() > 0.9999


def test_gelu_is_that_of_the_normal_distribution() -> None:
    numbers = np.linspace(-12, 12, 40 * 101, dtype=np.float32).reshape(40, 101)
    found = numbers.copy()
    gelu(found)
    phi = np.vectorize(lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2)
    assert found == pytest.approx(phi(numbers.astype(np.float64)), abs=1e-6)


def test_a_text_is_cut_where_the_model_ends(tmp_path: Path) -> None:
    folder = small_model(tmp_path)
    fits = "tea " * (PLACES - 2)
    assert (rows(folder, fits) == rows(folder, f"{fits} hotel")).all()
    assert (rows(folder, fits) != rows(folder, f"hotel {fits}")).any()
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 4})
    assert (rows(folder, "tea hotel") == rows(folder, "tea hotel green")).all()
    assert (rows(folder, "tea hotel") != rows(folder, "tea green")).any()


def test_one_vector_is_the_mean_of_all_tokens_or_the_first(tmp_path: Path) -> None:
    folder = small_model(tmp_path)
    mean = rows(folder, "tea", "green tea")
    modules(folder, {"pooling_mode_mean_tokens": True})
    assert (rows(folder, "tea", "green tea") == mean).all()
    modules(folder, {"pooling_mode": "cls"})
    of_cls = rows(folder, "tea", "green tea")
    modules(folder, {"pooling_mode_cls_token": True})
    assert (rows(folder, "tea", "green tea") == of_cls).all()
    assert np.abs(of_cls - mean).max() > 0.01
    # Without a layer the first token has seen nothing of the others.
    small_model(folder, layers=0)
    first, same = rows(folder, "tea", "green tea")
    assert first == pytest.approx(same, abs=1e-6)


def test_a_model_may_be_saved_with_its_head_and_in_half_precision(tmp_path: Path) -> None:
    folder = small_model(tmp_path)
    whole = rows(folder, "a hotel in Tokyo")
    halves = {f"bert.{name}": array.astype(np.float16) for name, array in tensors().items()}
    halves["cls.bias"] = np.zeros(3, dtype=np.float32)
    halves["bert.embeddings.position_ids"] = np.arange(3)
    write_tensors(folder / "model.safetensors", halves)
    assert float((rows(folder, "a hotel in Tokyo") * whole).sum()) > 0.9999


def without(name: str) -> dict[str, np.ndarray]:
    return {key: array for key, array in tensors().items() if key != name}


def config(folder: Path, **more: object) -> None:
    said = json.loads((folder / "config.json").read_text())
    write_json(folder / "config.json", {**said, **more})


INNER = "encoder.layer.1.intermediate.dense.weight"
BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no-config": (lambda f: (f / "config.json").unlink(), "config.json is missing"),
    "no-weights": (lambda f: (f / "model.safetensors").unlink(), "model.safetensors is missing"),
    "no-tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "tokenizer.json: No such file"),
    "another-kind": (lambda f: config(f, model_type="mpnet"), "Invalid enum value 'mpnet'"),
    "activation": (lambda f: config(f, hidden_act="relu"), "Invalid enum value 'relu'"),
    "heads": (lambda f: config(f, num_attention_heads=5), "heads do not divide its size"),
    "layers": (lambda f: config(f, num_hidden_layers=3), "have no encoder.layer.2."),
    "places": (lambda f: config(f, max_position_embeddings=9), "position_embeddings.weight of its"),
    "size": (lambda f: config(f, hidden_size=16), "does not have the shape of its config"),
    "json": (lambda f: (f / "config.json").write_text("{"), "truncated"),
    "pooling": (lambda f: modules(f, {"pooling_mode": "max"}), "neither the mean of tokens"),
    "dense": (lambda f: modules(f, {"pooling_mode": "mean"}, more="Dense"), "Dense in modules"),
    "tensor": (
        lambda f: write_tensors(f / "model.safetensors", without(INNER)),
        f"its weights have no {INNER}",
    ),
    "words": (
        lambda f: write_tensors(
            f / "model.safetensors",
            {**tensors(), "embeddings.word_embeddings.weight": np.zeros((3, 32), np.float32)},
        ),
        "knows more words than its weights",
    ),
    "cut": (
        lambda f: (f / "model.safetensors").write_bytes(
            (f / "model.safetensors").read_bytes()[:-100]
        ),
        "lies outside of it",
    ),
    "empty": (lambda f: (f / "model.safetensors").write_bytes(b""), "empty"),
    "short": (lambda f: (f / "model.safetensors").write_bytes(b"{}"), "too short for safetensors"),
    "text": (
        lambda f: (f / "model.safetensors").write_bytes(b"version https://git-lfs"),
        "does not begin as safetensors do",
    ),
    "header": (
        lambda f: (f / "model.safetensors").write_bytes(b"\x02" + bytes(7) + b"[]"),
        "Expected `object`",
    ),
    "no-marks": (
        lambda f: write_json(
            f / "tokenizer.json",
            {**json.loads((f / "tokenizer.json").read_text()), "post_processor": None},
        ),
        "does not mark where a text begins",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_no_model_is_one_line_that_says_why(tmp_path: Path, name: str) -> None:
    break_it, why = BREAKS[name]
    folder = small_model(tmp_path / "small")
    break_it(folder)
    with pytest.raises(UnavailableError) as caught:
        rows(folder, "tea")
    said = str(caught.value)
    assert said.startswith("the embedding model local/small cannot be used: ")
    assert (why in said, said.count("\n")) == (True, 0), said
