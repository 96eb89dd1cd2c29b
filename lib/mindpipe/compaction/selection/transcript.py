"""What was said in cycles: the words of each message, and who said them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.governing import governed
from mindpipe.compaction.selection.passages import passages
from mindpipe.compaction.task import CycleInView, SpokenWords
from mindpipe.compaction.window_text import one_line, quotation
from mindpipe.core.attachments import placeholder, placeholders_in
from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    ResultPart,
    Role,
    TextPart,
    text_of,
)
from mindpipe.core.records import to_json
from mindpipe.history.rows import result_text, searched_text

RESULT_CHARACTERS = 2000
"""Of a longer tool result only its beginning and its end are read, this many together."""
_HALF = RESULT_CHARACTERS // 2
_OPENING = "INBOX ("
_INBOX = r"INBOX \(\d+ events?\):"
# `[Space] Name (human): "words"`; names and words may be JSON strings, `[service SOURCE]` in part.
_STRING = r'"(?:[^"\\]|\\.)*"'
_NAME = rf'{_STRING}|[^"\[\](),:]+'
_PLACE = rf'{_STRING}|[^"\[\]\n]+(?:{_STRING})?'
_EVENT = (
    rf"\[(?P<place>{_PLACE})\](?: (?P<sender>{_NAME})(?: \((?P<kind>[^()]*)\))?:)?"
    r'(?: (?P<words>"(?:[^"\\]|\\.)*"|\(empty message\)))?(?: (?P<body>\{.*\}))?'
    r"(?P<files>(?: \[file .*\])?)"
)
# Who says what a file says or is.
_ATTACHED = "a file that came along"
_FILE_TEXT = "  [text of "
# A name at the beginning of a line, which is no role and no word that opens a remark.
_NAMED = (
    r"(?m)^(?!(?i:user|assistant|tool|system|developer|note|todo|ps|re|fwd|warning|error|example|"
    r"question|answer|yes|no|nope|correction|wrong|false|sorry|update|edit)\b)"
    r"([A-Z][\w'’-]{1,30}(?: [A-Z][\w'’.-]{0,30}){0,2}(?: \([^()\n]{1,30}\))?): (?=\S)"
)
_SPOKEN = ("text", "message", "content", "body")


class Transcript(Iterable[SpokenWords]):
    """What was said in cycles, in its order; the program's own notes are left out.

    It is found anew each time that somebody goes through it, so that it takes no memory.
    """

    def __init__(self, lived: Sequence[CycleInView]) -> None:
        self._lived = lived

    def __iter__(self) -> Iterator[SpokenWords]:
        """Yield what was said."""
        return (said for one in self._lived for said in _of_cycle(one.messages))


def said_of(lived: Sequence[CycleInView]) -> tuple[SpokenWords, ...]:
    """Return what was said in cycles, all at once."""
    return tuple(Transcript(lived))


def words_said(message: Message) -> str:
    """Return what a message says: of what came in each event by whom, all else as it is."""
    if message.role is not Role.USER:
        return searched_text(message)
    lines = [
        f"{said.speaker}: {said.text}" if said.speaker else said.text
        for said in _of_cycle((message,))
    ]
    return "\n".join(lines) or searched_text(message)


def _of_cycle(messages: Iterable[Message]) -> Iterator[SpokenWords]:
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
                case FilePart() if (named := placeholder(part)) not in text_of(message):
                    yield _said(message, named, speaker=_ATTACHED)
                case _:
                    pass


def _said(message: Message, text: str, *, speaker: str | None = None) -> SpokenWords:
    return SpokenWords(message.seq, message.cycle, message.role, speaker, text, taint=message.taint)


def _of_text(message: Message, text: str) -> Iterator[SpokenWords]:
    """Yield a text; of an inbox every event with its sender and its words."""
    title, _, events = text.partition("\n") if text.startswith(_OPENING) else ("", "", "")
    if message.role is not Role.USER or not re.fullmatch(_INBOX, title):
        yield from _of_speakers(message, text)
        return
    for line in events.split("\n"):
        found = re.fullmatch(_EVENT, line)
        if found is None and line.startswith(_FILE_TEXT):
            name, _, words = line.removeprefix(_FILE_TEXT).partition("] ")
            yield _said(message, _plain(words), speaker=f"the file {name}")
            continue
        if found is None:
            yield _said(message, line)
            continue
        said = (_plain(found["words"]), found["body"], found["files"].strip())
        words = " ".join(word for word in said if word)
        yield _said(message, words, speaker=_plain(found["sender"] or found["place"]))


def _of_speakers(message: Message, text: str) -> Iterator[SpokenWords]:
    """Yield a text; of a user's that begins with `Name: ` the words below each name, as its own.

    A name that others gave is no proof of who spoke, and is said to be given.
    """
    named = re.compile(_NAMED)
    if message.role is not Role.USER or named.match(text) is None:
        yield _said(message, text)
        return
    found = list(named.finditer(text))
    for one, after in zip(found, [*found[1:], None], strict=True):
        words = text[one.end() : after.start() if after else len(text)].rstrip()
        who = f"somebody as {one[1]}" if message.taint else one[1]
        yield _said(message, words, speaker=who)


def files_in(lived: CycleInView) -> SummaryLine | None:
    """Return the files that went along with what a cycle took in as a line; None where none did.

    What nobody vouches for is quoted, as a file's name is whatever its sender called it.
    """
    named: dict[str, None] = {}
    seqs: list[int] = []
    taint = False
    for message in lived.messages:
        own = [placeholder(part) for part in message.parts if isinstance(part, FilePart)]
        if message.role in (Role.USER, Role.NOTE) and message.origin != "program":
            for line in text_of(message).split("\n"):
                found = re.fullmatch(_EVENT, line) if "[file " in line else None
                own += placeholders_in(found["files"]) if found else []
        if own:
            named |= dict.fromkeys(own)
            seqs.append(message.seq)
            taint = taint or message.taint
    if not named:
        return None
    words = " ".join(named)
    text = quotation(_ATTACHED, words) if taint else f"came along: {one_line(words)}"
    return SummaryLine(text=text, cycle=lived.cycle, seqs=tuple(seqs))


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
    """Return the text of a result, of a long one the passages at its beginning and at its end."""
    text = result_text(part)
    if len(text) <= RESULT_CHARACTERS:
        return text
    return f"{_begun(text[:_HALF])}\n\n{_ended(text[-_HALF:])}"


# What is cut short says nothing for sure, and goes; where no sentence ends at all, as in a row of
# numbers, a blank parts what stays, if there is no word that governs others.
def _begun(half: str) -> str:
    own = passages(half)
    if len(own) > 1:
        return half[: own[-2].end]
    return "" if governed(half) else half[: half.rfind(" ") if " " in half else None]


def _ended(half: str) -> str:
    own = passages(half)
    if len(own) > 1:
        return half[own[1].start :]
    return "" if governed(half) else half[half.find(" ") + 1 :]
