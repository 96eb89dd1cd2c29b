"""Memory is consolidated once, whoever dies and however many begin: promise 19's other half."""

import contextlib
import json
import signal
from pathlib import Path

import pytest

from mindpipe.core import failpoints
from mindpipe.io.clock import make_clock
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions, consolidate
from mindpipe.store.access import open_where
from red import subjects_forgotten
from support.broken_builds import broken
from support.command import Mind, looked_into, make_private
from support.life import KilledError
from support.patience import LONGEST, until, woken
from support.proofs import proved, turned_red
from support.server_stores import ON_SERVER, where_at

TABLES = (
    *("observation", "observation_standing", "observation_evidence", "observation_decision"),
    *("item_mark", "consolidation_subject", "consolidation_mark"),
)
NOW = "2026-06-01T00:00:00Z"
STARTS = 20
CONSOLIDATE = ("consolidate", "--agent", "ava")
SAID = (
    ("mara", "I live in Porto."),
    ("tomas", "My favourite tea is oolong."),
    ("ines", "The bird list for the lagoon has 45 species."),
    ("mara", "I've moved to Bergen."),
    ("ines", "The bird list for the lagoon has now reached 52 species."),
    ("tomas", "My favourite tea is sencha."),
    ("mara", "I've settled in Bergen."),
)


def begun(folder: Path) -> Mind:
    """Return a folder with a store whose agent was told some things by three people."""
    mind = Mind(make_private(folder), {"MIND_NOW": NOW})
    mind("init", "--agent", "ava")
    lines = [
        {"id": f"it_{day}", "text": text, "speaker": who, "at": f"2026-05-{day:02}T10:00:00Z"}
        for day, (who, text) in enumerate(SAID, 1)
    ]
    mind("memory", "add", "--agent", "ava", stdin="".join(json.dumps(one) + "\n" for one in lines))
    return mind


def rows(mind: Mind) -> dict[str, list[tuple]]:
    """Return all that the store holds true, and how far it has read."""
    with looked_into(mind.folder) as store:
        return {name: sorted(store.execute(f"SELECT * FROM {name}"), key=repr) for name in TABLES}


def restarted(mind: Mind) -> None:
    """Let the machine have been started anew since, which ends every lease."""
    with looked_into(mind.folder) as store:
        store.execute("UPDATE consolidation_window SET boot = 'before'")
        if ON_SERVER:
            # Whoever died took numbers with it, which a file gives to the next one.
            store.execute("SELECT align_numbers()")


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begun(tmp_path_factory.mktemp("first") / "life").folder


@pytest.fixture(scope="module")
def undisturbed(
    beginning: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[tuple]]:
    folder = make_private(tmp_path_factory.mktemp("whole") / "life")
    mind = Mind(folder, {"MIND_NOW": NOW}).like(beginning)
    mind(*CONSOLIDATE)
    return rows(mind)


@pytest.fixture
def ava(beginning: Path, tmp_path: Path) -> Mind:
    return Mind(make_private(tmp_path / "life"), {"MIND_NOW": NOW}).like(beginning)


def test_an_undisturbed_run_replaces_and_contests(undisturbed: dict[str, list[tuple]]) -> None:
    assert [len(undisturbed[name]) for name in ("observation", "item_mark")] == [6, 3]
    assert len(undisturbed["consolidation_subject"]) == 3


@pytest.mark.parametrize("point", ["consolidate.before_publish", "consolidate.after_publish"])
@pytest.mark.parametrize("passage", [1, 2, 3])
def test_a_killed_run_is_gone_on_with_as_if_nothing_had_been(
    ava: Mind, undisturbed: dict[str, list[tuple]], point: str, passage: int
) -> None:
    killed = ava.run(*CONSOLIDATE, environment=ava.failing(f"{point}:kill@{passage}"))
    assert killed.status == -signal.SIGKILL
    published = passage - (point == "consolidate.before_publish")
    assert len(rows(ava)["consolidation_subject"]) == published
    waits = ava.run(*CONSOLIDATE)
    assert (waits.status, "another run consolidates" in waits.words) == (75, True)
    restarted(ava)
    assert len(ava(*CONSOLIDATE).records()) == 3 - published
    assert rows(ava) == undisturbed
    assert ava.run(*CONSOLIDATE).status == 3
    proved(19, kills=1, between=0, sources_lost=0)


def test_of_twenty_starts_exactly_one_does_the_work(
    ava: Mind, undisturbed: dict[str, list[tuple]]
) -> None:
    started = [ava.start(*CONSOLIDATE) for _ in range(STARTS)]
    ended = [one.communicate(timeout=LONGEST) for one in started]
    first, *others = sorted(one.returncode for one in started)
    # One is at work meanwhile (75), or it has been and nothing is new (3).
    assert first == 0
    assert set(others) <= {3, 75}
    assert sum(len(out.splitlines()) for out, _ in ended) == 3
    assert rows(ava) == undisturbed
    proved(18, starts=STARTS, windows=1, windows_twice=0)


