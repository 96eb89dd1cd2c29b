"""Memory in layers: a line for each of the newer old cycles, one for each span of the oldest."""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from mindpipe.compaction.anchors import is_decision, sentences, shortened
from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.withdrawals import misleading
from mindpipe.compaction.strategies.self_summary import context_of, line_of
from mindpipe.compaction.task import CompactionTask, SummaryDraft
from mindpipe.compaction.window_text import TOOK_IN, quotation, quotation_in

LINED_CYCLES = 40
"""So many of the newest old cycles have a line each: with ten kept whole, those aged 11 to 50."""
SPAN_CYCLES = 30
"""Older lines share one for so many cycles: 1-30, 31-60 and so on."""
FOLLOWING = 3
"""So many lines behind the spans are looked at for what denies the last of them."""
SHOWN_SENTENCES = 5
SHOWN_NAMES = 5
SENTENCE_CHARACTERS = 160
SHOWN_SEQS = 32
"""Most messages that the line of a span names as its sources."""
_DECISIONS = "Key decisions: "
_WITH = "With "
# A decision of a span's line, which a semicolon parts from the next: but not one that is quoted.
_DECISION = re.compile(r'(?:; )?((?:"(?:[^"\\]|\\.)*"|(?!; ).)+)')
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'-]+")


def draft(task: CompactionTask) -> SummaryDraft:
    """Return lines of cycles, the older ones as spans that say with whom and what was decided."""
    lines = [line for summary in task.folded for line in summary.lines]
    context = context_of(task.old)
    own = (line_of(one, context) for one in task.old)
    lines += [line for line in own if line is not None]
    lines.sort(key=lambda line: line.cycle)
    cycles = sorted({line.cycle for line in lines})
    since = cycles[-LINED_CYCLES] if len(cycles) > LINED_CYCLES else 0
    newer = [line for line in lines if line.cycle >= since]
    spans = {one.cycle: "a span of cycles speaks for it" for one in task.old if one.cycle < since}
    return SummaryDraft(
        lines=(*spanned(lines[: len(lines) - len(newer)], newer[:FOLLOWING]), *newer),
        kept=frozenset(),
        stubs={},
        reasons={one.cycle: "its own line stands for it" for one in task.old} | spans,
    )


def spanned(
    lines: Sequence[SummaryLine], following: Sequence[SummaryLine] = ()
) -> list[SummaryLine]:
    """Return lines with those of one span of cycles made into one, in the order of cycles.

    What a line after it denies, which may be of the next span or `following`, is not told.
    """
    spans: dict[int, list[SummaryLine]] = {}
    voices = [_voice(line) for line in (*lines, *following)]
    taken_back = misleading(voices, [True] * len(voices))
    for place, line in enumerate(lines):
        is_denied = line.denied or any(later > place for later in taken_back.get(place, ()))
        if line.until == 0 and is_denied:
            line = msgspec.structs.replace(line, text="", denied=())
        spans.setdefault((line.cycle - 1) // SPAN_CYCLES, []).append(line)
    return [_one(own) for _, own in sorted(spans.items())]


def _voice(line: SummaryLine) -> tuple[str, str]:
    """Return whom a line quotes, and the words; without a name where it is the agent's own."""
    quoted = quotation_in(line.text)
    return (quoted.who, quoted.words) if quoted else ("", line.text.removeprefix(TOOK_IN))


def _one(lines: Sequence[SummaryLine]) -> SummaryLine:
    """Return one line for several: with whom, and the key decisions (else the last words)."""
    if len(lines) == 1 and lines[0].text:
        return lines[0]
    pieces = {piece: line for line in lines for piece in _pieces(line.text)}
    chosen = _chosen(list(pieces))
    names = Counter(name for line in lines for name in _names(line.text))
    named = [name for name, _ in names.most_common(SHOWN_NAMES)]
    words = f"{_WITH}{', '.join(named)}. " if named else ""
    seqs = dict.fromkeys(seq for piece in chosen for seq in pieces[piece].seqs)
    told = f"{_DECISIONS}{'; '.join(chosen)}" if chosen else "Nothing of it can be said in short."
    return SummaryLine(
        text=f"{words}{told}",
        cycle=lines[0].cycle,
        until=max(max(line.cycle, line.until) for line in lines),
        seqs=tuple(seqs)[-SHOWN_SEQS:],
    )


def _pieces(text: str) -> list[str]:
    """Return the sentences of a line; of a span's line the decisions that it lists."""
    head, mark, decisions = text.partition(_DECISIONS)
    if mark and (not head or head.startswith(_WITH)):
        return _DECISION.findall(decisions)
    if (quoted := quotation_in(text)) is not None:
        words = shortened(quoted.words, SENTENCE_CHARACTERS)
        return [quotation(quoted.who, words)] if words else []
    short = (shortened(sentence.rstrip("."), SENTENCE_CHARACTERS) for sentence in sentences(text))
    # What parts the pieces of a line must not stand in one, or a later cut would go through it.
    return [piece.replace("; ", ", ") for piece in short if piece]


def _names(text: str) -> list[str]:
    """Return the names in a line; of a span's line those that it begins with."""
    head, mark, _ = text.partition(f". {_DECISIONS}")
    if mark and head.startswith(_WITH):
        return head.removeprefix(_WITH).split(", ")
    quoted = quotation_in(text)
    return _NAME.findall(text if quoted is None else quoted.who)


def _chosen(pieces: Sequence[str]) -> list[str]:
    """Return the decisions among sentences, newest first chosen, filled up with the last others."""
    decisions = [piece for piece in pieces if is_decision(piece)]
    others = [piece for piece in pieces if not is_decision(piece)]
    most = decisions[-SHOWN_SENTENCES:]
    most += others[len(others) - max(0, SHOWN_SENTENCES - len(most)) :]
    return [piece for piece in pieces if piece in most]
