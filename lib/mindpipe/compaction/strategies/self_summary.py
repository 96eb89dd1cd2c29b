"""Each old cycle becomes the agent's own closing summary of it."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from mindpipe.compaction.anchors import shortened
from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.passages import SEAM, passages
from mindpipe.compaction.selection.reactions import LONGEST
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.selection.withdrawals import (
    clauses_of,
    denial_in,
    misleading,
    turns_in,
)
from mindpipe.compaction.task import CompactionTask, CycleInView, SpokenWords, SummaryDraft
from mindpipe.compaction.window_text import TOOK_IN, one_line, quotation
from mindpipe.core.messages import CallPart, Message, Role, text_of
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem

SHOWN_EVENTS = 200
"""Most characters of what a cycle took in, where nothing closed it."""
_TELLING = r"\w*\d\w*|\w{3,}"


class Context(NamedTuple):
    """What the lines of cycles need besides their own last words.

    `quoted` are, by cycles, the messages that have to stand before those words, and a quotation of
    each; `denied` the later cycles in which something of them is denied or taken back.
    """

    quoted: Mapping[int, Sequence[tuple[int, str]]]
    denied: Mapping[int, Collection[int]]


def draft(task: CompactionTask) -> SummaryDraft:
    """Return the lines of earlier summaries and one for every old cycle, in their order."""
    lines = [line for summary in task.folded for line in summary.lines]
    reasons: dict[int, str] = {}
    context = context_of(task.old)
    for one in task.old:
        closing = closing_of(one)
        reasons[one.cycle] = _UNCLOSED if closing is None else _CLOSED
        if (line := _line(one, closing, context)) is not None:
            lines.append(line)
    lines.sort(key=lambda line: line.cycle)
    return SummaryDraft(lines=tuple(lines), kept=frozenset(), stubs={}, reasons=reasons)


_CLOSED = "its own closing summary stands for it"
_UNCLOSED = "nothing closed it; its events and tools stand for it"


def context_of(old: Sequence[CycleInView]) -> Context:
    """Return what the lines of some cycles need besides their own last words.

    Quoted are the words of people that deny or take back what was said, and all of a cycle whose
    last words tell nothing of it.
    """
    voices = said_of(old)
    spoken = [(one.speaker or str(one.role), one.text) for one in voices]
    found = misleading(spoken, [one.role is Role.USER for one in voices])
    takers = {later for places in found.values() for later in places}
    bare = _bare(old, voices)
    quoted: dict[int, list[tuple[int, str]]] = {}
    for place, (one, (name, text)) in enumerate(zip(voices, spoken, strict=True)):
        if one.role is not Role.USER or not text.strip():
            continue
        # What the first words deny was said before all that is seen.
        if place in takers or (not place and denial_in(text)):
            quoted.setdefault(one.cycle, []).append((one.seq, quotation(name, _denying(text))))
        elif one.cycle in bare and (words := shortened(text, SHOWN_EVENTS)):
            quoted.setdefault(one.cycle, []).append((one.seq, quotation(name, words)))
    return Context(quoted, _by_cycles(voices, found))


def _by_cycles(
    voices: Sequence[SpokenWords], found: Mapping[int, Sequence[int]]
) -> dict[int, Collection[int]]:
    """Return the cycles of places, by those of others, where they come later."""
    pairs = {(voices[place].cycle, voices[one].cycle) for place in found for one in found[place]}
    cycles: dict[int, list[int]] = {}
    for cycle, later in sorted(pairs):
        if later > cycle:
            cycles.setdefault(cycle, []).append(later)
    return dict(cycles)


def _bare(old: Sequence[CycleInView], voices: Sequence[SpokenWords]) -> frozenset[int]:
    """Return the cycles whose last words tell nothing of them: `Noted.`, `Will do!`.

    They have no word that may tell something, or another cycle ends with the same ones, and name
    nothing of what was said in their own.
    """
    closings = {one.cycle: closing for one in old if (closing := closing_of(one))}
    told = {cycle: _telling(text_of(closing)) for cycle, closing in closings.items()}
    times = Counter(told.values())
    bare = {cycle for cycle, words in told.items() if not words or times[words] > 1}
    # The words of other cycles, among them long results, need not be looked at.
    named = {
        one.cycle
        for one in voices
        if one.cycle in bare
        and one.seq != closings[one.cycle].seq
        and not told[one.cycle].isdisjoint(_telling(one.text))
    }
    return frozenset(bare - named)


def _denying(text: str) -> str:
    """Return the clauses of a text that deny something or take it back, all of a short one."""
    if len(text) <= LONGEST:
        return text
    spans = [span[:2] for span in passages(text)]
    clauses = [clauses_of(spans, part) for part in sorted(turns_in(text))]
    words = (text[spans[each[0]][0] : spans[each[-1]][1]] for each in clauses if each)
    return SEAM.join(dict.fromkeys(words))


def line_of(lived: CycleInView, context: Context | None = None) -> SummaryLine | None:
    """Return what a cycle says of itself; None where it has no words at all.

    It is all text of the last assistant message, behind the words of people without which it would
    mislead, else a line from its events and tools. Without `context` (see `context_of`) only its
    own words tell what these mean.
    """
    if context is None:
        context = context_of([lived])
    return _line(lived, closing_of(lived), context)


def _line(lived: CycleInView, closing: Message | None, context: Context) -> SummaryLine | None:
    if closing is not None:
        quoted = context.quoted.get(lived.cycle, ())
        text = " ".join([*(words for _, words in quoted), one_line(text_of(closing))])
        seqs = [*(seq for seq, _ in quoted), closing.seq]
    elif text := _events_and_tools(lived):
        seqs = [one.seq for one in lived.messages[:1]]
    else:
        return None
    return SummaryLine(
        text=text,
        cycle=lived.cycle,
        seqs=tuple(dict.fromkeys(seqs)),
        denied=tuple(context.denied.get(lived.cycle, ())),
    )


def closing_of(lived: CycleInView) -> Message | None:
    """Return the last assistant message of a cycle if it has words, else None."""
    spoken = [one for one in lived.messages if one.role is Role.ASSISTANT]
    return spoken[-1] if spoken and text_of(spoken[-1]).strip() else None


def summed_up_in(cycles: Sequence[CycleInView]) -> frozenset[int]:
    """Return the cycles whose last words say what they were about.

    Such words name something of what was said or done in the cycle, and something that most cycles
    do not end with: an agent that says "Done." each time has written no summary.
    """
    closings = {one.cycle: closing for one in cycles if (closing := closing_of(one))}
    told = {cycle: _telling(text_of(closing)) for cycle, closing in closings.items()}
    standing = Counter(word for words in told.values() for word in words)
    most = max(1, len(told) // 2)
    return frozenset(
        one.cycle
        for one in cycles
        if (own := {word for word in told.get(one.cycle, ()) if standing[word] <= most})
        and any(
            not own.isdisjoint(_telling(said.text))
            for said in said_of([one])
            if said.seq != closings[one.cycle].seq
        )
    )


def _telling(text: str) -> frozenset[str]:
    """Return the stems of words that may tell something."""
    return frozenset(map(stem, set(re.findall(_TELLING, text.lower())) - FUNCTION_WORDS))


def _events_and_tools(lived: CycleInView) -> str:
    """Return what a cycle took in, or else what began it, and which tools it called."""
    said = [one for one in said_of([lived]) if one.role is Role.USER and one.text.strip()]
    events = [f"{one.speaker}: {one.text}" if one.speaker else one.text for one in said]
    if any(one.of_others for one in said):
        return _quoted(lived, said)
    took = shortened("\n".join(events) or lived.trigger, SHOWN_EVENTS)
    told = (f"{TOOK_IN}{took}" if took else "", _used(lived))
    return "; ".join(text for text in told if text)


def _quoted(lived: CycleInView, said: Sequence[SpokenWords]) -> str:
    """Return a cycle in which somebody said what nobody vouches for, as one quotation."""
    names = dict.fromkeys(one.speaker or "somebody" for one in said)
    facts = (_used(lived), f"took in from {', '.join(names)}")
    words = shortened("\n".join(one.text for one in said), SHOWN_EVENTS)
    return quotation("; ".join(fact for fact in facts if fact), words)


def _used(lived: CycleInView) -> str:
    """Return which tools a cycle called, and how often; empty for none."""
    called = Counter(
        one_line(part.tool)
        for message in lived.messages
        for part in message.parts
        if isinstance(part, CallPart)
    )
    tools = [tool if times == 1 else f"{tool} {times} times" for tool, times in called.items()]
    return f"used {', '.join(tools)}" if tools else ""
