"""All settings as one tree: default, bounds and help of each, and what stands over its default."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Generic, Never, Self, TypeVar, cast, overload

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import with_nearest

Plain = str | int | float | bool | None
Kind = TypeVar("Kind", bound=Plain, covariant=True)
Known = TypeVar("Known", str, int)

_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class Setting(Generic[Kind]):
    """One setting that exists: an attribute of its section, read when it is asked for.

    A number lies within `least` and `most`, a text is one of `choices`, where these are given.
    `help` is one line that says what it does, with its unit. `name` is dotted, as it stands in the
    tree. These are plain objects: msgspec's Meta on all the annotated fields takes 0.13 of
    `python -c pass` more to load. And each is read alone, so that a wrong value stops only what
    needs it.
    """

    name: str

    def __init__(
        self,
        default: Kind,
        help: str,
        *,
        least: float | None = None,
        most: float | None = None,
        choices: tuple[str, ...] = (),
        kind: type | None = None,
    ) -> None:
        self.default = default
        self.help = help
        self.least = least
        self.most = most
        self.choices = choices
        self.kind = cast("type[str | int | float]", kind or type(default))

    @overload
    def __get__(self, section: None, owner: type) -> Self: ...
    @overload
    def __get__(self, section: "SettingsSection", owner: type) -> Kind: ...
    def __get__(self, section: "SettingsSection | None", owner: type) -> Self | Kind:
        """Return the value that stands; raises BadInputError where that is none."""
        if section is None:
            return self
        value = section.root.value_of(self).value
        return cast("Kind", value if value is None else self.kind(value))

    def __set__(self, section: "SettingsSection", value: Never) -> None:
        """Refuse: what a setting is, only files, variables and options say."""
        raise AttributeError(f"{self.name} cannot be set")

    def wanted(self) -> str:
        """Return in words what its values are."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = _KINDS[self.kind]
        if self.least is None and self.most is None:
            return kind
        if self.most is None:
            return f"{kind} of {self.least:g} or more"
        return f"{kind} of {self.least:g} to {self.most:g}"


def unset(kind: type[Known], help: str) -> Setting[Known | None]:
    """Return a setting that has no default."""
    return Setting(None, help, kind=kind)


class SettingsSection:
    """A part of the tree; each attribute is a setting or a section of its own."""

    def __init__(self, root: "Settings") -> None:
        self.root = root


Section = TypeVar("Section", bound=SettingsSection)


class Nested(Generic[Section]):
    """A section where it stands in the one around it."""

    def __init__(self, section: type[Section]) -> None:
        self.section = section

    def __get__(self, around: SettingsSection, owner: type) -> Section:
        """Return the section as it stands in the same tree."""
        return self.section(around.root)

    def __set__(self, around: SettingsSection, value: Never) -> None:
        """Refuse, as a setting does."""
        raise AttributeError(f"{self.section.__name__} cannot be set")


class VoiceSettings(SettingsSection):
    """The voice of persons."""

    model = unset(str, "Voice of all persons, not their own.")


class EmbedSettings(SettingsSection):
    """Embeddings."""

    model = unset(str, "Embedding model, as openai/NAME, local/NAME or local/FOLDER, or none.")


class AgentsSettings(SettingsSection):
    """New agents."""

    tools = Setting(
        "chat",
        "Built-in tools of a new agent: minimal, chat, full, or all, with those it cannot use yet.",
        choices=("minimal", "chat", "full", "all"),
    )


class KnowledgeSettings(SettingsSection):
    """Observations."""

    reader = Setting(
        "strict",
        "Who reads what is said: strict, parsed[:PIPELINE of spaCy], model[:MODEL], or auto.",
    )
    slots = unset(str, "More slots of observations, as KIND.SLOT; spaces or commas between.")
    windows = unset(str, "Days after which a kind of observation is due, as KIND=DAYS.")


class InboxSettings(SettingsSection):
    """Limits of inboxes, and how long a claim holds."""

    max_bytes = Setting(1 << 20, "Size limit of one event.")
    max_open = Setting(10_000, "Open events an inbox may hold.")
    max_open_per_source = Setting(10_000, "The same, per source.")
    ceilings = Setting(
        "tool:*=2", "The most urgent priority of each source, as SOURCE=PRIORITY; * at the end."
    )
    lease_seconds = Setting(60.0, "How long a claim holds.")


