"""What was said in a cycle, by whom, and how it is quoted."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.rarity import vocabulary
from mindpipe.compaction.selection.selecting import choose
from mindpipe.compaction.task import CompactionTask, Count, CycleInView, SpokenWords
from mindpipe.compaction.wording import one_line, span
from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    ResultPart,
    Role,
    TextPart,
)
from mindpipe.core.records import to_json

RESULT_CHARACTERS = 2000
"""Of a longer tool result only its beginning and its end are read, this many together."""
_HALF = RESULT_CHARACTERS // 2
# Cut at a blank where the half that is nearest to the cut has one, else right there.
_BEGINNING = re.compile(rf"(?s).{{{_HALF // 2},{_HALF}}}(?!\S)|.{{{_HALF}}}")
_END = re.compile(rf"(?s)(?<!\S).{{{_HALF // 2},{_HALF}}}\Z")
_OPENING = "INBOX ("
_INBOX = re.compile(r"INBOX \(\d+ events?\):")
# `[Space] Name (human): "words"`; names and words may be JSON strings.
_NAME = r'"(?:[^"\\]|\\.)*"|[^"\[\](),:]+'
_EVENT = re.compile(
    rf"\[(?P<place>{_NAME})\](?: (?P<sender>{_NAME})(?: \((?P<kind>[^()]*)\))?:)?"
    r'(?: (?P<words>"(?:[^"\\]|\\.)*"|\(empty message\)))?(?: (?P<body>\{.*\}))?'
)
_SPOKEN = ("text", "message", "content", "body")


def said_of(lived: Iterable[CycleInView]) -> tuple[SpokenWords, ...]:
    """Return what was said in cycles, in its order; the program's own notes are left out."""
    return tuple(said for one in lived for said in _of_cycle(one.messages))


def _of_cycle(messages: Iterable[Message]) -> Iterator[SpokenWords]:
    """Yield what the messages of one cycle say."""
    tools: dict[str, str] = {}
    for message in messages:
        if message.role is Role.NOTE and message.origin == "program":
            continue
        for part in message.parts:
            match part:
                case TextPart():
                    yield from _of_text(message, part.text)
                case CallPart():
                    tools[part.id] = part.tool
                    yield _said(message, called(part))
                case ResultPart():
                    yield _said(message, result_words(part), speaker=tools.get(part.call))
                case FilePart():
                    yield _said(message, part.name)
                case _:
                    pass


def _said(message: Message, text: str, *, speaker: str | None = None) -> SpokenWords:
    """Return words of a message."""
    return SpokenWords(message.seq, message.cycle, message.role, speaker, text)


def _of_text(message: Message, text: str) -> Iterator[SpokenWords]:
    """Yield a text; of an inbox every event with its sender and its words."""
    title, _, events = text.partition("\n") if text.startswith(_OPENING) else ("", "", "")
    if message.role is not Role.USER or not _INBOX.fullmatch(title):
        yield _said(message, text)
        return
    for line in events.split("\n"):
        found = _EVENT.fullmatch(line)
        if found is None:
            yield _said(message, line)
            continue
        words = " ".join(word for word in (_plain(found["words"]), found["body"]) if word)
        yield _said(message, words, speaker=_plain(found["sender"] or found["place"]))


def _plain(text: str | None) -> str:
    """Return the text of a JSON string; other text as it is."""
    if text is None or text == "(empty message)":
        return ""
    if not text.startswith('"'):
        return text
    if "\\" not in text:
        return text[1:-1]
    try:
        return str(load_json(text, source="event"))
    except BadInputError:
        return text


def called(part: CallPart) -> str:
    """Return a call in words: of one that speaks only what it says, else tool and arguments."""
    args = part.args or {}
    for name in _SPOKEN:
        words = args.get(name)
        if isinstance(words, str) and words.strip() and " " in words:
            return words
    values = ", ".join(
        value if isinstance(value, str) else to_json(value).decode() for value in args.values()
    )
    return f"{part.tool}: {values or part.args_text}"


def result_words(part: ResultPart) -> str:
    """Return the text of a result, from the middle of a long one nothing."""
    text = part.text or ("" if part.json is None else to_json(part.json).decode())
    if len(text) <= RESULT_CHARACTERS:
        return text
    begun, ended = _BEGINNING.match(text), _END.search(text, len(text) - _HALF)
    return f"{begun[0] if begun else ''}\n{ended[0] if ended else text[-_HALF:]}"


_EARLIER_SHARE = 0.5
# A chosen clause stands on a line of its own, with its cycle and the mark of a quotation.
_CHOSEN_SHARE = 0.8


class QuotedLines(NamedTuple):
    """Quoted lines of earlier summaries and of what was said since.

    `unseen` are the oldest lines of earlier summaries, for which there was no room.
    """

    earlier: tuple[str, ...]
    unseen: tuple[SummaryLine, ...]
    record: tuple[str, ...]


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
        needed = _tokens(record, task.count)
    unseen = _unfitting(told, max(room - needed, int(room * _EARLIER_SHARE)), task.count)
    room -= _tokens(told[unseen:], task.count)
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


def _tokens(lines: Iterable[str], count: Count) -> int:
    """Return the tokens of lines, their line ends included."""
    return sum(count(line) + 1 for line in lines)


def _unfitting(lines: Sequence[str], room: int, count: Count) -> int:
    """Return how many lines at the beginning have to go so that the others fit into a room."""
    for place in range(len(lines), 0, -1):
        room -= count(lines[place - 1]) + 1
        if room < 0:
            return place
    return 0


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
    for seq, own in spoken.words.items():
        for word in own & words:
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
