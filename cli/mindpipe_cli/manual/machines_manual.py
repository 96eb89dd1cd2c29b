"""mind-machines(7): what one file on one machine carries, and when it is time to leave it."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

_MEASURING = """\
mind bench fleet                  # events a second by 1, 2 and 4 workers; agents that wait
mind bench fleet --workers 8 --waiting 5000
mind bench populations            # persons in columns, without thoughts, for a day
mind doctor --table               # what is wrong here, and what to do"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "All agents and persons of a store are in one SQLite file, which any number of processes "
        "of one machine share. It needs no server, is copied by one command, and is read by any "
        "program that knows SQLite. Stay with it as long as it does: this page says what it "
        "carries, what it may lose and when, and by what one sees that it is too small."
    ),
)
_CARRIES: tuple[Block, ...] = (
    Text(
        "Measured on 2026-11-28 on a small virtual machine (two cores of an AMD EPYC, ext4, Python "
        "3.11, SQLite 3.54), with other work beside it. Your disk and your cores decide: measure "
        "them."
    ),
    Sample(_MEASURING),
    Term(
        "agents that wait",
        "One mind run --agents '*' lives whoever is due, and of who rests it knows nothing: 100 "
        "agents and 1,000 to whom nothing happens take 0.2 % of a core and 51 MB of memory. --jobs "
        "lives several at once, so that fewer wait for another's model, each in a process of its "
        "own, of about 50 MB, as each --agent is: memory is then what there is too little of, at "
        "about 20 processes for each GB. mind run --together stays with each of its agents, and "
        "takes 7 % of a core and 65 MB for 1,000.",
    ),
    Term(
        "starting them",
        "An agent that nobody has looked at yet is looked at once, which takes 6 ms of a core in a "
        "file, and 16 ms with a server beside what that takes itself: 1,000 take 6 or 16 seconds. "
        "Those that were looked at before take nothing.",
    ),
    Term(
        "events",
        "One SQLite file takes one writer at a time, and each push, claim and acknowledgement "
        "waits until the disk has it. Where that takes 0.35 ms (the median of a step, the disk "
        "otherwise idle), one worker did 780 events a second, two 850 and four 770; where other "
        "programs kept the disk busy and it took 4 ms, it was 70 to 110, with one worker as with "
        "four. More workers do not make it faster: they make each other wait. A step is not "
        "served in the order in which it came. With two or four workers that do nothing but write "
        "99 of 100 steps took as long as with one, and the unluckiest waited 1 to 4 seconds, on "
        "the busy disk up to 15. After 30 seconds a command ends with 75 and can be tried again.",
    ),
    Term(
        "cycles",
        "A cycle takes about 70 ms of a core beside what its model takes, so that a core carries "
        "some ten a second. Models take seconds: what limits agents is nearly always their model "
        "and its price.",
    ),
    Term(
        "persons",
        "A population of 100,000 in columns (--format arrow) lives a day, without thoughts, in 15 "
        "seconds of a core: 22 seconds with --jobs 2 beside other work, 34 without. It took 510 MB "
        "of memory and lies in 110 bytes of disk a person. A person that thinks with the composed "
        "voice takes 4 seconds for a day; one that asks a model takes what that does.",
    ),
)
_LEAVE: tuple[Block, ...] = (
    Text(
        "A store is too small for what you do when one of these stays, also in quiet hours, and "
        "nothing of what follows it helps."
    ),
    Term(
        "the lock",
        "Commands end with 75 (the store is busy), or workers wait for one another: mind bench "
        "fleet --waiting '' prints what this disk can do at most. First push many events with one "
        "command, which is one transaction; and give teams that do not talk to each other a store "
        "each (--store): each has a lock of its own. Then a server, whose writers wait only for "
        "those of the same agent: mind-server(7).",
    ),
    Term(
        "the queue",
        "mind alert list shows queue_depth that grows though the workers are not out of money, "
        "mind doctor shows events without a worker. First let more workers live them (--agents "
        "'*' --jobs N) and take a faster model.",
    ),
    Term(
        "memory",
        "The machine swaps. First let agents that seldom have something to do share fewer "
        "processes (--agents '*').",
    ),
    Term(
        "cores",
        "All cores are busy and models are not what is waited for. First look at tools: they run "
        "here too.",
    ),
    Term(
        "one place",
        "Agents must go on when this machine does not. No file can do that: it has the backups "
        "that you make, and what came after the last one is lost with the machine. A server can: "
        "mind-server(7).",
    ),
    Term(
        "many who write",
        "People on several machines want to write. A store is never shared by a network file "
        "system, where locks do not hold: mind refuses that. One machine can take it for the "
        "others: ssh HOST mind inbox push, or mind mcp serve --http. Where they are many, a "
        "server: mind-server(7).",
    ),
    Text(
        "mind store move brings a store as it is to a server, and back if that was no good idea; "
        "mind-server(7) says how."
    ),
    Text(
        "One agent is not too large for a file: a history of a million messages is what make bench "
        "measures. A folder of persons is cut into shards, and "
        "--jobs shares them among the cores of this machine."
    ),
)
_LOSE: tuple[Block, ...] = (
    Text(
        "What is acknowledged, by the id that a command prints and its status 0, is on the disk. "
        "mind-promises(7) says how each of these was measured, with kills and cuts by the "
        "thousand."
    ),
    Term(
        "a process is killed",
        "Nothing acknowledged is lost. Its transaction is undone, its cycle stays open for the "
        "next worker, and a tool of which nobody knows whether it ran is a ticket. Its leases last "
        "a minute; another mind run on this machine sees at once that it is gone.",
    ),
    Term(
        "the power fails",
        "Nothing acknowledged is lost, unless the disk says that it has synced and has not, or the "
        "virtual machine's host does so for it.",
    ),
    Term(
        "the disk is full",
        "Commands end with 74; what was begun is not there, what was there is whole. mind doctor "
        "says when a backup would not fit any more.",
    ),
    Term(
        "the file is damaged",
        "What lay on a lost page is lost. The store is only read from then on; mind store recover "
        "--salvage saves the rest, mind init --page-checksums sees each flipped bit.",
    ),
    Term(
        "the machine is gone",
        "All that came after the last mind store backup is lost, as is what a life file (mind life "
        "export) does not have. mind store restore says since when, and events can be pushed again "
        "with their keys.",
    ),
    Term(
        "the clock is wrong",
        "No lease goes by it. Plans are due too early or too late, and days of budgets begin so; "
        "mind doctor says when something was written at a time that has not come yet.",
    ),
    Term(
        "a copy by cp",
        "It is torn: what was committed last is in mind.db-wal. mind store backup copies while "
        "others write.",
    ),
    Term(
        "a tick of a population is killed",
        "The same command goes on, and ends with the same bytes.",
    ),
)


def machines_manual() -> Manual:
    """Return mind-machines(7)."""
    name = Text("mind-machines - what one file carries, what it may lose, and when to leave it")
    see = "mind-doctor(1), mind-bench(1), mind-store(1), mind-run(1), mind-simulate(1)"
    sections = (
        Section("NAME", (name,)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("WHAT ONE MACHINE CARRIES", _CARRIES),
        Section("WHEN TO LEAVE ONE FILE", _LEAVE),
        Section("WHAT ONE FILE MAY LOSE, AND WHEN", _LOSE),
        Section("SEE ALSO", (Text(f"{see}, mind-promises(7), mind-server(7)"),)),
    )
    return Manual("mind-machines", 7, sections)
