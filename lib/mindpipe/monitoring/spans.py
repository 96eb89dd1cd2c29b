"""Spans of a cycle as OpenTelemetry's conventions for generative AI name them, in OTLP's JSON.

The version of the conventions is pinned, since none of them is stable yet. What they have no name
for is under `mindpipe.`; ids are hashes, so that the same cycle always has the same ones.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mindpipe.core.instants import parse_instant
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    OpaquePart,
    Part,
    RawReply,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.models import Finish
from mindpipe.core.records import Record, to_json
from mindpipe.core.tools import Effect
from mindpipe.engine.records.journal import CallTime, Turn, TurnState
from mindpipe.history.records import Cycle, CycleState
from mindpipe.history.rows import result_text
from mindpipe.spending.records import LedgerEntry

CONVENTIONS = "1.41.0"
"""The version of OpenTelemetry's semantic conventions by which everything here is named."""
SCHEMA_URL = f"https://opentelemetry.io/schemas/{CONVENTIONS}"
_INTERNAL, _CLIENT = 1, 3
_ERROR = 2
_THINK = "think"
_NOBODY = "_OTHER"
_FINISH = {
    Finish.END: "stop",
    Finish.CALLS: "tool_call",
    Finish.CUT: "length",
    Finish.REFUSAL: "content_filter",
}
_UNKNOWN = Finish.UNKNOWN.value
_SUCCESSES = {ResultStatus.OK, ResultStatus.TICKETED}
_RAN = {ResultStatus.OK, ResultStatus.ERROR, ResultStatus.UNKNOWN}
_MODALITIES = ("image", "video", "audio")
_NANOSECONDS = 1_000_000_000
_MILLISECOND = 1_000_000
_TRACE_OCTETS, _SPAN_OCTETS = 16, 8

Value = str | int | float | bool | Sequence[str] | None


class OtlpValue(Record, rename="camel", omit_defaults=True):
    """A value of one attribute, in the field of its type; 64 bits travel as text."""

    string_value: str | None = None
    bool_value: bool | None = None
    int_value: str | None = None
    double_value: float | None = None
    array_value: "OtlpValues | None" = None


class OtlpValues(Record, rename="camel"):
    """A list of values."""

    values: tuple[OtlpValue, ...]


class OtlpAttribute(Record, rename="camel"):
    """One attribute."""

    key: str
    value: OtlpValue


class OtlpStatus(Record, rename="camel", omit_defaults=True):
    """How a span ended; `code` is 2 where it failed, and else not set, as the protocol asks."""

    code: int = 0
    message: str = ""


class OtlpSpan(Record, rename="camel", omit_defaults=True):
    """One span; ids are hexadecimal, times nanoseconds since 1970, as text."""

    trace_id: str
    span_id: str
    parent_span_id: str = ""
    name: str
    kind: int
    start_time_unix_nano: str
    end_time_unix_nano: str
    attributes: tuple[OtlpAttribute, ...]
    status: OtlpStatus


class OtlpScope(Record, rename="camel"):
    """Who made spans: a program and its version."""

    name: str
    version: str


class OtlpScopeSpans(Record, rename="camel"):
    """Spans of one maker, and the conventions by which they are named."""

    scope: OtlpScope
    spans: tuple[OtlpSpan, ...]
    schema_url: str = SCHEMA_URL


class OtlpResource(Record, rename="camel"):
    """What the spans are about: a service."""

    attributes: tuple[OtlpAttribute, ...]


class OtlpResourceSpans(Record, rename="camel"):
    """Spans of one service."""

    resource: OtlpResource
    scope_spans: tuple[OtlpScopeSpans, ...]
    schema_url: str = SCHEMA_URL


class OtlpRequest(Record, rename="camel"):
    """What a receiver is sent at once (an ExportTraceServiceRequest): here one cycle."""

    resource_spans: tuple[OtlpResourceSpans, ...]


class EndedCycle(Record):
    """A cycle that ended, with all that was kept of it.

    `sha256` is its first link in the chain of the history, empty where it left no message;
    `times` says when calls were at work, by their ids, as far as that was measured. `tickets` are
    the ids of those that it opened, `system` is what stood before its messages.
    """

    agent: str
    entity: str
    cycle: Cycle
    sha256: str
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    entries: tuple[LedgerEntry, ...]
    effects: dict[str, Effect]
    tickets: tuple[str, ...]
    times: dict[str, CallTime] = {}
    system: str = ""


