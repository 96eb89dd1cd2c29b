"""Recorded dialogues run as spaces: people and several agents at once, each with its timeline."""

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.context.records import ShownPrompt
from mindpipe.context.turns import heard, turned
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Role, text_of
from mindpipe.engine.verbs import context
from mindpipe.history.verbs import cycles
from mindpipe.io.chance import make_chance
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Post
from mindpipe.store.access import open_store
from mindpipe.store.sqlite import SqliteStore
from support.command import Mind
from support.development_data import DATA, dialogues, line_of
from support.fakes import FixedClock
from support.processes import Nursery
from support.stores import WordTokens
from support.validation import refusals

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_file(), reason=f"no development data at {DATA}"),
]

AGENTS = ("ava", "bea", "cem")
ROUNDS, GROUP, MOST_CYCLES = 3, 18, 60
WHOLE = 30
NOTHING_DUE = 3
# It answers the people where one of them asks something, and never another agent.
MODEL = r"""#!/usr/bin/env python3
import json, re, sys

request = json.load(sys.stdin)
messages = request["messages"]
opening = next(one for one in messages if one["cycle"] == messages[-1]["cycle"])
asked = re.findall(r'\(human\)\] \[msg:(\w+)\].*\?"  \[NEW\]', opening["parts"][-1]["text"])
if asked and messages[-1]["role"] != "tool":
    arguments = {"text": f"{len(asked)} questions: I do not know.", "message_id": asked[-1]}
    print(json.dumps({"tool_calls": [{"name": "send_message", "arguments": arguments}]}))
else:
    print(json.dumps({"tool_calls": [{"name": "done", "arguments": {"summary": "Listened."}}]}))
"""


def test_dialogues_are_lived_in_spaces_by_several_agents_at_once(
    mind: Mind, tmp_path: Path
) -> None:
    told = [turns[: ROUNDS * GROUP] for turns in dialogues()]
    assert len(told) > 2
    (mind.folder / "answer").write_text(MODEL)
    (mind.folder / "answer").chmod(0o700)
    (mind.folder / "mind.toml").write_text(f"[context]\nspace_messages = {WHOLE}\n")
    with contextlib.closing(Nursery(mind.folder)) as nursery:
        settle(nursery, told)
        for first in range(0, ROUNDS * GROUP, GROUP):
            for number, turns in enumerate(told):
                lines = mind.folder / "lines.jsonl"
                lines.write_text("".join(map(line_of, turns[first : first + GROUP])))
                nursery.run("space", "post", f"home{number}", "--lines", str(lines))
            live(nursery, tmp_path / "out")
        for agent in AGENTS:
            nursery.run("history", "verify", "--agent", agent)
            nursery.run("history", "check", "--agent", agent)
    with contextlib.closing(open_store(mind.folder / "mind.db", read_only=True)) as store:
        said = [spaces.read(store, space=f"home{n}", limit=1000) for n in range(len(told))]
        answers = sum(post.sender in AGENTS for posts in said for post in posts)
        assert answers >= len(AGENTS)
        for agent in AGENTS:
            check_prompts(store, agent, said)
            assert {space.unread for space in spaces.list_(store, member=agent)} == {0}


def settle(nursery: Nursery, told: list[list[dict[str, str]]]) -> None:
    """Make the agents, a space for each dialogue, and let everybody in."""
    nursery.run("init")
    for agent in AGENTS:
        nursery.run("agent", "new", agent, "--style", "timeline")
    for number, turns in enumerate(told):
        nursery.run("space", "new", f"home{number}")
        for agent in AGENTS:
            nursery.run("space", "join", f"home{number}", agent)
        for name in sorted({turn["speaker"] for turn in turns}):
            who = (name.lower(), "--kind", "human", "--name", name)
            nursery.run("space", "join", f"home{number}", *who)


def live(nursery: Nursery, out: Path) -> None:
    """Let all agents think side by side until nothing is due for any."""
    for cycle in range(MOST_CYCLES):
        born = [
            nursery.start(
                ("think", "--agent", agent, "--model", "program:./answer"),
                out.with_name(f"out-{agent}-{cycle}"),
                {},
            )
            for agent in AGENTS
        ]
        statuses = [one.status() for one in born]
        assert set(statuses) <= {0, NOTHING_DUE}, [one.words() for one in born]
        if set(statuses) == {NOTHING_DUE}:
            return
    raise AssertionError("there is always something due")


def check_prompts(store: SqliteStore, agent: str, said: list[list[Post]]) -> None:
    """Check every prompt of an agent: legal everywhere, of one space, each message taken up once.

    Failures are told as numbers, so that they print none of the words.
    """
    places = {post.id: post for posts in said for post in posts}
    taken: Counter[str] = Counter()
    for shown in requests(store, agent):
        conversation = shown.request.conversation
        assert refusals(conversation) == []
        lines = [turned(line) for line in shown.read.head.system.split("\n")]
        ids = [one.id for one in lines if one.id is not None]
        (space,) = {places[id].space for id in ids}
        assert f"(id: {space})  [auto-set from trigger]" in shown.read.head.system
        assert [places[id].seq for id in ids] == sorted(places[id].seq for id in ids)
        opening = {one.id for one in heard(text_of(shown.read.messages[0]))}
        assert shown.read.head.system.count("← TRIGGER") == 1
        assert len(set(ids) - opening) <= WHOLE
        roles = [one.role for one in conversation.messages if one.role is not Role.TOOL]
        assert all(one is not two for one, two in itertools.pairwise(roles))
        own = [text_of(one) for one in conversation.messages if one.synthetic]
        assert own == [
            places[id].text for id in ids if places[id].sender == agent and id not in opening
        ]
        if shown.turn == 1:
            taken.update(opening)
    others = {id for id, post in places.items() if post.sender != agent}
    assert set(taken) == others
    assert set(taken.values()) == {1}


def requests(store: SqliteStore, agent: str) -> Iterator[ShownPrompt]:
    """Yield every request of an agent, made anew from the rows: the bytes that were sent."""
    ports = PromptPorts(store, FixedClock(), make_chance(1), WordTokens())
    for lived in cycles.cycles(store, agent=agent):
        for turn in (1, 2):
            with contextlib.suppress(UsageError):
                yield context.past(ports, agent=agent, cycle=lived.cycle, turn=turn)
