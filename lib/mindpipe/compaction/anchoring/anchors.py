"""What of a cycle is kept word for word: names, figures, tasks, decisions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mindpipe.compaction.records import Anchor, AnchorKind
from mindpipe.compaction.selection.said import said_of
from mindpipe.compaction.task import CycleInView, SpokenWords
from mindpipe.compaction.wording import one_line
from mindpipe.core.messages import CallPart, Message, ResultPart, Role, TextPart
from mindpipe.core.records import to_json
from mindpipe.providers.words import FAILED

TASK_CHARACTERS = 600
SENTENCE_CHARACTERS = 240
READ_CHARACTERS = 20_000
"""Of a longer part no more is searched for identifiers."""
ERRORS_OF_ONE = 3
"""Most lines of one result that are taken as its errors."""

_ENDINGS = (
    "c|cc|cpp|css|csv|db|diff|doc|docx|env|go|h|html|ini|ipynb|java|jpg|js|json|jsonl|jsx|lock|log|"
    "md|mjs|parquet|patch|pdf|php|pkl|png|proto|py|pyi|rb|rs|rst|scss|sh|sql|sqlite|svg|tar|tex|"
    "toml|ts|tsx|txt|vue|wav|xls|xlsx|xml|yaml|yml|zip"
)
# A run of what may stand inside a name; a comma or a bracket ends it.
_RUN = re.compile(r"[^\s\"'`<>()\[\]{},;|\\*]{4,}")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://.+")
# The name of an argument or field, which belongs to no path or id.
_KEY = re.compile(r"^[A-Za-z_-]+[:=]")
_PATH = re.compile(
    rf"(?:[~.]{{0,2}}/)?(?:[\w.@+~-]+/)+[\w.@+~-]*|/[\w.@+-]+|[\w.-]+\.(?:{_ENDINGS})"
)
_ID = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[#@]?(?=[\w-]*\d)\w[\w-]{3,}")
# What has a digit and yet means no one thing: 10th, 3pm, 20s, 10-minute, 1000, 2024-01-02, 5-10.
_PLAIN = re.compile(
    r"\d{1,4}(?:st|nd|rd|th|s|k|m|x|am|pm|km|kg|cm|mm|ml|ms|gb|mb|kb|min|mins|hrs|hours|px)?"
    r"|\d+(?:-[A-Za-z]+)+|[A-Za-z]+-\d{1,2}|\d{1,4}(?:-\d{1,4})+|\d{4}-\d\d-\d\dT[\w-]*",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
# An id as mindpipe makes it for messages, calls and posts.
_MINTED = re.compile(r"[a-z]_[0-9A-Za-z]{22}")
# Names of errno.h are some of what begins with E and has only capitals.
_ERRNO = (
    "EACCES|EADDRINUSE|EAGAIN|EBUSY|ECONNREFUSED|ECONNRESET|EEXIST|EHOSTUNREACH|EINVAL|EIO|EISDIR|"
    "EMFILE|ENOENT|ENOMEM|ENOSPC|ENOTDIR|ENOTEMPTY|ENOTFOUND|EPERM|EPIPE|EROFS|ETIMEDOUT"
)
_ERROR = re.compile(
    rf"\b(?:[A-Z]\w*(?:Error|Exception)\b|(?i:error|fatal|failed)\b\s*:|(?:{_ERRNO})\b)"
    rf"|\[(?i:error)\]"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-Z0-9])|\n+")
_DIRECTIVE = re.compile(
    r"(?:please,? )?(?:always|never|from now on|in (?:the )?future|remember (?:to|that)|make sure|"
    r"be sure to|do not|don't|whenever|every (?:day|week|month|morning|evening|hour|time|monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday))\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|agreed (?:to|on|that|with)|chose|settled on|approved|rejected|"
    r"concluded|going with|went with)\b",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"\b(?:I(?:'|’)ll|I will|we(?:'|’)ll|we will|I promised?|promised to|pending|waiting for)\b",
    re.IGNORECASE,
)
# What each of the patterns above needs; looking for these first is twenty times as fast.
_ERROR_STEMS = ("rror", "RROR", "xception", "atal", "ATAL", "ailed", "AILED", *_ERRNO.split("|"))
_STEMS = (
    *("always", "never", "from now", "future", "remember", "make sure", "be sure", "do not"),
    *("don't", "whenever", "every ", "decid", "decis", "agreed", "chose", "settled on", "approved"),
    *("rejected", "concluded", "going with", "went with", "'ll", "’ll", " will", "promise"),
    *("pending", "waiting for"),
)
_WEIGHTS = {Role.USER: 3.0, Role.ASSISTANT: 3.0, Role.NOTE: 2.0, Role.TOOL: 1.0}


def anchors_of(
    lived: Sequence[CycleInView], said: Sequence[SpokenWords] | None = None
) -> list[Anchor]:
    """Return the anchors of some cycles, each once, the most important first.

    `said` is what was said in them, where that is known already.

    These are the first words of all and standing directives, tickets, errors (newest first), then
    paths, addresses and ids by how often and by whom they were said, then decisions and promises.
    """
    said = said_of(lived) if said is None else said
    sentences = list(_of_sentences(said))
    first = _opening_task(lived, said)
    tickets, errors = list(_tickets(lived)), list(_errors(lived))
    ordered = [
        *first,
        *(one for one in sentences if one.kind == "task"),
        *reversed(tickets),
        *reversed(errors),
        *named(lived),
        *(one for one in reversed(sentences) if one.kind != "task"),
    ]
    return each_once(ordered)


def each_once(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Return anchors without those of which the words stood before."""
    found: dict[tuple[AnchorKind, str], Anchor] = {}
    for one in anchors:
        found.setdefault((one.kind, one.text), one)
    return list(found.values())


