"""Options and arguments that several commands share, each with one name and one meaning."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

import click

from mindpipe.core.errors import RefusedError
from mindpipe.core.records import MOST_WHOLE
from mindpipe.core.text import one_line, whole_text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from mindpipe.core.tools import ToolManifest
    from mindpipe.store.ids import IdTable
    from mindpipe_cli.session import Session

Given = str | int | bool | tuple[str, ...] | None
"""What a parameter of a command may be given."""


def words_or_file(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> str | None:
    """Return words as they are, or those of the file that `@FILE` names.

    Raises:
        UnavailableError: the file is not there.
        BadInputError: it is not UTF-8.
    """
    if text is None or not text.startswith("@"):
        return text
    from pathlib import Path

    from mindpipe.core.errors import BadInputError
    from mindpipe.core.problems import Problem
    from mindpipe.io.files import read_whole

    name = text[1:]
    try:
        return read_whole(Path(name)).decode("utf-8-sig").rstrip("\n")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise BadInputError([Problem(source=name, message=message)]) from None


def servers_of_files(
    _context: click.Context, _option: click.Parameter, names: tuple[str, ...]
) -> "tuple[ToolManifest, ...]":
    """Start each MCP server whose manifest is named, and return the tools of all.

    Raises:
        UnavailableError: a file, or a server, is not there.
        BadInputError: every fault in the first file that has any, or in what its server lists.
    """
    if not names:
        return ()
    import os

    from mindpipe.engine.tools.specs import BY_NAME
    from mindpipe.io.mcp import listed_tools

    return tuple(
        tool
        for name in names
        for server in _servers_of_file(name)
        for tool in listed_tools(server, environment=os.environ, source=name, reserved=BY_NAME)
    )


def _servers_of_file(name: str) -> "tuple[ToolManifest, ...]":
    """Return the servers of one file: a manifest of ours, or servers as others name them."""
    import os
    from pathlib import Path

    from mindpipe.agents.mcp_servers import read_servers, servers_in
    from mindpipe.io.files import read_whole

    document = read_whole(Path(name))
    servers = servers_in(document, source=name)
    if servers is None:
        return _tools_of_file(name, document)
    folder = Path(name).absolute().parent
    return read_servers(servers, source=name, folder=folder, environment=os.environ)


def tools_of_files(
    _context: click.Context, _option: click.Parameter, names: tuple[str, ...]
) -> "tuple[ToolManifest, ...]":
    """Return the tools of all manifests that were named; what is no file may be a plugin's.

    Raises:
        UnavailableError: a file is not there, or a plugin fails.
        BadInputError: every fault in the first file that has any.
    """
    return tuple(tool for name in names for tool in _tools_named(name))


def _tools_named(name: str) -> "tuple[ToolManifest, ...]":
    """Return the tools of one manifest, or of a plugin."""
    from pathlib import Path

    from mindpipe.agents.manifests import plugin_tools
    from mindpipe.core.plugins import PluginKind, plugin_of
    from mindpipe.engine.tools.specs import BY_NAME
    from mindpipe.io.files import read_whole

    path = Path(name)
    plugin = None if path.exists() else plugin_of(PluginKind.TOOLS, name)
    if plugin is not None:
        return plugin_tools(plugin, reserved=BY_NAME)
    return _tools_of_file(name, read_whole(path))


def _tools_of_file(name: str, document: bytes) -> "tuple[ToolManifest, ...]":
    """Return the tools of one manifest."""
    from pathlib import Path

    from mindpipe.agents.manifests import read_tools
    from mindpipe.engine.tools.specs import BY_NAME

    folder = Path(name).absolute().parent
    return read_tools(document, source=name, folder=folder, reserved=BY_NAME)


_DECIDER_LENGTH = 128
_REASON_LENGTH = 16_000


def decider(by: str | None, *, field: str = "--by") -> str:
    """Return who decides or speaks: as given by an option, else who is logged in.

    Raises:
        UsageError: it is no plain name.
    """
    import getpass

    return one_line(getpass.getuser() if by is None else by, field=field, limit=_DECIDER_LENGTH)


def note(reason: str | None) -> str | None:
    """Return why somebody decides so; raises UsageError for words that cannot be kept."""
    return reason and whole_text(reason, field="--reason", limit=_REASON_LENGTH)


Offers = Callable[[click.Context], Iterable[str]]

MODELS = ("anthropic/", "openai/", "openai-responses/", "replay:", "program:")
"""How the names of models begin."""

EMBEDDERS = ("openai/", "local/")
"""How the names of embedding models begin."""

# Anything else would have to be quoted, by rules of each shell's own.
_PLAIN = re.compile(r"[\w.:/@+=-]+")


class CompletedText(click.ParamType[str]):
    """Any text; `offers` are looked up only where a shell completes it."""

    name = "text"

    def __init__(self, offers: Offers) -> None:
        self._offers = offers

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """Return what is offered and begins so; where nothing does, files if it may be one.

        What ends in =, / or : goes on.
        """
        from click.shell_completion import CompletionItem

        words = sorted({word for word in self._offers(ctx) if _PLAIN.fullmatch(word)})
        found = [CompletionItem(word) for word in words if word.startswith(incomplete)]
        if not found and "FILE" in (param.metavar or ""):
            return [CompletionItem(incomplete, type="file")]
        return found


class ModelText(CompletedText):
    """The name of a model; an alias stands for the model that it means now."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the model that is meant."""
        if "/" in value or ":" in value:
            return value
        from mindpipe.io.model_aliases import without_alias

        return without_alias(value, os.environ)


