"""Promises 6 and 36: at every commit each history is valid, and each request can be made again."""

import contextlib
import itertools
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.core.errors import MindError
from mindpipe.core.failpoints import FAILPOINTS
from mindpipe.core.models import Target
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import context
from red import reply_before_results, time_in_the_system_text
from support.broken_builds import broken
from support.histories import ANTHROPIC, CHAT, PROGRAM, RESPONSES
from support.life import AGENT, TOOLS, KilledError, Life, MortalServerStore, MortalStore
from support.proofs import proved, turned_red
from support.scripted_model import MANY, PAUSES, PLAYS, TORN_PLAYS, Play, Scripted
from support.stores import WordTokens
from support.validation import Judge

SEED = 20261121
STATES = 500
PLAYS_OF_A_LIFE = 6
CHECKPOINT_PAGES = 1000
LIMITS = CycleLimits(turns=4)
THINKER = AgentChange(tools=TOOLS, thinking_tokens=2000)
SMALL = AgentChange(tools=TOOLS, max_tokens=60)
LITERAL = AgentChange(tools=TOOLS, refresh="system")
POINTS = [
    name
    for name in FAILPOINTS
    if name.split(".")[0] in {"claim", "reserve", "ask", "record", "store_tool", "fold"}
]
EVERY = {**PLAYS, **TORN_PLAYS}
# What shapes a reply stands before or between what is frozen and may change from turn to turn.
_NEWEST = "SELECT * FROM turn ORDER BY cycle DESC, turn DESC LIMIT 1"
_OPTIONS = re.compile(rb'"max_(output_)?tokens":\d+,|"thinking":\{[^}]*\},')


