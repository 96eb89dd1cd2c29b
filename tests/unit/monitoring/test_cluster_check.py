"""What mind doctor makes of the nodes of a cluster, and of a real one of this machine."""

import msgspec
import pytest

from support.command import Mind

pytest.importorskip("ray", reason="a cluster needs the extra ray")
from mindpipe.monitoring.checks.cluster import judged
from mindpipe.person.life.cluster import ClusterState
from mindpipe.person.life.cluster_node import ClusterNode, node_here

HERE = ClusterNode(
    host="a", now="2026-11-21T20:00:05Z", versions={"mindpipe": "1", "numpy": "2"}, sees="1 2 3"
)
STATE = ClusterState(
    processors=4,
    free=3,
    lost=0,
    nodes={"10.0.0.1": HERE},
    asked_at="2026-11-21T20:00:00Z",
    answered_at="2026-11-21T20:00:10Z",
)


def with_node(node: ClusterNode | str, **changes: int) -> dict[str, tuple[str, str]]:
    """Return verdict and words of each check of a cluster with one more node."""
    state = STATE._replace(nodes={**STATE.nodes, "10.0.0.2": node}, **changes)
    return {one.check: (one.verdict, one.found) for one in judged(state, HERE, "/town")}


@pytest.mark.parametrize(
    ("check", "changes", "verdict", "found"),
    [
        ("other versions", {}, "ok", "0"),
        (
            "other versions",
            {"versions": {"mindpipe": "1"}},
            "bad",
            "1: 10.0.0.2 (numpy missing, here 2)",
        ),
        ("clocks of nodes", {"now": "2026-11-21T20:00:14Z"}, "ok", "0"),
        ("clocks of nodes", {"now": "2026-11-21T20:10:10Z"}, "note", "1: 10.0.0.2 (+600 s)"),
        ("clocks of nodes", {"now": "2026-11-21T19:50:00Z"}, "note", "1: 10.0.0.2 (-600 s)"),
        ("shared folder", {}, "ok", "0"),
        ("shared folder", {"sees": None}, "bad", "1: 10.0.0.2 (no population there)"),
        ("shared folder", {"sees": "1 2 4"}, "bad", "1: 10.0.0.2 (another one)"),
    ],
)
def test_a_node_is_held_against_this_machine(
    check: str, changes: dict[str, object], verdict: str, found: str
) -> None:
    assert with_node(msgspec.structs.replace(HERE, **changes))[check] == (verdict, found)


def test_nodes_that_are_lost_or_run_nothing_are_told() -> None:
    found = with_node("No module named 'mindpipe'", lost=1)
    assert found["cluster"] == ("ok", "2 nodes, 3 of 4 processors free")
    assert found["lost nodes"] == ("note", "1")
    words = "1: 10.0.0.2 (No module named 'mindpipe')"
    assert found["nodes that run nothing"] == ("bad", words)


def test_a_folder_that_is_not_there_is_seen_by_nobody() -> None:
    nobody = msgspec.structs.replace(HERE, sees=None)
    state = STATE._replace(nodes={"10.0.0.1": nobody})
    (said,) = [one for one in judged(state, nobody, "/town") if one.check == "shared folder"]
    assert said.verdict == "bad"


def test_a_copy_of_a_folder_is_another_one(mind: Mind) -> None:
    mind("simulate", "new", "--count", "2", "--seed", "7", "--format", "arrow", "town")
    (mind.folder / "copy").mkdir(mode=0o700)
    octets = (mind.folder / "town" / "population.json").read_bytes()
    (mind.folder / "copy" / "population.json").write_bytes(octets)
    town, copy, none = (node_here(str(mind.folder / name)).sees for name in ("town", "copy", "x"))
    assert len({town, copy, none}) == 3
    assert none is None


@pytest.mark.long
def test_a_cluster_of_this_machine_is_sound_and_ends(mind: Mind) -> None:
    mind("simulate", "new", "--count", "2", "--seed", "7", "--format", "arrow", "town")
    ran = mind.run("doctor", "--cluster", "local", "--population", "town")
    found = {one["check"]: one["verdict"] for one in ran.records() if one["about"] == "cluster"}
    checks = ("cluster", "lost nodes", "nodes that run nothing", "other versions")
    assert found == dict.fromkeys((*checks, "clocks of nodes", "shared folder"), "ok"), ran.words


def test_a_cluster_that_is_not_there_is_told(mind: Mind) -> None:
    ran = mind.run("doctor", "--cluster", "ray://127.0.0.1:1")
    (said,) = [one for one in ran.records() if one["about"] == "cluster"]
    assert (said["verdict"], "no cluster answers" in said["found"]) == ("bad", True)