class StoredId(click.ParamType[str]):
    """The id of a record of some tables of the store, or how it begins, if no other begins so.

    What is only a beginning is made whole before the command runs.
    """

    name = "text"

    def __init__(self, *tables: "IdTable") -> None:
        self.tables = tables


class CompletedId(CompletedText, StoredId):
    """The id of a record, as it is completed; in a chat it is made whole afterwards."""

    def __init__(self, offers: Offers, tables: "tuple[IdTable, ...]") -> None:
        CompletedText.__init__(self, offers)
        StoredId.__init__(self, *tables)


def whole_ids(
    session: "Session", context: click.Context, values: "Mapping[str, Given]"
) -> "dict[str, Given]":
    """Return the values of a command's parameters, with whole ids for what only begins one.

    Where an agent is wanted and none is named, it is the only one of the store; so it is for a
    filter to which a terminal gives nothing to read.
    """
    typed = {param.name: param.type for param in context.command.params}
    for param in context.command.params:
        is_meant = (isinstance(param, _OneAgent) and not values.get(_PATTERNS)) or (
            isinstance(param, AgentOrInput) and _reads_nothing(session, context, values)
        )
        if is_meant and param.name and not values[param.name]:
            name = only_agent(session)
            values = {**values, param.name: (name,) if param.multiple else name}
        elif isinstance(param, _AgentOfAll) and isinstance(given := values[param.name], str):
            from mindpipe.agents.verbs import agent as agents

            agents.show(session.store, name=given)
    return {
        name: _whole(session, kind, value, agent=values.get("agent"))
        if isinstance(kind := typed.get(name), StoredId) and value
        else value
        for name, value in values.items()
    }


def _reads_nothing(
    session: "Session", context: click.Context, values: "Mapping[str, Given]"
) -> bool:
    """Tell whether nothing is piped in and no file is named, and there is a store to turn to."""
    files = (
        values[param.name]
        for param in context.command.params
        if param.name in values and "FILE" in (param.metavar or "")
    )
    return session.turns_to_store and not any(file for file in files if file != "-")


def _whole(session: "Session", kind: StoredId, value: "Given", *, agent: "Given") -> "Given":
    """Return an id, or several, whole; as they are where a command reads files alone."""
    from mindpipe.store.ids import whole_id

    if not session.is_there:
        return value

    of = agent if isinstance(agent, str) else None
    if isinstance(value, tuple):
        return tuple(whole_id(session.store, kind.tables, one, agent=of) for one in value)
    return whole_id(session.store, kind.tables, str(value), agent=of)


def models(*others: str) -> CompletedText:
    """Return the type of a model's name, where there are others than those of providers."""
    return ModelText(lambda _: (*others, *MODELS, *_aliases()))


