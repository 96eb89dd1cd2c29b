"""What the verbs of a store promise, in memory; a seeded bug makes one rule of it wrong.

Every operation returns what a caller sees: a value, or the name of the error that is raised.
"""

from dataclasses import dataclass, field

ATTEMPTS, ALONE_AFTER = 5, 2
FENCED, ILLEGAL, REFUSED, BAD = "FencedError", "IllegalStateError", "RefusedError", "BadInputError"
BUSY, CAP, USAGE, NOTHING = "AgentHeldError", "CapReachedError", "UsageError", "NothingToDoError"
BUGS = {
    "inbox": (
        *("key_ignored", "claim_uncounted", "claim_of_held", "never_taken_over"),
        *("poison_in_company", "ack_unfenced", "release_counts", "release_waits_not"),
        *("extend_unfenced", "dead_while_held", "redrive_keeps_attempts", "epoch_stays"),
    ),
    "lease": ("lease_stolen", "lease_never_ends", "renewal_unfenced", "lease_of_all_released"),
    "money": ("cap_passed_by_one", "lost_is_free", "void_counts", "settled_twice"),
    "posts": ("held_is_visible", "drop_takes_all", "release_takes_all"),
    "plans": ("due_twice", "handed_over_lost"),
    "notes": ("note_kept", "goal_kept"),
}
"""By the part of a life that shows it: every bug that a model can have."""


@dataclass
class Event:
    """One event."""

    id: str
    text: str
    key: str | None
    priority: int
    state: str = "ready"
    attempts: int = 0
    epoch: int = 0
    ends: float = 0.0
    due: float = 0.0


@dataclass
class Post:
    """One post and who keeps it back, if anybody does."""

    id: str
    holder: str | None


