"""Two workers of one agent, such as one that stays and a cron beside it."""

import signal
from pathlib import Path

import pytest

from support.lasting_worker import answers_at_once, household

pytestmark = pytest.mark.heavy


def test_what_another_worker_lived_meanwhile_is_taken_over(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with household(tmp_path) as home:
        answers_at_once(home)
        worker = home.run()
        home.push()
        home.wait_until(worker, home.is_idle)
        home.wait_until(worker, lambda: home.rows("SELECT max(number) FROM iteration") == [(1,)])
        columns = [name for (name,) in home.rows("SELECT name FROM pragma_table_info('iteration')")]
        others = ", ".join("number + 1" if name == "number" else f'"{name}"' for name in columns)
        home.change(f"INSERT INTO iteration SELECT {others} FROM iteration")
        home.push("Again")
        home.wait_until(worker, lambda: home.rows("SELECT max(number) FROM iteration") == [(3,)])
        worker.kill(signal.SIGTERM)
        assert worker.status() == 0, worker.words()