class SecuritySettings(SettingsSection):
    """Whose words are trusted."""

    trust = unset(
        str,
        "Sources, or speakers as @NAME, on whose words every agent may act; spaces or commas.",
    )

    def sources(self) -> tuple[str, ...]:
        """Return the sources that are trusted."""
        return tuple((self.trust or "").replace(",", " ").split())


class ApprovalsSettings(SettingsSection):
    """Calls that wait for a person."""

    hours = Setting(24.0, "How long a call waits for a person.")


class ImportSettings(SettingsSection):
    """Reading of foreign histories."""

    max_bytes = Setting(64 << 20, "Size limit of one line.")


class CapsSettings(SettingsSection):
    """Caps of spending, in micro-dollars; none where nothing is said."""

    call_micros = unset(int, "Most one model call may cost.")
    cycle_micros = unset(int, "Most one cycle may cost.")
    agent_day_micros = unset(int, "Most an agent may spend a day.")
    think_day_micros = unset(int, "Most a day's thinking may.")
    store_day_micros = unset(int, "Most the whole day may.")


class ContextSettings(SettingsSection):
    """Prompts: their style, and what a space shows."""

    style = Setting(
        "continuous",
        "How agents that name no style are shown their life.",
        choices=("continuous", "timeline"),
    )
    space_messages = Setting(
        50, "Most messages of one space that a prompt shows whole.", least=1, most=1000
    )
    max_chain_depth = Setting(
        5, "Hops from agent to agent after which messages start no more runs.", least=1, most=100
    )
    wait_seconds = Setting(300.0, "How long a run waits for a reply, in seconds.", least=1)
    wait_any = Setting(
        default=False, help="Any message in the space ends a wait that names nobody."
    )


def _pause(default: int, mode: str) -> Setting[int]:
    """Return the setting of a mode's own pause."""
    words = f"Pause from which timing starts in {mode} mode, in milliseconds."
    return Setting(default, words, least=100, most=300_000)


def _load(default: int, mode: str) -> Setting[int]:
    """Return the setting of what a mode takes up."""
    words = f"Most events that one iteration takes up in {mode} mode."
    return Setting(default, words, least=1, most=1000)


class ModeSettings(SettingsSection):
    """A mode's own pause and load."""

    interval_ms: Setting[int]
    max_observations: Setting[int]


class NormalSettings(ModeSettings):
    """Normal mode."""

    interval_ms = _pause(2000, "normal")
    max_observations = _load(10, "normal")


class DeepFocusSettings(ModeSettings):
    """Deep focus mode."""

    interval_ms = _pause(10_000, "deep focus")
    max_observations = _load(5, "deep focus")


class ExplorationSettings(ModeSettings):
    """Exploration mode."""

    interval_ms = _pause(5000, "exploration")
    max_observations = _load(15, "exploration")


class OverloadSettings(ModeSettings):
    """Overload mode."""

    interval_ms = _pause(500, "overload")
    max_observations = _load(3, "overload")


class SleepSettings(ModeSettings):
    """Sleep mode."""

    interval_ms = _pause(60_000, "sleep")
    max_observations = _load(1, "sleep")


class ModesSettings(SettingsSection):
    """Every mode in which something can be set."""

    normal = Nested(NormalSettings)
    deep_focus = Nested(DeepFocusSettings)
    exploration = Nested(ExplorationSettings)
    overload = Nested(OverloadSettings)
    sleep = Nested(SleepSettings)


class LoopSettings(SettingsSection):
    """The loop: pauses, modes, overload, idleness."""

    min_interval_ms = Setting(
        100, "Shortest pause between two iterations, in milliseconds.", least=100, most=300_000
    )
    max_interval_ms = Setting(
        300_000, "Longest pause between two iterations, in milliseconds.", least=100, most=300_000
    )
    base_interval_ms = Setting(
        2000,
        "Pause from which a mode without one of its own starts, in milliseconds.",
        least=100,
        most=300_000,
    )
    smoothing = Setting(
        0.3, "Weight of the newest value in moving averages of load and queue.", least=0.01, most=1
    )
    modes = Nested(ModesSettings)
    overload_queue = Setting(
        50, "Waiting events above which overload begins.", least=1, most=1_000_000
    )
    overload_ends = Setting(
        20, "Waiting events below which overload ends.", least=0, most=1_000_000
    )
    exploration_seconds = Setting(
        300.0, "Idle time after which exploration begins, in seconds.", least=1
    )
    sleep_seconds = Setting(1800.0, "Idle time after which sleep begins, in seconds.", least=1)


