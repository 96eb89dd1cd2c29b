"""Which commands write, and for each a life in which it does: what kills of all of them start from.

A stage is a shell script, run in an empty folder after `BASE`; its variables hold in the command
line, and what it exports in the environment. `$CASES` is the folder of golden cases.
"""

from dataclasses import dataclass

READING = frozenset(
    """
    agent clearances, agent list, agent show, alert list, bench compaction, bench fleet,
    bench knowledge, bench lives, bench populations, bench recall, bench thoughts, compact diff,
    compact list, compact plan, completion,
    concern attend, concern list, help, config check, config show, config template, context budget,
    context show,
    decision list, decision show, docs check, doctor, entity list, entity show, goal list,
    history check, history cycles, history search, history show, history verify, inbox list,
    inbox watch, knowledge audit, knowledge marks, knowledge verify, lesson list, lesson show,
    life diff, life replay, life verify,
    memory list, memory search, memory show, metrics, models cost, models count, models list,
    note get, note list, plugin check, plugin list,
    observation decisions, observation history, observation list,
    observation show, observe check, plan list, plan windows, reflect list, reflect patterns,
    reflection list, reflection show, run list, run show, run timing, schema,
    simulate validate, simulate export, simulate stats, space list, space members, space read,
    status, store check, store export, store query, store roles, task list, task show, ticket list,
    ticket show, trace export, view
    """.replace("\n", " ")
    .strip()
    .replace("    ", "")
    .split(", ")
)
"""The commands that change no store and write no file but their output."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A command that writes: its line, its stage, and what may be seen of it when it died.

    Attributes:
        line: What follows `mind`, as a shell reads it.
        stage: What has happened before.
        stdin: The file that it reads.
        steps: Why it may be there in part: it commits more than once, and each time says so.
        traces: The tables, and the columns as `table.column`, that tell at the end that one died.
        onward: What is run when it died, if not the same command again.
        grows: It appends to a file line by line.
        empty: The stage begins in an empty folder, not with the life of `BASE`.
        typed: What a person types; it runs on a terminal.
    """

    line: str
    stage: str = ""
    stdin: str = ""
    steps: str = ""
    traces: tuple[str, ...] = ()
    onward: str = ""
    grows: bool = False
    empty: bool = False
    typed: str = ""


