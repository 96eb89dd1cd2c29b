"""A whole mind.toml: every setting with what it does, as it is where nobody says otherwise."""

import json
from collections.abc import Iterator

from mindpipe.wiring.known_settings import SETTINGS
from mindpipe.wiring.setting import Setting

_TOP = (
    "# Settings of mindpipe. Stronger than this file: an option, or a variable such as MIND_MODEL.",
    "# Every line shows a default; lines with a # in front have none.",
)


def template() -> str:
    """Return the document, which says just what holds without it."""
    return "\n".join((*_TOP, *_lines())) + "\n"


def _lines() -> Iterator[str]:
    """Yield the lines of all settings, table by table, those of no table first."""
    ordered = sorted(SETTINGS, key=lambda one: bool(_table(one)))
    tables = dict.fromkeys(map(_table, ordered))
    for table in tables:
        yield ""
        if table:
            yield f"[{table}]"
        for setting in (one for one in ordered if _table(one) == table):
            yield f"# {setting.help}{_bounds(setting)}"
            key = setting.name.rpartition(".")[2]
            yield f"# {key} =" if setting.default is None else f"{key} = {_value(setting.default)}"


def _table(setting: Setting) -> str:
    """Return the table that a setting stands in, empty at the top."""
    return setting.name.rpartition(".")[0]


def _bounds(setting: Setting) -> str:
    """Return in words which values there are, where not all are."""
    if not setting.choices and setting.least is None and setting.most is None:
        return ""
    wanted = setting.wanted()
    return f" {wanted[0].upper()}{wanted[1:]}."


def _value(default: str | float) -> str:
    """Return a value as TOML; long texts stand on lines of their own."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, str):
        return f'"""\n{default}"""' if "\n" in default else json.dumps(default)
    return str(default)
