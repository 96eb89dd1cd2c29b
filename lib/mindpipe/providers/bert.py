"""Sentence vectors of a BERT model (Devlin et al. 2018), computed with numpy alone."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
import numpy as np

from mindpipe.providers.safetensors import Floats

_Count = Annotated[int, msgspec.Meta(ge=1)]
Pooling = Literal["mean", "cls"]
"""How one vector is made of those of all tokens: their mean, or that of the first."""

# erf(x) = 1 - (a1 t + ... + a5 t^5) exp(-x^2) with t = 1 / (1 + p x), off by at most 1.5e-7:
# Abramowitz and Stegun 1964, 7.1.26.
_P = np.float32(0.3275911)
_A = tuple(map(np.float32, (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)))
_HALF, _ROOT = np.float32(0.5), np.float32(0.5**0.5)
_ROWS_IN_CACHE = 32


class BertConfig(msgspec.Struct):
    """What a model's config.json says of its shape; other kinds of models do not fit into it."""

    model_type: Literal["bert"]
    hidden_size: _Count
    num_attention_heads: _Count
    num_hidden_layers: Annotated[int, msgspec.Meta(ge=0)]
    max_position_embeddings: _Count
    layer_norm_eps: float = 1e-12
    hidden_act: Literal["gelu"] = "gelu"
    position_embedding_type: Literal["absolute"] = "absolute"


