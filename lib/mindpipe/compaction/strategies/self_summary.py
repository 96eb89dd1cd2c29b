"""Each old cycle becomes the agent's own closing summary of it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

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
Denials = Mapping[int, Sequence[tuple[int, str]]]
"""By cycles, the messages that deny or take back what was said, and a quotation of each."""


def draft(task: CompactionTask) -> SummaryDraft:
    """Return the lines of earlier summaries and one for every old cycle, in their order."""
    lines = [line for summary in task.folded for line in summary.lines]
    reasons: dict[int, str] = {}
    denials = denials_in(task.old)
    for one in task.old:
        closing = closing_of(one)
        reasons[one.cycle] = _UNCLOSED if closing is None else _CLOSED
        if (line := _line(one, closing, denials)) is not None:
            lines.append(line)
    lines.sort(key=lambda line: line.cycle)
    return SummaryDraft(lines=tuple(lines), kept=frozenset(), stubs={}, reasons=reasons)


_CLOSED = "its own closing summary stands for it"
_UNCLOSED = "nothing closed it; its events and tools stand for it"


def denials_in(old: Sequence[CycleInView]) -> Denials:
    """Return the words in which people denied or took back what was said, by their cycles."""
    voices = said_of(old)
    takers = {later for places in _misleading(voices).values() for later in places}
    found: dict[int, list[tuple[int, str]]] = {}
    for place, one in enumerate(voices):
        # What the first words deny was said before all that is seen.
        if one.role is Role.USER and (place in takers or (not place and denial_in(one.text))):
            told = quotation(one.speaker or str(one.role), _denying(one.text))
            found.setdefault(one.cycle, []).append((one.seq, told))
    return found


def _misleading(voices: Sequence[SpokenWords]) -> Mapping[int, Sequence[int]]:
    """Return, by the places of what was said, those of what denies it or takes it back."""
    spoken = [(one.speaker or str(one.role), one.text) for one in voices]
    return misleading(spoken, [one.role is Role.USER for one in voices])


def denying_cycles(old: Sequence[CycleInView]) -> Mapping[int, frozenset[int]]:
    """Return, by cycles, the later ones in which something of theirs is denied or taken back."""
    voices = said_of(old)
    found: dict[int, set[int]] = {}
    for place, later in _misleading(voices).items():
        cycles = {voices[one].cycle for one in later if voices[one].cycle > voices[place].cycle}
        if cycles:
            found.setdefault(voices[place].cycle, set()).update(cycles)
    return {cycle: frozenset(later) for cycle, later in found.items()}


def _denying(text: str) -> str:
    """Return the clauses of a text that deny something or take it back, all of a short one."""
    if len(text) <= LONGEST:
        return text
    spans = [span[:2] for span in passages(text)]
    clauses = [clauses_of(spans, part) for part in sorted(turns_in(text))]
    words = (text[spans[each[0]][0] : spans[each[-1]][1]] for each in clauses if each)
    return SEAM.join(dict.fromkeys(words))


def line_of(lived: CycleInView, denials: Denials | None = None) -> SummaryLine | None:
    """Return what a cycle says of itself; None where it has no words at all.

    It is all text of the last assistant message, behind the words in which somebody denied or took
    back what was said before, else a line from its events and tools. Without `denials` (see
    `denials_in`) only its own words tell what these mean.
    """
    if denials is None:
        denials = denials_in([lived])
    return _line(lived, closing_of(lived), denials)


def _line(lived: CycleInView, closing: Message | None, denials: Denials) -> SummaryLine | None:
    if closing is not None:
        own = SummaryLine(text=one_line(text_of(closing)), cycle=lived.cycle, seqs=(closing.seq,))
        return _behind_denials(own, denials.get(lived.cycle, ()))
    text = _events_and_tools(lived)
    if not text:
        return None
    return SummaryLine(
        text=text, cycle=lived.cycle, seqs=tuple(one.seq for one in lived.messages[:1])
    )


def _behind_denials(own: SummaryLine, denials: Sequence[tuple[int, str]]) -> SummaryLine:
    """Return a cycle's own line with the words before it in which somebody denied what was said.

    Without them the line of the cycle before would stand as if it held.
    """
    if not denials:
        return own
    text = " ".join([*(told for _, told in denials), own.text])
    seqs = dict.fromkeys([*(seq for seq, _ in denials), *own.seqs])
    return msgspec.structs.replace(own, text=text, seqs=tuple(seqs))


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
