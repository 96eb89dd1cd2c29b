"""The inner voice stands in filters that start often: none of its modules loads numpy."""

import subprocess
import sys
from pathlib import Path

from mindpipe.person import mind, voice
from mindpipe.person.mind import parsers
from support.command import clean_environment

OTHERS = {"__init__", "awareness"}
"""Awareness of many persons at once is reckoned in arrays, by who lets them live."""
IMPORT = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    assert "numpy" not in sys.modules, name
"""


def test_no_module_of_the_inner_voice_loads_numpy(tmp_path: Path) -> None:
    names = ["mindpipe.person.prompts", "mindpipe.person.chance"]
    for package in (mind, parsers, voice):
        (folder,) = package.__path__
        found = sorted(path.stem for path in Path(folder).glob("*.py") if path.stem not in OTHERS)
        names += [f"{package.__name__}.{stem}" for stem in found]
    assert len(names) > 18
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, *names],
        capture_output=True,
        text=True,
        env=clean_environment(tmp_path),
        check=False,
    )
    assert done.returncode == 0, done.stderr
