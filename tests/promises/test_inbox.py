"""Promises 2, 10 and 12, and pushers side by side: an inbox under kills and contention."""

import collections
import json
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.broken_builds import broken_program
from support.command import Mind, clean_environment, forked_mind, make_private
from support.patience import LONGEST
from support.proofs import proved, turned_red

KILLED_AFTER_COMMIT = {"MIND_TESTING": "1", "MIND_FAIL": "push.after_commit:kill"}


def build() -> tuple[str, ...]:
    """Return the program as it is, which starts within milliseconds."""
    return (str(forked_mind()),)


@dataclass(frozen=True)
class Ended:
    """How one of many processes ended."""

    status: int
    stdout: bytes
    stderr: bytes

    def receipts(self) -> list[dict]:
        return [json.loads(line) for line in self.stdout.splitlines()]


def at_once(
    folder: Path,
    inputs: Iterable[bytes],
    *arguments: str,
    program: tuple[str, ...] = (),
    environment: Iterable[dict[str, str]] = (),
) -> list[Ended]:
    """Start one process per input, all before any gets its input; return how each ended."""
    extra = [*environment]
    given = [*inputs]
    running = []
    for place, _ in enumerate(given):
        more = extra[place] if place < len(extra) else {}
        variables = {**clean_environment(folder), **more}
        variables.pop("MIND_SEED")  # seeded pushers would agree on the ids they give
        running.append(
            subprocess.Popen(
                [*(program or build()), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=variables,
            )
        )
    for process, octets in zip(running, given, strict=True):
        assert process.stdin
        process.stdin.write(octets)
        process.stdin.close()
        process.stdin = None
    return [_ended(process) for process in running]


def _ended(process: subprocess.Popen[bytes]) -> Ended:
    stdout, stderr = process.communicate(timeout=LONGEST)
    return Ended(process.returncode, stdout, stderr)


def folder_with_agent(folder: Path, program: tuple[str, ...] = ()) -> Path:
    """Return a private folder with a store and the agent ava, made by this build."""
    make_private(folder)
    for arguments in (["init"], ["agent", "new", "ava"]):
        subprocess.run(
            [*(program or build()), *arguments],
            cwd=folder,
            env=clean_environment(folder),
            check=True,
            capture_output=True,
        )
    return folder


def stored(folder: Path, sql: str) -> list[dict]:
    """Return the rows of a query."""
    return Mind(folder)("store", "query", sql).records()


def lines_of(keys: Iterable[int]) -> bytes:
    return b"".join(b'{"key":"k%d","text":"event %d"}\n' % (key, key) for key in keys)


def slices(keys: int, pushers: int) -> list[list[int]]:
    """Return for each pusher its share of the keys and that of its neighbour."""
    share = keys // pushers
    return [
        [key % keys for key in range(place * share, (place + 2) * share)]
        for place in range(pushers)
    ]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "keys", [pytest.param(1_008), pytest.param(10_080, marks=pytest.mark.long)]
)
def test_a_key_is_one_event_though_every_pusher_is_killed_and_tries_again(
    tmp_path: Path, keys: int
) -> None:
    folder = folder_with_agent(tmp_path / "life")
    inputs = [lines_of(share) for share in slices(keys, 16)]
    push = ("inbox", "push", "--agent", "ava", "--max-open", "100000")
    killed = at_once(folder, inputs, *push, environment=[KILLED_AFTER_COMMIT] * 16)
    assert [(one.status, one.stdout) for one in killed] == [(-9, b"")] * 16
    tried_again = at_once(folder, inputs, *push)
    assert [(one.status, one.stderr) for one in tried_again] == [(0, b"")] * 16
    receipts = [receipt for one in tried_again for receipt in one.receipts()]
    ids = collections.defaultdict(set)
    for receipt in receipts:
        ids[receipt["key"]].add(receipt["id"])
    rows = stored(folder, "SELECT id, key FROM event")
    assert {row["key"]: {row["id"]} for row in rows} == ids
    assert len(rows) == keys
    retries = sum(receipt.get("duplicate", False) for receipt in receipts)
    assert retries == 2 * keys
    proved(2, keys=keys, killed_pushers=16, retries_on_a_kept_row=retries, duplicates=0, lost=0)


