"""The table of all commands: help, completion, man pages and lazy loading read it."""

from enum import StrEnum
from typing import NamedTuple

COMPLETING = "_MIND_COMPLETE"
"""The variable by which a shell asks what may follow on a command line."""


ELSEWHERE = dict.fromkeys(
    [(group, "remove") for group in ("memory", "lesson", "reflection", "entity")], "memory retract"
)
"""Which command does for some groups what other groups have a verb of this name for."""


class CommandGroup(StrEnum):
    """Under which heading help and manual list a command, in this order."""

    AGENTS = "Agents"
    LIFE = "A life"
    MEMORY = "Memory and belief"
    PERSONS = "Persons"
    FILTERS = "Filters"
    KEEPER = "The store and its keeper"


class Entry(NamedTuple):
    """One command at the top: its heading, module, domain, what it does, and its verbs if any.

    What the command does is a function of its verb's name in `verbs.py` of the domain, or in its
    `verbs` a file of the command's name; commands about the program itself have no domain. A
    command with verbs that acts does something where none of them is named.
    """

    group: CommandGroup
    module: str
    domain: str | None
    summary: str
    verbs: tuple[str, ...] = ()
    acts: bool = False


COMMANDS: dict[str, Entry] = {
    "init": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.init",
        "store",
        "Make a store, if wished with a first agent.",
    ),
    "agent": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.agent",
        "agents",
        "Identities, instructions and settings of agents.",
        ("new", "list", "show", "set", "fork", "trust", "clearances"),
    ),
    "life": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.life",
        "life",
        "One life as one file: carried, verified, lived again, forked, rewound, compared.",
        ("export", "import", "verify", "replay", "fork", "rewind", "redact", "diff"),
    ),
    "space": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.space",
        "spaces",
        "Places where several minds and humans talk.",
        ("new", "set", "list", "join", "leave", "members", "post", "read", "seen"),
    ),
    "inbox": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.inbox",
        "inbox",
        "The durable queue of events for one mind.",
        ("push", "list", "claim", "ack", "release", "extend", "dead", "redrive", "trust", "watch"),
    ),
    "plan": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.plan",
        "plans",
        "Plans by cron, at an instant, or after a while.",
        ("add", "list", "due", "windows", "retry", "remove", "trust"),
    ),
    "goal": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.goal",
        "agents",
        "What an agent wants to reach.",
        ("add", "list", "set", "remove", "trust"),
    ),
    "note": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.note",
        "agents",
        "Key and value notes an agent keeps in view.",
        ("set", "get", "list", "delete", "trust"),
    ),
    "concern": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.concern",
        "engine",
        "What an agent attends to over time, and what has its focus.",
        ("add", "list", "set", "focus", "remove", "attend"),
    ),
    "task": Entry(
        CommandGroup.AGENTS,
        "mindpipe_cli.task",
        "tasks",
        "Work that others do for an agent.",
        ("add", "list", "show", "report", "cancel", "recover", "work"),
    ),
    "think": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.think",
        "engine",
        "One cycle of one agent: claim, ask, act, close.",
    ),
    "ask": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.ask",
        "engine",
        "Say something to an agent and get its answer.",
    ),
    "chat": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.chat",
        None,
        "Talk with an agent or a person on a terminal.",
    ),
    "mcp": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.mcp",
        "mcp_server",
        "An agent's memory and inbox for MCP clients.",
        ("serve",),
    ),
    "run": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.run",
        "engine",
        "A worker that stays and thinks whenever something is due.",
        ("mode", "timing", "list", "show", "cancel"),
        acts=True,
    ),
    "history": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.history",
        "history",
        "The append-only log of what an agent lived through.",
        ("show", "cycles", "search", "export", "import", "check", "verify", "trust"),
    ),
    "ticket": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.ticket",
        "engine",
        "Calls that wait for a person, and calls whose outcome is unknown.",
        ("list", "show", "review", "approve", "deny", "settle"),
    ),
    "observe": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.observe",
        "observers",
        "What happens outside becomes events: files, git, processes, services.",
        ("files", "git", "processes", "program", "http", "plans", "check"),
        acts=True,
    ),
    "compact": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.compact",
        "compaction",
        "Fold old cycles out of a window: at once, or by a plan to be read; filter.",
        ("plan", "diff", "apply", "undo", "list"),
        acts=True,
    ),
    "context": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.context",
        "engine",
        "The exact prompt of a cycle, and how its window is divided.",
        ("show", "budget"),
    ),
    "decision": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.decision",
        "decisions",
        "What agents propose, for a person to approve, reject or undo.",
        ("list", "show", "approve", "reject", "undo"),
    ),
    "decide": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.decide",
        "decisions",
        "Judge what an agent proposes; filter.",
    ),
    "act": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.act",
        "engine",
        "Do what is automatic or approved, queue the rest.",
    ),
    "reflect": Entry(
        CommandGroup.LIFE,
        "mindpipe_cli.reflect",
        "engine",
        "Look back on iterations, on patterns over many, and on a day.",
        ("list", "patterns", "undo", "day"),
        acts=True,
    ),
    "memory": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.memory",
        "memory",
        "All that agents remember, whatever form it has.",
        ("add", "list", "show", "search", "archive", "retract", "revoke", "extract"),
    ),
    "recall": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.recall",
        "recall",
        "Find again what was lived through, remembered or held true.",
        ("reindex", "embed"),
        acts=True,
    ),
    "observation": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.observation",
        "knowledge",
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
        CommandGroup.MEMORY,
        "mindpipe_cli.consolidate",
        "knowledge",
        "Turn what is remembered into what is held true.",
    ),
    "reflection": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.reflection",
        "memory",
        "Summaries of periods, with the items that were read for them.",
        ("add", "list", "show", "make"),
    ),
    "lesson": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.lesson",
        "memory",
        "What to do when, and how it went.",
        ("add", "list", "show", "outcome"),
    ),
    "entity": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.entity",
        "memory",
        "Who and what has a name, and how they stand to each other.",
        ("add", "list", "show", "relate"),
    ),
    "knowledge": Entry(
        CommandGroup.MEMORY,
        "mindpipe_cli.knowledge",
        "knowledge",
        "Whether all that is held stands on what it says, and what looks odd in it.",
        ("verify", "audit", "marks"),
    ),
    "simulate": Entry(
        CommandGroup.PERSONS,
        "mindpipe_cli.simulate",
        "person",
        "A person's body, psyche and thoughts: one, or a million.",
        ("new", "tick", "run", "talk", "validate", "plot", "export", "import", "stats"),
    ),
    "complete": Entry(
        CommandGroup.FILTERS,
        "mindpipe_cli.complete",
        "providers",
        "Filter: one model request per line in, one response per line out.",
    ),
    "feel": Entry(
        CommandGroup.FILTERS,
        "mindpipe_cli.feel",
        "person",
        "Filter: how a person's states are felt, and what is asked of them.",
    ),
    "salience": Entry(
        CommandGroup.FILTERS,
        "mindpipe_cli.salience",
        "person",
        "Filter: which changes of a person break into awareness.",
    ),
    "feedback": Entry(
        CommandGroup.FILTERS,
        "mindpipe_cli.feedback",
        "person",
        "Filter: what thoughts are labelled, and what that does to the body.",
    ),
    "review": Entry(
        CommandGroup.FILTERS,
        "mindpipe_cli.review",
        "review",
        "The observer's notes on a person's recent thoughts; filter.",
    ),
    "status": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.status",
        "monitoring",
        "How agents stand, on one screen; live with --watch.",
    ),
    "view": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.view",
        "monitoring",
        "A life as one page: cycles, prompts, beliefs and their evidence.",
    ),
    "doctor": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.doctor",
        "monitoring",
        "What is wrong with a store, its agents, keys, disks and clocks, and what to do.",
    ),
    "store": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.store",
        "store",
        "The file, or the server's schema, itself.",
        (
            *("check", "migrate", "backup", "restore", "recover", "query", "export", "datasette"),
            "roles",
            "move",
        ),
    ),
    "config": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.config",
        None,
        "Settings and where each came from.",
        ("show", "check", "template"),
    ),
    "models": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.models",
        "spending",
        "Models, tokens and spend.",
        ("list", "count", "cost", "fetch", "key", "alias"),
    ),
    "alert": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.alert",
        "monitoring",
        "What is alarming about an agent, by rules.",
        ("check", "list"),
    ),
    "metrics": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.metrics",
        "monitoring",
        "Figures of agents, for people and for monitoring systems.",
    ),
    "trace": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.trace",
        "monitoring",
        "What agents lived through, for systems that collect traces.",
        ("export",),
    ),
    "plugin": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.plugin",
        None,
        "What other installed packages add.",
        ("list", "check"),
    ),
    "help": Entry(CommandGroup.KEEPER, "mindpipe_cli.help", None, "The manual, page by page."),
    "schema": Entry(
        CommandGroup.KEEPER, "mindpipe_cli.schema", None, "The JSON Schema of any record."
    ),
    "completion": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.completion",
        None,
        "Shell completion for bash, zsh and fish.",
    ),
    "bench": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.bench",
        None,
        "What mindpipe keeps, by fixed scorers over data beside it; what a machine carries.",
        ("compaction", "recall", "knowledge", "lives", "thoughts", "fleet", "populations"),
    ),
    "docs": Entry(
        CommandGroup.KEEPER,
        "mindpipe_cli.docs",
        None,
        "Write or check what the program says of itself.",
        ("write", "check"),
    ),
}
"""In the order of the groups; in each first what a newcomer needs first."""


def grouped() -> dict[CommandGroup, dict[str, Entry]]:
    """Return the table by headings, each with its commands in their order."""
    return {
        group: {name: entry for name, entry in COMMANDS.items() if entry.group is group}
        for group in CommandGroup
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
