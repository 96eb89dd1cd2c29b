"""mind-life(7): how an agent lives: models, tools, loops, workers, the timeline."""

from mindpipe.life.given import GIVEN
from mindpipe_cli.manual.phases_manual import PHASES
from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

_GIVEN = "; ".join(f"{', '.join(one.tables)} ({one.why})" for one in GIVEN)
WITHOUT = """\
mind life import lived.jsonl
mind life fork mara --as unhurt --without ev:mara:34200000000:0
mind life export mara --store unhurt.db > unhurt.life
mind life diff mara unhurt.life --table
mind view mara unhurt.life > two.html"""
"""What a person would have lived had an event never been."""
OBSERVING = """\
cat > observe.yaml <<'END'
observation_points:
  papers:
    - path: "notes/**/*.md"
      observer: notes
      priority_boost: 3
END
mkdir -p notes
mind observe check --config observe.yaml
mind observe --agent ava --config observe.yaml   # the first look remembers what is there
echo "Buy lamp oil." > notes/list.md
mind observe --agent ava --config observe.yaml   # what is new would be taken up
mind run --agent ava --once                      # all that is due, without pauses
mind reflect list --agent ava                    # what it says of itself after each iteration
mind status --agent ava --table"""
"""A folder is watched, and what is new in it is thought about."""

TIMELINE = """\
mind agent set ava --style timeline
mind space post family --as husam "Which oil does the lamp take?"
mind context show --agent ava --table
mind think --agent ava
mind agent set ava --unset style"""
"""One cycle as a timeline, and back."""

MCP_FILE = """\
{"mcpServers": {
  "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."],
            "mindpipe": {"memory_bytes": 2147483648}},
  "far": {"type": "http", "url": "https://example.org/mcp",
          "headers": {"Authorization": "Bearer ${FAR_TOKEN}"}}}}"""
"""Two servers in a file as other programs have it."""

MCP_SERVER = """\
cat > clock.py <<'END'
from datetime import datetime
from zoneinfo import ZoneInfo
from mcp.server import MCPServer

clock = MCPServer("clock")

@clock.tool(description="Tells what time it is in a zone such as Europe/Berlin.")
def time_in(zone: str) -> str:
    return datetime.now(ZoneInfo(zone)).isoformat(timespec="minutes")

clock.run()
END
cat > server.toml <<END
name = "clock"
description = "Tells the time."
command = ["$(command -v python3)", "$PWD/clock.py"]
effect = "pure"
END
mind agent set ava --mcp server.toml
mind agent show ava                       # read what the server says of its tools
mind agent trust add ava --server clock"""
"""A server of one tool, its manifest, and whom it is given to."""

PLANNING = """\
mind plan add --agent ava "Daily report" --cron "0 9 * * 1-5" --zone Europe/Berlin
mind plan due | mind inbox push || true    # printed once, for a pipe; or in one step:
mind plan due --push || true"""
"""A plan, and two ways of putting into the inbox what is due."""

