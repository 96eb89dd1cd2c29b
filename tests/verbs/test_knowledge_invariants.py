"""The hard invariants of knowledge: the store itself refuses what would break one."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import BadInputError, MindError, TemporaryError
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefMark,
    BeliefStatus,
    Observation,
)
from mindpipe.knowledge.tables import decisions, marks, observations
from mindpipe.knowledge.verbs.publish import believed, publish
from mindpipe.store.sqlite import SqliteStore
from support.beliefs import AVA, T0, T1, changes, evidence, new, observation
from support.stores import store_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = store_at(tmp_path / "mind.db")
    yield made
    made.close()


def write(store: SqliteStore, made: Observation) -> None:
    """Write an observation past every check but the store's own."""
    with store.write() as rows:
        observations.insert(rows, made)
        observations.insert_evidence(rows, made, at=T0)
        observations.log_standing(rows, made, at=T0, by="test", why="as it is")


def run(store: SqliteStore, sql: str) -> None:
    with store.write() as rows:
        rows.run(sql)


def ended(made: Observation, status: BeliefStatus, at: str = T1) -> Observation:
    return msgspec.structs.replace(made, status=status, ended=at, valid_to=at)


Break = Callable[[Observation], Observation]
BROKEN: list[tuple[str, Break]] = [
    ("another key", lambda o: msgspec.structs.replace(o, canonical_key="global:x:y")),
    ("no such kind", lambda o: msgspec.structs.replace(o, kind="mood")),  # type: ignore[arg-type]
    ("another subject type", lambda o: msgspec.structs.replace(o, subject_type="tool")),
    ("too sure", lambda o: msgspec.structs.replace(o, confidence=1.01)),
    ("too fresh", lambda o: msgspec.structs.replace(o, freshness=-0.01)),
    (
        "ends before it begins",
        lambda o: msgspec.structs.replace(o, valid_to="2020-01-01T00:00:00Z"),
    ),
    ("ended, yet active", lambda o: msgspec.structs.replace(o, ended=T1)),
    ("no id of an observation", lambda o: msgspec.structs.replace(o, id="it_9")),
    ("supersedes itself", lambda o: msgspec.structs.replace(o, supersedes_observation_id=o.id)),
    ("follows nobody", lambda o: msgspec.structs.replace(o, supersedes_observation_id="ob_9")),
    (
        "cites an observation",
        lambda o: msgspec.structs.replace(o, evidence=(evidence("ob_2"),)),
    ),
    (
        "cites a message",
        lambda o: msgspec.structs.replace(
            o, evidence=(msgspec.structs.replace(evidence(), source="message"),)
        ),
    ),
    (
        "cites the model",
        lambda o: msgspec.structs.replace(o, evidence=(evidence(origin="agent"),)),
    ),
    (
        "cites what was recalled",
        lambda o: msgspec.structs.replace(o, evidence=(evidence(origin="recalled"),)),
    ),
    (
        "trusted more than its words",
        lambda o: msgspec.structs.replace(o, evidence=(evidence(sources=["web"]),)),
    ),
    (
        "too heavy",
        lambda o: msgspec.structs.replace(
            o, evidence=(msgspec.structs.replace(evidence(), weight=4.5),)
        ),
    ),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[name for name, _ in BROKEN])
def test_the_store_refuses_what_breaks_an_invariant(
    store: SqliteStore, name: str, broken: Break
) -> None:
    with pytest.raises(MindError, match="the store refused a row"):
        write(store, broken(observation()))
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM observation_evidence") == 0
        assert rows.value(int, "SELECT count(*) FROM observation") == 0


@pytest.mark.parametrize("kind", ["operator_preference", "self_model"])
def test_nothing_quarantined_supports_what_is_personal(store: SqliteStore, kind: str) -> None:
    slot = {"operator_preference": "diet", "self_model": "tendency.late"}[kind]
    plain = observation(kind=kind, slot=slot)  # type: ignore[arg-type]
    said = msgspec.structs.replace(plain, evidence=(evidence(sources=["web"]),))
    with pytest.raises(MindError, match="the store refused a row"):
        write(store, said)
    with pytest.raises(MindError, match="the store refused a row"):
        write(store, msgspec.structs.replace(plain, sources=("web",)))
    against = msgspec.structs.replace(
        plain, evidence=(evidence(), evidence("it_2", stance="contradict", sources=["web"]))
    )
    write(store, against)