@pytest.mark.heavy
def test_a_build_without_unique_keys_makes_duplicates(tmp_path: Path) -> None:
    program = broken_program("inbox_without_unique_key")
    folder = folder_with_agent(tmp_path / "life", program)
    inputs = [lines_of(share) for share in slices(16, 4)]
    push = ("inbox", "push", "--agent", "ava")
    killed = at_once(folder, inputs, *push, program=program, environment=[KILLED_AFTER_COMMIT] * 4)
    assert [one.status for one in killed] == [-9] * 4
    assert {one.status for one in at_once(folder, inputs, *push, program=program)} == {0}
    (found,) = stored(folder, "SELECT count(*) AS events, count(DISTINCT key) AS keys FROM event")
    assert found["keys"] == 16
    assert found["events"] > 16
    turned_red(2, "inbox_without_unique_key", duplicates=found["events"] - 16)


@pytest.mark.parametrize(
    ("failpoint", "left"),
    [("push.before_commit", 0), ("push.after_commit", 1), ("print.before_flush", 1)],
)
def test_a_kill_leaves_all_or_nothing(mind_with_store: Mind, failpoint: str, left: int) -> None:
    mind_with_store("agent", "new", "ava")
    push = ("inbox", "push", "--agent", "ava", "--key", "k", "--text", "a")
    killed = mind_with_store.run(*push, environment=mind_with_store.failing(f"{failpoint}:kill"))
    assert (killed.status, killed.stdout) == (-9, b"")
    assert len(mind_with_store("inbox", "list", "--agent", "ava").records()) == left
    again = mind_with_store(*push).record()
    assert again.get("duplicate", False) is (left == 1)
    assert len(mind_with_store("inbox", "list", "--agent", "ava").records()) == 1


def push_side_by_side(folder: Path, program: tuple[str, ...]) -> list[Ended]:
    """Let eight push 400 events each, group by group, while one of them is slow to commit."""
    line = b'{"text":"event"}\n'
    slow = {"MIND_TESTING": "1", "MIND_FAIL": "push.before_commit:sleep=0.5"}
    return at_once(
        folder,
        [line * 400] * 8,
        *("inbox", "push", "--agent", "ava", "--stream"),
        program=program,
        environment=[slow],
    )


@pytest.mark.heavy
def test_eight_pushers_side_by_side_lose_nothing_and_never_find_the_store_locked(
    tmp_path: Path,
) -> None:
    folder = folder_with_agent(tmp_path / "life")
    ended = push_side_by_side(folder, ())
    assert [(one.status, one.stderr) for one in ended] == [(0, b"")] * 8
    printed = [receipt["id"] for one in ended for receipt in one.receipts()]
    kept = [row["id"] for row in stored(folder, "SELECT id FROM event")]
    assert len(printed) == len(set(printed)) == 3_200
    assert sorted(printed) == sorted(kept)


