"""One table of what compaction keeps: every strategy beside the simple ways of the same run."""

import functools
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import (
    CompactedConversation,
    Fold,
    asked_last,
    over_messages,
    said_in,
)
from mindpipe.compaction.later_use import LaterUse
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.records import Share, WindowPlan
from mindpipe.compaction.sizes import head_tokens
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Conversation
from mindpipe.core.records import Record, to_json
from mindpipe.history.rows import counted_text
from mindpipe_cli.benchmarks.dialogues import TRIES, Dialogue, dialogues, within
from mindpipe_cli.benchmarks.scorers import PairCount, Scorers, SurvivalScore, no_data
from mindpipe_cli.benchmarks.searches import BenchPorts, searched
from mindpipe_cli.benchmarks.transcripts import (
    Transcripts,
    one_life,
    transcripts,
    used_later,
    written,
)

# Half of a dialogue is no compaction that anybody asked for; half of a transcript is.
_DIALOGUE_MOST = 0.25
_RECENT_CYCLES = 10
_NO_MODEL: tuple[StrategyName, ...] = tuple(name for name in STRATEGIES if name != "model")


class Figure(
    Record,
    rename={
        "covered": "A",
        "grounded": "A_grounded",
        "grounded50": "A_grounded_50",
        "grounded75": "A_grounded_75",
        "answers": "B",
    },
):
    """One row of `mind bench compaction`: of what, at which share of the tokens, by which way.

    A turn is grounded where a quarter of its rare words is left, or half, or three quarters: this
    is told and no aim, for a tool can hold just as much. `tokens` is the share that was taken,
    `tokens_max` the largest of one conversation. Of dialogues
    there are A, A_grounded, B, all and A by category, of transcripts the others; shares are between
    0 and 1. `named` is the share of `used`, the errors, paths and identifiers that later turns use
    of what left, which the window still has; `named_alone` is that of those `alone`, which stand
    nowhere else.
    """

    what: str
    share: float
    strategy: str
    tokens: float
    tokens_max: float | None = None
    grounded: float | None = None
    grounded50: float | None = None
    grounded75: float | None = None
    covered: float | None = None
    answers: float | None = None
    all: float | None = None
    categories: dict[str, float] = {}
    orphans: int | None = None
    double: int | None = None
    invalid: int | None = None
    calls: float | None = None
    used: int | None = None
    named: float | None = None
    alone: int | None = None
    named_alone: float | None = None


class CompactionBenchOptions(Record):
    """What is measured: in which folders, at which shares, by which strategies."""

    folder: str
    scorers: str
    shares: tuple[Share, ...]
    strategies: tuple[StrategyName, ...]
    searchback: bool = False


def figures(
    ports: BenchPorts, wishes: Mapping[str, str | bool | Sequence[str]]
) -> Iterator[Figure]:
    """Yield the rows that the options of a command ask for.

    Raises:
        UsageError: the shares are no numbers between 0 and 1.
        UnavailableError: what is measured with, or by, is not there.
    """
    given = {**wishes, "shares": str(wishes["shares"]).split(",")}
    try:
        options = msgspec.convert(given, CompactionBenchOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"shares are numbers between 0 and 1, e.g. 0.10,0.25: {error}") from None
    if not options.strategies:
        asking: tuple[StrategyName, ...] = ("model",) if ports.write else ()
        options = msgspec.structs.replace(options, strategies=(*_NO_MODEL, *asking))
    with tempfile.TemporaryDirectory() as folder:
        yield from Bench(ports, options, Path(folder)).figures()


class _Sent(NamedTuple):
    """What is sent of transcripts: the tokens of each before and after, and what is used later."""

    sizes: list[tuple[int, int]]
    used: list[LaterUse]


