"""mind-memory(7): what stays in the window, what is remembered, held true, and found again."""

from collections.abc import Iterator

from mindpipe.knowledge.confidence import LASTING, LASTING_WINDOWS, WINDOWS
from mindpipe.knowledge.keys import SLOTS
from mindpipe.language.records import WAYS
from mindpipe.recall.signals import WEIGHTS
from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

REMEMBERING = """\
cat > said.jsonl <<'END'
{"id": "m1", "at": "2026-03-01T09:00:00Z", "speaker": "Jonas", "text": "I live in Bremen."}
{"id": "m2", "at": "2026-03-02T09:00:00Z", "speaker": "Jonas", "text": "I prefer tea."}
{"id": "m3", "at": "2026-06-02T09:00:00Z", "speaker": "Jonas", "text": "I moved to Lisbon!"}
END
mind init
mind agent new ava
mind memory add --agent ava < said.jsonl
mind consolidate --agent ava
mind observation list --agent ava --table
mind recall --agent ava "Where does Jonas live?" -k 3 --table
mind knowledge verify --agent ava
mind observation list --agent ava --as-of 2026-04-01 || true"""
"""A memory, what is held true on it, and a question to it."""

OVER_FILES = """\
mind consolidate --now 2026-07-01T00:00:00Z < said.jsonl > held.jsonl
echo '{"id": "q1", "query": "What does Jonas drink?"}' |
    mind recall --items said.jsonl --queries -"""
"""The same without a store, with the lines of `REMEMBERING`."""