def _aliases() -> Iterable[str]:
    """Return the aliases of models, none where they cannot be read."""
    from mindpipe.core.errors import MindError
    from mindpipe.io.model_aliases import aliases_of

    try:
        return aliases_of(os.environ).read()
    except MindError:
        return ()


def embedders() -> CompletedText:
    """Return the type of an embedding model's name."""
    return CompletedText(lambda _: EMBEDDERS)


def _settings(_: click.Context) -> Iterable[str]:
    """Return the beginnings of KEY=VALUE for all settings of a person."""
    from mindpipe.person.records.person import PersonSettings

    return (f"{name}=" for name in PersonSettings.__struct_fields__)


def _constants(_: click.Context) -> Iterable[str]:
    """Return the beginnings of NAME=VALUE for all constants of a person."""
    from mindpipe.person.body.constants import MARKS

    return (f"{name}=" for name in MARKS)


def _readouts(_: click.Context) -> Iterable[str]:
    """Return the readouts that can be drawn."""
    from mindpipe.person.plots.lives import COLUMNS

    return COLUMNS


SETTING, CONSTANT, READOUT = (
    CompletedText(_settings),
    CompletedText(_constants),
    CompletedText(_readouts),
)

F = TypeVar("F", bound=Callable[..., None])
_MOST_NAMED = 20
IN_FORCE = -1
"""The window that is in force, where compactions have numbers from 1, and 0 is the whole log."""


def whole(least: int = 0, most: int = MOST_WHOLE) -> click.IntRange:
    """Return the type of an option that is a whole number, which a record and a row can hold."""
    return click.IntRange(least, most)


class _Written(click.ParamType[str]):
    """The name of a file that is written to, which no store may have, nor what lies beside one."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raises RefusedError before anything is done."""
        from mindpipe.io.files import refuse_database

        del param, ctx
        refuse_database(value)
        return value


WRITTEN = _Written()


def refuse_inputs(context: click.Context, session: "Session") -> None:
    """Keep what is read, and what is written elsewhere, from an option that names a file.

    Raises:
        RefusedError: one that is written to is also read, or written to by another option.
    """
    given = {param: context.params.get(param.name or "") for param in context.command.params}
    written = {
        param.opts[0]: value
        for param, value in given.items()
        if param.type is WRITTEN and isinstance(value, str)
    }
    if not written:
        return
    inputs = {_file_of(0): "stdin"}
    for param, value in given.items():
        if param.type is not WRITTEN and "FILE" in (param.metavar or ""):
            names = value if isinstance(value, tuple) else (value,)
            inputs |= {_file_of(str(name)): str(name) for name in names if name is not None}
        elif isinstance(param.type, CompletedText) and isinstance(value, str):
            inputs[_file_of(value.removeprefix("replay:").removeprefix("program:"))] = value
    named: dict[object, str] = {}
    if any(map(_file_of, written.values())):  # else there is nothing to write over
        named = {_file_of(name): name for name in _named_files(session, context)}
    outputs: dict[object, str] = {}
    for option, name in written.items():
        file = _file_of(name)
        if file is not None and file in inputs:
            raise _taken(option, name, f"is read ({inputs[file]}) in the same run")
        if file is not None and file in named:
            raise _taken(option, name, f"is named elsewhere, to be read or run ({named[file]})")
        place = file or (None if os.path.exists(name) else os.path.realpath(name))  # noqa: PTH110 - loads no pathlib
        if place is not None and place in outputs:
            raise _taken(option, name, f"is written to by {outputs[place]} in the same run")
        outputs[place] = option


def _named_files(session: "Session", context: click.Context) -> Iterator[str]:
    """Yield the files of the settings, and what they, the store and the file of an agent name."""
    from mindpipe import named_files
    from mindpipe.core.errors import MindError

    yield from session.settings.file_names()
    if agent_file := context.params.get("agent_file"):
        yield from named_files.of_agent_file(str(agent_file))
    try:
        yield from named_files.of_settings(session.settings)
        yield from named_files.of_store(session.where)
    except MindError:
        return  # a command that needs the settings says what is wrong with them


