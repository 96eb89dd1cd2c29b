"""`mind concern`: what an agent attends to over time, and what has its focus."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, whole
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.engine.records.attention import AttentionRules, ConcernChange, ConcernStanding

F = TypeVar("F", bound=Callable[..., None])
Value = str | int | float | bool | tuple[str, ...] | None

_COLUMNS = ("name", "focus", "weight", "boost", "turns", "text")
_KINDS = {
    "source": "sources",
    "path": "paths",
    "space": "spaces",
    "sender": "senders",
    "type": "types",
    "keyword": "keywords",
    "entity": "entities",
}
"""What a concern may be about, by the word for one of them."""
_ATTENDED = ("concern", "focus", "events", "queue", "urgent", "relevant", "oldest_seconds")


def _saying(function: F) -> F:
    """Declare all that a concern says."""
    options = (
        click.option(
            "--about",
            "about",
            metavar="KIND:VALUE",
            multiple=True,
            help="What it is about: source:, path:, space:, sender:, type:, keyword: or entity:, "
            "e.g. path:notes/*.md; may be repeated.",
        ),
        click.option(
            "--share", type=click.FloatRange(0, 1), metavar="SHARE", help="Of iterations [0.1]."
        ),
        click.option(
            "--boost", type=click.IntRange(-10, 10), metavar="N", help="Of its events' score [0]."
        ),
        click.option("--every", type=whole(1), metavar="N", help="Its turn every N iterations."),
        click.option("--idle", metavar="DURATION", help="Its turn after so long idle: 90s, 5m."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@command("add", example="mind concern add --agent ava intake 'New files.' --about 'path:intake/*'")
@agent_option
@click.argument("name")
@click.argument("text", default="")
@_saying
def add(session: Session, agent: str, name: str, text: str, **fields: Value) -> None:
    """Give an agent the background concern NAME, of which TEXT says what it is.

    It is about the events that any --about names: of sources and paths that a pattern passes (*
    also passes /), of a space, sender or type, or in whose text words or a name stand. When all
    concerns have work, it gets its share of iterations; what one has no use for goes to the others.
    Events of no concern are the concern "others", which has what is left, 0.05 at least.
    """
    from mindpipe.engine.records.attention import Concern
    from mindpipe.engine.verbs import concern as concerns

    change = _change(text or None, fields, old=None)
    given = {
        key: value for key, value in msgspec.structs.asdict(change).items() if value is not None
    }
    made = Concern(agent=agent, name=name, **given)
    found = concerns.add(session.store, session.clock, concern=made, rules=_rules(session))
    session.write([found], columns=_COLUMNS)


@command("list", example="mind concern list --agent ava --table")
@agent_option
def list_(session: Session, agent: str) -> None:
    """Print an agent's concerns with their shares and turns, and "others" last."""
    from mindpipe.engine.verbs import concern as concerns

    found = concerns.list_(session.store, agent=agent, rules=_rules(session))
    session.write(found, columns=_COLUMNS)


@command("set", example="mind concern set --agent ava intake --share 0.2")
@agent_option
@click.argument("name")
@click.argument("text", required=False)
@_saying
def set_(session: Session, agent: str, name: str, text: str | None, **fields: Value) -> None:
    """Change the concern NAME; what is not named stays, and --about replaces all that it named."""
    from mindpipe.engine.verbs import concern as concerns

    rules = _rules(session)
    standing = concerns.list_(session.store, agent=agent, rules=rules)
    old = next((one for one in standing if one.name == name), None)
    change = _change(text, fields, old=old)
    found = concerns.set_(session.store, agent=agent, name=name, change=change, rules=rules)
    session.write([found], columns=_COLUMNS)