def request_of(lived: EndedCycle, *, content: bool, version: str) -> OtlpRequest:
    """Return the spans of one cycle: of the agent, of each model call and of each tool call.

    What was said is in them only with `content`.
    """
    spans = tuple(CycleSpans(lived, content=content).spans())
    scope = OtlpScope(name="mindpipe", version=version)
    service = _attributes({"service.name": "mindpipe", "service.version": version})
    return OtlpRequest(
        resource_spans=(
            OtlpResourceSpans(
                resource=OtlpResource(attributes=service),
                scope_spans=(OtlpScopeSpans(scope=scope, spans=spans),),
            ),
        )
    )


def _attributes(values: Mapping[str, Value]) -> tuple[OtlpAttribute, ...]:
    """Return attributes in their order; what is None is left out."""
    return tuple(
        OtlpAttribute(key=key, value=_value(value))
        for key, value in values.items()
        if value is not None
    )


def _value(value: str | float | Sequence[str]) -> OtlpValue:
    """Return a value in the field of its type."""
    match value:
        case str():
            return OtlpValue(string_value=value)
        case bool():
            return OtlpValue(bool_value=value)
        case int():
            return OtlpValue(int_value=str(value))
        case float():
            return OtlpValue(double_value=value)
        case _:
            return OtlpValue(array_value=OtlpValues(values=tuple(map(_value, value))))


def _nanoseconds(instant: str) -> int:
    """Return an instant in nanoseconds since 1970."""
    return int(parse_instant(instant).timestamp()) * _NANOSECONDS


def _hashed(*words: str, octets: int) -> str:
    """Return the beginning of a hash of some words, in hexadecimal."""
    return hashlib.sha256(to_json(words)).digest()[:octets].hex()


class _Asked(NamedTuple):
    """One question to a model, with all its attempts, and what is known of the answer."""

    key: str
    purpose: str
    number: int
    entries: Sequence[LedgerEntry]
    turn: Turn | None
    answer: Message | None

    @property
    def target(self) -> tuple[str, str]:
        """Return the provider and the model, as far as they are known."""
        if self.turn is not None:
            return self.turn.asked.target.provider, self.turn.asked.target.model
        if self.answer is not None and self.answer.raw is not None:
            return self.answer.raw.provider, self.answer.raw.model
        return _of_label(self.entries[-1].model if self.entries else "")

    @property
    def finish(self) -> Finish | None:
        """Return why the reply ended; None where there is none, or its journal is not kept."""
        return self.turn.answer.finish if self.turn is not None and self.turn.answer else None

    @property
    def raw(self) -> RawReply | None:
        """Return what is known of the provider's own reply."""
        if self.turn is not None and self.turn.answer is not None:
            return self.turn.answer.raw
        return None if self.answer is None else self.answer.raw

    @property
    def failed(self) -> str | None:
        """Return the kind of its failure: no attempt was answered."""
        if self.turn is not None and self.turn.state is TurnState.ABANDONED:
            return "abandoned"
        if self.answer is None and self.entries and self.entries[-1].state in {"lost", "void"}:
            return self.entries[-1].state.value
        return None


def _of_label(label: str) -> tuple[str, str]:
    """Return the provider and the model of a label (`Target.label`)."""
    for mark in (":", "/"):
        provider, found, model = label.partition(mark)
        if found and not any(other in provider for other in ":/"):
            return provider, model
    return label or _NOBODY, label


