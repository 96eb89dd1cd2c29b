"""Say that something is not there, and what may have been meant."""

from collections.abc import Iterable

from mindpipe.core.errors import UsageError


def unknown_agent(name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an agent that the store does not have."""
    return UsageError(f'no agent "{name}"; {_near(name, known)}mind agent list shows them.')


def unknown_goal(goal: str, agent: str) -> UsageError:
    """Return the error for a goal that the agent does not have."""
    return UsageError(
        f'agent {agent} has no goal "{goal}"; mind goal list --agent {agent} shows them.'
    )


def unknown_note(key: str, agent: str, known: Iterable[str]) -> UsageError:
    """Return the error for a note that the agent does not have."""
    return UsageError(
        f'agent {agent} has no note "{key}"; '
        f"{_near(key, known)}mind note list --agent {agent} shows them."
    )


def _near(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name as a question, or nothing."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
