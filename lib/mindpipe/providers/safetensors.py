"""Read a safetensors file: arrays by their names, which are mapped and not copied."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
_KINDS: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
_LENGTH = np.dtype("<u8")
_MOST_HEADER = 100_000_000
_Whole = Annotated[int, msgspec.Meta(ge=0)]


class _Tensor(msgspec.Struct):
    """What the header says of one array: the kind of its numbers, its shape and its place."""

    dtype: str
    shape: list[_Whole]
    data_offsets: tuple[_Whole, _Whole]


def read_tensors(path: Path) -> dict[str, Floats]:
    """Return the arrays of 32- or 16-bit floats in a file, the latter widened; others are left out.

    What is never used of an array is never read from the disk.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no safetensors file, or not a whole one.
    """
    octets = np.memmap(path, dtype=np.uint8, mode="r")
    if len(octets) < _LENGTH.itemsize:
        raise ValueError("it is too short for safetensors")
    length = int(octets[: _LENGTH.itemsize].view(_LENGTH)[0])
    if not 0 < length <= min(_MOST_HEADER, len(octets)):
        raise ValueError("it does not begin as safetensors do")
    begin = _LENGTH.itemsize + length
    header = msgspec.json.decode(bytes(octets[_LENGTH.itemsize : begin]), type=dict[str, object])
    header.pop("__metadata__", None)
    tensors = msgspec.convert(header, dict[str, _Tensor])
    data = octets[begin:]
    return {
        name: _array(data, one, name=name) for name, one in tensors.items() if one.dtype in _KINDS
    }


def _array(data: npt.NDArray[np.uint8], tensor: _Tensor, *, name: str) -> Floats:
    """Return one array; raises ValueError where its place cannot hold it."""
    first, end = tensor.data_offsets
    kind = _KINDS[tensor.dtype]
    count = 1
    for side in tensor.shape:
        count *= side
    if end > len(data) or end - first != count * kind.itemsize:
        raise ValueError(f"the place of {name} lies outside of it or has another size")
    found = np.frombuffer(data[first:end], dtype=kind).reshape(tensor.shape)
    widened: Floats = found.astype(np.float32, copy=False)
    return widened
