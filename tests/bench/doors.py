"""What saying a word to an agent takes beside two commands, and how a long life is shown."""

import gzip
from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, Command, interleaved, median, median_core, mind, peak, progress

from mindpipe.monitoring.page.document import MOST_BYTES
from support.long_lives import multiply

PART = "doors"
LIVED = 10
_ANSWER = """#!/bin/sh
case "$(tail -c 4000)" in
*'"role":"tool"'*) echo '{"text":"Done."}' ;;
*) echo '{"tool_calls":[{"name":"set_memory","arguments":{"key":"k","value":"tea"}}]}' ;;
esac
"""
_SHELL = f'{MIND} inbox push --agent ava --text "$0" && {MIND} think --agent ava'


def figures(folder: Path, *, cycles: int, rounds: int) -> Iterator[Figure]:
    """Measure a question beside push and think, and the pages of a thousand cycles and of more."""
    lives = {1_000: folder / "short", cycles: folder / "long"}
    for count, place in lives.items():
        _live(place, count)
    yield _asking(lives[1_000], rounds)
    for count, place in lives.items():
        yield from _showing(place, count, rounds=3)


def _live(folder: Path, cycles: int) -> None:
    """Make a store whose agent lived so many cycles, the first of them for real."""
    progress(f"{PART}: a life of {cycles:,} cycles")
    folder.mkdir(mode=0o700)
    answer = folder / "answer"
    answer.write_text(_ANSWER)
    answer.chmod(0o700)
    mind(folder, "init")
    mind(folder, "agent", "new", "ava", "--model", "program:./answer", "--batch", "1")
    for number in range(LIVED):
        mind(folder, "inbox", "push", "--agent", "ava", "--text", f"I have {number} lamps.")
    mind(folder, "run", "--agent", "ava", "--once")
    multiply(folder / "mind.db", agent="ava", times=cycles // LIVED - 1, words=10)


def _asking(folder: Path, rounds: int) -> Figure:
    """Measure one question beside the two commands that it is."""
    spent = interleaved(
        {
            "ask": Command(argv=[MIND, "ask", "--agent", "ava", "Hello!"], folder=folder),
            "both": Command(argv=["/bin/sh", "-c", _SHELL, "Hello!"], folder=folder),
        },
        rounds=rounds,
        title=PART,
    )
    ratio = median_core(spent["ask"]) / median_core(spent["both"])
    return Figure(part=PART, what="mind ask", value=ratio, unit="x push and think", most=1.1)


def _showing(folder: Path, cycles: int, *, rounds: int) -> Iterator[Figure]:
    """Measure how long the page of a life takes, how much memory, and of its bound how much."""
    page = folder / "life.html"
    view = Command(argv=[MIND, "view", "--agent", "ava"], folder=folder, stdout=page)
    runs = interleaved({"view": view}, rounds=rounds, title=PART)["view"]
    history = gzip.compress(mind(folder, "history", "show", "--agent", "ava", "--json"), 6)
    what = f"mind view of {cycles:,} cycles"
    most = 2 if cycles == 1_000 else None
    yield Figure(part=PART, what=what, value=median(runs), unit="s", most=most)
    yield Figure(part=PART, what=what, value=peak(runs), unit="MB resident", most=150)
    size = page.stat().st_size
    yield Figure(
        part=PART,
        what=what,
        value=size / (MOST_BYTES + len(history) // 2),
        unit="of its bound",
        most=1,
        beside=f"{size / 1e6:.2f} MB",
    )