class StateSettings(SettingsSection):
    """Checkpoints."""

    checkpoint_interval = Setting(
        10, "Iterations between two checkpoints, which the store keeps.", least=1, most=1000
    )
    checkpoint_seconds = Setting(300.0, "Seconds between two checkpoints at the latest.", least=1)


def _part(default: int, holds: str) -> Setting[int]:
    """Return the setting of one part of the window."""
    return Setting(default, f"Tokens of the window for {holds}.", least=0)


class AllocationsSettings(SettingsSection):
    """How the window is divided, in tokens."""

    system_prompt = _part(5000, "identity, instructions and tools, which are always whole")
    self_model = _part(10_000, "goals and what the agent knows of itself")
    observations = _part(15_000, "the trigger, spaces and what was said there")
    working_memory = _part(30_000, "runs and the last iterations")
    retrieved_memories = _part(25_000, "what is recalled: episodes, knowledge, lessons, relations")
    task_context = _part(10_000, "the task at hand and plans")
    scratch_space = _part(5000, "the reply")


class MemorySettings(SettingsSection):
    """Consolidation, and the window of a prompt."""

    consolidation_interval = Setting(20, "Cycles between two consolidations.", least=1)
    consolidation_idle_seconds = Setting(
        300.0, "Idle time after which memory is consolidated, in seconds.", least=1
    )
    context_window_tokens = Setting(
        100_000,
        "Tokens of a structured prompt with its reply; an agent's max_tokens may lower it.",
        least=100,
    )
    allocations = Nested(AllocationsSettings)


class InterruptsSettings(SettingsSection):
    """Signals."""

    handle_sigint = Setting(default=True, help="Whether SIGINT ends mind run in order.")
    handle_sigterm = Setting(default=True, help="Whether SIGTERM ends mind run in order.")
    emergency_shutdown_timeout = Setting(
        10.0, "Seconds that what is under way has left after a signal.", least=1, most=10
    )


class RecallSettings(SettingsSection):
    """Recall from files."""

    index = unset(
        str,
        "YAML index that leads to files: mind recall, the tool recall and MEMORIES of a "
        "timeline answer from these too. A companion *_memory.md counts twice its file.",
    )


class AttentionSettings(SettingsSection):
    """Shares, boosts, how long anything may wait, and looking back."""

    primary_share = Setting(
        0.6, "Share of iterations that the primary focus gets.", least=0, most=1
    )
    primary_boost = Setting(
        3, "Added to the score of what the primary focus is about.", least=0, most=10
    )
    longest_wait_seconds = Setting(
        3600.0, "Age above which an event goes before all but emergencies, in seconds.", least=1
    )
    patterns_every = Setting(
        5,
        "Iterations after which patterns over many iterations are looked for.",
        least=1,
        most=1000,
    )
    ineffective_after = Setting(
        5,
        "Iterations with actions of which none came to anything that are a pattern.",
        least=2,
        most=50,
    )
    overloaded_after = Setting(
        5, "Iterations in a row in which the queue grew that are a pattern.", least=2, most=49
    )
    change_iterations = Setting(
        5, "Iterations for which holds what a pattern changed.", least=1, most=1000
    )


class DecisionsSettings(SettingsSection):
    """Bands of confidence, bars of kinds, and who calls a person."""

    act = Setting(0.9, "Confidence over which a proposal is done.", least=0, most=1)
    log = Setting(
        0.7,
        "Confidence from which a proposal is done and kept in view to be undone.",
        least=0,
        most=1,
    )
    suggest = Setting(
        0.5,
        "Confidence from which a person is asked; below, the agent must know more.",
        least=0,
        most=1,
    )
    thresholds = unset(
        str,
        "Confidence below which kinds or tools are not automatic: NAME=NUMBER; only raises.",
    )
    escalate_importance = Setting(
        0.8, "Importance from which a person is called where nothing is done.", least=0, most=1
    )
    escalate = unset(str, "The program that calls a person; the matter is on its stdin as JSON.")
    escalate_seconds = Setting(30.0, "Most seconds of that program.", least=1, most=600)


