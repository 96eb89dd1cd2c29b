"""Manifests of tools, and the placeholders in their arguments."""

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from mindpipe.core.errors import UnavailableError
from mindpipe.core.messages import ToolSpec
from mindpipe.core.ports import Limits, Sandbox
from mindpipe.core.records import Record
from mindpipe.core.sources import (
    answers_source,
    server_source,
    source_name,
    tool_source,
    untrusted,
)
from mindpipe.core.text import without_surrogates

Label = Literal["reads_private", "reads_untrusted", "sends_out"]
APPROVAL_HOURS = 24.0
"""So long an approval is waited for, where nobody says."""

PROVIDER_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY")
"""Variables that no tool may see; those of configured servers come on top."""

ToolName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,47}(?!\n)$")]
ToolNames = Annotated[str, msgspec.Meta(pattern=r"^([a-z][a-z0-9_]{0,47}\*?|\*)(?!\n)$")]
"""The name of a tool, or how the names of several begin, with `*` at the end."""


def names_tool(wanted: str, tool: str) -> bool:
    """Tell whether a name, or a beginning that ends in `*`, means a tool."""
    stem = wanted.removesuffix("*")
    return tool == wanted if stem == wanted else tool.startswith(stem)


class Effect(enum.StrEnum):
    """What a second run of a call would do, which decides what happens after a crash."""

    STORE = "store"
    PURE = "pure"
    IDEMPOTENT = "idempotent"
    KEYED = "keyed"
    UNSAFE = "unsafe"

    def repeats(self) -> bool:
        """Tell whether a second run does nothing that the first has not done."""
        return self is not Effect.UNSAFE


ABOUT: dict[str, dict[str, object]] = {
    "decide_confidence": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "How sure you are that this call is right, 0-1.",
    },
    "decide_importance": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "How much it matters, 0-1; 0.5 where you do not say.",
    },
    "decide_reason": {"type": "string", "description": "Why, for whoever decides."},
}
"""What a model says of a call that `mind decide` judges, beside the tool's own arguments."""
ABOUT_PREFIX = "decide_"
SURE = "decide_confidence"
"""The one of them that no call may lack."""


class JudgedArguments(NamedTuple):
    """The arguments of a call that is judged: those of its tool, and what is said of the call."""

    own: dict[str, object]
    about: dict[str, object]


def judged_arguments(args: Mapping[str, object]) -> JudgedArguments:
    """Return the two parts of the arguments of a call that `mind decide` judges."""
    return JudgedArguments(
        own={name: value for name, value in args.items() if name not in ABOUT},
        about={name: value for name, value in args.items() if name in ABOUT},
    )


def _with_about(schema: Mapping[str, object]) -> dict[str, object]:
    """Return a tool's schema with what a model is to say of each call."""
    properties, required = schema.get("properties"), schema.get("required")
    own = properties if isinstance(properties, Mapping) else {}
    named = required if isinstance(required, Sequence) else ()
    return {**schema, "properties": {**own, **ABOUT}, "required": [*named, SURE]}


class ServerClaims(Record, omit_defaults=True):
    """What an MCP server claims of one of its tools, in annotations: nobody has checked it.

    What it says nothing of is null, and counts as the MCP specification has it: a tool changes
    things, may destroy, is not idempotent, and reaches an open world. `title` is only shown.
    """

    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    def effect(self) -> Literal["pure", "idempotent", "unsafe"]:
        """Return what a second run would do if all of it is true."""
        if self.read_only and not self.destructive:
            return "pure"
        return "idempotent" if self.idempotent and self.destructive is False else "unsafe"

    def hints(self) -> bool:
        """Tell whether it claims anything but a title."""
        return self != ServerClaims(title=self.title)


class ShownClaims(Record):
    """What a server claims of a tool, as people are shown it: which server, and if it counts."""

    server: str
    count: bool
    said: ServerClaims


