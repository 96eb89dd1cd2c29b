"""How long the commands take that let persons live: one for a day, and ten thousand for a day."""

from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import (
    MIND,
    PYTHON,
    Command,
    interleaved,
    median,
    median_core,
    mind,
    peak,
    progress,
    spend,
)

PART = "persons"
_RUN = (MIND, "simulate", "run", "--until", "1d", "--no-review")
_THOUGHT = '{"kind":"thought","content":"I accept it, but I will never be good enough for them."}\n'
# A busy machine moves the one clock and hardly the other: goals are held against both.
_CLOCKS = {"on the wall": median, "of a core": median_core}
# A crowd may take 180 s for each ten thousand.
_CROWD_S = 180 / 10_000


def one(folder: Path, *, rounds: int) -> Iterator[Figure]:
    """Measure the filters on one person, and its day at the grid of one second."""
    (folder / "mara.jsonl").write_bytes(mind(folder, "simulate", "new", "--name", "Mara"))
    (folder / "thought.jsonl").write_text(_THOUGHT)
    filters = {
        "python -c pass": Command(argv=[PYTHON, "-c", "pass"], folder=folder),
        "mind simulate tick": _on_mara(folder, MIND, "simulate", "tick", "--dt", "60"),
        "mind feel": _on_mara(folder, MIND, "feel"),
        "mind feedback": Command(
            argv=[MIND, "feedback"], folder=folder, stdin=folder / "thought.jsonl"
        ),
    }
    spent = interleaved(filters, rounds=rounds, title=f"{PART}: filters")
    goals = {"mind simulate tick": 20.0, "mind feel": 5.0, "mind feedback": 5.0}
    for name, most in goals.items():
        for clock, of in _CLOCKS.items():
            ratio = of(spent[name]) / of(spent["python -c pass"])
            yield Figure(part=PART, what=name, value=ratio, unit=f"x pass {clock}", most=most)
    days = {model: _on_mara(folder, *_RUN, "--model", model) for model in ("none", "composed")}
    lived = interleaved(days, rounds=3, title=f"{PART}: a day")
    for model, most in (("none", 2.0), ("composed", 5.0)):
        what = f"a day of one person beyond start-up, model {model}"
        for clock, of in _CLOCKS.items():
            beyond = of(lived[model]) - of(spent["mind simulate tick"])
            yield Figure(part=PART, what=what, value=beyond, unit=f"s {clock}", most=most)


def parsing(folder: Path, *, thoughts: int, rounds: int) -> Iterator[Figure]:
    """Measure how many thoughts are parsed in a second, start-up and lines included."""
    (folder / "thoughts.jsonl").write_text(_THOUGHT * thoughts)
    parse = Command(
        argv=[MIND, "feedback", "--parser", "seed"],
        folder=folder,
        stdin=folder / "thoughts.jsonl",
    )
    spent = interleaved({"feedback": parse}, rounds=rounds, title=f"{PART}: feedback")["feedback"]
    what = f"mind feedback, parser seed, {thoughts:,} thoughts"
    for clock, of in _CLOCKS.items():
        speed = thoughts / of(spent)
        yield Figure(part=PART, what=what, value=speed, unit=f"per s {clock}", least=20_000)


def many(folder: Path, *, persons: int) -> Iterator[Figure]:
    """Measure a day of many persons with salience and without a voice."""
    progress(f"{PART}: a day of {persons:,}")
    crowd = folder / "crowd.jsonl"
    crowd.write_bytes(mind(folder, "simulate", "new", "--count", str(persons)))
    day = Command(argv=[*_RUN, "--every", "1d", "--model", "none"], folder=folder, stdin=crowd)
    lived = [spend(day)]
    what = f"a day of {persons:,} persons, salience and no voice"
    most = round(_CROWD_S * persons, 1)
    for clock, of in _CLOCKS.items():
        yield Figure(part=PART, what=what, value=of(lived), unit=f"s {clock}", most=most)
    yield Figure(part=PART, what=what, value=peak(lived), unit="MB resident", most=1500)


def _on_mara(folder: Path, *words: str) -> Command:
    """Return a command that reads Mara."""
    return Command(argv=words, folder=folder, stdin=folder / "mara.jsonl")
