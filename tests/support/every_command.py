"""A walk over every command of `mind`, in a life whose every field holds the same words."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import click
import psycopg

from mindpipe.store.address import address_of
from mindpipe_cli.command import ActingGroup
from mindpipe_cli.commands import COMMANDS, every_command
from mindpipe_cli.root import LazyGroup
from support.command import NOW, Mind, looked_into

COMMAND_LINES = frozenset(map(" ".join, every_command()))
# What a store from elsewhere may hold where commands of today would refuse such words.
FIELDS = (
    *(("event", name) for name in ("source", "space", "sender", "key", "reason", "owner")),
    *(
        ("space", "title"),
        ("agent_run", "reason"),
        ("entity", "title"),
        ("cycle", "trigger"),
        ("cycle", "reason"),
    ),
    *(("ticket", "reason"), ("ticket", "args"), ("ticket", "tool"), ("segment", "reason")),
    *(("import", "name"), ("message", "origin"), ("plan", "title"), ("goal", "text")),
)
ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys
words = pathlib.Path("words").read_text()
request = json.load(sys.stdin)
now = [one for one in request["messages"] if one["cycle"] == request["messages"][-1]["cycle"]]
if "fail" in now[0]["parts"][0]["text"]:
    sys.exit(words)
calls = [("look", {"q": words}), ("pay", {"q": words})]
calls.append(("set_memory", {"key": "k", "value": words}))
calls.append((words, {"q": words}))
deed = {"kind": "deed", "tool": "look", "arguments": {"q": words}, "reason": words}
calls += [("propose", {**deed, "confidence": sure, "importance": 0.9}) for sure in (0.95, 0.6, 0.1)]
told = {"text": words, "tool_calls": [{"name": n, "arguments": a} for n, a in calls]}
print(json.dumps({"text": words} if now[-1]["role"] == "tool" else told))
"""
TOOL = """#!/usr/bin/env python3
import pathlib, sys
sys.stdout.write(pathlib.Path(sys.argv[-1]).read_text())
sys.stderr.write("to stderr")
"""


@dataclass(frozen=True)
class Step:
    """One command line, what it reads on stdin, and how it is called."""

    arguments: tuple[str, ...]
    stdin: bytes = b""

    @property
    def name(self) -> str:
        """Return the command without its options."""
        group, *rest = self.arguments
        return " ".join([group, *(word for word in rest[:1] if word in COMMANDS[group].verbs)])


def step(line: str, *more: str, stdin: bytes | str = b"") -> Step:
    """Return a step; the words of `line` come first."""
    octets = stdin.encode() if isinstance(stdin, str) else stdin
    return Step((*line.split(), *more), octets)