class ToolManifest(Record):
    """An executable that an agent may call.

    `command` is an argument vector, started without a shell; the arguments come as one JSON object
    on its stdin, and one that stands in it as a word {name} is also filled in there. `effect` is
    what its author promises. `timeout` is in seconds, `output_bytes` caps each stream,
    `environment` names the variables it may see. `verify` is run with the same arguments after a
    crash and prints `done`, `not_done` or `unknown` as {"outcome", "output"}.
    `approval` says when a person is asked first: as the policy has it, always, always while the
    call waits for up to `wait_seconds`, or as `mind decide` judges the call: then a model says with
    each how sure it is, in the arguments that `ABOUT` names; `fork` is always too, set by mindpipe
    where a life is forked. `cpu_seconds` (of none: `timeout` and
    5 more), `memory_bytes`, `file_bytes` and `open_files` bound each of its processes. In a
    `sandbox` they see the system's programs and what `command` and `verify` name by a whole path,
    and the network only if a label says `reads_untrusted` or `sends_out`. `server` and
    `claims` are set by mindpipe alone: the MCP server whose words `description` and `input_schema`
    are, and what it claims.
    """

    name: ToolName
    description: str
    command: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    input_schema: dict[str, object] = msgspec.field(default_factory=lambda: {"type": "object"})
    effect: Literal["pure", "idempotent", "keyed", "unsafe"] = "unsafe"
    labels: tuple[Label, ...] = ()
    timeout: Annotated[float, msgspec.Meta(gt=0, le=1800)] = 60.0
    output_bytes: Annotated[int, msgspec.Meta(gt=0, le=16 << 20)] = 65536
    environment: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()
    approval: Literal["policy", "always", "wait", "decide", "fork"] = "policy"
    wait_seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 60.0
    cpu_seconds: Annotated[int, msgspec.Meta(ge=1, le=3600)] | None = None
    memory_bytes: Annotated[int, msgspec.Meta(ge=1 << 20)] = 1 << 30
    file_bytes: Annotated[int, msgspec.Meta(ge=0)] = 64 << 20
    open_files: Annotated[int, msgspec.Meta(ge=8, le=4096)] = 256
    sandbox: Literal["bubblewrap"] | None = None
    server: ToolName | None = None
    claims: ServerClaims | None = None

    def reaches_out(self) -> bool:
        """Tell whether a call of it may change something outside, or send something there."""
        return self.effect != "pure" or "sends_out" in self.labels

    def answers(self) -> str | None:
        """Return what its answers are called as a source; None if its manifest vouches for them.

        A program is vouched for by whoever gave it to an agent without `reads_untrusted`. Nobody
        vouches for what comes from a server before a person trusts that.
        """
        if self.server is not None:
            return source_name(answers_source(self.server), self.name)
        return tool_source(self.name) if "reads_untrusted" in self.labels else None

    def is_trusted(self, trust: Iterable[str]) -> bool:
        """Tell whether its answers are trusted by an agent that trusts these."""
        answers = self.answers()
        return answers is None or not untrusted([answers], trust)

    def claims_count(self, trust: Iterable[str]) -> bool:
        """Tell whether what its server claims of it counts for an agent that trusts these.

        It does if they trust what the server says, under a name that begins as such sources do
        (`mcp:`; `*` or `m*` was hardly meant so), and only where the manifest of the server, which
        a person wrote, leaves the effect `unsafe`.
        """
        if self.server is None or self.claims is None or self.effect != "unsafe":
            return False
        source = server_source(self.server)
        meant = [one for one in trust if one.startswith(source.partition(":")[0] + ":")]
        return self.claims.hints() and not untrusted([source], meant)

    def shown_claims(self, trust: Iterable[str]) -> ShownClaims | None:
        """Return what its server claims of it, as people are shown it; None if that is nothing."""
        if self.server is None or self.claims is None:
            return None
        return ShownClaims(server=self.server, count=self.claims_count(trust), said=self.claims)

    def in_force(self, trust: Iterable[str]) -> "ToolManifest":
        """Return it as it is judged for an agent that trusts these.

        A tool of a server reads what is not trusted unless its answers are.
        """
        entries = tuple(trust)
        effect, labels = self.effect, [*self.labels]
        if self.server is not None and not self.is_trusted(entries):
            labels.append("reads_untrusted")
        if self.claims is not None and self.claims_count(entries):
            effect = self.claims.effect()
            labels += () if self.claims.open_world is False else ("sends_out",)
        return msgspec.structs.replace(self, effect=effect, labels=tuple(dict.fromkeys(labels)))

    def limits(self) -> Limits:
        """Return what bounds its processes."""
        return Limits(
            cpu_seconds=self.cpu_seconds,
            memory_bytes=self.memory_bytes,
            file_bytes=self.file_bytes,
            open_files=self.open_files,
        )

    def shut_in(self) -> Sandbox | None:
        """Return the sandbox it asks for."""
        if self.sandbox is None:
            return None
        words = (*self.command, *self.verify)
        return Sandbox(
            network=not {"reads_untrusted", "sends_out"}.isdisjoint(self.labels),
            visible=tuple(word for word in words if word.startswith("/")),
        )

    def spec(self) -> ToolSpec:
        """Return what a model is told of it."""
        schema = self.input_schema
        if self.approval == "decide":
            schema = _with_about(schema)
        return ToolSpec(name=self.name, description=self.description, input_schema=schema)


