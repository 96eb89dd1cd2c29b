"""The section of mind-life(7) on the five phases as a pipe: what each record between them says."""

from typing import NamedTuple

from mindpipe_cli.manual.roff import Block, Sample, Section, Term, Text

PIPE = """\
mind agent show ava --file > ava.json
mkdir -p watched && echo "Buy lamp oil." > watched/list.md
mind observe files watched --once |
  mind think --agent-file ava.json --model program:./answer |
  mind decide --agent-file ava.json | tee decided |
  mind act --agent-file ava.json |
  mind reflect --agent-file ava.json > life
mind observe files watched --once | cat life - |   # the lines are the life: it goes on with them
  mind think --agent-file ava.json --model program:./answer > thought || true
mind observe --agent ava | mind think --agent ava - | mind decide --agent ava - |
  mind act --agent ava - | mind reflect --agent ava - > iteration || true"""
"""One iteration over lines alone, the next one, and one over the store."""


KILLED = """\
mind act --agent-file ava.json < decided > begun ||
  cat begun decided | mind act --agent-file ava.json > acted"""
"""What was killed in the middle is done to its end."""


class PhaseExample(NamedTuple):
    """One kind of line: what it is, and one of it."""

    kind: str
    words: str
    line: str


EXAMPLES = (
    PhaseExample(
        "event",
        "What happened. mind observe files prints it as a new-event, without record, id and "
        "state, and so does who writes it by hand; the first phase gives it these. mind think "
        "makes it done; mind decide and mind act add those by which the agent hears next time what "
        "became of what it wanted.",
        '{"record":"event","id":"e_7C5wDyNUk0C7V800000001","seq":1,"agent":"ava",'
        '"type":"observation","source":"observer:files","priority":4,"text":"list.md was created '
        '(file_created).","pushed":"2026-06-01T10:00:00Z","state":"ready","attempts":0,"epoch":0}',
    ),
    PhaseExample(
        "attended",
        "What this iteration takes up, chosen by mind observe in the store, and over lines by mind "
        "think: the ids of events of one concern.",
        '{"record":"attended","agent":"ava","at":"2026-06-01T10:00:00Z","mode":"normal",'
        '"concern":"others","events":["e_7C5wDyNUk0C7V800000001"],"queue":1}',
    ),
    PhaseExample(
        "cycle",
        "mind think adds it: what began it, how it ended, what it took.",
        '{"record":"cycle","agent":"ava","cycle":1,"state":"closed","outcome":"done",'
        '"trigger":"observation","events":["e_7C5wDyNUk0C7V800000001"],"model":"program:./answer",'
        '"input_tokens":6748,"output_tokens":113,"cost_micros":0,"milliseconds":40,'
        '"opened":"2026-06-01T10:00:00Z","closed":"2026-06-01T10:00:00Z","epoch":1}',
    ),
    PhaseExample(
        "message",
        "mind think adds what was read and said. Over lines these are the agent's history.",
        '{"record":"message","id":"m_7Pf7eZxO18lcmAosWZZAi8","agent":"ava","seq":5,"segment":1,'
        '"cycle":1,"turn":2,"role":"assistant","parts":[{"type":"text","text":"Done."}]}',
    ),
    PhaseExample(
        "call",
        "mind think adds each call of a tool, with its arguments, state and result.",
        '{"record":"call","id":"c_5vw5lMqb4j17jKl5jSJfCf","agent":"ava","cycle":1,"turn":1,'
        '"position":0,"tool":"bell","effect":"pure","args":{},"args_sha256":"44136f…",'
        '"key":"61c067…","state":"done","result":{"type":"result",'
        '"call":"c_5vw5lMqb4j17jKl5jSJfCf","status":"ok","text":""}}',
    ),
    PhaseExample(
        "ticket",
        "A call that waits for a person (pending), or what a decision runs by (running, and then "
        "executed, failed or unknown). A hash binds it to the tool and the arguments.",
        '{"record":"ticket","id":"t_6qZQjNe13lg5KUGLO8bHcE","agent":"ava","kind":"approval",'
        '"state":"pending","cycle":1,"tool":"pay","args":{"amount":5},'
        '"reason":"pay is asked about every time (approval: always)",'
        '"created":"2026-06-01T10:00:00Z","expires":"2026-06-02T10:00:00Z"}',
    ),
    PhaseExample(
        "decision",
        "What the agent proposed (proposed, by mind think), how it is judged and why (decided: "
        "automatic, suggested or escalate; returned: it must know more; by mind decide), and what "
        "became of it (applied, failed, unknown, or waiting for a person; by mind act).",
        '{"record":"decision","id":"d_0Hw6J3ypg1iW1mK5JILb8C","agent":"ava","state":"decided",'
        '"proposal":{"kind":"light","tool":"lamp","arguments":{"on":true},"confidence":0.95},'
        '"sha256":"29d3b0…","created":"2026-06-01T10:00:00Z","cycle":1,"type":"automatic",'
        '"why":"confidence 0.95 is over 0.9","expires":"2026-06-02T10:00:00Z"}',
    ),
    PhaseExample(
        "acted",
        "What mind act did this time: ids of decisions by what became of them.",
        '{"record":"acted","agent":"ava","applied":["d_0Hw6J3ypg1iW1mK5JILb8C"]}',
    ),
    PhaseExample(
        "iteration-reflection",
        "What mind reflect says of the iteration: what went well and what did not, and how "
        "significant it was (0-10).",
        '{"record":"iteration-reflection","agent":"ava","iteration":1,"at":"2026-06-01T10:00:00Z",'
        '"concern":"others","cycle":1,"observed":["observation"],"decided":["propose done"],'
        '"outcome":"done","well":["propose did what it should"],"significance":4.0}',
    ),
    PhaseExample(
        "pattern",
        "What is amiss over many iterations and what should change; the agent reads of it in its "
        "next prompt.",
        '{"record":"pattern","id":"pt_0bcpLCvcCm7QAaloBYc6nG","agent":"ava","kind":"stuck",'
        '"at":"2026-06-01T10:00:00Z","iteration":5,"iterations":[3,4,5],'
        '"words":"the same 3 times: propose, done","change":"yield","until":10}',
    ),
    PhaseExample(
        "pace",
        "How many seconds a loop would pause now, and how that comes about.",
        '{"record":"pace","mode":"normal","base":2.0,"rate":null,"rate_factor":1.0,'
        '"mean_queue":1.0,"queue_factor":1.5,"mean_seconds":0.04,"load_factor":1.0,'
        '"mode_factor":1.0,"product":3.0,"seconds":3.0,"by":"formula"}',
    ),
    PhaseExample(
        "failure",
        "The phase that failed, with its exit status. Those behind it do nothing but look back, "
        "and end with the same status.",
        '{"record":"failure","agent":"ava","phase":"think","status":75,'
        '"error":"the program answer failed with exit status 1."}',
    ),
)
"""Every kind of line between phases."""