class PlansSettings(SettingsSection):
    """Plans."""

    folders = unset(
        str,
        "Folders below which a plan of an agent's own may expect a file; spaces between. A person "
        "may name any file.",
    )

    def granted(self) -> tuple[str, ...]:
        """Return the folders by their whole paths; raises UsageError where quotes do not match."""
        import os
        import shlex

        try:
            names = shlex.split(self.folders or "")
        except ValueError as error:
            raise UsageError(f"plans.folders cannot be read: {error}.") from None
        return tuple(os.path.abspath(os.path.expanduser(one)) for one in names)  # noqa: PTH100, PTH111 - loads no pathlib


class TasksSettings(SettingsSection):
    """Delegated tasks: who works, and when a worker counts as stuck."""

    workers = unset(str, "Programs that agents may delegate to, as NAME=program:PATH words.")
    heartbeat_seconds = Setting(
        300.0, "Seconds without a line from a worker after which it counts as stuck.", least=1
    )
    most_seconds = Setting(
        86400.0, "Most seconds that a program may work on a task.", least=1, most=2_592_000
    )


class LoggingSettings(SettingsSection):
    """The log of mind run."""

    path = unset(str, "Folder in which mind run keeps its log, or none.")
    level = Setting(
        "INFO",
        "What is logged: DEBUG adds causes, WARNING leaves all but the odd.",
        choices=("DEBUG", "INFO", "WARNING", "ERROR"),
    )
    rotation = Setting(
        "daily", "When a new log file is begun.", choices=("hourly", "daily", "weekly")
    )
    retention_days = Setting(30, "How many days a log file is kept.", least=1, most=3650)


ALERT_RULES = """\
critical: queue_depth > 100
critical: iteration_time > 30
critical: consecutive_errors > 5
critical: recent_crashes > 4
critical: consistency_check_failures > 0
warning: queue_depth > 50
warning: iteration_time > 10
warning: recent_crashes > 2 until 0
warning: missed_windows > 0
warning: persistent_memory_growth > 10"""


class AlertsSettings(SettingsSection):
    """Alerts."""

    rules = Setting(
        ALERT_RULES, "SEVERITY: METRIC > VALUE [until VALUE]; semicolons or lines between."
    )
    hysteresis = Setting(
        0.2,
        "Share by which a figure must fall below its rule before an alert clears.",
        least=0,
        most=1,
    )
    window = Setting(
        1000, "How many of the newest iterations figures are made of.", least=10, most=100_000
    )


class ObserveSettings(SettingsSection):
    """Observing."""

    config = unset(
        str, "What mind run and mind observe look at: a file like mind-observe.yaml(5) describes."
    )


_PREFIX = "MIND_"
_OF_PERSONS = "MIND_PERSON_"
# Listed after signals, though the rest of memory is before them.
_OF_WINDOW = ("memory.context_window", "memory.allocations.")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
# What else is called so: of tests, and what a tool is told of its call.
_OTHERS = ("MIND_TESTING", "MIND_FAIL", "MIND_AGENT", "MIND_CALL", "MIND_FENCE", "MIND_KEPT")
_SECRETS = ("MIND_MCP_TOKEN",)
"""What no setting may show."""


class Value(Record):
    """One setting as it stands: its value and where that came from."""

    name: str
    value: Plain
    source: str


class _File(Record):
    """One file of settings: its name, its bytes, and what it sets."""

    name: str
    octets: bytes
    values: dict[str, object]