_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_WHOLE = r"\{([A-Za-z_][A-Za-z0-9_]*)\}"


def names_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments that stand in a command, in their order."""
    return tuple(found[1] for word in words if (found := re.fullmatch(_WHOLE, word)))


def faults_of(words: Sequence[str], schema: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    """Yield the place of each word that cannot be filled under this schema, and why."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for place, word in enumerate(words):
        whole = re.fullmatch(_WHOLE, word)
        if whole is not None:
            fault = _fault_of_name(whole[1], known, required)
            if place == 0:
                yield place, "the program itself cannot be a placeholder"
            elif fault is not None:
                yield place, fault
        elif inner := [name for name in re.findall(_WHOLE, word) if name in known]:
            yield place, f"{{{inner[0]}}} must be a word of its own, as it fills exactly one"


def _fault_of_name(name: str, known: Mapping[str, object], required: object) -> str | None:
    """Return why an argument may be missing or no single word, or None."""
    declared = known.get(name)
    if declared is None:
        return f"input_schema declares no property {name}"
    kind = declared.get("type") if isinstance(declared, dict) else None
    if not (isinstance(kind, str) and kind in _SCALARS):
        return f'the property {name} needs the "type" string, integer, number or boolean'
    if not (isinstance(required, Sequence) and name in required):
        return f"input_schema must name {name} under required"
    return None


def fault_in(args: Mapping[str, object], words: Sequence[str]) -> str | None:
    """Return why the arguments may not stand in this command, for the model, or None."""
    for name in names_in(words):
        if name not in args:
            return f"$.{name}: missing; it stands in the command"
        text = _word(args[name])
        if text.startswith("-"):
            return f"$.{name}: may not begin with -, as it stands in the command"
        if without_surrogates(text)[1]:
            return f"$.{name}: may not hold NUL or lone surrogates, as it stands in the command"
    return None


def filled(words: Sequence[str], args: Mapping[str, object]) -> tuple[str, ...]:
    """Return the command with every placeholder filled.

    Raises:
        UnavailableError: the arguments may not stand in this command, as `fault_in` says.
    """
    fault = fault_in(args, words)
    if fault is not None:
        raise UnavailableError(f"the program {words[0]} cannot start with these arguments: {fault}")
    return tuple(
        _word(args[found[1]]) if (found := re.fullmatch(_WHOLE, word)) else word for word in words
    )


def _word(value: object) -> str:
    """Return a string, number or truth value as one word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
