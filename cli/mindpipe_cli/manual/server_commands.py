"""What of each command is the same on a server, what differs, and what is about files alone."""

from typing import Literal, NamedTuple

OnServer = Literal["same", "different", "refused"]


class ServerCommand(NamedTuple):
    """One command on a server: as on a file, with a difference, or refused with 69; and how."""

    name: str
    on_server: OnServer
    how: str = ""


def _rows(group: str, *verbs: str) -> tuple[ServerCommand, ...]:
    """Return commands of a group that are the same."""
    return tuple(ServerCommand(f"{group} {verb}".strip(), "same") for verb in verbs)


_CACHED = "it searches a private cache, which follows the server's log of changes"

SERVER_COMMANDS: tuple[ServerCommand, ...] = (
    *_rows("", "act", "ask", "compact", "complete", "completion", "consolidate", "decide"),
    *_rows("", "feedback", "feel", "help", "metrics", "observe", "reflect", "review"),
    *_rows("", "salience", "schema", "status", "think", "view"),
    ServerCommand(
        "chat", "different", "it makes no store: the owner of the database does so with mind init"
    ),
    ServerCommand("init", "different", "--page-checksums is refused: a server has its own"),
    ServerCommand("doctor", "different", "it also looks at the server's settings and load"),
    ServerCommand(
        "run",
        "different",
        "the worker of an agent may be on any machine, and those of --agents share the agents; a "
        "minute after one is gone, another continues",
    ),
    *_rows("run", "cancel", "list", "mode", "show", "timing"),
    ServerCommand("recall", "different", _CACHED),
    ServerCommand("recall embed", "different", _CACHED),
    ServerCommand("recall reindex", "different", "it rebuilds the private cache"),
    *_rows("agent", "clearances", "fork", "list", "new", "set", "show", "trust"),
    *_rows("alert", "check", "list"),
    *_rows(
        "bench", "compaction", "fleet", "knowledge", "lives", "populations", "recall", "thoughts"
    ),
    *_rows("compact", "apply", "diff", "list", "plan", "undo"),
    *_rows("concern", "add", "attend", "focus", "list", "remove", "set"),
    *_rows("config", "check", "show", "template"),
    *_rows("context", "budget", "show"),
    *_rows("decision", "approve", "list", "reject", "show", "undo"),
    *_rows("docs", "check", "write"),
    *_rows("entity", "add", "list", "relate", "show"),
    *_rows("goal", "add", "list", "remove", "set", "trust"),
    *_rows("history", "check", "cycles", "export", "import", "show", "trust", "verify"),
    ServerCommand("history search", "different", "it uses the server's own text search"),
    *_rows("inbox", "ack", "claim", "dead", "extend", "list", "push", "redrive", "release"),
    *_rows("inbox", "trust", "watch"),
    *_rows("knowledge", "audit", "marks", "verify"),
    *_rows("lesson", "add", "list", "outcome", "show"),
    *_rows("life", "diff", "export", "import", "replay", "rewind", "verify"),
    ServerCommand("life redact", "different", "it is for the owner, who may rewrite all tables"),
    ServerCommand("life fork", "different", "the fork is a file in the working folder"),
    *_rows("mcp", "serve"),
    *_rows("memory", "add", "archive", "extract", "list", "retract", "revoke", "show"),
    ServerCommand("memory search", "different", _CACHED),
    *_rows("models", "alias", "cost", "count", "fetch", "key", "list"),
    *_rows("note", "delete", "get", "list", "set", "trust"),
    *_rows("observation", "approve", "confirm", "correct", "decisions", "deny", "history"),
    *_rows("observation", "list", "pin", "revalidate", "show"),
    *_rows("observe", "check", "files", "git", "http", "plans", "processes", "program"),
    *_rows("plan", "add", "due", "list", "remove", "retry", "trust", "windows"),
    *_rows("plugin", "check", "list"),
    *_rows("reflect", "day", "list", "patterns", "undo"),
    *_rows("reflection", "add", "list", "make", "show"),
    *_rows("simulate", "export", "import", "new", "plot", "run", "stats", "talk", "tick"),
    *_rows("simulate", "validate"),
    *_rows("space", "join", "leave", "list", "members", "new", "post", "read", "seen", "set"),
    ServerCommand(
        "store check",
        "different",
        "it checks the server's settings (bad ones leave the status 0, where mind doctor ends with "
        "1), the schema and the invariants of the rows; it enters no RECOVERY",
    ),
    ServerCommand(
        "store migrate",
        "different",
        "it makes no copy first; older programs are refused from then on",
    ),
    ServerCommand("store backup", "different", "it is made by pg_dump, of this schema only"),
    ServerCommand("store restore", "refused", "it prints the command of pg_restore"),
    ServerCommand(
        "store recover", "refused", "a server recovers by itself; salvage is about pages of a file"
    ),
    ServerCommand(
        "store query",
        "different",
        "it takes PostgreSQL's SQL, and runs as the reader, for at most a minute",
    ),
    *_rows("store", "export", "move"),
    ServerCommand("store datasette", "refused", "Datasette reads SQLite's files"),
    ServerCommand("store roles", "different", "only for a server; for a file it ends with 69"),
    *_rows("task", "add", "cancel", "list", "recover", "report", "show", "work"),
    *_rows("ticket", "approve", "deny", "list", "review", "settle", "show"),
    *_rows("trace", "export"),
)
"""Every command, in the order of the manual."""