def declared_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, and what it is called."""

    def below(command: click.Command, *words: str) -> Iterator[tuple[str, click.Command]]:
        context = click.Context(command)
        if not isinstance(command, click.Group):
            yield " ".join(words), command
            return
        if isinstance(command, ActingGroup):
            yield " ".join(words), command
        for name in command.list_commands(context):
            if (verb := command.get_command(context, name)) is not None:
                yield from below(verb, *words, name)

    return below(LazyGroup("mind"))


def beginning(folder: Path, words: str) -> list[Step]:
    """Write the files of a life and return the steps that bring its words into the store."""
    (folder / "words").write_text(words)
    for name, text in (("answer", ANSWER), ("look", TOOL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o700)
    schema = {"type": "object"}
    tool = {"description": f"d {words}", "command": ["./look", "./words"], "input_schema": schema}
    tools = [{**tool, "name": "look", "effect": "pure"}, {**tool, "name": "pay"}]
    (folder / "tools.json").write_text(json.dumps(tools))
    (folder / "agent.json").write_text(json.dumps({"agent": {"name": "eva", "title": "E"}}))
    event = {"agent": "ava", "text": f"text {words}", "body": {"k": words, words[:100]: 1}}
    (folder / "talk.json").write_text(json.dumps({"messages": _talk(words)}))
    about = ("--description", words, "--instructions", words)
    lives = {"text": f"I live in Berlin. {words}", "speaker": "jo"}
    return [
        step("init"),
        step("agent new ava --tools full --model program:./answer --tool tools.json", *about),
        step("space new family"),
        step("space join family ava"),
        step("space join family husam --kind human"),
        step("space post family --as husam", words),
        step("goal add --agent ava goal"),
        step("note set --agent ava k", words),
        step("plan add --agent ava Title", words, "--cron", "0 9 * * *"),
        step("inbox push", stdin=json.dumps(event)),
        step("think --agent ava"),
        step("memory add --agent ava", stdin=json.dumps(lives)),
        step("consolidate --agent ava"),
        step("history import --agent ava --format openai-chat talk.json"),
        step("inbox push", stdin=json.dumps({**event, "text": f"fail {words}"})),
        step("inbox push", stdin=json.dumps(event)),
    ]


def _talk(words: str) -> list[dict[str, str]]:
    return [{"role": role, "content": words} for role in ("user", "assistant")]


def fill(store: Path, words: str) -> None:
    """Put the words where no command of today would; a column that allows none keeps its own."""
    connection = apsw.Connection(str(store))
    for table, column in FIELDS:
        with contextlib.suppress(apsw.ConstraintError):
            connection.execute(f'UPDATE "{table}" SET {column} = :words', {"words": words})
    connection.close()


def id_in(mind: Mind, sql: str) -> str:
    """Return the only cell that a statement gives, or a name that nothing has."""
    if server := mind.environment.get("MIND_STORE"):
        address = address_of(server)
        with psycopg.connect(address.server) as connection:
            connection.execute(f"SET search_path = {address.schema}".encode())
            return next((str(cell) for (cell,) in connection.execute(sql.encode())), "none")
    with looked_into(mind.folder) as store:
        return next((str(cell) for (cell,) in store.execute(sql)), "none")


def walk(mind: Mind, words: str) -> list[Step]:
    """Return every command at least once, those that show much in more than one shape."""
    rows = mind.run("history", "show", "--agent", "ava", "--json").stdout
    (mind.folder / "rows.jsonl").write_bytes(rows)
    odd = json.dumps({words[:40]: words}) + "\n"
    return [
        *_inbox(mind, words, odd),
        *_agents(words),
        *_observers(mind, words),
        *_spaces(mind, words, odd),
        *_intents(mind, words),
        *_attention(mind, words, odd),
        *_memories(words, odd),
        *_histories(mind, words, odd),
        *_windows(mind, words, odd),
        *_decisions(mind, words),
        *_proposals(mind, words, odd),
        *_persons(mind, words, odd),
        *_machinery(words),
    ]


def _inbox(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `inbox`."""
    event, other = _waiting(mind)
    return [
        *(step(f"inbox list --agent ava {shape}") for shape in ("--table", "--json", "--csv")),
        step("inbox watch --agent ava --timeout 0"),
        step("inbox push --agent ava", stdin=odd),
        step("inbox push --agent ava", words),
        step("inbox push --agent ava --table", stdin=json.dumps({"text": words, "key": "k1"})),
        step("inbox claim --agent ava --limit 1 --table"),
        *(step(f"inbox {verb} {event} --epoch 1") for verb in ("extend", "release")),
        step("inbox release", stdin=odd),
        step(f"inbox ack {event} --epoch 1"),
        step(f"inbox dead {other} --reason", words),
        step("inbox dead", words),
        step(f"inbox redrive {other}"),
    ]


def _waiting(mind: Mind) -> tuple[str, str]:
    """Return two events that wait."""
    sql = "SELECT id FROM event WHERE state = 'ready' LIMIT 1"
    return id_in(mind, sql), id_in(mind, f"{sql} OFFSET 1")


def _agents(words: str) -> list[Step]:
    """Return the walk over `agent`, `think` and `run`."""
    return [
        step("agent list"),
        step("agent show ava --json"),
        step("agent show", words),
        step("agent set ava --pause", words),
        step("think --agent ava"),
        step("agent set ava --unset paused"),
        step("agent fork ava bea"),
        step("agent new", words),
        *(step(f"think --agent ava{more}") for more in ("", " --dry-run", " --quiet")),
        step("think --agent-file agent.json --model program:./answer --dry-run"),
        step("ask --agent ava --as husam", words),
        step("chat --agent ava --as husam", stdin=f"{words}\n/note list\n"),
        step("inbox push --agent ava", "--text", words),
        step("run --agent ava --once --cycles 3"),
        step("run mode exploration --agent ava --reason", words),
        *(step(f"run mode --agent ava{more}") for more in ("", " --log", " --log --table")),
        step("run timing --agent ava --explain --table"),
    ]


