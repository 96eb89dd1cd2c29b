"""Recovery: confirm damage, look for crashes, check a store without writing, and mend it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from mindpipe.agents.lease import is_held
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import DamagedError, InputOutputError, NothingToDoError, RecoveryError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import Chance, Clock
from mindpipe.engine.delivery import announce_to
from mindpipe.engine.worker import checkpoints, crashes
from mindpipe.history.verbs import cycles, log
from mindpipe.inbox.verbs import inbox
from mindpipe.recall.verbs import reindex
from mindpipe.settings import Settings
from mindpipe.spending import verbs as spending
from mindpipe.store import check, place, recovery_log
from mindpipe.store.access import open_where
from mindpipe.store.address import Where, file_of
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.engine import EngineStore
from mindpipe.store.questions import INVARIANTS
from mindpipe.store.records import StoreFinding
from mindpipe.store.recovery_log import RecoveryPassage
from mindpipe.store.salvage.quarantine import keep_damaged, remove_left
from mindpipe.store.sqlite import SqliteStore, connect
from mindpipe.store.verbs.store import chains
from mindpipe.store.worker_sessions import is_ours, lost_sessions, reading_file
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession

MOST_CRASHES = 5
CRASH_SECONDS = 1800.0
_WAYS_OUT = (
    "Write what can be read into a new store with mind store recover --salvage NEW, or make a new "
    "one from a backup with mind store restore."
)
_CHAIN = "history chain: "
# The rows themselves are sound here, so that salvaging them again would end at the same place.
_READ_ONLY = (
    "It stays read-only. Read it with mind history export and mind store export; take its history "
    "into a new store with mind history export --format openai-chat, mind init and mind history "
    "import --format openai-chat --repair, or restore a backup."
)


def notice(damaged: DamagedError, clock: Clock) -> None:
    """Enter RECOVERY if a fresh connection confirms the damage that a command met."""
    if recovery_log.read(damaged.store).entered is not None:
        return
    faults = check.faults_in(damaged.store)
    if faults:
        check.keep_from_writing(damaged.store, clock, why=faults[0])


class Recovery:
    """One recovery of one store."""

    def __init__(self, where: Where, clock: Clock, chance: Chance, settings: Settings) -> None:
        self._where = where
        self._clock = clock
        self._chance = chance
        self._settings = settings

    @property
    def _path(self) -> Path:
        """Return the file; raises UnavailableError on a server, which is never in RECOVERY."""
        return file_of(self._where)

    def steps(self, *, resume: bool) -> Iterator[StoreFinding]:
        """Check, mend and leave RECOVERY where that is right; yield what each step found.

        Nothing is written to the store before all checks passed. Each fix is one transaction that
        may be repeated. After a restore, or many crashes, only `resume` ends RECOVERY.

        Raises:
            InputOutputError: the store is damaged; it stays in RECOVERY.
            RecoveryError: it is sound, but stays in RECOVERY without `resume`.
            NothingToDoError: all is well and nothing was to be done.
        """
        place.check_file(self._path)
        place.check_folder(self._path.absolute())
        entered = recovery_log.read(self._path).entered
        if entered is not None and entered.cause == "check":
            yield keep_damaged(self._path, entered)
        yield from self._sound()
        yield from self._lawful()
        reach("recover.after_check")
        mended = list(self._mend()) if is_ours(self._path) else []
        yield from mended
        yield remove_left(self._path)
        if entered is None:
            if all(finding.verdict == "ok" for finding in mended):
                raise NothingToDoError(f"{self._path.name} needs no recovery.")
            return
        if entered.cause != "check" and not resume:
            raise RecoveryError(
                f"{self._path.name} is sound and stays in RECOVERY ({entered.why}). "
                "Run mind store recover --resume."
            )
        yield self._leave(entered)

    def after_crash(self) -> list[StoreFinding]:
        """Recover if a worker crashed; return what was found, nothing where none did.

        Raises:
            InputOutputError: the store is damaged; it is in RECOVERY now.
            RecoveryError: it crashed so often that a person has to look.
        """
        if not isinstance(self._where, Path):
            return list(self._mend()) if lost_sessions(self._where, self._clock) else []
        place.check_file(self._path)
        if recovery_log.read(self._path).entered or not lost_sessions(self._path, self._clock):
            return []
        found: list[StoreFinding] = []
        # Another worker may have been faster.
        with contextlib.suppress(NothingToDoError):
            found.extend(self.steps(resume=False))
        self._count_crashes()
        return found

    def _sound(self) -> Iterator[StoreFinding]:
        """Check the whole file; what two fresh connections find wrong keeps it in RECOVERY."""
        faults = check.faults_in(self._path)
        if faults and check.faults_in(self._path):
            found = "; ".join(faults[:3])
            yield StoreFinding(check="integrity", verdict="bad", found=found)
            raise self._stay(found)
        yield StoreFinding(check="integrity", verdict="ok", found="ok")

    def _lawful(self) -> Iterator[StoreFinding]:
        """Hold the rows against what always holds."""
        with reading_file(self._path) as opened, opened.read() as rows:
            findings = list(check.answers(rows, self._clock, INVARIANTS))
        if is_ours(self._path):
            findings.append(chains(self._path))
        for finding in findings:
            if finding.verdict == "ok":
                yield finding
            else:
                yield msgspec.structs.replace(finding, verdict="bad")
        broken = [one.damage for one in findings if one.verdict != "ok"]
        if broken:
            raise self._stay("; ".join(broken))

    def _stay(self, why: str) -> InputOutputError:
        """Enter RECOVERY unless it was; return the error that says what a person can do."""
        check.keep_from_writing(self._path, self._clock, why=why)
        ways = _READ_ONLY if why.startswith(_CHAIN) else _WAYS_OUT
        return InputOutputError(f"{self._path.name} fails its check: {why}. {ways}")

    def _mend(self) -> Iterator[StoreFinding]:
        """Put right what crashes left, each thing in a transaction of its own."""
        lost = lost_sessions(self._where, self._clock)
        with contextlib.closing(self._opened()) as store:
            mended = []
            for run in lost:
                finding = self._crash(store, run)
                if finding is not None:
                    mended.append(run)
                    yield finding
                reach("recover.mid")
            yield _counted("leases of other boots", self._free(store))
            yield _counted("reserved spend", self._lose(store))
            reach("recover.mid")
            yield _counted("search index", _index(store))
            yield _counted("recall index", _recall_index(store))
            for agent in dict.fromkeys(run.agent for run in mended):
                yield self._session(store, agent)

    def _opened(self) -> EngineStore:
        """Open what is to be mended; a file may be in RECOVERY, where no other may write."""
        if isinstance(self._where, Path):
            return SqliteStore(connect(self._where), self._where)
        return open_where(self._where)

    def _crash(self, store: EngineStore, run: WorkerSession) -> StoreFinding | None:
        """Mend what one crashed worker left; None where it goes on, or somebody else did."""
        deliver = announce_to(store, self._clock, self._chance, self._settings)
        mended = crashes.mend(store, self._clock, self._chance, run=run, deliver=deliver)
        if mended is None:
            return None
        where = "no cycle open" if mended.cycle is None else f"cycle {mended.cycle}: {mended.doing}"
        words = f"{run.agent}, began {run.started}, {where}"
        return StoreFinding(
            check="crash", verdict="note", found=words, advice="It is in the inbox."
        )

    def _session(self, store: EngineStore, agent: str) -> StoreFinding:
        """Restore the session of an agent whose worker crashed, or make it anew from its log."""
        weight = self._settings.loop.smoothing
        with store.write(agent):
            is_old = checkpoints.is_checkpoint_stale(store, agent=agent)
            session = checkpoints.restore_checkpoint(store, self._clock, agent=agent, weight=weight)
            checkpoints.save_checkpoint(store, session)
        how = "made anew from the log" if is_old else "restored"
        words = f"{agent}, {how}, iteration {session.iteration}"
        return StoreFinding(check="session", verdict="note", found=words)

    def _free(self, store: EngineStore) -> int:
        """Free what was held before the machine last started; a server has but one clock."""
        if not isinstance(store, SqliteStore):
            return 0
        with store.write():
            held = leases.free_other_boots(store, self._clock)
            return held + inbox.free_other_boots(store, self._clock)

    def _lose(self, store: EngineStore) -> int:
        """Count model calls in full whose worker is gone, in cycles that nobody holds."""
        lost = 0
        for agent in agents.list_(store):
            if cycles.open_one(store, agent=agent.name) is None:
                continue
            with store.write(agent.name):
                lease = leases.find(store, agent=agent.name)
                left = cycles.open_one(store, agent=agent.name)
                if left and not is_held(lease, self._clock.boot()):
                    lost += spending.lose_open(store, agent=agent.name, cycle=left.cycle)
        return lost

    def _leave(self, entered: RecoveryPassage) -> StoreFinding:
        """Write down that RECOVERY is over."""
        left = RecoveryPassage(
            at=self._clock.now(), state="left", cause=entered.cause, why="mind store recover"
        )
        recovery_log.note(self._path, left)
        return StoreFinding(check="recovery", verdict="ok", found=f"over ({entered.why})")

    def _count_crashes(self) -> None:
        """Enter RECOVERY after too many crashes in half an hour, those before its end aside."""
        since = later(self._clock.now(), seconds=-CRASH_SECONDS)
        last = recovery_log.read(self._path).last
        with reading_file(self._path) as opened:
            count = workers.crashes_after(opened, max(since, last.at) if last else since)
        if count >= MOST_CRASHES:
            why = f"{count} crashes within {CRASH_SECONDS / 60:.0f} minutes"
            recovery_log.enter(self._path, at=self._clock.now(), cause="crashes", why=why)
            raise RecoveryError(f"{self._path.name} is in RECOVERY ({why}). See mind store check.")


def _index(store: EngineStore) -> int:
    """Make the index of words anew if it does not fit the messages; return the gaps."""
    gaps = log.index_gaps(store)
    if gaps:
        log.rebuild_index(store)
    return gaps


def _recall_index(store: EngineStore) -> int:
    """Make the index of recall anew if it does not fit its marks; return the gaps."""
    gaps = reindex.gaps(store)
    if gaps:
        reindex.reindex(store, note_all_made_anew)
    return gaps


def _counted(name: str, count: int) -> StoreFinding:
    """Return the finding of a fix that concerned so many rows."""
    return StoreFinding(
        check=name,
        verdict="note" if count else "ok",
        found=f"{count} put right" if count else "0",
    )