def _file_of(name: str | int) -> tuple[int, int] | None:
    """Return what tells a regular file from any other, None for what is none."""
    try:
        found = os.stat(name)  # noqa: PTH116 - loads no pathlib
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _taken(option: str, name: str, why: str) -> RefusedError:
    """Return the error for a file that an option may not write to."""
    return RefusedError(f"{option} {name}: that file {why}; name another.")


class _OneAgent(click.Option):
    """The option --agent of a command that is about one: without it, the only one of the store."""


agent_option = click.option(
    "--agent", cls=_OneAgent, metavar="NAME", help="The agent.", show_default="the only one"
)
_PATTERNS = "patterns"
patterns_option = click.option(
    "--agents",
    _PATTERNS,
    metavar="PATTERN",
    multiple=True,
    help="Any agent of such a name, * for any words: whoever is due and free.",
)
agents_option = click.option(
    "--agent",
    "agents",
    cls=_OneAgent,
    metavar="NAME",
    multiple=True,
    help="The agent.",
    show_default="the only one",
)
any_agent_option = click.option("--agent", metavar="NAME", help="The agent.")


class _AgentOfAll(click.Option):
    """The option --agent of a command that is about all of the store where none is named."""


agent_of_all_option = click.option("--agent", cls=_AgentOfAll, metavar="NAME", help="The agent.")


class AgentOrInput(click.Option):
    """The option --agent of a filter: without it, what is piped in is meant.

    Where nothing can be, as on a terminal, it is the only agent of the store.
    """


agent_or_input_option = click.option("--agent", cls=AgentOrInput, metavar="NAME", help="The agent.")
by_option = click.option("--by", metavar="NAME", help="Who decides [who is logged in].")
every_option = click.option("--every", is_flag=True, help="Also those that are settled.")
name_option = click.option("--name", "title", metavar="TITLE", help="The name that others see.")
key_option = click.option(
    "--key", metavar="KEY", help="Repeating it with the same content changes nothing."
)


def format_option(*, required: bool) -> Callable[[F], F]:
    """Declare --format; where it can be recognised, it is that of a request and no log."""
    from mindpipe.providers.formats import ALL_FORMATS, FORMATS

    forms = ALL_FORMATS if required else [one for one, form in FORMATS.items() if not form.is_log]
    return click.option(
        "--format",
        type=click.Choice(forms),
        required=required,
        help="The form of the document.",
    )


class _ImportForm(click.Choice[str]):
    """A form that can be imported: one that is built in, or a plugin's."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the form; a plugin is looked for only where none is built in."""
        if value not in self.choices:
            from mindpipe.core.plugins import PluginKind, plugin_of

            if plugin_of(PluginKind.IMPORTERS, value) is not None:
                return value
        return super().convert(value, param, ctx)


def import_form_option() -> Callable[[F], F]:
    """Declare --format of what is imported."""
    from mindpipe.providers.formats import ALL_FORMATS

    return click.option(
        "--format",
        type=_ImportForm(list(ALL_FORMATS)),
        required=True,
        help="The form of the document; also PLUGIN/NAME.",
    )


