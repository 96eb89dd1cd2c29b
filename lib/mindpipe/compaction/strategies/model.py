"""A language model writes the summary, in one bounded prompt; what it wrote is then checked."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction import prompts
from mindpipe.compaction.anchors import identifiers, named, names_in, stands_in
from mindpipe.compaction.records import Anchor, SummaryLine
from mindpipe.compaction.selection.extractive import choose, line_sizes
from mindpipe.compaction.selection.fidelity import Wording, contradicted
from mindpipe.compaction.selection.rarity import vocabulary
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.strategies import anchored
from mindpipe.compaction.task import CompactionTask, Count, SpokenWords, SummaryDraft
from mindpipe.compaction.window_text import one_line, quotation, span

ANSWER_TOKENS = 4_000
"""Most tokens of a summary that a model writes, however much room there is."""
LEAST_TOKENS = 200
"""The seven headings with a sentence each; with less room no model is asked."""
# Of the room of a summary: for what has to stand in it, whoever puts it there.
_EXACT_SHARE = 1 / 5
# A model that leaves out, or makes up, more than this has not done what it was asked for.
_MOST_LOST = 1 / 2
_MOST_INVENTED = 1 / 3
# The titles of the prompt's blocks, which stand only over blocks that have lines.
_TITLE_TOKENS = 32
# The dash, the cycle and the line end of a line that stands for an anchor.
_LINE_TOKENS = 8


class QuotedLines(NamedTuple):
    """Quoted lines of earlier summaries and of what was said since.

    `unseen` are the oldest lines of earlier summaries, for which there was no room.
    """

    earlier: tuple[str, ...]
    unseen: tuple[SummaryLine, ...]
    record: tuple[str, ...]


class _Prompt(NamedTuple):
    """What the model is asked: the material, and the most tokens of its answer.

    `exact` are the anchors that have to survive, `unseen` the lines that stay as they are.
    """

    material: prompts.Material
    exact: tuple[Anchor, ...]
    unseen: tuple[SummaryLine, ...]
    tokens: int


def draft(task: CompactionTask) -> SummaryDraft:
    """Return the lines of a model's summary, or those of `anchored` with why there are none.

    The model is asked once, where there is something new to be folded. Of its answer only lines
    under the seven headings are read; a line that names a cycle, path, id or number which is not in
    the record is left out, one that repeats what nobody vouches for is quoted, one that turns its
    source around is left out too, and anchors that it has lost are added. It is not used at all
    where it lacks a heading, is too long, has lost most of the anchors or made up over a third of
    its lines.
    """
    if not task.old:
        return anchored.draft(task)
    found = _summary(task)
    if isinstance(found, str):
        return anchored.draft(task)._replace(strategy="anchored", fallback=found)
    return SummaryDraft(
        lines=found,
        kept=frozenset(),
        stubs={},
        reasons={lived.cycle: "the model's summary speaks for it" for lived in task.old},
    )


def _summary(task: CompactionTask) -> tuple[SummaryLine, ...] | str:
    """Ask the model and return the checked lines of its summary, or why there are none."""
    if task.write is None:
        return "no model was named"
    prompt = _prompt(task)
    if prompt.tokens < LEAST_TOKENS:
        return f"a model needs {LEAST_TOKENS} tokens of room, and there are {prompt.tokens}"
    written = task.write(prompts.question(prompt.material, tokens=prompt.tokens))
    return written.fault or _checked(task, prompt, written.text)


def _prompt(task: CompactionTask) -> _Prompt:
    exact = _exact(task, int(min(task.room, ANSWER_TOKENS) * _EXACT_SHARE))
    seen = shown(task, _room_of_prompt(task, exact))
    allowed = max(0, min(task.room - _written_tokens(task, seen.unseen), ANSWER_TOKENS))
    return _Prompt(
        material=_material(task, exact, seen),
        exact=tuple(exact),
        unseen=seen.unseen,
        tokens=allowed - int(allowed * _EXACT_SHARE),
    )


def _checked(task: CompactionTask, prompt: _Prompt, text: str) -> tuple[SummaryLine, ...] | str:
    """Return the lines of an answer that hold, with what it has lost; or why it is not used."""
    reading = prompts.read_answer(text)
    if reading.missing:
        return f"the model's answer has no heading {', '.join(reading.missing)}"
    if not reading.items:
        return "the model's summary says nothing"
    said = said_of(task.old)
    lines = attributed(_faithful(_borne_out(prompt.material, reading.items), said), said)
    made_up = len(reading.items) - len(lines)
    if made_up > len(reading.items) * _MOST_INVENTED:
        return f"the model made up {made_up} of the {len(reading.items)} lines of its summary"
    if (tokens := _written_tokens(task, lines)) > prompt.tokens:
        return f"the model's summary has {tokens} tokens, and {prompt.tokens} were allowed"
    lost = _lost(lines, prompt.exact)
    if len(lost) > len(prompt.exact) * _MOST_LOST:
        return f"the model's summary lacks {len(lost)} of {len(prompt.exact)} anchors"
    return (*prompt.unseen, *sourced(lines, said), *lost)


def _room_of_prompt(task: CompactionTask, exact: Sequence[Anchor]) -> int:
    """Return the tokens that a prompt has for what is shown."""
    frame = prompts.question(_material(task, exact, QuotedLines((), (), ())), tokens=ANSWER_TOKENS)
    taken = task.count(frame.system) + task.count(frame.text) + _TITLE_TOKENS
    return max(0, task.prompt_tokens - taken)


def _material(task: CompactionTask, exact: Sequence[Anchor], seen: QuotedLines) -> prompts.Material:
    spans = [(summary.first, summary.last) for summary in task.folded]
    spans += [(lived.cycle, lived.cycle) for lived in task.old]
    return prompts.Material(
        first=min(first for first, _ in spans),
        last=max(last for _, last in spans),
        earlier=seen.earlier,
        record=seen.record,
        exact=[quoted(anchor.text) for anchor in exact],
    )


def _exact(task: CompactionTask, room: int) -> list[Anchor]:
    """Return the paths, addresses and ids that the summary has to hold: the first that fit."""
    exact: dict[str, Anchor] = {}
    for anchor in (*named(task.old), *_named_earlier(task)):
        room -= task.count(_line_of(anchor).text) + _LINE_TOKENS
        if room < 0:
            break
        exact.setdefault(anchor.text, anchor)
    return list(exact.values())


def _named_earlier(task: CompactionTask) -> Iterator[Anchor]:
    """Yield the paths, addresses and ids in the lines of earlier summaries, newest first."""
    lines = [line for summary in task.folded for line in summary.lines]
    for line in reversed(lines):
        for kind, text in names_in(line.text):
            yield Anchor(kind=kind, text=text, cycle=line.cycle, seq=max(line.seqs, default=0))


def _line_of(anchor: Anchor) -> SummaryLine:
    """Return the line that stands for an anchor which the model has left out."""
    seqs = (anchor.seq,) if anchor.seq else ()
    return SummaryLine(
        text=f"{prompts.EXACTLY}: {one_line(anchor.text)}", cycle=anchor.cycle, seqs=seqs
    )


def _lost(lines: Sequence[SummaryLine], exact: Sequence[Anchor]) -> tuple[SummaryLine, ...]:
    text = "\n".join(line.text for line in lines)
    return tuple(_line_of(anchor) for anchor in exact if not stands_in(one_line(anchor.text), text))


def _borne_out(
    material: prompts.Material, items: Sequence[prompts.SummaryItem]
) -> tuple[SummaryLine, ...]:
    """Return lines for what the record bears out; one without cycles speaks of all of them."""
    record = "\n".join([*material.earlier, *material.record, *material.exact])
    return tuple(
        SummaryLine(
            text=f"{item.label}: {item.text}",
            cycle=item.cycle or material.first,
            until=item.until or material.last,
        )
        for item in items
        if _is_borne_out(item, material, record)
    )


def _is_borne_out(item: prompts.SummaryItem, material: prompts.Material, record: str) -> bool:
    """Tell whether the record has the cycles and all identifiers of a line."""
    if item.cycle and not material.first <= item.cycle <= item.until <= material.last:
        return False
    return all(stands_in(word, record) for word in identifiers(item.text))


def _faithful(lines: Sequence[SummaryLine], said: Sequence[SpokenWords]) -> list[SummaryLine]:
    """Return lines without those that say the opposite of what they stand on.

    Words of an error, names, words to look up and what is to be done claim nothing.
    """
    wordings = [
        Wording(at, words, line.cycle, line.until or line.cycle)
        for at, line in enumerate(lines)
        for label, _, words in (line.text.partition(": "),)
        if label in prompts.CLAIMS
    ]
    turned = contradicted(wordings, said)
    return [line for at, line in enumerate(lines) if at not in turned]


def _written_tokens(task: CompactionTask, lines: Sequence[SummaryLine]) -> int:
    """Return the tokens of lines as they stand in a window."""
    return sum(line_sizes(lines, task.count))


_EARLIER_SHARE = 0.5
# A chosen clause stands on a line of its own, with its cycle and the mark of a quotation.
_CHOSEN_SHARE = 0.8


def quoted(text: str) -> str:
    """Return somebody's words as one line of the record, which nothing in them can end."""
    return f"> {one_line(text)}"


