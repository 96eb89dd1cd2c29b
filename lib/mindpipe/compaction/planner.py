"""Decide what stays in a window: pure, from what is sent now to the parts that would be."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.fitting import fitted
from mindpipe.compaction.folding import covering_parts
from mindpipe.compaction.records import (
    CompactionPlan,
    Kept,
    Masked,
    Measures,
    Overlay,
    PartKind,
    Reason,
    WindowPlan,
)
from mindpipe.compaction.sizing import pays_after, tokens_by_kind
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.compaction.task import PROMPT_TOKENS, Count, Draft, Embed, Lived, Task, Write
from mindpipe.compaction.tiling import Tile, sent_parts, sent_ranges, tiles
from mindpipe.core.errors import NothingToDoError, RefusedError

KEEP_SHARE = 0.7
"""The recent cycles that stay whole take at most this share of the room (messages.md C2)."""
BARE_TOKENS = 48
"""Room for the headings of a window; a budget without it is refused."""


class Material(NamedTuple):
    """What a plan is made from.

    `lived` are the closed cycles that the base window sends and all after it, oldest first, their
    messages as they are in the log; cycles that stand only in summaries of `base` are never among
    them. Where an older window was cut without a summary, cycles before `first_sent` are given too,
    but are not sent now. `head` are the tokens of system text and tools, as `count` (called
    `tokenizer`) counts; `calibration` is what the provider reported over that. `seq` and `sha256`
    are the end of the log, `through` its last closed cycle, `name` the base window's.
    """

    lived: tuple[Lived, ...]
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
    embed: Embed | None = None
    write: Write | None = None
    prompt_tokens: int = PROMPT_TOKENS


class Wish(NamedTuple):
    """What is wanted of a plan.

    `budget` are the tokens of the whole window as the provider counts, head included. `automatic`
    stops after the cheapest step that is enough, and does nothing where it would save fewer than
    `min_saving` tokens. `inbox` are the words that wait, `tickets` the open tickets, which are
    always named. `cached` tokens of the present prefix are in the provider's cache, where a token
    costs `cached_price` of a fresh one (None: not known).
    """

    agent: str
    strategy: StrategyName
    budget: int
    keep_cycles: int
    min_saving: int = 0
    automatic: bool = False
    inbox: str = ""
    tickets: tuple[str, ...] = ()
    explain: bool = False
    cached: int = 0
    cached_price: float | None = None


def plan_window(material: Material, wish: Wish) -> WindowPlan:
    """Return the window that would take the place of the present one, with its plan.

    Raises:
        NothingToDoError: no cycle would leave, or the window would not shrink.
        RefusedError: system text and tools alone leave no room for a summary.
    """
    planning = _Planning(material, wish)
    planning.check()
    recent = planning.recent()
    draft = planning.draft(recent)
    staying = {tile.first: tile.stubs for tile in planning.lived if tile.first in draft.kept}
    staying |= {tile.first: tile.stubs for tile in recent} | draft.stubs
    parts = covering_parts(
        planning.tiles,
        staying,
        draft.lines,
        strategy=draft.strategy or wish.strategy,
        count=material.count,
    )
    return planning.planned(tuple(parts), draft)


class _Planning:
    """What the steps of one plan share: the cycles as tiles, the room, the present size."""

    def __init__(self, material: Material, wish: Wish) -> None:
        self.material = material
        self.wish = wish
        self.tiles = tiles(material.lived, material.base, through=material.through)
        self.lived = [tile for tile in self.tiles if tile.lived]
        self.room = int(wish.budget / material.calibration) - material.head
        self.before = self._sizes((*self._sent_now(), *self._written_now()))

    def _sent_now(self) -> Overlay:
        """Return the parts of the cycles that are sent now."""
        return tuple(
            sent_parts(tile for tile in self.lived if tile.first >= self.material.first_sent)
        )

    def _written_now(self) -> Overlay:
        """Return the parts of the base window that are text."""
        return tuple(part for part in self.material.base if not isinstance(part, Kept | Masked))

    def _sizes(self, parts: Overlay) -> dict[PartKind, int]:
        """Return tokens by kind."""
        return tokens_by_kind(
            parts,
            head=self.material.head,
            count=self.material.count,
            calibration=self.material.calibration,
        )

    def check(self) -> None:
        """Refuse what no plan can be made for."""
        if not self.lived:
            raise NothingToDoError(f"{self.wish.agent} has no cycle that could be folded.")
        if self.room < BARE_TOKENS:
            raise RefusedError(
                f"System text and tools take {self.before['head']} of {self.wish.budget} tokens, "
                "which leaves no room for a window; raise max_tokens, or --budget."
            )

    def recent(self) -> list[Tile]:
        """Return the recent cycles that stay whole: at most the share of the room, at least one."""
        newest = self.lived[-self.wish.keep_cycles :] if self.wish.keep_cycles else []
        fitting, room = 0, int(self.room * KEEP_SHARE)
        for tile in reversed(newest):
            room -= tile.tokens
            if room < 0 and fitting:
                break
            fitting += 1
        return newest[len(newest) - fitting :]

    def draft(self, recent: Sequence[Tile]) -> Draft:
        """Ask the strategy what becomes of the old cycles, and fit its lines into the room."""
        old = self.lived[: len(self.lived) - len(recent)]
        if not old and sum(self.before.values()) <= self.wish.budget:
            raise NothingToDoError(
                f"Every cycle of {self.wish.agent} that may leave its window has left it."
            )
        room = max(0, self.room - sum(tile.tokens for tile in recent) - BARE_TOKENS)
        task = Task(
            old=tuple(tile.lived for tile in old if tile.lived),
            folded=tuple(tile.folded for tile in self.tiles if tile.folded),
            room=room,
            inbox=self.wish.inbox,
            count=self.material.count,
            embed=self.material.embed,
            write=self.material.write,
            prompt_tokens=self.material.prompt_tokens,
        )
        draft = STRATEGIES[self.wish.strategy].draft(task)
        room -= sum(tile.tokens for tile in old if tile.first in draft.kept | draft.stubs.keys())
        return draft._replace(lines=fitted(draft.lines, room, self.material.count))

    def planned(self, parts: Overlay, draft: Draft) -> WindowPlan:
        """Return the plan of a window, if it is worth it."""
        after = self._sizes(parts)
        saving = sum(self.before.values()) - sum(after.values())
        if saving <= 0:
            raise NothingToDoError(f"The window of {self.wish.agent} would not shrink.")
        if self.wish.automatic and saving < self.wish.min_saving:
            raise NothingToDoError(
                f"It would save {saving} tokens, fewer than min_saving ({self.wish.min_saving})."
            )
        plan = self._header(after, saving=saving, draft=draft)
        reasons = self._reasons(parts, draft) if self.wish.explain else ()
        return WindowPlan(plan=plan, parts=parts, reasons=reasons)

    def _header(self, after: dict[PartKind, int], *, saving: int, draft: Draft) -> CompactionPlan:
        """Return the record that heads a plan."""
        material, wish = self.material, self.wish
        return CompactionPlan(
            agent=wish.agent,
            strategy=wish.strategy,
            budget=wish.budget,
            keep_cycles=wish.keep_cycles,
            through=material.through,
            head_seq=material.seq,
            head_sha256=material.sha256,
            base=material.name,
            tokenizer=material.tokenizer,
            calibration=material.calibration,
            sent_before=sent_ranges(self.tiles, since=material.first_sent),
            before=self.before,
            after=after,
            saving=saving,
            min_saving=wish.min_saving,
            cached=wish.cached,
            pays_after=pays_after(
                cached=wish.cached,
                kept=sum(after.values()) - after["head"],
                saving=saving,
                cached_price=wish.cached_price,
            ),
            measures=Measures(anchors=1, grounded=1),
            fallback=draft.fallback,
        )

    def _reasons(self, parts: Overlay, draft: Draft) -> tuple[Reason, ...]:
        """Return where each cycle went and why."""
        return ()
