"""When a person must decide before a tool runs, what is approved, what the agent hears of it."""

import hashlib
import re
import shlex
from collections.abc import Collection

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.mcp_servers import ServerQuestion
from mindpipe.core.records import to_json
from mindpipe.core.sources import MORE, joined, trustee
from mindpipe.core.tools import Label, ToolManifest, names_tool
from mindpipe.engine.records.journal import Call, RecordedAnswer, Ticket, TicketState
from mindpipe.engine.tools.calls import fault_by_schema, hash_of
from mindpipe.engine.tools.versions import version_now
from mindpipe.tasks.records import Task

_TRIFECTA: tuple[Label, ...] = ("reads_private", "reads_untrusted", "sends_out")
_MOST_NAMES = 5
_MOST_SHOWN, _LONGEST = 3, 48
_PLAIN = re.compile(r"[^\s,;\"]+")


def reason_to_ask(tool: ToolManifest, agent: Agent, sources: Collection[str]) -> str | None:
    """Return why a person must approve a call of `tool` first and what would allow it, or None.

    `sources` names whose text in the request is not trusted; of none the turn is not tainted.
    """
    tool = tool.in_force(agent.trust)
    outward = "sends_out" in tool.labels
    if tool.approval == "fork":
        return (
            f"this life is a fork, which asks about every call of {tool.name}; "
            f"mind agent set {agent.name} --tool FILE, with its manifest, lets it act here too"
        )
    if tool.approval in {"always", "wait"}:
        return f"{tool.name} is asked about every time (approval: {tool.approval})"
    if outward and not agent.accepts_trifecta and has_trifecta(agent):
        return (
            f"{agent.name} can read private data, read untrusted text and send outward, and "
            f"{tool.name} sends; mind agent set {agent.name} --i-accept-trifecta allows it"
        )
    risky = outward or tool.effect == "unsafe"
    if risky and sources and not any(names_tool(one, tool.name) for one in agent.allow_tainted):
        doing = "sends outward" if outward else "is unsafe"
        return (
            f"{tool.name} {doing}, and {agent.name} read text of {_names(sources)}; "
            f"{_letting(tool, agent, sources)} allows it"
        )
    return None


def _letting(tool: ToolManifest, agent: Agent, sources: Collection[str]) -> str:
    """Return the one command that lets such a call pass: by whom was read, else by the tool."""
    # What works on tasks is no tool of the agent, and cannot be named as one.
    named = any(one.name == tool.name for one in agent.tools)
    trusted = sorted({trustee(one) for one in sources})
    plain = MORE not in sources and all(map(_PLAIN.fullmatch, trusted))
    if plain and (len(trusted) <= _MOST_NAMES or not named):
        ends = ["--"] if any(one.startswith("-") for one in trusted) else []
        return f"mind agent trust add {agent.name} {shlex.join([*ends, *trusted])}"
    if not named:
        return f"trusting each of them (mind agent trust add {agent.name} SOURCE)"
    # Setting the list takes the place of all that was named before.
    tools = [word for one in (*agent.allow_tainted, tool.name) for word in ("--allow-tainted", one)]
    return f"mind agent set {agent.name} {shlex.join(tools)}"


def has_trifecta(agent: Agent) -> bool:
    """Tell whether an agent's own tools together read private, read untrusted and send out."""
    labels = {label for tool in agent.tools for label in tool.in_force(agent.trust).labels}
    return labels.issuperset(_TRIFECTA)


def _names(sources: Collection[str]) -> str:
    """Return the first names of some sources, cut where they are long; the record has all whole.

    One that could pass for our own words is quoted.
    """
    first = [name[:_LONGEST] + "…" * (len(name) > _LONGEST) for name in sorted(sources)]
    shown = [
        name if _PLAIN.fullmatch(name) else to_json(name).decode() for name in first[:_MOST_SHOWN]
    ]
    more = len(first) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


