"""Take events that others wrote as lines of JSON: check them, hand them on, answer afterwards."""

from collections.abc import Callable, Sequence

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.lines import AllOrNothing, BadLines
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.problems import Problem
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.content import record_at
from mindpipe.inbox.lines import check
from mindpipe.inbox.push_rules import LineRules, PushRules, read_receipts
from mindpipe.inbox.records import Bounds, Ceiling, EventDefaults, Receipt
from mindpipe.inbox.verbs.push import push
from mindpipe.observers.events import SOURCE

TakePieces = Callable[[Sequence[Batch], PushRules], list[Receipt]]
"""Take checked lines, all or none, and return their receipts."""
_CEILING = Ceiling(source=f"{SOURCE}*", priority=Priority.CRITICAL.value)


class ReportedBadLines:
    """Keep no bad line, but say of each what is wrong with it."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Say all that is wrong with one line."""
        for problem in problems:
            self._tell(f"rejected: {problem.line_of_text()}")

    def settle(self) -> None:
        """Go on."""


class LineTaker:
    """Check lines of one observer and hand them on as its events.

    Like all that is observed they are critical at most, as long as no ceiling says otherwise.
    """

    def __init__(
        self, take: TakePieces, *, bounds: Bounds, agent: str | None, observer: str
    ) -> None:
        self._take = take
        ceilings = (*bounds.ceilings, _CEILING)
        self._bounds = msgspec.structs.replace(bounds, ceilings=ceilings)
        self._agent = agent
        self._observer = observer

    def rules(self, *, key: str | None = None) -> LineRules:
        """Return what lines are held to; `key` is the one of a line that has none."""
        return LineRules(
            source=self._observer,
            given=EventDefaults(
                agent=self._agent, type="observation", source=f"{SOURCE}{self._observer}", key=key
            ),
            bounds=self._bounds,
            agent_needed=False,
        )

    def take(
        self, lines: Sequence[tuple[int, bytes]], *, key: str | None, bad_lines: BadLines | None
    ) -> list[Receipt]:
        """Hand on whole lines and return their receipts.

        Without `bad_lines` one bad line refuses all. With a `key`, line N without one has `key:N`.

        Raises:
            BadInputError: lines are no events, or their keys are those of other events.
            RefusedError: there is no room.
            UsageError: an agent is not known.
        """
        refusing = bad_lines or AllOrNothing()
        pieces = []
        for number, octets in lines:
            own = None if key is None else f"{key}:{number}"
            piece = check(number, octets, self.rules(key=own), refusing)
            if piece is not None:
                pieces.append(piece)
        refusing.settle()
        if not pieces:
            return []
        push_rules = PushRules(bounds=self._bounds, bad_lines=refusing, source=self._observer)
        return self._take(pieces, push_rules)


def into_store(store: Store, clock: Clock, chance: Chance) -> TakePieces:
    """Return what pushes lines into the inboxes of a store, all in one transaction."""

    def known(agent: str) -> None:
        agents.show(store, name=agent)

    def take(pieces: Sequence[Batch], push_rules: PushRules) -> list[Receipt]:
        kept: list[bytes] = []
        push_rules = msgspec.structs.replace(push_rules, known=known)
        agents = set[str]().union(*(piece.agents() for piece in pieces))
        push(
            store,
            clock,
            chance,
            pieces=pieces,
            agents=agents,
            push_rules=push_rules,
            keep=kept.append,
        )
        return read_receipts(b"".join(kept))

    return take


def onto_output(hand_over: Callable[[list[NewEvent]], object]) -> TakePieces:
    """Return what prints lines as events that mind inbox push reads."""

    def take(pieces: Sequence[Batch], _push_rules: PushRules) -> list[Receipt]:
        events = [
            msgspec.convert(_without_asked(record_at(piece, place)), NewEvent)
            for piece in pieces
            for place in range(piece.count)
        ]
        hand_over(events)
        return [Receipt(id=event.key or "", key=event.key or "") for event in events]

    return take


def _without_asked(said: dict[str, object]) -> dict[str, object]:
    """Return what a line says without what only rests in a store."""
    return {name: value for name, value in said.items() if name not in ("asked", "original")}