class CycleTimes:
    """When what happened in a cycle began and ended, in nanoseconds, as well as it was measured.

    History has whole seconds; how long a cycle took, when each turn was asked and how long its
    reply took was measured. The first question stands at the beginning of its cycle.
    """

    def __init__(self, cycle: Cycle, turns: Sequence[Turn]) -> None:
        self.opened = _nanoseconds(cycle.opened)
        self._asked: dict[int, int] = {}
        self._replied: dict[int, int] = {}
        self._first = turns[0] if turns else None
        for turn in turns:
            at = self._at(turn.first_boot, turn.first_seconds)
            if at is not None:
                self._asked[turn.turn] = at
                if turn.answer is not None and turn.answer.milliseconds:
                    self._replied[turn.turn] = at + turn.answer.milliseconds * _MILLISECOND
        wall = max(0, _nanoseconds(cycle.closed or cycle.opened) - self.opened)
        took = cycle.milliseconds * _MILLISECOND
        # Of a cycle that was taken up again only the time of who ended it was measured.
        if not took or wall - took > _NANOSECONDS:
            took = wall
        known = (*self._asked.values(), *self._replied.values())
        self.closed = max(self.opened + took, *known, self.opened)

    def _at(self, boot: str, seconds: float) -> int | None:
        """Return a moment of the machine's own clock; another start of it tells nothing of this."""
        first = self._first
        if first is None or boot != first.first_boot:
            return None
        return self.opened + round(max(0.0, seconds - first.first_seconds) * 1000) * _MILLISECOND

    def called(self, took: CallTime | None) -> tuple[int, int] | None:
        """Return when a call was at work, None where that was not measured."""
        if took is None:
            return None
        began, ended = (self._at(took.boot, at) for at in (took.began, took.ended))
        return None if began is None or ended is None else (began, min(ended, self.closed))

    def asked(self, turn: int, otherwise: str | None) -> int:
        """Return when a turn was asked; `otherwise` is the instant that history has of it."""
        return self._asked.get(turn, self.within(otherwise, default=self.opened))

    def replied(self, turn: int, otherwise: str | None, *, since: int, default: int) -> int:
        """Return when the reply of a turn that was asked at `since` was there."""
        known = self._replied.get(turn)
        return known or max(since, self.within(otherwise, default=default))

    def answered(self, turn: int, otherwise: str | None, *, since: int) -> int:
        """Return when all calls of a turn were answered: when the next was asked, or the end."""
        if turn not in self._replied:
            return max(since, self.within(otherwise, default=since))
        return max(since, self._asked.get(turn + 1, self.closed))

    def within(self, instant: str | None, *, default: int) -> int:
        """Return an instant in nanoseconds, at least the beginning and at most the end."""
        found = default if not instant else _nanoseconds(instant)
        return min(max(found, self.opened), self.closed)