def quoted_line(line: SummaryLine) -> str:
    """Return a line of a summary as it is quoted, with its cycles."""
    return quoted(f"[{span(line.cycle, line.until or line.cycle)}] {line.text}")


def shown(task: CompactionTask, room: int) -> QuotedLines:
    """Return the material of one prompt: all of it, or what is chosen to fit into the room.

    One bounded prompt, because a summary of summaries loses twice, and because its cost is known
    before it is sent. Lines of earlier summaries have half of the room, or what the record leaves;
    a record that is longer than the rest is reduced as the strategy `anchored` does it.
    """
    lines = [line for summary in task.folded for line in summary.lines]
    told = [quoted_line(line) for line in lines]
    said = said_of(task.old)
    dates = {lived.cycle: lived.messages[0].at[:10] for lived in task.old if lived.messages}
    record: list[str] = []
    needed = room
    if sum(lived.tokens for lived in task.old) <= room:
        record = _dated(((one.cycle, _whole(one)) for one in said), dates)
        needed = _quoted_tokens(record, task.count)
    unseen = _unfitting(told, max(room - needed, int(room * _EARLIER_SHARE)), task.count)
    room -= _quoted_tokens(told[unseen:], task.count)
    if needed > room or not record:
        chosen = choose(said, room=int(room * _CHOSEN_SHARE), count=task.count)
        record = _dated(((line.cycle, quoted_line(line)) for line in chosen), dates)
        record = record[_unfitting(record, room, task.count) :]
    return QuotedLines(tuple(told[unseen:]), tuple(lines[:unseen]), tuple(record))


