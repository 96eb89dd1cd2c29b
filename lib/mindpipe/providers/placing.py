"""Lays exchanges out as cycles and turns: which message opens, answers, notes and closes."""

import msgspec

from mindpipe.core.messages import (
    CallPart,
    Part,
    RawReply,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
)
from mindpipe.providers.exchanges import Exchange, Words
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    SeenCall,
    SeenPart,
    SeenResult,
    import_id,
)
from mindpipe.providers.records import ImportOptions

BEGAN = "[import began here]"
ENDED = "[import ended here]"
EMPTY = "(empty message)"
NO_RESULT = "(no result was recorded)"


class MessageDraft(msgspec.Struct):
    """A message before it has its number and id."""

    role: Role
    parts: list[Part]
    cycle: int
    turn: int
    items: list[ImportedItem] = []
    raw: RawReply | None = None
    made: bool = False


class Placing:
    """Lay exchanges out as cycles and turns."""

    def __init__(
        self, reading: DocumentReading, findings: Findings, options: ImportOptions
    ) -> None:
        self.reading = reading
        self.findings = findings
        self.options = options
        self.drafts: list[MessageDraft] = []
        self.has_begun = False
        self.system: list[str] = [reading.head.system] if reading.head.system else []
        self.waiting: list[Words] = []
        self.cycle = 0
        self.turn = 0
        self.is_open = False

    def put(self, role: Role, parts: list[Part], *, items: list[ImportedItem]) -> MessageDraft:
        """Append one message at the present place."""
        draft = MessageDraft(role=role, parts=parts, cycle=self.cycle, turn=self.turn, items=items)
        self.drafts.append(draft)
        self.has_begun = True
        return draft

    def taken(self) -> list[MessageDraft]:
        """Return the messages that are finished, and forget them."""
        drafts, self.drafts = self.drafts, []
        return drafts

    def open(self, parts: list[Part], *, items: list[ImportedItem]) -> None:
        """Begin a cycle; notes that waited for it follow its opening."""
        self.cycle, self.turn, self.is_open = self.cycle + 1, 0, True
        self.put(Role.USER, parts, items=items).made = not items
        for words in self.waiting:
            self.note(words)
        self.waiting = []

    def note(self, words: Words) -> None:
        """Append words as a note."""
        self.put(Role.NOTE, _plain(words.parts), items=[words.item])

    def hear(self, words: Words) -> None:
        """Take in words that stand before the next reply."""
        parts = _plain(words.parts)
        begun = self.has_begun or self.waiting
        if words.note and not begun and words.item.role == "system":
            self._instruct(parts)
        elif not self.is_open and words.note:
            self.waiting.append(words)
        elif not self.is_open:
            self.open(parts or [TextPart(text=EMPTY)], items=[words.item])
        elif parts and not words.note and self.drafts[-1].role is Role.USER:
            self.drafts[-1].parts += parts
            self.drafts[-1].items.append(words.item)
        elif parts:
            self.note(words)

    def _instruct(self, parts: list[Part]) -> None:
        """Add to the system text of the head, which holds only text."""
        for part in parts:
            if isinstance(part, TextPart):
                self.system.append(part.text)
            else:
                self.findings.leave_out("file in the system text")

    def reply(self, exchange: Exchange) -> None:
        """Append a reply and the message that answers its calls."""
        if not self.is_open:
            self.open([TextPart(text=BEGAN)], items=[])
        self.turn += 1
        calls = self._calls(exchange)
        by_seen = {id(seen): call for seen, call in calls}
        parts: list[Part] = []
        for span in exchange.replies:
            parts += [
                by_seen[id(part)] if isinstance(part, SeenCall) else part
                for part in span.parts
                if not isinstance(part, SeenResult)
            ]
        draft = self.put(Role.ASSISTANT, parts, items=list(exchange.replies))
        draft.raw = self._raw(exchange, calls)
        self.is_open = bool(calls)
        if calls:
            answers = [answer for _, answer in exchange.answers]
            results: list[Part] = [
                _result(call, answer) for (_, call), answer in zip(calls, answers, strict=True)
            ]
            self.put(Role.TOOL, results, items=list(exchange.answered_by))

    def _calls(self, exchange: Exchange) -> list[tuple[SeenCall, CallPart]]:
        """Give every call of an exchange its canonical id."""
        place = exchange.replies[0].sources[0]
        known = (self.options.agent, self.findings.document.label)
        return [
            (
                seen,
                CallPart(
                    id=import_id("c", *known, f"{place}.{ordinal}", seen.id),
                    tool=seen.tool,
                    args=seen.args if seen.fault is None else None,
                    args_text=seen.args_text,
                    invalid=None if seen.fault is None else "json",
                ),
            )
            for ordinal, (seen, _) in enumerate(exchange.answers)
        ]

    def _raw(self, exchange: Exchange, calls: list[tuple[SeenCall, CallPart]]) -> RawReply:
        """Keep the bytes of a reply and say where they came from."""
        last = exchange.replies[-1]
        model = last.model or self.reading.model
        return RawReply(
            provider=self.reading.provider,
            api=self.reading.api,
            model=model,
            family=model,
            finish=last.finish,
            sha256=tuple(self.findings.keep(span.raw or b"") for span in exchange.replies),
            ids={call.id: seen.id for seen, call in calls if seen.id},
        )

    def close(self) -> None:
        """End the last cycle if it is still open."""
        if self.waiting:
            self.open([TextPart(text=BEGAN)], items=[])
        if self.is_open:
            self.turn += 1
            self.put(Role.ASSISTANT, [TextPart(text=ENDED)], items=[]).made = True

    def place(self, exchange: Exchange) -> None:
        """Lay out one exchange; what it put in its place does not change any more."""
        if exchange.replies:
            self.reply(exchange)
        for words in exchange.words:
            self.hear(words)


def _plain(parts: tuple[SeenPart, ...]) -> list[Part]:
    """Return the parts that need no pairing."""
    return [part for part in parts if not isinstance(part, SeenCall | SeenResult)]


def _result(call: CallPart, answer: SeenResult | None) -> ResultPart:
    """Return the canonical answer to a call."""
    if answer is None:
        return ResultPart(call=call.id, status=ResultStatus.UNKNOWN, text=NO_RESULT)
    return ResultPart(
        call=call.id,
        status=answer.status,
        text=answer.text,
        json=answer.json,
        ticket=answer.ticket,
    )
