"""What was said in a space, line by line, and the same lines as the turns of a model's messages.

A line of somebody else: [msg:ID] [TIME] Name (kind, id:ID): "text"  [SEEN] or [NEW], and a mark
where it began the run or ended a wait. A line of the agent's own is named like the others, or says
You and why, where it was said because of something in another space, or was to be answered.
"""

from mindpipe.context.prompt import file_names
from mindpipe.context.records import Block
from mindpipe.context.timeline.records import (
    EarlierMessages,
    Party,
    SpaceHistory,
    SpokenReason,
    TimelineEntry,
)
from mindpipe.context.timeline.wording import length, marked, named, short, told, unmarked
from mindpipe.context.turns import NAME, turned

TRIGGER = "← TRIGGER"
RESUME = "← RESUME"
WAITS = "[waits for a reply]"
_ASKED = 300
"""So many characters of what made the agent speak elsewhere are shown."""


def block(history: SpaceHistory, *, other: bool = False) -> Block:
    """Return what was said in a space; of a second one with the id of the space in its title."""
    id = f", id: {marked(history.place.name)}" if other else ""
    lines = [entry_line(entry) for entry in history.entries]
    if history.earlier is not None:
        lines.insert(0, _earlier(history.earlier))
    if history.waited is not None:
        waited = length(round(history.waited))
        lines.append(f"  {RESUME}: nobody replied within {waited}. Continue from here.")
    title = f"{NAME} ({told(history.place.title)}{id})"
    return Block(section="observations", title=title, lines=tuple(lines) or ("  (nothing yet)",))


def party(who: Party) -> str:
    """Return somebody with kind and id."""
    return f"{named(who.title)} ({who.kind}, id: {marked(who.id)})"


def entry_line(entry: TimelineEntry) -> str:
    """Return one message as a line of a timeline."""
    return f"  [msg:{marked(entry.id)}] [{marked(entry.at)}] {_who(entry)}{_rest(entry)}"


def opening_line(entry: TimelineEntry) -> str:
    """Return a message of somebody else as the cycle that takes it up begins with it."""
    return turned(entry_line(entry)).line


def _who(entry: TimelineEntry) -> str:
    """Return who says it, up to the words."""
    if not entry.by.own:
        return f"{named(entry.by.title)} ({entry.by.kind}, id:{marked(entry.by.id)}): "
    if entry.because is not None:
        return f"You: {_because(entry.because)} "
    if entry.waits:
        return "You: "
    return f"{named(entry.by.title)} (you, id:{marked(entry.by.id)}): "


def _because(why: SpokenReason) -> str:
    """Return why the agent said something here."""
    asked = told(short(why.text, _ASKED))
    return f"[sent because {named(why.who)} asked {asked} in {told(why.space)}]"


def _rest(entry: TimelineEntry) -> str:
    """Return the words with their marks."""
    words = told(entry.text)
    if entry.by.own:
        return f"called send_message({words}, wait: true)" if entry.waits else words
    # Of the trigger its own block tells.
    waits = f" {WAITS}" if entry.waits and not entry.trigger else ""
    # What woke the agent is new to it, whatever somebody said that it has seen.
    seen = "[NEW]" if entry.new or entry.trigger else "[SEEN]"
    return f"{words}{unmarked(file_names(entry.files))}  {seen}{waits}{_marks(entry)}"


def _marks(entry: TimelineEntry) -> str:
    """Return what a message is to the run."""
    trigger = f" {TRIGGER}" if entry.trigger else ""
    if not entry.resumes:
        return trigger
    return f"{trigger} {RESUME}: {named(entry.by.title)} replied. Continue from here."


def _earlier(earlier: EarlierMessages) -> str:
    """Return the messages that are not shown whole as one record."""
    messages = "message" if earlier.count == 1 else "messages"
    last = f"the last {earlier.told} of them, " if earlier.told < earlier.count else ""
    span = f"{marked(earlier.since)} to {marked(earlier.until)}"
    head = f"  [earlier: {earlier.count:,} {messages}; {last}{span}, in short]"
    return "\n".join([head, *[f"    {told(line)}" for line in earlier.lines]])
