"""Observe a git repository: new commits, each once, and refs that were made, moved or deleted.

HEAD counts as a ref as long as it is on no branch.
"""

import os
import threading
from pathlib import Path

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Clock, Limits, ProgramCall, ProgramRun, Programs
from mindpipe.io.folders import heard
from mindpipe.observers import commits
from mindpipe.observers.changes import Keeper
from mindpipe.observers.records import ObserverStep, Repository

_REF = "ref:"
_HEAD = "HEAD"
_LOOKS = "looks"
_SECONDS = 60.0
_MOST_BYTES = 256 << 20
# What git is asked is the same whatever the user has set, and nothing of it asks back.
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
_REACHABLE = 0


class RepositoryObserver:
    """Tell what becomes of a repository, by its refs as they were seen last."""

    def __init__(
        self,
        entry: Repository,
        folder: Path,
        keeper: Keeper,
        *,
        agent: str | None,
        programs: Programs,
        clock: Clock,
    ) -> None:
        self._entry = entry
        self._path = str((folder / entry.path).resolve())
        self._keeper = keeper
        self._agent = agent
        self._programs = programs
        self._clock = clock
        self.name = f"git:{agent or ''}:{entry.observer}:{self._path}"

    def run(self, stop: threading.Event) -> None:
        """Look whenever a ref moved, and now and then anyway, until `stop` is set.

        Raises:
            UnavailableError: git or the repository is not there.
        """
        found = self._git("rev-parse", "--path-format=absolute", "--git-common-dir")
        refs = Path(os.fsdecode(found.stdout.rstrip(b"\n"))) / "refs"
        next_look = 0.0
        for paths in heard(refs, stop, passed_over=lambda path: path.endswith(".lock")):
            now = self._clock.boot().seconds
            if paths or now >= next_look:
                self.look()
                next_look = now + self._entry.every_seconds

    def look(self) -> int:
        """Look once and return how many events were told.

        Raises:
            UnavailableError: git or the repository is not there.
        """
        known = self._keeper.load(self.name).marks
        after = self._refs()
        before = {
            name.removeprefix(_REF): mark for name, mark in known.items() if name.startswith(_REF)
        }
        if before == after and _LOOKS in known:
            return 0
        number = int(known.get(_LOOKS, "0")) + 1
        seen = commits.RepositoryLook(
            number=number,
            before=before,
            after=after,
            commits=tuple(self._new_commits(before, after)) if _LOOKS in known else (),
            reset=frozenset(
                ref
                for ref, was, is_ in commits.moved_refs(before, after)
                if not self._is_behind(was, is_)
            ),
        )
        events = commits.repository_events(self._entry, seen, agent=self._agent)
        gone = {f"{_REF}{ref}": None for ref in before if ref not in after}
        step = ObserverStep(
            observer=self.name,
            events=tuple(events) if _LOOKS in known else (),
            marks={
                **gone,
                **{f"{_REF}{ref}": commit for ref, commit in after.items()},
                _LOOKS: str(number),
            },
            marks_before={_LOOKS: known.get(_LOOKS)},
        )
        return len(step.events) if self._keeper.keep(step) else 0

    def _refs(self) -> dict[str, str]:
        """Return the commit of each ref, and of HEAD where it is on no branch."""
        asked = self._git("for-each-ref", f"--format={commits.REF_FORMAT}")
        refs = commits.read_refs(asked.stdout)
        if self._ask("symbolic-ref", "--quiet", _HEAD).status != 0:
            refs[_HEAD] = self._git("rev-parse", "--verify", _HEAD).stdout.decode().strip()
        return refs

    def _new_commits(self, before: commits.Refs, after: commits.Refs) -> list[dict[str, str]]:
        """Return the commits that are in reach now and were not, the oldest first."""
        asked = commits.wanted_commits(before, after)
        if not asked:
            return []
        found = self._git(
            "log",
            "--topo-order",
            "--reverse",
            "--ignore-missing",
            "--no-show-signature",
            "--encoding=UTF-8",
            f"--format=tformat:{commits.COMMIT_FORMAT}",
            "--stdin",
            stdin=asked,
        )
        return commits.read_commits(found.stdout)

    def _is_behind(self, old: str, new: str) -> bool:
        """Tell whether a commit is an ancestor of another; one that is gone is none."""
        run = self._ask("merge-base", "--is-ancestor", old, new)
        return run.status == _REACHABLE

    def _git(self, *arguments: str, stdin: bytes = b"") -> ProgramRun:
        """Ask git; raises UnavailableError where it has no answer."""
        run = self._ask(*arguments, stdin=stdin)
        if run.status != 0 or run.stdout_cut:
            words = run.stderr.decode("utf-8", "replace").strip().splitlines()
            why = words[-1] if words else "it did not answer in time"
            raise UnavailableError(f"git in {self._path}: {why}; check that it is a repository.")
        return run

    def _ask(self, *arguments: str, stdin: bytes = b"") -> ProgramRun:
        """Run git in the repository; raises UnavailableError where there is no git."""
        home = os.environ.get("HOME")
        return self._programs.run(
            ProgramCall(
                argv=("git", "-C", self._path, *arguments),
                stdin=stdin,
                seconds=_SECONDS,
                output_bytes=_MOST_BYTES,
                environment={**_QUIET, **({"HOME": home} if home else {})},
                private_folder=False,
                limits=Limits(memory_bytes=1 << 33),
            )
        )