class Settings(SettingsSection):
    """All settings with their sources; built once per command, files read only when asked.

    `files` stand in the place of mind.toml and of the user's own, strongest first.
    `person_settings` names what variables such as MIND_PERSON_DRIFT may change; it is asked where
    there are any.
    """

    store = Setting("mind.db", "The store file.")
    model = unset(str, "Model for agents that name none.")
    person = Nested(VoiceSettings)
    tokenizer = Setting("o200k_base", "Counts the stored tokens.")
    now = unset(str, "A standing wall clock, for golden files.")
    seed = unset(int, "Makes ids and chance reproducible.")
    models = Setting("models.toml", "Compatible servers and prices.")
    embed = Nested(EmbedSettings)
    agents = Nested(AgentsSettings)
    knowledge = Nested(KnowledgeSettings)
    inbox = Nested(InboxSettings)
    security = Nested(SecuritySettings)
    approvals = Nested(ApprovalsSettings)
    import_ = Nested(ImportSettings)
    caps = Nested(CapsSettings)
    context = Nested(ContextSettings)
    loop = Nested(LoopSettings)
    state = Nested(StateSettings)
    memory = Nested(MemorySettings)
    interrupts = Nested(InterruptsSettings)
    recall = Nested(RecallSettings)
    attention = Nested(AttentionSettings)
    decisions = Nested(DecisionsSettings)
    plans = Nested(PlansSettings)
    tasks = Nested(TasksSettings)
    logging = Nested(LoggingSettings)
    alerts = Nested(AlertsSettings)
    observe = Nested(ObserveSettings)

    def __init__(
        self,
        *,
        options: Mapping[str, str | int | None],
        environment: Mapping[str, str],
        files: Sequence[str] | None = None,
        person_settings: Callable[[], Collection[str]] = tuple,
    ) -> None:
        super().__init__(self)
        self._options = options
        self._environment = environment
        self._names = files
        self._files: list[_File] | None = None
        self._person_settings = person_settings
        self._checked = False

    def value(self, name: str) -> Value:
        """Return the setting of a dotted name, and its source.

        Raises:
            BadInputError: a file or variable holds a wrong key or a value of the wrong type.
        """
        return self.value_of(SETTINGS[name])

    def value_of(self, setting: Setting[Plain]) -> Value:
        """Return one setting and its source, as `value` does."""
        if not self._checked:
            self._check_names()
            self._checked = True
        name = setting.name
        if (option := self._options.get(name)) is not None:
            return Value(name=name, value=option, source="option")
        variable = variable_of(name)
        if (text := self._environment.get(variable)) is not None:
            return Value(name=name, value=_typed(setting, text, variable), source=variable)
        for file in self._read_files():
            if name in file.values:
                value = _typed(setting, file.values[name], file.name, file.octets)
                return Value(name=name, value=value, source=file.name)
        return Value(name=name, value=setting.default, source="default")

    def is_given(self, name: str) -> bool:
        """Tell whether somebody has given a setting, by option, variable or file."""
        return self.value(name).source != "default"

    def place(self, name: str) -> tuple[str, int | None]:
        """Return where a setting is given: a file and its line, or an option or variable."""
        from mindpipe.core.toml import line_of

        source = self.value(name).source
        octets = next((file.octets for file in self._read_files() if file.name == source), None)
        return source, None if octets is None else line_of(octets, name)

    def fault(self, names: Sequence[str], words: str) -> Problem:
        """Return a fault of the first setting, at the first of all these that somebody gave."""
        given = [name for name in names if self.is_given(name)]
        source, line = self.place((given or names)[0])
        return Problem(source=source, line=line, message=f"{names[0]}: {words}")

    def all(self) -> list[Value]:
        """Return every setting, in the order in which they are listed."""
        return [self.value(name) for name in SETTINGS]

    def faults(self) -> list[Problem]:
        """Return what is wrong with single settings, each fault once."""
        found: dict[Problem, None] = {}
        for name in SETTINGS:
            try:
                self.value(name)
            except BadInputError as fault:
                found |= dict.fromkeys(fault.problems)
        return list(found)

    def _check_names(self) -> None:
        """Raise BadInputError naming every variable that is called like a setting and is none."""
        ours = [name for name in self._environment if name.startswith(_PREFIX)]
        if not ours:
            return
        known = [*map(variable_of, SETTINGS), *_OTHERS, *_SECRETS]
        if of_persons(self._environment):
            known += [variable_of(f"person.{name}") for name in self._person_settings()]
        problems = [
            Problem(source=name, message=with_nearest("unknown variable", name, known))
            for name in sorted(ours)
            if name not in known
        ]
        if problems:
            raise BadInputError(problems)

    def _read_files(self) -> list[_File]:
        """Return the flattened files that exist, strongest first."""
        if self._files is None:
            from mindpipe.io.files import read_if_there

            found = [(name, read_if_there(name)) for name in self.file_names()]
            self._files = [
                _File(name=name, octets=octets, values=read_toml(octets, name))
                for name, octets in found
                if octets
            ]
        return self._files

    def file_names(self) -> Sequence[str]:
        """Return the names of the files that are read where they exist, strongest first."""
        return ("mind.toml", self._own_file()) if self._names is None else self._names

    def _own_file(self) -> str:
        """Return the name of the file of the person who runs this."""
        from mindpipe.io.user_files import config_folder

        return f"{config_folder(self._environment)}/config.toml"