def _whole(said: SpokenWords) -> str:
    """Return a message as a line of the record: its cycle, who said it, the words."""
    speaker = f" {said.speaker}" if said.speaker else ""
    return quoted(f"[{said.cycle} {said.role}{speaker}] {said.text}")


def _dated(lines: Iterable[tuple[int, str]], dates: Mapping[int, str]) -> list[str]:
    """Return lines with the date before the first of each day; `dates` are those of cycles."""
    dated: list[str] = []
    before = ""
    for cycle, line in lines:
        date = dates.get(cycle, "")
        if date not in {"", before}:
            dated.append(quoted(f"({date})"))
            before = date
        dated.append(line)
    return dated


def _quoted_tokens(lines: Iterable[str], count: Count) -> int:
    """Return the tokens of lines, their line ends included."""
    return sum(count(line) + 1 for line in lines)


def _unfitting(lines: Sequence[str], room: int, count: Count) -> int:
    """Return how many lines at the beginning have to go so that the others fit into a room."""
    for place in range(len(lines), 0, -1):
        room -= count(lines[place - 1]) + 1
        if room < 0:
            return place
    return 0


REPEATED = 5
"""So many words in a row that somebody said make a line a repetition of his."""
_ANY_WORD = re.compile(r"\w+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def attributed(
    lines: Iterable[SummaryLine], said: Iterable[SpokenWords]
) -> tuple[SummaryLine, ...]:
    """Return lines, of which those are quotations that repeat words which nobody vouches for."""
    speakers: dict[tuple[str, ...], str] = {}
    for one in said:
        if one.of_others:
            speakers |= dict.fromkeys(_runs(one.text), one.speaker or "somebody")
    found: list[SummaryLine] = []
    for line in lines:
        runs = _runs(_STRING.sub(" ", line.text))
        who = next((speakers[run] for run in runs if run in speakers), None)
        text = line.text if who is None else quotation(f"as {who} had it", line.text)
        found.append(msgspec.structs.replace(line, text=text))
    return tuple(found)


def _runs(text: str) -> list[tuple[str, ...]]:
    """Return every run of some words in a text."""
    words = _ANY_WORD.findall(text.lower())
    return list(zip(*(words[start:] for start in range(REPEATED)), strict=False))


MOST_SEQS = 8
"""Most messages that a line names as its sources."""
_SHARED = 2
_WORD = re.compile(r"[^\W_]{3,}")


class _Held(NamedTuple):
    """A word: how rare it is, and the messages that hold it."""

    weight: float
    seqs: list[int]


def sourced(lines: Iterable[SummaryLine], said: Sequence[SpokenWords]) -> tuple[SummaryLine, ...]:
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


def _held(words: set[str], said: Sequence[SpokenWords]) -> dict[str, _Held]:
    """Return those of some words that were said."""
    spoken = vocabulary(said)
    held: dict[str, _Held] = {}
    for seq in spoken.words:
        for word in spoken.of(seq) & words:
            held.setdefault(word, _Held(spoken.weight(word), [])).seqs.append(seq)
    return held


def _sources(
    line: SummaryLine, words: Iterable[_Held], cycles: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the messages that hold words of a line, out of its cycles."""
    shared: dict[int, list[float]] = {}
    for word in words:
        for seq in word.seqs:
            if line.cycle <= cycles[seq] <= max(line.cycle, line.until):
                shared.setdefault(seq, []).append(word.weight)
    sources = [seq for seq, weights in shared.items() if len(weights) >= _SHARED]
    sources.sort(key=lambda seq: (-sum(sorted(shared[seq])), seq))
    return tuple(sources[:MOST_SEQS])
