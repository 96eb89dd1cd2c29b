"""mind-server(7): a store on a PostgreSQL server, and by what its writers are held apart."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text
from mindpipe_cli.manual.server_commands import SERVER_COMMANDS, OnServer

_BEGINNING = """\
pip install '.[postgres]'                 # in mindpipe's folder: the driver
export MIND_STORE='postgresql://worker@db.example/fleet?sslmode=verify-full'
mind init --agent ava                     # makes the schema mindpipe in that database
mind agent set ava --model anthropic/claude-haiku-4-5
mind inbox push --agent ava --text "Good morning"
mind run --agents '*' --jobs 4            # on any machine: four who live whoever is due
mind doctor                               # what is wrong with the server, and what to do"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "A store is one SQLite file unless its name is the address of a PostgreSQL server, 15 or "
        "newer: then it is a schema of a database there, and commands on any number of machines "
        "share it. A file stays the default, and what a file does it does as before. "
        "mind-machines(7) says when one is too small."
    ),
    Sample(_BEGINNING),
)
_ADDRESS: tuple[Block, ...] = (
    Term(
        "postgresql://USER@HOST:PORT/DATABASE?schema=NAME",
        "As PostgreSQL's own programs take it, with its parameters (sslmode, connect_timeout, "
        "target_session_attrs, ...); what is left out comes from PGHOST, PGUSER and so on, or a "
        "service. schema is ours: the store's schema, mindpipe without it. A database can hold "
        "many stores.",
    ),
    Term(
        "passwords",
        "Never in the address, which everybody on the machine can read: that is refused. They come "
        "from ~/.pgpass (mode 0600), a service file, or PGPASSWORD.",
    ),
    Term(
        "who may what",
        "mind store roles prints the SQL for an owner, a worker and a reader. A login is held by "
        "its own rights alone: mind store query asks as the reader, but whoever logs in as a "
        "superuser can leave that role within a question, so let strangers ask with a login that "
        "is a reader. Roles are the whole server's: who works in a store works in those of the "
        "same schema name in its other databases, too; name schemas apart. A worker's login is "
        "trusted with every machine that lives its agents: their models, tools and tasks name "
        "programs, which run there. No rights keep a login from taking an advisory lock, as any "
        "PostgreSQL lets it, and so from holding up all who write while its question lasts, a "
        "minute with mind store query; pg_stat_activity shows who it is.",
    ),
    Term(
        "who is not let in",
        "Is told so with 69: no such user or database, a wrong password, no TLS as it was asked "
        "for. An address that no driver takes ends with 2. What passes ends with 75: a server that "
        "cannot be reached, begins or ends, or has no connection left.",
    ),
    Term(
        "a pooler",
        "PgBouncer in transaction mode works, any version: all that a transaction needs is set "
        "inside of it. That one is there is noticed; then nothing is prepared, and as hints do not "
        "come through it, waiting costs a poll.",
    ),
)
_TRANSACTIONS: tuple[Block, ...] = (
    Text(
        "Whoever ports a queue to a server without thinking of two writers at once loses rows: two "
        "read the same last number, and ON CONFLICT DO NOTHING swallows one of them. So this is "
        "what each kind of transaction does here."
    ),
    Term(
        "reading (list, show, status, a prompt, export)",
        "REPEATABLE READ, READ ONLY: one state of everything, from the first statement on. Takes "
        "no lock, waits for nobody, and never has to be repeated.",
    ),
    Term(
        "writing",
        "READ COMMITTED, with locks that are taken before anything is read, since a snapshot of a "
        "higher level could be older than its locks. All are advisory locks that last until commit "
        "or rollback, and a wait of 30 seconds for one ends with 75 and nothing done. They are "
        "taken in this order: the store, agents, spaces, tasks, their tickets, what is held "
        "against a model, caps, inboxes, attachments, the log; and several of a kind in the order "
        "of their names. So of two transactions none waits for the other while that waits for it. "
        "Tests hold that it is kept, also on a file.",
    ),
    Term(
        "the store",
        "Shared by all who write something of agents; alone by what concerns all of them: init, "
        "life import, rewind, redact, revoke, retract, trust, reindex, migrate, and a store's "
        "move. Those wait for every open transaction, and every new one for them; but a worker's "
        "word that it goes on waits for none of them, nor for its agents.",
    ),
    Term(
        "an agent (think, run, compact, history, memory, beliefs, plans, goals, notes, tickets, "
        "decisions, spending)",
        "Each transaction holds the agents whose rows it writes, in the order of their names, and "
        "writes no rows of others: that is refused on a file, too, so that it is found where it is "
        "tried. What one agent leaves open holds up nobody else. What is named by an id of its own "
        "is read, its agent held, and read again.",
    ),
    Term(
        "a space (space, a post)",
        "Whoever changes a space, or says something in it, holds it: so messages are numbered "
        "without gaps, and a limit of answers holds. Who is called what is held as one.",
    ),
    Term(
        "an inbox (inbox push, a post to each who hears it, tasks, plans)",
        "Who pushes holds the inbox, and not its agent: two may write to each other at once, and "
        "the events of one inbox come in the order of their numbers. A bound of open events, and "
        "the wait that a reply ends, are looked at under the same lock. Of several all are taken "
        "before the first event is pushed, and with them the inbox of the agent that pushes.",
    ),
    Term(
        "events one by one (inbox claim, ack, release, extend, dead)",
        "No lock but that of the row, which each statement takes with the state and epoch that it "
        "wants to find. A claim passes over rows that somebody else is taking (FOR UPDATE SKIP "
        "LOCKED) and takes what comes next; many consumers can share an inbox.",
    ),
    Term(
        "a task and its ticket; a model that fails; a cap on the spending of all",
        "A task is changed by who delegated it and who works on it, so each holds it by its id, "
        "and then its ticket. Failures of a model are counted by one agent after the other. "
        "Where a cap over all agents or of a purpose is set, reservations of a day come one after "
        "the other; other caps need no more than the agent.",
    ),
    Term(
        "the log of changes",
        "Taken last, when all else is written, until the commit is over: changes are numbered in "
        "the order of the commits, so that no reader can pass a number that is still to come. A "
        "transaction counts as if all of it had been done at its commit.",
    ),
    Term(
        "numbers",
        "Of events, messages and other rows of all agents come from sequences: unique, those of "
        "one agent growing, with gaps where something was taken back. A row of one agent can come "
        "behind a greater number of another; who follows rows goes by the log, or by agent. "
        "Whoever holds the whole store numbers on from the last one, and leaves the sequences so.",
    ),
    Term(
        "what would wait for ever",
        "Nothing does, by the order of the locks. Where something did, as with what other programs "
        "hold, the server ends one within a second: 75, nothing was done; a worker tries again by "
        "itself.",
    ),
    Term(
        "keys",
        "Each ON CONFLICT names the columns of its index. What was pushed under a key is there "
        "once, however often it is given.",
    ),
    Term(
        "a claim, an agent's lease",
        "Has an epoch that only grows, and a deadline on the server's clock. Each transaction of a "
        "worker looks first whether the epoch is still its own; one that came too late is fenced, "
        "and commits nothing.",
    ),
    Term(
        "making and migrating a store",
        "One transaction under a lock named after the schema. An older program opens no newer "
        "store.",
    ),
    Term(
        "a commit whose answer was cut off",
        "The next connection asks the server what became of that transaction, by its number: kept "
        "is kept; if it is not there, the command ends with 75 and nothing was done. Of a server "
        "that is another since (its timeline has changed), or has begun anew, also after one of "
        "its processes was killed, and would call it kept, nobody knows, as numbers come again "
        "after a crash: that is said, with 74. Give again what has a key.",
    ),
    Term(
        "what is repeated by itself",
        "Nothing inside a command. A worker that finds the store busy, or its server gone, rests "
        "and goes on where its last transaction ended; so does who sees to a task's program, which "
        "works on meanwhile. Those that lost a server at once come back to it apart from each "
        "other. A connection that was lost is made anew by the next transaction.",
    ),
    Term(
        "ways to the server and back",
        "What nobody waits for goes with the next question, and what is wrong with it may be told "
        "only then; what a transaction asked once it does not ask again until it has told "
        "something or taken a lock. What holds no agent begins with its first question, and nobody "
        "waits for the end of what only read, nor for a hint. One event is pushed in seven "
        "messages, claimed in five and acknowledged in five; a cycle takes some 150. What comes "
        "next is found by an index of what is open: in as many pages whether a hundred events wait "
        "or a million. Of a million that were drained the first claim passes over the entries, "
        "until the server has vacuumed that table, which it does once a hundredth of it is dead.",
    ),
    Text(
        "What that costs, and how little a transaction that stays open holds up others, is what "
        "mind bench fleet --database measures; the server ends one that does nothing for five "
        "minutes. A life that was lived beside others is recorded with the numbers that it got, so "
        "that mind life replay lives it again alone."
    ),
)
_CLOCK: tuple[Block, ...] = (
    Text(
        "Deadlines of leases, retries and waits, days of budgets and instants that are written "
        "down go by the server's clock, which each transaction is told as it begins. The clocks of "
        "machines need not agree. Where the server's clock is set, leases end sooner or later by "
        "that; nothing is done twice. --now stands still as everywhere."
    ),
)
_SEARCH: tuple[Block, ...] = (
    Text(
        "What can be recalled is searched in a private file of each user on each machine, below "
        "$XDG_CACHE_HOME/mindpipe (~/.cache/mindpipe): a copy of messages, memory and beliefs with "
        "SQLite's index and vectors. It follows the server by the log of changes before each "
        "search, sees what is committed, and can be deleted at any time; one that is damaged is "
        "made anew, and where none can be written, the copy is in memory, for as long as a command "
        "lasts. What a prompt was searched from is in the record of its cycle: up to which change "
        "of the log. mind recall embed makes vectors in that file. mind history search uses the "
        "server's own text search, and ranks by that, so that the order may be another than in a "
        "file."
    ),
)
_MOVE = """\
mind store move --from mind.db --to postgresql://owner@db.example/fleet --dry-run
mind store move --from mind.db --to postgresql://owner@db.example/fleet
mind store roles --store postgresql://owner@db.example/fleet | psql fleet
mind store move --from postgresql://owner@db.example/fleet --to back.db"""
_ONE_LIFE = """\
mind life export ava --move --output ava.life --store mind.db
mind life import ava.life --store postgresql://worker@db.example/fleet"""
_MOVING: tuple[Block, ...] = (
    Text(
        "A whole store moves from a file to an empty schema, back to a new file, and between two "
        "of either kind; on a server by who owns the schema."
    ),
    Sample(_MOVE),
    Term(
        "what comes along",
        "All rows of all tables as they are: agents, persons, inboxes with their keys, spaces, "
        "histories, attachments, memory, beliefs, spending, the logs of changes and the recorded "
        "operations. So it is the same store, with its id, and rewinds, replays, verify and keys "
        "hold. Leases end. What is searched is made anew from the rows, which each log says. "
        "Settings, keys of models, the programs of tools and tables that mind did not make stay.",
    ),
    Term(
        "when",
        "Nobody may work in it: while a worker runs or thinks, it ends with 75 and nothing was "
        "done. The target must be empty. A server keeps no NUL in a text, of which a file could "
        "hold one: that is looked for first, and ends with 1.",
    ),
    Term(
        "meanwhile and then",
        "From its first step on the store is only read where it was, also by who has it open, and "
        "says where it goes: what would write ends with 4. The target is opened last, and until "
        "then commands there end with 75. In no moment can both be written.",
    ),
    Term(
        "the proof",
        "Before the target is opened, both places are read whole, and must have the same: the "
        "number of rows and their SHA-256, for each table and for each agent's log of changes. "
        "These are printed. If they differ it ends with 74, and the store can stay (--cancel).",
    ),
    Term(
        "killed, cut off, out of space",
        "The same command goes on behind the last row that is there; once all is done it ends "
        "with 3. With --cancel the store stays, and what has come to the target is removed, if "
        "need be by the same command once more; that is no more possible once the store has left. "
        "If then the target is lost, mind store restore makes a store from a backup (mind store "
        "backup) of the file that it left.",
    ),
    Term(
        "how long",
        "Each row is copied and then read twice. Two million rows (a file of 300 MB) took 48 s to "
        "a server and 54 s back, of which mind used 10 and 15 s of a core, on a machine of two "
        "cores that had other work; in memory are a few rows at a time.",
    ),
    Term(
        "one agent at a time",
        "The others go on meanwhile. The life rests where it was from the moment of its export, "
        "and goes on where its file is imported; so it comes back, too. See mind-life(7).",
    ),
    Sample(_ONE_LIFE),
    Text(
        "A backup (mind store backup) is made and restored by PostgreSQL's own programs: pg_dump "
        "and pg_restore, the first in PATH, must be of the server's version or newer, also on the "
        "machine where it is restored. mind store move needs neither."
    ),
)
_HINTS: tuple[Block, ...] = (
    Text(
        "Whoever waits listens to the channel mindpipe_SCHEMA, where a hint is told when a commit "
        "gave an inbox something, after that commit: so no push waits for it or fails with it. A "
        "hint may be lost; nobody waits longer than a poll would."
    ),
)
_FLEET: tuple[Block, ...] = (
    Text(
        "mind run --agents 'team-*' on any number of machines, each with --jobs, shares the agents "
        "of that name. None belongs to a worker. Who has nothing to do asks one question of all: "
        "whose instant has come (an event, a plan, a retry, idle time, the daily reflection), or "
        "of whom has anything changed since it was looked at, and nobody lives it. It takes one, "
        "the urgent first, lives its iterations, and lets it go with the instant of its next look. "
        "So an agent that rests costs nothing, and one that is made while they run is taken up."
    ),
    Text(
        "To take an agent is one transaction: of several who were told of it one wins, and the "
        "others go on to the next. Who holds one says so every 20 seconds; a minute after the last "
        "time, or at once where its process was on the same machine and in the same container, "
        "another worker recovers what it left and goes on; time in which the server was away, or "
        "was not yet there, does not count. One that was only away by then is fenced: it commits "
        "nothing of the cycle that was under way, and looks for another agent. SIGTERM drains a "
        "worker: a model call is closed, a tool has 9 seconds left, its agent is free, its status "
        "is 0. The command stop means one loop, and is nothing to a fleet; pause is."
    ),
    Text(
        "The machines of a fleet have the programs of models and tools under the same paths, and "
        "their own keys and settings. Whom a machine has no key, extra or program for, it says, "
        "and leaves to the others until that agent changes, or for an hour."
    ),
    Text(
        "The processes of one mind run have one listener, which tells them; each has two to four "
        "connections of its own. A plan is pushed when a worker is free, within half a second for "
        "those that are held. A program that serves a task on another machine counts as lost once "
        "nothing was heard of it for tasks.heartbeat_seconds."
    ),
)
_LOSE: tuple[Block, ...] = (
    Term(
        "a worker or its machine is gone",
        "Nothing acknowledged. Its transaction ends when the server notices, within half a minute; "
        "its lease within a minute, and another worker goes on. What a machine has to say that was "
        "cut off for so long is refused, and its tools run again only under the same keys.",
    ),
    Term(
        "the server stands still, or the way to it is cut",
        "Nothing. After 30 seconds without an answer it is asked by a new connection whether it is "
        "there, for as long as connect_timeout says (10 seconds); if not, the command ends with 75 "
        "and nothing of its transaction was kept, or in a commit with 74, as nobody can say. What "
        "only takes long is waited for.",
    ),
    Term(
        "the server is killed or loses power",
        "Nothing acknowledged, with fsync, full_page_writes and synchronous_commit on: mind doctor "
        "says if one is off.",
    ),
    Term(
        "failover to a replica that lags",
        "What the replica had not received: with asynchronous replication acknowledged events and "
        "turns of the last moments. With synchronous_standby_names and synchronous_commit=on "
        "nothing. Events can be pushed again with their keys. An address of several hosts with "
        "target_session_attrs=read-write finds the new one: the first command or transaction ends "
        "with 75, and workers go on. Who held an agent by what is lost commits nothing more, and "
        "the private files in which is searched are made anew. A replica can be read; what writes "
        "ends with 69.",
    ),
    Term(
        "the server's disk is full",
        "Commands end with 75; what was begun is not there. Workers rest, and go on when it has "
        "room. Where the server's own log has no more of it, the server ends, as if it was killed.",
    ),
)