_FOLDING = """\
mind compact plan --agent ava > plan.jsonl     # what would be done, bound to the log by its hash
mind compact diff plan.jsonl                   # what leaves, what stays, tokens before and after
mind compact apply plan.jsonl                  # exactly these bytes, or nothing: the log has moved
mind history show --agent ava --window         # what the model sees; without --window all of it
mind history show --agent ava --covers 1-30    # a summary, opened again into its messages
mind history search --agent ava --any "when does the inspector come?"
mind compact undo --agent ava                  # the window as it was, byte for byte"""
_FOLDED = """\
[Earlier: summary of cycles 1-11]
42 messages; tools: read_file, write_file, web_fetch, order_part, list_files, track_order, add_plan
- 1: The lamp log did not exist, so I began /srv/skerra/lamp.csv with a heading; I promised ...
- 2: The manual (https://manuals.example/lister-hr2.html) gives 210 g per kWh for the Lister HR2 ...
- 3: I ordered the injector HR2-INJ-2 for 129.50 euros, order SK-4471, which arrives on 2026-03-19.
...
[Kept word for word]
- task: Please keep the lamp log in /srv/skerra/lamp.csv, one line per night, and never ..."""
_JUDGING = """\
mind observation show OB --agent ava --explain   # every part of its confidence, to the quoted words
mind observation correct OB Porto --agent ava    # your word is evidence; so do confirm and pin
mind consolidate --agent ava --review            # what would replace a belief waits for you:
mind observation decisions --agent ava --queued  # then approve DE, or deny DE
mind observation revalidate --agent ava          # for cron: what aged or was refuted, and why
mind memory revoke --source web                  # takes back all that stands on a source
while mind consolidate --agent ava; do :; done   # 5,000 items at a time, until nothing is new"""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "An agent's past is kept three times over, each time for another use: the log has all that "
        "was said and done, the memory what is worth keeping of it, and the observations what is "
        "held true. Nothing of these is rewritten. What the model sees is a fourth thing, the "
        "window, which is made of them."
    ),
)
_WINDOW: tuple[Block, ...] = (
    Text(
        "The log only grows; what the model sees has a budget. When a cycle leaves the window over "
        "the agent's max_tokens (100,000), the cycles before the last min_recent_cycles (10) are "
        "folded into summaries, where that saves min_saving tokens or more. The log itself never "
        "changes, every cycle is in exactly one part of the window, and whatever left can be "
        "searched, opened again or brought back. To hold, an undone fold needs a larger "
        "--max-tokens."
    ),
    Sample(_FOLDING),
    Text(
        "As a filter mind compact needs no store and no model. It takes canonical, ai-sdk, "
        "anthropic, openai-chat and openai-responses messages, one conversation or a file of many, "
        "and leaves a window that fits as it is. 48 messages of a lighthouse keeper's agent, 2,070 "
        "tokens, become 668 with mind compact --budget 900 --keep-cycles 1 < "
        "fixtures/cases/compact/skerra.json:"
    ),
    Sample(_FOLDED),
    Text(
        "--strategy, or mind agent set --compaction, says what stands for old cycles. Without "
        "them it is self-summary if most cycles use tools and close with words of the agent that "
        'say what the cycle was about ("Done." does not), else anchored; the plan says which, and '
        "why. Whatever is left out, no sentence is cut: what "
        "denies, doubts or reports stays with what it speaks of, and what the next few turns deny "
        "or take back is told with their words, or not at all; a line of a cycle names the later "
        "ones that do so (3, see 5: ...)."
    ),
    Term(
        "self-summary",
        "The agent's own closing words, for agents that end with a summary; behind what was said, "
        "where they tell nothing of it ('Noted.').",
    ),
    Term("anchored", "The sentences that tell most, users' first: the one for chats."),
    Term("layered", "One line for each cycle, and then for spans of them."),
    Term("semantic", "Cycles that bear on what waits; embed.model compares them by meaning."),
    Term("masked", "All but old tool results."),
    Term("model", "One checked call of a language model; anchored where it fails the check."),
    Text("mind bench compaction measures all of them on dialogues and transcripts."),
)
_MEMORY: tuple[Block, ...] = (
    Term(
        "items",
        "What happened (episodic), what is so (semantic), how it is done (procedural), and notes; "
        "each with when it was true, when it was learnt, who said it, and the words it quotes.",
    ),
    Term("reflections", "Summaries of a period, with the items that were read for them."),
    Term("lessons", "What to do when, with how it went each time."),
    Term("entities", "Who and what has a name, and how they stand to each other."),
    Text(
        "mind memory extract and the end of each cycle make items of what was said, a line each, "
        "and label them by the statements that a reader finds: the strict one at the end of a "
        "cycle, the agent's or that of --reader in mind memory extract. What it does not "
        "understand is an item too. With --model a model labels them and finds more, and what it "
        "misquotes is refused. What the model "
        "itself said, and what memory put into a prompt, is never evidence. A pipe works too:"
    ),
    Sample(REMEMBERING),
    Text(
        "Before a cycle's first request, items and lessons that bear on what came are put into it "
        "as they were kept, with when and who said it: at most ten of each, once while they stand "
        "in the window. What was written under words that the agent does not trust stays out, and "
        "comes through the tool recall alone. mind context budget tells what they take."
    ),
    Text(
        "Items fade by their kind and significance, half as fast with each time that they were "
        "recalled; mind memory archive, and mind run once a day, set aside what has faded, and "
        "nothing is deleted."
    ),
)
_BELIEF: tuple[Block, ...] = (
    Text(
        "An observation is one claim on one subject, in one slot, under a key that code makes. It "
        "names its evidence: items, lessons, reflections and entities, never another observation. "
        "What a reader reads in a reflection or a profile supports what items say; the first "
        "sentence of a profile is held as a definition only where nothing is read in it. "
        "mind consolidate reads statements from what is new and weighs them against what is held. "
        "Its verdicts are that new evidence corroborates, refines, supersedes, "
        "contradicts or retracts; the weights that decided are written down, and the newest does "
        "not win by being new. What is replaced stays, and --as-of INSTANT answers, everywhere, "
        "from what was known and believed then."
    ),
    Text(
        "A statement says who speaks, of whom, which attribute, which value, and how it is meant: "
        f"{', '.join(WAYS)}. Only what is asserted, denied or ended is believed, and what nobody "
        "reads stays an item that recall finds. A denial or an end takes the place of what it "
        "denies: a residence is then not Bremen. Whatever can be told can be denied (I don't "
        "hate mushrooms / I have a cat, not a dog / Tim isn't 7, he is 8); a plain denial counts "
        "at once, in the prompt of its own cycle, and bears on what is held alone. Who takes "
        "back what he said with his next word, within a day (I was joking / scratch that / no "
        "wait, wrong dog), takes that item back: what it had ended or replaced is held again. A "
        "few words within ten minutes that set right a value of their kind (*Redding / sorry, 43 "
        "/ I mean 3 June) do so; where it is not sure that they do (43 actually / no, Bath), that "
        "value is in doubt. "
        "Who says by which name he goes (I'm Paul) is meant by it in questions and in what "
        "others tell, where nobody else has that name. What one person says of another who "
        "speaks for himself here, or ever did, is left to him; of others another's word replaces "
        "none: the "
        "belief is contested, and --explain shows what both weigh. A figure in passing is stale "
        "until it is said again or changed; one that names what it changes (The budget went up to "
        "50,000), or means the one right before it (They raised it), changes that, be it of the "
        "one project that has such a figure, or that he has told of; one that is denied is held no "
        "more. Who reads is said by --reader or knowledge.reader:"
    ),
    Term(
        "strict",
        "Few forms, each the whole of a clause, and the pieces that somebody says of himself "
        "behind his own name (Ana, 29, nurse in Porto); needs nothing, believes little. It is the "
        "default.",
    ),
    Term(
        "parsed, parsed:PIPELINE",
        "Walks the parse of a pipeline of spaCy: pip install '.[nlp]' and any pipeline of "
        "English. It reads more of everyday speech, takes a second to load, and runs in "
        "consolidation (the worker's in its idle time too) and mind memory extract alone.",
    ),
    Term(
        "model, model:MODEL",
        "Asks a language model, by default the agent's own, for statements with their quotes. What "
        "it misquotes, an attribute that there is not, or a value that the quote does not say is "
        "refused and told, and so is a quote that is of somebody else; where the whole sentence "
        "around the quote shows a question, report, dream, doubt or joke, or another polarity, or "
        "that it was so once, or that not who speaks does it, it has the last word. Days count "
        "where the quote names them, and figures are read by rules. Its calls stand in the ledger; "
        "where it fails "
        "nothing is changed (status 69).",
    ),
    Term(
        "auto",
        "The best of strict and parsed that is installed when an agent is first consolidated; mind "
        "agent show says which. That holds for it from then on: where the pipeline is missing "
        "later, consolidation says so (status 69). --reader auto, another knowledge.reader in "
        "between, or mind agent set NAME --unset reader let it be chosen anew.",
    ),
    Text(
        "Whose words a text holds is seen first, by every reader: behind the head of a mail, in "
        "the lines of a chat, in a letter that another signed, behind words that lead in what "
        "another wrote or what is made up (Here is what my tenant wrote me: / My kid's essay: / "
        "Translate this:), before That's what the kid said, and between quotation marks around "
        "sentences nothing is the word of who hands it on. It stays in the item, and nothing is "
        "stated of it."
    ),
    Text(
        "What somebody denies while he talks with an agent (No, I don't live in Bremen. nope, not "
        "bremen. I don't live there.) is not believed from that very prompt on: mind think reads "
        "denials by the forms of strict. KNOWLEDGE then says by whom it was corrected and when. Of "
        "what there is one of, such as a home, it asks for the right value in one cycle in which "
        "he speaks, and never again; where he says it, it takes the place at once, also in few "
        "words (In Hannover.) behind a question for it. A slip that he takes back (Sorry, typo: I "
        "live in Uelzen) counts at once too. Who only says That's wrong, after a reply that named "
        "one thing that is held of him, or that he never said it (I never said I was vegan), ends "
        "nothing: that is in doubt, and the prompt says to ask what is right."
    ),
    Text(
        "Evidence keeps who read it, with the version, of a pipeline also its version and a hash, "
        "the same wherever the same pipeline is: the field reader of mind observation show. "
        "Another reader later leaves it as it is."
    ),
    Text(
        "A statement may name its day; without a year it lies ahead, unless a past verb points "
        "back. What is to be from one on (I start at Nordlicht on 1 June) "
        "waits as a stale plan under the slot plan.WHAT. One that was told in the week before its "
        "day is held true from that day on, and so is an age, unless it was denied before. Any "
        "other is not so by its day alone, since it may have been called off in words that nobody "
        "reads: it is overdue then, and what it was to take the place of is in doubt, until "
        "somebody says what is so. Without a day (I'm moving to Nice) it "
        "waits from some day on, which never comes: I live in Bonn holds until somebody "
        "says that he has moved. Who is in (We're in! / first week in the new house / second week "
        "at the new office) within 200 "
        "days of it lives or works where he planned to; parsed holds a home in view for such a "
        "plan (found "
        "one. a narrow house in Whitby). A plan takes the place of another of its slot, with a day "
        "that it is put off to; what calls it off (The move is off. / I turned Nordlicht down. / "
        "Lyon fell through. / My start got postponed.) keeps it from coming true. What was "
        "said to hold until a day ends with it, and what passes by itself when its time is over: "
        "a holiday after two weeks, a cold after three, a broken arm after three months, a "
        "pregnancy after 210 days, "
        "each from when it was said last. What is of a day to come, since a clock was set forward "
        "once, is not stated before that day, and what is said now against it counts. An age that "
        "was last told half a year ago is stale. A change that is told more than a year after it "
        "(I joined Nordlicht in 1999) is "
        "history: it replaces nothing that is held since then, and nothing begins with it but a "
        "home that was moved to then, where no other is known; what "
        "goes on since then is so today. What takes the place of another (swapped me to, from A to "
        "B, we broke up) ends "
        "that one; where several could be meant and none is named, it ends none. Where somebody "
        "names what is held of him beside words of an end (Hartwig is closing), or what he is or "
        "does behind a not (the test says I'm not allergic to peanuts), in a sentence that says no "
        "more of that to a reader, it is in doubt: stale, with those words as context, "
        "until it is said or confirmed again; so is a home, a workplace or a partner of whom "
        "nothing was said for 60 days, behind what tells of another (my new flat, handed my notice "
        "in, single again), and with another home or office the landlord, flatmate, boss or "
        "colleague of the one before. So is an end, where what is over is named beside back or "
        "again (Eve and I are back together). Who answers within half a day what somebody else "
        "has said of him (wasps, not bees. / 59, thank you. / yes) says it himself. A later value "
        "takes the place of the earlier one however soon it comes; only a name, and what is told "
        "in words of one's own, such as an instruction, has to outweigh it."
    ),
    Text(
        "Confidence is one sum over how many sources support a claim, of how many kinds, with what "
        "weight, how recently, whether you confirmed it, and what contradicts it; mind observation "
        "show --explain prints each part. Weight is by the trust of each source: what nobody "
        "vouches for counts half. Freshness falls with age, and is computed whenever somebody "
        "looks: below one half no prompt states an observation any more, which mind observation "
        "list --table says too, while its status stays what was decided last: active until mind "
        "observation revalidate, or a worker in its idle time, calls it stale; the window of its "
        "kind says when that is. knowledge.windows changes the windows."
    ),
    Text(
        "knowledge.slots adds attributes: world_fact.shoe_size has one value at a time, "
        "project_state.risk.* one per topic. Every reader fills them from then on by their words: "
        "My shoe size is 42, Jo's shoe size is 39, The risk of Atlas is delay; is not, is no "
        "longer, not … any more and has no … end them. The reader model is told their names too. "
        "Facts of projects are told in the same way, with the name of the project or of a part of "
        "it as the subject: Atlas uses PostgreSQL, We moved Atlas "
        "from MySQL to PostgreSQL, Dana owns the billing service, The deadline of Atlas is 3 "
        "March. What a program is (a database, a framework, a language) is known of common ones, "
        "and told of any other: as its database. A later word takes the place of an earlier one; "
        "of frameworks there may be several. What is said of the project or of what we use is of "
        "the one thing of which the same is held; where there is none, or several, the subject is "
        "project."
    ),
)
_OPERATOR: tuple[Block, ...] = (
    Text(
        "Your word is an item like any other: it counts as evidence, and is found as the reason. "
        "With --review every supersession waits for you."
    ),
    Sample(_JUDGING),
    Text(
        "mind knowledge verify holds every observation against its sources and the log, quote by "
        "quote; mind knowledge audit names what a person should look at."
    ),
)
_LEFT_OUT: tuple[Block, ...] = (
    Text(
        "Left out, since it was measured and did not help on every collection: less for a row of "
        "which the sentence that fits only asks (of lives .466 for .458 in the first three, of "
        "BEAM .53 for .56 of the evidence in the first ten); the later of two rows on one thing "
        "above the earlier, also only where it says that something is not so, no longer so or now "
        "so (of lives stale evidence above the right one in 13 for 15 of 57, of LoCoMo a mean "
        "reciprocal rank of .606 for .611); less for what was planned for a day that is over; "
        "the newest only as far as it fits; the newer of those that fit where a question is in "
        "the present tense (of lives evidence in the first three for 65 for 61 questions, of BEAM "
        ".534 for .559 in the first ten, of LoCoMo .789 for .796); the answer of another beside "
        "what asks with the question's words; the question moved towards its three nearest rows by "
        "their vectors (lives .641 for .656, BEAM .690 for .677, LoCoMo .833 for .833); the first "
        "twenty ranked again by their vectors (lives .649 for .656, BEAM .674 for .677, LoCoMo "
        ".827 for .833)."
    ),
)
_RECALL: tuple[Block, ...] = (
    Text(
        "mind recall is one search over history, items, reflections, lessons, entities and "
        "observations. It ranks by one sum of signals, each between 0 and 1, with these weights; "
        "--explain shows what each added. What replaced something stands above it."
    ),
)
_VECTORS: tuple[Block, ...] = (
    Text(
        "Vectors are a signal where they were made. On this machine: install the extra embed (pip "
        "install '.[embed]'), run mind models fetch once, and then "
        "MIND_EMBED_MODEL=local/all-MiniLM-L6-v2 mind recall embed --agent ava. local/FOLDER is "
        "another BERT model, as sentence-transformers keeps it; openai/NAME is one of any "
        "OpenAI-compatible endpoint. Vectors of two models are never compared. mind bench recall "
        "and mind bench knowledge measure it all beside plain full-text search. Every stage works "
        "on plain files too:"
    ),
    Sample(OVER_FILES),
)


