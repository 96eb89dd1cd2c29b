"""mind-person(7), and what of a person can be changed: its settings and its constants."""

from collections.abc import Iterator

import msgspec

from mindpipe.person.body.constants import MARKS, Constants
from mindpipe.person.records.person import PersonSettings
from mindpipe.settings import variable_of
from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

SETTINGS = {
    "awareness": "Whether changes break into awareness, and it thinks at all.",
    "pacing": "lived: thoughts are dense around events and sparse at rest, the intervals are "
    "least gaps. seed: the intervals alone decide.",
    "model": "Its voice: composed, none, anthropic, or any MODEL.",
    "anthropic_model": "What the model anthropic is.",
    "max_tokens": "Most tokens of one thought; composed ignores it.",
    "temperature": "Of its model, 0 to 2; composed ignores it.",
    "min_call_interval_us": "Least time between two of its thoughts.",
    "spontaneous_interval_us": "Least time between two thoughts that nothing called for.",
    "review": "Whether a run lets an observer take notes on it.",
    "review_interval_us": "Least time between two notes; 20 minutes or more with pacing lived.",
    "review_buffer": "How many of the latest thoughts the observer has before it.",
    "review_model": "The model of its observer; empty is that of the person.",
    "max_prompt_tokens": "Most estimated tokens of one prompt; what does not fit is compressed.",
    "max_context_memories": "Most memories in one prompt, 0 to 10; of what happened, where it is "
    "lived.",
    "max_recent_thoughts": "Most recent thoughts in one prompt, 0 to 5.",
    "hold_s": "For how many seconds a thought moves the body, up to 3600.",
    "language": "The folder of the tables from which composed speaks; empty is English.",
    "parser": "What finds the labels of thoughts: seed or improved.",
    "absorption_gain": "How much a chain of thoughts raises the threshold of awareness, 0 to 1.",
    "drift": "Whether the mind may wander where nothing else is on it.",
    "prompt_coping": "Whether prompts name the impulse to cope.",
    "identity_by_model": "Whether a model words its identity anew each day; composed never does.",
    "max_calls": "Most calls of a model in a simulated day, for thoughts, answers aloud and its "
    "observer's notes together: a sixth is the observer's, whether there is one or not. Then one "
    "notice, and the composed voice goes on. composed has none. At pacing seed: most thoughts of "
    "one run, after which it falls silent, and as many notes.",
}
"""What each setting of a person does, by its name."""
_ABOUT_SETTINGS = (
    "Changed by --set KEY=VALUE, or more weakly by the variable MIND_PERSON_KEY, as in "
    f"{variable_of('person.drift')}=false. Names that end in _us are microseconds of simulated "
    "time. MIND_PERSON_MODEL and the setting person.model are the voice of all persons, and leave "
    "their own setting as it is."
)
_ABOUT_CONSTANTS = (
    "Changed by --const NAME=VALUE. Spans are in seconds where a name begins with tau_ or ends in "
    "_s, in hours where it ends in _h. L is from the literature, L? so too and not yet checked "
    "against the paper, F fitted to rows of mind simulate validate, C chosen."
)


def persons_sections() -> tuple[Section, ...]:
    """Return the sections on settings and on constants."""
    lines = "\n".join(_constants())
    return (
        Section("SETTINGS OF A PERSON", (Text(_ABOUT_SETTINGS), *_settings())),
        Section("CONSTANTS", (Text(_ABOUT_CONSTANTS), Sample(lines))),
    )


def _settings() -> Iterator[Block]:
    """Yield each setting with its default."""
    for field in msgspec.structs.fields(PersonSettings):
        default = msgspec.json.encode(field.default).decode()
        yield Term(field.name, f"{SETTINGS[field.name]} Default: {default}.")


def _constants() -> Iterator[str]:
    """Yield a line for each constant: its name, its default, and what it rests on."""
    usual = Constants()
    width = max(map(len, MARKS))
    for name, mark in MARKS.items():
        line = f"{name:<{width}}  {getattr(usual, name):<9.8g}  {mark.mark:<2}  {mark.source}"
        yield line.rstrip()