file_argument = click.argument("file", default="-", metavar="[FILE]")
output_option = click.option("--output", type=WRITTEN, metavar="FILE", help="Write to this file.")
cycle_option = click.option("--cycle", type=whole(1), metavar="N", help="This cycle alone.")
instructions_option = click.option(
    "--instructions",
    metavar="TEXT",
    callback=words_or_file,
    help="What it is told to be and to do; @FILE reads a file.",
)
day_micros_option = click.option(
    "--day-micros", type=int, metavar="N", help="Most micro-dollars of one day."
)
max_turns_option = click.option(
    "--max-turns", type=whole(1), metavar="N", help="Most turns of one cycle."
)
max_micros_option = click.option(
    "--max-micros", type=whole(), help="Most micro-dollars it may cost."
)
plain_option = click.option(
    "--plain", is_flag=True, help="Print texts, as on a terminal, and no records."
)
quiet_option = click.option("--quiet", is_flag=True, help="Show no preview on the terminal.")
talker_option = click.option(
    "--as", "speaker", metavar="NAME", help="Who says it [who is logged in]."
)
attach_option = click.option(
    "--attach",
    "attached",
    multiple=True,
    metavar="FILE",
    help="A file that goes along: PNG, JPEG, GIF, WebP, PDF or text; may be given again.",
)
talk_space_option = click.option(
    "--in-space", "space", metavar="NAME", help="The space in which it is said [see above]."
)
max_seconds_option = click.option(
    "--max-seconds", type=whole(1), metavar="N", help="Most seconds of one cycle."
)
at_option = click.option("--at", metavar="INSTANT", help="When, e.g. 2026-03-01T09:00Z.")
as_of_option = click.option(
    "--as-of", metavar="INSTANT", help="As it was known and believed then [now]."
)
kind_option = click.option("--kind", metavar="KIND", help="Of this kind alone.")
since_option = click.option("--since", metavar="INSTANT", help="From then on, e.g. 2026-03-01.")
before_option = click.option("--until", metavar="INSTANT", help="Before then, e.g. 2026-04-01.")
archived_option = click.option(
    "--archived", is_flag=True, help="Also what was set aside or taken back."
)
subject_option = click.option("--subject", metavar="NAME", help="About this subject alone.")
speaker_option = click.option("--speaker", metavar="NAME", help="Who said it.")
since_option = click.option("--since", metavar="INSTANT", help="Only what was true from then on.")
until_option = click.option("--until", metavar="INSTANT", help="Only what was true before then.")
queries_option = click.option(
    "--queries", metavar="FILE", help='Search for each line of FILE (- for stdin): {"id", "query"}.'
)
known_option = click.option(
    "--known", metavar="FILE", help="Observations as JSON Lines, in the place of a store's."
)
lessons_option = click.option(
    "--lessons", metavar="FILE", help="Lessons to be read besides, as JSON Lines."
)
reflections_option = click.option(
    "--reflections", metavar="FILE", help="Reflections to be read besides."
)
entities_option = click.option("--entities", metavar="FILE", help="Entities to be read besides.")
explain_option = click.option("--explain", is_flag=True, help="Say of each why.")
life_at_option = click.option(
    "--at", metavar="INSTANT", help="When it is, e.g. 07:30 or 2d16:00 [midnight of day 0]."
)
offset_option = click.option(
    "--offset",
    type=whole(),
    default=0,
    show_default=True,
    metavar="N",
    help="How many to pass over first.",
)


def reason_option(*, required: bool) -> Callable[[F], F]:
    """Declare --reason, which some commands cannot do without."""
    return click.option("--reason", metavar="TEXT", required=required, help="Why.")


def hash_option(*, required: bool) -> Callable[[F], F]:
    """Declare --hash, by which a person says what was seen."""
    return click.option(
        "--hash",
        "sha256",
        required=required,
        metavar="HASH",
        help="The sha256 that `show` printed, or its first 8 characters or more.",
    )


args_option = click.option(
    "--args", "arguments", metavar="JSON", help="Run it with these arguments in place of its own."
)
repair_option = click.option(
    "--repair", is_flag=True, help="Mend what can be mended, and say what was."
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Print what would be done; change and spend nothing."
)


def source_option(*, required: bool) -> Callable[[F], F]:
    """Declare --source, whose words they are."""
    return click.option(
        "--source",
        metavar="NAME",
        required=required,
        help="Where the words come from, e.g. mail or space:family.",
    )


def limit_option(default: int | None) -> Callable[[F], F]:
    """Declare --limit with its default, None for no limit."""
    return click.option(
        "--limit",
        type=whole(1),
        default=default,
        show_default=default is not None,
        metavar="N",
        help="At most this many.",
    )


timeout_option = click.option(
    "--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Wait no longer."
)


def on_error_options(function: F) -> F:
    """Declare what happens to bad lines: all or nothing, or skipped and kept with reasons."""
    skip = click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="With skip, bad lines go to --rejects and the others are taken.",
    )
    rejects = click.option(
        "--rejects", type=WRITTEN, metavar="FILE", help="Keep bad lines with their reasons."
    )
    return skip(rejects(function))


