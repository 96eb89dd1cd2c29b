"""mind-python(7): a life from Python, and plugins."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

PYTHON_LIFE = """\
import mindpipe
from mindpipe.core.errors import MindError, NothingToDoError

with mindpipe.open_store("life.db", create=True) as store:
    ava = store.new_agent("ava", instructions="You keep the lamp.")
    ava.push("The lamp went out at nine.", source="sensor", key="lamp-21:00")
    try:
        cycle = ava.think()
        print(cycle.cycle, cycle.outcome, cycle.cost_micros)
        answer = ava.ask("When did the lamp go out?", speaker="bea")
        for post in answer.answers:
            print(post.sender, post.text)
    except NothingToDoError:
        print("nothing was due")
    except MindError as error:
        print(f"{error} (status {error.status})")
    for hit in ava.recall("lamp"):
        print(hit.rank, hit.source, hit.text)
    for message in ava.history(cycle=1):
        print(message.role, message.parts)"""
"""Twenty lines that live a cycle; any model serves, by MIND_MODEL."""

PLUGIN = """\
# pyproject.toml of the package
[project.entry-points."mindpipe.models"]
lamp = "mind_lamp:model"

# mind_lamp.py
from mindpipe.core.messages import TextPart
from mindpipe.core.models import Finish, ModelReply, Target

class Lamp:
    def __init__(self, name):
        self.target = Target(provider="lamp", api="program", model=name, family=name)

    def reply(self, request, preview=None):
        text = f"{len(request.conversation.messages)} messages"
        return ModelReply(parts=(TextPart(text=text),), finish=Finish.END, provider_finish="end")

def model(name):  # what stands behind lamp/
    return Lamp(name)"""
"""A plugin that is a model, as small as it can be."""

_DESCRIPTION: tuple[Block, ...] = (
    Text(
        "The commands of mind are thin: each calls one function of the library. Those with which "
        "an agent lives, remembers and is looked at are at hand in Python; all others are run as "
        "commands, which print records. import mindpipe loads nothing until one of its names is "
        "used; it is typed throughout."
    ),
    Sample(PYTHON_LIFE),
    Text(
        "What is returned are the records that the command prints: mind schema names their fields "
        "and mind-records(5) has them in words. What a command ends with is raised as a MindError, "
        "whose words say what was wrong and what to try, and whose status is the exit status."
    ),
)
_NAMES: tuple[Block, ...] = (
    Term(
        "mindpipe.open_store(PATH, create=False, environment=None, **settings)",
        "Open a store; with create make it where there is none. Settings are those of mind config "
        "show by their names: model, now, seed. Keys and MIND_ variables are read from "
        "environment, or from the process.",
    ),
    Term(
        "OpenStore: agents(), agent(NAME), new_agent(NAME, **settings), close()",
        "A store for one thread. The settings of an agent are the options of mind agent set, with "
        "_ for -; None goes back to no value.",
    ),
    Term(
        "OpenAgent: push(TEXT, source=None, key=None)",
        "As mind inbox push: on disk when it returns. Without a source the words are the "
        "operator's, on which the agent may act: name one for what others wrote.",
    ),
    Term("OpenAgent: think(model=None)", "As mind think: one cycle over what is due."),
    Term(
        "OpenAgent: ask(TEXT, speaker=None, model=None)",
        "As mind ask: say something, let it think, and return what it said to that.",
    ),
    Term(
        "OpenAgent: recall(QUERY, limit=10), history(cycle=None), tickets(), settings, set(...)",
        "As mind recall (by words), mind history show, mind ticket list, mind agent show and mind "
        "agent set.",
    ),
    Term(
        "OpenAgent: remember(TEXT, speaker=None, source=None), consolidate(), beliefs()",
        "As mind memory add, mind consolidate (without a model) and mind observation list.",
    ),
    Term(
        "OpenAgent: inbox(), plans(), approve(TICKET, sha256=SHA256, by=None)",
        "As mind inbox list, mind plan list and mind ticket approve.",
    ),
    Term(
        "OpenAgent: goals(), add_goal(TEXT, priority=None), set_goal(GOAL, text=None, state=None, "
        "priority=None)",
        "As mind goal list, add and set.",
    ),
    Term(
        "OpenAgent: compact(budget=None, keep_cycles=None), view()",
        "As mind compact (without a model) and mind view, whose page is returned as text.",
    ),
)
_PLUGINS: tuple[Block, ...] = (
    Text(
        "A package adds to mindpipe by entry points. Each is a function that takes NAME, what "
        "stands behind PLUGIN/ or PLUGIN: (empty where the plugin is named alone), and returns "
        "what its group is. A plugin is looked for only where nothing built in, and no file, has "
        "the name; it is code that runs in the process of mind, with all rights of whoever runs "
        "it."
    ),
    Term(
        "mindpipe.models",
        "A Model of mindpipe.core.ports, asked for as --model PLUGIN/NAME. Its target says what "
        "requests are written for: api program gives a plain JSON object, and the conversation "
        "itself is in request.conversation. It raises ModelFault for an attempt that failed. What "
        "it costs stands in models.toml.",
    ),
    Term(
        "mindpipe.embedders",
        "An Embedder of mindpipe.core.ports, as embed.model = PLUGIN/NAME.",
    ),
    Term(
        "mindpipe.tools",
        "A list of tool manifests (mind schema tool), as mind agent set --tool PLUGIN/NAME. Their "
        "commands are programs, which run under the same limits as any other tool.",
    ),
    Term(
        "mindpipe.importers",
        "A ForeignImporter of mindpipe.core.plugins: a function that takes a file, open for "
        "reading bytes, and yields a ForeignConversation for each conversation, in a form that is "
        "built in. No more of the file is held than it reads. It raises ValueError for what is no "
        "such file. As mind history import --format PLUGIN/NAME.",
    ),
    Term(
        "mindpipe.readers",
        "A StatementReader of mindpipe.language.records, as mind consolidate --reader PLUGIN/NAME.",
    ),
    Sample(PLUGIN),
    Text(
        "mind plugin list prints what is installed. mind plugin check models mind_lamp:model runs "
        "the conformance suite of a kind over a function that is being written (with PYTHONPATH=. "
        "where it is not installed), or over a plugin by its name, and ends with 1 where a promise "
        "is not kept."
    ),
)


def python_manual() -> Manual:
    """Return mind-python(7)."""
    sections = (
        Section("NAME", (Text("mind-python - a life from Python, and plugins"),)),
        Section("DESCRIPTION", _DESCRIPTION),
        Section("NAMES", _NAMES),
        Section("PLUGINS", _PLUGINS),
        Section("SEE ALSO", (Text("mind(1), mind-life(7), mind-records(5), mind-plugin(1)"),)),
    )
    return Manual("mind-python", 7, sections)
