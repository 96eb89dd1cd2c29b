"""`mind agent`: identities, instructions and settings of agents."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast, get_args

import click
import msgspec

from mindpipe.agents.builtin_tools import NAMES, PRESETS, kept_names
from mindpipe.agents.mcp_servers import shown_tools
from mindpipe.agents.records import Agent, AgentChange, ContextStyle, StrategyName
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.records import to_json
from mindpipe.core.text import counted, safe_name, visible_text
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    CompletedText,
    day_micros_option,
    instructions_option,
    max_seconds_option,
    max_turns_option,
    model_option,
    name_option,
    servers_of_files,
    tools_of_files,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.context.records import ToolTrust
    from mindpipe.core.tools import ToolManifest
    from mindpipe.monitoring.records import WindowFigures

_COLUMNS = ("name", "title", "model", "description", "paused", "away", "created")
_UNSET: dict[str, tuple[str, object]] = {
    "model": ("model", None),
    "fallback": ("fallback", None),
    "compaction": ("compaction", None),
    "min-saving": ("min_saving", None),
    "temperature": ("temperature", None),
    "cycle-micros": ("cycle_micros", None),
    "day-micros": ("day_micros", None),
    "trust": ("trust", ()),
    "allow-tainted": ("allow_tainted", ()),
    "taint-scope": ("taint_scope", "request"),
    "i-accept-trifecta": ("accepts_trifecta", False),
    "memory-threshold": ("memory_threshold", 5.0),
    "knowledge-tokens": ("knowledge_tokens", 800),
    "style": ("style", None),
    "reader": ("reader", None),
    "paused": ("paused", None),
}

Declared = Callable[..., None]

_SETTINGS = (
    name_option,
    click.option("--description", metavar="TEXT", help="What it is for."),
    instructions_option,
    model_option,
    click.option("--fallback", metavar="MODEL", help="Asked where the model is failing."),
    click.option("--max-tokens", type=int, metavar="N", help="Budget of its window [100000]."),
    click.option(
        "--min-recent-cycles", type=int, metavar="N", help="Cycles kept whole while they fit [10]."
    ),
    click.option(
        "--compaction",
        type=click.Choice(get_args(StrategyName)),
        help="How old cycles are folded when its window passes --max-tokens [as they were closed].",
    ),
    click.option(
        "--min-saving",
        type=int,
        metavar="N",
        help="Fewest tokens for which that is done [a tenth of --max-tokens].",
    ),
    click.option(
        "--memory-threshold",
        type=float,
        metavar="X",
        help="From this significance on (0-10) what it makes of a cycle is remembered unasked, and"
        " what is said to it from 2 less [5].",
    ),
    click.option(
        "--knowledge-tokens",
        type=int,
        metavar="N",
        help="Most tokens that its prompts take for what it holds true [800].",
    ),
    click.option("--reply-tokens", type=int, metavar="N", help="Most tokens of one reply [4096]."),
    click.option("--thinking-tokens", type=int, metavar="N", help="Budget of its reasoning [0]."),
    click.option("--temperature", type=float, metavar="X", help="From 0 to 2."),
    click.option(
        "--refresh",
        type=click.Choice(["append", "system"]),
        help="A changed state is appended [default], or rewrites the system text.",
    ),
    click.option(
        "--style",
        type=click.Choice(get_args(ContextStyle)),
        help="Its life is shown as one conversation, or as a timeline made for each cycle "
        "[context.style].",
    ),
    click.option("--batch", type=int, metavar="N", help="Most events of one cycle [20]."),
    max_turns_option,
    click.option("--max-calls", type=int, metavar="N", help="Most tool calls of one cycle [64]."),
    max_seconds_option,
    click.option("--cycle-micros", type=int, metavar="N", help="Most micro-dollars of one cycle."),
    day_micros_option,
    click.option(
        "--trust",
        multiple=True,
        metavar="SOURCE",
        help="A source on whose words it may act, e.g. mail, mail/bob or space:family, or who "
        "speaks in spaces, as @husam; may be repeated, and takes the place of all named before.",
    ),
    click.option(
        "--allow-tainted",
        multiple=True,
        metavar="TOOL",
        help="A tool that runs unasked in tainted turns too, or fs_* for all that begin so; may "
        "be repeated, likewise.",
    ),
    click.option(
        "--taint-scope",
        type=click.Choice(["request", "cycle"]),
        help="Whose words count: all that a request shows [default], or what its cycle took in.",
    ),
    click.option(
        "--i-accept-trifecta",
        "accepts_trifecta",
        is_flag=True,
        default=None,
        help="Let it send unasked though it reads private data and untrusted text.",
    ),
    click.option(
        "--tools",
        "preset",
        type=click.Choice(list(PRESETS)),
        help="Which built-in tools it keeps [new agents: agents.tools].",
    ),
    click.option(
        "--with-tool",
        "with_tools",
        multiple=True,
        type=CompletedText(lambda _: NAMES),
        metavar="NAME",
        help="Give it a built-in tool, or set_* for all that begin so; may be repeated.",
    ),
    click.option(
        "--without-tool",
        "without_tools",
        multiple=True,
        type=CompletedText(lambda _: NAMES),
        metavar="NAME",
        help="Take a tool away, a built-in one or its own, or set_* likewise; may be repeated.",
    ),
    click.option(
        "--tool",
        "tools",
        multiple=True,
        metavar="FILE",
        callback=tools_of_files,
        help="Give it the tool or tools of a JSON or TOML manifest; may be repeated.",
    ),
    click.option(
        "--mcp",
        "servers",
        multiple=True,
        metavar="FILE",
        callback=servers_of_files,
        help="Give it all tools of the MCP servers of a file: .mcp.json as other programs have it, "
        "or a manifest that starts one (mind-life(7) shows both); may be repeated.",
    ),
)


def settings_options(function: Declared) -> Declared:
    """Declare the options of all settings."""
    for option in reversed(_SETTINGS):
        function = option(function)
    return function


@command("new", example='mind agent new ava --name Ava --instructions "Help the family."')
@click.argument("name")
@settings_options
def new(session: Session, name: str, **values: object) -> None:
    """Make the agent NAME.

    NAME is 1-64 characters of a-z, 0-9, _ and -. A tool's manifest has name, description, command
    (a list of words), input_schema, effect (pure, idempotent, keyed or unsafe), labels, timeout,
    output_bytes, environment and verify; its relative paths are taken from its own folder. What a
    tool answers is trusted, as its author vouches for it, unless a label says reads_untrusted; what
    an MCP server says and answers is not before mind agent trust add NAME --server SERVER.
    """
    safe_name(name)
    servers = values["servers"]
    change = session.app.new_agent(_change(values))
    agent = agents.new(session.store, session.clock, session.chance, name=name, change=change)
    _say_missing(values["model"], values["fallback"])
    _say_servers(session, agent, servers)
    session.write([_shown(agent)], columns=_COLUMNS)


@command("list", example="mind agent list --table")
def list_(session: Session) -> None:
    """Print all agents by name."""
    session.write(map(_shown, agents.list_(session.store)), columns=_COLUMNS)


@command("show", example="mind agent show ava --file > ava.json")
@click.argument("name")
@click.option(
    "--file", "whole", is_flag=True, help="With all that it knows, to live without a store."
)
def show(session: Session, name: str, *, whole: bool) -> None:
    """Print the agent NAME: its settings, how much it lived, and how its tools are judged.

    tool_trust says for each of its own tools as what its answers count and whether they are
    trusted, the effect and labels in force, and what an MCP server claims of it. A terminal shows
    this in words, without the manifests of its tools; --json prints them, without what may be
    secret in them: headers, most of an address, what looks like a key. --file has all of it but
    the values that MCP servers keep for themselves, which stderr names; ${VAR} stays.
    """
    if whole:
        from mindpipe.agents.mcp_servers import bare_tools, left_out, servers_of
        from mindpipe.context.verbs import prompts

        document = prompts.portray(session.store, name=name)
        tools = bare_tools(document.agent.tools)
        own = msgspec.structs.replace(document.agent, tools=tools)
        session.write([msgspec.structs.replace(document, agent=own)], columns=("agent",))
        if fields := left_out(servers_of(tools)):
            output.say(
                f"the document does not have what MCP servers keep for themselves ({fields}); "
                "write ${VAR} for it in their file."
            )
    else:
        from mindpipe.context.verbs import trust as verbs
        from mindpipe.monitoring.verbs.status import window_of

        agent = agents.show(session.store, name=name)
        settings = session.settings.security.sources()
        window = window_of(session.store, agent)
        judged = verbs.tools(session.store, agent=name, settings=settings)
        if session.shape == "table":
            output.write_text("".join(f"{line}\n" for line in _page(_shown(agent), window, judged)))
            return
        more = {"window": window, "tool_trust": judged}
        shown = {**msgspec.to_builtins(_shown(agent)), **msgspec.to_builtins(more)}
        session.show_whole([shown], columns=_COLUMNS)


def _shown(agent: Agent) -> Agent:
    """Return an agent without what may be secret in the commands of its tools."""
    return msgspec.structs.replace(agent, tools=shown_tools(agent.tools))


_WHOLE = ("instructions", "trust", "builtin_tools", "tools")
"""What stands under a title of its own on a page."""


def _page(agent: Agent, window: "WindowFigures", judged: "Iterable[ToolTrust]") -> Iterator[str]:
    """Yield an agent as people read it: its settings, instructions, whom it trusts, its tools."""
    fields = {name: value for name, value in msgspec.to_builtins(agent).items() if value != ""}
    if not agent.moves:
        del fields["moves"], fields["away"]
    lived = counted(window.cycles, "cycle")
    fields["window"] = f"{lived}; {window.tokens:,} of {window.budget:,} tokens in the last request"
    plain = {name: value for name, value in fields.items() if name not in _WHOLE}
    yield from output.document_lines(plain)
    yield ""
    yield "Instructions:"
    yield from (f"  {visible_text(line)}" for line in agent.instructions.splitlines() or ["none"])
    yield ""
    yield f"Trusts: {', '.join(map(visible_text, agent.trust)) or 'nobody beside the operator'}"
    kept = kept_names(agent.builtin_tools)
    yield f"Built-in tools: {', '.join(kept) or 'none'}"
    yield f"Its own tools:{'' if agent.tools else ' none'}"
    for tool, how in zip(agent.tools, judged, strict=True):
        yield f"  {tool.name}: {', '.join((how.effect, *how.labels))}; {_trusted(how)}"
        if how.claims is not None:
            count = "which counts" if how.claims.count else "which does not count"
            yield f"    claims: {visible_text(to_json(how.claims.said).decode())}, {count}"
        # The words that reach a server may hold a secret that stands in its file.
        runs = f"MCP server {tool.server}" if tool.server else shlex.join(tool.command)
        yield f"    runs: {visible_text(runs)}"
        yield from (f"    {visible_text(line)}" for line in tool.description.splitlines())


def _trusted(judged: "ToolTrust") -> str:
    """Say as what the answers of a tool count."""
    if judged.answers is None:
        return "its manifest vouches for its answers"
    return f"its answers ({judged.answers}) are {'' if judged.trusted else 'not '}trusted"


@command("set", example="mind agent set ava --model anthropic/claude-haiku-4-5 --tool tools.toml")
@click.argument("name")
@settings_options
@click.option("--pause", "paused", metavar="REASON", help="Let it rest until --unset paused.")
@click.option(
    "--unset",
    type=click.Choice(list(_UNSET)),
    multiple=True,
    help="Go back to no value; may be repeated.",
)
def set_(session: Session, name: str, *, unset: tuple[str, ...], **values: object) -> None:
    """Change settings of the agent NAME; what is not named stays.

    A tool of --tool takes the place of one of the same name.
    """
    servers = values["servers"]
    change = session.app.change_of_agent(_change(values, unset))
    agent = agents.set_(session.store, name=name, change=change)
    _say_missing(values["model"], values["fallback"])
    _say_unheard(session, name, cast("tuple[str, ...]", values["trust"]))
    _say_servers(session, agent, servers)
    session.write([_shown(agent)], columns=_COLUMNS)


@command("fork", example="mind agent fork ava bea --name Bea")
@click.argument("name")
@click.argument("copy")
@name_option
def fork(session: Session, name: str, copy: str, title: str | None) -> None:
    """Make the agent COPY with the settings, tools, goals and notes of NAME."""
    agent = agents.fork(
        session.store, session.clock, session.chance, name=name, copy=copy, title=title
    )
    session.write([_shown(agent)], columns=_COLUMNS)


@command("clearances", example="mind agent clearances ava --table")
@click.argument("name")
def clearances(session: Session, name: str) -> None:
    """Print what of the agent NAME was read and vouched for: by whom, when, and whose words."""
    from mindpipe.context.verbs import trust

    found = agents.clearances(
        session.store,
        name=name,
        find=lambda agent: trust.clearances(session.store, agent=agent),
    )
    session.write(found, columns=output.CLEARANCE)


@command("trust", example="mind agent trust add ava @husam mail/bob 'web/*'")
@click.argument("action", type=click.Choice(["add", "remove", "list"]))
@click.argument("name")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="NAME",
    help="An MCP server wholly: what it says and claims of its tools, and what these answer.",
)
@click.option(
    "--answers",
    "tools",
    multiple=True,
    metavar="TOOL",
    help="What one of its tools answers.",
)
@click.option(
    "--reports",
    "workers",
    multiple=True,
    metavar="WORKER",
    help="What a program of tasks.workers, or an agent, reports of tasks.",
)
@click.option(
    "--observers",
    is_flag=True,
    help="Its own observers, and so whoever names a file, writes a commit or may sign a request.",
)
def trust(
    session: Session,
    action: str,
    name: str,
    sources: tuple[str, ...],
    *,
    servers: tuple[str, ...],
    tools: tuple[str, ...],
    workers: tuple[str, ...],
    observers: bool,
) -> None:
    """Say on whose words the agent NAME may act, or print whom it trusts and whom not.

    A SOURCE is what a ticket or mind context show --receipt names: mail/bob, tool:NAME, or mail
    with all its senders. mail/* means its senders, observer:* all of a kind, space:family what is
    said there, and @husam who speaks in spaces as husam, which a source called husam is not. A *
    stands after / or :, or alone for everybody.
    """
    from mindpipe.context.verbs import trust as verbs
    from mindpipe.core.errors import UsageError

    store = session.store
    wanted = [*sources, *(["observer:*"] if observers else [])]
    for server in servers:
        wanted += verbs.sources_of_server(store, agent=name, server=server)
    wanted += [verbs.source_of_tool(store, agent=name, tool=tool) for tool in tools]
    if workers:
        from mindpipe.engine.worker.task_programs import programs_of

        known = programs_of(session.settings)
        wanted += [verbs.source_of_worker(store, worker=one, workers=known) for one in workers]
    if (action == "list") is bool(wanted):
        raise UsageError("list takes no SOURCE." if wanted else f"whom? Name a SOURCE to {action}.")
    if action != "list":
        agents.trust(store, name=name, **{action: wanted})
    if action == "add":
        _say_unheard(session, name, sources)
    found = verbs.entries(store, agent=name, settings=session.settings.security.sources())
    session.write(found, columns=("source", "trusted", "by", "means"))


def _say_unheard(session: Session, name: str, sources: Iterable[str]) -> None:
    """Say which of some sources mean nobody that the agent knows: they may be mistyped."""
    from mindpipe.context.verbs import trust as verbs

    for line in verbs.unheard(session.store, agent=name, sources=sources):
        output.say(f"mind: {line}")


def _say_missing(*models: object) -> None:
    """Say which of the models that were just given are programs that cannot be started here."""
    import shutil

    for model in cast("tuple[str | None, ...]", models):
        program = (model or "").removeprefix("program:")
        if program != (model or "") and shutil.which(program) is None:
            output.say(
                f"mind: the program {program} is not here or not executable; it must be before "
                "the agent thinks."
            )


def _say_servers(session: Session, agent: Agent, servers: object) -> None:
    """Say of the MCP servers whose tools were just given whether their words count."""
    from mindpipe.core.sources import server_source, untrusted

    trust = (*agent.trust, *session.settings.security.sources())
    given = cast("tuple[ToolManifest, ...]", servers)
    for server in sorted({tool.server for tool in given if tool.server is not None}):
        look = f"read its tools in mind agent show {agent.name}"
        if untrusted([server_source(server)], trust):
            way = f"mind agent trust add {agent.name} --server {server}"
            output.say(f"mind: {agent.name} trusts nothing that {server} says; {look}, then {way}.")
        else:
            output.say(f"mind: {agent.name} already trusts what {server} says; {look}.")


def _change(values: dict[str, object], unset: Iterable[str] = ()) -> AgentChange:
    """Return the options that were given as a change."""
    servers = cast("tuple[object, ...]", values.pop("servers"))
    values["tools"] = (*cast("tuple[object, ...]", values["tools"]), *servers)
    given = {name: value for name, value in values.items() if value not in (None, ())}
    return msgspec.convert(given | dict(_UNSET[name] for name in unset), type=AgentChange)


COMMAND = group("agent", new, list_, show, set_, fork, trust, clearances)