SOURCE = "ticket"
_MOST_CHARACTERS = 1 << 17
_MOST_ARGUMENTS = 1 << 13
_WORDS = {
    TicketState.EXECUTED: "{tool} ran. Output: {result}",
    TicketState.FAILED: "{tool} failed: {result}",
    TicketState.UNKNOWN: "{tool} was interrupted. It is not known whether it ran. {result}",
    TicketState.DENIED: "{tool} was denied. Nothing has run. {result}",
    TicketState.EXPIRED: "{tool} was not approved in time. Nothing has run.",
    TicketState.CANCELLED: "{tool} was cancelled. Nothing has run. {result}",
    TicketState.WAS_DONE: "{tool} was done. {result}",
    TicketState.WAS_NOT_DONE: "{tool} was not done. {result}",
    TicketState.DISMISSED: "nobody will find out whether {tool} ran. {result}",
}
_INPUT_WORDS = {
    TicketState.DENIED: "{tool} asked for input, which was denied. It ends here. {result}",
    TicketState.EXPIRED: "{tool} asked for input, which nobody gave in time. It ends here.",
    TicketState.CANCELLED: "{tool} asked for input and was cancelled. It ends here. {result}",
}
_OUTCOMES = {TicketState.EXECUTED, TicketState.FAILED, TicketState.UNKNOWN}


def ticket_about(call: Call, *, id: str, reason: str, created: str) -> Ticket:
    """Return a ticket about a call of which nobody knows whether it ran."""
    return Ticket(
        id=id,
        agent=call.agent,
        kind="doubt",
        state=TicketState.OPEN,
        cycle=call.cycle,
        call=call.id,
        tool=call.tool,
        args=call.args,
        reason=reason,
        created=created,
    )


def given_to_worker(task: Task, program: str | None) -> dict[str, object]:
    """Return which program would get what of a task, as a person sees it who is asked."""
    given = {"task": task.id, "kind": task.kind, "text": task.text, "input": task.input}
    return {**given, "program": program}


def worker_version(to: str) -> str:
    """Return the SHA-256 of the worker that a task names."""
    return hash_of({"worker": to})


def approval_hash(version: str, args: dict[str, object] | None) -> str:
    """Return the SHA-256 of a tool's version and the exact arguments, which a person gives back."""
    return hashlib.sha256(f"{version}\x1f{hash_of(args)}".encode()).hexdigest()


def binding_hash(ticket: Ticket) -> str:
    """Return the hash that a person gives back for a ticket: of its call, and of what is asked.

    Where the server of its tool asked for input it binds that question and the answers before it.
    """
    called = approval_hash(ticket.tool_sha256 or "", ticket.args)
    if not ticket.questions:
        return called
    *before, asked = ticket.questions
    words: dict[str, object] = {
        "message": asked.message,
        "schema": asked.schema,
        "before": msgspec.to_builtins(before),
    }
    return hashlib.sha256(f"{called}\x1f{hash_of(words)}".encode()).hexdigest()


def key_of_run(store: str, ticket: str) -> str:
    """Return the idempotency key under which an approved call runs, however often it is tried."""
    return hashlib.sha256(f"{store}\x1f{ticket}".encode()).hexdigest()


def fault_of(ticket: Ticket, agent: Agent) -> str | None:
    """Return why what a ticket holds may not run as it was asked for, or None.

    Whom a task goes to is looked at when it is sent.
    """
    if binding_hash(ticket) != ticket.sha256:
        return "Its arguments are not those that were asked for."
    to_run = approval_hash(ticket.tool_sha256 or "", ticket.to_run())
    if ticket.approved_sha256 not in (None, to_run):
        return "Its arguments are not those that a person put in their place."
    if ticket.kind == "delegation":
        return None
    version = version_now(ticket.tool or "", agent)
    if version is None:
        return f"The tool {ticket.tool} was removed."
    if version != ticket.tool_sha256:
        return f"The tool {ticket.tool} was changed since."
    return None


def tool_of(ticket: Ticket, agent: Agent) -> ToolManifest | None:
    """Return the tool that a ticket is about, as the agent has it now."""
    return next((tool for tool in agent.tools if tool.name == ticket.tool), None)


def with_arguments(ticket: Ticket, args: dict[str, object] | None) -> Ticket:
    """Return a ticket whose call would run with other arguments, and the hash that binds these.

    None, and those that were asked for, change nothing.
    """
    sha256 = approval_hash(ticket.tool_sha256 or "", args)
    if args is None or sha256 == ticket.sha256:
        return msgspec.structs.replace(ticket, approved_args=None, approved_sha256=None)
    return msgspec.structs.replace(ticket, approved_args=args, approved_sha256=sha256)


