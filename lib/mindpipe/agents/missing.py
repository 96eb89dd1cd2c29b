"""Say that something is not there, and what may have been meant."""

from collections.abc import Iterable

from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.text import did_you_mean


def unknown_agent(name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an agent that the store does not have."""
    return UsageError(f'no agent "{name}"; {did_you_mean(name, known)}mind agent list shows them.')


def moved_away(name: str, since: str) -> RefusedError:
    """Return the error for an agent whose life goes on in another store."""
    return RefusedError(
        f"{name} has lived in another store since {since}. Do it there, or bring the life back "
        "with mind life import."
    )


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