class Bert:
    """A BERT encoder: one vector of length 1 for each text, whose tokens are given as numbers.

    All tokens of some texts lie one behind the other in one array. Only attention is computed text
    by text, so that no text is padded, and each has the vector that it has alone.
    """

    def __init__(self, config: BertConfig, tensors: Mapping[str, Floats], pooling: Pooling) -> None:
        self._config = config
        self._pooling = pooling
        last = "embeddings.word_embeddings.weight"
        # A model that was saved with its head calls the encoder `bert.`.
        before = next((name[: -len(last)] for name in tensors if name.endswith(last)), "")
        self._tensors = {
            name.removeprefix(before): array
            for name, array in tensors.items()
            if name.startswith(before)
        }
        self._require_all()

    @property
    def size(self) -> int:
        """Return how many numbers a vector has."""
        return self._config.hidden_size

    @property
    def words(self) -> int:
        """Return how many different tokens it knows."""
        return len(self._tensors["embeddings.word_embeddings.weight"])

    def vectors(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return one row for each text; every text has a token."""
        lengths = np.array([len(text) for text in texts])
        ends = np.cumsum(lengths)
        starts = ends - lengths
        of_texts = [slice(*ends_of) for ends_of in zip(starts.tolist(), ends.tolist(), strict=True)]
        places = np.concatenate([np.arange(length) for length in lengths])
        x: Floats = self._tensors["embeddings.word_embeddings.weight"][np.concatenate(texts)]
        x = x + self._tensors["embeddings.position_embeddings.weight"][places]
        x += self._tensors["embeddings.token_type_embeddings.weight"][0]
        self._normalise(x, "embeddings.LayerNorm")
        for number in range(self._config.num_hidden_layers):
            x = self._layer(x, of_texts, f"encoder.layer.{number}")
        # Scaled to one length, the sum of some rows is their mean.
        rows: Floats = x[starts] if self._pooling == "cls" else np.add.reduceat(x, starts, axis=0)
        size = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(size > 0, size, np.float32(1))
        return rows

    def _layer(self, x: Floats, texts: Sequence[slice], name: str) -> Floats:
        """Return what one layer makes of all tokens: attention, then two dense layers."""
        query, key, value = (
            self._dense(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
        )
        query /= np.float32((self.size / self._config.num_attention_heads) ** 0.5)
        seen = np.empty_like(x)
        for text in texts:
            seen[text] = self._attention(query[text], key[text], value[text])
        seen = self._dense(seen, f"{name}.attention.output.dense")
        seen += x
        self._normalise(seen, f"{name}.attention.output.LayerNorm")
        inner = self._dense(seen, f"{name}.intermediate.dense")
        gelu(inner)
        made = self._dense(inner, f"{name}.output.dense")
        made += seen
        self._normalise(made, f"{name}.output.LayerNorm")
        return made

    def _attention(self, query: Floats, key: Floats, value: Floats) -> Floats:
        """Return what the tokens of one text see of each other, by all heads."""
        heads = (len(query), self._config.num_attention_heads, -1)
        weights: Floats
        weights = query.reshape(heads).swapaxes(0, 1) @ key.reshape(heads).transpose(1, 2, 0)
        weights -= weights.max(axis=2, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=2, keepdims=True)
        seen: Floats = weights @ value.reshape(heads).swapaxes(0, 1)
        return seen.swapaxes(0, 1).reshape(query.shape)

    def _dense(self, x: Floats, name: str) -> Floats:
        made: Floats = x @ self._tensors[f"{name}.weight"].T
        made += self._tensors[f"{name}.bias"]
        return made

    def _normalise(self, x: Floats, name: str) -> None:
        """Give each row, in its place, the mean and the spread that the model learnt."""
        x -= x.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", x, x) / np.float32(self.size)
        spread += np.float32(self._config.layer_norm_eps)
        x /= np.sqrt(spread, dtype=np.float32)[:, None]
        x *= self._tensors[f"{name}.weight"]
        x += self._tensors[f"{name}.bias"]

    def _require_all(self) -> None:
        """Raise ValueError where a tensor is missing or has a shape that the config denies."""
        wide, deep = self.size, self._config.num_hidden_layers
        if wide % self._config.num_attention_heads:
            raise ValueError("its heads do not divide its size")
        places = self._config.max_position_embeddings
        last = {"word_embeddings": -1, "position_embeddings": places, "token_type_embeddings": -1}
        wanted: dict[str, tuple[int, ...]] = {
            f"embeddings.{name}.weight": (rows, wide) for name, rows in last.items()
        }
        norms = ["embeddings.LayerNorm"]
        for layer in (f"encoder.layer.{number}" for number in range(deep)):
            norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
            square = [f"attention.self.{part}" for part in ("query", "key", "value")]
            for name in (*square, "attention.output.dense"):
                wanted |= _dense_shapes(f"{layer}.{name}", wide, wide)
            wanted |= _dense_shapes(f"{layer}.intermediate.dense", -1, wide)
            wanted |= _dense_shapes(f"{layer}.output.dense", wide, -1)
        wanted |= {f"{norm}.{part}": (wide,) for norm in norms for part in ("weight", "bias")}
        for name, shape in wanted.items():
            found = self._tensors.get(name)
            if found is None:
                raise ValueError(f"its weights have no {name}")
            fits = zip(found.shape, shape, strict=False)
            if len(found.shape) != len(shape) or any(n not in (m, -1) for m, n in fits):
                raise ValueError(f"{name} of its weights does not have the shape of its config")


def _dense_shapes(name: str, out: int, into: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of one dense layer; -1 for any number."""
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def gelu(x: Floats) -> None:
    """Put x Phi(x) in the place of each number, Phi being the normal distribution function.

    A few rows at a time, so that they stay in the cache while they are worked on.
    """
    for start in range(0, len(x), _ROWS_IN_CACHE):
        part = x[start : start + _ROWS_IN_CACHE]
        size = np.abs(part)
        scaled = size * _ROOT
        t = 1 / (1 + _P * scaled)
        beyond = t * _A[-1]
        for a in _A[-2::-1]:
            beyond += a
            beyond *= t
        np.negative(np.square(scaled, out=scaled), out=scaled)
        beyond *= np.exp(scaled, out=scaled)
        # x Phi(x) = max(x, 0) - |x| (1 - erf(|x| / sqrt(2))) / 2
        beyond *= size
        beyond *= _HALF
        np.maximum(part, 0, out=part)
        part -= beyond
