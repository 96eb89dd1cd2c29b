"""What recall by meaning takes beyond start-up, and how many of the nearest its bits find."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from figures import Figure
from measuring import MIND, PYTHON, Command, interleaved, median, mind, peak, progress, spend

PART = "vectors"
_DRAWING = Path(__file__).with_name("drawn_vectors.py")


def figures(folder: Path, *, items: int, rounds: int) -> Iterator[Figure]:
    """Measure cold searches among so many items, with vectors and without, and the share found."""
    mind(folder, "init", "--agent", "ava")
    _add(folder, items)
    progress(f"{PART}: {items:,} vectors")
    share = _draw(folder)
    _answer_always(folder)
    asked = [MIND, "recall", "which crate holds lemons", "--agent", "ava"]
    meaning = {"MIND_EMBED_MODEL": "local/drawn"}
    commands = {
        "start": Command(argv=[MIND, "note", "list", "--agent", "ava"], folder=folder),
        "words": Command(argv=asked, folder=folder),
        "meaning": Command(argv=asked, folder=folder, environment=meaning),
    }
    spent = interleaved(commands, rounds=rounds, title=PART)
    base = median(spent["start"])
    what = f"recall of one among {items:,}, cold"
    for name, most in (("words", 0.25), ("meaning", 0.4)):
        beyond = median(spent[name]) - base
        yield Figure(
            part=PART, what=f"{what}, by {name}", value=beyond, unit="s beyond start-up", most=most
        )
    yield Figure(
        part=PART,
        what=f"{what}, by meaning",
        value=peak(spent["meaning"]),
        unit="MB resident",
        most=500,
    )
    what = f"of the 10 nearest of {items:,} found by bits"
    yield Figure(part=PART, what=what, value=share, unit="share", least=0.98)


def _add(folder: Path, items: int) -> None:
    """Give an agent so many items."""
    file = folder / "items.jsonl"
    with file.open("w") as lines:
        for number in range(items):
            text = f"Crate {number} holds {number % 977} lemons of row {number % 89}."
            lines.write(f"{json.dumps({'text': text})}\n")
    progress(f"{PART}: {items:,} items")
    given = Command(argv=[MIND, "memory", "add", "--agent", "ava"], folder=folder, stdin=file)
    spend(given)
    file.unlink()


def _draw(folder: Path) -> float:
    """Give each item a vector in a process of its own, and return the share that bits find.

    What this process held would count as memory of those that are measured.
    """
    drawn = subprocess.run([PYTHON, str(_DRAWING), str(folder)], capture_output=True, check=True)
    return float(drawn.stdout)


def _answer_always(folder: Path) -> None:
    """Write a model that has no layer and gives any question the vector that was drawn."""
    from support.local_models import small_model, tensors, write_tensors

    question = np.load(folder / "question.npy").astype(np.float32)
    model = small_model(folder / "drawn", layers=0, size=len(question))
    last = {"weight": np.zeros_like(question), "bias": question}
    arrays = tensors(layers=0, size=len(question))
    arrays |= {f"embeddings.LayerNorm.{part}": array for part, array in last.items()}
    write_tensors(model / "model.safetensors", arrays)