class CycleSpans:
    """Makes the spans of one cycle."""

    def __init__(self, lived: EndedCycle, *, content: bool) -> None:
        self._lived = lived
        self._content = content
        cycle = lived.cycle
        self._trace = _hashed(
            lived.agent, str(cycle.cycle), cycle.opened, lived.sha256, octets=_TRACE_OCTETS
        )
        self._root = self._id("cycle")
        self._times = CycleTimes(cycle, lived.turns)

    def spans(self) -> Iterator[OtlpSpan]:
        """Yield the span of the agent, then those of its questions and of its tool calls."""
        yield self._invoked()
        for asked in self._questions():
            yield self._asked(asked)
        answers = {
            part.call: (part, message)
            for message in self._lived.messages
            for part in message.parts
            if isinstance(part, ResultPart)
        }
        for message in self._lived.messages:
            if message.role is Role.ASSISTANT:
                for call in calls_of(message):
                    yield self._called(call, message, *answers.get(call.id, (None, None)))

    def _id(self, *words: str) -> str:
        return _hashed(self._trace, *words, octets=_SPAN_OCTETS)

    def _span(
        self,
        name: str,
        *,
        id: str,
        kind: int,
        times: tuple[int, int],
        attributes: Mapping[str, Value],
        status: OtlpStatus,
    ) -> OtlpSpan:
        start, end = times
        return OtlpSpan(
            trace_id=self._trace,
            span_id=id,
            parent_span_id="" if id == self._root else self._root,
            name=name,
            kind=kind,
            start_time_unix_nano=str(start),
            end_time_unix_nano=str(max(start, end)),
            attributes=_attributes(attributes),
            status=status,
        )

    def _about_agent(self, operation: str) -> dict[str, Value]:
        """Return what is said of the agent in each of its spans."""
        return {
            "gen_ai.operation.name": operation,
            "gen_ai.agent.name": self._lived.agent,
            "gen_ai.agent.id": self._lived.entity,
            "gen_ai.conversation.id": self._lived.entity,
            "mindpipe.cycle.number": self._lived.cycle.cycle,
        }

    def _invoked(self) -> OtlpSpan:
        """Return the span of the whole cycle."""
        lived, cycle = self._lived, self._lived.cycle
        failed = cycle.state is CycleState.FAILED
        provider, model = _of_label(cycle.model)
        attributes: dict[str, Value] = {
            **self._about_agent("invoke_agent"),
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model or None,
            "error.type": "failed" if failed else None,
            "mindpipe.cycle.outcome": cycle.outcome,
            "mindpipe.cycle.trigger": cycle.trigger or None,
            "mindpipe.cycle.events": cycle.events or None,
            "mindpipe.cycle.cost_micros": cycle.cost_micros,
            "mindpipe.cycle.milliseconds": cycle.milliseconds,
            "mindpipe.cycle.sha256": lived.sha256 or None,
            "mindpipe.tickets": lived.tickets or None,
        }
        if self._content:
            said = [one for one in lived.messages if one.turn == 0 and one.role is not Role.TOOL]
            last = [one for one in lived.messages if one.role is Role.ASSISTANT][-1:]
            attributes |= {
                "mindpipe.cycle.reason": cycle.reason,
                "gen_ai.system_instructions": _system(lived.system),
                "gen_ai.input.messages": _messages(said),
                "gen_ai.output.messages": _messages(last, finish="stop"),
            }
        return self._span(
            f"invoke_agent {lived.agent}",
            id=self._root,
            kind=_INTERNAL,
            times=(self._times.opened, self._times.closed),
            attributes=attributes,
            status=_status(failed=failed, message=(cycle.reason or "") if failed else ""),
        )

    def _questions(self) -> Iterator[_Asked]:
        """Yield what was asked of models, in order; retries are one question."""
        entries: dict[tuple[int, str], list[LedgerEntry]] = {}
        for entry in self._lived.entries:
            entries.setdefault((entry.turn, entry.purpose), []).append(entry)
        turns = {turn.turn: turn for turn in self._lived.turns}
        # What the program itself said to end a cycle was asked of nobody.
        answers = {
            one.turn: one
            for one in self._lived.messages
            if one.role is Role.ASSISTANT and not one.synthetic
        }
        thought = {(number, _THINK) for number in turns | answers}
        for number, purpose in sorted(entries.keys() | thought):
            thinks = purpose == _THINK
            yield _Asked(
                key=f"{number}/{purpose}",
                purpose=purpose,
                number=number,
                entries=entries.get((number, purpose), ()),
                turn=turns.get(number) if thinks else None,
                answer=answers.get(number) if thinks else None,
            )

    def _asked(self, asked: _Asked) -> OtlpSpan:
        """Return the span of one question to a model."""
        provider, model = asked.target
        request = None if asked.turn is None else asked.turn.asked
        options = None if request is None else request.options
        settled = [one for one in asked.entries if one.state == "settled"]
        finish = asked.raw.finish if asked.raw and asked.raw.finish else _finish_of(asked.finish)
        attributes: dict[str, Value] = {
            **self._about_agent("chat"),
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model or None,
            "gen_ai.request.max_tokens": None if options is None else options.max_tokens,
            "gen_ai.request.temperature": None if options is None else options.temperature,
            "gen_ai.response.model": asked.raw.model if asked.raw else None,
            "gen_ai.response.finish_reasons": (finish,) if finish else None,
            "error.type": asked.failed,
            "mindpipe.purpose": asked.purpose,
            "mindpipe.turn.number": asked.number,
            "mindpipe.request.sha256": (request.request_sha256 or None) if request else None,
        }
        if settled:
            attributes |= {
                "gen_ai.usage.input_tokens": sum(one.input_tokens for one in settled),
                "gen_ai.usage.output_tokens": sum(one.output_tokens for one in settled),
                "gen_ai.usage.cache_read.input_tokens": sum(one.cached_tokens for one in settled),
            }
        if asked.entries:
            spent = sum(one.micros for one in asked.entries if one.state != "void")
            attributes |= {
                "mindpipe.turn.attempts": len(asked.entries),
                "mindpipe.cost.micros": spent,
                "mindpipe.cost.state": asked.entries[-1].state,
                "mindpipe.cost.priced": all(one.priced for one in asked.entries),
            }
        if self._content and asked.purpose == _THINK:
            before = [one for one in self._lived.messages if one.turn < asked.number]
            told = [] if asked.answer is None else [asked.answer]
            attributes |= {
                "gen_ai.input.messages": _messages(before),
                "gen_ai.output.messages": _messages(
                    told, finish=_finish_of(asked.finish) or _UNKNOWN
                ),
            }
        thinks = asked.purpose == _THINK
        begun = asked.entries[0].at if asked.entries else None
        ended = asked.answer.at if asked.answer else None
        times = self._times
        if thinks:
            start = times.asked(asked.number, begun or ended)
        else:
            start = times.within(begun or ended, default=times.opened)
        # When an attempt that nobody answered ended is not kept: at the latest with its cycle.
        over = times.closed if asked.failed else start
        end = times.replied(asked.number, ended, since=start, default=over) if thinks else over
        return self._span(
            f"chat {model}".rstrip(),
            id=self._id("chat", asked.key),
            kind=_CLIENT,
            times=(start, end),
            attributes=attributes,
            status=_status(failed=asked.failed is not None),
        )

    def _called(
        self, call: CallPart, said: Message, result: ResultPart | None, answer: Message | None
    ) -> OtlpSpan:
        """Return the span of one tool call."""
        status = None if result is None else result.status
        failed = status is not None and status not in _SUCCESSES
        effect = self._lived.effects.get(call.id)
        attributes: dict[str, Value] = {
            **self._about_agent("execute_tool"),
            "gen_ai.tool.name": call.tool,
            "gen_ai.tool.call.id": call.id,
            "gen_ai.tool.type": "function",
            "error.type": status if failed else None,
            "mindpipe.turn.number": said.turn,
            "mindpipe.tool.status": status,
            "mindpipe.tool.effect": effect,
            "mindpipe.ticket.id": None if result is None else result.ticket,
            "mindpipe.taint": None if answer is None else answer.taint,
        }
        if self._content:
            attributes |= {
                "gen_ai.tool.call.arguments": call.args_text or to_json(call.args).decode(),
                "gen_ai.tool.call.result": None if result is None else result_text(result),
            }
        times = self._times
        start = times.replied(said.turn, said.at, since=times.opened, default=times.opened)
        end = times.answered(said.turn, answer.at if answer else None, since=start)
        # A call that did nothing in its cycle may have been at work after it.
        ran = status in _RAN
        measured = times.called(self._lived.times.get(call.id)) if ran else None
        return self._span(
            f"execute_tool {call.tool}",
            id=self._id("tool", call.id),
            kind=_INTERNAL,
            times=measured or (start, end if ran else start),
            attributes=attributes,
            status=_status(failed=failed),
        )


