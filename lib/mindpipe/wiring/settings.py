"""Settings and where each came from: option, variable, folder, home, default; strongest first."""

import math
from collections.abc import Mapping, Sequence

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.stream.files import read_if_there
from mindpipe.wiring.known_settings import SETTINGS
from mindpipe.wiring.setting import Setting


class Value(Record):
    """One setting as it stands: its value and where that came from."""

    name: str
    value: str | int | float | bool | None
    source: str


_PREFIX = "MIND_"
_OF_PERSONS = "MIND_PERSON_"
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
# What else is called so: of tests, and what a tool is told of its call.
_OTHERS = ("MIND_TESTING", "MIND_FAIL", "MIND_AGENT", "MIND_CALL", "MIND_FENCE")


class _File(Record):
    """One file of settings: its name, its bytes, and what it sets."""

    name: str
    octets: bytes
    values: dict[str, object]


class Settings:
    """All settings with their sources; built once per command, files read only when asked.

    `files` stand in the place of mind.toml and of the user's own, strongest first.
    """

    def __init__(
        self,
        *,
        options: Mapping[str, str | int | None],
        environment: Mapping[str, str],
        files: Sequence[str] | None = None,
    ) -> None:
        self._options = options
        self._environment = environment
        self._names = files
        self._files: list[_File] | None = None
        self._checked = False

    def value(self, name: str) -> Value:
        """Return one setting and its source.

        Raises:
            BadInputError: a file or variable holds a wrong key or a value of the wrong type.
        """
        if not self._checked:
            _check_names(self._environment)
            self._checked = True
        setting = next(setting for setting in SETTINGS if setting.name == name)
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

    def place(self, name: str) -> tuple[str, int | None]:
        """Return where a setting is given: a file and its line, or an option or variable."""
        from mindpipe.wiring.toml import line_of

        source = self.value(name).source
        octets = next((file.octets for file in self._read_files() if file.name == source), None)
        return source, None if octets is None else line_of(octets, name)

    def fault(self, names: Sequence[str], words: str) -> Problem:
        """Return a fault of the first setting, at the first of all these that somebody gave."""
        given = [name for name in names if self.value(name).source != "default"]
        source, line = self.place((given or names)[0])
        return Problem(source=source, line=line, message=f"{names[0]}: {words}")

    def text(self, name: str) -> str | None:
        """Return a text setting."""
        value = self.value(name).value
        return None if value is None else str(value)

    def number(self, name: str) -> int | None:
        """Return a whole-number setting."""
        value = self.value(name).value
        return None if value is None else int(value)

    def real(self, name: str) -> float:
        """Return a setting that is a number and has a default."""
        value = self.value(name).value
        assert value is not None
        return float(value)

    def whole(self, name: str) -> int:
        """Return a setting that is a whole number and has a default."""
        return int(self.real(name))

    def flag(self, name: str) -> bool:
        """Return a setting that is true or false."""
        return bool(self.value(name).value)

    def all(self) -> list[Value]:
        """Return every setting, in the order of the table."""
        return [self.value(setting.name) for setting in SETTINGS]

    def _read_files(self) -> list[_File]:
        """Return the flattened files that exist, strongest first."""
        if self._files is None:
            names = ("mind.toml", self._own_file()) if self._names is None else self._names
            found = [(name, read_if_there(name)) for name in names]
            self._files = [
                _File(name=name, octets=octets, values=read_toml(octets, name))
                for name, octets in found
                if octets
            ]
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


def of_persons(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what variables change of persons, e.g. `drift` of MIND_PERSON_DRIFT.

    MIND_PERSON_MODEL is the setting `person.model`, which leaves them as they are.
    """
    own = {variable_of(setting.name) for setting in SETTINGS}
    given = [name for name in environment if name.startswith(_OF_PERSONS) and name not in own]
    return {name.removeprefix(_OF_PERSONS).lower(): environment[name] for name in sorted(given)}


def _check_names(environment: Mapping[str, str]) -> None:
    """Raise BadInputError naming every variable that is called like a setting and is none."""
    ours = [name for name in environment if name.startswith(_PREFIX)]
    if not ours:
        return
    known = [*(variable_of(setting.name) for setting in SETTINGS), *_OTHERS]
    if of_persons(environment):
        from mindpipe.person.records.person import PersonSettings

        known += [variable_of(f"person.{name}") for name in PersonSettings.__struct_fields__]
    problems = [
        Problem(source=name, message=f"unknown variable{_hint(name, known)}")
        for name in sorted(ours)
        if name not in known
    ]
    if problems:
        raise BadInputError(problems)


def read_toml(octets: bytes, source: str) -> dict[str, object]:
    """Read a TOML document as dotted names; raises BadInputError naming every wrong key."""
    from mindpipe.core.strict_toml import load_toml
    from mindpipe.wiring.toml import line_of

    found = _flat(load_toml(octets, source=source), "")
    known = [setting.name for setting in SETTINGS]
    problems = [
        Problem(
            source=source,
            line=line_of(octets, name),
            message=f"{name}: unknown key{_hint(name, known)}",
        )
        for name in found
        if name not in known
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


def _hint(name: str, known: Sequence[str]) -> str:
    """Return a question that names the nearest known name, where one is near."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _typed(
    setting: Setting, value: object, source: str, octets: bytes | None = None
) -> str | int | float | bool:
    """Return a value as the setting's type; raises BadInputError with its line in a file."""
    typed = _flag(value) if setting.kind is bool else _plain(setting, value)
    if typed is not None and _fits(setting, typed):
        return typed
    line = None
    if octets is not None:
        from mindpipe.wiring.toml import line_of

        line = line_of(octets, setting.name)
    message = f"{setting.name}: expected {setting.wanted()}, got {value!r}"
    raise BadInputError([Problem(source=source, line=line, message=message)])


def _flag(value: object) -> bool | None:
    """Return what says true or false, as a file or a variable has it."""
    return value if isinstance(value, bool) else _FLAGS.get(str(value).lower())


def _plain(setting: Setting, value: object) -> str | int | float | None:
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


def _fits(setting: Setting, value: str | float) -> bool:
    """Tell whether a value lies within the setting's bounds."""
    if isinstance(value, str):
        return not setting.choices or value in setting.choices
    least = -math.inf if setting.least is None else setting.least
    most = math.inf if setting.most is None else setting.most
    return least <= value <= most
