"""Anchors: what of the cycles that leave stays word for word, and the pointer to the rest."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import NamedTuple

import msgspec

from mindpipe.compaction.records import (
    Anchor,
    AnchorKind,
    Anchors,
    Measures,
    Overlay,
    Pointer,
    Summary,
)
from mindpipe.compaction.selection.passages import leading, passages
from mindpipe.compaction.selection.rarity import grounded_share, search_terms, vocabulary
from mindpipe.compaction.selection.transcript import Transcript
from mindpipe.compaction.selection.withdrawals import withdrawn
from mindpipe.compaction.task import Count, CycleInView, SpokenWords
from mindpipe.compaction.window_text import (
    NAMED_KINDS,
    one_line,
    pointer_text,
    speaker_label,
    summary_text,
    written_part,
)
from mindpipe.core.messages import CallPart, Message, ResultPart, Role, TextPart
from mindpipe.core.records import to_json
from mindpipe.history.rows import result_text
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
# Patterns are texts, compiled when they are first used: every plan loads this, few need them all.
# A run of what may stand inside a name; a comma or a bracket ends it.
_RUN = r"[^\s\"'`<>()\[\]{},;|\\*]{4,}"
_URL = r"[a-z][a-z0-9+.-]+://.+"
# The name of an argument or field, which belongs to no path or id.
_KEY = r"^[A-Za-z_-]+[:=]"
_PATH = rf"(?:[~.]{{0,2}}/)?(?:[\w.@+~-]+/)+[\w.@+~-]*|/[\w.@+-]+|[\w.-]+\.(?:{_ENDINGS})"
_ID = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[#@]?(?=[\w-]*\d)\w[\w-]{3,}"
# What has a digit and yet means no one thing: 10th, 3pm, 20s, 10-minute, 1000, 2024-01-02, 5-10.
_PLAIN = (
    r"(?i)\d{1,4}(?:st|nd|rd|th|s|k|m|x|am|pm|km|kg|cm|mm|ml|ms|gb|mb|kb|min|mins|hrs|hours|px)?"
    r"|\d+(?:-[A-Za-z]+)+|[A-Za-z]+-\d{1,2}|\d{1,4}(?:-\d{1,4})+|\d{4}-\d\d-\d\dT[\w-]*"
)
_DIGIT = r"\d"
# An id as mindpipe makes it: of messages and calls, of observations and decisions.
_MINTED = r"[a-z]{1,2}_[0-9A-Za-z]{22}"
# Names of errno.h are some of what begins with E and has only capitals.
_ERRNO = (
    "EACCES|EADDRINUSE|EAGAIN|EBUSY|ECONNREFUSED|ECONNRESET|EEXIST|EHOSTUNREACH|EINVAL|EIO|EISDIR|"
    "EMFILE|ENOENT|ENOMEM|ENOSPC|ENOTDIR|ENOTEMPTY|ENOTFOUND|EPERM|EPIPE|EROFS|ETIMEDOUT"
)
_ERROR = (
    rf"\b(?:[A-Z]\w*(?:Error|Exception)\b|(?i:error|fatal|failed)\b\s*:|(?:{_ERRNO})\b)"
    rf"|\[(?i:error)\]"
)
# An order that stands: the word behind it is a verb, and nobody else is its subject.
_STANDING = (
    r"(?i)(?:please,? )?(?:"
    r"(?:from now on|in (?:the )?future|(?:whenever|every time)\b[^,]*|every (?:day|week|month|"
    r"morning|evening|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b,?"
    r"(?: (?:please|always|never|do not|don['’]t))*"
    r"|(?:always|never|do not|don['’]t)|remember to|make sure(?: to| that)?|be sure to"
    r") (?P<first>\w+)"
)
_NO_VERBS = frozenset(
    re.findall(
        r"\w+",
        "i we you he she it they there this that these those my our your his her its their the "
        "a an is are was were am been be had has have did does seen heard thought knew felt gone "
        "mind worry so too such again in at on of for to with when and or but nice good great one "
        "lovely happy glad sorry fun better best worse",
    )
)
"""What behind always, never, don't or every day shows that nothing is asked of anybody."""
_DECISION = (
    r"(?i)\b(?:decided|decision|agreed (?:to|on|that|with)|chose|settled on|approved|rejected|"
    r"concluded|going with|went with)\b"
)
_PROMISE = (
    r"(?i)\b(?:I(?:'|’)ll|I will|we(?:'|’)ll|we will|I promised?|promised to|pending|waiting for)\b"
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


_ASKED: tuple[AnchorKind, ...] = ("task", "quoted")


def anchors_of(
    lived: Sequence[CycleInView], said: Iterable[SpokenWords] | None = None
) -> list[Anchor]:
    """Return the anchors of some cycles, each once, the most important first.

    `said` is what was said in them, where that is known already.

    These are the first words of all and standing orders, tickets, errors (newest first), then
    paths, addresses and ids by how often and by whom they were said, then decisions and promises.
    """
    said = Transcript(lived) if said is None else said
    sentences = list(_of_sentences(said))
    first = _opening_task(lived, said)
    tickets, errors = list(_tickets(lived)), list(_errors(lived))
    ordered = [
        *first,
        *(one for one in sentences if one.kind in _ASKED),
        *reversed(tickets),
        *reversed(errors),
        *named(lived),
        *(one for one in reversed(sentences) if one.kind not in _ASKED),
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
    found = map(name_of, dict.fromkeys(re.findall(_RUN, text)))
    return list(dict.fromkeys(filter(None, found)))


@lru_cache(maxsize=1 << 15)
def name_of(run: str) -> tuple[AnchorKind, str] | None:
    """Return the address, path or id that a run of characters is, or None."""
    # Most runs are words, which the patterns need not see.
    if run.isalpha():
        return None
    word = run.rstrip(".:!?-…").lstrip(":")
    if "://" in word and re.fullmatch(_URL, word):
        return "url", word
    if ":" in word or "=" in word:
        word = re.sub(_KEY, "", word)
    if ("/" in word or "." in word) and re.fullmatch(_PATH, word) and _is_path(word):
        return "path", word
    if re.fullmatch(_ID, word) and not re.fullmatch(_PLAIN, word):
        return "id", word
    return None


def named(lived: Iterable[CycleInView]) -> list[Anchor]:
    """Return the paths, addresses and ids of cycles, those first that are likeliest to be needed.

    A mention in what a person or the agent said counts thrice that in a result; of a part that
    names many, each counts less; newer ones count more, and ids of one digit half: most of them are
    names of fields.
    """
    worth: dict[tuple[AnchorKind, str], float] = {}
    first: dict[tuple[AnchorKind, str], tuple[int, int]] = {}
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
            half = 0.5 if name[0] == "id" and len(re.findall(_DIGIT, name[1])) == 1 else 1.0
            worth[name] = worth.get(name, 0.0) + weight * half
            first.setdefault(name, (message.cycle, message.seq))
    ordered = sorted(worth, key=lambda name: -worth[name])
    return [
        Anchor(kind=kind, text=text, cycle=first[kind, text][0], seq=first[kind, text][1])
        for kind, text in ordered
        if (kind, text) in spoken or not re.fullmatch(_MINTED, text)
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
                text = result_text(part)
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


def _opening_task(lived: Sequence[CycleInView], said: Iterable[SpokenWords]) -> list[Anchor]:
    """Return the very first words that an agent was given, where they are in these cycles."""
    if not lived or lived[0].cycle != 1 or not any(map(_of_agent, said)):
        return []
    begun = takewhile(lambda one: one.cycle == 1, said)
    words = [one for one in begun if one.role is Role.USER and one.text.strip()]
    if words and words[0] not in _standing(said):
        return []
    return [anchor for one in words[:1] for anchor in _said("task", one, one.text, TASK_CHARACTERS)]


def _standing(said: Iterable[SpokenWords]) -> list[SpokenWords]:
    """Return what nobody has taken back: an anchor stands alone, without what does."""
    taken_back = withdrawn((one.speaker or str(one.role), one.text) for one in said)
    agents = [_of_agent(one) for one in said]
    return [
        one
        for place, one in enumerate(said)
        # What the agent denies of others is still theirs.
        if not any(agents[place] or not agents[later] for later in taken_back.get(place, ()))
    ]


def _answered(said: Iterable[SpokenWords]) -> set[int]:
    """Return the cycles in which the agent says or does something."""
    return {one.cycle for one in said if _of_agent(one)}


def _of_agent(said: SpokenWords) -> bool:
    return said.role in {Role.ASSISTANT, Role.TOOL}


def _of_sentences(said: Iterable[SpokenWords]) -> Iterator[Anchor]:
    """Yield notes of the operator, what people ask for good, decisions and promises.

    Of people only what the agent has answered is asked of it; what they say to each other is not,
    nor what somebody says for whom nobody vouches: no word of his is an order that stands.
    """
    answered = _answered(said)
    for one in _standing(said):
        if one.role is Role.NOTE:
            yield from _anchor("task", one, one.text, SENTENCE_CHARACTERS)
        if one.role not in {Role.USER, Role.ASSISTANT} or not _may_tell(one.text):
            continue
        for words in sentences(one.text):
            if words.endswith("?"):
                continue
            asked = one.role is Role.USER and one.cycle in answered and not one.taint
            if asked and is_standing_order(words):
                yield from _anchor("task", one, words, SENTENCE_CHARACTERS)
            elif is_decision(words):
                yield from _said("decision", one, words, SENTENCE_CHARACTERS)
            elif one.role is Role.ASSISTANT and re.search(_PROMISE, words):
                yield from _anchor("promise", one, words, SENTENCE_CHARACTERS)


def _may_tell(text: str) -> bool:
    """Tell whether a text may hold a directive, a decision or a promise: the fast question."""
    lower = text.lower()
    return any(map(lower.__contains__, _STEMS))


def sentences(text: str) -> list[str]:
    """Return what of a text may stand alone, without the marks of lists around it."""
    stripped = (text[one.start : one.end].strip(" -*•\t") for one in passages(text))
    return [sentence for sentence in stripped if sentence]


def is_standing_order(sentence: str) -> bool:
    """Tell whether a sentence asks for something for good, and not only tells of what is usual."""
    found = re.match(_STANDING, sentence)
    if found is None:
        return False
    first = found["first"]
    return first.islower() and first not in _NO_VERBS and not first.endswith("ed")


def is_decision(sentence: str) -> bool:
    """Tell whether a sentence says that something was decided."""
    return re.search(_DECISION, sentence) is not None


def _tickets(lived: Iterable[CycleInView]) -> Iterator[Anchor]:
    for one in lived:
        for message in one.messages:
            for part in message.parts:
                if isinstance(part, ResultPart) and part.ticket:
                    yield Anchor(
                        kind="ticket", text=one_line(part.ticket), cycle=one.cycle, seq=message.seq
                    )


def _errors(lived: Iterable[CycleInView]) -> Iterator[Anchor]:
    """Yield the first lines of results that failed, and lines that tell of an error."""
    tools: dict[str, str] = {}
    for one in lived:
        for message in one.messages:
            for part in message.parts:
                if isinstance(part, CallPart):
                    tools[part.id] = part.tool
                elif isinstance(part, ResultPart):
                    for line in _error_lines(part):
                        text = shortened(line, SENTENCE_CHARACTERS)
                        if not text:
                            continue
                        if message.taint:
                            text = _quoted(tools.get(part.call, "a tool"), text)
                        yield Anchor(kind="error", text=text, cycle=one.cycle, seq=message.seq)


def _error_lines(part: ResultPart) -> list[str]:
    failed = part.status in FAILED
    if not failed and not any(map(part.text.__contains__, _ERROR_STEMS)):
        return []
    if not failed and not re.compile(_ERROR).search(part.text, 0, READ_CHARACTERS):
        return []
    lines = [line for line in part.text[:READ_CHARACTERS].splitlines() if line.strip()]
    telling = [line for line in lines if re.search(_ERROR, line)]
    return (telling or lines[: 1 if failed else 0])[-ERRORS_OF_ONE:]


def _anchor(kind: AnchorKind, said: SpokenWords, text: str, most: int) -> list[Anchor]:
    """Return words as an anchor; none where they are too long and would lose their sense if cut."""
    return _anchored(kind, said, shortened(text, most))


def _anchored(kind: AnchorKind, said: SpokenWords, text: str) -> list[Anchor]:
    return [Anchor(kind=kind, text=text, cycle=said.cycle, seq=said.seq)] if text else []


def _said(kind: AnchorKind, said: SpokenWords, text: str, most: int) -> list[Anchor]:
    """Return a sentence; of words that nobody vouches for only who said what, in quotation marks.

    Without them what came by mail would stand in the window as if the operator had said it. What
    somebody decided has its name before it, or the agent would read it as its own decision.
    """
    if said.role is not Role.USER:
        return _anchor(kind, said, text, most)
    if not (words := shortened(text, most)):
        return []
    if said.taint:
        return _anchored("quoted", said, _quoted(said.speaker or "somebody", words))
    if kind == "decision":
        words = f"{one_line(said.speaker or Role.USER)}: {words}"
    return _anchored(kind, said, words)


def _quoted(who: str, text: str) -> str:
    """Return words in quotation marks, with who said them."""
    return f"{speaker_label(who)} said {json.dumps(text, ensure_ascii=False)}"


def shortened(text: str, most: int) -> str:
    """Return the first passages of a text as one line of about `most` characters, or nothing."""
    return one_line(leading(text, most))


# What may stand inside of one; the ends are trimmed to letters and digits.
_IDENTIFIER_RUN = r"(?:[^\s\"'`()\[\]{}<>,;|*“”‘’«»…]|(?<=\d),(?=\d))+"
_ENDS = r"^[\W_]+|[\W_]+$"
# A digit; a slash, underscore, at sign or backslash inside; a dot before a name's ending; a capital
# after a small letter.
_TELLING = r"\d|\w[/\\@_]\w|\w:[/\\]|\w\.\w{2}|[a-z][A-Z]"
# "10-minute" is a number and a word.
_MEASURED = r"^(\d+)-[^\W\d_]+$"


def identifiers(text: str) -> Iterator[str]:
    """Yield what of a text is a path, an address, an id, a number or a date."""
    ends, measured, telling = map(re.compile, (_ENDS, _MEASURED, _TELLING))
    for run in re.findall(_IDENTIFIER_RUN, text):
        word = measured.sub(r"\1", ends.sub("", run))
        if telling.search(word):
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


SHARES: tuple[tuple[tuple[AnchorKind, ...], float], ...] = (
    (("ticket",), 1.0),
    (("task",), 0.2),
    (("quoted",), 0.2),
    (("error",), 0.2),
    (("path", "url", "id"), 0.8),
    (("decision", "promise"), 0.1),
    (("task",), 1.0),
    (("quoted",), 1.0),
)
"""The most that kinds may take of the room for anchors, in the order in which they are served.

A summary that came as a text quotes tasks, but gives none. What is left at last is for tasks."""
_FRAME_TOKENS = 8
"""What stands around a sentence at most: dash, kind, brackets, cycle."""
_NAME_TOKENS = 2
"""What stands around a name, which shares its line and most often its cycle with others."""


def ranked(new: Sequence[Anchor], earlier: Sequence[Anchor]) -> list[Anchor]:
    """Return new and earlier anchors, each once, the most important of each kind first.

    New ones and earlier ones take turns, so that what is old fades and yet is never swept away; of
    tasks the very first stays first, as all that follows was done for it.
    """
    mixed = [one for pair in zip_longest(new, earlier) for one in pair if one is not None]
    mixed.sort(key=lambda one: one.kind == "task" and one.cycle == 1, reverse=True)
    return each_once(mixed)


def earlier_anchors(base: Overlay) -> list[Anchor]:
    """Return the anchors of a window; tickets are named anew, as only open ones stay."""
    return [
        one
        for part in base
        if isinstance(part, Anchors)
        for one in part.anchors
        if one.kind != "ticket"
    ]


def pinned(
    candidates: Iterable[Anchor], room: int, count: Count, *, whole: int = 0
) -> Anchors | None:
    """Return the anchors that fit into the room, or None where not one does.

    Kinds have their shares of `whole`, where that is more than the room.
    """
    chosen = list(_within_shares(candidates, room, count, whole=max(room, whole)))

    def first(number: int) -> Anchors:
        part = Anchors(anchors=tuple(chosen[:number]), tokens=0)
        tokens = count(f"{written_part(part)}\n") if number else 0
        return msgspec.structs.replace(part, tokens=tokens)

    number = len(chosen)
    if first(number).tokens > room:
        # One anchor more never takes fewer tokens, so the last that fits is found by halving.
        number = bisect_right(range(number), room, key=lambda fewer: first(fewer).tokens) - 1
    return first(number) if number > 0 else None


_QUOTED = r'"(?:[^"\\]|\\.)*"'


class AnchorsInView:
    """What a window shows of anchors: in its text, or in the messages that are sent."""

    def __init__(self, text: str, sent: Iterable[Message]) -> None:
        self._text = text
        self._unquoted = re.sub(_QUOTED, '""', text)
        self._names = set(names_in(text))
        for message in sent:
            self._names.update(names_in(searched_words(message)))

    def shows(self, anchor: Anchor) -> bool:
        """Tell whether an anchor can be seen: a name as a word of its own, a sentence whole.

        Where a task is only quoted it is somebody's words, and no task.
        """
        if (anchor.kind, anchor.text) in self._names:
            return True
        if anchor.kind in NAMED_KINDS:
            return False
        if anchor.text.endswith("…"):
            return anchor.text[:-1].rstrip() in self._text
        return stands_in(anchor.text, self._unquoted if anchor.kind == "task" else self._text)


def _within_shares(
    candidates: Iterable[Anchor], room: int, count: Count, *, whole: int
) -> Iterator[Anchor]:
    """Yield, kinds after kinds, what fits into their share of the room."""
    waiting = list(candidates)
    left = room
    for kinds, part in SHARES:
        share = min(left, int(whole * part))
        passed, waiting = waiting, []
        for one in passed:
            if share <= 0 or one.kind not in kinds:
                waiting.append(one)
                continue
            frame = _NAME_TOKENS if one.kind in NAMED_KINDS else _FRAME_TOKENS
            tokens = count(one.text) + frame
            if tokens <= share:
                share -= tokens
                left -= tokens
                yield one
            else:
                waiting.append(one)


TERMS = 6
"""Most words that a pointer names."""
POINTER_TOKENS = 64
"""What is set aside for a pointer."""


def earlier_terms(base: Overlay) -> tuple[str, ...]:
    """Return the terms that a window names."""
    return tuple(term for part in base if isinstance(part, Pointer) for term in part.terms)


def mixed(new: Sequence[str], earlier: Sequence[str]) -> list[str]:
    """Return new and earlier terms in turns, each once."""
    turns = (term for pair in zip_longest(new, earlier) for term in pair if term is not None)
    return list(dict.fromkeys(turns))


def pointer(terms: Sequence[str], room: int, count: Count, *, stored: bool) -> Pointer | None:
    """Return the pointer with as many terms as fit into the room; None where not even one line.

    What is not `stored` cannot be searched by a tool; the pointer then only says what is not here.
    """
    for shown in range(min(len(terms), TERMS), -1, -1):
        text = pointer_text(terms[:shown], stored=stored)
        tokens = count(f"{text}\n")
        if tokens <= room:
            return Pointer(text=text, terms=tuple(terms[:shown]), tokens=tokens)
    return None


ANCHOR_TOKENS = 4000
"""Most tokens of all anchors together."""


class LeavingWords(NamedTuple):
    """What is said in what leaves, what is still sent, what of all should stay word for word.

    `terms` are the search terms of the window before, `promised` the tokens that anchors were
    promised at most.
    """

    said: Iterable[SpokenWords]
    sent: Sequence[Message]
    candidates: Sequence[Anchor]
    terms: Sequence[str] = ()
    promised: int = 0


class AnchorsAndPointer(NamedTuple):
    """Anchors and pointer, as far as there was room, and what the window keeps."""

    parts: Overlay
    measures: Measures


def closing(
    parts: Overlay, leaving: LeavingWords, *, room: int, count: Count, stored: bool
) -> AnchorsAndPointer:
    """Return what follows the parts that cover the cycles; nothing where nothing was folded.

    Anchors that can be seen already are not repeated; a ticket is seen only in the text itself.
    """
    text = summary_text(parts)
    lines = (line for part in parts if isinstance(part, Summary) for line in part.lines)
    grounded = grounded_share(vocabulary(leaving.said), lines)
    sight = AnchorsInView(text or "", leaving.sent)
    if text is None:
        return AnchorsAndPointer(
            (), Measures(anchors=_share(leaving.candidates, sight, ()), grounded=grounded)
        )
    hidden = [one for one in leaving.candidates if not sight.shows(one)]
    pointing_room = min(POINTER_TOKENS, room // 5)
    anchors = pinned(
        hidden, min(ANCHOR_TOKENS, room - pointing_room), count, whole=leaving.promised
    )
    named: tuple[Anchor, ...] = ()
    if anchors is not None:
        named = anchors.anchors
        room -= anchors.tokens
        text = f"{text}\n{written_part(anchors)}"
    terms = mixed(_terms(leaving.said, hidden, text), leaving.terms)
    pointing = pointer(terms, room, count, stored=stored)
    measures = Measures(anchors=_share(leaving.candidates, sight, named), grounded=grounded)
    return AnchorsAndPointer(
        tuple(part for part in (anchors, pointing) if part is not None), measures
    )


def _terms(said: Iterable[SpokenWords], hidden: Iterable[Anchor], text: str) -> list[str]:
    """Return names that are not in the text and words that people and the agent said, in turns."""
    names = [one.text for one in hidden if one.kind in NAMED_KINDS and one.text not in text]
    spoken = vocabulary(one for one in said if one.role is not Role.TOOL)
    return mixed(names[: TERMS // 2], search_terms(spoken, text, most=TERMS))


def _share(candidates: Sequence[Anchor], sight: AnchorsInView, named: Iterable[Anchor]) -> float:
    """Return the share of anchors that are named or can be seen; 1 where there are none."""
    if not candidates:
        return 1.0
    there = {(one.kind, one.text) for one in named}
    return sum((one.kind, one.text) in there or sight.shows(one) for one in candidates) / len(
        candidates
    )


def tickets_tokens(candidates: Iterable[Anchor], count: Count) -> int:
    """Return the tokens that open tickets need among the anchors; 0 where there are none."""
    tickets = [one for one in candidates if one.kind == "ticket"]
    return count(f"{written_part(Anchors(anchors=tuple(tickets), tokens=0))}\n") if tickets else 0
