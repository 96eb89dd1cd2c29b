"""Plan what of a window is folded, so that it fits its budget."""

from collections.abc import Iterable, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.anchors import (
    ANCHOR_TOKENS,
    POINTER_TOKENS,
    AnchorsAndPointer,
    LeavingWords,
    anchors_of,
    closing,
    earlier_anchors,
    earlier_terms,
    pinned,
    ranked,
    tickets_tokens,
)
from mindpipe.compaction.records import (
    PROMPT_TOKENS,
    Anchor,
    CompactionPlan,
    Kept,
    Masked,
    Measures,
    Overlay,
    PartKind,
    Reason,
    Stub,
    Summary,
    SummaryLine,
    WindowPlan,
)
from mindpipe.compaction.selection.extractive import fitted
from mindpipe.compaction.selection.transcript import Transcript, files_in
from mindpipe.compaction.sent import cleared, stubbed
from mindpipe.compaction.sizes import KINDS, opening_tokens, pays_after, tokens_by_kind
from mindpipe.compaction.strategies.self_summary import context_of, line_of
from mindpipe.compaction.strategies.table import STRATEGIES, default_strategy
from mindpipe.compaction.task import (
    CompactionTask,
    Count,
    CycleInView,
    Embed,
    SpokenWords,
    SummaryDraft,
)
from mindpipe.compaction.tiles import (
    Tile,
    after_fitting,
    covering_parts,
    masked_tile,
    present_parts,
    reasons_of,
    recent_tiles,
    sent_ranges,
    stubs_of,
    summary_of,
    tiles,
)
from mindpipe.compaction.window_text import one_line
from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.messages import Message
from mindpipe.core.models import Write
from mindpipe.core.text import counted


