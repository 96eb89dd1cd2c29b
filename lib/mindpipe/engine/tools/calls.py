"""Turn the calls of a reply into planned calls with our ids and checked arguments."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import msgspec

from mindpipe.core.messages import CallPart, ReplyPart, ResultPart, ResultStatus, TextPart
from mindpipe.core.models import Finish, ModelReply
from mindpipe.core.records import Record
from mindpipe.core.text import is_blank, without_surrogates
from mindpipe.core.tools import Effect
from mindpipe.engine.records.journal import Call, CallState

_ALSO = {"spaceId": "space", "messageId": "message_id"}
"""Names that models know some arguments by, from elsewhere, and those that they have here."""


def arguments_of(args: dict[str, object], kind: type[Record]) -> Record:
    """Return the arguments of a built-in tool; raises ValidationError if they do not fit."""
    fields = kind.__struct_fields__
    named = {
        _ALSO[name] if _ALSO.get(name) in fields and _ALSO[name] not in args else name: value
        for name, value in args.items()
    }
    return msgspec.convert(named, kind)


def fault_by_type(args: dict[str, object], kind: type[Record]) -> str | None:
    """Return why the arguments do not fit a built-in tool's record, naming the field, or None."""
    try:
        arguments_of(args, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def fault_by_schema(args: dict[str, object], schema: dict[str, object]) -> str | None:
    """Return the first place where the arguments break a JSON Schema (2020-12), or None.

    What cannot be checked is a fault: nothing runs with arguments that nobody has looked at.
    """
    from mindpipe.agents.json_schema import UncheckedError, fault_of

    try:
        return fault_of(msgspec.to_builtins(args), msgspec.to_builtins(schema))
    except UncheckedError as fault:
        return f"$: the arguments cannot be checked against the tool's input_schema: {fault}"


def schema_of(kind: type[Record]) -> dict[str, object]:
    """Return the JSON Schema of a built-in tool's record, without references.

    It equals what is read back of a stored head: a default `()` is `[]`.
    """
    schema = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(kind)))
    name = kind.__name__
    found = cast("dict[str, object]", schema["$defs"][name])
    found.pop("title", None)
    found.pop("description", None)
    return found


def hash_of(args: dict[str, object] | None) -> str:
    """Return the SHA-256 of the arguments as JSON with sorted keys."""
    exact = json.dumps(args, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()


def key_of(store: str, agent: str, call: str) -> str:
    """Return a call's idempotency key: fixed for its life, without any attempt number."""
    return hashlib.sha256(f"{store}\x1f{agent}\x1f{call}".encode()).hexdigest()


MAX_CALLS_IN_REPLY = 64


class KnownTool(msgspec.Struct, frozen=True):
    """A tool as a cycle knows it: its effect class and what is wrong with given arguments."""

    name: str
    effect: Effect
    fault: Callable[[dict[str, object]], str | None]


class CallPlace(msgspec.Struct, frozen=True):
    """Where calls belong: store, agent, cycle, turn."""

    store: str
    agent: str
    cycle: int
    turn: int


class PlannedCall(msgspec.Struct, frozen=True):
    """A reply with our ids: its parts, provider ids by ours, and the calls to be made."""

    parts: tuple[ReplyPart, ...]
    ids: dict[str, str]
    calls: tuple[Call, ...]


def plan(
    reply: ModelReply, tools: Mapping[str, KnownTool], place: CallPlace, new_ids: Sequence[str]
) -> PlannedCall:
    """Give every call of a reply its canonical id and decide which may run.

    `new_ids` has one id per call, in order. Blank text is dropped; a call that may not run gets
    its answer at once (`invalid` or `refused`).
    """
    parts: list[ReplyPart] = []
    ids: dict[str, str] = {}
    calls: list[Call] = []
    for part in reply.parts:
        if isinstance(part, CallPart):
            position = len(calls)
            made = _cut(part) if reply.finish is Finish.CUT else part
            call = _call(made, tools, place, call_id=new_ids[position], position=position)
            calls.append(call)
            ids[call.id] = part.id
            parts.append(
                CallPart(
                    id=call.id,
                    tool=made.tool,
                    args=made.args,
                    args_text=made.args_text,
                    invalid=made.invalid,
                )
            )
        elif not (isinstance(part, TextPart) and is_blank(part.text)):
            parts.append(part)
    return PlannedCall(tuple(parts), ids, tuple(calls))


def _cut(part: CallPart) -> CallPart:
    """Return the call of a reply that was cut off: it is not a call."""
    return CallPart(
        id=part.id, tool=part.tool, args=None, args_text=part.args_text, invalid="cut off"
    )


def _call(
    part: CallPart, tools: Mapping[str, KnownTool], place: CallPlace, *, call_id: str, position: int
) -> Call:
    """Return one call as planned, or answered if it may not run."""
    tool = tools.get(part.tool)
    answer = _verdict(part, tools, position)
    state = CallState.PLANNED
    if answer is not None:
        refused = answer[0] is ResultStatus.REFUSED
        state = CallState.REFUSED if refused else CallState.INVALID
    return Call(
        id=call_id,
        agent=place.agent,
        cycle=place.cycle,
        turn=place.turn,
        position=position,
        tool=part.tool,
        effect=tool.effect if tool else Effect.UNSAFE,
        args=part.args,
        args_sha256=hash_of(part.args),
        key=key_of(place.store, place.agent, call_id),
        state=state,
        result=ResultPart(call=call_id, status=answer[0], text=answer[1]) if answer else None,
    )


def _verdict(
    part: CallPart, tools: Mapping[str, KnownTool], position: int
) -> tuple[ResultStatus, str] | None:
    """Return why a call may not run, with the words that the model gets, or None."""
    if position >= MAX_CALLS_IN_REPLY:
        return ResultStatus.REFUSED, f"too many calls: at most {MAX_CALLS_IN_REPLY} in one reply"
    if part.args is None:
        reason = part.invalid or "json"
        return ResultStatus.INVALID, f"Arguments are not a JSON object: {reason}"
    tool = tools.get(part.tool)
    if tool is None:
        import difflib

        near = difflib.get_close_matches(part.tool, tools, n=3) or sorted(tools)
        return ResultStatus.INVALID, f"No tool {part.tool!r}. There is: {', '.join(near)}"
    fault = tool.fault(part.args)
    return None if fault is None else (ResultStatus.INVALID, f"Arguments do not fit: {fault}")


def clean_result(text: str) -> str:
    """Return a result's text fit to be stored: valid Unicode without NUL."""
    return without_surrogates(text)[0]