class Watch:
    """Look at the store after every commit, through a connection of its own."""

    def __init__(self, life: Life) -> None:
        self.judge = Judge(life.where)
        self.faults: list[str] = []
        self.requests = 0
        self._newest: list[tuple] = []
        self._ports = PromptPorts(self.judge.store, life.clock, life.chance, WordTokens())
        life.listen = self._listen

    def _listen(self, store: MortalStore) -> None:
        if isinstance(store, MortalServerStore):
            store.committed = self._look
        else:
            store.connection.set_wal_hook(self._hear)

    def _rows(self, sql: str) -> list[tuple]:
        with self.judge.store.read() as rows:
            return list(rows.each(tuple, sql))

    def _look(self) -> None:
        try:
            self.faults += self.judge.faults()
            newest = self._rows(_NEWEST)
            if newest != self._newest:
                self._newest = newest
                self._make_again([(cycle, turn) for _, cycle, turn, *_ in newest])
        except Exception as error:
            self.faults.append(repr(error))

    def _hear(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        self._look()
        # A hook takes the place of automatic checkpoints.
        if pages > CHECKPOINT_PAGES:
            connection.wal_checkpoint()
        return apsw.SQLITE_OK

    def _turns(self) -> list[tuple[int, int]]:
        sql = "SELECT cycle, turn FROM turn ORDER BY cycle, turn"
        return self._rows(sql)

    def _make_again(self, turns: Sequence[tuple[int, int]]) -> None:
        """Make requests again; one that gives other bytes raises."""
        for cycle, turn in turns:
            context.past(self._ports, agent=AGENT, cycle=cycle, turn=turn)
            self.requests += 1

    def folded(self) -> Iterator[tuple[int, bytes]]:
        """Yield segment and body of each request whose reply is in history, all made again."""
        self._make_again(self._turns())
        sql = (
            "SELECT t.cycle, t.turn, t.asked ->> '$.segment' FROM turn t JOIN message m "
            "ON m.cycle = t.cycle AND m.turn = t.turn AND m.role = 'assistant' AND m.synthetic = 0 "
            "WHERE t.state = 'folded' AND t.answer IS NOT NULL ORDER BY t.cycle, t.turn"
        )
        for cycle, turn, segment in self._rows(sql):
            shown = context.past(self._ports, agent=AGENT, cycle=cycle, turn=turn)
            yield segment, _OPTIONS.sub(b"", shown.request.body)

    def broken_prefixes(self) -> list[str]:
        """Return where a request does not begin with the one before it in its segment."""
        found: list[str] = []
        last: dict[int, bytes] = {}
        for segment, body in self.folded():
            before = last.get(segment)
            if before is not None and not _goes_on(before, body):
                found.append(f"segment {segment}: {body[-200:]!r} does not go on")
            last[segment] = body
        return found


def _goes_on(before: bytes, body: bytes) -> bool:
    """Tell whether a body begins with another one; a paused reply at its end may grow."""
    (*_, last) = json.loads(before).get("messages", [{}])
    paused = last.get("role") == "assistant"
    return body.startswith(before.removesuffix(b"]}").removesuffix(b"]}" if paused else b"") + b",")


@contextlib.contextmanager
def watched(folder: Path, change: AgentChange) -> Iterator[tuple[Life, Watch]]:
    """Give a life whose every commit is looked at."""
    life = Life(folder, change)
    watch = Watch(life)
    with contextlib.closing(watch.judge):
        yield life, watch


def live(life: Life, model: Scripted, names: Sequence[str], chance: random.Random) -> int:
    """Live the plays, every second one with a worker that is killed; return how many died."""
    died = 0
    for place, name in enumerate(names):
        life.push(f"play {name.replace(' ', '_')}")
        point = (chance.choice(POINTS), chance.choice((1, 1, 2)))
        dies = point if place % 2 else None
        for _ in range(2):
            try:
                with contextlib.suppress(MindError):
                    life.think(model, limits=LIMITS, dies=dies)
                break
            except KilledError:
                died, dies = died + 1, None
    return died


def named(plays: dict[str, Play]) -> dict[str, Play]:
    """Return plays under names of one word, as an event can ask for them."""
    return {name.replace(" ", "_"): play for name, play in plays.items()}


LIVES: dict[str, tuple[Target, AgentChange, dict[str, Play]]] = {
    "anthropic, thinking": (ANTHROPIC, THINKER, {**EVERY, **PAUSES}),
    "anthropic, small window": (ANTHROPIC, SMALL, {**EVERY, **PAUSES}),
    "chat": (CHAT, AgentChange(tools=TOOLS), {**EVERY, **MANY}),
    "responses": (RESPONSES, AgentChange(tools=TOOLS), EVERY),
    "program, state in the system text": (PROGRAM, LITERAL, PLAYS),
}


def tell(words: str) -> None:
    """Say what a run did; pytest shows it where the test fails."""
    sys.stdout.write(f"{words}\n")


def short_lives(names: list[str], chance: random.Random) -> Iterator[list[str]]:
    """Yield the plays of short lives that together play them all once, in an order of chance."""
    chance.shuffle(names)
    for at in range(0, len(names), PLAYS_OF_A_LIFE):
        yield ["works", *names[at : at + PLAYS_OF_A_LIFE]]


@pytest.mark.heavy
@pytest.mark.parametrize("part", [2, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", LIVES)
def test_every_commit_leaves_valid_histories_and_requests_that_can_be_made_again(
    name: str, part: int, tmp_path: Path
) -> None:
    tell(f"seed {SEED}")
    chance = random.Random(SEED)
    target, change, plays = LIVES[name]
    # Every second play in each life, so that all are played in some; the nightly tier plays all.
    played = list(plays)[list(LIVES).index(name) % part :: part]
    states = histories = requests = died = 0
    for number, names in enumerate(short_lives(played, chance)):
        with watched(tmp_path / str(number), change) as (life, watch):
            died += live(life, Scripted(target, named(plays)), names, chance)
            assert (names, watch.faults) == (names, [])
            assert (names, watch.broken_prefixes()) == (names, [])
            states, histories = states + watch.judge.states, histories + watch.judge.histories
            requests += watch.requests
    tell(f"{states} states, {histories} histories, {requests} requests, {died} killed")
    assert states >= STATES // len(LIVES)
    assert histories >= 20
    assert died >= 3
    assert requests >= states // 4
    proved(6, states=states, histories=histories, faults=0)
    proved(36, requests_made_again=requests, differing=0)


def pairs() -> list[object]:
    """Return every pair of models, each with one place to die in; the nightly tier has all."""
    kinds = (ANTHROPIC, CHAT, RESPONSES, PROGRAM)
    points = ("ask.after_reply", "record.after_commit", "turn.after_commit")
    every = list(itertools.product(kinds, kinds))
    return [
        pytest.param(
            *pair,
            point,
            id=f"{pair[0].api}, {pair[1].api}, {point}",
            marks=() if (place + number) % 3 == 0 and pair[0] is not pair[1] else pytest.mark.long,
        )
        for place, pair in enumerate(every)
        for number, point in enumerate(points)
    ]


@pytest.mark.parametrize(("first", "then", "point"), pairs())
def test_a_cycle_is_taken_up_by_any_model(
    first: Target, then: Target, point: str, tmp_path: Path
) -> None:
    with watched(tmp_path / "life", THINKER) as (life, watch):
        plays = named(PLAYS)
        life.push("play works")
        life.think(Scripted(first, plays))
        for passage in (1, 2):
            life.push("play works")
            with pytest.raises(KilledError):
                life.think(Scripted(first, plays), dies=(point, passage))
            assert life.think(Scripted(then, plays)).outcome == "done"
        assert watch.faults == []
        assert watch.broken_prefixes() == []


UNCHANGING = ["words", "greets", "only thinks", "words", "greets", "words"]


def segments_of(folder: Path) -> tuple[int, list[str]]:
    """Live what changes nothing, and return the number of segments and the faults."""
    with watched(folder, THINKER) as (life, watch):
        for name in UNCHANGING:
            life.push(f"play {name.replace(' ', '_')}")
            life.think(Scripted(ANTHROPIC, named(PLAYS)))
        count = life.value("SELECT count(*) FROM segment")
        assert isinstance(count, int)
        faults = watch.faults or watch.broken_prefixes()
        return count, faults


def test_a_life_in_which_nothing_changes_has_one_segment(tmp_path: Path) -> None:
    assert segments_of(tmp_path / "life") == (1, [])


def test_a_build_that_puts_the_time_into_the_system_text_begins_again_at_every_cycle(
    tmp_path: Path,
) -> None:
    with broken(time_in_the_system_text.PATCHES_WHEN_BUILT):
        segments, _ = segments_of(tmp_path / "life")
    assert segments == len(UNCHANGING)
    turned_red(36, "time_in_the_system_text", segments=segments)


def test_a_build_that_says_the_time_when_it_sends_gives_other_bytes(tmp_path: Path) -> None:
    with broken(time_in_the_system_text.PATCHES_WHEN_SENT):
        _, faults = segments_of(tmp_path / "life")
    assert "no longer gives the bytes that were sent" in faults[0]
    turned_red(36, "time_in_the_system_text", differing=len(faults))


def test_a_build_that_appends_a_reply_before_its_results_breaks_every_form(tmp_path: Path) -> None:
    with watched(tmp_path / "life", THINKER) as (life, watch), broken(reply_before_results.PATCHES):
        life.push("play works")
        life.think(Scripted(ANTHROPIC, named(PLAYS)))
    rules = {tuple(fault.split(" ")[1:3]) for fault in watch.faults}
    expected = {("anthropic", "A4"), ("openai-chat", "O3"), ("openai-responses", "R2")}
    assert rules >= {*expected, ("ai-sdk", "V6"), ("mindpipe", "H10")}
    turned_red(6, "reply_before_results", rules_broken=len(rules))