@pytest.mark.heavy
@pytest.mark.of_a_file
def test_a_build_that_does_not_wait_finds_the_store_locked(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    ended = push_side_by_side(folder, broken_program("store_without_waiting"))
    refused = [one for one in ended if one.status == 75]
    assert refused
    assert all(b"the store is busy. Try again." in one.stderr for one in refused)


def test_claims_side_by_side_share_no_event(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    Mind(folder)("inbox", "push", "--agent", "ava", stdin=b'{"text":"a"}\n' * 20)
    ended = at_once(folder, [b""] * 6, "inbox", "claim", "--agent", "ava", "--limit", "5")
    taken = [event["id"] for one in ended for event in one.receipts()]
    assert len(taken) == len(set(taken)) == 20
    assert sorted(one.status for one in ended) == [0, 0, 0, 0, 3, 3]


def run_for_a_reader_that_left(folder: Path, *arguments: str) -> tuple[int, bytes]:
    """Write into a pipe that nobody reads; return status and stderr."""
    reading, writing = os.pipe()
    os.close(reading)
    left = subprocess.run(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=clean_environment(folder),
        check=False,
    )
    os.close(writing)
    return left.returncode, left.stderr


@pytest.mark.parametrize(
    ("program", "state"),
    [((), "ready"), (broken_program("claim_without_release"), "leased")],
    ids=["build", "red"],
)
def test_a_claim_that_nobody_read_is_given_back(
    tmp_path: Path, program: tuple[str, ...], state: str
) -> None:
    folder = folder_with_agent(tmp_path / "life")
    Mind(folder)("inbox", "push", "--agent", "ava", stdin=b'{"text":"a"}\n{"text":"b"}\n')
    claim = (*(program or build()), "inbox", "claim", "--agent", "ava")
    assert run_for_a_reader_that_left(folder, *claim) == (141, b"")
    rows = stored(folder, "SELECT state, attempts, epoch, reason FROM event")
    released = {"state": "ready", "attempts": 0, "epoch": 1, "reason": "nobody read the claim"}
    held = {"state": "leased", "attempts": 1, "epoch": 1, "reason": None}
    assert rows == [released if state == "ready" else held] * 2
    if state == "ready":
        proved(12, claims_released=2, lost=0)
    else:
        turned_red(12, "claim_without_release", claims_kept=2)


def test_a_table_that_nobody_reads_ends_as_any_other_output(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    for words in (("status",), ("agent", "list")):
        table = (*build(), *words, "--table")
        assert run_for_a_reader_that_left(folder, *table) == (141, b"")


def test_a_push_whose_receipts_nobody_reads_is_kept(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    push = (*build(), "inbox", "push", "--agent", "ava", "--text", "a")
    assert run_for_a_reader_that_left(folder, *push) == (141, b"")
    assert stored(folder, "SELECT text FROM event") == [{"text": "a"}]
    proved(12, pushes_kept=1)


def live_with_poison(folder: Path, program: tuple[str, ...], claims: int) -> list[list[str]]:
    """Claim so often; whoever holds the poison dies at once. Return what each claim took."""
    mind = Mind(folder)
    events = [{"text": "poison"}, *({"text": f"innocent {n}"} for n in range(4))]
    mind("inbox", "push", "--agent", "ava", stdin="\n".join(map(json.dumps, events)))
    taken: list[list[str]] = []
    for _ in range(claims):
        claim = [*(program or build()), "inbox", "claim", "--agent", "ava", "--lease", "0.001"]
        claimed = subprocess.run(
            claim, cwd=folder, env=clean_environment(folder), capture_output=True, check=False
        )
        held = [json.loads(line) for line in claimed.stdout.splitlines()]
        taken.append([event["text"] for event in held])
        if held and "poison" not in taken[-1]:
            mind("inbox", "ack", stdin=claimed.stdout)
    return taken


def test_a_poison_event_does_not_stop_the_line(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    taken = live_with_poison(folder, (), 9)
    innocent = [f"innocent {n}" for n in range(4)]
    assert taken == [
        *[["poison", *innocent]] * 2,
        *[["poison"]] * 3,
        *([text] for text in innocent),
    ]
    found = stored(folder, "SELECT state, count(*) AS events FROM event GROUP BY state")
    assert found == [{"state": "dead", "events": 1}, {"state": "done", "events": 4}]
    proved(10, claims_of_the_poison=5, innocent_events_done=4)


@pytest.mark.heavy
def test_a_build_that_does_not_count_at_the_claim_loops_for_ever(tmp_path: Path) -> None:
    folder = folder_with_agent(tmp_path / "life")
    taken = live_with_poison(folder, broken_program("claim_without_counting"), 6)
    assert [len(texts) for texts in taken] == [5] * 6
    turned_red(10, "claim_without_counting", claims_of_the_poison=6)
