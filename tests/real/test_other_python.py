"""A life that was lived with this Python is lived again, proved and taken up by another one."""

import json
import subprocess
from collections.abc import Callable

import pytest

from real.parts import PYTHON, Part
from support.command import Mind
from support.elsewhere import ELSEWHERE, LIFE

pytestmark = pytest.mark.real


def test_it_comes_out_the_same(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(PYTHON)
    ran = mind.shell(LIFE)
    assert ran.status == 0, ran.words

    def said(*words: str) -> str:
        command = [PYTHON.program("mind"), *words]
        environment = {"HOME": str(mind.folder), **ELSEWHERE[-1]}
        done = subprocess.run(
            command, cwd=mind.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    replayed = json.loads(said("life", "replay", "ava.life", "--json"))
    assert (replayed["equal"], replayed["given_cycles"]) == (True, 0)
    assert "python" in replayed["versions"]
    assert json.loads(said("life", "verify", "ava.life", "--json"))["wrong"] == 0
    shown(PYTHON, "lives a life of this one again, in another time zone and locale, and proves it")