@command("focus", example="mind concern focus --agent ava book")
@agent_option
@click.argument("name", required=False)
@click.option("--none", "nothing", is_flag=True, help="Take the focus away.")
def focus(session: Session, agent: str, name: str | None, *, nothing: bool) -> None:
    """Give the focus to the concern NAME, or with --none to no concern.

    First what was done for the old focus is kept as a reflection (mind reflection list); then the
    agent is told of the new one, and how it left it. The focus has the share and the boost of
    attention.primary_share and attention.primary_boost. One that has it already is status 3.
    """
    from mindpipe.core.errors import UsageError
    from mindpipe.engine.verbs import concern as concerns

    if nothing == (name is not None):
        raise UsageError("name a concern, or give --none.")
    found = concerns.focus(session.store, session.clock, session.chance, agent=agent, name=name)
    session.write([] if found is None else [found], columns=("name", "focus", "since", "text"))


@command("remove", example="mind concern remove --agent ava intake")
@agent_option
@click.argument("name")
def remove(session: Session, agent: str, name: str) -> None:
    """Forget the concern NAME and print what it was; what was done under its focus is kept."""
    from mindpipe.engine.verbs import concern as concerns

    found = concerns.remove(session.store, session.clock, session.chance, agent=agent, name=name)
    session.write([found], columns=("name", "focus", "share", "boost", "text"))


@command("attend", example="mind concern attend --agent ava")
@agent_option
def attend(session: Session, agent: str) -> None:
    """Print what an agent's next iteration attends to; nothing is changed.

    Emergencies come first, then what has waited attention.longest_wait_seconds, then what is
    critical; else it is the turn of one concern, whose events have the highest score. The concern
    others has the events of no concern; consolidation is the program's own work in idle time.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.engine.verbs import concern as concerns
    from mindpipe.engine.worker import checkpoints
    from mindpipe.workers.records import Checkpoint

    known = agents.show(session.store, name=agent).name
    last = checkpoints.load_checkpoint(session.store, agent=known)
    found = concerns.attend(
        session.store,
        session.clock,
        agent=known,
        session=last or Checkpoint(agent=known, at=session.clock.now()),
        limits=_rules(session),
    )
    session.write([found], columns=_ATTENDED)


def _rules(session: Session) -> "AttentionRules":
    """Return what the settings say of attention."""
    from mindpipe.engine.worker_rules import attention_rules

    return attention_rules(session.settings)


def _change(
    text: str | None, fields: Mapping[str, Value], *, old: "ConcernStanding | None"
) -> "ConcernChange":
    """Return what options say of a concern; of the trigger of `old` stays what they do not name.

    Raises:
        UsageError: one of them cannot be kept.
    """
    from mindpipe.core.errors import UsageError
    from mindpipe.engine.records.attention import ConcernChange, ConcernTrigger
    from mindpipe.plans.schedule import parse_duration

    given = {key: value for key, value in fields.items() if value not in (None, ())}
    fired: dict[str, object] = {}
    if "every" in given:
        fired["every"] = given["every"]
    if "idle" in given:
        fired["idle_seconds"] = parse_duration(str(given["idle"]))
    if fired:
        fired = {**msgspec.to_builtins(old.trigger if old else ConcernTrigger()), **fired}
    change: dict[str, object] = {
        "text": text,
        "share": given.get("share"),
        "boost": given.get("boost"),
        "about": _about(given.get("about")),
        "trigger": fired or None,
    }
    try:
        return msgspec.convert(change, ConcernChange)
    except msgspec.ValidationError as fault:
        raise UsageError(f"the concern cannot be kept: {fault}") from None


def _about(said: Value) -> dict[str, list[str]] | None:
    """Return what a concern is about, or None where nothing is said; raises UsageError."""
    from mindpipe.core.errors import UsageError

    found: dict[str, list[str]] = {}
    for one in said if isinstance(said, tuple) else ():
        kind, colon, value = one.partition(":")
        if kind not in _KINDS or not colon or not value:
            raise UsageError(f'"{one}" is not KIND:VALUE, with KIND one of {", ".join(_KINDS)}.')
        found.setdefault(_KINDS[kind], []).append(value)
    return found or None


COMMAND = group("concern", add, list_, set_, focus, remove, attend)