class Bench:
    """Measure with the scorers of a folder; what they prepare goes into `place`."""

    def __init__(self, ports: BenchPorts, options: CompactionBenchOptions, place: Path) -> None:
        self._folder = Path(options.folder)
        if not self._folder.is_dir():
            raise no_data("dialogues", options.folder)
        self._scorers = Scorers(Path(options.scorers))
        self._ports = ports
        self._tokens = ports.tokens.name
        self._count = functools.cache(ports.tokens.count)
        self._options = options
        self._place = place

    def figures(self) -> Iterator[Figure]:
        """Yield every row: dialogues first, then transcripts."""
        found = sorted(self._folder.iterdir())
        for path in found:
            if path.name.startswith("locomo"):
                for file in sorted(path.glob("*.json")):
                    yield from self._dialogues(file.stem, file)
            elif path.name.startswith("beam"):
                yield from self._dialogues(path.name, path)
        for path in found:
            if path.name.startswith("tau"):
                yield from self._transcripts(path, "*.jsonl*", plain=True)
            elif path.name.startswith("swe"):
                yield from self._transcripts(path, "*.traj", plain=False)

    def _dialogues(self, name: str, path: Path) -> Iterator[Figure]:
        """Yield the rows of one set of dialogues, at each share the simple ways first."""
        folder = self._place / name
        self._scorers.prepare(path, folder)
        read = dialogues(folder)
        hits = searched(read, folder, self._ports) if self._options.searchback else None
        for share in self._options.shares:
            if share > _DIALOGUE_MOST:
                continue
            simple = self._scorers.floor(path, share, search=self._options.searchback)
            for way, kept in simple.items():
                yield _of_dialogues(name, share, way, kept)
            for strategy in self._options.strategies:
                found = self._scorers.survival(path, self._pieces(read, share, strategy), hits)
                for way, kept in zip((strategy, f"{strategy} + search"), found, strict=False):
                    yield _of_dialogues(name, share, way, kept)

    def _pieces(self, read: Sequence[Dialogue], share: float, strategy: StrategyName) -> bytes:
        """Return the windows over some dialogues as the scorer reads them."""
        found: list[bytes] = []
        for one in read:

            def window(conversation: Conversation, budget: int) -> CompactedConversation:
                return self._window(conversation, strategy, budget=budget, keep_cycles=0)

            size = self._size(one.conversation)
            tries = 1 if strategy == "model" else TRIES
            told = within(one, share, window=window, tokens=size, tries=tries)
            found += map(to_json, told)
        return b"\n".join(found)

    def _transcripts(self, path: Path, pattern: str, *, plain: bool) -> Iterator[Figure]:
        """Yield the rows of one set of transcripts: each by itself, then all as one life."""
        read = transcripts(sorted(path.glob(pattern)))
        life = one_life(read)
        for share in self._options.shares:
            for strategy in self._options.strategies:
                place = self._place / f"{path.name}-{share}-{strategy}"
                place.mkdir()
                fold = self._fold(strategy, share)
                kept = self._of_transcripts(read, fold, place)
                paired = self._scorers.pairs(path, place, plain=plain)
                yield _of_transcripts(path.name, share, strategy, kept, paired)
                yield self._of_life(f"{path.name}, one life", share, strategy, life)

    def _of_life(
        self, name: str, share: float, strategy: StrategyName, life: Conversation
    ) -> Figure:
        """Return what is sent, and what of it is used later, of a long life."""
        fold = self._fold(strategy, share)
        sizes = [(self._size(life), _messages(fold(life).planned))]
        used = list(used_later(life, fold))
        return _of_transcripts(name, share, strategy, _Sent(sizes, used), None)

    def _fold(self, strategy: StrategyName, share: float) -> Fold:
        """Return what makes windows of a share of the messages, the head on top."""

        def fold(conversation: Conversation) -> CompactedConversation:
            head = head_tokens(conversation.head, count=self._count)
            budget = head + int(share * self._size(conversation))
            return self._window(conversation, strategy, budget=budget, keep_cycles=_RECENT_CYCLES)

        return fold

    def _of_transcripts(self, read: Sequence[Transcripts], fold: Fold, place: Path) -> _Sent:
        """Return what is sent of transcripts, whose windows are written into `place`."""
        sizes: list[tuple[int, int]] = []
        used: list[LaterUse] = []
        for file in read:
            plans = written(file, fold, place=place)
            for one, planned in zip(file.conversations, plans, strict=True):
                whole = self._size(said_in(one))
                sizes.append((whole, _messages(planned) if planned else whole))
                used += used_later(said_in(one), fold)
        return _Sent(sizes, used)

    def _window(
        self, conversation: Conversation, strategy: StrategyName, *, budget: int, keep_cycles: int
    ) -> CompactedConversation:
        """Return a window by one strategy; what was said last stands for what waits."""
        plan = PlanOptions(
            agent="bench",
            strategy=strategy,
            budget=max(1, budget),
            keep_cycles=keep_cycles,
            inbox=asked_last(conversation),
        )
        write = self._ports.write
        return over_messages(
            conversation, plan, count=self._count, tokenizer=self._tokens, write=write
        )

    def _size(self, conversation: Conversation) -> int:
        """Return the tokens of all messages."""
        return sum(self._count(counted_text(message)) for message in conversation.messages)


def _of_dialogues(name: str, share: float, way: str, kept: SurvivalScore) -> Figure:
    """Return what the scorer of survival found as a row."""
    return Figure(
        what=name,
        share=share,
        strategy=way,
        tokens=round(kept.tokens + kept.search_tokens, 4),
        tokens_max=kept.tokens_max,
        grounded=kept.grounded,
        grounded50=kept.grounded50,
        grounded75=kept.grounded75,
        covered=kept.covered,
        answers=kept.answers,
        all=kept.all,
        categories=kept.categories,
    )


def _of_transcripts(
    name: str, share: float, strategy: StrategyName, kept: _Sent, paired: PairCount | None
) -> Figure:
    """Return what is sent of transcripts, and what the counter of pairs found, as a row."""
    alone = [one for one in kept.used if not one.kept and not one.again]
    return Figure(
        what=name,
        share=share,
        strategy=strategy,
        tokens=round(
            sum(after for _, after in kept.sizes) / sum(whole for whole, _ in kept.sizes), 4
        ),
        tokens_max=round(max(after / whole for whole, after in kept.sizes), 4),
        orphans=paired.orphans if paired else None,
        double=paired.after["double results"] if paired else None,
        invalid=paired.after["invalid arrays"] if paired else None,
        calls=round(paired.calls_kept, 4) if paired else None,
        used=len(kept.used),
        named=_named(kept.used),
        alone=len(alone),
        named_alone=_named(alone),
    )


def _messages(planned: WindowPlan) -> int:
    """Return the tokens of a window without its head."""
    return sum(planned.plan.after.values()) - planned.plan.after["head"]


def _named(used: Sequence[LaterUse]) -> float | None:
    """Return the share of what the window still names, None where nothing is used."""
    return round(sum(one.named for one in used) / len(used), 4) if used else None