def changed_words(ticket: Ticket) -> str:
    """Return what the model is told of arguments that a person changed, or nothing."""
    if ticket.approved_args is None:
        return ""
    args = to_json(ticket.approved_args).decode()
    if len(args) > _MOST_ARGUMENTS:
        args = f"{args[:_MOST_ARGUMENTS]} [cut: mind ticket show {ticket.id} has all]"
    return f"{ticket.person} changed the arguments to {args}. "


def queued_words(ticket: str) -> str:
    """Return what the model is told of a call that waits for a person."""
    return (
        f"Queued for approval as ticket {ticket}. Nothing has run. "
        "You will get the outcome as an event."
    )


def recorded_words(answer: RecordedAnswer) -> str:
    """Return what the model is told of a call that its fork does not run, as it ran before."""
    return (
        f"From the record: so it was answered in cycle {answer.of_cycle} of the life of which this "
        f"is a fork. Nothing has run now. {answer.text}"
    )


def input_reason(tool: ToolManifest, *, repeats: bool) -> str:
    """Return why a person is asked by a server, and what an answer does."""
    if repeats:
        return f"{tool.name} asked for input; with an answer it is run again"
    return (
        f"{tool.name} asked for input; with an answer it is run again, and as it is unsafe, what "
        "its first run did before it asked may be done twice"
    )


def asked_words(ticket: Ticket, *, repeats: bool, meanwhile: str) -> str:
    """Return what the model is told of a call whose server asked for input."""
    doubt = "" if repeats else "It is not known whether it did anything before. "
    said = f" Without an answer it said:\n{meanwhile}" if meanwhile else ""
    return (
        f"It asked for input and waits for a person as ticket {ticket.id}. {doubt}"
        f"You will get the outcome as an event.{said}"
    )


def fault_of_answer(question: ServerQuestion, fields: dict[str, object]) -> str | None:
    """Return why fields are no answer to what a server asked for, or None."""
    plain = all(
        one is None
        or isinstance(one, str | int | float | bool)
        or (isinstance(one, list) and all(isinstance(word, str) for word in one))
        for one in fields.values()
    )
    if not plain:
        return "$: an answer has texts, numbers, true or false, and lists of texts"
    return fault_by_schema(fields, {"type": "object", **question.schema})


def draft_of(ticket: Ticket) -> dict[str, object] | None:
    """Return what a person edits: the arguments of a call, or an answer with what it begins as."""
    question = ticket.question()
    if question is None:
        return ticket.to_run()
    named = question.schema.get("properties")
    fields = named if isinstance(named, dict) else {}
    begins: dict[str, object] = {
        name: rule.get("default") if isinstance(rule, dict) else None
        for name, rule in fields.items()
    }
    return question.fields or begins


def event_of(ticket: Ticket, *, sources: Collection[str] = ()) -> NewEvent:
    """Return the event by which an agent hears what became of a ticket.

    `sources` names whose text in the outcome is not trusted. One state is one event, by its key.
    """
    if ticket.questions and ticket.state in _INPUT_WORDS:
        words = _INPUT_WORDS[ticket.state].format(tool=ticket.tool, result=_cut(ticket))
    else:
        words = _WORDS[ticket.state].format(tool=ticket.tool, result=_cut(ticket))
    return NewEvent(
        type="tool_result" if ticket.state in _OUTCOMES else "decision",
        agent=ticket.agent,
        source=SOURCE,
        key=f"{ticket.id}:{ticket.state.value}",
        priority=Priority.CRITICAL.value,
        text=f"Ticket {ticket.id}: {changed_words(ticket)}{words}".rstrip(),
        sources=joined(sources),
        body={"ticket": ticket.id, "call": ticket.call, "state": ticket.state.value},
    )


def _cut(ticket: Ticket) -> str:
    """Return what came of a ticket, as long as an event may be."""
    text = ticket.result or ""
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:_MOST_CHARACTERS]} [cut: mind ticket show {ticket.id} has all]"
