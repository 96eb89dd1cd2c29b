"""Read an agent that lives in a JSON file instead of a store."""

from collections.abc import Container

import msgspec

from mindpipe.agents.manifests import tool_problems
from mindpipe.agents.records import AgentFile
from mindpipe.core.errors import BadInputError, UnsafeNameError
from mindpipe.core.faults import problems_of
from mindpipe.core.names import safe_name
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json


def read_agent_file(document: bytes, *, source: str, reserved: Container[str] = ()) -> AgentFile:
    """Return the agent of one JSON document, as `mind agent show NAME --file` prints it.

    `{"agent": {"name": "ava"}}` is enough; everything else has a default. The bare agent, as
    `mind agent show NAME --json` prints it, is read too. `reserved` are the names of the
    built-in tools, which no tool of the file may have.

    Raises:
        BadInputError: every fault, as `FILE: $.field: fault`.
    """
    found = load_json(document, source=source)
    if isinstance(found, dict) and "name" in found and "agent" not in found:
        found = {"agent": found}
    problems = problems_of(found, AgentFile, source=source)
    if problems:
        raise BadInputError(problems)
    read = msgspec.convert(found, AgentFile)
    problems = [
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
