"""What mindpipe promises: number, words, and the suite of this folder that shows it.

The numbers are fixed for ever.
"""

from typing import NamedTuple

BOTH, FILE = ("file", "server"), ("file",)


class Promise(NamedTuple):
    """One promise; `suite` names test_<suite>.py, and `long` that only its long tier counts.

    `stores` says in which kinds of store it is kept: what is about a file alone has its reason in
    the manual.
    """

    number: int
    words: str
    suite: str
    long: bool = False
    stores: tuple[str, ...] = BOTH


PROMISES = (
    Promise(1, "a push that exits 0 is never lost to a killed process", "storm"),
    Promise(2, "the same push key is one event", "inbox"),
    Promise(3, "effects with a key land once at a receiver that keeps its word", "storm"),
    Promise(4, "unsafe tools run at most once, and every doubt becomes a ticket", "matrix"),
    Promise(5, "built-in tools take effect exactly once", "storm"),
    Promise(6, "history is valid for four APIs at every commit, unrepaired", "commits"),
    Promise(7, "power loss loses nothing acknowledged and damages nothing", "powerloss"),
    Promise(8, "two processes never both commit for one agent", "overtaken"),
    Promise(9, "the events of a dead worker are taken over", "overtaken"),
    Promise(10, "a poison event dies after five tries and stops nobody", "inbox"),
    Promise(
        11,
        "a full disk is a clean error: nothing half done, work goes on later",
        "store",
    ),
    Promise(12, "a reader that leaves loses nothing", "inbox"),
    Promise(13, "clocks that jump break nothing", "clock"),
    Promise(14, "pushed lines of 10 MB are refused or taken in little memory", "hostile"),
    Promise(15, "a line of 1 GB without an end is refused in little memory", "hostile", long=True),
    Promise(16, "odd bytes never crash it, and come back exact or marked", "hostile"),
    Promise(17, "odd JSON never crashes it", "hostile"),
    Promise(18, "crons that overlap do the work once, missed windows too", "cron"),
    Promise(19, "folding, undoing, consolidating: whole or not at all, and sources stay", "matrix"),
    Promise(
        20, "a damaged store is seen and never overwritten; the rest is saved", "store", stores=FILE
    ),
    Promise(21, "a backup taken under load restores", "store"),
    Promise(22, "passing faults of a provider are survived within bounds", "models"),
    Promise(23, "lasting faults of a provider are not tried again", "models"),
    Promise(24, "a cut stream leaves nothing", "models"),
    Promise(25, "bad tool calls close their turn", "models"),
    Promise(26, "an empty reply does not poison history", "models"),
    Promise(27, "an approval is used once, for the arguments that were shown", "approvals"),
    Promise(28, "a pending approval blocks nothing", "approvals"),
    Promise(29, "spending stays under the cap", "models"),
    Promise(30, "stores of every earlier version open, also after a kill", "store"),
    Promise(31, "no control sequence reaches a terminal", "terminal", stores=FILE),
    Promise(32, "files are private under any umask", "secrets", stores=FILE),
    Promise(33, "no secret leaves", "secrets", stores=FILE),
    Promise(34, "every change of past history is seen", "store"),
    Promise(35, "backends behave the same", "conformance"),
    Promise(36, "requests can be made again byte for byte", "commits"),
    Promise(37, "what others wrote makes no tool act unasked", "taint"),
    Promise(38, "a tool cannot outlive or outgrow its limits", "tools"),
    Promise(39, "what was said is remembered", "matrix"),
    Promise(40, "a stop is clean", "stop"),
    Promise(41, "recovery writes nothing before it is confirmed", "recovery", stores=FILE),
    Promise(42, "delegated work is recovered or handed to a person", "tasks"),
    Promise(43, "random orders of operations keep all rules", "model_check"),
    Promise(44, "a long life stays small", "soak", long=True, stores=FILE),
    Promise(45, "an emergency reaches a mind at work, and takes nothing from it", "interrupts"),
    Promise(46, "a loop loses nothing and does nothing twice over days of trouble", "days"),
    Promise(47, "a decision and its undo run only as a person was shown them", "decisions"),
    Promise(
        48,
        "a history is imported, checked and compacted in at most 8 times its size and 150 MB",
        "readers",
    ),
    Promise(49, "no output is written over a store or an input", "outputs", stores=FILE),
    Promise(50, "no pattern and no schema of a stranger holds a worker", "bombs"),
    Promise(51, "a store with several names is read, and not written", "names", stores=FILE),
    Promise(52, "a household loses nothing, and does nothing twice, with all switched on", "month"),
    Promise(53, "nobody becomes somebody else by saying so", "speakers"),
    Promise(54, "a killed command did all of it or nothing, and goes on when run again", "kills"),
    Promise(55, "a wait ends once, by what was waited for or by its time", "waits"),
    Promise(56, "each time of a plan comes once or is told as missed", "plan_windows"),
    Promise(57, "a changed octet anywhere in a life's file is found", "lives", stores=FILE),
    Promise(
        58, "a life that is lived again comes out the same, or is told where it does not", "lives"
    ),
    Promise(59, "a fork is what its life was at that cycle", "lives", stores=FILE),
)