model_option = click.option(
    "--model",
    type=models(),
    metavar="MODEL",
    help="anthropic/NAME, openai/NAME, openai-responses/NAME, replay:FILE or program:PATH.",
)


record_option = click.option(
    "--record", type=WRITTEN, metavar="FILE", help="Append every turn to this file, to be replayed."
)


def model_options(function: F) -> F:
    """Declare which model answers, and where its turns are written down."""
    return model_option(record_option(function))


reader_option = click.option(
    "--reader", metavar="NAME", help="Read with strict, parsed, model or auto."
)


wait_any_option = click.option(
    "--wait-any",
    is_flag=True,
    help="Any message in its space ends a wait that names nobody [context.wait_any].",
)


def voice_options(*others: str) -> Callable[[F], F]:
    """Declare the same where the composed voice, and `others`, can be asked for as well."""
    named = ("composed (needs no network)", *others, "anthropic/NAME", "openai/NAME")
    voice = click.option(
        "--model",
        type=models("composed", *(other.split()[0] for other in others)),
        metavar="MODEL",
        help=f"{', '.join(named)}, openai-responses/NAME, replay:FILE or program:PATH.",
    )
    return lambda function: voice(record_option(function))


text_option = click.option(
    "--text", metavar="TEXT", help="Take these words, or with - those on stdin."
)
events_option = click.option("--events", metavar="FILE", help="What happens, as JSON Lines.")
persons_events_option = click.option(
    "--events",
    metavar="FILE",
    multiple=True,
    help="What happens, as JSON Lines; may be repeated [man mind-records].",
)


class PersonOrInput(click.Option):
    """The option --person of a filter over lines that also lets persons of a store live."""


person_option = click.option("--person", metavar="ID", help="This person alone [all].")
person_or_input_option = click.option(
    "--person", cls=PersonOrInput, metavar="ID", help="This person alone [all]."
)
read_option = click.option(
    "--read",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="What of a person is read into its states.",
)
parallel_option = click.option(
    "--parallel", type=whole(1, 64), default=1, metavar="N", help="Requests at a time [1]."
)
jobs_option = click.option(
    "--jobs", type=whole(1, 64), default=1, metavar="N", help="Processes that share the work [1]."
)
const_option = click.option(
    "--const",
    "consts",
    multiple=True,
    type=CONSTANT,
    metavar="NAME=VALUE",
    help="Change a constant [man mind-simulate].",
)


def changing_options(function: F) -> F:
    """Declare what is changed of the persons that are read or made, for as long as they live."""
    setting = click.option(
        "--set",
        "settings",
        multiple=True,
        type=SETTING,
        metavar="KEY=VALUE",
        help="Change a person's setting [MIND_PERSON_KEY; man mind-simulate].",
    )
    return setting(const_option(function))


agent_file_option = click.option(
    "--agent-file", metavar="FILE", help="The agent as a JSON document."
)
phase_argument = click.argument("file", metavar="[FILE]", required=False)


def only_agent(session: "Session") -> str:
    """Return the only agent of the store; a simulated person only where there is no other.

    Raises:
        UsageError: there are several, or none.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.core.errors import UsageError
    from mindpipe.person.verbs import refusal

    found = [agent.name for agent in agents.list_(session.store)]
    names = [name for name in found if not refusal.is_person(session.store, name)] or found
    if len(names) == 1:
        return names[0]
    there = "there is none; mind agent new NAME"
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        there = f"there are {', '.join(names[:_MOST_NAMED])}{more}"
    raise UsageError(f"which agent? Give --agent NAME: {there}.")


def agent_file_options(function: F) -> F:
    """Declare the plain files that a stage reads instead of a store."""
    history = click.option("--history", metavar="FILE", help="Its history as JSON Lines.")
    return agent_file_option(history(events_option(known_option(function))))


def sdk_options(function: F) -> F:
    """Declare which rules of a form hold where it has several sets of them."""
    sdk = click.option(
        "--sdk",
        type=whole(5, 7),
        default=6,
        show_default=True,
        metavar="N",
        help="The version of the AI SDK.",
    )
    strict = click.option(
        "--strict-roles", is_flag=True, help="For servers that want user and assistant in turn."
    )
    return sdk(strict(function))
