"""Promise 54: a command that is killed did all or nothing, and goes on when it is run again."""

import contextlib
import datetime
import hashlib
import hmac
import http.client
import json
import random
import re
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from mindpipe_cli.commands import every_command
from support.command import NOW, Mind
from support.every_command import beginning, walk
from support.killed_steps import AT
from support.kills import BUILD, Killed, Stage, details, state_of
from support.loopback.embeddings import Embeddings
from support.loopback.embeddings import embeddings as embeddings
from support.patience import until
from support.processes import Newborn, Nursery
from support.proofs import proved, turned_red
from support.writing_commands import BY_HAND, READING, REMEMBERED, TALK, TRIALS, Trial

pytestmark = pytest.mark.heavy

SEED = 47
KILLS = 10
# How many kills of each are made every day.
SAMPLE = {"compact apply": 3, "decision approve": 2, "history export": 2, "store backup": 2}
WORDS = "Berlin is nice"
ABOUT_FILES = {
    *("store backup", "store migrate", "store move", "store recover", "store restore"),
    *("life fork", "chat"),
}
"""Commands that are others on a server, or refused there."""


def tried(names: Iterable[str]) -> list[ParameterSet]:
    """Return commands, of which some are tried in a file alone."""
    about = (pytest.mark.of_a_file,)
    return [pytest.param(name, marks=about if name in ABOUT_FILES else ()) for name in names]


def test_every_command_is_known_to_write_or_to_read() -> None:
    names = [" ".join(words) for words in every_command()]
    assert sorted(names) == sorted([*READING, *TRIALS, *BY_HAND])


def killed(trial: Trial, kills: int, folder: Path, build: str = BUILD) -> Killed:
    """Kill the command of a trial so many times."""
    with contextlib.closing(Stage(trial, folder / "life", build)) as stage:
        found = Killed(stage)
        assert found.first.status in {0, 1}, found.first.stderr
        found.kill(kills, random.Random(f"{SEED}/{trial.line}"))
    return found


@pytest.mark.parametrize("name", tried(SAMPLE))
def test_a_command_that_is_killed_did_all_or_nothing(name: str, tmp_path: Path) -> None:
    found = killed(TRIALS[name][0], SAMPLE[name], tmp_path)
    assert found.faults == []
    proved(54, commands=1, kills=found.struck, in_part=0)


@pytest.mark.long
@pytest.mark.parametrize("name", tried(TRIALS))
def test_every_command_that_is_killed_did_all_or_nothing(name: str, tmp_path: Path) -> None:
    for number, trial in enumerate(TRIALS[name]):
        found = killed(trial, KILLS, tmp_path / str(number))
        sys.stdout.write(f"{name}: {found.struck} kills, {found.first.steps} steps\n")
        assert found.faults == []
        proved(54, commands=int(number == 0), kills=found.struck, in_part=0)


@pytest.mark.long
def test_vectors_go_on_where_a_kill_left_them(tmp_path: Path, embeddings: Embeddings) -> None:
    trial = Trial(
        line="recall embed --agent ava --model openai/text-embedding-3-small",
        stage=f"export OPENAI_BASE_URL={embeddings.base_url}\n{REMEMBERED}",
        steps="what can be recalled is indexed first; each batch of vectors is one transaction",
    )
    found = killed(trial, KILLS, tmp_path)
    assert found.faults == []
    proved(54, commands=1, kills=found.struck, in_part=0)


SECRET = "a-secret-of-some-length"


def _ask(port: int, number: int) -> bool:
    """Send an event to an endpoint; tell whether it was answered, with success."""
    body = json.dumps({"text": f"sold {number}"}).encode()
    at = str(int(datetime.datetime.fromisoformat(NOW).timestamp()))
    words = f"{at}.k{number}.".encode() + body
    made = hmac.new(SECRET.encode(), words, hashlib.sha256).hexdigest()
    head = {"X-Mind-Time": at, "X-Mind-Key": f"k{number}", "X-Mind-Signature": f"sha256={made}"}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        try:
            connection.request("POST", "/events", body=body, headers=head)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return False
    assert status == 200
    return True


def _port_of(born: Newborn) -> int | None:
    """Wait until an endpoint says where it listens; return None where it dies before."""
    found: list[str] = []

    def is_known() -> bool:
        # At its birth it has no mouth yet.
        with contextlib.suppress(FileNotFoundError):
            found[:] = re.findall(r"127\.0\.0\.1:(\d+)/", born.words())
        return bool(found) or born.ended(0)

    until(is_known, "an endpoint")
    return int(found[0]) if found else None


@pytest.mark.long
def test_an_endpoint_that_is_killed_keeps_what_it_answered(mind_with_agent: Mind) -> None:
    folder, chance = mind_with_agent.folder, random.Random(SEED)
    config = {"http": {"secret_env": "SHOP_SECRET", "port": 0}}
    (folder / "observe.yaml").write_text(json.dumps(config))
    arguments = ["observe", "http", "--config", "observe.yaml", "--agent", "ava", "--deliver"]
    struck = told = 0
    with contextlib.closing(Nursery(folder, BUILD)) as nursery:
        while struck < KILLS:
            environment = {"SHOP_SECRET": SECRET, "MIND_NOW": NOW, AT: str(chance.randint(1, 90))}
            born = nursery.start(arguments, folder / f"out{struck}", environment)
            port = _port_of(born)
            while port is not None and _ask(port, told):
                told += 1
            assert born.status() == -signal.SIGKILL
            struck += 1
    texts = [one["text"] for one in mind_with_agent("inbox", "list", "--agent", "ava").records()]
    # The last one may be there without an answer: its caller sends it again, with its key.
    assert sorted(set(texts)) == sorted(texts)
    assert (
        {f"sold {number}" for number in range(told)}
        <= set(texts)
        <= {f"sold {number}" for number in range(told + 1)}
    )
    assert told > 0
    proved(54, commands=1, kills=struck, in_part=0)


@pytest.mark.long
def test_what_is_known_to_read_changes_nothing(mind: Mind) -> None:
    for one in beginning(mind.folder, WORDS):
        mind(*one.arguments, stdin=one.stdin)
    for one in walk(mind, WORDS):
        _let_tasks_end(mind)
        before = state_of(mind.folder)
        mind.run(*one.arguments, stdin=one.stdin)
        changed = details(state_of(mind.folder), before)
        assert one.name not in READING or changed == {}, one.arguments


def _let_tasks_end(mind: Mind) -> None:
    """Wait until no worker that a command has started does anything any more."""
    sql = "SELECT count(*) AS n FROM task WHERE state IN ('sent', 'running')"
    until(lambda: mind("store", "query", sql).record()["n"] == 0, "the end of all tasks")


@pytest.mark.of_a_file
def test_a_build_that_commits_each_statement_leaves_a_part(tmp_path: Path) -> None:
    found = killed(TRIALS["agent fork"][0], 4, tmp_path, "red.statements_alone")
    parts = sum("in part" in fault for fault in found.faults)
    assert parts > 0
    turned_red(54, "statements_alone", in_part=parts)


@pytest.mark.of_a_file
def test_a_build_that_writes_files_in_place_leaves_a_part(tmp_path: Path) -> None:
    trial = Trial(line="history export --agent ava --format openai-chat --output out", stage=TALK)
    with contextlib.closing(Stage(trial, tmp_path / "life", "red.files_in_place")) as stage:
        found = Killed(stage)
        for step in range(1, found.first.steps + 1):
            found.kill_before(step)
    parts = sum("torn" in fault for fault in found.faults)
    assert parts > 0
    turned_red(54, "files_in_place", in_part=parts)
