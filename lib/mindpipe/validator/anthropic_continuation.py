"""Compares an Anthropic request with the recorded one before it: rules A18 to A21."""

from mindpipe.validator.anthropic import THINKING_BLOCKS, PlacedBlock, Run, read_runs
from mindpipe.validator.plain import Ledger, as_list, as_object, same
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding

_HEAD_FIELDS = ("system", "tools")


def check_anthropic_continuation(
    earlier_request: object, earlier_reply: object, later_request: object, *, profile: Profile
) -> list[Finding]:
    """Return what makes the thinking that the later request sends back unreadable or refused.

    A later request that sends no thinking back is bound by nothing and has no findings.
    """
    ledger = Ledger()
    earlier, later = as_object(earlier_request), as_object(later_request)
    content = as_object(earlier_reply).get("content")
    if profile.thinking == "none" or not isinstance(content, list | str):
        return ledger.findings
    reply = {"role": "assistant", "content": content}
    old = _runs_of([*as_list(earlier.get("messages")), reply])
    new = _runs_of(as_list(later.get("messages")))
    if not any(_thinking(run) for run in new):
        return ledger.findings
    if earlier.get("model") != later.get("model"):
        what = "another model than the recorded one: thinking it cannot read is dropped silently"
        ledger.note("model", what, rule="A20")
        return ledger.findings
    _Comparison(old, new, ledger).check(earlier, later)
    return ledger.findings


def _runs_of(messages: list[object]) -> list[Run]:
    return read_runs(messages, Ledger(), end_may_be_empty=True)


def _thinking(run: Run) -> list[PlacedBlock]:
    return [placed for placed in run.blocks if placed.kind in THINKING_BLOCKS]


def _others(run: Run) -> list[PlacedBlock]:
    return [placed for placed in run.blocks if placed.kind not in THINKING_BLOCKS]


def _same_blocks(old: list[PlacedBlock], new: list[PlacedBlock]) -> bool:
    return len(old) == len(new) and all(
        same(one.value, other.value) for one, other in zip(old, new, strict=True)
    )


def _first_path(run: Run) -> str:
    return f"messages[{run.messages[0]}]"