@dataclass
class Model:
    """A store with one agent, as it should be; `bug` names the rule that is wrong."""

    bug: str = ""
    now: float = 0.0
    events: list[Event] = field(default_factory=list)
    owner: str | None = None
    epoch: int = 0
    ends: float = 0.0
    ledger: dict[str, tuple[str, int]] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    plans: dict[str, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    goals: list[str] = field(default_factory=list)

    def push(self, text: str, key: str | None, priority: int, made: str) -> object:
        """Push an event whose id, if it is a new one, will be `made`."""
        known = next((one for one in self.events if key is not None and one.key == key), None)
        if known is None or self.bug == "key_ignored":
            self.events.append(Event(made, text, key, priority))
            return False
        return True if known.text == text else BAD

    def claim(self, limit: int, seconds: float) -> list[str]:
        """Claim events."""
        while True:
            head = self._head(limit)
            used_up = [one for one in head if one.attempts >= ATTEMPTS]
            for one in used_up:
                one.state = "dead"
            if not used_up:
                break
        tried = [place for place, one in enumerate(head) if one.attempts >= ALONE_AFTER]
        if tried and self.bug != "poison_in_company":
            head = head[: max(tried[0], 1)]
        for one in head:
            one.state, one.ends = "leased", self.now + seconds
            one.epoch += self.bug != "epoch_stays"
            one.attempts += self.bug != "claim_uncounted"
        return [one.id for one in head]

    def _head(self, limit: int) -> list[Event]:
        found = [one for one in self.events if self._is_free(one)]
        return sorted(found, key=lambda one: one.priority)[:limit]

    def _is_free(self, event: Event) -> bool:
        if event.state == "leased":
            if self.bug == "claim_of_held":
                return True
            return event.ends <= self.now and self.bug != "never_taken_over"
        waits = event.due > self.now and self.bug != "release_waits_not"
        return event.state == "ready" and not waits

    def _held(self, place: int, epoch: int) -> Event | None:
        event = self.events[place]
        return event if event.state == "leased" and event.epoch == epoch else None

    def ack(self, place: int, epoch: int) -> str:
        """Make a claimed event done."""
        event = self._held(place, epoch)
        if event is None and self.bug == "ack_unfenced":
            event = self.events[place]
        if event is None:
            return FENCED
        event.state = "done"
        return "done"

    def release(self, place: int, epoch: int, *, clean: bool, wait: float | None) -> str:
        """Give a claimed event back."""
        event = self._held(place, epoch)
        if event is None:
            return FENCED
        event.state, event.due = "ready", self.now + (wait or 0.0)
        if clean and self.bug != "release_counts":
            event.attempts -= 1
        return "ready"

    def extend(self, place: int, epoch: int, seconds: float) -> str:
        """Let a claim end later."""
        event = self._held(place, epoch)
        if event is None:
            return "leased" if self.bug == "extend_unfenced" else FENCED
        event.ends = self.now + seconds
        return "leased"

    def dead(self, place: int, epoch: int | None) -> str:
        """Let an event die."""
        event = self.events[place]
        if epoch is not None and self._held(place, epoch) is None:
            return FENCED
        if epoch is None and event.state == "leased" and self.bug != "dead_while_held":
            return REFUSED
        if event.state in {"done", "dead"}:
            return ILLEGAL
        event.state = "dead"
        return "dead"

    def redrive(self) -> int:
        """Bring the dead back."""
        dead = [one for one in self.events if one.state == "dead"]
        for one in dead:
            one.state, one.due = "ready", 0.0
            if self.bug != "redrive_keeps_attempts":
                one.attempts = 0
        return len(dead)

    def acquire(self, owner: str, seconds: float) -> object:
        """Take the lease on the agent."""
        ended = self.ends <= self.now and self.bug != "lease_never_ends"
        held = self.owner is not None and not ended
        if held and owner != self.owner and self.bug != "lease_stolen":
            return BUSY
        self.epoch += not held
        self.owner, self.ends = owner, self.now + seconds
        return self.epoch

    def renew(self, owner: str, epoch: int, seconds: float) -> object:
        """Let the lease end later."""
        if (owner, epoch) != (self.owner, self.epoch):
            return None if self.bug == "renewal_unfenced" else FENCED
        self.ends = self.now + seconds
        return None

    def give_up(self, owner: str, epoch: int) -> object:
        """Release the lease."""
        if (owner, epoch) != (self.owner, self.epoch) and self.bug != "lease_of_all_released":
            return FENCED
        self.owner, self.ends = None, 0.0
        return None

    def spent(self) -> int:
        """Return what counts against the cap."""
        free = {"void": self.bug != "void_counts", "lost": self.bug == "lost_is_free"}
        return sum(micros for state, micros in self.ledger.values() if not free.get(state))

    def reserve(self, entry: str, micros: int, cap: int) -> object:
        """Reserve money."""
        if self.spent() + micros > cap + (self.bug == "cap_passed_by_one"):
            return CAP
        self.ledger[entry] = ("reserved", micros)
        return None

    def end(self, entry: str, state: str, micros: int) -> object:
        """Settle, lose or void a reservation."""
        was, reserved = self.ledger[entry]
        if was != "reserved" and self.bug != "settled_twice":
            return ILLEGAL
        self.ledger[entry] = (state, micros if state == "settled" else reserved)
        return None

    def post(self, made: str, holder: str | None) -> None:
        """Say something."""
        self.posts.append(Post(made, None if self.bug == "held_is_visible" else holder))

    def release_held(self, holder: str) -> int:
        """Make posts visible."""
        held = self._kept(holder, everybody=self.bug == "release_takes_all")
        for one in held:
            one.holder = None
        return len(held)

    def drop_held(self, holder: str) -> int:
        """Drop posts that nobody saw."""
        held = self._kept(holder, everybody=self.bug == "drop_takes_all")
        self.posts = [one for one in self.posts if one not in held]
        return len(held)

    def _kept(self, holder: str, *, everybody: bool) -> list[Post]:
        kept = [one for one in self.posts if one.holder is not None]
        return kept if everybody else [one for one in kept if one.holder == holder]

    def due(self, *, reader_leaves: bool) -> object:
        """Tell what is planned for now, or fail to."""
        come = sorted(title for title, at in self.plans.items() if at <= self.now)
        if not come:
            return NOTHING
        if reader_leaves and self.bug != "handed_over_lost":
            return "BrokenPipeError"
        if self.bug != "due_twice":
            for title in come:
                del self.plans[title]
        return "BrokenPipeError" if reader_leaves else come

    def forget(self, key: str) -> object:
        """Delete a note."""
        if key not in self.notes:
            return USAGE
        if self.bug != "note_kept":
            del self.notes[key]
        return None

    def drop_goal(self, place: int) -> None:
        """Remove a goal."""
        if self.bug != "goal_kept":
            del self.goals[place]
