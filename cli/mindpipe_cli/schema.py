"""`mind schema`: the table of all records that travel on lines of JSON, and their JSON Schemas."""

import difflib
import importlib
import inspect
from typing import NamedTuple

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.session import Session


class Entry(NamedTuple):
    """One record: the module and the name of its type, and where it is met."""

    module: str
    type: str
    summary: str


RECORDS: dict[str, Entry] = {
    "new-event": Entry(
        "mindpipe.core.events", "NewEvent", "What mind inbox push reads and mind plan due prints."
    ),
    "receipt": Entry(
        "mindpipe.inbox.records", "Receipt", "What mind inbox push prints for each event."
    ),
    "event": Entry(
        "mindpipe.inbox.records",
        "Event",
        "What mind inbox list and claim print, and each phase of a pipe [mind-life(7)].",
    ),
    "claimed-event": Entry(
        "mindpipe.inbox.records", "Held", "What mind inbox ack, release and extend read."
    ),
    "file-event": Entry(
        "mindpipe.inbox.records",
        "FileEvent",
        "A line of a file that mind inbox push --output writes.",
    ),
    "observed": Entry(
        "mindpipe.observers.records",
        "Observed",
        "What was observed: the field observation in the body of events of mind observe.",
    ),
    "observer-config": Entry(
        "mindpipe.observers.records",
        "ObserverConfig",
        "What to observe, for mind observe --config; mind-observe.yaml(5) explains it.",
    ),
    "observer-check": Entry(
        "mindpipe.observers.records", "ObserverCheck", "What mind observe check prints."
    ),
    "agent": Entry("mindpipe.agents.records", "Agent", "What mind agent prints."),
    "trust": Entry("mindpipe.context.records", "TrustEntry", "What mind agent trust prints."),
    "tool-trust": Entry(
        "mindpipe.context.records", "ToolTrust", "How mind agent show says that a tool is judged."
    ),
    "agent-file": Entry(
        "mindpipe.agents.records", "AgentFile", "An agent as one document, for --agent-file."
    ),
    "goal": Entry("mindpipe.agents.records", "Goal", "What mind goal prints."),
    "note": Entry("mindpipe.agents.records", "Note", "What mind note prints."),
    "plan": Entry("mindpipe.plans.records", "Plan", "What mind plan prints."),
    "plan-window": Entry(
        "mindpipe.plans.records", "PlanWindow", "What mind plan windows and retry print."
    ),
    "concern": Entry(
        "mindpipe.engine.records.attention", "Concern", "What mind concern focus and remove print."
    ),
    "concern-standing": Entry(
        "mindpipe.engine.records.attention",
        "ConcernStanding",
        "What mind concern add, list and set print.",
    ),
    "attended": Entry(
        "mindpipe.engine.records.attention",
        "Attended",
        "What mind observe and mind concern attend print.",
    ),
    "mode": Entry(
        "mindpipe.workers.records",
        "ModeChange",
        "What mind run mode prints when it is set, and with --log.",
    ),
    "mode-now": Entry(
        "mindpipe.workers.records", "ModeNow", "What mind run mode prints without a MODE."
    ),
    "pace": Entry(
        "mindpipe.engine.worker.timing",
        "LoopPace",
        "What mind run timing prints, and mind reflect in a pipe.",
    ),
    "iteration": Entry(
        "mindpipe.workers.records", "Iteration", "What mind reflect --iterations reads."
    ),
    "iteration-reflection": Entry(
        "mindpipe.engine.records.attention", "IterationReflection", "What mind reflect prints."
    ),
    "pattern": Entry(
        "mindpipe.engine.records.attention",
        "IterationPattern",
        "What mind reflect patterns and undo print.",
    ),
    "status": Entry("mindpipe.monitoring.records", "Status", "What mind status prints."),
    "metric": Entry("mindpipe.monitoring.records", "Metric", "What mind metrics prints."),
    "alert": Entry("mindpipe.monitoring.records", "Alert", "What mind alert prints."),
    "doctor-finding": Entry(
        "mindpipe.monitoring.records", "DoctorFinding", "What mind doctor prints."
    ),
    "memory": Entry(
        "mindpipe.context.records", "Memory", "What mind memory revoke and retract print."
    ),
    "observation": Entry(
        "mindpipe.knowledge.records",
        "Observation",
        "What mind observation prints, and a line of a file for --known.",
    ),
    "observation-standing": Entry(
        "mindpipe.knowledge.records", "Stood", "What mind observation history prints."
    ),
    "observation-reason": Entry(
        "mindpipe.knowledge.records", "Explained", "What mind observation show --explain prints."
    ),
    "revalidation": Entry(
        "mindpipe.knowledge.records", "Revalidated", "What mind observation revalidate prints."
    ),
    "proposal": Entry(
        "mindpipe.decisions.records", "Proposal", "What mind decide reads: what an agent would do."
    ),
    "judged-proposal": Entry(
        "mindpipe.decisions.records", "Judged", "What mind decide prints without a store."
    ),
    "decision": Entry(
        "mindpipe.decisions.records",
        "Decision",
        "What mind decision prints, and mind decide over a store.",
    ),
    "call": Entry(
        "mindpipe.engine.records.journal", "Call", "A call of a tool between phases [mind-life(7)]."
    ),
    "ticket": Entry("mindpipe.engine.records.journal", "Ticket", "What mind ticket prints."),
    "cycle": Entry(
        "mindpipe.history.records", "Cycle", "A cycle as it stands between phases [mind-life(7)]."
    ),
    "failure": Entry(
        "mindpipe.engine.records.phases",
        "PhaseFailure",
        "What a phase of a pipe ended with [mind-life(7)].",
    ),
    "acted": Entry("mindpipe.engine.records.phases", "Acted", "What mind act prints."),
    "escalation": Entry(
        "mindpipe.decisions.records",
        "Escalation",
        "What the program of decisions.escalate reads on stdin.",
    ),
    "task": Entry("mindpipe.tasks.records", "Task", "What mind task prints."),
    "task-report": Entry(
        "mindpipe.tasks.records",
        "Report",
        "A line that a program prints while it works on a task.",
    ),
    "belief-decision": Entry(
        "mindpipe.knowledge.records",
        "BeliefDecision",
        "What mind observation decisions, approve and deny print.",
    ),
    "mark": Entry(
        "mindpipe.knowledge.records",
        "BeliefMark",
        "What mind knowledge marks prints and mind consolidate --marks writes.",
    ),
    "consolidated": Entry(
        "mindpipe.knowledge.records",
        "Consolidated",
        "What mind consolidate prints over a store, for each subject.",
    ),
    "given-verdict": Entry(
        "mindpipe.knowledge.records",
        "GivenVerdict",
        "What mind consolidate --verdicts reads: a verdict on items.",
    ),
    "knowledge-finding": Entry(
        "mindpipe.knowledge.records",
        "KnowledgeFinding",
        "What mind knowledge verify and audit print.",
    ),
    "knowledge-verdict": Entry(
        "mindpipe.knowledge.records", "Verified", "What mind knowledge verify prints in the end."
    ),
    "new-item": Entry(
        "mindpipe.memory.records",
        "GivenItem",
        "What mind memory add reads; printed ones are read too.",
    ),
    "item": Entry("mindpipe.memory.records", "Item", "What mind memory prints of an item."),
    "new-reflection": Entry(
        "mindpipe.memory.records", "GivenReflection", "What mind reflection add reads."
    ),
    "reflection": Entry("mindpipe.memory.records", "Reflection", "What mind reflection prints."),
    "new-lesson": Entry("mindpipe.memory.records", "GivenLesson", "What mind lesson add reads."),
    "lesson": Entry("mindpipe.memory.records", "Lesson", "What mind lesson prints."),
    "new-entity": Entry("mindpipe.memory.records", "GivenEntity", "What mind entity add reads."),
    "entity": Entry("mindpipe.memory.records", "Entity", "What mind entity prints."),
    "added": Entry(
        "mindpipe.memory.records",
        "Added",
        "What the add commands of memory, reflection, lesson and entity print for each line.",
    ),
    "recall-query": Entry(
        "mindpipe.recall.records", "RecallQuery", "A line of what mind recall --queries reads."
    ),
    "hit": Entry("mindpipe.recall.records", "Hit", "What mind recall --queries prints."),
    "recalled": Entry("mindpipe.recall.records", "Recalled", "What mind recall prints."),
    "reindexed": Entry("mindpipe.recall.records", "Reindexed", "What mind recall reindex prints."),
    "fetched-model": Entry(
        "mindpipe.spending.records", "FetchedModel", "What mind models fetch prints."
    ),
    "embedded": Entry("mindpipe.recall.records", "Embedded", "What mind recall embed prints."),
    "clearance": Entry(
        "mindpipe.context.records",
        "Clearance",
        "What the trust commands and mind agent clearances print.",
    ),
    "space": Entry("mindpipe.spaces.records", "Space", "What mind space new, set and list print."),
    "member": Entry(
        "mindpipe.spaces.records", "Member", "What mind space join, leave, members and seen print."
    ),
    "new-post": Entry("mindpipe.spaces.records", "GivenPost", "What mind space post reads."),
    "post": Entry("mindpipe.spaces.records", "Post", "What mind space post and read print."),
    "agent-run": Entry(
        "mindpipe.trigger_runs.records", "TriggerRun", "What mind run list, show and cancel print."
    ),
    "tool": Entry("mindpipe.core.tools", "ToolManifest", "A user's own executable as a tool."),
    "cycle-report": Entry(
        "mindpipe.engine.records.journal", "CycleReport", "What mind think prints."
    ),
    "request": Entry(
        "mindpipe.providers.completions",
        "GivenRequest",
        "What mind complete and a program: model read.",
    ),
    "answer": Entry(
        "mindpipe.providers.program.reply", "ProgramReply", "What a program: model answers."
    ),
    "completion": Entry(
        "mindpipe.providers.completions",
        "Answer",
        "What mind complete prints: a whole answer.",
    ),
    "prompt-share": Entry(
        "mindpipe.context.records", "Share", "What mind context show --receipt prints."
    ),
    "recall-index": Entry(
        "mindpipe.recall.indexes",
        "Index",
        "A YAML file of an index, for mind recall --index.",
    ),
    "portion": Entry(
        "mindpipe.context.budget.records", "Portion", "What mind context budget prints."
    ),
    "head": Entry("mindpipe.core.messages", "Head", "What stands before the cycles of a segment."),
    "message": Entry(
        "mindpipe.core.messages", "Message", "A row of a history, also between phases."
    ),
    "lived-cycle": Entry(
        "mindpipe.context.records", "LivedCycle", "What mind history cycles prints."
    ),
    "found": Entry("mindpipe.history.records", "Found", "What mind history search prints."),
    "query": Entry(
        "mindpipe.history.records", "GivenQuery", "What mind history search --queries reads."
    ),
    "ranked-found": Entry(
        "mindpipe.history.records", "RankedFound", "What mind history search --queries prints."
    ),
    "finding": Entry("mindpipe.validator.records", "Finding", "What mind history check prints."),
    "import-receipt": Entry(
        "mindpipe.history.records", "ImportReceipt", "What mind history import prints."
    ),
    "broken-row": Entry(
        "mindpipe.history.records",
        "BrokenRow",
        "What mind history verify prints for a row that was changed.",
    ),
    "verdict": Entry(
        "mindpipe.history.records", "Verdict", "What mind history verify prints in the end."
    ),
    "compaction": Entry(
        "mindpipe.compaction.records",
        "Compaction",
        "What mind compact, its apply, undo and list print.",
    ),
    "compaction-plan": Entry(
        "mindpipe.compaction.records",
        "CompactionPlan",
        "The first line of what mind compact plan prints.",
    ),
    "kept-part": Entry("mindpipe.compaction.records", "Kept", "Cycles of a plan that stay whole."),
    "masked-part": Entry(
        "mindpipe.compaction.records",
        "Masked",
        "A cycle of a plan that stays without some of its results.",
    ),
    "summary-part": Entry(
        "mindpipe.compaction.records", "Summary", "Cycles of a plan that lines stand for."
    ),
    "anchors-part": Entry(
        "mindpipe.compaction.records", "Anchors", "What a plan keeps word for word."
    ),
    "pointer-part": Entry(
        "mindpipe.compaction.records", "Pointer", "Where a plan says how the rest is found."
    ),
    "cycle-reason": Entry(
        "mindpipe.compaction.records", "Reason", "What --explain adds to a plan for each cycle."
    ),
    "cycles-diff": Entry(
        "mindpipe.compaction.plans.diff",
        "CyclesDiff",
        "What mind compact diff prints for each run of cycles.",
    ),
    "anchor-diff": Entry(
        "mindpipe.compaction.plans.diff",
        "AnchorDiff",
        "What it prints for words that stay as they were said.",
    ),
    "pointer-diff": Entry(
        "mindpipe.compaction.plans.diff", "PointerDiff", "What it prints of how the rest is found."
    ),
    "tokens-diff": Entry(
        "mindpipe.compaction.plans.diff",
        "TokensDiff",
        "What it prints for each kind of part, and for all.",
    ),
    "worth-diff": Entry(
        "mindpipe.compaction.plans.diff", "WorthDiff", "What mind compact diff prints in the end."
    ),
    "person": Entry(
        "mindpipe.person.records.person", "Person", "What mind simulate prints of who somebody is."
    ),
    "person-state": Entry(
        "mindpipe.person.records.state",
        "PersonState",
        "What mind simulate prints of how somebody is.",
    ),
    "person-event": Entry(
        "mindpipe.person.records.event", "PersonEvent", "What mind simulate reads of what happens."
    ),
    "thought": Entry("mindpipe.person.records.thought", "Thought", "One thought of a person."),
    "person-memory": Entry(
        "mindpipe.person.records.thought", "PersonMemory", "An episode that a person remembers."
    ),
    "voice-failure": Entry(
        "mindpipe.person.records.thought", "Failure", "A thought for which a voice had no words."
    ),
    "thought-request": Entry(
        "mindpipe.person.records.thought", "ThoughtRequest", "What mind feel --prompt prints."
    ),
    "person-observation": Entry(
        "mindpipe.review.records", "ReviewNote", "A note of a person's observer."
    ),
    "review-chart": Entry(
        "mindpipe.review.records",
        "ChartLine",
        "What a person's observer goes on from in the next run, at the end of the one before.",
    ),
    "review-failure": Entry(
        "mindpipe.review.records",
        "ReviewFailure",
        "A note for which the observer's model had no words.",
    ),
    "salience": Entry(
        "mindpipe.person.records.thought", "SalienceLine", "What mind salience adds to states."
    ),
    "price": Entry("mindpipe.spending.verbs", "Listed", "What mind models list prints."),
    "count": Entry("mindpipe.spending.verbs", "Count", "What mind models count prints."),
    "cost": Entry("mindpipe.spending.records", "Cost", "What mind models cost prints."),
    "store-finding": Entry(
        "mindpipe.store.records", "StoreFinding", "What mind store check prints."
    ),
    "copy": Entry("mindpipe.store.records", "Copied", "What mind store backup prints."),
    "migration": Entry("mindpipe.store.records", "Migrated", "What mind store migrate prints."),
    "restoration": Entry("mindpipe.store.records", "Restored", "What mind store restore prints."),
    "moved-rows": Entry("mindpipe.store.records", "MovedRows", "What mind store move prints."),
    "setting": Entry("mindpipe.settings", "Value", "What mind config show prints."),
    "compaction-figure": Entry(
        "mindpipe_cli.benchmarks.compaction", "Figure", "What mind bench compaction prints."
    ),
    "recall-figure": Entry(
        "mindpipe_cli.benchmarks.recall", "Figure", "What mind bench recall prints."
    ),
    "plot-line": Entry(
        "mindpipe.person.plots.sparklines",
        "PlotLine",
        "What mind simulate plot prints for each line.",
    ),
    "validation-row": Entry(
        "mindpipe.person.verbs.simulate", "JudgedRow", "What mind simulate validate prints."
    ),
    "topic": Entry("mindpipe_cli.help", "HelpTopic", "What mind help --json prints."),
    "plugin": Entry("mindpipe_cli.plugin", "FoundPlugin", "What mind plugin list prints."),
    "plugin-check": Entry(
        "mindpipe_cli.conformance", "PluginCheck", "What mind plugin check prints."
    ),
    "difference": Entry("mindpipe_cli.manual.files", "Difference", "What mind docs prints."),
}


