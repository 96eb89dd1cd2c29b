"""mind-server(7): a store on a PostgreSQL server, and by what its writers are held apart."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text
from mindpipe_cli.manual.server_commands import SERVER_COMMANDS, OnServer

_BEGINNING = """\
pip install '.[postgres]'                 # in mindpipe's folder: the driver
export MIND_STORE='postgresql://worker@db.example/fleet?sslmode=verify-full'
mind init --agent ava                     # makes the schema mindpipe in that database
mind agent set ava --model anthropic/claude-haiku-4-5
mind inbox push --agent ava --text "Good morning"
mind run --agents '*' --jobs 4            # on any machine: four workers
mind doctor                               # what is wrong with the server, and what to do"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "A store is one SQLite file, unless its name is the address of a PostgreSQL server (15 or "
        "newer): then it is a schema of a database there, which any number of machines share. A "
        "file stays the default, and nothing changes for it. mind-machines(7) says when one is too "
        "small."
    ),
    Sample(_BEGINNING),
)
_ADDRESS: tuple[Block, ...] = (
    Term(
        "postgresql://USER@HOST:PORT/DATABASE?schema=NAME",
        "An address as PostgreSQL's own programs take it, with their parameters (sslmode, "
        "connect_timeout, target_session_attrs, ...); what is left out comes from PGHOST, PGUSER "
        "and so on, or from a service. Only schema is mindpipe's: it names the schema of the store "
        "[mindpipe]. A database can hold many stores.",
    ),
    Term(
        "passwords",
        "Never in the address, which everybody on the machine can read: that is refused. They come "
        "from ~/.pgpass (mode 0600), a service file, or PGPASSWORD.",
    ),
    Term(
        "who may what",
        "mind store roles prints the SQL for three roles: owner, worker and reader. mind store "
        "query runs as the reader, but a superuser's query can leave that role: give strangers a "
        "login that is only a reader. Roles belong to the whole server, so that a worker of one "
        "store may also work in stores with the same schema name in other databases of it; give "
        "them different names. Trust a worker's login as much as the machines on which its agents "
        "run: models, tools and tasks name programs, which are started there. PostgreSQL lets any "
        "login take advisory locks, and so block all writers for as long as its query lasts (at "
        "most a minute with mind store query); pg_stat_activity shows who does.",
    ),
    Term(
        "who is not let in",
        "An unknown user or database, a wrong password or TLS that is not as demanded end with 69; "
        "an address that the driver does not understand with 2. What may pass ends with 75: the "
        "server cannot be reached, is starting or stopping, or has no connection left. A role for "
        "which no trigger fires (session_replication_role = replica) may read, and ends with 4 "
        "where it would write.",
    ),
    Term(
        "a pooler",
        "PgBouncer works in transaction mode, in any version: each transaction makes all settings "
        "that it needs. mind notices it, and then prepares no statements and polls, since "
        "notifications do not come through it.",
    ),
)
_TRANSACTIONS: tuple[Block, ...] = (
    Text(
        "A queue that is ported to a server without a thought of concurrent writers loses rows: "
        "two writers read the same last number, and ON CONFLICT DO NOTHING drops one of the two. "
        "So this says of each kind of transaction what isolates it, what it locks, and what is "
        "retried."
    ),
    Term(
        "reading (list, show, status, a prompt, export)",
        "REPEATABLE READ, READ ONLY: one snapshot, taken by the first statement. No locks, no "
        "waiting, no retries.",
    ),
    Term(
        "writing",
        "READ COMMITTED, with locks taken before anything is read: the snapshot of a higher level "
        "could be older than the locks. All are advisory locks, held until commit or rollback; "
        "whoever waits 30 seconds for one ends with 75, and nothing was done. They are taken in "
        "this order: the store, agents, spaces, tasks, their tickets, failures of a model, caps, "
        "inboxes, the log; several of one kind in the order of their names. So there is no "
        "deadlock. Tests check the order, also on a file. Attachments, which are kept by their "
        "hashes, need no lock: they are inserted together, in the order of these.",
    ),
    Term(
        "the store",
        "A shared lock for all who write for agents; an exclusive one for what concerns all of "
        "them: init and migrate, which change the tables; a store's move, after which nobody "
        "writes there; and redact, which takes away octets that any agent may have, and writes "
        "every table anew. The exclusive lock waits for all open transactions, and new ones wait "
        "for it. Only heartbeats of workers take no lock at all.",
    ),
    Term(
        "an agent (think, run, compact, history, memory, beliefs, plans, goals, notes, tickets, "
        "decisions, spending)",
        "A transaction locks the agents whose rows it writes, in the order of their names, and "
        "writes no rows of others: that is an error, on a file too, so that tests find it. An open "
        "transaction of one agent delays no other. What is addressed by its own id is read, its "
        "agent locked, and then read again. What all agents forget of a source (memory revoke) "
        "they forget one after the other.",
    ),
    Term(
        "a whole life (life import, life rewind)",
        "Locks the agent and what others change of it: the spaces that it is in, its tasks and "
        "tickets, its inbox and events. Agents that share none of these go on meanwhile. The file "
        "of an import is read whole before that; attachments and the like, which others may be "
        "adding, too, are kept first, a few at a time; and its changes have numbers that a short "
        "transaction reserved, so that others commit while its rows come. Whoever follows the log "
        "is told at its end.",
    ),
    Term(
        "a space (space, a post)",
        "Whoever changes a space or posts in it locks it: messages are numbered without gaps, and "
        "the limit on chains of answers holds. One lock guards the names that members go by.",
    ),
    Term(
        "an inbox (inbox push, a post to each who hears it, tasks, plans)",
        "A push locks the inbox, not its agent: two agents can push to each other at once, and the "
        "events of one inbox are committed in the order of their numbers. Limits on open events, "
        "and waits that a reply ends, are checked under the same lock. All inboxes that a "
        "transaction pushes to are locked before its first event, with that of its own agent.",
    ),
    Term(
        "events one by one (inbox claim, ack, release, extend, dead)",
        "Only row locks: each statement updates the row only in the state and epoch that it "
        "expects. A claim skips rows that others are claiming (FOR UPDATE SKIP LOCKED), so that "
        "many consumers can share an inbox.",
    ),
    Term(
        "a task and its ticket; a model that fails; a cap on the spending of all",
        "A task is changed by who delegated it and by who works on it; each locks it by its id, "
        "then its ticket. Failures of a model are counted under one lock. Under a cap for all "
        "agents or for a purpose, the reservations of a day are made one after another; other caps "
        "need only the lock of the agent.",
    ),
    Term(
        "the log of changes",
        "Locked last, after all other writes, until the commit: changes are numbered in the order "
        "of commits, so that a reader of the log can miss none. A transaction counts as if all of "
        "it had happened at its commit.",
    ),
    Term(
        "numbers",
        "Numbers of events, messages and other rows come from sequences: unique, rising for each "
        "agent, with gaps after rollbacks. A row of one agent may be committed after a higher "
        "number of another, so read on by the log, or agent by agent. Who holds the whole store "
        "continues from the highest number, and sets the sequences to it.",
    ),
    Term(
        "deadlocks",
        "The order of locks excludes them. One with locks of other programs is broken by the "
        "server within a second: 75, and nothing was done; a worker retries by itself.",
    ),
    Term(
        "keys",
        "Each ON CONFLICT names the columns of its index. An event that is pushed again with the "
        "same key is kept once.",
    ),
    Term(
        "a claim, an agent's lease",
        "Each has an epoch that only rises, and a deadline on the server's clock. Every "
        "transaction of a worker first checks that the epoch is still its own; a worker that comes "
        "too late is fenced, and commits nothing.",
    ),
    Term(
        "making and migrating a store",
        "One transaction (one for each step of a migration) under the lock of the store. An older "
        "program opens no newer store.",
    ),
    Term(
        "a commit whose answer was lost",
        "A new connection asks the server by the transaction's number what became of it: where it "
        "was committed, the command succeeds; where not, it ends with 75, and nothing was done. "
        "After a failover, or a crash of the server or of one of its processes, that number may be "
        "another transaction's: where it counts as committed then, the command ends with 74, as "
        "nobody can say. What has a key can be given again.",
    ),
    Term(
        "retries",
        "None inside a command. A worker whose store is busy or away waits, and continues after "
        "its last committed transaction; so does what supervises the program of a task, which "
        "keeps running. Workers that lost the server together come back at different moments. A "
        "lost connection is replaced by the next transaction.",
    ),
    Term(
        "round trips",
        "A statement whose result nobody needs is sent together with the next query, and so may "
        "report its error only there; the same query is not sent twice in a transaction unless it "
        "wrote something or took a lock in between. A transaction that locks no agent begins with "
        "its first query, and nobody waits for the end of one that only read, nor for a "
        "notification. Pushing an event takes seven round trips, claiming it five, acknowledging "
        "it five; a cycle some 150. An index over open events finds the next one, in as many pages "
        "among a hundred as among a million. After a million were drained the first claim skips "
        "dead entries, until autovacuum has cleaned the table, which it does once a hundredth of "
        "it is dead.",
    ),
    Text(
        "mind bench fleet --database measures what that costs, and how little an open transaction "
        "delays others; the server ends a transaction that is idle for five minutes. Operations "
        "are recorded with the numbers that their rows got, so that mind life replay can repeat a "
        "life alone that was lived beside others."
    ),
)
_CLOCK: tuple[Block, ...] = (
    Text(
        "Deadlines of leases, retries and waits, the days of budgets and all recorded times go by "
        "the server's clock, which each transaction reads as it begins. The clocks of machines "
        "need not agree. Setting the server's clock makes leases end sooner or later; nothing is "
        "done twice. --now still fixes the time."
    ),
)
_SEARCH: tuple[Block, ...] = (
    Text(
        "Recall searches a private cache of each user on each machine, a file below "
        "$XDG_CACHE_HOME/mindpipe (~/.cache/mindpipe): a copy of messages, memory and beliefs with "
        "SQLite's full-text index and vectors. Before each search it is brought up to date by the "
        "log of changes, with what is committed. It can be deleted at any time; a damaged one is "
        "rebuilt, and where no file can be written it is in memory until the command ends. The "
        "record of a cycle says up to which change of the log its prompt was searched. mind recall "
        "embed stores vectors in that file. mind history search uses the server's own text search, "
        "whose ranking may differ from that of a file."
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
        "A whole store moves from a file to an empty schema, back to a new file, or between two "
        "files or two schemas; on a server the owner of the schema moves it."
    ),
    Sample(_MOVE),
    Term(
        "what comes along",
        "All rows of all tables as they are: agents, persons, inboxes with their keys, spaces, "
        "histories, attachments, memory, beliefs, spending, the logs of changes and the recorded "
        "operations. So it is the same store, with the same id; rewinds, replays, verify and keys "
        "keep working. Leases end. Search indexes are rebuilt, which each agent's log notes. Not "
        "moved are settings, keys of models, the programs of tools, and tables that mind did not "
        "make.",
    ),
    Term(
        "when",
        "No worker may use it: while one runs or thinks, the move ends with 75, and nothing was "
        "done. The target must be empty. A server cannot keep a NUL in a text, and a file can; nor "
        "can it index a name or a key of more than some 2,700 bytes that do not compress: the move "
        "looks for both first, and then ends with 1.",
    ),
    Term(
        "meanwhile and then",
        "From the first step on the source is read-only, also for who has it open: a write ends "
        "with 4 and says where the store goes, and so does an idle fleet once it has moved. The "
        "target opens last; until then commands there end with 75. At no moment can both be "
        "written.",
    ),
    Term(
        "the proof",
        "Before the target opens, both ends are read whole and must agree in the number of rows "
        "and their SHA-256, for each table and for each agent's log of changes. These are printed. "
        "If they differ the move ends with 74, and can be given up (--cancel).",
    ),
    Term(
        "killed, cut off, out of space",
        "The same command continues after the last row that arrived; once all is done it ends "
        "with 3. --cancel lets the store stay and empties the target (run it again if the target "
        "was out of reach); that is possible until the store has left. If the target is lost after "
        "that, back up the file that it left (mind store backup) and make a store of the copy with "
        "mind store restore.",
    ),
    Term(
        "how long",
        "Each row is copied and then read twice. Two million rows (a file of 300 MB) took 48 s to "
        "a server and 54 s back, of which mind used 10 and 15 s of a core, on a machine of two "
        "cores that had other work. Only a few rows are in memory at a time.",
    ),
    Term(
        "one agent at a time",
        "The others continue meanwhile. The agent stops where it was with the export of its life, "
        "and continues where the file is imported; the same brings it back. See mind-life(7).",
    ),
    Sample(_ONE_LIFE),
    Text(
        "A backup (mind store backup) is made and restored by PostgreSQL's own programs: pg_dump "
        "and pg_restore, the first in PATH, must be of the server's version or newer, also on the "
        "machine where it is restored. mind store move needs neither."
    ),
)
_NOTIFICATIONS: tuple[Block, ...] = (
    Text(
        "Waiting workers LISTEN on the channel mindpipe_SCHEMA. After a commit that put something "
        "into an inbox a NOTIFY follows, so that no push waits for it or fails with it. It may be "
        "lost: workers poll as well."
    ),
)
_FLEET: tuple[Block, ...] = (
    Text(
        "mind run --agents 'team-*' shares the agents of that name among any number of workers, on "
        "any number of machines (--jobs starts several on one). No agent belongs to a worker. An "
        "idle worker asks one question for all of them: which agent is free, and is due (an event, "
        "a plan, a retry, idle time, the daily reflection) or has changed since it was last looked "
        "at? It takes one, the most urgent first, runs its iterations, and releases it with the "
        "time at which it is due again. So an agent with nothing to do costs nothing, and one that "
        "is made meanwhile is taken up."
    ),
    Text(
        "Taking an agent is one transaction: of several workers one wins, and the others try the "
        "next. Its worker sends a heartbeat every 20 seconds. A minute after the last one, or at "
        "once where the process was on the same machine and in the same container, another worker "
        "recovers the agent and continues; time in which the server was down does not count. A "
        "worker that was only cut off for so long is fenced: it commits nothing of its cycle, and "
        "takes another agent. SIGTERM drains a worker: its model call is closed, a tool has 9 "
        "seconds left, its agent is released, and its status is 0. A fleet ignores the command "
        "stop, which is for the loop of one agent, and obeys pause."
    ),
    Text(
        "On all machines of a fleet the programs of models and tools have the same paths; keys and "
        "settings are each machine's own. An agent for which a machine lacks a key, an extra or a "
        "program is reported there and left to the others, until it changes or an hour has passed."
    ),
    Text(
        "The processes of one mind run share one listener; each has two to four connections of its "
        "own. A plan is pushed within half a second for agents that have a worker, else when one "
        "is free. The program of a task on another machine counts as lost once it sent no "
        "heartbeat for tasks.heartbeat_seconds."
    ),
    Text(
        "mind doctor and mind status list the workers, idle ones too: machine, process, start and "
        "patterns. Nothing is written for that: on a server they are read from the names of the "
        "workers' connections (application_name, which is cut where it is long), unless the "
        "address sets another; a pooler shows the name of its last client."
    ),
)
_LOSE: tuple[Block, ...] = (
    Term(
        "a worker or its machine is gone",
        "Nothing acknowledged. The server ends its transaction within half a minute, its lease "
        "ends within a minute, and another worker continues. A machine that was cut off for so "
        "long is fenced, and its tools run again only under the same keys.",
    ),
    Term(
        "the server hangs, or the network to it is cut",
        "Nothing. After 30 seconds without an answer a second connection checks, for as long as "
        "connect_timeout says (10 seconds), whether the server is there. If not, the command ends "
        "with 75, and nothing of its transaction was kept; in a commit with 74, as nobody can say. "
        "A query that only takes long is waited for.",
    ),
    Term(
        "the server is killed or loses power",
        "Nothing acknowledged, with fsync, full_page_writes and synchronous_commit on; mind doctor "
        "says if one is off.",
    ),
    Term(
        "failover to a replica that lags",
        "What the replica had not received: with asynchronous replication, acknowledged events and "
        "turns of the last moments; with synchronous_standby_names and synchronous_commit=on, "
        "nothing. Events can be pushed again with their keys. An address of several hosts with "
        "target_session_attrs=read-write finds the new primary: the first command or transaction "
        "ends with 75, and workers continue. Leases that were lost with the old primary are "
        "fenced, and private search caches are rebuilt. A replica can be read; writes end with 69.",
    ),
    Term(
        "the server's disk is full",
        "Commands end with 75, and their transaction was not kept. Workers wait until there is "
        "room. Where there is none left for the server's own log (WAL) the server stops, as if it "
        "was killed.",
    ),
)


_SAME = Text("All commands work on a server as with a file, but for these.")


def _commands(on_server: OnServer) -> tuple[Block, ...]:
    """Return the commands that are so on a server, each with how."""
    return tuple(
        Term(f"mind {one.name}", f"{one.how[:1].upper()}{one.how[1:]}.")
        for one in SERVER_COMMANDS
        if one.on_server == on_server
    )


_FILES: tuple[Block, ...] = (
    Text(
        "Damaged pages, salvage, page checksums and RECOVERY concern files; a server has its own "
        "means (pg_checksums, its backups). These commands end with 69 on a server:"
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
        Section("SEARCH", _SEARCH),
        Section("NOTIFICATIONS", _NOTIFICATIONS),
        Section("A FLEET OF AGENTS", _FLEET),
        Section("MOVING A STORE", _MOVING),
        Section("WHAT A SERVER MAY LOSE, AND WHEN", _LOSE),
        Section("COMMANDS THAT DIFFER", (_SAME, *_commands("different"))),
        Section("COMMANDS FOR FILES ONLY", (*_FILES, *_commands("refused"))),
        Section("SEE ALSO", (Text(f"{see}, mind-promises(7)"),)),
    )
    return Manual("mind-server", 7, sections)
