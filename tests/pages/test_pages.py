"""What the program writes of itself is understood by the programs that read it."""

import importlib.metadata
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from mindpipe.core.version import VERSION
from mindpipe_cli.schema import RECORDS, schema_of
from support.command import ROOT
from support.tables import each_row

MANUALS = sorted((ROOT / "man").glob("*.[157]"))
SCRIPTS = {"bash": "mind.bash", "zsh": "_mind", "fish": "mind.fish"}


def needs(program: str) -> pytest.MarkDecorator:
    """Return the mark of a test that needs a program of the machine."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"no {program} here")


@needs("groff")
@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.name)
def test_groff_has_no_warning(path: Path) -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", path], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@needs("mandoc")
@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.name)
def test_mandoc_has_no_warning(path: Path) -> None:
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", path], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("shell", [pytest.param(name, marks=needs(name)) for name in SCRIPTS])
def test_the_shell_reads_its_completion(shell: str) -> None:
    script = ROOT / "completions" / SCRIPTS[shell]
    done = subprocess.run([shell, "-n", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.heavy
@each_row("name", RECORDS)
def test_a_record_has_a_valid_schema(name: str) -> None:
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert RECORDS[name].summary.endswith(".")


def test_a_schema_judges_records() -> None:
    judge = jsonschema.Draft202012Validator(schema_of("new-event"))
    assert judge.is_valid({"text": "hello", "priority": 0})
    assert not judge.is_valid({"text": "hello", "priority": 9})
    assert not judge.is_valid({"txet": "hello"})


def test_the_version_is_the_package_s() -> None:
    assert importlib.metadata.version("mindpipe") == VERSION