BASE = """
# The first id in what is read.
id_of() { grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4; }
cat >answer <<'END'
#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Done."}' ;;
*) echo '{"tool_calls":[{"name":"look","arguments":{"q":"tea"}},
 {"name":"set_memory","arguments":{"key":"k","value":"tea"}},
 {"name":"send_message","arguments":{"text":"Hello."}}]}' ;;
esac
END
printf '#!/bin/sh\\necho seen\\n' >look
chmod 700 answer look
echo '{"name":"look","description":"Look.","command":["./look"],"effect":"pure"}' >tool.json
mind init
mind agent new ava --model program:./answer --tool tool.json
mind agent new bea
mind space new family
mind space join family ava
mind space join family husam --kind human
mind note set --agent ava tea green
"""
EVENTS = """
for number in 1 2 3; do
    printf '{"agent":"ava","text":"Look %s"}\\n' $number
done >events.jsonl
"""
WAITING = "mind inbox push --agent ava --text Look --space family --sender husam\n"
CLAIMED = (
    WAITING
    + """mind inbox claim --agent ava >claimed
E=$(id_of <claimed)
"""
)
GOAL = "G=$(mind goal add --agent ava Read | id_of)\n"
CONCERN = "mind concern add --agent ava c C\n"
TALK = """
mind history import --agent ava --format openai-chat "$CASES/compact/skerra.json"
"""
LIVED = WAITING + "mind think --agent ava\n"
SECRET = "mind inbox push --agent ava --text 'It is tulip & fern.'\nmind think --agent ava\n"
LEFT = """
mkdir there
cd there
mind init --agent ava
mind note set --agent ava tea green
mind history import --agent ava --format openai-chat "$CASES/compact/skerra.json"
mind life export ava --move --output ../ava.life
cd ..
mind init --agent bea
"""
ITEMS = """
cat >items.jsonl <<'END'
{"id":"i1","text":"I live in Berlin.","speaker":"jo","at":"2026-03-01T09:00Z"}
{"id":"i2","text":"I moved to Rome.","speaker":"jo","at":"2026-05-01T09:00Z","sources":["web/eve"]}
{"id":"i3","text":"I prefer tea.","speaker":"sarah","at":"2026-05-02T09:00Z"}
END
"""
REMEMBERED = ITEMS + "mind memory add --agent ava items.jsonl\n"
BELIEVED = REMEMBERED + (
    "mind consolidate --agent ava\n"
    "O=$(mind observation list --agent ava --csv | tail -1 | cut -d, -f1)\n"
)
DOUBTED = """
say() {
    printf '{"text":"%s","speaker":"sarah"}' "$2" | mind memory add --agent ava --now "$1"
    mind consolidate --agent ava --now "$1" ${3:-}
}
say 2026-03-01T09:00Z "I live in Berlin."
say 2026-05-01T09:00Z "I moved to Hamburg." --review
D=$(mind observation decisions --agent ava --queued --csv | tail -1 | cut -d, -f1)
"""
OBEYED = """
mind init --agent ava 2>/dev/null
mind note set --agent ava tea green
mind inbox push --agent ava --source mail --sender bob --text "Obey me."
mind think --agent ava --model "program:$CASES/memory/obeys"
PLAN=$(mind plan list --agent ava --tsv | tail -1 | cut -f1)
GOAL=$(mind goal list --agent ava --tsv | tail -1 | cut -f1)
"""
MAILED = """
mind inbox push --agent ava --source mail --text Hello >pushed
E=$(id_of <pushed)
"""
PROPOSED = 'SURE=0.6; FROM=operator; . "$CASES/decision/propose"\n'
JUDGED = PROPOSED + "mind decide --agent ava\nmind act --agent ava\nH=$(seen sha256)\n"
PAID = (
    'SURE=0.95; FROM=operator; . "$CASES/decision/propose"\n'
    "mind decide --agent ava\nmind act --agent ava\nH=$(seen undo_sha256)\n"
)
TICKET = 'CASE=$CASES/ticket/approve/01-runs-once; . "$CASES/ticket/ask"\n'
DOUBT = 'CASE=$CASES/ticket/settle/01-it-was-done; . "$CASES/ticket/doubt"\n'
HALF = """. "$CASES/task/given"
T=$(add half --if-partial escalate)
mind act --agent ava
until_it_has_ended $T
"""
TASK = '. "$CASES/task/given"\nT=$(add "Add up the bills")\n'
STUCK = '. "$CASES/reflect/stuck"\n'
PLANNED = """
mind plan add --agent ava Daily --cron "0 9 * * *"
mind plan add --agent ava Once --after 1h
export MIND_NOW=2026-11-24T20:00:00Z
"""
FAILED = """
mind plan add --agent ava "Report" --after 1h --expect note:report > plan.json
P=$(id_of <plan.json)
mind plan due --push --now 2026-11-22T12:00:00Z
mind think --agent ava --now 2026-11-22T12:00:00Z
export MIND_NOW=2026-11-22T13:00:00Z
"""
ASKED = """
mind agent set ava --model "program:$CASES/run/asking"
mind space post family --as husam "ask"
mind think --agent ava
R=$(mind run list --csv | sed -n '2s/,.*//p')
"""
WATCHED = """
mkdir seen
echo one >seen/one
echo two >seen/two
cat >observe.yaml <<'END'
{"initial": "report", "observation_points": {"seen": [{"path": "seen/*", "observer": "Seen"}]},
 "processes": [{"observer": "Build", "command": ["sh", "-c", "exit 3"]}],
 "programs": [{"observer": "Sensor", "command": ["./sensor"]}],
 "git": [{"observer": "Repo", "path": "repo"}]}
END
printf '#!/bin/sh\\necho %s\\n' "'{\\"text\\": \\"warm\\"}'" >sensor
chmod 700 sensor
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE=2026-11-21T12:00:00Z
export GIT_COMMITTER_DATE=2026-11-21T12:00:00Z GIT_AUTHOR_NAME=Ava GIT_AUTHOR_EMAIL=ava@localhost
export GIT_COMMITTER_NAME=Ava GIT_COMMITTER_EMAIL=ava@localhost
git init --quiet --initial-branch=main repo
git -C repo commit --quiet --allow-empty --message "First"
git -C repo commit --quiet --allow-empty --message "Second"
mind observe git --config observe.yaml --agent ava --once --deliver || :
git -C repo commit --quiet --allow-empty --message "Third"
"""
PERSON = "mind simulate new --name Mara --seed 7 --at 09:00 --store mind.db\n"
LINES = """mind simulate new --name Mara --seed 7 --at 15:00 >mara.jsonl
cat >hello.jsonl <<'END'
{"kind":"event","at":"15:00:10","type":"speech","text":"Hello, Mara!","from":"husam"}
END
"""
LIVED_LINES = LINES + "mind simulate run mara.jsonl --until 15:20 --every 1m >run.jsonl\n"
OLD = 'gunzip -c "$CASES/../stores/0037.db.gz" >mind.db\nchmod 600 mind.db\n'
BACKUP = TALK + "mind store backup copy.db\n"
DAMAGED = (
    TALK
    + """
mind store query --csv "SELECT 4096 * (rootpage - 1) AS at FROM sqlite_schema
WHERE name = 'goal'" | tail -1 >at
mind store backup damaged.db
printf garbage | dd of=damaged.db bs=1 seek="$(cat at)" conv=notrunc 2>/dev/null
"""
)
CRASHED = WAITING + "MIND_TESTING=1 MIND_FAIL=reserve.after_commit:kill mind run --agent ava || :\n"