_BLOCKS: tuple[Block, ...] = (
    Text(
        "mind observe, think, decide, act and reflect are one iteration, also as a pipe: each "
        "reads JSON Lines on stdin (or FILE) and prints all of them again, each record once and as "
        "it stands after the phase, with what the phase adds. So each can be run, kept with tee, "
        "read and tested alone. With --agent-file there is no store: the lines are all there is, "
        "and given to mind think again with new events, the life goes on. With --agent and - (or "
        "FILE) the store is changed as by one iteration of mind run, and mind think takes up what "
        "mind observe chose; without - each works on the store alone. Over a store lines only name "
        "events, cycles and decisions, which are read from the store: what it does not have "
        "passes on and changes nothing."
    ),
    Sample(PIPE),
    Text(
        "The field record says what a line is; the other fields are those of that record, which "
        "mind schema and mind-records(5) have under the same name. A line without record is a "
        "new-event. Lines of another agent, and of records that are none of these below, pass as "
        "they came; a name that no record has is refused."
    ),
    *(block for one in EXAMPLES for block in (Term(one.kind, one.words), Sample(one.line))),
    Text(
        "The same thing may come on many lines, in any order, as in cat life older: what has come "
        "furthest stands, and an event, call, ticket or decision never goes back to what it was. "
        "Over lines what does not hold together is refused with 65, and nothing runs: two lines of "
        "one id that cannot both be true, and one decision, ticket, call or event under two ids."
    ),
    Text(
        "Who holds the lines may change them. A decision or a ticket that waits for a person runs "
        "once its state is approved; its arguments cannot be changed, since its sha256 binds them."
    ),
    Text(
        "A phase ends with 3 where nothing came; mind think also where nothing is due, and mind "
        "reflect where no new cycle came. A phase that has nothing to do otherwise passes all on "
        "and ends with 0, so that with pipefail or without the status of the pipe is 0, 3, or that "
        "of the first phase that failed. Given what it printed when it failed, a phase tries "
        "again. What mind observe itself fails of only PIPESTATUS tells."
    ),
    Text(
        "Over lines nothing is leased, and the output of mind act is its only journal: what is "
        "printed does not run again, however often it comes. So mind act prints each call before "
        "it runs, as a decision that is approved and a ticket that is running, and waits until "
        "that is read, or on disk where its output is a file; at its end it prints all lines. "
        "Where it was killed, give its output with its input, in whatever order:"
    ),
    Sample(KILLED),
    Text(
        "Then what an unsafe tool had begun does not run again: its verify command is asked, and "
        "without one its ticket and decision are unknown, mind act says so on stderr and ends with "
        "0, and the agent hears of it. See whether it ran, and tell the agent by an event. "
        "What may run twice runs again under the same IDEMPOTENCY_KEY, and so does the program "
        "that calls a person. Where a kill or a full disk cut the last line, take it out: "
        "mind act says what is missing then."
    ),
    Text(
        "A cycle that could not end is not in the output of mind think, but what its tools did is "
        "done. Raw replies, memories, delegated tasks and waits for replies need a store."
    ),
)

PHASES = Section("THE PHASES AS A PIPE", _BLOCKS)