def test_a_run_that_slept_past_its_lease_writes_nothing_more(
    ava: Mind, undisturbed: dict[str, list[tuple]]
) -> None:
    slow = ava.start(*CONSOLIDATE, environment=ava.failing("consolidate.after_publish:stop@1"))
    until(lambda: bool(rows(ava)["consolidation_subject"]), "what the slow run publishes first")
    restarted(ava)
    ava(*CONSOLIDATE)
    words = woken(slow)
    assert slow.returncode == 75
    assert b"another run has taken over window 1 of ava" in words
    assert rows(ava) == undisturbed


@pytest.mark.heavy
def test_a_window_that_kills_five_runs_is_given_up_and_said_so(ava: Mind) -> None:
    for _ in range(5):
        ava.run(*CONSOLIDATE, environment=ava.failing("consolidate.before_publish:kill"))
        restarted(ava)
    given_up = ava.run(*CONSOLIDATE)
    assert (given_up.status, "given up with its 7 items" in given_up.words) == (4, True)
    one = {"text": "I live in Oslo.", "speaker": "mara"}
    ava("memory", "add", "--agent", "ava", stdin=json.dumps(one))
    assert [one["subject"] for one in ava(*CONSOLIDATE).records()] == ["mara"]


def test_an_entity_that_was_taken_back_unread_is_passed_over(ava: Mind) -> None:
    for name, source in (("Jo", "web"), ("Bo", "family")):
        given = json.dumps({"name": name, "profile": f"{name} sails.", "sources": [source]})
        ava("entity", "add", "--agent", "ava", stdin=given)
    ava("memory", "revoke", "--source", "web", "--agent", "ava")
    subjects = [one["subject"] for one in ava(*CONSOLIDATE).records()]
    assert ("bo" in subjects, "jo" in subjects) == (True, False)


def dies_and_goes_on(mind: Mind) -> None:
    """Consolidate in this process, die behind the first subject, and go on."""
    clock = make_clock(NOW)

    def die(name: str) -> None:
        if name == "consolidate.after_publish":
            raise KilledError

    for hook in (die, lambda _: None):
        failpoints.install(hook)
        with (
            contextlib.closing(open_where(where_at(mind.folder / "mind.db"))) as store,
            contextlib.suppress(KilledError),
        ):
            list(consolidate(store, clock, agent="ava", options=ConsolidateOptions(SlotRules())))
        restarted(mind)


def test_a_build_that_forgets_which_subjects_are_done_tells_them_twice(
    ava: Mind, undisturbed: dict[str, list[tuple]], tmp_path: Path
) -> None:
    sound = Mind(make_private(tmp_path / "sound"), {"MIND_NOW": NOW}).like(ava.folder)
    dies_and_goes_on(sound)
    assert rows(sound) == undisturbed
    with broken(subjects_forgotten.PATCHES):
        dies_and_goes_on(ava)
    differing = sum(rows(ava)[name] != undisturbed[name] for name in TABLES)
    assert differing > 0
    turned_red(19, "subjects_forgotten", differing=differing)


def odd(mind: Mind) -> dict[str, str]:
    """Return what a check of the store finds worth a look in its rows."""
    found = mind("store", "check").records()
    return {one["check"]: one["found"] for one in found if one["verdict"] == "note"}


@pytest.mark.of_a_file
def test_a_check_names_what_was_left_what_waits_and_what_is_not_found_yet(ava: Mind) -> None:
    ava.run(*CONSOLIDATE, environment=ava.failing("consolidate.before_publish:kill"))
    assert "stale consolidations" not in odd(ava)
    restarted(ava)
    assert odd(ava)["stale consolidations"] == "1: ava 1"
    ava(*CONSOLIDATE, "--review")
    with looked_into(ava.folder) as store:
        store.execute("INSERT INTO vector_model(name, size) VALUES('one', 2), ('two', 3)")
    found = odd(ava)
    assert "stale consolidations" not in found
    assert found["queued decisions"].startswith("4: de_")
    assert found["recall index"] == "1: 3 of observation"
    assert found["embedding models"] == "2: one, two"
    ava("recall", "Porto", "--agent", "ava")
    assert "recall index" not in odd(ava)


@pytest.mark.of_a_file
def test_a_restored_store_waits_for_no_run_of_the_old_one(ava: Mind) -> None:
    ava.run(*CONSOLIDATE, environment=ava.failing("consolidate.before_publish:kill"))
    ava("store", "backup", "copy.db")
    ava("store", "restore", "copy.db", "--store", "new.db", "--accept-loss-since", "2026-05-01")
    ava("store", "recover", "--resume", "--store", "new.db")
    assert len(ava(*CONSOLIDATE, "--store", "new.db").records()) == 3