_CRON = """\
PATH=/home/me/mindpipe/.venv/bin:/usr/bin:/bin
* * * * *  cd /home/me/ava && { mind plan due --push; mind think --agent ava; } 2>> ava.log"""
_WORKER = """\
mind run --agent ava --observe observe.yaml
mind status --agent ava --watch
mind view --agent ava > life.html
mind inbox push --agent ava --level 0 --text "Stop what you do: the sump is full."
mind run mode deep_focus --agent ava --reason "the report is due"
mind run timing --agent ava --explain
mind concern add --agent ava report --about keyword:report --share 0.3
mind concern focus --agent ava report
mind alert check --agent ava > firing || mail -s alert me < firing
mind metrics --agent ava --prometheus"""
_TRACED = """\
mind trace export --agent ava > ava.otlp.jsonl
mind trace export --agent ava --after 120 --content --endpoint http://127.0.0.1:4318
mind trace export --agent ava --follow --endpoint http://127.0.0.1:4318"""
_CARRIED = """\
mind life export ava --move > ava.life
mind init --store new.db
mind life import --store new.db < ava.life
mind life verify ava.life"""
_SPACE = """\
SPACE HISTORY ("Family"):
  [msg:o_5Q0…] [2026-06-01T10:00:00Z] Husam (human, id:n_0jB…): "Hello!"  [SEEN]
  [msg:o_1u3…] [2026-06-01T10:06:55Z] Husam (human, id:n_0jB…): "Which oil …?"  [NEW] ← TRIGGER"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "An event is pushed into an inbox, on disk before its id is printed. mind think claims "
        "what is due under a lease, shows a model the agent's context, runs the tools it calls, "
        "and puts the whole turn into the history in one transaction with its acknowledgements, "
        "messages and spend. The next mind run takes over at once what a mind run that died had "
        "begun: it sees that the process is gone. Of mind think, and for a worker that was there "
        "already, the agent is held until the lease ends, a minute. What was answered stays so."
    ),
    Text(
        "The request is a frozen head, what changed, then the events of this cycle. What was sent "
        "stays a byte prefix of what is sent next, so that the provider's cache holds; mind "
        "context show --cycle N gives back the bytes that were sent. Cycles that have left the "
        "window come back whole at the end of a request where they bear on what came: where the "
        "words they share with it single them out (at most three, in 40 % of "
        "memory.allocations.retrieved_memories). Behind them stand the items and lessons of memory "
        "that share a word with it and are not in the window: what happened in what is left of "
        "that part, what is so in 32 %, what to do in 12 %."
    ),
)
_TALKING: tuple[Block, ...] = (
    Text(
        "mind ask says something to an agent in a space of the two of you (mind ask --in-space "
        "names another), lets it think until it has taken that up, and prints what it says to "
        "that; the exit status is that of mind think. What you say is on disk before the model is "
        "asked: where the command is killed, the next mind think answers it. Whoever is new in "
        "the store is trusted from then on, since he runs its commands; somebody who is known "
        "already is not (mind agent trust add). Where another worker thinks for the agent, that "
        "one is waited for."
    ),
    Sample(
        """\
mind ask --agent ava "Is the lamp lit?"
mind ask --agent ava "What is wrong here?" --attach photo.png --attach manual.pdf
git log -20 | mind ask --agent ava - > answer.txt
mind chat --agent ava"""
    ),
    Text(
        "--attach FILE, which may be given again, lets a file go along with what is asked (so does "
        "mind inbox push --attach, /attach FILE in mind chat, and mind complete --attach). What it "
        "is is told by its bytes, whatever it is called: PNG, JPEG, GIF, WebP and PDF are sent as "
        "the API has them, UTF-8 text stands quoted below the words; everything else is refused. "
        "An image has at most 3.75 MB and 8,000 pixels a side, a PDF 20 MB and 100 pages without "
        "a password, a text 1 MiB; 20 files, 20 MB and 100 pages go along at once. Of a longer "
        "life a request has as many, the newest (in the timeline style those of its own cycle); "
        "the others are named in it. Files are kept in "
        "the store under their hash. History, trace and page show name, kind, size and hash; "
        "where a cycle leaves the window, that line stays and the bytes go. An image is counted "
        "by its pixels and a PDF by its pages, as the providers say (Anthropic: a token for each "
        "28 x 28 pixels, up to 4,784; OpenAI: tiles of 512 or patches of 32 pixels), by what is "
        "dearest where that depends on the model. A file is trusted as its event is, and nothing "
        "is remembered out of it by itself."
    ),
    Text(
        "mind chat is a conversation of such turns. A line that begins with a slash is any other "
        "command of mind about this agent: /tickets decides what waits, /memory and /beliefs list "
        'what it remembers and holds true, /recall "the lamp" asks its memory. Ctrl-C stops an '
        "answer; what you had said is heard with what you say next. mind space read shows it all "
        "afterwards. What you type is kept in $XDG_STATE_HOME/mindpipe/chat_history."
    ),
)
_MODELS: tuple[Block, ...] = (
    Text(
        "--model, or mind agent set NAME --model for good, says who thinks. mind agent set NAME "
        "--fallback MODEL names a second one for when the first is failing. mind think --dry-run "
        "prints the request of a due event and spends nothing."
    ),
    Term(
        "anthropic/NAME, openai/NAME, openai-responses/NAME",
        "A provider, with its key: the variable ANTHROPIC_API_KEY or OPENAI_API_KEY, else what "
        "mind models key set anthropic keeps, in the keyring of the desktop (with the extra "
        "keyring) or in the private file keys.json beside your settings. The file is refused where "
        "others can read it. Tools and program: models are given no key; what you let run as "
        "yourself without a sandbox can read your files, though, so that a keyring is better.",
    ),
    Term(
        "NAME",
        "A name that you gave a model: mind models alias set fast anthropic/claude-haiku-4-5. An "
        "agent keeps the model that it means when it is set.",
    ),
    Term(
        "openai/NAME with OPENAI_BASE_URL",
        "Any server that speaks the same API; it needs nothing else.",
    ),
    Term(
        "program:PATH",
        "A program that reads a request on stdin and prints an answer; mind schema request and "
        "mind schema answer say what these are. A file in it has its bytes as base64 under data.",
    ),
    Term(
        "replay:FILE",
        "The turns that --record FILE wrote down, again. A request that was not recorded is an "
        "error, so that a life can be repeated without a network.",
    ),
    Term("PLUGIN/NAME", "A model that another installed package adds; see mind-python(7)."),
    Text(
        "mind complete asks any of them directly: one text, or a request on each line. With "
        "--stream the answer is printed as it comes. With --schema it is JSON that fits a schema, "
        "or the status is 65; a program is passed the schema as schema in its request. Money is "
        "reserved before a call of an agent and settled after it; caps hold across workers (mind "
        "agent set --day-micros)."
    ),
    Sample(
        """\