_SAME = Text("All commands are on a server what they are with a file, but for these.")


def _commands(on_server: OnServer) -> tuple[Block, ...]:
    """Return the commands that are so on a server, each with how."""
    return tuple(
        Term(f"mind {one.name}", f"{one.how[:1].upper()}{one.how[1:]}.")
        for one in SERVER_COMMANDS
        if one.on_server == on_server
    )


_FILES: tuple[Block, ...] = (
    Text(
        "Damage of pages, salvage, page checksums and RECOVERY are matters of a file; a server has "
        "its own (pg_checksums, backups of the server). Such commands end with 69 on a server:"
    ),
)


def server_manual() -> Manual:
    """Return mind-server(7)."""
    name = Text("mind-server - a store on a PostgreSQL server, shared by many machines")
    see = (
        "mind-machines(7), mind-life(7), mind-doctor(1), mind-bench(1), mind-store(1), mind-run(1)"
    )
    sections = (
        Section("NAME", (name,)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("ADDRESS", _ADDRESS),
        Section("TRANSACTIONS AND LOCKS", _TRANSACTIONS),
        Section("ONE CLOCK", _CLOCK),
        Section("WORDS THAT ARE SEARCHED", _SEARCH),
        Section("HINTS", _HINTS),
        Section("A FLEET OF AGENTS", _FLEET),
        Section("MOVING A STORE", _MOVING),
        Section("WHAT A SERVER MAY LOSE, AND WHEN", _LOSE),
        Section("COMMANDS THAT DIFFER", (_SAME, *_commands("different"))),
        Section("WHAT IS ABOUT FILES", (*_FILES, *_commands("refused"))),
        Section("SEE ALSO", (Text(f"{see}, mind-promises(7)"),)),
    )
    return Manual("mind-server", 7, sections)
