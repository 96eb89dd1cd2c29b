"""mind-promises(7): what is promised, where it ends, and the last recorded run of its tests."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe_cli.manual.roff import Block, Manual, Section, Term, Text

RECORDED = "fixtures/promises.jsonl"

MEANINGS = {
    1: "What was acknowledged is on disk. A caller that saw no success pushes again, with a key. A "
    "store with a second name (49) or on a network file system takes nothing.",
    2: "With a key a push can be repeated until it succeeds; without one each push is a new event. "
    "The same key with another body is refused.",
    3: "A keyed tool is given the same key in every attempt. It holds as far as the receiver "
    "refuses a key that it has seen.",
    4: "A call that may have run before a crash is not run again: it is told as unknown, and a "
    "person says what happened. Every tool is unsafe unless its manifest says otherwise.",
    5: "Effect and journal are one transaction. It holds inside the store, for nothing outside.",
    6: "No repair step stands between store and provider: what is stored can be sent to Anthropic, "
    "to both APIs of OpenAI and through the AI SDK. The validator shares no code with the program.",
    7: "Power fails between any two writes to the disk, in images made of what had been synced. It "
    "ends at disks that say they have synced and have not. A server is killed, with fsync on.",
    8: "Whoever was taken over notices it inside its own transaction, and writes nothing more.",
    9: "A worker that was killed holds its agent until its lease ends, a minute, unless it was a "
    "mind run and another one starts, which sees that the process is gone. Measured from the end.",
    10: "The event that kills whoever claims it is put aside as dead, and can be redriven.",
    11: "The command ends with 74, on a server with 75. What was begun is not there, and what was "
    "there is whole.",
    12: "A claim whose reader is gone is released; the status is 141.",
    13: "Leases count from boot, not by the wall clock. A wall clock that stands wrong still makes "
    "plans due too early or too late.",
    14: "By default a line may have 1 MiB; inbox.max_bytes raises that, and then it is taken.",
    15: "As before, where the line never ends.",
    16: "What cannot be kept as text is kept beside it, and marked lossy.",
    17: "Depth, size, duplicate keys, numbers and surrogates: refused in one line, with status 65. "
    "It is about what is read as JSON; what a sound schema may make of it is 48.",
    18: "One window of a plan is one event, however many start. Windows that were slept through "
    "come once, as one.",
    19: "A kill leaves the state before or after, and what was folded or consolidated is there in "
    "both.",
    20: "A cut file never opens, nor a store of up to 4 MiB whose structure is damaged; mind store "
    "check looks over all of any, and what it found damaged takes no writes. A flipped bit "
    "anywhere is seen with mind init --page-checksums. What lay on a lost page is lost.",
    21: "mind store backup, under writers; of a server it is made by pg_dump. A copy of the file "
    "by cp is no backup.",
    22: "A turn is asked at most six times, also across crashes, and waits as long as it is told. "
    "A call whose answer was lost in a crash may be paid twice.",
    23: "Bad requests and bad credentials fail once, and say so.",
    24: "A reply counts when its end has come. Nothing of a cut one is run or kept.",
    25: "No such tool, bad arguments, no JSON: the model is told, and the turn can be closed. A "
    "usage that cannot be counts as not reported; where a reply is no JSON elsewhere it is asked "
    "for again.",
    26: "A reply without words and calls is not kept as one, and the next request is valid.",
    27: "An approval is bound to the hash of tool and arguments, and expires. The program that a "
    "manifest names can still be changed by who may write it.",
    28: "The call is answered with its ticket, and the agent goes on; a tool with wait_seconds "
    "waits that long at most.",
    29: "Money is reserved before a call and settled after it, across workers. It is as exact as "
    "the prices and the count of the input tokens.",
    30: "One transaction for each step; of a file, a backup before. An older program refuses a "
    "newer store.",
    31: "Tables, prompts and messages lose them, in a pipe too. JSON escapes them; the cells of "
    "CSV and TSV in a pipe have them as they were said.",
    32: "Folders are 0700, files 0600. mind docs writes for everybody.",
    33: "Keys of providers, in the store, logs, outputs, recordings, arguments and environments "
    "of tools. What somebody writes into a message is a message.",
    34: "Rows are hashed onto each other. Who can write the file can hash all of it anew or cut "
    "its end: only an anchor kept elsewhere shows that.",
    35: "Every adapter of a port passes one suite, and a lax one fails it, rule by rule.",
    36: "From stored rows alone. It is what lets a provider's cache hold.",
    37: "A model that obeys every injected instruction: what is unsafe or sends outward waits for "
    "a person. An idempotent tool without labels runs, and people must judge what an agent says.",
    38: "Time, memory, files, output, children, also where it kills or stops its keepers. A "
    "process gets away that has left session and environment before both are killed, and outside "
    "Linux one that left its group. A tool is not shut in, but for a sandbox.",
    39: "Messages and the history that tells of them come with one commit.",
    40: "SIGTERM ends a worker with status 0 and its lease free; a tool has nine seconds left. "
    "What a worker does by itself in between is bounded, patterns and schemas included (48).",
    41: "A store in RECOVERY is only read until a person lets it go.",
    42: "Work whose worker is gone is sent again under the same key, or a ticket is opened.",
    43: "Operations in random order against a small model of what should be, with a planted fault "
    "for each rule. It finds what random runs of this length find.",
    44: "Under kills, with the write-ahead log bounded; make soak runs as long as you like.",
    45: "It closes the model call that is under way, of which nothing is kept.",
    46: "Simulated days of kills, floods, false clocks and failing models.",
    47: "Both are bound to the hash of tool, manifest and arguments from the proposal on. What was "
    "changed since, or was not shown, is refused; policy judges both as it judges calls.",
    48: "All forms of mind history import, and the five of mind history check of a file and of "
    "mind compact as a filter. What stands between two replies is held at once, so "
    "that there may be 100,000 messages; a message may have 64 MiB, and one over 1 MiB 100,000 "
    "values. It does not hold for a message of over 16 MiB in which a few characters are beyond "
    "U+FFFF, for then all of them take four bytes each: that may take 15 times its size. Nor does "
    "it for mind history check of a file that is little but brackets. mind compact keeps something "
    "of every message until the window is made; with the strategy self-summary that fits, however "
    "short they are. Measured are also mind complete, decide, feedback, review, simulate tick, "
    "consolidate, memory add and extract, and recall --items.",
    49: "Any option that names a file to write, under any name of it: the store, what lies beside "
    "it, another SQLite database, what the command reads, another output, and what settings, "
    "observers and agents name: models, programs of tools and of tasks. A shell's > asks nobody.",
    50: "Patterns, also those of paths, are matched by RE2, which knows no look-around. A check of "
    "arguments ends after 100,000 steps, and a $ref that leads back to the same value is refused.",
    51: "Each name has a log of its own, so that writing under two loses one. Names on the same "
    "machine are counted when a store is opened; one that is made while a worker has it open is "
    "seen by the next that opens it.",
    52: "Two agents in both styles, three humans, observers, an MCP server, a delegated worker, "
    "plans, waits, tickets and decisions, with kills, floods and hostile mail, in simulated time. "
    "At the end nothing is lost, twice or unaccounted for; make month tells what happened.",
    53: "In prompts of both styles, items, evidence, beliefs, recall by speaker, summaries. Who "
    "writes under a name that you trust can say what he wants; and what strangers say about "
    "somebody in their own name still counts against what is held of him.",
    54: "Every command that writes, killed before its writes and at any time. Where it commits in "
    "steps, each is whole; what it printed as done is there, and what it had begun to write into a "
    "file goes when the same file is written again.",
    55: "A reply to the message, or words of whoever is waited for; never somebody else's. A reply "
    "that comes too late is still told with what was asked.",
    56: "Under kills, clocks that jump, and summer time. Times that were slept through come as the "
    "plan's catch-up says; mind plan windows shows each, of many the 100 newest.",
    57: "Every one of a small file, one after the other, before anything of it is taken up. Who "
    "writes the whole file anew writes its seal too: keep the anchor elsewhere, or sign it.",
    58: "Twice, in any time zone and locale, with kills, rewinds, folded windows, stops, "
    "emergencies, tickets, waits, delegated work, observers and both styles. What came from "
    "outside or from people is given as it was; mind-life(7) says which tables that can be.",
    59: "Of cycles by chance, as mind life diff compares them, and to the row where little "
    "happens besides.",
}
"""What each promise means and where it ends, by its number."""

ABOUT_FILES = {
    20: "a server looks after its own pages (pg_checksums, pg_amcheck)",
    31: "what is shown goes through the same door, whatever the store",
    32: "on a server the rights are those of mind store roles; what is copied from it is private",
    33: "on a server what is kept goes through the same hands",
    41: "there is no RECOVERY on a server",
    44: "a server has a write-ahead log of its own",
    49: "no path names a store on a server; what is read is looked for alike",
    51: "a server's store has one name",
    57: "the file of a life is the same wherever that was lived, and is read by the same code",
    59: "the second life of one on a server is in a file, made from a copy of the first in a file",
}
"""Of each promise that is about a store in a file alone, what there is on a server instead."""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "Each promise is shown by a suite of real processes and real files, seeded and repeatable, "
        "that counts what it did, and fails a deliberately broken build of the mechanism. Below "
        "each stand what it means and where it ends, what the last recorded run counted, and by "
        "what the broken builds were found."
    ),
    Text(
        "make promises measures them on your machine, in files and, where the programs of a server "
        "are installed, on one; make promises SUITE=storm one suite, make promises TIER=long with "
        "the nightly counts; make soak is a long life under kills. Broken builds are counted in "
        "files."
    ),
)
_NOT: tuple[Block, ...] = (
    Text(
        "Nothing outside the store happens exactly once. A model call happens at least once: one "
        "that a crash cut off is paid, and made again. For a file, one machine and one file system "
        "is assumed, whose locks work and whose syncs are honest; mind-server(7) says what a "
        "server may lose, and when. mind-security(7) says what is not protected against."
    ),
)


class Proof(Record):
    """What one promise's tests counted, and by what each broken build was found.

    `server` is what they counted on a server, on the day `server_date`; nothing of what is about a
    file alone.
    """

    promise: int
    words: str
    suite: str
    counts: dict[str, int]
    red: dict[str, dict[str, int]]
    date: str
    tier: Literal["everyday", "long"]
    stores: tuple[Literal["file", "server"], ...] = ("file",)
    server: dict[str, int] = {}
    server_date: str = ""


def promises_manual(recorded: bytes) -> Manual:
    """Return mind-promises(7), with a recorded run.

    Raises:
        BadInputError: a line of the recorded run is no proof.
    """
    see = "mind(1), mind-server(7), mind-security(7), mind-life(7), mind-glossary(7)"
    sections = (
        Section(
            "NAME", (Text("mind-promises - what can be relied on, and how that was measured"),)
        ),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("PROMISES", tuple(_promises(recorded))),
        Section("WHAT IS NOT PROMISED", _NOT),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-promises", 7, sections)


def _promises(recorded: bytes) -> Iterator[Block]:
    """Yield every promise of the recorded run."""
    lines = recorded.splitlines()
    if not lines:
        yield Text("No run is recorded here.")
    for number, line in enumerate(lines, 1):
        proof = _proof(line, number)
        yield Term(f"{proof.promise}. {proof.words}", " ".join(_told(proof)))


def _proof(line: bytes, number: int) -> Proof:
    """Read one line."""
    try:
        return msgspec.json.decode(line, type=Proof)
    except msgspec.DecodeError as error:
        fault = Problem(source=RECORDED, line=number, message=str(error))
        raise BadInputError([fault]) from None


def _told(proof: Proof) -> Iterator[str]:
    """Yield what a promise means, where it is kept, what was measured, and what was found."""
    if proof.promise in MEANINGS:
        yield MEANINGS[proof.promise]
    yield _kept(proof)
    suite = f"{proof.suite}{', long tier' if proof.tier == 'long' else ''}"
    yield f"Measured on {proof.date} ({suite}): {words_of(proof.counts)}."
    if proof.red:
        yield f"Broken builds found: {', '.join(proof.red)}."


def _kept(proof: Proof) -> str:
    """Return in which kinds of store a promise is kept."""
    if "server" not in proof.stores:
        because = ABOUT_FILES.get(proof.promise)
        return f"In a file: {because}." if because else "In a file."
    if not proof.server:
        return "In a file and on a server."
    return (
        f"In a file and on a server (there, measured on {proof.server_date}: "
        f"{words_of(proof.server)})."
    )


def words_of(counts: Mapping[str, int]) -> str:
    """Return counts in words, e.g. `100 kills, 0 lost`; `most_tries` is `at most 6 tries`."""
    return ", ".join(_said(count, name.replace("_", " ")) for name, count in counts.items())


def _said(count: int, words: str) -> str:
    """Return one count in words."""
    first, _, rest = words.partition(" ")
    return f"at most {count:,} {rest}" if first in {"most", "longest"} else f"{count:,} {words}"