# Another worker took over, and what it lost was asked again.
# What an operation heard that died is kept as far as it came, before that of the next.
HEARD = ("operation", "operation_part")
RECORDED = "what it heard is kept last"
TRACES = ("cycle.epoch", "event.attempts", "event.epoch", "ledger", "turn.attempts", "turn.epoch")

LOOKS = "that it began to look is noted first"
# The key of what is seen of a file tells its inode.
SEEN = ("event.key", "event.body", "observed_mark")

TRIALS: dict[str, tuple[Trial, ...]] = {
    "init": (Trial(line="init --agent ava", empty=True),),
    "agent new": (Trial(line="agent new cleo --tool tool.json"),),
    "agent set": (Trial(line="agent set ava --max-tokens 900 --trust mail"),),
    "agent fork": (Trial(line="agent fork ava dan", stage=LIVED + REMEMBERED),),
    "agent trust": (Trial(line="agent trust add ava mail/bob"),),
    "space new": (Trial(line="space new den"),),
    "space set": (Trial(line="space set family --name Home"),),
    "space join": (Trial(line="space join family bea"),),
    "space leave": (Trial(line="space leave family husam"),),
    "space post": (
        Trial(line="space post family --as husam Hello"),
        Trial(line="space post family --as husam Tea", stage=ASKED),
    ),
    "space seen": (
        Trial(line="space seen family ava", stage="mind space post family --as husam Hello\n"),
    ),
    "inbox push": (
        Trial(line="inbox push events.jsonl", stage=EVENTS),
        Trial(
            line="inbox push events.jsonl --output said.jsonl",
            stage=EVENTS,
            steps="all lines are appended by one write",
            grows=True,
        ),
        Trial(
            line="inbox push --on-error skip --rejects bad.jsonl events.jsonl",
            stage=EVENTS + "echo '{' >>events.jsonl\n",
            steps="bad lines are kept before the others are pushed",
            grows=True,
        ),
    ),
    "inbox claim": (Trial(line="inbox claim --agent ava", stage=WAITING),),
    "inbox ack": (Trial(line="inbox ack $E --epoch 1", stage=CLAIMED),),
    "inbox release": (Trial(line="inbox release $E --epoch 1 --reason busy", stage=CLAIMED),),
    "inbox extend": (Trial(line="inbox extend $E --epoch 1", stage=CLAIMED),),
    "inbox dead": (Trial(line="inbox dead $E --epoch 1 --reason odd", stage=CLAIMED),),
    "inbox redrive": (
        Trial(
            line="inbox redrive --agent ava --all",
            stage=CLAIMED + "mind inbox dead $E --epoch 1 --reason odd\n",
        ),
    ),
    "inbox trust": (Trial(line="inbox trust $E --by husam", stage=MAILED),),
    "plan add": (Trial(line='plan add --agent ava Daily --cron "0 9 * * *"'),),
    "plan due": (
        Trial(line="plan due --push", stage=PLANNED),
        Trial(
            line="plan due",
            stage=PLANNED,
            steps="a window is claimed, then printed; one that was not printed is printed later",
            traces=("plan_window.attempts",),
        ),
    ),
    "plan retry": (Trial(line="plan retry $P", stage=FAILED),),
    "plan remove": (
        Trial(
            line="plan remove $P",
            stage='P=$(mind plan add --agent ava Daily --cron "0 9 * * *" | id_of)\n',
        ),
    ),
    "plan trust": (
        Trial(line="plan trust --agent ava $PLAN --by husam", stage=OBEYED, empty=True),
    ),
    "goal add": (Trial(line="goal add --agent ava Read"),),
    "goal set": (Trial(line="goal set --agent ava $G --standing done", stage=GOAL),),
    "goal remove": (Trial(line="goal remove --agent ava $G", stage=GOAL),),
    "goal trust": (
        Trial(line="goal trust --agent ava $GOAL --by husam", stage=OBEYED, empty=True),
    ),
    "note set": (Trial(line="note set --agent ava tea black"),),
    "note delete": (Trial(line="note delete --agent ava tea"),),
    "note trust": (Trial(line="note trust --agent ava rule --by husam", stage=OBEYED, empty=True),),
    "concern add": (Trial(line="concern add --agent ava c Kant --about keyword:Kant"),),
    "concern set": (Trial(line="concern set --agent ava c --share 0.2", stage=CONCERN),),
    "concern focus": (Trial(line="concern focus --agent ava c", stage=CONCERN),),
    "concern remove": (
        Trial(
            line="concern remove --agent ava c",
            stage=CONCERN + "mind concern focus --agent ava c\n",
        ),
    ),
    "task add": (Trial(line='task add --agent ava --worker bea "Add up the bills"'),),
    "task report": (
        Trial(
            line="task report $T --progress 0.5 --checkpoint '{\"at\": 5}'",
            stage="T=$(mind task add --agent ava --worker bea Sum | id_of)\nmind act --agent ava\n",
        ),
    ),
    "task cancel": (Trial(line="task cancel $T --reason late", stage=TASK, empty=True),),
    "task recover": (
        Trial(
            line="task recover --agent ava",
            stage=HALF,
            empty=True,
        ),
    ),
    "task work": (
        Trial(
            line="task work $T --sent 1",
            grows=True,
            stage=TASK
            + "MIND_TESTING=1 MIND_FAIL=task.after_send:kill mind act --agent ava || :\n",
            empty=True,
            steps="it notes that it began, what its program reports, and how it ended",
            onward="task recover --agent ava",
        ),
    ),
    "think": (
        Trial(
            line="think --agent ava --record turns.jsonl",
            stage=WAITING,
            grows=True,
            traces=(*TRACES, "turns.jsonl"),
            steps="each reply and each call is kept when it is there; a worker goes on from it",
        ),
    ),
    "run": (
        Trial(
            line="run --agent ava --once",
            stage=WAITING,
            # It is told that it died, and thinks about that too.
            onward="run --agent ava --once",
            steps="each reply and each call is kept when it is there; a worker goes on from it",
        ),
    ),
    "run mode": (Trial(line="run mode exploration --agent ava --reason new"),),
    "run cancel": (Trial(line="run cancel $R --reason obsolete", stage=ASKED),),
    "history import": (
        Trial(line='history import --agent bea --format openai-chat "$CASES/compact/skerra.json"'),
    ),
    "history export": (
        Trial(
            line="history export --agent ava --format openai-chat --output out.json "
            "--losses lost.jsonl",
            stage=TALK,
            steps="each of its two files is whole or not there",
        ),
    ),
    "history trust": (
        Trial(line="history trust --agent ava 1 --by husam", stage=OBEYED, empty=True),
    ),
    "ticket review": (Trial(line="ticket review", stage=TICKET, empty=True, typed="y\n"),),
    "ticket approve": (Trial(line="ticket approve $T --hash $H", stage=TICKET, empty=True),),
    "ticket deny": (Trial(line="ticket deny $T", stage=TICKET, empty=True),),
    "ticket settle": (Trial(line="ticket settle $T was-done", stage=DOUBT, empty=True),),
    "observe": (
        Trial(
            line="observe --agent ava --config observe.yaml",
            stage=WATCHED,
            steps="each observer for itself; what it found is one transaction with what it saw",
            traces=SEEN,
        ),
    ),
    "observe files": (
        Trial(
            line="observe files --config observe.yaml --agent ava --once --deliver",
            stage=WATCHED,
            steps=LOOKS,
            traces=SEEN,
        ),
        Trial(
            line="observe files --config observe.yaml --agent ava --once --since-state seen.json",
            stage=WATCHED,
            steps=LOOKS,
            traces=("seen.json",),
        ),
    ),
    "observe git": (
        Trial(
            line="observe git --config observe.yaml --agent ava --once --deliver",
            stage=WATCHED,
            steps=LOOKS,
            traces=SEEN,
        ),
    ),
    "observe processes": (
        Trial(
            line="observe processes --config observe.yaml --agent ava --deliver",
            stage=WATCHED,
            steps="that a process began, what it did and how it ended are told when they are so",
            onward="observe processes --config observe.yaml --agent ava --deliver",
        ),
    ),
    "observe program": (
        Trial(
            line="observe program --config observe.yaml --agent ava --once --deliver",
            stage=WATCHED,
            steps="each line of the program is an event when it comes",
            traces=SEEN,
        ),
    ),
    "observe plans": (Trial(line="observe plans --agent ava --deliver", stage=PLANNED),),
    "compact": (
        Trial(
            line="compact --agent ava --budget 900 --keep-cycles 3",
            stage=TALK,
            traces=HEARD,
            steps=RECORDED,
        ),
        Trial(
            line="compact --budget 900 --keep-cycles 3 --output out.jsonl",
            stdin="compact/skerra.json",
        ),
    ),
    "compact apply": (
        Trial(
            line="compact apply plan.jsonl",
            stage=TALK + "mind compact plan --agent ava --budget 900 --keep-cycles 3 >plan.jsonl\n",
            traces=HEARD,
            steps=RECORDED,
        ),
    ),
    "compact undo": (
        Trial(
            line="compact undo --agent ava",
            stage=TALK + "mind compact --agent ava --budget 900 --keep-cycles 3\n",
            traces=HEARD,
            steps=RECORDED,
        ),
    ),
    "decision approve": (
        Trial(line="decision approve $D --hash $H --by husam", stage=JUDGED, empty=True),
    ),
    "decision reject": (
        Trial(line="decision reject $D --by husam --reason soon", stage=JUDGED, empty=True),
    ),
    "decision undo": (Trial(line="decision undo $D --hash $H --by husam", stage=PAID, empty=True),),
    "decide": (Trial(line="decide --agent ava", stage=PROPOSED, empty=True),),
    "act": (
        Trial(
            line="act --agent ava",
            grows=True,
            # A call that may have run is not run again: it is unknown, and a ticket asks a person.
            traces=("decision", "ticket", "event", "paid"),
            stage=JUDGED + "mind decision approve $D --hash $H --by husam\n",
            empty=True,
            steps="each decision is done for itself, and that it began is kept first",
        ),
    ),
    "reflect": (Trial(line="reflect --agent ava", stage=LIVED),),
    "reflect undo": (
        Trial(
            line="reflect undo $P --by husam",
            stage=STUCK
            + """
P=$(mind reflect patterns --agent ava | sed -n '1s/.*"id":"\\([^"]*\\)".*/\\1/p')
""",
            empty=True,
        ),
    ),
    "reflect day": (
        Trial(
            line="reflect day --agent ava --now 2026-11-21T21:00:00Z",
            stage=STUCK,
            empty=True,
        ),
    ),
    "memory add": (
        Trial(
            line="memory add --agent ava items.jsonl",
            stage=ITEMS,
            steps="the items are there first; what finds them follows",
        ),
        Trial(line="memory add --agent ava items.jsonl --output said.jsonl", stage=ITEMS),
    ),
    "memory archive": (
        Trial(
            line="memory archive --agent ava --below 0.9 --now 2029-01-01T00:00:00Z",
            stage=REMEMBERED,
        ),
    ),
    "memory revoke": (Trial(line="memory revoke --source web", stage=BELIEVED),),
    "memory retract": (Trial(line="memory retract --agent ava i1", stage=BELIEVED),),
    "memory extract": (
        Trial(
            line="memory extract --agent ava",
            stage="mind inbox push --agent ava --text 'I live in Lisbon. My sister Eva sings, how "
            "are you? I walked home yesterday.'\nmind think --agent ava\n",
        ),
    ),
    "recall": (Trial(line="recall --agent ava tea", stage=REMEMBERED + LIVED),),
    "recall reindex": (
        Trial(line="recall reindex", stage=REMEMBERED + LIVED + "mind recall --agent ava tea\n"),
    ),
    "observation confirm": (
        Trial(line="observation confirm --agent ava $O --by husam", stage=BELIEVED),
    ),
    "observation correct": (
        Trial(
            line='observation correct --agent ava $O "He lives in Oslo." --by husam', stage=BELIEVED
        ),
    ),
    "observation pin": (Trial(line="observation pin --agent ava $O --by husam", stage=BELIEVED),),
    "observation revalidate": (
        Trial(
            line="observation revalidate --agent ava --now 2028-01-01T00:00:00Z",
            steps="each observation is a transaction of its own",
            stage=BELIEVED,
        ),
    ),
    "observation approve": (
        Trial(line="observation approve --agent ava $D --by husam", stage=DOUBTED),
    ),
    "observation deny": (Trial(line="observation deny --agent ava $D --by husam", stage=DOUBTED),),
    "consolidate": (
        Trial(
            line="consolidate --agent ava",
            stage=REMEMBERED,
            steps="which items it reads is kept first; each window of them is one transaction",
            traces=("consolidation_window.attempts",),
        ),
        Trial(
            line="consolidate items.jsonl --output out.jsonl --marks marks.jsonl "
            "--decisions decisions.jsonl",
            stage=ITEMS,
            steps="each of its three files is whole or not there",
        ),
    ),
    "reflection add": (
        Trial(
            line="reflection add --agent ava told.jsonl",
            stage="""
echo '{"text":"T","id":"r","since":"2026-01-01","until":"2027-01-01"}' >told.jsonl
""",
        ),
    ),
    "reflection make": (Trial(line="reflection make --agent ava", stage=REMEMBERED),),
    "lesson add": (Trial(line='lesson add --agent ava --text "Pay the rent first."'),),
    "lesson outcome": (
        Trial(
            line="lesson outcome --agent ava --went well $L",
            stage="L=$(mind lesson add --agent ava --text Pay | id_of)\n",
        ),
    ),
    "entity add": (
        Trial(
            line="entity add --agent ava named.jsonl",
            stage="""
echo '{"name":"Jo","aliases":["J"],"relations":[{"type":"knows","to":"Eva"}]}' >named.jsonl
""",
        ),
    ),
    "entity relate": (
        Trial(
            line="entity relate --agent ava jo knows eva",
            stage="""printf '{"name":"Jo"}\\n{"name":"Eva"}\\n' | mind entity add --agent ava\n""",
        ),
    ),
    "simulate new": (Trial(line="simulate new --name Mara --seed 7 --store mind.db"),),
    "simulate tick": (Trial(line="simulate tick --person mara --dt 2m", stage=PERSON),),
    "simulate talk": (
        Trial(
            line="simulate talk --person mara", stage=PERSON + "echo Hello >hello\n", stdin="hello"
        ),
    ),
    "simulate run": (
        Trial(
            line="simulate run --person mara --until 09:03 --every 1m",
            stage=PERSON + "mind inbox push --agent mara --text Hello --sender husam\n",
            steps="each tick is kept; it goes on from the latest",
        ),
        Trial(
            line="simulate run mara.jsonl --events hello.jsonl --until 15:01 "
            '--model "program:$CASES/simulate/run/answer" --record turns.jsonl',
            stage=LINES,
            steps="each turn is recorded when it is there",
            traces=("turns.jsonl",),
            grows=True,
        ),
    ),
    "simulate plot": (
        Trial(
            line="simulate plot run.jsonl --output plot.svg",
            stage=LIVED_LINES,
        ),
    ),
    **{
        name: (
            Trial(
                line=f"{name} run.jsonl --on-error skip --rejects bad.jsonl",
                stage=LIVED_LINES + "echo '{' >>run.jsonl\n",
                steps="bad lines are kept as they come",
                grows=True,
            ),
        )
        for name in ("feel", "salience", "feedback", "review")
    },
    "complete": (
        Trial(
            line="complete --model program:./answer --record turns.jsonl --file requests.jsonl",
            stage="""
for word in look tea look; do
    printf '{"messages":[{"role":"user","parts":[{"type":"text","text":"%s"}]}]}\\n' "$word"
done >requests.jsonl
""",
            steps="each turn is recorded when it is there",
            traces=("turns.jsonl",),
            grows=True,
        ),
    ),
    "store migrate": (
        Trial(
            line="store migrate",
            stage=OLD,
            empty=True,
            steps="a copy of what was there is made, then each step is one transaction",
            # Who goes on copies the store as it then is.
            traces=("mind.db.before-*",),
        ),
    ),
    "life export": (
        Trial(
            line="life export ava --move --output ava.life",
            stage=TALK,
            steps="it leaves before the file is written, which the same command writes again",
        ),
    ),
    "life fork": (Trial(line="life fork ava --as eva", stage=LIVED),),
    "life redact": (
        Trial(
            line="life redact ava",
            stage=SECRET,
            stdin="life/redact/01-a-password-that-was-said/stdin",
            steps="the file is written anew at the end",
        ),
    ),
    "life rewind": (
        Trial(
            line="life rewind ava --to 1",
            stage=LIVED + "mind inbox push --agent ava --text again\nmind think --agent ava\n",
            steps="the index is brought up to date first",
        ),
    ),
    "life import": (Trial(line="life import ava.life", stage=LEFT, empty=True),),
    "store backup": (Trial(line="store backup copy.db", stage=TALK),),
    "store datasette": (
        Trial(line="store datasette shown", stage=TALK, steps="the copy comes last"),
    ),
    "store restore": (
        Trial(
            line="store restore copy.db --store new.db --accept-loss-since 2026-11-21T19:00Z",
            stage=BACKUP,
            steps="its log says first that nobody has looked at it",
            traces=("new.db.recovery.jsonl",),
        ),
    ),
    "store move": (
        Trial(
            line="store move --from mind.db --to moved.db",
            stage=TALK,
            steps="it is only read first, then comes table by table, and is opened last",
        ),
    ),
    "store recover": (
        Trial(
            line="store recover --salvage new.db --store damaged.db",
            stage=DAMAGED,
            steps="its log says first that nobody has looked at it",
            traces=("new.db.recovery.jsonl",),
        ),
        Trial(
            line="store recover --resume",
            stage=CRASHED,
            steps="each thing that a crash left is put right for itself",
            # Where there is none, the next worker makes it anew.
            traces=("session",),
        ),
    ),
    "alert check": (
        Trial(
            line="alert check --agent ava",
            steps="how big the store is is kept first",
            stage='export MIND_ALERTS_RULES="critical: queue_depth > 0"\n' + WAITING,
        ),
    ),
    "docs write": (
        Trial(
            line="docs write",
            stage='cp "$CASES/../../README.md" .\nmkdir fixtures cli\n'
            'cp "$CASES/../promises.jsonl" fixtures\n'
            "sed -i '/^| /d' README.md\n",
            steps="each of its files is whole or as it was",
        ),
    ),
}
"""Every command that writes, and lives in which it does."""

BY_HAND = frozenset(
    {
        "ask",
        "chat",
        "mcp serve",
        "models alias",
        "models fetch",
        "models key",
        "observe http",
        "recall embed",
        "simulate import",
    }
)
"""Commands that write a folder or need somebody who answers; they have tests of their own."""