git diff | mind complete --stream --system "Write a commit message for this."
mind complete "How old is Ada Lovelace in 1843?" --schema '{"type": "integer"}'"""
    ),
)
_TOOLS: tuple[Block, ...] = (
    Text(
        "A tool is an executable that reads its arguments as one JSON object, and a manifest in "
        "TOML: name, description, command, effect, input_schema. mind agent set NAME --tool "
        "FILE gives it to an agent. mind schema tool has every field. Patterns of input_schema "
        "are those of RE2, without look-around and back references, so that none takes long; what "
        "takes more than 100,000 steps to check is refused."
    ),
    Term("effect = pure", "It only reads. It is run again after a crash."),
    Term("effect = idempotent", "Repeating it leaves the same state. It is run again."),
    Term(
        "effect = keyed",
        "The receiver refuses a key it has seen. It is run again with the same IDEMPOTENCY_KEY.",
    ),
    Term(
        "effect = unsafe",
        "Anything else, and the default. It runs at most once; a call that was under way in a "
        "crash is told as unknown, and a ticket waits for you in mind ticket list.",
    ),
    Text(
        'An argument can stand in the command as a word of its own (command = ["./weather", '
        '"{town}"]); one that begins with - is refused. timeout, cpu_seconds, memory_bytes, '
        "file_bytes, open_files and sandbox bound a tool; nothing of it outlives its call or its "
        "worker. A tool works in an empty folder that is gone after the call: write what should "
        "stay under a full path."
    ),
    Text(
        "mind agent set NAME --mcp FILE gives an agent the tools of MCP servers, with the extra "
        "mcp installed (pip install '.[mcp]'). FILE is .mcp.json, or any file with "
        "mcpServers, as other programs have it: command, args, env and cwd for a server over "
        "stdio, url and headers for one over streamable HTTP, ${VAR} and ${VAR:-words} in all of "
        "them. The variables are read when the server is called, where the agent lives, and no "
        "value of them is kept; what stands in the file itself is kept in the store, so write "
        "${VAR} for what is secret. A life file has no value of env and headers that stands there: "
        "where the life goes on, the same command gives them again. A server is started in the "
        "folder of the file, or in cwd from there, with your PATH and a HOME of its own (yours "
        "with env HOME ${HOME}). It is greeted by the handshake, in which every server can ask "
        "for input in a call, and one that knows none by the discovery of the modern protocol. A "
        "key mindpipe beside them may set effect, labels, timeout and limits of a server:"
    ),
    Sample(MCP_FILE),
    Text(
        "A manifest of ours does the same for one server over stdio. It needs a name, a "
        "description and the command that starts the server, by whole paths; its effect holds for "
        "every tool of it, and what it lets the server see of the environment stands in "
        "environment. Read the tools in mind agent show, then trust them with mind agent trust add "
        "NAME --server SERVER. mind-security(7) says when a call waits for you."
    ),
    Sample(MCP_SERVER),
    Text(
        "A worker keeps one process or connection for each server as long as it lives (mind run, "
        "or one mind think); a call while another is under way, and tools with cpu_seconds, start "
        "it once more. So a server that stays does not see IDEMPOTENCY_KEY; give cpu_seconds where "
        "it needs that. Before each call the server is asked for its list: one that says anything "
        "else of its tools than it did is not called. One that dies in a call leaves its outcome "
        "unknown. A call that takes longer than timeout, or that you stop, is cancelled, and the "
        "server told so. How far it says that a call is stands on the terminal or in the log, at "
        "most once a second. A picture or PDF of an answer is seen by the model as one that goes "
        "along with mind ask; it and other octets are kept in the store under the hash that the "
        "answer says, as are those of a call that waited for you, with the event that tells of it. "
        "Of octets that no API takes the model reads name, kind, size and hash. A structured "
        "answer is kept as a value (json of the result in mind history show), and the model reads "
        "it as JSON. "
        "memory_bytes (1 GiB) bounds what a process really uses, not what it reserves, so Node "
        "runs; where it is passed the answer says so."
    ),
    Text(
        "What a server asks for in the middle of a call becomes a ticket: the call ends, and mind "
        "ticket show has the question and the schema of an answer. mind ticket approve ID --hash "
        'SHA256 --args \'{"name": "Jo"}\', or edit in mind ticket review, answers it: the next '
        "worker runs the whole call again, and the server gets the answer where it asks the same, "
        "in the same words. Where the tool is unsafe the ticket says that its first run may have "
        "done something before it asked, which is then done twice. A server that asks for more "
        "waits again under the same ticket. Other kinds of question, such as a page to open, and "
        "those of agents in files, are declined, and the answer says so; sampling and roots are "
        "not offered."
    ),
    Text(
        "Of the built-in tools a new agent keeps chat; --tools minimal or full, --with-tool and "
        "--without-tool choose others. What it cannot use is not offered: how to speak where it is "
        "in no space, how to report where nobody gave it a task."
    ),
)
_CRONS: tuple[Block, ...] = (
    Text(
        "mind think ends with 3 when nothing is due, so that a loop ends by itself, with the "
        "status of what went wrong if something did:"
    ),
    Sample("while mind think --agent ava; do :; done"),
    Text(
        "A plan is a cron line, one instant, or a time from now. mind run fires it within a second "
        "of its time, also while a cycle is under way; without a worker, mind plan due does it."
    ),
    Sample(PLANNING),
    Text(
        "Two crons at once do the work once, and a window that was slept through is done once. "
        "With --expect post:SPACE, note:KEY, file:PATH or command:LINE a window counts only "
        "once that is there (a plan that an agent makes may expect a file below plans.folders "
        "alone, and no command): what fails is told to the agent and in mind status, raises the "
        "alert missed_windows, and mind plan retry hands it over again. Agents that answer each "
        "other are braked by --day-micros and by you."
    ),
    Sample(_CRON),
    Text("A Makefile can drive a life too: fixtures/lives/family has one, over store and files."),
)
_WORKERS: tuple[Block, ...] = (
    Text(
        "mind run is a worker: it lives an agent until it is told to stop, one iteration after the "
        "other. Each iteration observes, thinks, decides, acts and reflects, and each of these is "
        "a command of its own, also in a pipe (see below). Several --agent live each in a "
        "process of its own under one parent, so that none waits for the model of another; with "
        "--together they take turns in one."
    ),
    Sample(_WORKER),
    Text(
        "SIGTERM ends it cleanly, with status 0; kill -9 loses nothing. Of several agents one that "
        "fails or is killed ends all, with another status, so that whatever keeps them starts all "
        "anew: until mind run --agent ava; do sleep 5; done, or a unit of systemd with "
        "Restart=on-failure. An emergency (--level 0) closes the model "
        "call that is under way. Something urgent begins at once; nothing waits longer than "
        "attention.longest_wait_seconds behind what is more urgent, emergencies apart. mind "
        "concern focus first keeps what was done for the old focus."
    ),
    Term(
        "modes",
        "Normal, deep focus, exploration (nothing waits), overload (much waits: a few at a time, "
        "the most urgent first, without pauses), sleep, recovery (after a crash). How long a loop "
        "pauses and what it takes up depends on them.",
    ),
    Term(
        "observers",
        "Tell of folders, git, processes, plans, programs that print JSON Lines, and signed "
        "requests of services on loopback; as filters too: mind observe files --config "
        "observe.yaml | mind inbox push --stream --agent ava. See mind-observe.yaml(5).",
    ),
    Term(
        "decisions",
        "An agent may propose instead of acting. By how sure it is, a proposal is done, done and "
        "kept to be undone, suggested to you (mind decision list, approve, reject, undo), or sent "
        "back.",
    ),
    Term(
        "tasks",
        "Work for a program or another agent (mind task). Lost work is sent again under the same "
        "key, or handed to you.",
    ),
    Term(
        "rhythms",
        "Every 20 cycles or after 5 idle minutes the window is folded and memory consolidated; "
        "once a day the agent looks back on itself, and what has faded from its memory is set "
        "aside. Patterns over many iterations (stuck, "
        "oscillating, ineffective, overloaded) change what it does next: mind reflect patterns.",
    ),
    Term(
        "a failing model",
        "While a provider is down nothing is lost and each try is logged, so that the status and "
        "alerts tell of it. A model that fails ten times in a row by itself pauses its agent, with "
        "a ticket, before the inbox dies.",
    ),
    Text(
        "mind config template > mind.toml writes every setting with what it does, mind config "
        "check reads it."
    ),
    Sample(OBSERVING),
)
_TIMELINES: tuple[Block, ...] = (
    Text(
        "By default an agent's life is shown to it as one continuous talk. In the style timeline "
        "it is shown as a timeline instead, made anew for each cycle: who it is, why it is awake, "
        "what was said where and by whom, what is new to it. While something is due, mind "
        "context budget shows how the window is divided, and what does not fit."
    ),
    Sample(TIMELINE),
    Sample(_SPACE),
)
_WAITING: tuple[Block, ...] = (
    Text(
        "An agent that sends a message with wait ends its process. A reply to it, any message of "
        "the member whom wait_for names, or five minutes (context.wait_seconds, or the message's "
        "own wait_minutes) wake the same trigger run, marked RESUME where it goes on. Where nobody "
        "is named, the only other member's message does so too; among several only a reply, or "
        "with --wait-any (context.wait_any) any message. A reply that comes late begins a run that "
        "is told what was asked and why. Whoever waits is marked to those who read it. mind run "
        "list, show and cancel are about trigger runs."
    ),
    Text(
        "What is said by agents to agents carries how deep in a chain it is: at "
        "context.max_chain_depth (5) nobody answers any more. mind space set NAME --respond-limit "
        "1 lets one agent answer a message."
    ),
)
_STORE: tuple[Block, ...] = (
    Text(
        "The store is one private SQLite file (WAL, synchronous FULL). Read it with mind store "
        'query or sqlite-utils query mind.db "select ..."; copy it with mind store backup, or with '
        "mind store datasette DIR for Datasette, which shows it in a browser. The SQLite of any "
        "distribution from 3.40 on reads all its tables. Only mind should write it, since an older "
        "SQLite can lose what lies in the log of writes; mind itself does nothing on such a "
        "one. What was lived and believed is kept by triggers from any program that would change "
        "or delete it. Nothing hinders a program from adding rows or tables: a guard would be "
        "three triggers on each of the tables, which double the time that a written row takes "
        "and add half to that of opening a store, and which any program can drop. mind store "
        "check tells of a SQLite that wrote it last and can lose data, and of tables that are not "
        "ours. mind init --page-checksums lets no flipped bit pass unseen. A store "
        "with a second name (a hard link) is read and not written, since each name has a log of "
        "its own; so is one on "
        "read-only media."
    ),
    Text(
        "A store that was found damaged, was restored or crashed too often is only read "
        "(RECOVERY): writing ends with 74 or 75 until mind store recover finds it sound. Its "
        "--salvage NEW saves what can be read. Damage is found where a command meets it. Opening a "
        "store of up to 4 MiB for writing looks at its structure, and mind store check and recover "
        "look at all of any store: run that after trouble with a disk."
    ),
    Text(
        "History is append-only, hash-chained, and valid for four APIs after every commit. What a "
        "form cannot carry is counted on stderr at export."
    ),
)

_LIVES: tuple[Block, ...] = (
    Text(
        "mind life export writes all that is of one agent into one file: history with the raw "
        "replies, inbox, plans, goals, notes, memory, beliefs with their evidence, tickets, spend, "
        "settings, the spaces that it is in, and what each transaction changed. It is JSON Lines "
        "under gzip (gunzip -c ava.life | jq reads it): a manifest, the rows of each table with "
        "their hash, and a seal of all octets. It is not encrypted: pipe it through age, and sign "
        "it with ssh-keygen -Y sign. Leases, indexes and what is observed on this machine stay."
    ),
    Sample(_CARRIED),
    Text(
        "With --move the life rests in this store from that moment, and nothing of it can be "
        "changed here; it goes on where the file is imported. Import it once: two stores that "
        "take up the same file cannot know of each other. Until it is back, the same command "
        "writes the same file; imported into the store that it left, that file lets it go on "
        "there. One that has lived on elsewhere comes home in the same way: mind life export "
        "--move there, mind life import here. It comes in the place of what it left, if the file "
        "is of a later move and holds, or left behind as it went back, the last message of then; "
        "any other file is refused. What it said elsewhere in a space is there too, unless others "
        "spoke, came or went in that space here meanwhile: then the space is as they left it. A "
        "copy, made without --move, rests where it is imported. In a space of which a member has "
        "moved away the others talk on; nothing of it reaches that member. Parts may be left out "
        "of a copy alone (--without): what a life lacked as it came is named in each later file of "
        "it."
    ),
    Text(
        "An import brings all or nothing; on a server only octets of one that was refused late may "
        "stay, to which nothing points. It refuses a file of which a bit has changed, and says "
        "between which octets and at which row of which table that is; also rows of "
        "another agent, octets under a wrong hash, and a file of another schema. What others share "
        "stays as it is: in a space of the same name the agent is let in, and nothing is posted. "
        "Who writes a whole file anew writes its seal too: keep the anchor of mind life verify "
        "elsewhere, or sign the file."
    ),
    Text(
        "The store keeps what each transaction changed (table change), so that a life can be shown "
        "as it was when a cycle ended: mind life export --at, fork --at, and NAME@CYCLE for diff. "
        "That is known for cycles lived since the store has this table; of cycles imported at "
        "once, for the last. Of spaces, what was taken out since is not brought back."
    ),
    Text(
        "Each cycle keeps what it heard from outside beside what it commits: instants, the boot "
        "clock, ids and numbers that were drawn, replies of models with their own bytes, prices, "
        "how programs ended, vectors, stops, what others had done by then, how it was set up, and "
        "with which versions (Python, SQLite, Unicode, time zones, what counts tokens and asks "
        "models); a replay or import says which of them are others here. mind life replay lives "
        "the life again from that alone, by the program of today: of all that was made since its "
        "record begins only the messages are kept, to be held against, and every cycle is lived "
        "once more. Nothing is sent, run, spent or waited for. Each request to a model, what was "
        "recalled with which scores, each message and each row that a transaction makes has to be "
        "the same as then; the first that is not is printed with its cycle, operation and "
        "transaction, and a diff of the prompt, with status 1. In the CI of a project it tells "
        "what a new version of mindpipe changes in lives that were lived; tools are offered by the "
        "manifests that they had then."
    ),
    Text(
        "Done again are cycles (mind think, run, ask, chat), with their tools and the files to "
        "which an index leads, compaction and what was approved before them; changes of a window "
        "by mind compact; consolidations, where a model that words claims is asked the same and "
        "answers as it did; and all that is done by rules: what mind run writes of itself "
        "(iterations, changes of mode, attention, patterns, reflections, days), what was decided "
        "and done of it, plans that came due and what they came to, beliefs that were looked at "
        "again, memory that was set aside, and what followed from taking something back (mind "
        "memory revoke, retract), plans of mind plan due --push, and what mind memory extract "
        "found by the strict reader."
    ),
    Text(
        "Given as they were, and not made again, is what comes from outside. given_rows of the "
        f"record says how many rows of which tables that were. It can be {_GIVEN}; and all of a "
        "cycle that an earlier "
        "mindpipe lived, or that was lived in the midst of another one (given_cycles). When a loop "
        "looked, how long a phase took, and what it knew then is recorded with each of its rows, "
        "as what was heard. All columns of all tables of a life are compared but one: the number "
        "of a message, which the store counts for all its agents. Indexes of words and vectors are "
        "made anew from other rows; the log of changes says where that of words was, as a life is "
        "recalled by other ranks from there on. What "
        "an operation heard is kept with what it commits: one that was killed, or that only looked "
        "at something after its last commit, is done again up to there (cut). What a rewind left "
        "is lived again too. The operations that are recorded are counted: one that was taken out "
        "of the record leaves a gap, which is told as a difference (record)."
    ),
    Text(
        "mind life replay --rules today asks what would be otherwise by the rules of this program: "
        "each operation is done again from what was recorded before it, whatever came out of the "
        "one before. Of each the rows are listed of the first transaction that comes out "
        "otherwise: what would be believed (observation), folded (compaction), recalled or asked "
        "(prompt), then and now. It ends with status 0."
    ),
    Text(
        "mind life fork makes a second life with the past up to a cycle, in a store of its own: "
        "nothing that it does reaches anybody in this one. That file is whole, so that the other "
        "may be moved, redacted or deleted: of 10,000 cycles it is made in 0.8 to 1.2 s of a core, "
        "the longest where half of them or more stay. --as names it; the agent in it keeps its "
        "name, which is in the hash of each of its messages. It has a cap of its own (a dollar a "
        "day, or --day-micros). No tool of it that has effects outside runs unasked: the same call "
        "(the same tool, manifest and arguments) as in the other life is answered as it was there, "
        "with the next answer that came after the fork and was not given yet, else with the last "
        "one there is, and is told that this is from the record and that nothing ran; of any other "
        "call a person is asked, also where a ticket was approved that has not run. Tasks that "
        "others work on, and decisions that would run, are left to the other life. With --effects "
        "all that goes on. With --without SOURCE it is as if nothing had come from there: its past "
        "ends with the last cycle before one took in words of the source, whatever that cycle "
        "heard beside them, since what followed cannot be told apart. What services, observers and "
        "people had pushed from then on, and not the source, waits in its inbox in the same order, "
        "so that mind run lives on from there; its own doings since (notes, plans) are gone, and "
        "so is what was said in spaces (mind ask, mind chat) or given to its memory meanwhile: say "
        "it again there. With --belief ID=VALUE an observation says something else there, as "
        "if a person had corrected it. mind life diff says where two lives part, and what differs "
        "in settings, goals, plans, notes, beliefs, memory, summaries, decisions, tickets, events, "
        "cycles, prompts (by the hash of the whole request) and spend; they part at the first "
        "message of other words, whatever their ids and instants."
    ),
    Text(
        "A person of the store has a life of the same kind. Its file has all of its ticks, and for "
        "each until when it went, with whose voice, what happened in it, and what its model "
        "replied to which request (by its SHA-256). mind life replay mara lives them again, from "
        "the first state that is known: each thought, memory, state and version of who it is, and "
        "the hash of each request to its model, has to be as it was. So do the lines of mind "
        "simulate run, where words are given at their instants; lines of salience, observations "
        "and charts are for readers, and are not compared. mind life fork mara --at 2d16:00 --as "
        "eva lets a second one part at an instant, which lives on with mind simulate run --store "
        "eva.db; what waited in the inbox comes along, and what spaces hold is as it is now. With "
        "--without EVENT (an id of mind store export person_event) that week is lived again as if "
        "the event had never been: what its model replied to the same request, to the byte, is "
        "taken from the record; else its voice, or --model, is asked, for a dollar in all or "
        "--day-micros, each call counted as the most that it may cost, and the composed voice "
        "speaks where that is spent. A fork lives its past again from its first state, in the time "
        "that takes: the rows of a person are in no log of changes, so that how they were at an "
        "instant follows from living up to it alone. Ticks of before the store kept how they were "
        "lived cannot be lived again; what came after can."
    ),
    Text("With the files of the example of mind-person(7), the same day without the fall:"),
    Sample(WITHOUT),
    Text(
        "mind life verify proves a life from its file alone: seal and chain, each window, each "
        "quotation at its place in the log, and of each belief how it ever stood: its components "
        "and confidence are counted again from the evidence that was linked by then, its status "
        "has to follow from the one before and from what was decided, and the weights and the "
        "margin of each decision from the evidence for both values. Lines that mind simulate run "
        "printed of a person have no seal: they are proved by living them again."
    ),
    Text(
        "mind life rewind lets a life go back to the end of a cycle, in one transaction: what was "
        "said, inbox, memory, beliefs, plans, goals, notes, window, runs, decisions and tickets "
        "are as they were then. What people have set of the agent stays, and so does what they "
        "took back of its memory meanwhile (mind memory revoke, retract) or redacted. Of the "
        "spaces that others share nothing goes back, since others saw it: what it had posted is "
        "marked (taken_back in mind space read). Nor does what tools did, tasks that were given "
        "out, or the files that observers have seen; each effect is named. Money spent stays "
        "counted (of cycle 0, until that is taken up again). An event that came since is not heard "
        "again, and may be pushed again under its key. What a rewind leaves stays in the log of "
        "changes: mind life rewind --list numbers the rewinds from 1, each with the last cycle "
        "that both ways have (parted), and --branch takes up what one of them left, which is a "
        "rewind too. It is also written by mind life export --branch as a life file, for mind life "
        "diff, mind life replay and mind view, or to go on in another store (mind life import). To "
        "take it up here is refused where others have rows under its numbers meanwhile, and where "
        "a cycle was under way in it that has gone on here since. A call that was approved and ran "
        "is not run again. /undo in mind chat goes back to before the last exchange."
    ),
    Text(
        "Secrets are taken out of words before these come into a life (see mind-security(7)). One "
        "that came in all the same is taken out by mind life redact, which reads it from the "
        "terminal or from stdin, wherever the life has it, also as JSON in JSON and in what is "
        "recorded for replay; what is encoded otherwise is not found. A mark of the same length "
        "stands for it. Octets that held it have another hash then, by which all rows name them. "
        "The chain keeps its hashes: the anchor that was kept still holds, and of the messages "
        "that are noted as redacted only the place is proved. A replay goes on past operations "
        "that come out otherwise since, and says how many; that of a person ends where what was "
        "redacted makes the first difference."
    ),
)

_TRACES: tuple[Block, ...] = (
    Text(
        "mind trace export prints each cycle that ended as spans of OpenTelemetry, one request of "
        "its protocol (OTLP, an ExportTraceServiceRequest in JSON) a line, or sends them to a "
        "receiver with --endpoint. An address without a path gets /v1/traces; headers such as a "
        "key are read from OTEL_EXPORTER_OTLP_HEADERS (name=value,name=value). With --follow it "
        "goes on with each cycle as it ends. OpenTelemetry has no span without an end: of a cycle "
        "that is open mind status --watch tells."
    ),
    Sample(_TRACED),
    Text(
        "The names are those of the semantic conventions for generative AI, version 1.41.0, to "
        "which schemaUrl points: of a cycle there is a span invoke_agent NAME, under it chat MODEL "
        "for each question to a model with all its attempts, and execute_tool NAME for each call. "
        "What the conventions have no name for is under mindpipe.: outcome, trigger and events of "
        "a cycle, cost in millionths of a dollar and how certain it is, the state and the ticket "
        "of a call, the hash of the exact request. error.type is failed for a cycle; abandoned, "
        "lost or void for a question; and for a call its state."
    ),
    Text(
        "What was said, arguments and results are left out without --content; only why a cycle "
        "failed is in the status of its span. With it a question has what its cycle held until "
        "then; mind context show prints all that was sent."
    ),
    Text(
        "Ids are hashes of the agent, the cycle and the hash of its first message in the chain, "
        "and only what no longer changes is exported: a second export has the same bytes, so that "
        "nothing is lost or doubled where one is sent again. Times are those of the history, in "
        "whole seconds; mindpipe.cycle.milliseconds is what was measured."
    ),
)


def life_manual() -> Manual:
    """Return mind-life(7)."""
    see = "mind(1), mind-think(1), mind-run(1), mind-memory(7), mind-security(7), mind-glossary(7)"
    sections = (
        Section("NAME", (Text("mind-life - how an agent lives: models, tools, loops, workers"),)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("TALKING", _TALKING),
        Section("MODELS", _MODELS),
        Section("TOOLS", _TOOLS),
        Section("A LOOP, AND CRON", _CRONS),
        Section("A WORKER", _WORKERS),
        PHASES,
        Section("THE TIMELINE", _TIMELINES),
        Section("WAITING FOR A REPLY", _WAITING),
        Section("ONE LIFE IN ONE FILE", _LIVES),
        Section("TRACES", _TRACES),
        Section("THE STORE", _STORE),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-life", 7, sections)