def names_in(text: str) -> list[tuple[AnchorKind, str]]:
    """Return the addresses, paths and ids in a text, each once."""
    found = map(name_of, dict.fromkeys(_RUN.findall(text)))
    return list(dict.fromkeys(filter(None, found)))


@lru_cache(maxsize=1 << 15)
def name_of(run: str) -> tuple[AnchorKind, str] | None:
    """Return the address, path or id that a run of characters is, or None."""
    if run.isalpha():
        return None
    word = run.rstrip(".:!?-…").lstrip(":")
    if "://" in word and _URL.fullmatch(word):
        return "url", word
    if ":" in word or "=" in word:
        word = _KEY.sub("", word)
    if ("/" in word or "." in word) and _PATH.fullmatch(word) and _is_path(word):
        return "path", word
    if _ID.fullmatch(word) and not _PLAIN.fullmatch(word):
        return "id", word
    return None


def named(lived: Iterable[CycleInView]) -> list[Anchor]:
    """Return the paths, addresses and ids of cycles, those first that are likeliest to be needed.

    A mention in what a person or the agent said counts thrice that in a result; of a part that
    names many, each counts less; newer ones count more, and ids of one digit half: most of them are
    names of fields.
    """
    worth: dict[tuple[AnchorKind, str], float] = {}
    newest: dict[tuple[AnchorKind, str], Message] = {}
    spoken: set[tuple[AnchorKind, str]] = set()
    number = 0
    for number, message in enumerate((one for each in lived for one in each.messages), 1):
        names = names_in(searched_words(message))
        if message.role is not Role.TOOL:
            spoken.update(names)
        if not names:
            continue
        weight = _WEIGHTS[message.role] * number / len(names) ** 0.5
        for name in names:
            half = 0.5 if name[0] == "id" and len(_DIGIT.findall(name[1])) == 1 else 1.0
            worth[name] = worth.get(name, 0.0) + weight * half
            newest.setdefault(name, message)
    ordered = sorted(worth, key=lambda name: -worth[name])
    return [
        Anchor(kind=kind, text=text, cycle=(by := newest[kind, text]).cycle, seq=by.seq)
        for kind, text in ordered
        if (kind, text) in spoken or not _MINTED.fullmatch(text)
    ]


def searched_words(message: Message) -> str:
    """Return what of a message is searched for names."""
    words: list[str] = []
    for part in message.parts:
        match part:
            case TextPart():
                words.append(part.text[:READ_CHARACTERS])
            case CallPart():
                words.append((part.args_text or to_json(part.args).decode())[:READ_CHARACTERS])
            case ResultPart():
                text = part.text or ("" if part.json is None else to_json(part.json).decode())
                words.append(text[:READ_CHARACTERS])
            case _:
                pass
    return "\n".join(words)


def _is_path(word: str) -> bool:
    """Tell whether a word with slashes is a path, and no date, share or choice of two words."""
    steps = [step for step in word.split("/") if step]
    if not any(step[:1].isalpha() or step[:1] in "._~" for step in steps):
        return False
    return "." in steps[-1] or len(steps) > 2 or (word[0] in "/~." and len(word) > 2)


def _opening_task(lived: Sequence[CycleInView], said: Sequence[SpokenWords]) -> list[Anchor]:
    """Return the very first words that an agent was given, where they are in these cycles."""
    if not lived or lived[0].cycle != 1:
        return []
    words = [one for one in said if one.cycle == 1 and one.role is Role.USER and one.text.strip()]
    return [_anchor("task", one, one.text, TASK_CHARACTERS) for one in words[:1]]


