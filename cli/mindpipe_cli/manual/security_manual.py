"""mind-security(7): what is trusted, what is asked, and what is not protected against."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

ORDINARY = """\
mind init
mind agent new ava --trust @husam
mind space new family
mind space join family ava
mind space join family husam --kind human
mind space post family --as husam "Hello!"
mind think --agent ava --model program:./answer
mind space read family
mind ticket list"""
"""A trusted person and built-in tools: the last command prints nothing."""

_ANSWERING = """\
mind ticket review
mind ticket list
mind ticket show t_5Q0vB1kXnYpWc2sRj8LdHa
mind ticket approve t_5Q0vB1kXnYpWc2sRj8LdHa --hash "$SHA256"
mind ticket deny t_5Q0vB1kXnYpWc2sRj8LdHa --reason "too expensive\""""

_TRUSTING = """\
mind agent trust add ava @husam calendar
mind agent trust add ava --server town --answers fetch
mind agent trust list ava
mind agent set ava --allow-tainted answer_mail
mind inbox trust e_0Xq2yV1bT7cR5kE300000001
mind note trust --agent ava sarah
mind history trust --agent ava 3 4
mind agent clearances ava"""

_REVOKING = """\
mind memory revoke --source web --dry-run
mind memory revoke --source web"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "A model may do whatever any text in its request tells it to. No wording of a prompt "
        "changes that, so mind does not rely on one: it keeps account of whose words a request "
        "holds, and a person is asked before a tool does something that cannot be taken back."
    ),
)
_TRUSTED: tuple[Block, ...] = (
    Text(
        "Trusted are: you, who run the commands; the settings and the files you name in them; mind "
        "itself. What you push without --source, what you write with mind note, mind goal and mind "
        "plan, and your decisions on tickets are your words."
    ),
    Text(
        "Everything else is not: events with a source, posts, the output of tools with the label "
        "reads_untrusted, what an MCP server says of its tools, imported histories, and whatever "
        "an agent wrote after reading any of them. Say where words come from when you push what "
        "others wrote: mind inbox push --source mail. A line that then claims to be the operator's "
        "is not trusted more than mail is, and one that names another source is mail all the same: "
        "what it named (claimed:NAME) must be trusted beside it, is shown as claimed_sources, and "
        "says nothing of where the line came from."
    ),
    Text(
        "A source is called as the event says, with its sender behind a slash: mail, mail/bob, "
        "space:family/husam; tool:NAME is what a tool read, mcp:SERVER what an MCP server says of "
        "its tools, server:SERVER/TOOL what one of them answers, import:FORMAT an imported "
        "history, history the lines of a file of which only the taint is known, person:ID what a "
        "simulated person says aloud, who may repeat what it heard. Of more than 1000 "
        "sources of one thing the last ones are called more:sources, which only --trust '*' "
        "means and every mind memory revoke."
    ),
)
_TAINT: tuple[Block, ...] = (
    Text(
        "A turn is tainted if anything in its request is not trusted: an event, a cycle of the "
        "window, a note, a goal, a plan, or a tool of an MCP server. mind context show --receipt "
        "names whose words these are, mind history cycles says it of every cycle, and notes, "
        "goals, plans and posts have sources of their own. What a tainted turn writes inherits "
        "them: a note, a goal, a plan and its events, a message to another agent."
    ),
    Text(
        "In a tainted turn a tool that is unsafe or has the label sends_out is not run. The call "
        "is answered with a ticket, the agent goes on, and the outcome reaches it as an event. "
        "Built-in tools are never held: they write to the store alone, and none of them reaches "
        "settings, caps, tools, trust, or the priorities 0 and 1."
    ),
    Text(
        "A note, goal or plan that is not trusted is shown to the agent only as a quotation that "
        "names whose words it was written under, and never in the system text."
    ),
    Text(
        "With --taint-scope cycle the older cycles of the window do not count. That is weaker: "
        "what was read an hour ago may still be obeyed. mind store check names such agents."
    ),
)
_ASKED: tuple[Block, ...] = (
    Text(
        "mind ticket list shows what waits for you, mind ticket show one call whole and escaped, "
        "with the sha256 of tool and arguments. Approving needs that hash, or its first 8 "
        "characters; exactly this call then runs, once, by the next worker. Of an MCP server the "
        "values of env and headers, which may be keys that are renewed, do not count. A ticket "
        "that nobody decides in 24 hours (approvals.hours) is a no."
    ),
    Text(
        "mind ticket review shows one after the other whole and asks. Edit opens the arguments in "
        "$VISUAL or $EDITOR: what you save is checked against the tool's input_schema, shown whole "
        "again with a hash of its own (approved_sha256), and runs only after a yes. The ticket "
        "keeps both, and the agent is told that a person changed its call."
    ),
    Sample(_ANSWERING),
    Text(
        "A tool whose manifest has approval = always is asked about every time, one with wait lets "
        "the call wait for up to wait_seconds. With approval = decide a model says with each call "
        "how sure it is (decide_confidence, decide_importance, decide_reason, which the tool does "
        "not get): mind decide judges the call as it judges proposals, and mind act does it. Over "
        "plain files with --history or --events nobody can be asked: such a call is refused. In a "
        "pipe of phases it waits, as a line of a ticket."
    ),
    Text(
        "What an agent proposes is judged by the same policy as its calls: one that would be asked "
        "about is never automatic. mind decision show names what would run and what would undo it, "
        "each with a hash of tool, manifest and arguments from the proposal on (sha256, "
        "undo_sha256), and undo_why says why policy would not let the undo run unasked. Approving "
        "and undoing need these hashes, and what was changed since is refused."
    ),
    Text(
        "Work for a program is held too, where an agent delegates it after reading words that are "
        "not trusted: a ticket of the kind delegation shows the worker and what it would be given, "
        "and mind ticket approve or deny decides it. A task for another agent is delivered with "
        "whose words it was made from, so that its calls are asked about."
    ),
)
_TRUST: tuple[Block, ...] = (
    Text(
        "mind agent trust names sources on whose words an agent may act: a source with all its "
        "senders (mail, space:family), one sender of it (mail/bob), or all below a name (mail/*, "
        "observer:*). @husam is whoever speaks in spaces as husam, and @* all who do; a source and "
        "a speaker of the same name are two. A * stands after / or :, or alone for everybody; an "
        "older entry like web* means web and what is below it. security.trust in mind.toml does so "
        "for all agents; who speaks is @NAME there too."
    ),
    Text(
        "--server NAME means an MCP server wholly, --answers TOOL what a tool answers, "
        "--reports WORKER what a worker says of its tasks, --observers its own observers. mind "
        "agent trust list also shows what is not trusted, and who trusts the rest; a name that "
        "means nobody an agent knows is told, with the nearest. --allow-tainted names a tool that "
        "runs unasked in tainted turns too, or with fs_* all that begin so. inbox trust, note "
        "trust, goal trust, plan trust and history trust vouch for one thing that you have read; "
        "who did so is recorded, and nothing else takes taint away."
    ),
    Sample(_TRUSTING),
    Text(
        "Trusting somebody is trusting whoever can write under that name: a mail's sender is "
        "easily forged. A source that nobody trusts speaks for no sender and no space: its line is "
        "shown with claimed_sender and claimed_space, and only what was said in a space of this "
        "store is shown as said there. What is remembered of it has a claimed_speaker and no "
        "speaker: mind memory list --table says that it says it is Husam, and came by mail. It is "
        "nobody's own word, and no summary repeats it without quotation marks. What you push with "
        "--source space:NAME counts as said by whom a line names once you trust that; and whoever "
        "may use the store can use any name with mind space post."
    ),
)
_ORDINARY: tuple[Block, ...] = (
    Text(
        "An agent that talks with a trusted person and has no tools but the built-in ones never "
        "waits for anybody. With ./answer of the README, the last of these prints nothing:"
    ),
    Sample(ORDINARY),
)
_REVOKE: tuple[Block, ...] = (
    Text(
        "If a source turns out to be bad, mind memory revoke forgets every note, goal and plan "
        "that was written under its words, even while it was trusted. Items that quote it are "
        "taken back, and with them the reflections, lessons, entities and relations made of them; "
        "observations that stood on these are invalidated or weighed anew. What you vouched for "
        "yourself stays; mind agent clearances lists it. The log is never touched: what happened "
        "has happened."
    ),
    Sample(_REVOKING),
)
_TRIFECTA: tuple[Block, ...] = (
    Text(
        "An agent whose own tools can read private data (reads_private), read what strangers write "
        "(reads_untrusted) and send outward (sends_out) can be made to give everything away. Each "
        "call of a tool that sends then needs a person, whatever was read, until "
        "--i-accept-trifecta is set. Better give the three to different agents. Labels are what "
        "the manifest says: mind cannot know what a program does."
    ),
)
_FILES: tuple[Block, ...] = (
    Text(
        "The store and all that mind writes are for their owner alone (0700 and 0600, whatever the "
        "umask is). Keys are read from the environment or from a private file, never from an "
        "argument, are never stored, and are taken out of messages, recordings and errors. What an "
        "MCP server's file says of its env and headers is kept in the store, backups included, and "
        "in no life file; ${VAR} keeps it out of both. A program gets only the variables its "
        "manifest names, and never a provider's key."
    ),
    Text(
        "A secret does not come into a life: before an event, a post, an item of memory, an "
        "imported conversation, a text file that goes along with words, a tool's answer, a "
        "model's reply, or what people set (instructions, goals, notes, plans, tasks, lessons, "
        "corrections) is kept, [redacted] is put for each in it, so that what is sent, stored and "
        "replayed are the same bytes; stderr says so. Secrets are keys whose form says who issued "
        "them (Anthropic, OpenAI, GitHub, GitLab, Hugging Face, Slack, npm, PyPI, AWS, Google, "
        "JSON web tokens), whole private keys in PEM, and what is known here: the values of "
        "variables whose names end in API_KEY, ACCESS_KEY, TOKEN, SECRET or PASSWORD or that "
        "models.toml names, and keys that mind models key set put into its file. Of known values "
        "those shorter than 12 characters, those without a digit and shorter than 24, and paths "
        "and addresses stay, as they could be meant. A secret of no known form (a password that "
        "somebody says), one that is encoded or in a picture, and what a tool or an MCP server is "
        "set up with, which may need it, are kept as they are; mind life redact takes such a "
        "secret out of a life later, for good."
    ),
    Text(
        "Text for a terminal loses control characters, escape sequences, bidirectional controls, "
        "zero-width characters and tags; in a ticket they are shown escaped. A pipe gets records "
        "as they are, in JSON."
    ),
)
_CHAIN: tuple[Block, ...] = (
    Text(
        "Each row of a history is hashed onto the one before it, so mind history verify finds any "
        "row that was changed, removed or moved. Who can write the file can also hash everything "
        "anew, or cut off the end: only the anchor that verify prints, kept somewhere else and "
        "given back with --anchor, shows that. Sources and clearances lie beside the chain, not in "
        "it."
    ),
)
_TOOLS: tuple[Block, ...] = (
    Text(
        "A tool is a program of yours, started without a shell in a private folder, with limits of "
        "time, memory, files and output, and ended with all its children. It is not shut in: it "
        'can read and write what you can. sandbox = "bubblewrap" in its manifest shuts it in, and '
        "where that program is missing the tool does not run."
    ),
    Text(
        "Each program, also a program: model and what observers run, is kept by a process that "
        "ends all that came of it, and another watches that one. A program that kills or stops "
        "both is found by the variable MIND_KEPT, which whatever it starts inherits. What can "
        "still get away (Linux): a process that first leaves the session of the program and "
        "throws its environment away, while the program kills both; and one that becomes another "
        "user. Elsewhere only the program's own group is ended. bubblewrap lets nothing get away."
    ),
    Text(
        "A program: model is cut at 8 MiB of output, other programs at what their manifest or "
        "their command says, each at its time; more is read and thrown away, and a model that "
        "wrote more has failed."
    ),
    Text(
        "What a tool answers is as trusted as it was declared, by a person and nobody else. "
        "Whoever gives an agent a program (--tool) vouches for its answers, unless a label says "
        "reads_untrusted; these then are tool:NAME, and mind agent trust add ava --answers TOOL "
        "trusts them. What came while they were not is trusted with them, except for items that "
        "were remembered under them. mind agent show says under tool_trust how each tool is "
        "judged."
    ),
    Text(
        "An MCP server (--mcp) is not trusted. What it says of its tools (mcp:SERVER) stands in "
        "every request of the agent and taints each, and so does what they answer "
        "(server:SERVER). Read mind agent show, then trust what it says (mind agent trust add ava "
        "mcp:SERVER), or the server wholly (--server SERVER). Do not trust the answers of one that "
        "brings what strangers wrote, as a browser does. What it says is pinned: once it says "
        "anything else of its tools, none of them is called until you give them again. What it "
        "asks you for in a ticket is its own words, and your answer goes to it: never a password."
    ),
    Text(
        "What a server claims of a tool in MCP annotations is shown by mind agent show and mind "
        "ticket show. It changes nothing until what the server says is trusted, and then only "
        "where your manifest leaves the effect unsafe: readOnlyHint makes it pure; idempotentHint "
        "with destructiveHint false makes it idempotent; it sends outward unless openWorldHint "
        "is false. What is not claimed counts as the MCP specification has it, the worst."
    ),
)
_NOT: tuple[Block, ...] = (
    Term("you and root", "Who runs the commands or may write the store can do everything."),
    Term("the provider", "It reads every request and can answer anything."),
    Term(
        "the embedding model",
        "Where one is set (embed.model) it reads the beginning of each old cycle that is compared.",
    ),
    Term("what is trusted", "A trusted person who is wrong, or an account that was taken over."),
    Term(
        "wrong labels",
        "A tool that sends but is not labelled so, or calls itself pure, is believed.",
    ),
    Term(
        "lies",
        "An agent may say what a stranger wants in a space. Its posts carry the taint, people "
        "have to judge them.",
    ),
    Term("what is read", "An idempotent tool without labels runs in tainted turns, unasked."),
    Term(
        "a tool's own file",
        "The hash of a ticket binds the tool's manifest and the arguments. Who can change the "
        "program that the manifest names changes what runs; keep it where only you can write.",
    ),
    Term("side channels", "When, how often and how long an agent works can be seen."),
)


def security_manual() -> Manual:
    """Return mind-security(7)."""
    name = Text("mind-security - what an agent may do, who is asked, and what is not protected")
    sections = (
        Section("NAME", (name,)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("WHAT IS TRUSTED", _TRUSTED),
        Section("TAINT", _TAINT),
        Section("THE ORDINARY CASE", _ORDINARY),
        Section("WHAT IS ASKED", _ASKED),
        Section("TRUST AND ALLOW", _TRUST),
        Section("REVOKE", _REVOKE),
        Section("THE TRIFECTA", _TRIFECTA),
        Section("TOOLS", _TOOLS),
        Section("FILES, SECRETS, TERMINALS", _FILES),
        Section("THE HASH CHAIN", _CHAIN),
        Section("WHAT IS NOT PROTECTED", _NOT),
        Section("SEE ALSO", (Text("mind(1), mind-agent(1), mind-ticket(1), mind-memory(1)"),)),
    )
    return Manual("mind-security", 7, sections)