LIVING = """\
mind simulate new --name Mara --seed 7 > mara.jsonl
cat > day.jsonl <<'END'
{"kind":"event","at":"09:30","type":"injury","nrs":8,"class":"fracture","text":"you fell"}
{"kind":"event","at":"18:00","type":"speech","text":"I am so sorry.","from":"Ben"}
END
mind simulate run mara.jsonl --events day.jsonl --until 1d > lived.jsonl
mind simulate plot arousal valence energy cortisol_nmol_l --table lived.jsonl
mind feel --table < lived.jsonl | tail -3
mind review < lived.jsonl | tail -1"""
"""A day of a person, with a fall."""

PIPED = """\
mind simulate tick --to 0d09:29:59 --events day.jsonl < mara.jsonl > before.jsonl
mind simulate tick --dt 1 < before.jsonl > after.jsonl
cat before.jsonl after.jsonl | mind salience | mind feel --prompt react |
    mind complete --model composed | mind feedback > thought.jsonl
mind simulate tick --dt 10m --events thought.jsonl < after.jsonl > later.jsonl"""
"""The inner loop stage by stage, with the files of `LIVING`."""

STORED = """\
mind init --store m.db
mind simulate new --name Mara --store m.db
mind inbox push --agent mara --text "I am so sorry." --store m.db
echo '{"body":{"type":"injury","class":"cut","nrs":6}}' | mind inbox push --agent mara --store m.db
mind simulate run --until 1d --store m.db
mind life replay mara --store m.db"""
"""A person beside agents, what happens to it, and that it is lived again."""
_PERSON: tuple[Block, ...] = (
    Text(
        "Besides agents there are simulated persons. A person is a body of 55 exact modes "
        "(hormones, sleep, hunger, pain), a psyche read from it, and an inner voice that thinks "
        "when something breaks into awareness, when it is spoken to, or by itself. It lives in "
        "simulated time, sleeps and eats by itself, copes, and wants."
    ),
    Text(
        "It is a research toy: not medical, and no prediction of anybody. mind simulate validate "
        "measures the model against the literature, 42 rows, those it was fitted to apart from "
        "those it was not."
    ),
)
_DAY: tuple[Block, ...] = (
    Sample(LIVING),
    Text(
        "On a terminal mind simulate run shows her live. What it printed can be given to it again: "
        "mind simulate run lived.jsonl --until 2d goes on to the same thoughts, states and notes "
        "as an unbroken run: to the same bytes where it was split at a multiple of --every, and "
        "else with one state more, at which it was split. What it is told afterwards to have been "
        "at the very instant of the split stands behind the state of that. States are told at "
        "multiples of --every "
        "since midnight of day 0. A line of kind chart before the last states is what her observer "
        "goes on from; without it the observer looks back on the states there. A thought that "
        "others put among the lines acts on her at once, and is remembered from the next run on. "
        "mind simulate plot --output week.html lived.jsonl makes one page of it, which a browser "
        "shows: each day with its curves, sleep and events, and what she thought in order."
    ),
)
_PIPELINE: tuple[Block, ...] = (
    Text(
        "Each stage is a filter, so the loop is a pipeline, and what she thinks goes back into her "
        "body: salience says which changes break into awareness, feel how they are felt and what "
        "the voice is asked, complete lets a voice answer, and feedback labels the thought and "
        "says how it moves the body."
    ),
    Sample(PIPED),
)
_WEEK: tuple[Block, ...] = (
    Text(
        "A person has an ordinary week: mind simulate new --routine nurse-nights, office, pupil, "
        "student or retired, or a file of blocks; one a line, or a JSON list:"
    ),
    Sample(
        '{"what":"work","at":"21:00","dur":"10h","days":[0,1,2],"place":"on the ward","load":0.4}\n'
        '{"what":"meal","at":"18:00","dur":"45m","people":["household"],"quality":0.6}'
    ),
    Text(
        "Days count from Monday, day 0; household stands for whoever the identity says she lives "
        "with. Company of a quality relieves isolation and boredom as a contact does; work with a "
        "load tires, keeps her up and wakes her an hour before. Without --routine the identity "
        "suggests a week, which has company and no load; an empty list is a week of nobody. The "
        "block that runs says where she is, with whom, at what, and whether she sits or stands; "
        "what happens stands above it, and a suggested week places her only while nothing is told "
        "of her days."
    ),
    Text(
        "Some events turn a life: a death, a parting, a dismissal, new love, an exam, a birth, "
        "night work, an illness. They are known by the field topic, or by their "
        "words where a plain sentence says it of the right one (no question, doubt, plan or dream) "
        "and it weighs enough, also where somebody writes or says it; they change sleep, appetite "
        "and energy for days or weeks. A death is mourned of family, friends and her own animals; "
        "that of a patient, a neighbour or a colleague is sad and no more, and a child of the "
        "family is a joy that costs her no sleep. A new job ends a dismissal, days off work end "
        "after their time, and who comes back is parted no more; what is taken back (“your father "
        "is alive”) is no longer so. An exam that is told with its day is a goal. Who mourns, has "
        "a child born or is badly hurt stays away from work and school for as long as is usual. "
        "Who she is at birth is the identity of her person line: write it there, before she lives. "
        "What she learns of herself is added to identity.learnt; what the "
        "author gave stays as it is and whole in every prompt; what is over is told as over. All "
        "this is so at "
        "pacing "
        "lived; at pacing seed nothing of it happens."
    ),
)
TALKING = """\
mind simulate talk mara.jsonl --as Ada
echo 'How are you?' | mind simulate talk --person mara --as husam"""
"""Two ways to talk with a person."""
_TALK: tuple[Block, ...] = (
    Text(
        "mind simulate talk lets you talk with her: each line reaches her as speech, and a few "
        "seconds later she answers aloud; a turn takes a minute of her time (--dt). What she "
        "thinks of it stays her own. She answers from her identity, from what she was told and "
        "what happened to her, from her people and her week, as far as she remembers it, and says "
        "so where she does not know."
    ),
    Sample(TALKING),
    Text(
        "What you said and what she said are events, of types speech and said, and stand among "
        "her lines: on a terminal they are appended to her file turn by turn, else printed behind "
        "its lines, in a store kept there. Lived again from the same events she is the same. In a "
        "store what she says is posted in the spaces that she is in, or in one (--in-space): "
        "agents there hear it as said by her, with person:ID among its sources. With --as and "
        "--in-space what you say stands there too. mind chat --person mara is such a talk in a "
        "space of the two of you, mara-NAME, which mind space read shows afterwards."
    ),
)
_TIME: tuple[Block, ...] = (
    Text(
        "Time is simulated, in microseconds; the same input gives the same bytes, however a span "
        "is split into ticks, and a person in a file of 100,000 lives as it would alone."
    ),
    Text(
        "A million persons stand better in columns (the extra arrow): mind simulate new --count "
        "1000000 --format arrow city, then mind simulate tick city --dt 1d --jobs 2. A tick there "
        "that was killed goes on when it is given again; mind simulate export city prints lines."
    ),
    Text(
        "A shard holds its persons at one instant. With mind simulate tick city --dt 1d --every 1h "
        "each of them is read at every full hour: awake or not and since when, the phase of "
        "isolation, the latest event with words, and valence, arousal, energy, stress, sleepiness "
        "and isolation in 24 bits, in about 23 bytes a reading (4 kB a person and week), in "
        "city/readings, which may be removed. mind simulate stats city (the extra stats) asks "
        "DuckDB of these and of the persons as they are now, without loading them: mood-by-hour, "
        "mood-by-age-and-hour, sleep-by-night, bad-sleep, loneliness-after-event, of those whom "
        "--where n>0.7 chooses; --sql asks anything else of the tables persons and readings, and "
        "reaches nothing else. Persons are of an age where mind simulate new --age 18-90 made "
        "them, or born_us stands on their lines; nothing that they live depends on it."
    ),
    Text(
        "Some of them can think: mind simulate tick city --dt 1d --thinkers sample:100 --model "
        "anthropic --max-micros 2000000 lets a hundred think who are drawn by the seed, the same "
        "in each tick, for two dollars in all; --thinkers events lets those think whom --events "
        "reach, from then on. They live apart from their files, one process for all, each as on "
        "lines, thoughts acting on the body; then they are put back. So neither files nor "
        "processes nor a cluster change who thinks, what, or where the budget ends: from there on "
        "nobody thinks, and all live on. What they think is printed, kept in city/thoughts, and "
        "looked back on. What was answered is kept before it is heard, so that a tick that was "
        "killed asks for it no more."
    ),
    Text(
        "Where one machine is too small for them, --cluster ray://HOST:10001 lets the workers of a "
        "Ray cluster (the extra ray) live the files of city, which then lies on storage that all "
        "nodes share. Each worker keeps one file's persons in memory and writes them as they are "
        "at each checkpoint; only paths and instants pass through Ray. What a lost worker had done "
        "since its last checkpoint is done again by another one, and one that was thought lost and "
        "writes later changes nothing. Persons of a folder do not know each other, so that files, "
        "nodes and losses change no byte of what export prints. mind simulate new --shard N makes "
        "more files of fewer persons, at least one for each processor. Whoever reaches the ports "
        "of a Ray cluster can run programs on its nodes: keep them closed, or give it a token "
        "(RAY_AUTH_MODE=token), as --cluster local has one of its own."
    ),
)
_VOICE: tuple[Block, ...] = (
    Text(
        "composed is a voice that needs no network: it makes sentences from what is felt and from "
        "what happened, each time another facet of it, and in an hour in which nothing happens of "
        "what is at hand, of her people, duties and plans, fifty to eighty times a day, and no "
        "sentence twice within five days. Its tables are a folder of TOML files, "
        "mindpipe/person/voice/english; --set language=DIR lets a person speak from another one "
        "with the same files. Any model can be one (--model, or person.model for all), none lets a "
        "person live without thoughts. A voice that fails is a line of kind failure, one a day, "
        "and the life goes on. "
        "Words of others cannot begin a line of a person's prompt."
    ),
)
_IN_A_STORE: tuple[Block, ...] = (
    Text(
        "--store FILE keeps persons beside agents. What is pushed into her inbox reaches her, text "
        "as speech, or a body that is an event of persons; and what others post in her spaces. Her "
        "own thoughts are posted nowhere."
    ),
    Sample(STORED),
    Text("mind-records(5) has the fields of all events, mind-simulate(1) all settings, constants."),
)
_OBSERVER: tuple[Block, ...] = (
    Text(
        "The observer of mind review reads numbers and thoughts and never touches her: with it or "
        "without, she lives byte for byte the same."
    ),
    Text(
        "It looks every ten minutes and writes where there is something to note: how she takes "
        "what happens, how mood, tension, energy, sleep, meals and contact differ from yesterday "
        "and from the week, what her thoughts return to, and a risk (a low mood that lasts with "
        "hopeless words, no sleep, no food). A quiet day has a few notes. What it compares with is "
        "a chart of its own: made anew from the lines of a run, or kept in the store. With pacing "
        "seed it writes every minute."
    ),
)


def person_manual() -> Manual:
    """Return mind-person(7)."""
    see = (
        "mind-simulate(1), mind-salience(1), mind-feel(1), mind-feedback(1), mind-review(1), "
        "mind-records(5), mind-glossary(7)"
    )
    sections = (
        Section("NAME", (Text("mind-person - a simulated person: body, psyche, inner voice"),)),
        Section("DESCRIPTION", _PERSON),
        Section("A DAY", _DAY),
        Section("THE INNER LOOP AS A PIPELINE", _PIPELINE),
        Section("A WEEK, AND WHAT TURNS A LIFE", _WEEK),
        Section("TALKING WITH HER", _TALK),
        Section("TIME", _TIME),
        Section("VOICES", _VOICE),
        Section("IN A STORE", _IN_A_STORE),
        Section("THE OBSERVER", _OBSERVER),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-person", 7, sections)