def _kinds() -> Iterator[Block]:
    """Yield every kind of observation with its window and slots."""
    yield from _BELIEF
    for kind, days in WINDOWS.items():
        slots = ", ".join(sorted(SLOTS[kind]))
        yield Term(f"{kind}, {days:g} days", f"{slots}.")
    yield Text("A slot that ends in .* holds one value per topic.")
    lasting = ", ".join(sorted(LASTING))
    yield Text(f"What lasts has {LASTING_WINDOWS:g} windows of its kind for one: {lasting}.")


def _signals() -> Iterator[Block]:
    """Yield every signal of recall with its weight."""
    yield from _RECALL
    width = max(map(len, WEIGHTS))
    yield Sample("\n".join(f"{name:<{width}}  {weight:g}" for name, weight in WEIGHTS.items()))
    yield Text(
        "words and vector stand for a row's own, its neighbours' and its session's. A word of "
        "everyday life leads to others of its topic, which count less: live to flat, medication "
        "to pill. A question with now, still, currently, these days or the like, or of days to "
        "come, prefers the newest rows (newest); one with before, originally or used to prefers "
        "the older ones (older), and what was replaced (was so) to what is held (still so). What "
        "takes back its speaker's last row, over what others answered, stands above that. What is "
        "believed on the matter (half of its words), and not in doubt, stands first (believed) "
        "where a question names whom it is about, or nobody and asks of whoever asks. Both that "
        "one and one of what lies between two times leave what was replaced in its place. Where a "
        "question in the present tense names no time, of short rows of one speaker, or beliefs "
        "about one subject, that have the same words of it, and most of them (a single one behind "
        "the same word), the later stands first (later), and what its speaker says to be over, "
        "sold or dead, with a word that few rows have, stands below where he says so. With "
        "--speaker, who asks of himself (my, our) finds what is believed about him too; in a "
        "prompt his own stands first who alone asks."
    )
    yield from _VECTORS
    yield from _LEFT_OUT


def memory_manual() -> Manual:
    """Return mind-memory(7)."""
    see = (
        "mind-compact(1), mind-memory(1), mind-consolidate(1), mind-observation(1), "
        "mind-recall(1), mind-knowledge(1), mind-life(7), mind-glossary(7)"
    )
    sections = (
        Section("NAME", (Text("mind-memory - what stays in view, is remembered and held true"),)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("LOG AND WINDOW", _WINDOW),
        Section("MEMORY", _MEMORY),
        Section("BELIEF", tuple(_kinds())),
        Section("YOUR WORD", _OPERATOR),
        Section("RECALL", tuple(_signals())),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-memory", 7, sections)
