"""Look at a Ray cluster: does every node answer, run the same versions, and see the same folder."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from mindpipe.core.instants import seconds_between
from mindpipe.core.text import counted
from mindpipe.person.life.cluster import ClusterState, state_of
from mindpipe.person.life.cluster_node import ClusterNode, node_here
from mindpipe.store.records import StoreFinding, Verdict

_CLOCK_SECONDS = 5.0


def look(address: str, folder: str | None) -> Iterator[StoreFinding]:
    """Judge a cluster, and whether its nodes see a population's folder; nothing is written.

    With `local` one is started here, and ended.

    Raises:
        UsageError: the address is none.
        UnavailableError: the cluster is not reached.
    """
    folder = None if folder is None else str(Path(folder).absolute())
    yield from judged(state_of(address, folder), node_here(folder), folder)


def judged(state: ClusterState, here: ClusterNode, folder: str | None) -> Iterator[StoreFinding]:
    """Judge what the nodes of a cluster say of themselves beside this machine."""
    said = {name: node for name, node in state.nodes.items() if isinstance(node, ClusterNode)}
    nodes = counted(len(state.nodes), "node")
    found = f"{nodes}, {state.free:g} of {state.processors:g} processors free"
    yield StoreFinding(check="cluster", verdict="ok", found=found)
    yield _lost(state.lost)
    silent = {name: node for name, node in state.nodes.items() if isinstance(node, str)}
    advice = "See that mindpipe is installed there with the extra ray, and what ray status says."
    said_why = [f"{name} ({why})" for name, why in silent.items()]
    yield StoreFinding.of_each("nodes that run nothing", said_why, advice, "bad")
    yield _those(
        "other versions",
        said,
        lambda node: _other_versions(node, here),
        "Install the same versions on every node: the same lives need them.",
    )
    yield _those(
        "clocks of nodes",
        said,
        lambda node: _apart(node, state),
        "Let all be set by the same time server.",
        "note",
    )
    if folder is not None:
        yield _those(
            "shared folder",
            said,
            lambda node: _unseen(node, here),
            f"{folder} must lie on storage that all nodes share, under the same name.",
        )


def _lost(count: int) -> StoreFinding:
    """Say how many nodes a cluster has lost."""
    advice = "Start them again, or go on: their work is done by others."
    return StoreFinding(
        check="lost nodes",
        verdict="note" if count else "ok",
        found=f"{count}",
        advice=advice if count else None,
    )


def _those(
    check: str,
    nodes: Mapping[str, ClusterNode],
    of_one: Callable[[ClusterNode], str],
    advice: str,
    verdict: Verdict = "bad",
) -> StoreFinding:
    """Return the finding about those nodes of which something is said."""
    said = [f"{name} ({words})" for name, node in nodes.items() if (words := of_one(node))]
    return StoreFinding.of_each(check, said, advice, verdict)


def _other_versions(node: ClusterNode, here: ClusterNode) -> str:
    """Say which versions of a node are not those here."""
    return ", ".join(
        f"{name} {node.versions.get(name, 'missing')}, here {mine}"
        for name, mine in here.versions.items()
        if node.versions.get(name) != mine
    )


def _apart(node: ClusterNode, state: ClusterState) -> str:
    """Say how far a node's clock is from this one's, where that is much."""
    early = seconds_between(node.now, state.asked_at)
    late = seconds_between(state.answered_at, node.now)
    apart = late if late > early else -early
    return f"{apart:+.0f} s" if max(early, late) > _CLOCK_SECONDS else ""


def _unseen(node: ClusterNode, here: ClusterNode) -> str:
    """Say how a node sees a folder otherwise than it is seen here."""
    if node.sees == here.sees is not None:
        return ""
    return "no population there" if node.sees is None else "another one"
