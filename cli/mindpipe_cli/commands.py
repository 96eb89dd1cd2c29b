"""The table of all commands: help, completion, man pages and lazy loading read it."""

from typing import NamedTuple


class Entry(NamedTuple):
    """One command at the top: its module, what it does, and its verbs if it is a group.

    A group that acts does something where no verb is named.
    """

    module: str
    summary: str
    verbs: tuple[str, ...] = ()
    acts: bool = False


COMMANDS: dict[str, Entry] = {
    "init": Entry("mindpipe_cli.init", "Make a store, if wished with a first agent."),
    "agent": Entry(
        "mindpipe_cli.agent",
        "Identities, instructions and settings of agents.",
        ("new", "list", "show", "set", "fork", "clearances"),
    ),
    "inbox": Entry(
        "mindpipe_cli.inbox",
        "The durable queue of events for one mind.",
        ("push", "list", "claim", "ack", "release", "extend", "dead", "redrive", "trust", "watch"),
    ),
    "space": Entry(
        "mindpipe_cli.space",
        "Places where several minds and humans talk.",
        ("new", "set", "list", "join", "leave", "members", "post", "read", "seen"),
    ),
    "goal": Entry(
        "mindpipe_cli.goal",
        "What an agent wants to reach.",
        ("add", "list", "set", "remove", "trust"),
    ),
    "note": Entry(
        "mindpipe_cli.note",
        "Key and value notes an agent keeps in view.",
        ("set", "get", "list", "delete", "trust"),
    ),
    "concern": Entry(
        "mindpipe_cli.concern",
        "What an agent attends to over time, and what has its focus.",
        ("add", "list", "set", "focus", "remove", "attend"),
    ),
    "plan": Entry(
        "mindpipe_cli.plan",
        "Cron, one-time and run-after plans.",
        ("add", "list", "due", "remove", "trust"),
    ),
    "memory": Entry(
        "mindpipe_cli.memory",
        "All that agents remember, whatever form it has.",
        ("add", "list", "show", "search", "archive", "revoke", "extract"),
    ),
    "reflection": Entry(
        "mindpipe_cli.reflection",
        "Summaries of periods, with the items that were read for them.",
        ("add", "list", "show", "make"),
    ),
    "lesson": Entry(
        "mindpipe_cli.lesson",
        "What to do when, and how it went.",
        ("add", "list", "show", "outcome"),
    ),
    "entity": Entry(
        "mindpipe_cli.entity",
        "Who and what has a name, and how they stand to each other.",
        ("add", "list", "show", "relate"),
    ),
    "observation": Entry(
        "mindpipe_cli.observation",
        "What an agent holds true, why, and what a person says to it.",
        (
            "list",
            "show",
            "history",
            "confirm",
            "correct",
            "pin",
            "revalidate",
            "decisions",
            "approve",
            "deny",
        ),
    ),
    "consolidate": Entry(
        "mindpipe_cli.consolidate", "Turn what is remembered into what is held true."
    ),
    "knowledge": Entry(
        "mindpipe_cli.knowledge",
        "Whether all that is held stands on what it says, and what looks odd in it.",
        ("verify", "audit", "marks"),
    ),
    "recall": Entry(
        "mindpipe_cli.recall",
        "Find again what was lived through, remembered or held true.",
        ("reindex", "embed"),
        acts=True,
    ),
    "observe": Entry(
        "mindpipe_cli.observe",
        "What happens outside becomes events: files, git, processes, services.",
        ("files", "git", "processes", "program", "http", "plans", "check"),
        acts=True,
    ),
    "think": Entry("mindpipe_cli.think", "One cycle of one agent: claim, ask, act, close."),
    "run": Entry(
        "mindpipe_cli.run",
        "A worker that stays and thinks whenever something is due.",
        ("mode", "timing", "list", "show", "cancel"),
        acts=True,
    ),
    "reflect": Entry(
        "mindpipe_cli.reflect",
        "Look back on iterations, on patterns over many, and on a day; filter.",
        ("list", "patterns", "undo", "day"),
        acts=True,
    ),
    "simulate": Entry(
        "mindpipe_cli.simulate",
        "A person's body, psyche and thoughts: one, or a hundred thousand.",
        ("new", "tick", "run", "validate", "plot"),
    ),
    "complete": Entry(
        "mindpipe_cli.complete", "Filter: one model request per line in, one response per line out."
    ),
    "salience": Entry(
        "mindpipe_cli.salience", "Filter: which changes of a person break into awareness."
    ),
    "feel": Entry(
        "mindpipe_cli.feel", "Filter: how a person's states are felt, and what is asked of them."
    ),
    "review": Entry(
        "mindpipe_cli.review", "The observer's notes on a person's recent thoughts; filter."
    ),
    "feedback": Entry(
        "mindpipe_cli.feedback",
        "Filter: what thoughts are labelled, and what that does to the body.",
    ),
    "context": Entry(
        "mindpipe_cli.context",
        "The exact prompt of a cycle, and how its window is divided.",
        ("show", "budget"),
    ),
    "history": Entry(
        "mindpipe_cli.history",
        "The append-only log of what an agent lived through.",
        ("show", "cycles", "search", "export", "import", "check", "verify", "trust"),
    ),
    "compact": Entry(
        "mindpipe_cli.compact",
        "Fold old cycles out of a window: at once, or by a plan to be read; filter.",
        ("plan", "diff", "apply", "undo", "list"),
        acts=True,
    ),
    "decide": Entry("mindpipe_cli.decide", "Judge what an agent proposes; filter."),
    "act": Entry("mindpipe_cli.act", "Do what is automatic or approved, queue the rest."),
    "decision": Entry(
        "mindpipe_cli.decision",
        "What agents propose, for a person to approve, reject or undo.",
        ("list", "show", "approve", "reject", "undo"),
    ),
    "task": Entry(
        "mindpipe_cli.task",
        "Work that others do for an agent.",
        ("add", "list", "show", "report", "cancel", "recover", "work"),
    ),
    "ticket": Entry(
        "mindpipe_cli.ticket",
        "Calls that wait for a person, and calls whose outcome is unknown.",
        ("list", "show", "approve", "deny", "settle"),
    ),
    "status": Entry("mindpipe_cli.status", "How agents stand, on one screen; live with --watch."),
    "metrics": Entry(
        "mindpipe_cli.metrics", "Figures of agents, for people and for monitoring systems."
    ),
    "alert": Entry(
        "mindpipe_cli.alert", "What is alarming about an agent, by rules.", ("check", "list")
    ),
    "models": Entry("mindpipe_cli.models", "Models, tokens and spend.", ("list", "count", "cost")),
    "store": Entry(
        "mindpipe_cli.store",
        "The file itself.",
        ("check", "migrate", "backup", "restore", "recover", "query", "export"),
    ),
    "bench": Entry(
        "mindpipe_cli.bench",
        "What mindpipe keeps, by fixed scorers over data beside the project.",
        ("compaction", "recall", "knowledge"),
    ),
    "config": Entry(
        "mindpipe_cli.config", "Settings and where each came from.", ("show", "check", "template")
    ),
    "schema": Entry("mindpipe_cli.schema", "The JSON Schema of any record."),
    "completion": Entry("mindpipe_cli.completion", "Shell completion for bash, zsh and fish."),
    "docs": Entry(
        "mindpipe_cli.docs", "Write or check what the program says of itself.", ("write", "check")
    ),
}


def every_command() -> list[tuple[str, ...]]:
    """Return the words of every command that does something, group by group."""
    return [
        words
        for name, entry in COMMANDS.items()
        for words in (
            *([(name,)] if entry.acts or not entry.verbs else []),
            *((name, verb) for verb in entry.verbs),
        )
    ]
