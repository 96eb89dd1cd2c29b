"""What Datasette shows of a snapshot: titles, what columns hold and in what unit, facets, queries.

What is not named here is shown too, as it is; what only serves the program stands under its hidden
tables.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Columns = Mapping[str, Sequence[str]]
"""The columns of each table."""


class TablePage(NamedTuple):
    """How a table is shown: its title, what its rows are, its facets, and what comes first."""

    title: str
    rows: str
    facets: tuple[str, ...] = ()
    newest: str | None = None


_PAGES: dict[str, TablePage] = {
    "agent": TablePage("Agents", "Identities, with all their settings in body."),
    "cycle": TablePage(
        "Cycles",
        "Acts of thinking: what began each, how it ended, what it took.",
        ("agent", "outcome", "model", "trigger"),
        "cycle",
    ),
    "message": TablePage(
        "Messages",
        "The history: every message of every cycle, each with its link of the hash chain.",
        ("agent", "role", "origin", "taint"),
        "number",
    ),
    "turn": TablePage("Turns", "What a model was asked, and its answer.", ("agent", "state")),
    "call": TablePage(
        "Tool calls", "What tools were called with, and what came of it.", ("tool", "state")
    ),
    "ticket": TablePage(
        "Tickets",
        "Matters for a person: calls to approve, calls whose outcome is unknown, accounts.",
        ("agent", "kind", "state", "tool"),
        "created",
    ),
    "ledger": TablePage(
        "Ledger",
        "What each call of a model cost, or may have cost.",
        ("agent", "model", "day", "state", "purpose"),
        "at",
    ),
    "event": TablePage(
        "Inbox", "Events and what became of them.", ("agent", "state", "source", "type"), "seq"
    ),
    "segment": TablePage("Segments", "Runs of cycles under one frozen head.", ("agent", "reason")),
    "compaction": TablePage(
        "Compactions", "Changes of a window.", ("agent", "action", "strategy"), "at"
    ),
    "import": TablePage("Imports", "Documents that were taken into a history.", ("format",), "at"),
    "space": TablePage("Spaces", "Places where minds and humans talk."),
    "post": TablePage("Posts", "What was said in spaces.", ("space", "sender", "state"), "at"),
    "member": TablePage("Members", "Who is in which space.", ("space",)),
    "entity": TablePage("Names", "Who and what has a name that others see.", ("kind",)),
    "goal": TablePage("Goals", "What agents want to reach.", ("agent", "state")),
    "note": TablePage("Notes", "What agents keep in view.", ("agent",)),
    "plan": TablePage("Plans", "What is to happen when.", ("agent", "state")),
    "task": TablePage("Tasks", "Work that others do for an agent.", ("agent", "worker", "state")),
    "decision": TablePage("Decisions", "What agents propose.", ("agent", "state"), "created"),
    "agent_run": TablePage("Trigger runs", "Reactions to a trigger.", ("agent", "state"), "seq"),
    "run": TablePage("Workers", "Lives of workers.", ("agent", "state"), "started"),
    "iteration": TablePage(
        "Iterations", "What workers did, step by step.", ("agent", "mode", "outcome"), "number"
    ),
    "alert": TablePage("Alerts", "What was alarming.", ("agent", "metric", "state"), "since"),
    "memory_item": TablePage(
        "Memories", "What agents remember.", ("agent", "kind", "speaker", "subject"), "number"
    ),
    "observation": TablePage(
        "Beliefs",
        "What agents hold true: each change of a belief is a row of its own.",
        ("agent", "kind", "slot", "status"),
        "number",
    ),
    "observation_evidence": TablePage(
        "Evidence", "What beliefs stand on, down to the quoted characters.", ("agent", "stance")
    ),
    "lesson": TablePage("Lessons", "What to do when.", ("agent",)),
    "reflection": TablePage("Reflections", "Summaries of periods.", ("agent",)),
    "relation": TablePage("Relations", "How entities stand to each other.", ("agent", "type")),
    "person": TablePage("Persons", "Simulated persons as they stand now."),
    "thought": TablePage("Thoughts", "What persons thought.", ("person",), "t_us"),
    "size_sample": TablePage("Sizes", "How large the store was.", (), "at"),
    "store": TablePage("Store", "The identity of this store and its generation."),
    "change": TablePage(
        "Changes",
        "What takes back what each transaction did to an agent's rows.",
        ("agent",),
        "number",
    ),
    "migration": TablePage("Schema", "The steps by which this store was made."),
}
_HIDDEN = (
    *("call_id", "blob", "agent_lease", "breaker", "place", "familiar", "cycle_shown"),
    *("message_text", "recall_text", "recall_agent", "recall_mark", "extraction_mark"),
    *("vector", "vector_block", "vector_loose", "vector_model", "observed", "observed_mark"),
    *("consolidation_ahead", "consolidation_mark", "consolidation_subject"),
    *("consolidation_voice", "consolidation_window", "plan_count", "segment_left_out"),
    *("cycle_change", "carried", "next_look"),
)
_INSTANT = "Instant in UTC."
_COLUMNS = {
    **dict.fromkeys(
        ("at", "opened", "closed", "created", "decided", "expires", "learnt", "pushed"), _INSTANT
    ),
    **dict.fromkeys(("cost_micros", "micros"), "Millionths of a US dollar."),
    **dict.fromkeys(("tokens", "input_tokens", "output_tokens"), "Tokens."),
    "cached_tokens": "Tokens, of the input tokens, that came from the provider's cache.",
    "milliseconds": "Milliseconds.",
    "t_us": "Microseconds of simulated time.",
    "day": "Day in UTC.",
    "sha256": "SHA-256, in hexadecimal.",
    "taint": "1: words of somebody whom nobody vouched for are in it.",
    "confidence": "From 0 to 1.",
    "cycle": "Number of the agent's act of thinking.",
}
_TYPED = "'\"' || replace(replace(printf('%s', :words), '\"', '\"\"'), ' ', '\" \"') || '\"'"
"""Words of a person as a query of FTS5: each is a string, so that none is an operator."""
_PHASES = ("observe_ms", "think_ms", "decide_ms", "act_ms", "reflect_ms", "interval_ms")
_UNITS = {
    **dict.fromkeys(("milliseconds", *_PHASES), "ms"),
    "t_us": "us",
    "bytes": "byte",
}
"""By the names of a registry of units that Datasette uses; it writes them behind figures."""

QUERIES: dict[str, tuple[str, str]] = {
    "cycles": (
        "Cycles of an agent, what each took and cost",
        "SELECT cycle, opened, outcome, trigger, model, input_tokens, output_tokens, "
        "cost_micros / 1e6 AS dollars, milliseconds / 1e3 AS seconds, reason FROM cycle "
        "WHERE agent = :agent ORDER BY cycle DESC",
    ),
    "conversation": (
        "What was said in a cycle of an agent",
        "SELECT seq, at, role, origin, taint, part.value ->> '$.type' AS part, "
        "coalesce(part.value ->> '$.text', part.value ->> '$.args_text') AS said "
        "FROM message, json_each(parts) AS part WHERE agent = :agent AND cycle = :cycle "
        "ORDER BY seq, part.key",
    ),
    "search": (
        "Messages in which all of some words were said",
        "SELECT message.agent, message.cycle, message.at, message.role, message.parts "
        "FROM message_text JOIN message ON message.number = message_text.rowid "
        f"WHERE message_text MATCH {_TYPED} ORDER BY message_text.rank",
    ),
    "spending": (
        "What each day cost, by agent and model",
        "SELECT day, agent, model, count(*) AS calls, sum(input_tokens) AS input_tokens, "
        "sum(output_tokens) AS output_tokens, sum(micros) / 1e6 AS dollars FROM ledger "
        "WHERE state != 'void' GROUP BY day, agent, model ORDER BY day DESC, dollars DESC",
    ),
    "waiting": (
        "Tickets that wait for a person",
        "SELECT id, agent, kind, tool, args, reason, created, expires FROM ticket "
        "WHERE state IN ('pending', 'open', 'unknown') ORDER BY created",
    ),
    "tools": (
        "How tool calls ended",
        "SELECT agent, tool, state, count(*) AS calls FROM call GROUP BY agent, tool, state "
        "ORDER BY calls DESC",
    ),
    "beliefs": (
        "What an agent holds true, and how many pieces of evidence it has",
        "SELECT held.subject_id AS subject, held.slot, held.value, held.summary, "
        "held.confidence, held.status, held.learnt, (SELECT count(*) FROM observation_evidence "
        "AS piece WHERE piece.agent = held.agent AND piece.observation = held.id) AS evidence "
        "FROM observation AS held WHERE held.agent = :agent AND held.number = (SELECT "
        "max(later.number) FROM observation AS later WHERE later.agent = held.agent "
        "AND later.id = held.id) ORDER BY subject, held.slot",
    ),
}
"""By their names in addresses: a title, and SQL that needs no function of ours."""


def metadata_of(database: str, columns: Columns) -> dict[str, object]:
    """Return the metadata file of a snapshot as Datasette reads it."""
    return {
        "title": "mindpipe",
        "description": "A snapshot of a store: what agents lived through, hold true and cost.",
        "databases": {
            database: {
                "queries": {
                    name: {"title": title, "sql": sql} for name, (title, sql) in QUERIES.items()
                },
                "tables": {table: _table(table, names) for table, names in columns.items()},
            }
        },
    }


def _table(table: str, names: Sequence[str]) -> dict[str, object]:
    """Return how one table is shown."""
    made: dict[str, object] = {
        "columns": {name: _COLUMNS[name] for name in names if name in _COLUMNS},
        "units": {name: _UNITS[name] for name in names if name in _UNITS},
    }
    if table in _HIDDEN:
        return {**made, "hidden": True}
    page = _PAGES.get(table)
    if page is None:
        return made
    made |= {"title": page.title, "description": page.rows, "facets": list(page.facets)}
    return made if page.newest is None else {**made, "sort_desc": page.newest}