def _status(*, failed: bool, message: str = "") -> OtlpStatus:
    """Return how a span ended."""
    return OtlpStatus(code=_ERROR if failed else 0, message=message)


def _finish_of(finish: Finish | None) -> str:
    """Return why a reply ended in the words of the conventions; empty where that is not known."""
    return "" if finish is None else _FINISH.get(finish, finish.value)


def _system(words: str) -> str | None:
    """Return instructions as the conventions write them."""
    return to_json([{"type": "text", "content": words}]).decode() if words else None


def _messages(messages: Iterable[Message], *, finish: str | None = None) -> str | None:
    """Return messages as the conventions write them; `finish` stands in what a model said."""
    written: list[dict[str, object]] = []
    for message in messages:
        role = Role.USER if message.role is Role.NOTE else message.role
        one: dict[str, object] = {"role": role.value, "parts": [_part(it) for it in message.parts]}
        if finish is not None:
            one["finish_reason"] = finish
        written.append(one)
    return to_json(written).decode() if written else None


def _part(part: Part) -> dict[str, object]:
    """Return one part of a message as the conventions write it; a file only by its hash."""
    match part:
        case TextPart():
            return {"type": "text", "content": part.text}
        case ThinkingPart():
            return {"type": "reasoning", "content": part.text or ""}
        case CallPart():
            arguments = part.args_text if part.args is None else part.args
            return {
                "type": "tool_call",
                "id": part.id,
                "name": part.tool,
                "arguments": arguments,
            }
        case ResultPart():
            return {"type": "tool_call_response", "id": part.call, "response": result_text(part)}
        case FilePart():
            kind = part.media_type.partition("/")[0]
            return {
                "type": "file",
                "mime_type": part.media_type,
                "modality": kind if kind in _MODALITIES else "document",
                "file_id": part.sha256,
            }
        case OpaquePart():
            return {"type": part.kind, "provider": part.provider}
