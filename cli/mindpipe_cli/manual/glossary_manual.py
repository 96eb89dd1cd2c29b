"""mind-glossary(7): the words of the field as they are used here, one meaning each."""

from typing import Literal, NamedTuple

from mindpipe_cli.manual.roff import Block, Manual, Section, Term, Text


class Entry(NamedTuple):
    """One word: what it means here, and of which kind and name what carries it is."""

    word: str
    meaning: str
    kind: Literal["class", "table", "field", "command", "make", "folder", "file"]
    carrier: str


GLOSSARY = (
    Entry(
        "agent",
        "A mind that a language model thinks for, with instructions, tools, inbox and history.",
        "class",
        "Agent",
    ),
    Entry(
        "anchor",
        "Words of folded cycles that stay word for word in the window: a task, a path, a promise.",
        "class",
        "Anchor",
    ),
    Entry(
        "broken build",
        "The program with one mechanism taken out; a suite that does not fail it proves nothing.",
        "folder",
        "tests/red",
    ),
    Entry(
        "clearance",
        "That the operator has read one thing and vouches for it, so that it taints no longer.",
        "table",
        "clearance",
    ),
    Entry(
        "compaction",
        "Making the window smaller: a change of the window that can be undone, never of the log.",
        "table",
        "compaction",
    ),
    Entry(
        "compaction plan",
        "What a compaction would do, as lines that can be read, compared and applied.",
        "class",
        "CompactionPlan",
    ),
    Entry(
        "concern",
        "Something an agent attends to over time, with a share of its iterations.",
        "table",
        "concern",
    ),
    Entry(
        "cycle",
        "One act of thinking: what opened it, then one or more turns, closed in one transaction.",
        "table",
        "cycle",
    ),
    Entry(
        "dead letter",
        "An event that failed five times and is put aside; it can be redriven.",
        "command",
        "mind inbox dead",
    ),
    Entry(
        "decision",
        "What was judged of something that an agent proposed to do: automatic, suggested, refused.",
        "command",
        "mind decision list",
    ),
    Entry(
        "entity",
        "Who or what has a name in memory, and how it stands to others.",
        "table",
        "memory_entity",
    ),
    Entry(
        "event",
        "One thing that happened, waiting in an inbox until a cycle has dealt with it.",
        "table",
        "event",
    ),
    Entry(
        "evidence",
        "A link from an observation to what it stands on: an item, lesson, reflection or entity.",
        "table",
        "observation_evidence",
    ),
    Entry(
        "failpoint",
        "A named place at which tests make the program die, stop or fail.",
        "file",
        "failpoints.py",
    ),
    Entry(
        "filter",
        "A command that reads lines and writes lines, and needs no store.",
        "command",
        "mind complete",
    ),
    Entry(
        "fold",
        "Putting a summary in the place of old cycles in a window; the log keeps them.",
        "command",
        "mind compact",
    ),
    Entry(
        "golden case",
        "A folder with a command line and all that it must print, compared byte for byte.",
        "folder",
        "fixtures/cases",
    ),
    Entry(
        "history",
        "The append-only log of an agent's messages, each hashed onto the one before.",
        "command",
        "mind history show",
    ),
    Entry(
        "inbox",
        "The durable queue of the events for one mind.",
        "command",
        "mind inbox push",
    ),
    Entry(
        "item",
        "One thing remembered: what happened, what is so, how it is done, or a note.",
        "table",
        "memory_item",
    ),
    Entry(
        "iteration",
        "One round of a worker: observe, think, decide, act, reflect; it may hold one cycle.",
        "table",
        "iteration",
    ),
    Entry(
        "lease",
        "The right to write for one agent, until a deadline on the clock since boot.",
        "class",
        "Lease",
    ),
    Entry(
        "ledger",
        "What was reserved, spent and given back, call by call.",
        "table",
        "ledger",
    ),
    Entry(
        "lesson",
        "What to do when, with how it went each time.",
        "table",
        "lesson",
    ),
    Entry(
        "mode",
        "How a worker attends: normal, deep focus, exploration, overload, sleep, recovery.",
        "class",
        "LoopMode",
    ),
    Entry(
        "model",
        "What answers a request: PROVIDER/NAME, a program, a recording.",
        "class",
        "Model",
    ),
    Entry(
        "observation",
        "A belief: one claim on one subject in one slot, with its evidence.",
        "table",
        "observation",
    ),
    Entry(
        "observer",
        "What turns a change outside (a file, a commit, a process) into an event.",
        "command",
        "mind observe",
    ),
    Entry(
        "operator",
        "Whoever runs the commands; their words are trusted.",
        "command",
        "mind inbox trust",
    ),
    Entry(
        "origin",
        "Who brought a text forth; what the model said itself is never evidence.",
        "field",
        "item.origin",
    ),
    Entry(
        "person",
        "A simulated body, psyche and inner voice; no agent.",
        "table",
        "person",
    ),
    Entry(
        "plan",
        "What makes an event due: a cron line, an instant, or the end of another plan.",
        "table",
        "plan",
    ),
    Entry(
        "promise",
        "A sentence about the program with a suite that measures it and a broken build.",
        "make",
        "promises",
    ),
    Entry(
        "provider",
        "Who runs a model behind an API: Anthropic, OpenAI, or a server that speaks theirs.",
        "command",
        "mind models list",
    ),
    Entry(
        "recall",
        "One search over all that was lived, remembered or held true.",
        "command",
        "mind recall",
    ),
    Entry(
        "receipt",
        "What a push prints once an event is on disk: its id, and whether it was there before.",
        "field",
        "receipt.duplicate",
    ),
    Entry(
        "recording",
        "A file of requests and their replies; to replay it is to answer from it.",
        "class",
        "RecordedTurn",
    ),
    Entry(
        "RECOVERY",
        "The state of a store that is only read until a person has looked.",
        "command",
        "mind store recover",
    ),
    Entry(
        "reflection",
        "A summary of a period, with the items that were read for it.",
        "table",
        "reflection",
    ),
    Entry(
        "revocation",
        "Taking back all that stands on the words of a source; the log stays.",
        "command",
        "mind memory revoke",
    ),
    Entry(
        "segment",
        "A run of cycles that are sent under one frozen head: system text, tools, summary.",
        "table",
        "segment",
    ),
    Entry(
        "signal",
        "One reason for a place in recall, between 0 and 1, with a published weight.",
        "file",
        "ranking.py",
    ),
    Entry(
        "slot",
        "What of a subject an observation is about, as a word of a closed table: residence, job.",
        "field",
        "observation.slot",
    ),
    Entry(
        "source",
        "Whose words a text holds, as it was pushed: mail, mail/bob, space:family/husam.",
        "field",
        "event.source",
    ),
    Entry(
        "space",
        "A place where several minds and humans talk; what is said in it is a post.",
        "table",
        "space",
    ),
    Entry(
        "store",
        "One SQLite file with whole lives in it.",
        "command",
        "mind store check",
    ),
    Entry(
        "taint",
        "That a request holds words which nobody trusts; what it writes inherits it.",
        "field",
        "message.taint",
    ),
    Entry(
        "task",
        "Work that an agent delegates to a program or another agent.",
        "table",
        "task",
    ),
    Entry(
        "ticket",
        "What waits for a person: may this call run, did it, what is to be done about this.",
        "table",
        "ticket",
    ),
    Entry(
        "tool call",
        "What a model asks a tool to do, journalled before and after it runs.",
        "table",
        "call",
    ),
    Entry(
        "trigger run",
        "One reaction to a trigger, over one or more cycles; it may wait for a reply.",
        "class",
        "TriggerRun",
    ),
    Entry(
        "trust",
        "Naming the sources on whose words an agent may act without a person.",
        "field",
        "agent.trust",
    ),
    Entry(
        "turn",
        "One reply of a model, with the results of all its tool calls.",
        "table",
        "turn",
    ),
    Entry(
        "verdict",
        "What new evidence does to a belief: corroborate, refine, supersede, contradict, retract.",
        "table",
        "observation_decision",
    ),
    Entry(
        "window",
        "What of a history a model is shown: whole cycles, summaries, anchors, a pointer.",
        "class",
        "Window",
    ),
    Entry(
        "worker",
        "A process that lives an agent until it is told to stop.",
        "command",
        "mind run",
    ),
    Entry(
        "worker session",
        "One life of a worker, from its start to its end or crash.",
        "class",
        "WorkerSession",
    ),
)
"""Every word, by the alphabet."""

_CARRIERS = {
    "class": "class {}",
    "table": "table {} of the store",
    "field": "field {} of mind-records(5)",
    "command": "{}",
    "make": "make {}",
    "folder": "folder {}/",
    "file": "file {}",
}
_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "One word for one thing, in commands, records, tables, code and manual. Behind each stands "
        "what carries it: a class, a table of the store, a command, or a place in the project."
    ),
    Text(
        "Three words that are easily confused: a worker is a process that stays, a worker session "
        "one life of it, and a trigger run one reaction to a trigger, which may outlast many of "
        "both."
    ),
)


def glossary_manual() -> Manual:
    """Return mind-glossary(7)."""
    words = tuple(
        Term(one.word, f"{one.meaning} ({_CARRIERS[one.kind].format(one.carrier)})")
        for one in GLOSSARY
    )
    see = "mind(1), mind-life(7), mind-memory(7), mind-person(7), mind-security(7)"
    sections = (
        Section("NAME", (Text("mind-glossary - the words of mindpipe, one meaning each"),)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("WORDS", words),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-glossary", 7, sections)
