"""An answer by a JSON Schema: how each API is asked for one, and what a reply says by it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, TextPart, ToolSpec
from mindpipe.core.models import Api, Finish, ModelReply
from mindpipe.core.records import to_json

Schema = dict[str, object]
FaultOf = Callable[[object, Schema], str | None]
"""Returns what is wrong with a value by a schema, None where nothing is."""

ANSWER_TOOL = "answer_by_schema"
"""The tool that a model of the Messages API is made to call: its arguments are the answer."""
_VALUE = "value"
# A schema with any other keyword is not sent as a strict one, which OpenAI might refuse.
_STRICT_KEYWORDS = frozenset(
    (
        *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "$ref", "$defs", "title", "description", "pattern", "format", "minimum"),
        *("maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
    )
)
_UNFINISHED = {
    Finish.CUT: "it was cut off; raise max_tokens",
    Finish.REFUSAL: "the model declined to answer",
}


class SchemaAnswer(NamedTuple):
    """What a reply says by a schema: as it was written, its value, or what is wrong with it.

    With `final` asking again is no use.
    """

    written: str
    value: object
    fault: str | None = None
    final: bool = False


def answer_tool(schema: Schema) -> ToolSpec:
    """Return the tool whose arguments are the answer."""
    return ToolSpec(
        name=ANSWER_TOOL,
        description="Give your answer: call this once, with the answer as its arguments.",
        input_schema=_as_object(schema),
    )


def schema_fields(api: Api, schema: Schema, *, own_tools: bool) -> dict[str, object]:
    """Return the fields of a request by which an API answers by a schema.

    Where the request has tools of its own the model may call one of them first.
    """
    if api == "messages":
        forced = {"type": "tool", "name": ANSWER_TOOL}
        return {"tool_choice": {"type": "any"} if own_tools else forced}
    whole = _as_object(schema)
    form = {"name": "answer", "schema": whole, "strict": _is_strict(whole)}
    if api == "chat":
        return {"response_format": {"type": "json_schema", "json_schema": form}}
    return {"text": {"format": {"type": "json_schema", **form}}}


def calls_offered(reply: ModelReply, offered: Collection[str]) -> bool:
    """Tell whether a reply calls tools that the request offered, so that it is no answer yet."""
    tools = {part.tool for part in reply.parts if isinstance(part, CallPart)}
    return ANSWER_TOOL not in tools and not tools.isdisjoint(offered)


def read_schema_answer(
    reply: ModelReply, schema: Schema, *, api: Api, fault_of: FaultOf
) -> SchemaAnswer:
    """Return what a reply says by a schema, or what is wrong with it."""
    written = _written(reply)
    if (unfinished := _UNFINISHED.get(reply.finish)) is not None:
        return SchemaAnswer(written, None, unfinished, final=True)
    try:
        told = load_json(written, source="answer")
    except BadInputError as error:
        return SchemaAnswer(written, None, f"it is no JSON: {error.problems[0].message}")
    faults: list[str] = []
    for value in _readings(told, schema, whole_first=api == "program"):
        fault = fault_of(value, schema)
        if fault is None:
            return SchemaAnswer(to_json(value).decode(), value)
        faults.append(fault)
    return SchemaAnswer(written, None, faults[0])


def _written(reply: ModelReply) -> str:
    """Return the JSON that a reply holds: the arguments of the call, else its text."""
    for part in reply.parts:
        if isinstance(part, CallPart) and part.tool == ANSWER_TOOL:
            return part.args_text or ("" if part.args is None else to_json(part.args).decode())
    texts = [part.text for part in reply.parts if isinstance(part, TextPart)]
    text = "\n".join(texts).strip()
    # Models that were only asked for JSON like to fence it.
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text.partition("\n")[2].removesuffix("```").strip()
    return text


def _readings(told: object, schema: Schema, *, whole_first: bool) -> Iterator[object]:
    """Yield what an answer may mean: what was wrapped for the API, and the answer as it is."""
    wrapped = [told[_VALUE]] if isinstance(told, dict) and told.keys() == {_VALUE} else []
    if _is_object(schema):
        wrapped = []
    yield from [told, *wrapped] if whole_first else [*wrapped, told]


def _is_object(schema: Mapping[str, object]) -> bool:
    """Tell whether a schema says that a value is an object, as the APIs want it."""
    return schema.get("type") == "object"


def _as_object(schema: Schema) -> Schema:
    """Return a schema of an object, in which any other one is the member `value`."""
    if _is_object(schema):
        return schema
    shared: Schema = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
    own = {name: it for name, it in schema.items() if name not in {*shared, "$schema"}}
    return {
        "type": "object",
        "properties": {_VALUE: own},
        "required": [_VALUE],
        "additionalProperties": False,
        **shared,
    }


def _is_strict(schema: object) -> bool:
    """Tell whether a schema is one that OpenAI keeps to letter by letter.

    In each of its objects all members are named and required; its keywords are known ones.
    """
    if not isinstance(schema, dict):
        return True
    if not schema.keys() <= _STRICT_KEYWORDS:
        return False
    members = schema.get("properties", {})
    closed = schema.get("additionalProperties") is False
    required = schema.get("required", [])
    if schema.get("type") == "object" or members:
        named = isinstance(members, dict) and isinstance(required, list)
        if not (closed and named and set(members) == set(required)):
            return False
    return all(map(_is_strict, _below(schema)))


def _below(schema: dict[str, object]) -> Iterator[object]:
    """Yield the schemas within a schema."""
    for name in ("properties", "$defs"):
        named = schema.get(name)
        yield from named.values() if isinstance(named, dict) else ()
    yield schema.get("items")
    branches = schema.get("anyOf")
    yield from branches if isinstance(branches, list) else ()
