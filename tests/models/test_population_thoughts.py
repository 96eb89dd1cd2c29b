"""Some of a population think, within a budget, as they would alone; all the others as if not."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.errors import TemporaryError, UsageError
from mindpipe.io.clock import make_clock
from mindpipe.model_access import ModelCatalog, VoiceAccess
from mindpipe.person.calendar import DAY_US
from mindpipe.person.life.apart import ApartLives, ApartPart
from mindpipe.person.life.birth import Birth
from mindpipe.person.life.lives import PersonLines
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.shard_runner import Progress, ShardProcesses
from mindpipe.person.life.thinkers import sampled, taken
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.verbs import populations
from mindpipe.person.voice.budget import BudgetedSpeakers, PaidReply
from mindpipe.person.voice.models import Voices
from mindpipe.settings import Settings
from support.command import Mind
from support.loopback.asking import KEY
from support.loopback.provider import Provider
from support.populations import make_population

pytestmark = pytest.mark.heavy

pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
COUNT = 9
BEGIN_US, END_US = 8 * HOUR_US, 9 * HOUR_US
ANSWER = """#!/bin/sh
cat >/dev/null
echo asked >>calls
echo '{"text": "I cannot stop thinking about it. I hate this."}'
"""
EVENT = {
    "kind": "event",
    "person": "p000002",
    "at": "08:20",
    "type": "speech",
    "text": "You are late again.",
    "from": "Ada",
}
TICK = ("simulate", "tick", "city", "--to", "09:00")
THINK = ("--model", "program:./answer", "--max-model-calls", "999")


def _make(mind: Mind, *, shard: int = 4) -> None:
    make_population(mind.folder / "city", Birth(count=COUNT, seed=5), shard=shard, at_us=BEGIN_US)
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    (mind.folder / "happens.jsonl").write_text(json.dumps(EVENT) + "\n")


def _export(mind: Mind) -> list[bytes]:
    return list(populations.export(mind.folder / "city", None, read=True))


def _of(person: str, lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if b'"person":"%b"' % person.encode() in line]


def _calls(mind: Mind) -> int:
    calls = mind.folder / "calls"
    return len(calls.read_text().split()) if calls.exists() else 0


def test_a_sample_is_the_same_for_all_and_grows_by_others() -> None:
    assert sampled(10**6, 5, seed=7) == sampled(10**6, 5, seed=7)
    assert sampled(10**6, 5, seed=7) < sampled(10**6, 50, seed=7)
    assert sampled(10**6, 5, seed=8) != sampled(10**6, 5, seed=7)
    assert len(sampled(100, 99, seed=1)) == 99
    assert sampled(3, 5, seed=1) == {0, 1, 2}
    assert all(0 <= place < 100 for place in sampled(100, 50, seed=2))


def test_who_thinks_lives_as_on_lines_and_nobody_else_is_touched(mind: Mind) -> None:
    _make(mind)
    before = mind("simulate", "export", "city").stdout
    plain = mind("simulate", "tick", "--to", "09:00", stdin=before).stdout.splitlines()
    told = mind(*TICK, "--thinkers", "sample:2", "--events", "happens.jsonl", *THINK).stdout
    *thoughts, manifest = told.splitlines()
    assert json.loads(manifest)["t_us"] == END_US
    after = _export(mind)
    thinkers = {json.loads(line)["person"] for line in thoughts}
    assert len(thinkers) == 2
    assert _calls(mind) == sum(json.loads(line)["kind"] == "thought" for line in thoughts) > 4
    for number in range(1, COUNT + 1):
        person = f"p{number:06d}"
        if person not in thinkers and person != EVENT["person"]:
            assert _of(person, after) == _of(person, plain)
            continue
        alone = b"\n".join(_of(person, before.splitlines()))
        happens = ("--events", "happens.jsonl") if person == EVENT["person"] else ()
        voice = ("--think", "--model", "program:./answer") if person in thinkers else ()
        lived = mind("simulate", "tick", "--to", "09:00", *happens, *voice, stdin=alone).stdout
        mine = [line for line in lived.splitlines() if b'"kind":"event"' not in line]
        kinds = [json.loads(line)["kind"] for line in mine]
        assert _of(person, after) == [
            line for line, kind in zip(mine, kinds, strict=True) if kind in ("person", "state")
        ]
        assert sorted(_of(person, thoughts)) == sorted(
            line for line, kind in zip(mine, kinds, strict=True) if kind not in ("person", "state")
        )
    assert _of("p000002", after) != _of("p000002", plain)


@pytest.mark.parametrize(("shard", "jobs"), [(9, "1"), (2, "3")])
def test_shards_and_processes_change_no_thought(mind: Mind, shard: int, jobs: str) -> None:
    _make(mind, shard=4)
    asked = ("--thinkers", "sample:3", *THINK, "--every", "20m")
    whole = mind(*TICK, *asked).stdout.splitlines()[:-1]
    after, calls = _export(mind), _calls(mind)
    read = _readings(mind)
    (mind.folder / "city").rename(mind.folder / "first")
    _make(mind, shard=shard)
    assert mind(*TICK, *asked, "--jobs", jobs).stdout.splitlines()[:-1] == whole
    assert _export(mind) == after
    assert _calls(mind) == 2 * calls
    assert _readings(mind) == read
    assert not (mind.folder / "city" / "apart").exists()


def _readings(mind: Mind) -> list[dict]:
    pytest.importorskip("duckdb", reason="questions need the extra stats")
    asked = populations.StatsQuestion(sql="select * from readings order by t_us, person")
    folder = mind.folder / "city"
    with populations.stats(folder, asked, advance=lambda done, total: None) as answer:
        return list(answer.rows)


def test_what_is_read_is_how_those_are_who_think(mind: Mind) -> None:
    _make(mind)
    mind(*TICK, "--thinkers", "sample:2", *THINK, "--every", "20m")
    read = {row["person"]: row["arousal"] for row in _readings(mind) if row["t_us"] == END_US}
    states = [json.loads(line) for line in _export(mind)[1::2]]
    exported = {one["person"]: one["read"]["arousal"] for one in states}
    assert read == pytest.approx(exported, rel=1e-6)


def test_a_budget_of_calls_ends_thinking_and_not_living(mind: Mind) -> None:
    _make(mind)
    ran = mind(*TICK, "--thinkers", "sample:2", *THINK[:-1], "5")
    assert _calls(mind) == 5
    thoughts = [json.loads(line) for line in ran.stdout.splitlines()[:-1]]
    assert sum(one["kind"] == "thought" for one in thoughts) == 5
    assert not any(one["kind"] == "failure" for one in thoughts)
    assert "the budget was used up at 08:" in ran.words
    assert "after 5 calls: everybody lived on, and nobody thought." in ran.words
    assert {json.loads(line)["t_us"] for line in _export(mind)[1::2]} == {END_US}


def test_a_budget_of_money_holds_for_all_thinkers_together(mind: Mind, provider: Provider) -> None:
    _make(mind)
    mind.environment |= {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
    }
    asked = ("--thinkers", "sample:3", "--model", "anthropic/claude-haiku-4-5")
    refused = mind.run(*TICK, *asked)
    assert refused.status == UsageError.status
    assert "give --max-model-calls or --max-micros" in refused.words
    ran = mind(*TICK, *asked, "--max-micros", "20000")
    # Each counts as the most that it may cost: 1,024 tokens of output at 5 dollars a million.
    assert 2 <= len(provider.requests) <= 20_000 // 5_120
    assert f"after {len(provider.requests)} calls: everybody lived on" in ran.words


def test_whom_an_event_lets_think_thinks_from_then_on(mind: Mind) -> None:
    _make(mind)
    asked = ("--thinkers", "events", "--events", "happens.jsonl", *THINK[:-1])
    ran = mind(*TICK, *asked, "1")
    thoughts = [json.loads(line) for line in ran.stdout.splitlines()[:-1]]
    (thought,) = (one for one in thoughts if one["kind"] == "thought")
    assert (thought["person"], thought["t_us"] >= BEGIN_US + HOUR_US // 3) == ("p000002", True)
    assert _calls(mind) == 1


def test_who_hears_something_without_thinking_lives_as_on_lines(mind: Mind) -> None:
    _make(mind)
    before = mind("simulate", "export", "city", "--person", "p000002").stdout
    told = mind(*TICK, "--events", "happens.jsonl").stdout
    assert len(told.splitlines()) == 1
    lived = mind("simulate", "tick", "--to", "09:00", "--events", "happens.jsonl", stdin=before)
    assert mind("simulate", "export", "city", "--person", "p000002").stdout == lived.stdout


def test_thoughts_are_looked_back_on_in_the_next_tick(mind: Mind) -> None:
    _make(mind)
    before = mind("simulate", "export", "city").stdout
    asked = ("--thinkers", "sample:1", "--model", "composed")
    first = mind(*TICK, *asked).stdout.splitlines()[:-1]
    second = mind("simulate", "tick", "city", "--to", "11:00", *asked).stdout.splitlines()[:-1]
    (person,) = {json.loads(line)["person"] for line in (*first, *second)}
    alone = b"\n".join(_of(person, before.splitlines()))
    lived = mind("simulate", "tick", "--to", "09:00", "--think", stdin=alone).stdout
    lived = mind("simulate", "tick", "--to", "11:00", "--think", stdin=lived).stdout
    assert _of(person, _export(mind)) == [
        line for line in lived.splitlines() if json.loads(line)["kind"] in ("person", "state")
    ]


def test_an_event_for_nobody_is_told_before_anybody_lives(mind: Mind) -> None:
    _make(mind)
    (mind.folder / "happens.jsonl").write_text(json.dumps({**EVENT, "person": "bob"}) + "\n")
    before = _export(mind)
    ran = mind.run(*TICK, "--events", "happens.jsonl")
    assert ran.status == 65
    assert 'happens.jsonl:1: $.person: no person "bob"' in ran.words
    assert _export(mind) == before


class _Killed(Exception):
    """The end of a program in the middle of its work."""


class _Thinkers:
    """Those at three places, who ask a program until the program that they live in is killed.

    That comes after so many answers; within a budget of calls, before the answer is kept.
    """

    def __init__(self, mind: Mind, *, most: int, calls: int | None = None) -> None:
        self._folder, self._left, self._calls = mind.folder, most, calls

    def tell(self, words: str) -> None:
        raise AssertionError(words)

    def parts(self, lives: ApartLives) -> list[ApartPart]:
        environment = {"HOME": str(self._folder)}
        settings = Settings(options={}, environment=environment)
        clock = make_clock(None)

        def shop() -> ModelCatalog:
            return ModelCatalog(settings=settings, environment=environment, clock=clock)

        def keep(call: PaidReply) -> None:
            self._left -= not call.pending
            if self._left == 0 and self._calls:
                raise _Killed
            lives.pay(call)
            if self._left == 0:
                raise _Killed

        access = VoiceAccess(
            shop, record=None, cap=None, reserve=lambda micros: speaking.reserve(micros)
        )
        speaking = BudgetedSpeakers(
            Voices(access),
            model=f"program:{self._folder}/answer",
            most_calls=self._calls,
            paid=lives.paid(),
            keep=keep,
        )
        self.speaking = speaking
        octets = [line.octets for line in taken(lives.folder, lives.manifest, places={0, 4, 8})]
        some = PersonLines(octets[::2], octets[1::2], {}, {})
        return [ApartPart(some, speaking)]


class _Dying(ShardProcesses):
    """Processes that die after one shard."""

    def run(self, folder: PopulationFolder, manifest: PopulationManifest) -> Iterator[Progress]:
        """Bring one shard to its end."""
        yield next(super().run(folder, manifest))
        raise TemporaryError("a process ended.")


def _tick(
    folder: Path,
    apart: _Thinkers | None,
    runner: ShardProcesses,
    *,
    to_us: int = END_US,
    every_us: int | None = None,
) -> None:
    populations.tick(
        folder,
        to_us=to_us,
        dt_us=0,
        runner=runner,
        advance=lambda done, total: None,
        apart=apart,
        every_us=every_us,
    )


@pytest.mark.parametrize("answer", [ANSWER, "#!/bin/sh\necho asked >>calls\nexit 3\n"])
def test_calls_that_were_under_way_when_a_tick_was_killed_or_failed_are_in_the_budget(
    mind: Mind, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.chdir(mind.folder)
    _make(mind)
    (mind.folder / "answer").write_text(answer)
    folder, processes = mind.folder / "city", ShardProcesses(1)
    for most in (1, 2, 1):
        with pytest.raises(_Killed):
            _tick(folder, _Thinkers(mind, most=most, calls=5), processes)
    last = _Thinkers(mind, most=DAY_US, calls=5)
    _tick(folder, last, processes)
    assert _calls(mind) == last.speaking.calls == 5
    assert last.speaking.ended_us is not None


def test_a_tick_that_was_killed_behind_its_end_leaves_nothing_to_the_next(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mind.folder)
    processes, then_us = ShardProcesses(1), END_US + HOUR_US // 2
    ends = []
    for kill in (False, True):
        _make(mind)
        folder = mind.folder / "city"
        with monkeypatch.context() as patched, contextlib.suppress(_Killed):
            if kill:
                patched.setattr(ApartLives, "clear", _killed)
            _tick(folder, _Thinkers(mind, most=DAY_US), processes, every_us=HOUR_US // 3)
        assert (folder / "apart").exists() == kill
        assert PopulationFolder(folder).manifest().to_us is None
        paid = _Thinkers(mind, most=DAY_US)
        _tick(folder, paid, processes, to_us=then_us, every_us=HOUR_US // 3)
        ends.append((paid.speaking.calls, _export(mind), _readings(mind)))
        assert not (folder / "apart").exists()
        folder.rename(mind.folder / f"ended {kill}")
    assert ends[0] == ends[1]


def _killed(_lives: ApartLives) -> None:
    raise _Killed


def test_a_tick_that_was_killed_pays_for_no_call_twice(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mind.folder)
    _make(mind)
    folder, processes = mind.folder / "city", ShardProcesses(1)
    _tick(folder, _Thinkers(mind, most=DAY_US), processes)
    calls, whole = _calls(mind), _export(mind)
    folder.rename(mind.folder / "first")
    (mind.folder / "calls").unlink()
    _make(mind)
    for most in (2, 3):
        with pytest.raises(_Killed):
            _tick(folder, _Thinkers(mind, most=most), processes)
    assert _calls(mind) == 5 < calls
    with pytest.raises(UsageError, match="give its --thinkers and --events again"):
        _tick(folder, None, processes)
    with pytest.raises(TemporaryError):
        _tick(folder, _Thinkers(mind, most=DAY_US), _Dying(1))
    assert _calls(mind) == calls
    _tick(folder, None, processes)
    assert _calls(mind) == calls
    assert _export(mind) == whole
    assert not (folder / "apart").exists()
    first = mind.folder / "first" / "thoughts" / f"{END_US}.jsonl"
    assert (folder / "thoughts" / first.name).read_bytes() == first.read_bytes()