@pytest.mark.of_a_file
def test_the_rule_for_what_is_personal_holds_by_itself(store: SqliteStore) -> None:
    plain = observation(kind="operator_preference", slot="diet")
    run(store, "DROP TRIGGER observation_evidence_trust")
    with pytest.raises(MindError, match="CHECK constraint failed: stance"):
        write(store, msgspec.structs.replace(plain, evidence=(evidence(sources=["web"]),)))


def test_one_observation_of_a_key_is_active(store: SqliteStore) -> None:
    write(store, observation())
    with pytest.raises(MindError, match=r"never replaced|duplicate key"):
        write(store, observation("ob_2"))
    with pytest.raises(TemporaryError, match="has been changed since"):
        publish(store, changes(new(observation("ob_2"))))
    write(store, observation("ob_3", slot="job"))
    write(store, msgspec.structs.replace(observation("ob_1"), agent="bob"))


FIXED = {
    "kind": "'tooling_state'",
    "subject_type": "'tool'",
    "subject_id": "'bob'",
    "slot": "'job'",
    "canonical_key": "'x'",
    "value": "'Rome'",
    "summary": "'x'",
    "detail": "'x'",
    "tags": "'[1]'",
    "valid_from": "'2020-01-01T00:00:00Z'",
    "learnt": "'2020-01-01T00:00:00Z'",
    "supersedes_observation_id": "NULL",
    "id": "'ob_5'",
    "agent": "'bob'",
}


@pytest.mark.parametrize("column", FIXED)
def test_a_claim_is_never_rewritten(store: SqliteStore, column: str) -> None:
    write(store, observation())
    with pytest.raises(MindError, match="never rewritten"):
        run(store, f"UPDATE observation SET {column} = {FIXED[column]}")


TABLES = ("observation", "observation_evidence", "observation_standing", "observation_decision")


def fill(store: SqliteStore) -> None:
    write(store, observation())
    decision = BeliefDecision(
        id="de_1",
        agent=AVA,
        call="contradict",
        canonical_key="global:world_fact:sarah.residence",
        observation="ob_1",
        new_value="Rome",
        at=T0,
        why="it was said",
    )
    with store.write() as rows:
        decisions.insert(rows, decision)
        marks.insert(
            rows, BeliefMark(relation="supersedes", old="it_1", new="it_2", at=T0), agent=AVA
        )


@pytest.mark.parametrize("table", [*TABLES, "item_mark"])
def test_nothing_is_deleted(store: SqliteStore, table: str) -> None:
    fill(store)
    with pytest.raises(MindError, match="never deleted"):
        run(store, f"DELETE FROM {table}")


@pytest.mark.parametrize("table", [*TABLES, "item_mark"])
@pytest.mark.of_a_file
def test_nothing_is_replaced(store: SqliteStore, table: str) -> None:
    fill(store)
    with contextlib.closing(sqlite3.connect(store.path)) as stock:
        (rows,) = stock.execute(f"SELECT count(*) FROM {table}").fetchone()
        assert rows > 0
        # A connection of somebody else fires no trigger for what REPLACE deletes.
        with contextlib.suppress(sqlite3.IntegrityError):
            stock.execute(f"REPLACE INTO {table} SELECT * FROM {table}")
        assert stock.total_changes == 0


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("observation_evidence", "stance = 'context'"),
        ("observation_evidence", "weight = 0"),
        ("observation_evidence", "ref = 'it_7'"),
        ("observation_evidence", "span = NULL"),
        ("observation_evidence", "kind = 'self_model'"),
        ("observation_standing", "recorded = '2020-01-01T00:00:00Z'"),
        ("observation_standing", "standing = '{}'"),
        ("observation_decision", "call = 'retract'"),
        ("observation_decision", "new_weight = 4"),
        ("item_mark", "relation = 'contradicts'"),
        ("item_mark", "new = 'it_3'"),
    ],
)
def test_what_was_kept_is_never_rewritten(store: SqliteStore, table: str, change: str) -> None:
    fill(store)
    with pytest.raises(MindError, match="never rewritten"):
        run(store, f"UPDATE {table} SET {change}")


def test_a_decision_is_answered_once_and_evidence_retracted_once(store: SqliteStore) -> None:
    fill(store)
    with pytest.raises(MindError, match="answered once"):
        run(store, "UPDATE observation_decision SET state = 'denied'")
    run(store, f"UPDATE observation_evidence SET retracted = '{T1}'")
    with pytest.raises(MindError, match="retracted once"):
        run(store, "UPDATE observation_evidence SET retracted = NULL")


