"""A folder of Markdown under git, and an observer of it that may be killed at any time."""

import json
import os
import random
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from support.command import SECONDS, Mind, looked_into
from support.patience import until

WORDS = ["river", "stone", "letter", "garden", "winter", "clock", "bridge"]
IDENTITY = ("-c", "user.name=ava", "-c", "user.email=ava@localhost", "-c", "gc.auto=0")
STATUS = {"A": "created", "M": "modified", "D": "deleted"}
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints; fail if it fails."""
    done = subprocess.run(
        ["git", *IDENTITY, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return done.stdout


@dataclass
class Garden:
    """A repository of notes that grows, commit by commit, by a seed."""

    folder: Path
    chance: random.Random
    files: list[str] = field(default_factory=list)
    made: int = 0

    def begin(self, files: int) -> None:
        """Make the repository with so many notes."""
        self.folder.mkdir()
        git(self.folder, "init", "--quiet", "--initial-branch=main")
        for _ in range(files):
            self._add()
        self.commit()

    def commit(self) -> str:
        """Commit what is there and return the commit's id."""
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", "--message", f"step {self.made}")
        return git(self.folder, "rev-parse", "HEAD").strip()

    def grow(self, changes: int) -> str:
        """Add, change, move and remove notes, and commit that."""
        for _ in range(changes):
            self.chance.choice((self._add, self._change, self._change, self._move, self._remove))()
        return self.commit()

    def _text(self) -> str:
        self.made += 1
        return f"# {self.made}\n\n" + " ".join(self.chance.choices(WORDS, k=40)) + "\n"

    def _add(self) -> None:
        folder = "/".join(self.chance.choices(WORDS, k=self.chance.randrange(4)))
        ending = "txt" if self.chance.random() < 0.05 else "md"
        name = f"{folder}/{self.chance.choice(WORDS)}-{self.made}.{ending}".lstrip("/")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._text())
        self.files.append(name)

    def _change(self) -> None:
        (self.folder / self.chance.choice(self.files)).write_text(self._text())

    def _move(self) -> None:
        name = self.chance.choice(self.files)
        self._add()
        (self.folder / name).replace(self.folder / self.files[-1])
        self.files.remove(name)

    def _remove(self) -> None:
        name = self.chance.choice(self.files)
        (self.folder / name).unlink()
        self.files.remove(name)


def difference(folder: Path, old: str, new: str) -> Counter[tuple[str, str]]:
    """Return what git says changed of the Markdown files: kind and path."""
    lines = git(folder, "diff", "--name-status", "--no-renames", old, new, "--", "*.md")
    pairs = (line.split("\t") for line in lines.splitlines())
    return Counter((STATUS[letter], path) for letter, path in pairs)


def told(folder: Path) -> list[dict]:
    """Return what the events of the store in a folder say that was observed, in their order."""
    with looked_into(folder) as store:
        rows = store.execute("SELECT body FROM event ORDER BY seq").fetchall()
    return [json.loads(str(body))["observation"] for (body,) in rows]


def changes_in(observations: list[dict]) -> Counter[tuple[str, str]]:
    """Return kind and path of what was told; what moved went from one path and came to another."""
    found: Counter[tuple[str, str]] = Counter()
    for one in observations:
        if one["kind"] == "moved":
            found.update([("deleted", one["was"]), ("created", one["path"])])
        else:
            found[one["kind"], one["path"]] += 1
    return found


def until_told(folder: Path, wanted: Counter[tuple[str, str]]) -> None:
    """Wait until as many changes are told as are wanted."""

    def all_told() -> bool:
        return changes_in(told(folder)).total() >= wanted.total()

    until(all_told, f"{wanted.total()} changes")


@dataclass
class Watching:
    """An observer that runs beside a test, and is started again when it was killed."""

    mind: Mind
    environment: dict[str, str] = field(default_factory=dict)
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        arguments = ("observe", "files", "--config", "observe.yaml", "--agent", "ava", "--deliver")
        self.running = subprocess.Popen(
            [str(Mind(self.mind.folder, forked=False).program), *arguments],
            stdout=subprocess.DEVNULL,
            cwd=self.mind.folder,
            env=self.mind._environment(self.environment),
        )

    def kill(self) -> None:
        """End it at once."""
        if self.running is not None:
            self.running.send_signal(signal.SIGKILL)
            self.running.wait(SECONDS)
        self.running = None
