"""What of an agent may be changed, and its document in a file."""

from collections.abc import Container

import msgspec

from mindpipe.agents import builtin_tools
from mindpipe.agents.records import Agent, AgentChange, AgentFile
from mindpipe.core.errors import BadInputError, UnsafeNameError, UsageError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.sources import fault_of_name
from mindpipe.core.text import one_line, safe_name, terminal_text, whole_text, without_surrogates
from mindpipe.core.tools import ToolManifest, names_tool

TITLE_LENGTH = 200
SOURCE_LENGTH = 520
DESCRIPTION_LENGTH = 4_000
INSTRUCTIONS_LENGTH = 400_000
REASON_LENGTH = 500
_LINES = dict.fromkeys(("title", "model", "fallback", "reader"), TITLE_LENGTH)
_TEXTS = {"description": DESCRIPTION_LENGTH, "instructions": INSTRUCTIONS_LENGTH}


def changed(agent: Agent, change: AgentChange) -> Agent:
    """Return the agent with the change made.

    Raises:
        UsageError: a value is out of its range, too long, or names a tool that is not there.
    """
    given = {
        name: value
        for name in AgentChange.__struct_fields__
        if name not in ("tools", "preset", "with_tools", "without_tools")
        and (value := getattr(change, name)) is not msgspec.UNSET
    }
    for name, limit in _LINES.items():
        if given.get(name) is not None:
            given[name] = one_line(given[name], field=name, limit=limit)
    if given.get("paused") is not None:
        given["paused"] = _reason(given["paused"])
    if given.get("trust"):
        given["trust"] = tuple(
            one_line(one, field="trust", limit=SOURCE_LENGTH) for one in given["trust"]
        )
        # What an earlier release took stays until it is removed.
        for one in (one for one in given["trust"] if one not in agent.trust):
            if fault := fault_of_name(one):
                raise UsageError(f"trust: {one}: {fault}.")
    for name, limit in _TEXTS.items():
        if given.get(name):
            whole_text(given[name], field=name, limit=limit)
    kept = chosen_tools(agent, change)
    tools = merged_tools(agent, change.tools, change.without_tools)
    known = {tool.name: tool for tool in tools}
    wanted = given.get("allow_tainted", ())
    for unknown in (one for one in wanted if not any(names_tool(one, tool) for tool in known)):
        raise UsageError(f'agent {agent.name} has no tool "{unknown}"; it has {_listed(known)}.')
    made: Agent = msgspec.structs.replace(agent, **given, builtin_tools=kept, tools=tools)
    allowed = tuple(
        one for one in made.allow_tainted if any(names_tool(one, tool) for tool in known)
    )
    made = msgspec.structs.replace(made, allow_tainted=allowed)
    problems = problems_of(msgspec.to_builtins(made), Agent, source=agent.name)
    if problems:
        faults = (f"{(problem.field or '$')[2:]}: {problem.message}" for problem in problems)
        raise UsageError("; ".join(faults) + ".")
    return made


def merged_tools(
    agent: Agent, added: tuple[ToolManifest, ...], without: tuple[str, ...]
) -> tuple[ToolManifest, ...]:
    """Return the agent's tools with some taken away, then some added or put in their place.

    Raises:
        UsageError: a tool to take away is not there, or two added ones share a name.
    """
    tools = {tool.name: tool for tool in agent.tools}
    for name in without:
        meant = [one for one in tools if names_tool(name, one)]
        if not meant and not builtin_tools.meant_by(name):
            raise UsageError(f'agent {agent.name} has no tool "{name}"; it has {_listed(tools)}.')
        tools = {one: tool for one, tool in tools.items() if one not in meant}
    names = [tool.name for tool in added]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two of the given tools are named {double}; rename one.")
    return tuple((tools | {tool.name: tool for tool in added}).values())


def chosen_tools(agent: Agent, change: AgentChange) -> tuple[str, ...] | None:
    """Return which built-in tools an agent keeps after a change; None where nobody ever chose.

    Raises:
        UsageError: one is named that is none, or both to be given and to be taken away.
    """
    if change.preset is not msgspec.UNSET:
        kept = set(builtin_tools.PRESETS[change.preset])
    else:
        kept = set(builtin_tools.kept_names(agent.builtin_tools))
    more = {one for name in change.with_tools for one in builtin_tools.named(name)}
    fewer = {one for name in change.without_tools for one in builtin_tools.meant_by(name)}
    if both := set(change.with_tools) & set(change.without_tools):
        raise UsageError(f"{min(both)} is to be given and to be taken away; name it once.")
    if change.preset is msgspec.UNSET and not more and not fewer:
        return agent.builtin_tools
    return builtin_tools.ordered((kept | more) - fewer)


def _reason(text: str) -> str:
    """Return why an agent rests as one line, whatever words a program gave."""
    words = " ".join(terminal_text(without_surrogates(text)[0]).split())
    return words[:REASON_LENGTH] or "paused"


def _listed(tools: dict[str, ToolManifest]) -> str:
    """Return the tools' names in words."""
    return ", ".join(tools) or "none"


def read_agent_file(document: bytes, *, source: str, reserved: Container[str] = ()) -> AgentFile:
    """Return the agent of one JSON document, as `mind agent show NAME --file` prints it.

    `{"agent": {"name": "ava"}}` is enough; everything else has a default. The bare agent, as
    `mind agent show NAME --json` prints it, is read too. `reserved` are the names of the
    built-in tools, which no tool of the file may have.

    Raises:
        BadInputError: every fault, as `FILE: $.field: fault`.
    """
    from mindpipe.agents.manifests import tool_problems

    found = load_json(document, source=source)
    if isinstance(found, dict) and "name" in found and "agent" not in found:
        found = {"agent": found}
    problems = problems_of(found, AgentFile, source=source)
    if problems:
        raise BadInputError(problems)
    read = msgspec.convert(found, AgentFile)
    unknown = (name for name in read.agent.builtin_tools or () if name not in builtin_tools.NAMES)
    problems = [
        Problem(
            source=source,
            field="$.agent.builtin_tools",
            message=f"there is no built-in tool {name}",
        )
        for name in unknown
    ]
    problems += [
        problem
        for place, tool in enumerate(read.agent.tools)
        for problem in tool_problems(tool, reserved, source=source, at=f"$.agent.tools[{place}]")
    ]
    if problems:
        raise BadInputError(problems)
    try:
        safe_name(read.agent.name)
    except UnsafeNameError as error:
        problem = Problem(source=source, field="$.agent.name", message=str(error))
        raise BadInputError([problem]) from None
    return read
