"""Settings are one tree: each is read where it stands, alone, and nothing else is loaded for it."""

import functools
import subprocess
import sys

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.settings import SETTINGS, Settings

READ = """
import sys
from mindpipe.settings import Settings
Settings(options={}, environment={}, files=()).inbox.max_open
print(*(name for name in sys.modules if name.startswith("mindpipe.")))
"""


def of(**variables: str) -> Settings:
    return Settings(options={}, environment=variables, files=())


def attribute(settings: Settings, name: str) -> object:
    path = ("import_" if word == "import" else word for word in name.split("."))
    return functools.reduce(getattr, path, settings)


def test_every_name_leads_to_its_value() -> None:
    settings = of()
    found = {name: attribute(settings, name) for name in SETTINGS}
    assert found == {one.name: one.value for one in settings.all()}
    assert {name: type(value) for name, value in found.items() if value is not None} == {
        name: one.kind for name, one in SETTINGS.items() if one.default is not None
    }


def test_a_value_has_the_type_of_its_setting_wherever_it_comes_from() -> None:
    settings = Settings(options={"seed": 7}, environment={"MIND_TASKS_MOST_SECONDS": "5"}, files=())
    assert (settings.seed, settings.tasks.most_seconds) == (7, 5.0)
    assert type(settings.tasks.most_seconds) is float


def test_a_wrong_value_stops_only_what_asks_for_it() -> None:
    settings = of(MIND_INBOX_LEASE_SECONDS="long")
    assert settings.inbox.max_open == 10_000
    with pytest.raises(BadInputError, match=r"inbox\.lease_seconds: expected a number, got 'long'"):
        _ = settings.inbox.lease_seconds


def test_nothing_sets_a_setting_or_a_section() -> None:
    settings = of()
    for holder, name in ((settings, "store"), (settings, "inbox"), (settings.inbox, "max_open")):
        with pytest.raises(AttributeError, match="cannot be set"):
            setattr(holder, name, None)


def test_a_variable_of_persons_is_known_where_somebody_says_so() -> None:
    environment = {"MIND_PERSON_DRIFT": "false"}
    with pytest.raises(BadInputError, match="MIND_PERSON_DRIFT: unknown variable"):
        _ = Settings(options={}, environment=environment, files=()).store
    settings = Settings(
        options={}, environment=environment, files=(), person_settings=lambda: ("drift",)
    )
    assert settings.store == "mind.db"


def test_reading_one_setting_loads_this_file_and_the_core() -> None:
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if not name.startswith("mindpipe.core")}
    assert loaded == {"mindpipe.settings", "mindpipe.io", "mindpipe.io.files"}