def _walk(section: type[SettingsSection], prefix: str) -> Iterator[Setting[Plain]]:
    """Yield every setting of a part of the tree, each with the name that it has there."""
    for key, held in vars(section).items():
        name = prefix + key.removesuffix("_")
        if isinstance(held, Setting):
            held.name = name
            yield held
        elif isinstance(held, Nested):
            yield from _walk(held.section, f"{name}.")


def _listed() -> Iterator[Setting[Plain]]:
    """Yield every setting in the order of the tree, except that the window comes before recall."""
    found = list(_walk(Settings, ""))
    window = [one for one in found if one.name.startswith(_OF_WINDOW)]
    for setting in found:
        if setting.name == "recall.index":
            yield from window
        if setting not in window:
            yield setting


SETTINGS: Mapping[str, Setting[Plain]] = {setting.name: setting for setting in _listed()}
"""Every setting that exists by its dotted name, in the order in which they are listed."""


def variable_of(name: str) -> str:
    """Return the environment variable of a setting, e.g. MIND_INBOX_MAX_BYTES."""
    return "MIND_" + name.upper().replace(".", "_")


def of_persons(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what variables change of persons, e.g. `drift` of MIND_PERSON_DRIFT.

    MIND_PERSON_MODEL is the setting `person.model`, which leaves them as they are.
    """
    own = set(map(variable_of, SETTINGS))
    given = [name for name in environment if name.startswith(_OF_PERSONS) and name not in own]
    return {name.removeprefix(_OF_PERSONS).lower(): environment[name] for name in sorted(given)}


def read_toml(octets: bytes, source: str) -> dict[str, object]:
    """Read a TOML document as dotted names; raises BadInputError naming every wrong key."""
    from mindpipe.core.toml import line_of, load_toml

    found = _flat(load_toml(octets, source=source), "")
    problems = [
        Problem(
            source=source,
            line=line_of(octets, name),
            message=with_nearest(f"{name}: unknown key", name, SETTINGS),
        )
        for name in found
        if name not in SETTINGS
    ]
    if problems:
        raise BadInputError(problems)
    return found


def _flat(table: Mapping[str, object], prefix: str) -> dict[str, object]:
    """Return nested tables as one table of dotted names."""
    found: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found


def _typed(
    setting: Setting[Plain], value: object, source: str, octets: bytes | None = None
) -> str | int | float | bool:
    """Return a value as the setting's type; raises BadInputError with its line in a file."""
    typed = _flag(value) if setting.kind is bool else _plain(setting, value)
    if typed is not None and _fits(setting, typed):
        return typed
    line = None
    if octets is not None:
        from mindpipe.core.toml import line_of

        line = line_of(octets, setting.name)
    message = f"{setting.name}: expected {setting.wanted()}, got {value!r}"
    raise BadInputError([Problem(source=source, line=line, message=message)])


def _flag(value: object) -> bool | None:
    """Return what says true or false, as a file or a variable has it."""
    return value if isinstance(value, bool) else _FLAGS.get(str(value).lower())


def _plain(setting: Setting[Plain], value: object) -> str | int | float | None:
    """Return a text or a number as the setting's type, None where it is of another."""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        return None
    try:
        typed = setting.kind(value)
    except (ValueError, OverflowError):
        return None
    # int() would cut a fraction off without a word.
    return (
        typed if not isinstance(value, float) or isinstance(typed, str) or typed == value else None
    )


def _fits(setting: Setting[Plain], value: str | float) -> bool:
    """Tell whether a value lies within the setting's bounds."""
    if isinstance(value, str):
        return not setting.choices or value in setting.choices
    least = -math.inf if setting.least is None else setting.least
    most = math.inf if setting.most is None else setting.most
    return least <= value <= most
