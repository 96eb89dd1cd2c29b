"""Who reads for an agent: the reader that is set, or what `auto` came to when it was first used."""

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Store
from mindpipe.language.readers import AUTO, Digest, best_reader, reader_of
from mindpipe.language.records import StatementReader


def reader_for(
    store: Store,
    *,
    agent: str,
    wanted: str,
    digest: Digest,
    named: tuple[str, ...] = (),
    given: bool = True,
    asked_for: bool = False,
) -> StatementReader:
    """Return who reads for an agent by the name of a reader.

    What `auto` comes to is kept with the agent and holds from then on, whatever is installed later,
    until it is `asked_for` anew, or another reader has been set meanwhile. Another that is only
    asked for leaves it, and so does the default, which nobody has `given`. `digest` and `named` are
    those of `reader_of`.

    Raises:
        UnavailableError: the reader is not installed, or no longer.
        UsageError: there is no such agent, or no such reader.
    """
    kept = agents.show(store, name=agent).reader
    if wanted != AUTO and (given or kept is None):
        if not asked_for:
            forget_auto(store, agent=agent)
        return reader_of(wanted, digest, named)
    if kept is None or asked_for:
        best = best_reader()
        agents.set_(store, name=agent, change=AgentChange(reader=best))
        return reader_of(best, digest, named)
    try:
        return reader_of(kept, digest, named)
    except UnavailableError as error:
        raise UnavailableError(
            f"{agent} is read with {kept}, which auto came to first and which is not installed "
            f"now; install it, or choose again: mind consolidate --agent {agent} --reader auto."
        ) from error


def forget_auto(store: Store, *, agent: str) -> None:
    """Forget what `auto` came to for an agent, since another reader is set, or a model reads."""
    if agents.show(store, name=agent).reader is not None:
        agents.set_(store, name=agent, change=AgentChange(reader=None))