def schema_of(name: str) -> dict[str, object]:
    """Return the JSON Schema of one record.

    Raises:
        UsageError: there is no such record; names the nearest.
    """
    entry = RECORDS.get(name)
    if entry is None:
        near = difflib.get_close_matches(name, RECORDS, n=1)
        hint = f"did you mean {near[0]}?" if near else "mind schema lists them."
        raise UsageError(f'no record "{name}"; {hint}')
    kind = getattr(importlib.import_module(entry.module), entry.type)
    found: dict[str, object] = msgspec.json.schema(kind, schema_hook=_of_any)
    return {name: _unindented(part) for name, part in found.items()}


def _unindented(part: object) -> object:
    """Return a schema whose descriptions have lost the indentation of docstrings."""
    if isinstance(part, list):
        return [_unindented(one) for one in part]
    if not isinstance(part, dict):
        return part
    cleaned = {name: _unindented(below) for name, below in part.items()}
    words = cleaned.get("description")
    return cleaned | {"description": inspect.cleandoc(words)} if isinstance(words, str) else cleaned


def _of_any(kind: type) -> dict[str, object]:
    """Return the schema of `object`, the type of free JSON; raises TypeError for another."""
    if kind is not object:
        raise TypeError(f"{kind} does not travel on a line of JSON")
    return {"description": "Any JSON value."}


@command("schema", example="mind schema event")
@click.argument("record", required=False)
def COMMAND(session: Session, record: str | None) -> None:
    """Print the JSON Schema of a record, or without RECORD the list of all records."""
    if record is None:
        listed = [{"record": name, "summary": entry.summary} for name, entry in RECORDS.items()]
        session.write(listed, columns=("record", "summary"))
        return
    session.prints("a JSON Schema", "json")
    pretty = msgspec.json.format(msgspec.json.encode(schema_of(record)), indent=2)
    output.write_text(f"{pretty.decode()}\n")
