"""Say that something is not there, and what may have been meant."""

from collections.abc import Iterable

from mindpipe.core.errors import UsageError
from mindpipe.core.text import did_you_mean


def unknown_agent(name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an agent that the store does not have."""
    return UsageError(f'no agent "{name}"; {did_you_mean(name, known)}mind agent list shows them.')


def unknown_goal(goal: str, agent: str) -> UsageError:
    """Return the error for a goal that the agent does not have."""
    return UsageError(
        f'agent {agent} has no goal "{goal}"; mind goal list --agent {agent} shows them.'
    )


def unknown_note(key: str, agent: str, known: Iterable[str]) -> UsageError:
    """Return the error for a note that the agent does not have."""
    return UsageError(
        f'agent {agent} has no note "{key}"; '
        f"{did_you_mean(key, known)}mind note list --agent {agent} shows them."
    )