def _observers(mind: Mind, words: str) -> list[Step]:
    """Return the walk over `observe`, with a file whose name has the words in it."""
    (mind.folder / "seen").mkdir(exist_ok=True)
    (mind.folder / "seen" / words.replace("/", "").replace("\0", "")[:60]).write_text(words)
    config = {
        "initial": "report",
        "observation_points": {"seen": [{"path": "seen/*", "observer": "Seen"}]},
        "git": [{"observer": "Repo", "path": "seen"}],
        "processes": [{"observer": "Build", "command": ["./look", words]}],
        "programs": [{"observer": "Sensor", "command": ["./look", "./words"]}],
    }
    (mind.folder / "observe.yaml").write_text(json.dumps(config))
    (mind.folder / "odd.yaml").write_text(json.dumps({words: words}))
    told = "--config observe.yaml --agent ava"
    return [
        step("observe check --config observe.yaml"),
        step("observe check --config odd.yaml"),
        step("observe check --config", words),
        step(f"observe files {told} --once --since-state seen.json"),
        step(f"observe files {told} --once --deliver --table"),
        step(f"observe git {told} --once"),
        step(f"observe processes {told} --since-state seen.json"),
        step(f"observe program {told} --once"),
        step("observe http --config observe.yaml"),
        step("observe plans --agent ava"),
        step("observe --agent ava"),
    ]