class _Comparison:
    """The recorded runs, ending with the reply, beside the runs of the later request."""

    def __init__(self, old: list[Run], new: list[Run], ledger: Ledger) -> None:
        self.old = old
        self.new = new
        self.ledger = ledger
        self.last_thinking = max(at for at, run in enumerate(new) if _thinking(run))

    def check(self, earlier: dict[str, object], later: dict[str, object]) -> None:
        """Report what changed, as a compaction if the messages in front were replaced."""
        place = self._find_reply()
        if place is not None:
            offset = len(self.old) - 1 - place
            first = self._first_kept(place, offset)
            in_front = self.new[first - 1].blocks if first > 0 else []
            if offset > 0 or any(block.kind == "compaction" for block in in_front):
                same_heads = self._same_heads(earlier, later)
                self._check_compaction(first, place, same_heads=same_heads)
                return
        self._check_head(earlier, later)
        self._check_messages()

    def _find_reply(self) -> int | None:
        """Return where the recorded reply stands in the later request, if it does.

        Its old place is tried first, then the others from the end.
        """
        home = len(self.old) - 1
        places = [home, *range(len(self.new) - 1, -1, -1)]
        fitting = (at for at in places if at < len(self.new) and self._fits(self.new[at]))
        return next(fitting, None)

    def _first_kept(self, place: int, offset: int) -> int:
        """Return the first of the runs before the reply that stand there as recorded."""
        first = place
        while first > 0 and first + offset > 0 and self._kept(first - 1, offset):
            first -= 1
        return first

    def _fits(self, run: Run) -> bool:
        reply = self.old[-1]
        spoken = _others(reply)
        return (
            run.role == reply.role and bool(spoken) and self._same_others(reply, run, latest=True)
        )

    def _same_heads(self, earlier: dict[str, object], later: dict[str, object]) -> bool:
        return all(_same_head(earlier.get(name), later.get(name)) for name in _HEAD_FIELDS)

    def _check_head(self, earlier: dict[str, object], later: dict[str, object]) -> None:
        """Report system text or tools that differ from the recorded ones (A20)."""
        for field in _HEAD_FIELDS:
            if not _same_head(earlier.get(field), later.get(field)):
                what = f"{field} differs from the recorded request; later thinking is bound to it"
                self._bound("A20", field, what, field=field)

    def _bound(self, rule: str, at: str, what: str, *, field: str | None = None) -> None:
        block = next(placed for run in self.new for placed in _thinking(run))
        says = (
            f"{block.dotted}: Invalid `signature` in `thinking` block. The block is bound to a "
            "different conversation. Remove the block, or set "
            '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block". …'
        )
        if field == "system":
            says += " The `system` prompt differs from the one this block was created with."
        self.ledger.add(rule, at, what, says=says)

    def _check_messages(self) -> None:
        """Report thinking that changed (A18, A19) and the first message that changed (A20)."""
        for position, (old, new) in enumerate(zip(self.old, self.new, strict=False)):
            latest = position == len(self.old) - 1
            unchanged = old.role == new.role and self._same_others(old, new, latest=latest)
            if not unchanged and position <= self.last_thinking:
                what = "the message differs from the recorded one; later thinking is bound to it"
                self._bound("A20", _first_path(new), what)
                return
            if unchanged and (latest or position <= self.last_thinking):
                self._check_thinking(old, new, latest=latest)

    def _same_others(self, old: Run, new: Run, *, latest: bool) -> bool:
        before, after = _others(old), _others(new)
        return _same_blocks(before, after[: len(before)] if latest else after)

    def _check_thinking(self, old: Run, new: Run, *, latest: bool) -> None:
        before, after = _thinking(old), _thinking(new)
        if latest:
            after = after[: len(before)]
        if len(before) != len(after):
            self._moved(new, "a recorded thinking block is left out or added", latest=latest)
            return
        texts = [placed.value for placed in before]
        for one, other in zip(before, after, strict=True):
            if same(one.value, other.value):
                continue
            if any(same(text, other.value) for text in texts):
                self._moved(new, "the thinking blocks stand in another order", latest=latest)
                return
            self._changed(one, other, latest=latest)
        if _pattern(old) != _pattern(new)[: len(old.blocks)] and _same_blocks(before, after):
            self._moved(new, "a thinking block stands at another place", latest=latest)

    def _moved(self, run: Run, what: str, *, latest: bool) -> None:
        if not latest:
            self._bound("A20", _first_path(run), what)
            return
        self.ledger.add("A18", _first_path(run), what, says=_not_modified(run.messages[0], 0))

    def _changed(self, one: PlacedBlock, other: PlacedBlock, *, latest: bool) -> None:
        sealed = ("type", "signature", "data")
        forged = any(not same(one.value.get(name), other.value.get(name)) for name in sealed)
        blank = not str(other.value.get("thinking") or "").strip()
        if latest and not forged:
            says = _not_modified(other.message, max(other.block, 0))
            self.ledger.add("A18", other.at, "the thinking text differs from the reply", says=says)
            return
        says = f"{other.dotted}: Invalid `signature` in `thinking` block"
        if blank and not forged:
            says = (
                f"{other.dotted}.thinking: each thinking block must contain non-whitespace thinking"
            )
        what = "the signature or the thinking under it differs from the recorded block"
        self.ledger.add("A19", other.at, what, says=says)

    def _check_compaction(self, first: int, place: int, *, same_heads: bool) -> None:
        """Report thinking kept behind a summary that the API did not write (A21)."""
        kept = [block for run in self.new[first : place + 1] for block in _thinking(run)]
        in_front = self.new[first - 1].blocks if first > 0 else []
        written = [at for at, block in enumerate(in_front) if block.kind == "compaction"]
        if written and same_heads and written[-1] == len(in_front) - 1:
            for position in range(first, place + 1):
                old = self.old[len(self.old) - 1 - place + position]
                self._check_thinking(old, self.new[position], latest=position == place)
            return
        if written:
            kept += [block for block in in_front if block.kind in THINKING_BLOCKS]
        if kept:
            what = "thinking is kept behind a cut or summary that was not the API's own"
            self._bound("A21", kept[0].at, what)

    def _kept(self, position: int, offset: int) -> bool:
        old, new = self.old[position + offset], self.new[position]
        return old.role == new.role and _same_blocks(_others(old), _others(new))


def _pattern(run: Run) -> list[bool]:
    return [placed.kind in THINKING_BLOCKS for placed in run.blocks]


def _same_head(one: object, other: object) -> bool:
    return same(_as_blocks(one), _as_blocks(other))


def _as_blocks(value: object) -> object:
    return [{"type": "text", "text": value}] if isinstance(value, str) else value or []


def _not_modified(message: int, block: int) -> str:
    return (
        f"messages.{message}.content.{block}: `thinking` or `redacted_thinking` blocks in the "
        "latest assistant message cannot be modified. These blocks must remain as they were in "
        "the original response."
    )
