"""Dialogues as histories, and their windows as the scorer of survival reads them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mindpipe.compaction.filter import CompactedConversation
from mindpipe.compaction.records import Anchors, Summary, WindowPart
from mindpipe.compaction.sent import sent_messages
from mindpipe.compaction.window_text import (
    covered_ranges,
    heading,
    opening,
    written_lines,
    written_part,
)
from mindpipe.context.prompt import inbox_text
from mindpipe.context.records import EventView
from mindpipe.core.messages import Conversation, Head, Message, Role, TextPart, text_of
from mindpipe.core.records import Record
from mindpipe_cli import input

Window = Callable[[Conversation, int], CompactedConversation]
"""What is sent of a conversation within a budget of tokens."""

TRIES = 8
"""How often a window that is free is planned until it fits its share."""
# A window this near to what it may have is not tried again.
_NEAR = 0.985
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_LINE = 16 << 20


class DialogueTurn(Record):
    """One turn of a dialogue, as the scorers give it."""

    id: str
    text: str
    at: str
    speaker: str
    session: str
    kind: str


class Piece(Record):
    """A piece of a window, as the scorers take it: what it says, and of which turns."""

    conversation: str
    text: str
    covers: tuple[str, ...] = ()


class Dialogue(NamedTuple):
    """A dialogue as a history: message `n` (from 1) is the turn `ids[n - 1]`.

    `characters` are those of the turns with their speakers: what shares are shares of.
    """

    name: str
    ids: tuple[str, ...]
    conversation: Conversation
    characters: int


def dialogues(folder: Path) -> list[Dialogue]:
    """Return the dialogues of a folder that a scorer has prepared, one below it for each."""
    return [
        _dialogue(path.parent.name, input.records(str(path), DialogueTurn, limit=_LINE))
        for path in sorted(folder.glob("*/items.jsonl"))
    ]


def _dialogue(name: str, turns: list[DialogueTurn]) -> Dialogue:
    """Return turns as messages: two people are heard by a third, a chat is the mind's own.

    Each turn that is not the assistant's opens a cycle.
    """
    messages: list[Message] = []
    cycle = place = 0
    for seq, turn in enumerate(turns, 1):
        role = _ROLES.get(turn.speaker, Role.USER)
        if role is Role.USER or cycle == 0:
            cycle, place = cycle + 1, 0
        else:
            place += 1
        heard = turn.text if turn.speaker in _ROLES else _heard(turn)
        messages.append(
            Message(
                id=turn.id,
                agent=name,
                seq=seq,
                segment=1,
                cycle=cycle,
                turn=place,
                role=role,
                parts=(TextPart(text=heard),),
                at=turn.at,
            )
        )
    return Dialogue(
        name=name,
        ids=tuple(turn.id for turn in turns),
        conversation=Conversation(head=Head(system=""), messages=tuple(messages)),
        characters=sum(len(f"{turn.speaker}: {turn.text}") for turn in turns),
    )


def _heard(turn: DialogueTurn) -> str:
    """Return what a person says in a space as an inbox shows it."""
    seen = EventView(
        id=turn.id,
        type="space_message",
        source="space",
        text=turn.text,
        space="home",
        sender=turn.speaker,
        sender_kind="human",
    )
    return inbox_text([seen])


def within(
    dialogue: Dialogue, share: float, *, window: Window, tokens: int, tries: int = TRIES
) -> list[Piece]:
    """Return the pieces of the largest window found that takes at most a share of a dialogue.

    The share is one of characters. Tokens per character differ between a window and a dialogue:
    the budget begins with that share of the dialogue's `tokens`, and is set anew by what came out,
    until the window fits and is near to what it may have, or `tries` are over. Between a budget
    that was too small and one that was too large the next one is half-way. A budget of all tokens
    is too large: nothing would be folded.
    """
    room = share * dialogue.characters
    low, budget, high = 0.0, share * tokens, float(tokens)
    best: list[Piece] = []
    for _ in range(tries):
        found = list(pieces(dialogue, window(dialogue.conversation, int(budget))))
        size = _characters(found)
        if size <= room or tries == 1:
            best = max(best, found, key=_characters)
        if _NEAR * room <= size <= room:
            break
        low, high = (budget, high) if size < room else (low, budget)
        guess = budget * room / size
        budget = guess if low < guess < high else (low + min(high, 2 * budget)) / 2
    return best


def _characters(told: list[Piece]) -> int:
    """Return the characters of all pieces."""
    return sum(len(piece.text) for piece in told)


def pieces(dialogue: Dialogue, windowed: CompactedConversation) -> Iterator[Piece]:
    """Yield all that a model would see of a window, each byte once, in its order."""
    ids = dict(enumerate(dialogue.ids, 1))
    parts = windowed.planned.parts
    covered = covered_ranges(parts)
    if covered:
        yield _piece(dialogue.name, opening(covered), (), ids)
    for part in parts:
        for text, seqs in _told(part, alone=len(covered) == 1):
            yield _piece(dialogue.name, text, seqs, ids)
    for message in sent_messages(dialogue.conversation.messages, parts):
        yield _piece(dialogue.name, text_of(message), (message.seq,), ids)


def _piece(name: str, text: str, seqs: Iterable[int], ids: Mapping[int, str]) -> Piece:
    """Return a piece with its line end and the turns that it stands for."""
    return Piece(conversation=name, text=f"{text}\n", covers=tuple(ids[seq] for seq in seqs))


def _told(part: WindowPart, *, alone: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the lines of a part's text, each with the numbers of its messages."""
    match part:
        case Summary():
            yield heading(part, alone=alone), ()
            texts = written_lines(part.lines)
            yield from zip(texts, (line.seqs for line in part.lines), strict=True)
        case Anchors():
            yield written_part(part), tuple(dict.fromkeys(one.seq for one in part.anchors))
        case _:
            if text := written_part(part, alone=alone):
                yield text, ()
