"""Which messages a line speaks of that was not taken from them word for word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction.records import Line
from mindpipe.compaction.selection.rarity import vocabulary
from mindpipe.compaction.task import Said

MOST_SEQS = 8
"""Most messages that a line names as its sources."""
_SHARED = 2
_WORD = re.compile(r"[^\W_]{3,}")


class _Held(NamedTuple):
    """A word: how rare it is, and the messages that hold it."""

    weight: float
    seqs: list[int]


def sourced(lines: Iterable[Line], said: Sequence[Said]) -> tuple[Line, ...]:
    """Return lines with the messages of their cycles that share words with them, the best first.

    A message is a source where it holds two words of the line; rarer words count more.
    """
    words = [(line, set(_WORD.findall(line.text.lower()))) for line in lines]
    held = _held({word for _, own in words for word in own}, said)
    cycles = {one.seq: one.cycle for one in said}
    return tuple(
        msgspec.structs.replace(
            line, seqs=_sources(line, [held[word] for word in own if word in held], cycles)
        )
        for line, own in words
    )


def _held(words: set[str], said: Sequence[Said]) -> dict[str, _Held]:
    """Return those of some words that were said."""
    spoken = vocabulary(said)
    held: dict[str, _Held] = {}
    for seq, own in spoken.words.items():
        for word in own & words:
            held.setdefault(word, _Held(spoken.weight(word), [])).seqs.append(seq)
    return held


def _sources(line: Line, words: Iterable[_Held], cycles: Mapping[int, int]) -> tuple[int, ...]:
    """Return the messages that hold words of a line, out of its cycles."""
    shared: dict[int, list[float]] = {}
    for word in words:
        for seq in word.seqs:
            if line.cycle <= cycles[seq] <= max(line.cycle, line.until):
                shared.setdefault(seq, []).append(word.weight)
    sources = [seq for seq, weights in shared.items() if len(weights) >= _SHARED]
    sources.sort(key=lambda seq: (-sum(sorted(shared[seq])), seq))
    return tuple(sources[:MOST_SEQS])