def _spaces(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `space`, and over the runs that begin there."""
    post = id_in(mind, "SELECT id FROM post LIMIT 1")
    run = id_in(mind, "SELECT id FROM agent_run LIMIT 1")
    return [
        step("space list"),
        step("space members family"),
        step("space read family"),
        step("space new", words),
        step("space join family", words, "--kind", "human"),
        step("space leave family", words),
        step("space post family --as husam --lines -", stdin=odd),
        step(f"space seen family ava {post}"),
        step("space set family --respond-limit 2 --name", words),
        step("run list --every"),
        step("run list --agent ava --every --table"),
        step(f"run show {run}"),
        step("run show", words),
        step(f"run cancel {run} --reason", words),
    ]


def _intents(mind: Mind, words: str) -> list[Step]:
    """Return the walk over `goal`, `note` and `plan`."""
    goal, plan = (id_in(mind, f"SELECT id FROM {name}") for name in ("goal", "plan"))
    return [
        step("goal add --agent ava", words),
        step("goal list --agent ava"),
        step(f"goal set --agent ava {goal} --standing done"),
        step(f"goal remove --agent ava {goal}"),
        step("note list --agent ava"),
        step("note get --agent ava k"),
        step("note get --agent ava", words),
        step("note set --agent ava k2", words),
        step("note delete --agent ava k2"),
        step("plan list --agent ava"),
        step("plan add --agent ava t", words, "--cron", words),
        step("plan due"),
        step("plan windows --agent ava"),
        step(f"plan retry {plan}"),
        step(f"plan remove {plan}"),
    ]


def _attention(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `concern` and `reflect`."""
    lived = {"agent": words[:40] or "x", "number": 1, "life": "", "at": NOW, "mode": "normal"}
    return [
        step("concern add --agent ava c Kant --about", f"keyword:{words[:100]}"),
        step("concern add --agent ava d", words),
        step("concern add --agent ava", words),
        *(step(f"concern list --agent ava{shape}") for shape in ("", " --table")),
        step("concern set --agent ava c --share 0.2 --about", f"sender:{words[:100]}"),
        step("concern focus --agent ava c"),
        step("concern focus --agent ava", words),
        *(step(f"concern attend --agent ava{shape}") for shape in ("", " --table")),
        step("concern remove --agent ava c"),
        *(step(f"reflect --agent ava{shape}") for shape in (" --table", "")),
        *(step("reflect --iterations -", stdin=one) for one in (json.dumps(lived), odd)),
        *(step(f"reflect {verb} --agent ava --table") for verb in ("list", "patterns", "day")),
        step("reflect undo", words),
    ]


def _memories(words: str, odd: str) -> list[Step]:
    """Return the walk over `memory`, `reflection`, `lesson` and `entity`."""
    said = {"text": words, "id": "i", "speaker": words[:40], "tags": [words[:40]]}
    told = {"text": words, "id": "r", "since": "2026-01-01", "until": "2027-01-01"}
    named = {"name": "Jo", "profile": words, "relations": [{"type": words[:40], "to": words[:40]}]}
    given = {"memory": said, "reflection": told, "lesson": {**said, "when": words}, "entity": named}
    del given["lesson"]["speaker"]
    shown = {"memory": "i", "reflection": "r", "lesson": "i", "entity": "jo"}
    return [
        *(step(f"{name} add --agent ava", stdin=json.dumps(one)) for name, one in given.items()),
        *(step(f"{name} add --agent ava", stdin=odd) for name in given),
        *(step(f"{name} list --agent ava{shape}") for name in given for shape in ("", " --table")),
        *(step(f"{name} show --agent ava {one}") for name, one in shown.items()),
        *(step(f"{name} show --agent ava", words) for name in shown),
        step("memory add --agent ava --text", words, "--key", words),
        step("memory search --agent ava", words),
        step("memory archive --agent ava --dry-run --below 1"),
        step("memory extract --agent ava"),
        *(step("memory extract --table", stdin=one) for one in (json.dumps(said), odd)),
        step("memory extract --model program:./answer", stdin=json.dumps(said)),
        step("reflection make --agent ava --since", words),
        step("lesson outcome --agent ava --went well i --note", words),
        step("entity relate --agent ava jo knows", words),
    ]


def _histories(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `complete`, `context` and `history`."""
    # A name as long as a file's may be, from the end of the words.
    odd_name = f"[red]{words[-60:].replace('/', '')}"
    talk = [{"role": "tool", "content": words, "tool_call_id": words}, {"role": "user"}]
    (mind.folder / odd_name).write_text(json.dumps({"messages": [*talk, *_talk(words)]}))
    request = {"messages": [{"role": "user", "parts": [{"type": "text", "text": words}]}]}
    return [
        step("complete --model program:./answer", stdin=json.dumps(request)),
        step("complete --model program:./answer", stdin=odd),
        step("context show --agent ava --cycle 1"),
        step("context show --agent ava --cycle 1 --table"),
        step("context show --agent ava --receipt"),
        step("context budget --agent ava"),
        step("context budget --agent ava --table"),
        *(step(f"history show --agent ava{shape}") for shape in ("", " --json", " --tsv")),
        step("history cycles --agent ava"),
        step("history search --agent ava text"),
        step("history export --agent ava --format claude-code"),
        step("history export --agent ava --format mindpipe --output out.jsonl"),
        step("history import --agent bea --format openai-chat", odd_name),
        step("history import --format openai-chat --repair", odd_name),
        step("complete --model program:./answer", odd_name),
        step("inbox push --agent ava", odd_name),
        step("history import --format openai-chat", stdin=odd),
        step("history check --for mindpipe rows.jsonl"),
        step("history check --for openai-chat", stdin=odd),
        step("history verify --agent ava"),
    ]


def _windows(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `compact`, and over what a window shows of a history."""
    ask = "--agent ava --keep-cycles 1 --explain"
    made = mind.run("compact", "plan", *ask.split(), "--json").stdout
    talk = json.dumps({"messages": [*_talk(words), *_talk(words), *_talk("more")]})
    return [
        *(step(f"compact plan {ask}{shape}") for shape in ("", " --table")),
        *(step(f"compact diff{shape}", stdin=made) for shape in ("", " --table", " --csv")),
        step("compact diff", stdin=odd),
        step("compact apply", stdin=made.replace(b'"agent":"ava"', b'"agent":"eva"', 1)),
        step("compact apply", stdin=made),
        step(f"compact {ask}"),
        step("compact list --agent ava --table"),
        *(step(f"history show --agent ava --window{shape}") for shape in ("", " --table")),
        step("history show --agent ava --covers 1"),
        step("history show --agent ava --covers", words),
        step("compact undo --agent ava"),
        step("compact --keep-cycles 1 --budget 500", stdin=talk),
        step("compact --keep-cycles 1 --budget 500 --strategy anchored --explain", stdin=talk),
        step("compact", stdin=odd),
    ]


def _decisions(mind: Mind, words: str) -> list[Step]:
    """Return the walk over `ticket` and over what a person trusts."""
    event = _waiting(mind)[0]
    ticket = id_in(mind, "SELECT id FROM ticket LIMIT 1")
    goal, plan = (id_in(mind, f"SELECT id FROM {name}") for name in ("goal", "plan"))
    return [
        *(step(f"ticket list --agent ava --every {shape}") for shape in ("--table", "--json")),
        step(f"ticket show {ticket}"),
        step("ticket show", words),
        step("ticket review --agent ava"),
        step(f"ticket approve {ticket} --hash", words),
        step(f"ticket settle {ticket} dismissed --by", words),
        step(f"ticket deny {ticket}"),
        step("inbox trust", event),
        step("inbox trust", words),
        step("note trust --agent ava k"),
        step(f"goal trust --agent ava {goal}"),
        step(f"plan trust --agent ava {plan}"),
        step("history trust --agent ava 1"),
        step("agent trust add ava", words),
        step("agent trust list ava"),
        step("agent clearances ava"),
        step("memory revoke --dry-run --source", words),
        step("memory retract --agent ava", words),
        *_beliefs(mind, words),
        *(step(f"recall --agent ava --explain{shape}", words) for shape in ("", " --table")),
        step("recall --agent ava --queries -", stdin=json.dumps({"id": "q", "query": words})),
        step("recall reindex"),
        step("recall embed --agent ava --model", words),
    ]


def _proposals(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `decide`, `act` and `decision`."""
    proposal = {"kind": "deed", "tool": words[:40] or "x", "confidence": 0.5, "reason": words}
    mind.run("decide", "--agent", "ava")
    mind.run("act", "--agent", "ava")
    waits = id_in(mind, "SELECT id FROM decision WHERE state='waiting' LIMIT 1")
    done = id_in(mind, "SELECT id FROM decision WHERE state='applied' LIMIT 1")
    seen, undone = _seen(mind, waits, "sha256"), _seen(mind, done, "undo_sha256")
    return [
        *(step(f"decide{shape}", stdin=json.dumps(proposal)) for shape in ("", " --table")),
        step("decide", stdin=odd),
        step("decide --agent ava"),
        *(step(f"decision list --every{shape}") for shape in (" --table", " --csv")),
        *(step(f"decision show {one}") for one in (waits, done)),
        step("decision show", words),
        step(f"decision approve {waits} --hash {seen} --args", words),
        step(
            f"decision approve {waits} --hash {seen} --args",
            json.dumps({"q": words}),
            "--reason",
            words,
        ),
        step(f"decision reject {waits} --by", words),
        step(f"decision undo {done} --hash {undone}"),
        step("act --agent ava --table"),
        *_tasks(mind, words),
    ]


def _seen(mind: Mind, decision: str, name: str) -> str:
    """Return a hash that is shown of a decision, or one of nothing."""
    shown = mind.run("decision", "show", decision).records()
    return next((one[name] for one in shown if name in one), "none")


def _tasks(mind: Mind, words: str) -> list[Step]:
    """Return the walk over `task`."""
    mind.run("task", "add", "--agent", "ava", "--worker", "program:./look", words)
    mind.run("act", "--agent", "ava")
    task = id_in(mind, "SELECT id FROM task LIMIT 1")
    return [
        step("task add --agent ava --worker program:./look", words),
        step("task add --agent ava --worker", words, words),
        step(f"task report {task} --checkpoint", words),
        step(f"task report {task} --progress 0.5 --checkpoint", json.dumps({"k": words})),
        step("task recover --agent ava --table"),
        step(f"task work {task} --sent 9"),
        step(f"task cancel {task} --reason", words),
        *(step(f"task list --every{shape}") for shape in (" --table", " --csv")),
        step(f"task show {task} --table"),
        step("task show", words),
    ]


def _beliefs(mind: Mind, words: str) -> list[Step]:
    """Return the walk over `observation` and `knowledge`."""
    held = id_in(mind, "SELECT id FROM observation LIMIT 1")
    known = mind.run("observation", "show", "--agent", "ava", held).stdout.replace(b"Berlin", b"B")
    return [
        *(step(f"observation list --agent ava{shape}") for shape in ("", " --table", " --tsv")),
        *(
            step(f"observation show --agent ava {held} --explain{shape}")
            for shape in ("", " --csv")
        ),
        step("observation show --agent ava", words),
        step("observation list --known -", stdin=known),
        step("observation list --known -", stdin=json.dumps({words[:40]: words})),
        step("observation list --agent ava --kind", words),
        step(f"observation history --agent ava {held} --table"),
        step(f"observation confirm --agent ava {held}", "--by", words),
        step(f"observation pin --agent ava {held} --by husam"),
        step(f"observation correct --agent ava {held}", words, "--summary", words),
        step("observation revalidate --agent ava --every"),
        step("observation revalidate --known -", stdin=known),
        *(step(f"observation decisions --agent ava{shape}") for shape in ("", " --table")),
        *(step(f"observation {verb} --agent ava", words) for verb in ("approve", "deny")),
        *(step(f"consolidate --agent ava --review{shape}") for shape in (" --table", "")),
        step("consolidate --now", NOW, stdin=json.dumps({"text": words, "speaker": "jo"})),
        step("consolidate --known", words),
        step("knowledge audit --agent ava --table"),
        step("knowledge verify --agent ava"),
        step("knowledge marks --agent ava --table"),
    ]


def _persons(mind: Mind, words: str, odd: str) -> list[Step]:
    """Return the walk over `simulate` and the filters over its lines."""
    made = mind.run("simulate", "new", "--name", words, "--id", "mara", "--at", "09:00").stdout
    happens = {"kind": "event", "type": "speech", "text": words, "from": words}
    events = mind.folder / "happens.jsonl"
    events.write_text(json.dumps(happens))
    events.chmod(0o600)
    thought = {"kind": "thought", "person": "mara", "t_us": 1, "content": words, "model": words}
    lines = made + json.dumps(thought).encode()
    spoken = "--events happens.jsonl --model program:./answer"
    filters = ("feel", "salience", "review", "feedback", "simulate plot")
    return [
        *(step(f"{name}{shape}", stdin=lines) for name in filters for shape in ("", " --table")),
        *(step(name, stdin=odd) for name in filters),
        step("simulate validate --group", words),
        *(step(f"simulate new --name {name}") for name in ("Mara", "Eve --table --store mind.db")),
        step("simulate new --name Mara --set", words),
        step("simulate tick --think --events happens.jsonl", stdin=made),
        step("simulate tick --table", stdin=made + odd.encode()),
        step("simulate tick --events", words, stdin=made),
        step(f"simulate run --until 09:01 {spoken} --table", stdin=made),
        step(f"simulate run --until 09:01 {spoken}", stdin=made),
        step("inbox push --agent eve --text", words),
        step("simulate run --person eve --until 1m --table"),
        step("simulate talk --person eve --as", words, stdin=odd.encode()),
        step("view -", stdin=lines),
        step("simulate export", words),
        step("simulate import", words, stdin=made),
        step("simulate tick --person", words),
        step("simulate stats", words),
        step("simulate tick --thinkers", words, stdin=made),
    ]


def _machinery(words: str) -> list[Step]:
    """Return the walk over `models`, `store` and what describes the program."""
    return [
        *(step(f"status --agent ava {shape}") for shape in ("--table", "--json")),
        *(step(f"doctor {shape}") for shape in ("--table", "--json")),
        step("view --agent ava"),
        *(step(f"metrics --agent ava {shape}") for shape in ("--table", "--prometheus")),
        *(step(f"trace export --agent ava {content}") for content in ("", "--content")),
        step("life export ava --output ava.life"),
        step("life verify ava.life"),
        step("life verify", stdin=words),
        step("life import ava.life"),
        step("life import", words),
        step("life replay ava.life --table"),
        step("life replay", words),
        step("life diff ava ava.life --table"),
        step("life diff ava", words),
        step("life fork ava --as", words),
        step("life fork ava --as eva"),
        step("life redact ava", stdin=words),
        step("life rewind ava --list --table"),
        step("life rewind ava --to 1"),
        step("life rewind ava --branch", words),
        step("alert check --agent ava"),
        step("alert list --agent ava --table"),
        step("models list"),
        step("models key set anthropic", stdin=words),
        step("models key list"),
        step("models key remove", words),
        step("models alias set", words, "program:./answer"),
        step("models alias set quick program:./answer"),
        step("models alias list"),
        step("models cost"),
        step("models count", stdin=words),
        step("models fetch", words),
        step("models fetch --from", words),
        step("store check"),
        step("store migrate"),
        step("store backup copy.db"),
        step("store datasette shown"),
        step("store backup", f"{words[:40]}.db".replace("/", "")),
        step(f"store restore copy.db --store new.db --accept-loss-since {NOW}"),
        step("store recover"),
        step("store roles"),
        step("store move --from copy.db --to moved.db"),
        step("store query", "SELECT text, sender FROM event"),
        step("store query", f"SELECT {words}"),
        step("store export event"),
        step("config show"),
        step("config check"),
        step("config template"),
        step("mcp serve", "--client", words),
        step("mcp serve --with-tool", words),
        step("mcp serve --agent", words),
        step("schema event"),
        step("schema", words),
        step("completion bash"),
        step("bench compaction --data", words),
        step("bench fleet --workers", words),
        step("bench knowledge --data", words),
        step("bench lives --data", words),
        step("bench populations --cluster", words),
        step("bench recall --data", words),
        step("bench thoughts --data", words),
        step("help inbox"),
        step("help", words),
        step("plugin list"),
        step("plugin check models", words),
        step("docs check"),
        step("docs write"),
    ]
