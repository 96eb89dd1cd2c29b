"""mind-observe.yaml(5): what observers are told to look at, key by key, with an example."""

from collections.abc import Iterator

from mindpipe.observers.rules import ALWAYS_IGNORED, boost_words, ending_words
from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

EXAMPLE = """\
agent: ava
root: vault
observation_points:
  knowledge_system:
    - path: "knowledge/philosophy/**/*.md"
      observer: KnowledgeObserver
      events: [file_created, file_modified, file_deleted]
    - path: "knowledge/philosophy/debates/*.md"
      observer: DebateObserver
      events:
        - debate_started
        - debate_concluded: {field: status, is: concluded}
      priority_boost: 2
    - path: "knowledge/philosophy/thoughts/**/*.md"
      observer: ThoughtObserver
      events:
        - thought_seeded
        - thought_evolved
        - status_changed: {field: status}
  index_system:
    - path: "indices/**/*.yaml"
      observer: IndexObserver
      events:
        - index_updated
        - structure_changed: [created, moved, deleted]
      priority_boost: 3
  intake_system:
    - path: "_input/*"
      observer: IntakeObserver
      events: [new_file_arrived]
      priority_boost: 4
    - path: "_intake/pending/*"
      observer: IntakeObserver
      events: [processing_required]
  memory_system:
    - path: "knowledge/**/memory.md"
      observer: MemoryFileObserver
      events:
        - memory_stored: [created, modified]
        - feedback_provided: {on: [modified], field: feedback}
      priority_boost: 5"""
"""A folder of notes, as the tests observe it."""

OTHERS = """\
git:
  - observer: Notes
    path: vault
processes:
  - observer: Build
    command: [make, -s]
programs:
  - observer: Sensor
    command: [./sensor, --json]
http:
  observer: Shop
  port: 8787
  secret_file: shop.secret"""

_SIGNING = """\
time=$(date +%s) key=order-17 body='{"text":"Order 17 was paid."}'
sign=$(printf %s "$time.$key.$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-64)
curl -H "X-Mind-Time: $time" -H "X-Mind-Key: $key" -H "X-Mind-Signature: sha256=$sign" \\
  --data-binary "$body" http://127.0.0.1:8787/events"""


def observers_manual() -> Manual:
    """Return the page of the files that say what to observe."""
    sections = (
        Section("NAME", (Text("mind-observe.yaml - what mind observe and mind run look at"),)),
        Section("DESCRIPTION", tuple(map(Text, _DESCRIPTION))),
        Section("KEYS", tuple(Term(*pair) for pair in _KEYS)),
        Section("OBSERVATION POINTS", tuple(_points())),
        Section("EXAMPLE", (Sample(EXAMPLE),)),
        Section("OTHER OBSERVERS", (Sample(OTHERS), *(Term(*pair) for pair in _OTHERS))),
        Section("SERVICES", (*map(Text, _SERVICES), Sample(_SIGNING))),
        Section("DELIVERY", tuple(map(Text, _DELIVERY))),
        Section("SEE ALSO", (Text("mind-observe(1), mind-run(1), mind-records(5)"),)),
    )
    return Manual("mind-observe.yaml", 5, sections)


_DESCRIPTION = (
    "A file in YAML, named by --config or by the setting observe.config, which mind run observes "
    "by as well. mind observe check reads it and names every fault with its line. Paths are below "
    "the folder that the file is in. Plain values only: no anchors, aliases or tags.",
)
_KEYS = (
    ("agent", "Into whose inbox, where nothing below says another and --agent none."),
    (
        "root",
        "The folder that observation points are below, with all its folders; links are not "
        "followed.",
    ),
    ("ignore", f"Patterns of what is passed over, besides {', '.join(ALWAYS_IGNORED)}."),
    (
        "debounce_ms",
        "A change is told once nothing moved for so long, 500 unless it says "
        "otherwise; where it never rests, after ten times as long.",
    ),
    (
        "rescan_seconds",
        "So often everything is looked at even if nothing was heard, 60 unless it says otherwise.",
    ),
    (
        "initial",
        "With report, what is there at the first look is told as created; with remember, "
        "which is usual, it is only remembered.",
    ),
    (
        "state_persistence",
        "Read and ignored, with a note that says so: the store keeps all state.",
    ),
)
_OTHERS = (
    (
        "git",
        "New commits, each once, and refs that were made, deleted, forced elsewhere (ref_reset)"
        " or moved to commits that are known (ref_moved); HEAD is one while it is on no branch. "
        "every_seconds is how often to look where nothing was heard, 5 unless it says otherwise.",
    ),
    (
        "processes",
        "A pid that runs, of which the end is told, or a command to run, of which the "
        "exit status is told as well.",
    ),
    (
        "programs",
        "A command that stays; each line it prints is an event as mind inbox push reads "
        "it. It is started again when it ends, after 1 s at first and 60 s at most. A line with a "
        "key is one event however often it is printed; one without is a new event each time. Where "
        "the observer is killed, lines that it had not stored are gone unless the program prints "
        "them again: let it do so, with keys.",
    ),
    (
        "http",
        "An endpoint on 127.0.0.1. The secret, of 16 bytes or more, is in the variable "
        "secret_env or in secret_file, which others may not read. max_bytes (1 MiB) and "
        "skew_seconds (300) bound a request, and request_seconds (30) how long it may take to "
        "come. 64 are read at once; where more come, the one that has been read for longest is "
        "told 503, so that those who drip keep nobody out.",
    ),
)
_SERVICES = (
    "POST /events takes up to 1000 events, one on each line. X-Mind-Signature is sha256= and the "
    "HMAC-SHA256 in hexadecimal of X-Mind-Time, a dot, X-Mind-Key, a dot and the body; the time is "
    "in seconds since 1970. An event without a key gets that of the request, a colon and its line.",
    "200 is answered after the commit, with receipts; the same request again gives 200 and changes "
    "nothing. 400 is no event, or a head that lacks one of the three, 401 wrongly signed or too "
    "old, 404 another path, 409 a key that was another's, 413 too long, 503 no room: send it "
    "again later. Every answer is JSON.",
)
_DELIVERY = (
    "With --deliver, by mind observe alone and in mind run, what was seen and the events of it are "
    "one transaction: whatever is killed and when, each change is told once. What happens while "
    "nobody looks is told at the next look; of several changes of one file in between, the sum. A "
    "change that an inbox has no room for is told when it has. A file that is saved under another "
    "name and then renamed is modified once. A file moved if its inode and its content are those "
    "of one that is gone. Files over 64 MiB are told from one another by size and times.",
    "Words of others never become the operator's: the source of an event is observer: and the name "
    "of the observer, so what an agent does after it is held like anything a stranger wrote, "
    "unless it trusts that source (mind agent trust add AGENT --observers).",
)


def _points() -> Iterator[Block]:
    """Yield what an observation point may say."""
    yield Text(
        "Under any names, lists of points. A change of a file is one event, however many "
        "points the file belongs to."
    )
    yield Term(
        "path",
        "A pattern: * and ? stay within a name, ** goes over folders, [...] is one of some signs.",
    )
    yield Term("observer", "The name of who tells it.")
    yield Term(
        "events",
        "Names of what is told; without any, every change. The last word of a "
        f"name says the kind: {'; '.join(ending_words())}. Any other needs its kinds: name: "
        "[created, moved]. With a field, only where the first line FIELD: VALUE of the file "
        "has another value than before, and with is, this one.",
    )
    yield Term("priority_boost", f"The priority of its events: {boost_words()}.")
    yield Term("agent", "Into whose inbox.")