@pytest.mark.parametrize("status", [BeliefStatus.SUPERSEDED, BeliefStatus.INVALIDATED])
@pytest.mark.parametrize("back", ["active", "stale", "superseded", "invalidated"])
def test_what_was_replaced_or_refuted_stays_so(
    store: SqliteStore, status: BeliefStatus, back: str
) -> None:
    write(store, ended(observation(), status))
    if back == status.value:
        return
    ends = "NULL" if back in ("active", "stale") else "ended"
    with pytest.raises(MindError, match="stays so"):
        run(store, f"UPDATE observation SET status = '{back}', ended = {ends}")


def test_a_successor_has_the_same_agent_and_key_and_comes_after(store: SqliteStore) -> None:
    old = ended(observation(), BeliefStatus.SUPERSEDED)
    write(store, old)
    follows = {"supersedes_observation_id": "ob_1"}
    with pytest.raises(MindError, match=r"(?i)foreign key"):
        write(store, observation("ob_2", slot="job", **follows))
    with pytest.raises(MindError, match=r"(?i)foreign key"):
        write(store, msgspec.structs.replace(observation("ob_2", **follows), agent="bob"))
    write(store, observation("ob_2", **follows))
    with pytest.raises(MindError, match=r"never replaced|duplicate key"):
        write(store, ended(observation("ob_3", **follows), BeliefStatus.INVALIDATED))


def test_what_is_superseded_is_ended_first(store: SqliteStore) -> None:
    stale = msgspec.structs.replace(observation(), status=BeliefStatus.STALE)
    write(store, stale)
    with pytest.raises(MindError, match="ended first"):
        write(store, observation("ob_2", supersedes_observation_id="ob_1"))


def test_trust_is_never_raised(store: SqliteStore) -> None:
    write(store, observation("ob_1", evidence(sources=["web"])))
    with pytest.raises(MindError, match="trusted more"):
        run(store, "UPDATE observation SET sources = '[]'")
    run(store, 'UPDATE observation SET sources = \'["mail", "web"]\'')


def test_what_was_changed_meanwhile_is_not_overwritten(store: SqliteStore) -> None:
    first = observation()
    publish(store, changes(new(first)))
    again = BeliefChange(observation=first, expected=1, why="again")
    publish(store, changes(again, at=T1))
    with pytest.raises(TemporaryError, match="has been changed since"):
        publish(store, changes(again, new(observation("ob_2", slot="job")), at=T1))
    with store.read() as rows:
        assert rows.all(str, "SELECT id FROM observation") == ["ob_1"]
        assert rows.all(int, "SELECT version FROM observation_standing") == [1, 2]


def test_every_fault_is_named_before_anything_is_written(store: SqliteStore) -> None:
    bad = observation("ob_1", evidence("ob_2"), evidence("it_2", origin="agent"), slot="shoe_size")
    with pytest.raises(BadInputError) as caught:
        publish(store, changes(new(observation("ob_3", slot="job")), new(bad)))
    assert [problem.line_of_text() for problem in caught.value.problems] == [
        'ob_1: world_fact has no slot "shoe_size"; knowledge.slots adds more',
        "ob_1: evidence it_2 is of origin agent, which is never evidence",
        "ob_1: evidence ob_2 is an observation; only items, lessons, reflections and entities are"
        " cited",
    ]
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM observation") == 0


def test_a_supersession_is_published_whole(store: SqliteStore) -> None:
    publish(store, changes(new(observation())))
    old = believed(store, agent=AVA, keys=("global:world_fact:sarah.residence",))
    before = old["global:world_fact:sarah.residence"]
    after = observation(
        "ob_2",
        evidence("it_2", at=T1, learnt=T1),
        value="Rome",
        summary="Sarah lives in Rome.",
        learnt=T1,
        valid_from=T1,
        supersedes_observation_id="ob_1",
        now=T1,
    )
    gone = ended(before, BeliefStatus.SUPERSEDED)
    publish(
        store, changes(new(after), BeliefChange(observation=gone, expected=1, why="moved"), at=T1)
    )
    held = believed(store, agent=AVA, keys=(before.canonical_key,))
    assert held[before.canonical_key].value == "Rome"
    assert [one.ref for one in held[before.canonical_key].evidence] == ["it_2"]
