"""How long the commands take that let persons live: one for a day, and ten thousand for a day."""

from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, PYTHON, Command, Spent, interleaved, median, mind, peak, progress, spend

PART = "persons"
_RUN = (MIND, "simulate", "run", "--until", "1d", "--no-review")
# A crowd may take 180 s for each ten thousand.
_CROWD_S = 180 / 10_000


def one(folder: Path, *, rounds: int) -> Iterator[Figure]:
    """Measure the filters on one person, and its day at the grid of one second."""
    (folder / "mara.jsonl").write_bytes(mind(folder, "simulate", "new", "--name", "Mara"))
    (folder / "thought.jsonl").write_text('{"kind":"thought","content":"I accept it."}\n')
    filters = {
        "python -c pass": Command(argv=[PYTHON, "-c", "pass"], folder=folder),
        "mind simulate tick": _on_mara(folder, MIND, "simulate", "tick", "--dt", "60"),
        "mind feel": _on_mara(folder, MIND, "feel"),
        "mind feedback": Command(
            argv=[MIND, "feedback"], folder=folder, stdin=folder / "thought.jsonl"
        ),
    }
    spent = interleaved(filters, rounds=rounds, title=f"{PART}: filters")
    base = median(spent["python -c pass"])
    goals = {"mind simulate tick": 20.0, "mind feel": 5.0, "mind feedback": 5.0}
    for name, most in goals.items():
        yield Figure(part=PART, what=name, value=median(spent[name]) / base, most=most)
    start = median(spent["mind simulate tick"])
    days = {model: _on_mara(folder, *_RUN, "--model", model) for model in ("none", "composed")}
    lived = interleaved(days, rounds=3, title=f"{PART}: a day")
    for model, most in (("none", 2.0), ("composed", 5.0)):
        beyond = median(lived[model]) - start
        what = f"a day of one person, model {model}"
        yield Figure(part=PART, what=what, value=beyond, unit="s beyond start-up", most=most)


def many(folder: Path, *, persons: int) -> Iterator[Figure]:
    """Measure a day of many persons with salience and without a voice."""
    progress(f"{PART}: a day of {persons:,}")
    crowd = folder / "crowd.jsonl"
    crowd.write_bytes(mind(folder, "simulate", "new", "--count", str(persons)))
    day = Command(argv=[*_RUN, "--every", "1d", "--model", "none"], folder=folder, stdin=crowd)
    lived: Spent = spend(day)
    what = f"a day of {persons:,} persons, salience and no voice"
    most = round(_CROWD_S * persons, 1)
    yield Figure(part=PART, what=what, value=lived.seconds, unit="s", most=most)
    yield Figure(part=PART, what=what, value=peak([lived]), unit="MB resident", most=1500)


def _on_mara(folder: Path, *words: str) -> Command:
    """Return a command that reads Mara."""
    return Command(argv=words, folder=folder, stdin=folder / "mara.jsonl")
