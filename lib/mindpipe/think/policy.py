"""Say when a person must decide before a tool may run."""

import re
from collections.abc import Collection

from mindpipe.agents.records import Agent
from mindpipe.core.records import to_json
from mindpipe.core.tools import Label, ToolManifest

_TRIFECTA: tuple[Label, ...] = ("reads_private", "reads_untrusted", "sends_out")
_MOST_NAMES = 5
_PLAIN = re.compile(r"[^\s,;\"]+")


def reason_to_ask(tool: ToolManifest, agent: Agent, sources: Collection[str]) -> str | None:
    """Return why a person must approve a call of `tool` first and what would allow it, or None.

    `sources` names whose text in the request is not trusted; of none the turn is not tainted.
    """
    outward = "sends_out" in tool.labels
    if tool.approval != "policy":
        return f"{tool.name} is asked about every time; it was declared so"
    if outward and not agent.accepts_trifecta and has_trifecta(agent):
        return (
            f"{agent.name} can read private data, read untrusted text and send outward, and "
            f"{tool.name} sends; mind agent set {agent.name} --i-accept-trifecta allows it"
        )
    risky = outward or tool.effect == "unsafe"
    if risky and sources and tool.name not in agent.allow_tainted:
        doing = "sends outward" if outward else "is unsafe"
        # Setting the list takes the place of all that was named before.
        trust = " ".join(f"--trust {name}" for name in (*agent.trust, "NAME"))
        return (
            f"{tool.name} {doing}, and {agent.name} read text of {_names(sources)}; mind agent set "
            f"{agent.name} --allow-tainted {tool.name} or {trust} allows it"
        )
    return None


def has_trifecta(agent: Agent) -> bool:
    """Tell whether an agent's own tools together read private, read untrusted and send out."""
    labels = {label for tool in agent.tools for label in tool.labels}
    return labels.issuperset(_TRIFECTA)


def _names(sources: Collection[str]) -> str:
    """Return the names of some sources; one that could pass for our own words is quoted."""
    shown = [name if _PLAIN.fullmatch(name) else to_json(name).decode() for name in sorted(sources)]
    more = len(shown) - _MOST_NAMES
    return ", ".join(shown[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
