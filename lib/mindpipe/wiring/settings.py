"""Settings and where each came from: option, variable, folder, home, default; strongest first."""

from collections.abc import Mapping

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.stream.files import read_if_there


class Setting(Record):
    """One setting that exists: dotted name, type of its value, default, and what it does."""

    name: str
    kind: type[str] | type[int] | type[float]
    default: str | int | float | None
    help: str


class Value(Record):
    """One setting as it stands: its value and where that came from."""

    name: str
    value: str | int | float | None
    source: str


SETTINGS = (
    Setting(name="store", kind=str, default="mind.db", help="The store file."),
    Setting(name="model", kind=str, default=None, help="Model for agents that name none."),
    Setting(name="tokenizer", kind=str, default="o200k_base", help="Counts the stored tokens."),
    Setting(name="now", kind=str, default=None, help="A standing wall clock, for golden files."),
    Setting(name="seed", kind=int, default=None, help="Makes ids and chance reproducible."),
    Setting(name="models", kind=str, default="models.toml", help="Compatible servers and prices."),
    Setting(name="inbox.max_bytes", kind=int, default=1 << 20, help="Size limit of one event."),
    Setting(name="inbox.max_open", kind=int, default=10_000, help="Open events an inbox may hold."),
    Setting(
        name="inbox.max_open_per_source", kind=int, default=10_000, help="The same, per source."
    ),
    Setting(
        name="inbox.ceilings",
        kind=str,
        default="tool:*=2",
        help="The most urgent priority of each source, as SOURCE=PRIORITY; * at the end.",
    ),
    Setting(name="inbox.lease_seconds", kind=float, default=60.0, help="How long a claim holds."),
    Setting(name="import.max_bytes", kind=int, default=64 << 20, help="Size limit of one line."),
    Setting(name="caps.call_micros", kind=int, default=None, help="Most one model call may cost."),
    Setting(name="caps.cycle_micros", kind=int, default=None, help="Most one cycle may cost."),
    Setting(
        name="caps.agent_day_micros", kind=int, default=None, help="Most an agent may spend a day."
    ),
    Setting(
        name="caps.think_day_micros", kind=int, default=None, help="Most a day's thinking may."
    ),
    Setting(name="caps.store_day_micros", kind=int, default=None, help="Most the whole day may."),
)


class Settings:
    """All settings with their sources; built once per command, files read only when asked."""

    def __init__(
        self, *, options: Mapping[str, str | int | None], environment: Mapping[str, str]
    ) -> None:
        self._options = options
        self._environment = environment
        self._files: list[tuple[str, dict[str, object]]] | None = None

    def value(self, name: str) -> Value:
        """Return one setting and its source.

        Raises:
            BadInputError: a file or variable holds a wrong key or a value of the wrong type.
        """
        setting = next(setting for setting in SETTINGS if setting.name == name)
        if (option := self._options.get(name)) is not None:
            return Value(name=name, value=option, source="option")
        variable = variable_of(name)
        if (text := self._environment.get(variable)) is not None:
            return Value(name=name, value=_typed(setting, text, variable), source=variable)
        for source, values in self._read_files():
            if name in values:
                return Value(name=name, value=_typed(setting, values[name], source), source=source)
        return Value(name=name, value=setting.default, source="default")

    def text(self, name: str) -> str | None:
        """Return a text setting."""
        value = self.value(name).value
        return None if value is None else str(value)

    def number(self, name: str) -> int | None:
        """Return a whole-number setting."""
        value = self.value(name).value
        return None if value is None else int(value)

    def all(self) -> list[Value]:
        """Return every setting, in the order of the table."""
        return [self.value(setting.name) for setting in SETTINGS]

    def _read_files(self) -> list[tuple[str, dict[str, object]]]:
        """Return the flattened files that exist, strongest first."""
        if self._files is None:
            found = [(name, read_if_there(name)) for name in ("mind.toml", self._own_file())]
            self._files = [(name, read_toml(octets, name)) for name, octets in found if octets]
        return self._files

    def _own_file(self) -> str:
        """Return the name of the file of the person who runs this."""
        folder = self._environment.get("XDG_CONFIG_HOME")
        if not folder:
            folder = f"{self._environment.get('HOME') or _home()}/.config"
        return f"{folder.rstrip('/')}/mind/config.toml"


def _home() -> str:
    """Return the home of whoever runs this, as the user table has it."""
    from pathlib import Path

    return str(Path.home())


def variable_of(name: str) -> str:
    """Return the environment variable of a setting, e.g. MIND_INBOX_MAX_BYTES."""
    return "MIND_" + name.upper().replace(".", "_")


def read_toml(octets: bytes, source: str) -> dict[str, object]:
    """Read a TOML document as dotted names; raises BadInputError naming every wrong key."""
    import tomllib

    try:
        text = octets.decode("utf-8")
        found = _flat(tomllib.loads(text), "")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError([Problem(source=source, message=f"not TOML: {error}")]) from None
    known = {setting.name for setting in SETTINGS}
    problems = [_unknown(source, text, name) for name in found if name not in known]
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


def _unknown(source: str, text: str, name: str) -> Problem:
    """Return the problem of an unknown key, with the line it stands on and the nearest name."""
    import difflib

    near = difflib.get_close_matches(name, [setting.name for setting in SETTINGS], n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    leaf = name.rpartition(".")[2]
    line = next(
        (n for n, row in enumerate(text.splitlines(), 1) if row.lstrip().startswith(leaf)), None
    )
    return Problem(source=source, line=line, message=f"{name}: unknown key{hint}")


def _typed(setting: Setting, value: object, source: str) -> str | int | float:
    """Return a value as the setting's type; raises BadInputError."""
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        try:
            return setting.kind(value)
        except ValueError:
            pass
    message = f"{setting.name}: expected {setting.kind.__name__}, got {value!r}"
    raise BadInputError([Problem(source=source, message=message)])