class Material(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan is made from.

    `lived` are the closed cycles that the base window sends and all after it, oldest first, their
    messages as they are in the log; cycles that stand only in summaries of `base` are never among
    them. Where an older window was cut without a summary, cycles before `first_sent` are given too,
    but are not sent now. `head` are the tokens of system text and tools, as `count` (called
    `tokenizer`) counts; `calibration` is what the provider reported over that. `seq` and `sha256`
    are the end of the log, `through` its last closed cycle, `name` the base window's. What is
    `stored` can be undone; what leaves is `findable` where a tool of the agent finds it again.
    """

    lived: tuple[CycleInView, ...]
    head: int
    seq: int
    sha256: str
    through: int
    count: Count
    tokenizer: str
    calibration: float = 1.0
    base: Overlay = ()
    name: str | None = None
    first_sent: int = 1
    stored: bool = True
    findable: bool = True
    embed: Embed | None = None
    write: Write | None = None
    prompt_tokens: int = PROMPT_TOKENS


class PlanOptions(NamedTuple):
    """What is wanted of a plan.

    Where no `strategy` is named, that is taken which suits the history. `budget` are the tokens of
    the whole window as the provider counts, head included. `automatic`
    stops after the cheapest step that is enough, and does nothing where it would save fewer than
    `min_saving` tokens. A window that has less than the share `floor` of the anchors found is
    refused. `inbox` are the words that wait, `tickets` the open tickets, which are always named.
    With `if_over` a window that is within the budget stays as it is. `cached` tokens of the present
    prefix are in the provider's cache, where a token costs `cached_price` of a fresh one (None: not
    known).
    """

    agent: str
    strategy: StrategyName | None
    budget: int
    keep_cycles: int
    min_saving: int = 0
    automatic: bool = False
    if_over: bool = False
    inbox: str = ""
    tickets: tuple[str, ...] = ()
    explain: bool = False
    cached: int = 0
    cached_price: float | None = None
    floor: float = 0.0


class UnfoldedError(NothingToDoError):
    """Say that a window stays as it is, and how many `tokens` it has."""

    def __init__(self, message: str, *, tokens: int) -> None:
        super().__init__(message)
        self.tokens = tokens


def it_fits(tokens: int, budget: int) -> UnfoldedError:
    """Return what is said of a window that is within its budget."""
    return UnfoldedError(f"nothing to fold: {tokens} of {budget} tokens", tokens=tokens)


def all_left(agent: str, *, tokens: int, young: int, ways: Sequence[str]) -> UnfoldedError:
    """Return what is said where no cycle may leave any more; `ways` are those out of it.

    `young` is how many cycles there are where none has left yet, else 0.
    """
    out = f"; {', or '.join(ways)}" if ways else ""
    what = (
        f"{agent} has {counted(young, 'cycle')} so far, and the newest stay whole"
        if young
        else f"Every cycle of {agent} that may leave its window has left it"
    )
    return UnfoldedError(f"{what}{out}.", tokens=tokens)


ANCHOR_SHARE = 0.4
"""Anchors are promised at most this share of the room for text; they may take what lines leave."""
FEW_TOKENS = 800
"""Where that share has fewer tokens, they are promised up to these, and up to half of the room."""
LEAST_TEXT_SHARE = 0.3
"""Room for text where the last cycle alone exceeds the room; it is kept all the same (C3)."""
_MARGIN = 8
# Their lines are chosen from all that was said, decisions and promises among it.
_CHOOSING: frozenset[StrategyName] = frozenset({"anchored", "model"})


def plan_window(material: Material, options: PlanOptions, *, raised: bool = False) -> WindowPlan:
    """Return the window that would take the place of the present one, with its plan.

    The cheap step comes first: where nobody asked for more and clearing old tool results is enough,
    that is all. Else the strategy decides what becomes of the old cycles. With `raised` a budget in
    which system text and tools leave no room becomes the smallest that has some.

    Raises:
        NothingToDoError: no cycle would leave, or the window would not shrink.
        RefusedError: system text and tools alone leave no room for a summary, or fewer anchors
            than the floor would stay.
    """
    planning = _Planning(material, options)
    if raised:
        planning.raise_budget()
    planning.check()
    light = planning.lightened() if options.automatic else None
    return planning.planned(light or planning.folded())


Staying = dict[int, tuple[Stub, ...]]
"""The cycles that are sent, with their stubs."""


class _Window(NamedTuple):
    """A window that was decided on: its parts, and what the strategy said of it."""

    parts: Overlay
    staying: Staying
    draft: SummaryDraft
    measures: Measures


class _Planning:
    """What the steps of one plan share: the cycles as tiles, the room, the present size."""

    def __init__(self, material: Material, options: PlanOptions) -> None:
        self.material = material
        self.options = options
        self.count = material.count
        self.mask = partial(stubs_of, count=material.count, stored=material.findable)
        self.tiles = tiles(material.lived, material.base, through=material.through)
        self.lived = [tile for tile in self.tiles if tile.lived]
        self.strategy: StrategyName = options.strategy or "anchored"
        self.chosen: str | None = None
        if options.strategy is None:
            lived = [tile.lived for tile in self.lived if tile.lived]
            self.strategy, self.chosen = default_strategy(lived)
        # Each kind is rounded up by itself: a calibrated window may count a token more of each.
        self.rounding = len(KINDS) if material.calibration != 1 else 0
        self.room = self._room()
        self._facts: dict[tuple[int, int], Summary] = {}
        self.before = self._sizes(present_parts(self.tiles, material.base, material.first_sent))
        self.bare = self._text_tokens(self._covering({}, ())) if self.lived else 0
        self.recent: list[Tile] = []
        self.old: list[Tile] = []

    def _room(self) -> int:
        budget = self.options.budget - self.rounding
        return int(budget / self.material.calibration) - self.material.head

    def raise_budget(self) -> None:
        """Take the smallest budget that is not refused, where there is less; fold down to it."""
        if self.lived and self.options.budget < (least := self.least()):
            self.options = self.options._replace(budget=least, if_over=False)
            self.room = self._room()

    def _sent_now(self) -> Staying:
        first = self.material.first_sent
        return {tile.first: tile.stubs for tile in self.lived if tile.first >= first}

    def _sizes(self, parts: Overlay) -> dict[PartKind, int]:
        return tokens_by_kind(
            parts,
            head=self.material.head,
            count=self.count,
            calibration=self.material.calibration,
        )

    def _covering(
        self, staying: Staying, lines: Sequence[SummaryLine], draft: SummaryDraft | None = None
    ) -> Overlay:
        """Return the parts that cover all cycles."""
        strategy = (draft.strategy if draft else None) or self.strategy
        return tuple(
            covering_parts(
                self.tiles,
                staying,
                lines,
                strategy=strategy,
                count=self.count,
                facts=self._facts_of,
            )
        )

    def _facts_of(self, run: Sequence[Tile]) -> Summary:
        """Return what covers a run of tiles, which are the same whenever their ends are."""
        ends = run[0].first, run[-1].last
        if ends not in self._facts:
            self._facts[ends] = summary_of(run, (), strategy=self.strategy)
        return self._facts[ends]

    def _text_tokens(self, parts: Overlay) -> int:
        own = sum(part.tokens for part in parts if isinstance(part, Summary))
        return own + opening_tokens(parts, self.count)

    def check(self) -> None:
        """Choose the recent cycles; refuse what no plan can be made for."""
        if not self.lived:
            raise NothingToDoError(f"{self.options.agent} has no cycle that could be folded.")
        if self.options.if_over and self._fits(self.before):
            raise it_fits(sum(self.before.values()), self.options.budget)
        if self.bare + _MARGIN > self.room:
            raise RefusedError(
                f"System text and tools take {self.before['head']} of {self.options.budget} "
                f"tokens; a window needs at least {self.least()}: raise max_tokens, or --budget."
            )
        folded = max((tile.last for tile in self.tiles if tile.folded), default=0)
        self.recent = recent_tiles(
            [tile for tile in self.lived if tile.first > folded] or self.lived[-1:],
            keep=self.options.keep_cycles,
            room=self.room,
            spare=self.bare + _MARGIN,
            mask=self.mask,
        )
        self.old = self.lived[: len(self.lived) - len(self.recent)]
        if not self.old and not self._is_masked_anew() and self._fits(self.before):
            raise all_left(
                self.options.agent,
                tokens=sum(self.before.values()),
                young=0 if folded else len(self.lived),
                ways=self._ways(),
            )

    def _ways(self) -> list[str]:
        """Return what lets other cycles leave, or leave otherwise."""
        undo = ["mind compact undo first"] if self.material.base and self.material.stored else []
        return [*undo, "give a smaller --keep-cycles"] if self.recent else undo

    def least(self) -> int:
        """Return the smallest budget that is not refused."""
        needed = self.bare + _MARGIN + self.material.head
        return ceil(needed * self.material.calibration) + self.rounding

    def _is_masked_anew(self) -> bool:
        """Tell whether a result in the recent cycles is to be cleared."""
        now = {tile.first: tile.stubs for tile in self.lived}
        return any(tile.stubs != now[tile.first] for tile in self.recent)

    def _fits(self, sizes: dict[PartKind, int]) -> bool:
        return sum(sizes.values()) <= self.options.budget

    def lightened(self) -> _Window | None:
        """Return the window with only old results cleared, if that is enough and saves enough."""
        lighter = [masked_tile(tile, self.mask) for tile in self.old]
        staying = {tile.first: tile.stubs for tile in (*lighter, *self.recent)}
        lines = [line for tile in self.tiles if tile.folded for line in tile.folded.lines]
        written = [
            part for part in self.material.base if not isinstance(part, Kept | Masked | Summary)
        ]
        first = next((tile.folded for tile in self.tiles if tile.folded), None)
        wrote = first.strategy if first else None
        earlier = SummaryDraft(tuple(lines), frozenset(), {}, {}, strategy=wrote)
        parts = (*self._covering(staying, lines, earlier), *written)
        sizes = self._sizes(parts)
        if not self._fits(sizes) or self._saving(sizes) < max(1, self.options.min_saving):
            return None
        why = {tile.first: "its results were cleared" for tile in lighter if tile.stubs}
        draft = SummaryDraft(tuple(lines), frozenset(staying), {}, why, strategy="masked")
        lived = [tile.lived for tile in lighter if tile.lived]
        leaving = LeavingWords(
            said=(), sent=self._sent(staying), candidates=self._candidates(lived, Transcript(lived))
        )
        ending = self._closing(parts, leaving, 0)
        return _Window(parts, staying, draft, ending.measures)

    def _saving(self, after: dict[PartKind, int]) -> int:
        return sum(self.before.values()) - sum(after.values())

    def folded(self) -> _Window:
        """Return the window as the strategy wants it, fitted into the room."""
        lived = [tile.lived for tile in self.old if tile.lived]
        candidates = self._candidates([*lived, *self._cleared()], Transcript(lived))
        kept = sum(tile.tokens for tile in self.recent)
        text = max(self.room - kept, int(self.room * LEAST_TEXT_SHARE) if kept > self.room else 0)
        reserve = self._reserve(candidates, text - self.bare)
        draft = self._drafted(lived, max(0, text - self.bare - _MARGIN - reserve))
        staying = self._staying(draft, self.room - kept - self.bare)
        # Every gap between cycles that stay costs a heading, which may take what was spared.
        if self._spent(staying, draft) > text + kept:
            staying = {tile.first: tile.stubs for tile in self.recent}
        left = text + kept - self._spent(staying, draft)
        wanted = self._lines(draft, staying)
        room = max(0, left - reserve - _MARGIN)
        lines = fitted(wanted, room, self.count, staying=staying)
        if self.options.explain:
            leaving = [one for one in lived if one.cycle not in staying]
            draft = after_fitting(draft, wanted, lines, leaving)
        parts = self._covering(staying, lines, draft)
        left = text + kept - self._spent_on(parts)
        gone = LeavingWords(
            said=Transcript([one for one in lived if one.cycle not in staying]),
            sent=self._sent(staying),
            candidates=candidates,
            terms=earlier_terms(self.material.base),
            promised=self._promised(text - self.bare),
        )
        ending = self._closing(parts, gone, left)
        return _Window((*parts, *ending.parts), staying, draft, ending.measures)

    def _cleared(self) -> list[CycleInView]:
        return [
            tile.lived._replace(messages=cleared(tile.lived.messages, tile.stubs))
            for tile in self.recent
            if tile.lived and tile.stubs
        ]

    def _candidates(
        self, lived: Sequence[CycleInView], said: Iterable[SpokenWords]
    ) -> list[Anchor]:
        """Return what should stay word for word, the most important of each kind first."""
        through = max(1, self.material.through)
        open_now = [
            Anchor(kind="ticket", text=one_line(text), cycle=through, seq=0)
            for text in self.options.tickets
        ]
        found = anchors_of(lived, said)
        if self.strategy in _CHOOSING:
            found = [one for one in found if one.kind not in {"decision", "promise"}]
        return [*open_now, *ranked(found, earlier_anchors(self.material.base))]

    def _reserve(self, candidates: Sequence[Anchor], text: int) -> int:
        """Return the tokens that are set aside for anchors and pointer."""
        promised = pinned(candidates, self._promised(text), self.count)
        anchors = max(promised.tokens if promised else 0, tickets_tokens(candidates, self.count))
        return min(max(0, text), anchors + min(POINTER_TOKENS, text // 10))

    def _promised(self, text: int) -> int:
        """Return the tokens that anchors are promised at most, of those there are for text."""
        share = max(int(text * ANCHOR_SHARE), min(text // 2, FEW_TOKENS))
        return min(ANCHOR_TOKENS, share)

    def _spent(self, staying: Staying, draft: SummaryDraft) -> int:
        """Return the tokens of cycles that stay and of bare headings for the others."""
        return self._spent_on(self._covering(staying, (), draft))

    def _spent_on(self, parts: Overlay) -> int:
        """Return the tokens of parts that cover cycles."""
        whole = sum(part.tokens for part in parts if not isinstance(part, Summary))
        return self._text_tokens(parts) + whole

    def _drafted(self, lived: Sequence[CycleInView], room: int) -> SummaryDraft:
        """Ask the strategy what becomes of the old cycles."""
        task = CompactionTask(
            old=tuple(lived),
            folded=tuple(tile.folded for tile in self.tiles if tile.folded),
            room=room,
            inbox=self.options.inbox,
            count=self.count,
            embed=self.material.embed,
            write=self.material.write,
            prompt_tokens=self.material.prompt_tokens,
            stored=self.material.findable,
        )
        return STRATEGIES[self.strategy].draft(task)

    def _staying(self, draft: SummaryDraft, room: int) -> Staying:
        """Return the cycles that are sent with their stubs; of the old ones the newest that fit."""
        staying = {tile.first: tile.stubs for tile in self.recent}
        left = room
        for tile in reversed(self.old):
            if tile.first in draft.kept or tile.first in draft.stubs:
                wanted = tile._replace(stubs=draft.stubs.get(tile.first, ()))
                left -= wanted.tokens
                if left < 0:
                    break
                staying[tile.first] = wanted.stubs
        return staying

    def _lines(self, draft: SummaryDraft, staying: Staying) -> list[SummaryLine]:
        """Return the draft's lines, and one for each cycle that was to stay and does not fit.

        What files a cycle that leaves took in is said on a line of its own.
        """
        wanted = draft.kept | draft.stubs.keys()
        leaving = [tile.lived for tile in self.old if tile.lived and tile.first not in staying]
        cycles = {one.cycle for one in leaving}
        context = (
            context_of([tile.lived for tile in self.old if tile.lived])
            if not wanted.isdisjoint(cycles)
            else None
        )
        more = [
            line
            for one in leaving
            for line in (line_of(one, context) if one.cycle in wanted else None, files_in(one))
            if line is not None
        ]
        return (
            sorted([*draft.lines, *more], key=lambda line: line.cycle) if more else [*draft.lines]
        )

    def _sent(self, staying: Staying) -> list[Message]:
        """Return the messages of cycles that stay, as they will be sent."""
        return [
            stubbed(message, staying[tile.first])
            for tile in self.lived
            if tile.lived and tile.first in staying
            for message in tile.lived.messages
        ]

    def _closing(self, parts: Overlay, leaving: LeavingWords, room: int) -> AnchorsAndPointer:
        """Return anchors and pointer, as far as there is room, and what the window keeps."""
        return closing(parts, leaving, room=room, count=self.count, stored=self.material.findable)

    def planned(self, window: _Window) -> WindowPlan:
        """Return the plan of a window, if it is worth it."""
        after = self._sizes(window.parts)
        saving = self._saving(after)
        if saving <= 0 or (self._fits(self.before) and window.staying == self._sent_now()):
            raise UnfoldedError(self._unshrunk(), tokens=sum(self.before.values()))
        if self.options.automatic and saving < self.options.min_saving:
            raise NothingToDoError(
                f"It would save {saving} tokens, fewer than min_saving ({self.options.min_saving})."
            )
        if window.measures.anchors < self.options.floor:
            raise RefusedError(
                f"Of what should stay word for word the window has {window.measures.anchors:.3g}, "
                f"less than the floor of {self.options.floor:g}; raise --budget, or lower --floor."
            )
        reasons: tuple[Reason, ...] = ()
        if self.options.explain:
            reasons = reasons_of(window.parts, self.tiles, self.recent, window.draft.reasons)
        return WindowPlan(plan=self._header(window, after), parts=window.parts, reasons=reasons)

    def _unshrunk(self) -> str:
        if self._fits(self.before):
            return f"The window of {self.options.agent} would not shrink."
        return (
            f"The last cycle alone takes {ceil(self.lived[-1].tokens * self.material.calibration)} "
            f"of {self.options.budget} tokens and stays whole; raise max_tokens, or --budget."
        )

    def _header(self, window: _Window, after: dict[PartKind, int]) -> CompactionPlan:
        material, options = self.material, self.options
        before, total = sum(self.before.values()), sum(after.values())
        return CompactionPlan(
            agent=options.agent,
            strategy=self.strategy,
            budget=options.budget,
            keep_cycles=options.keep_cycles,
            through=material.through,
            head_seq=material.seq,
            head_sha256=material.sha256,
            base=material.name,
            tokenizer=material.tokenizer,
            calibration=material.calibration,
            sent_before=sent_ranges(self.tiles, since=material.first_sent),
            before=self.before,
            after=after,
            saving=before - total,
            min_saving=options.min_saving,
            cached=options.cached,
            pays_after=pays_after(
                before=before,
                after=total,
                head=after["head"],
                cached=options.cached,
                cached_price=options.cached_price,
            ),
            measures=window.measures,
            fallback=window.draft.fallback,
            chosen=self.chosen,
        )