def _of_sentences(said: Iterable[SpokenWords]) -> Iterator[Anchor]:
    """Yield directives of people, notes of the operator, decisions and promises; no questions."""
    for one in said:
        if one.role is Role.NOTE:
            yield _anchor("task", one, one.text, SENTENCE_CHARACTERS)
        if one.role not in {Role.USER, Role.ASSISTANT} or not _may_tell(one.text):
            continue
        for words in sentences(one.text):
            if words.endswith("?"):
                continue
            if one.role is Role.USER and _DIRECTIVE.match(words):
                yield _anchor("task", one, words, SENTENCE_CHARACTERS)
            elif is_decision(words):
                yield _anchor("decision", one, words, SENTENCE_CHARACTERS)
            elif one.role is Role.ASSISTANT and _PROMISE.search(words):
                yield _anchor("promise", one, words, SENTENCE_CHARACTERS)


def _may_tell(text: str) -> bool:
    """Tell whether a text may hold a directive, a decision or a promise: the fast question."""
    lower = text.lower()
    return any(map(lower.__contains__, _STEMS))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text without the marks of lists and quotations around them."""
    stripped = (sentence.strip(' -*•\t"“”') for sentence in _SENTENCE.split(text))
    return [sentence for sentence in stripped if sentence]


def is_decision(sentence: str) -> bool:
    """Tell whether a sentence says that something was decided."""
    return _DECISION.search(sentence) is not None


def _tickets(lived: Iterable[CycleInView]) -> Iterator[Anchor]:
    """Yield the tickets of calls that were to wait for a person."""
    for one in lived:
        for message in one.messages:
            for part in message.parts:
                if isinstance(part, ResultPart) and part.ticket:
                    yield Anchor(
                        kind="ticket", text=one_line(part.ticket), cycle=one.cycle, seq=message.seq
                    )


def _errors(lived: Iterable[CycleInView]) -> Iterator[Anchor]:
    """Yield the first lines of results that failed, and lines that tell of an error."""
    for one in lived:
        for message in one.messages:
            for part in message.parts:
                if isinstance(part, ResultPart):
                    for line in _error_lines(part):
                        yield Anchor(
                            kind="error",
                            text=shortened(line, SENTENCE_CHARACTERS),
                            cycle=one.cycle,
                            seq=message.seq,
                        )


def _error_lines(part: ResultPart) -> list[str]:
    """Return the lines of a result that say what went wrong."""
    failed = part.status in FAILED
    if not failed and not any(map(part.text.__contains__, _ERROR_STEMS)):
        return []
    if not failed and not _ERROR.search(part.text, 0, READ_CHARACTERS):
        return []
    lines = [line for line in part.text[:READ_CHARACTERS].splitlines() if line.strip()]
    telling = [line for line in lines if _ERROR.search(line)]
    return (telling or lines[: 1 if failed else 0])[-ERRORS_OF_ONE:]


def _anchor(kind: AnchorKind, said: SpokenWords, text: str, most: int) -> Anchor:
    """Return words of somebody as an anchor."""
    return Anchor(kind=kind, text=shortened(text, most), cycle=said.cycle, seq=said.seq)


def shortened(text: str, most: int) -> str:
    """Return text as one line of at most `most` characters."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


# What may stand inside of one; the ends are trimmed to letters and digits.
_IDENTIFIER_RUN = re.compile(r"(?:[^\s\"'`()\[\]{}<>,;|*“”‘’«»…]|(?<=\d),(?=\d))+")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")
# A digit; a slash, underscore, at sign or backslash inside; a dot before a name's ending; a capital
# after a small letter.
_TELLING = re.compile(r"\d|\w[/\\@_]\w|\w:[/\\]|\w\.\w{2}|[a-z][A-Z]")
# "10-minute" is a number and a word.
_MEASURED = re.compile(r"^(\d+)-[^\W\d_]+$")


def identifiers(text: str) -> Iterator[str]:
    """Yield what of a text is a path, an address, an id, a number or a date."""
    for run in _IDENTIFIER_RUN.findall(text):
        word = _MEASURED.sub(r"\1", _ENDS.sub("", run))
        if _TELLING.search(word):
            yield word


def stands_in(word: str, text: str) -> bool:
    """Tell whether a word stands in a text, not as a piece of a longer word or number."""
    place = text.find(word)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(word) : place + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        place = text.find(word, place + 1)
    return False
