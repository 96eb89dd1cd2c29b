"""A forked `mind` differs in nothing that a case can see from the one that is installed."""

from pathlib import Path

import pytest

from support.command import Mind, Ran, make_private

SCRIPTS = {
    "a status": "mind nonsense || echo $?",
    "input and output": "mind inbox push --output inbox.jsonl && mind inbox push <inbox.jsonl",
    "a variable": "MIND_STORE=other.db mind init && ls",
    "a folder": "mkdir -m 700 below && cd below && mind init && cd .. && find below",
    "a limit": "ulimit -f 1; mind init 2>/dev/null || echo $?",
    "a closed pipe": "mind init --agent ava; { mind agent show ava; echo $? >&2; } | true",
    "words appended": "mind init > out 2>&1; mind store check >> out 2>&1; wc -l < out",
    # How a shell tells of one that it killed depends on how soon it did.
    "a signal": "mkfifo in; mind inbox push --output x <in & exec 9>in; kill $!; "
    "{ wait $!; } 2>/dev/null; echo $?",
    "a death": "MIND_TESTING=1 MIND_FAIL=init.before_commit:kill mind init || echo $?",
    "an ignored one": "trap '' HUP; mind init --agent ava; kill -HUP $$; mind agent list",
}


def outcome(folder: Path, script: str, *, forked: bool) -> Ran:
    mind = Mind(make_private(folder), forked=forked)
    return mind.shell(f"set +e; {script}", stdin=b'{"agent": "ava", "text": "hello"}\n')


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_ends_the_same_way(script: str, tmp_path: Path) -> None:
    forked = outcome(tmp_path / "forked", script, forked=True)
    installed = outcome(tmp_path / "installed", script, forked=False)
    assert forked == installed
