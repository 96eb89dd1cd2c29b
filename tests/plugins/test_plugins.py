"""A plugin that is installed for real is found by name, used by `mind`, and held to its kind."""

import hashlib
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mindpipe.core.plugins import Plugin, PluginKind, plugin_of
from mindpipe.io.octets import FileOctets
from mindpipe.providers.plugins import plugin_conversations
from mindpipe_cli.conformance import check
from support.command import ROOT, Mind, clean_environment

SOURCE = ROOT / "tests" / "plugins" / "mind-lamp"
REQUEST = '{"messages":[{"role":"user","parts":[{"type":"text","text":"hello"}]}]}'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which pip has installed the wheel that it built of the plugin."""
    copy = tmp_path_factory.mktemp("source") / "mind-lamp"
    for file in ("pyproject.toml", "mind_lamp/__init__.py"):
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        (copy / file).write_bytes((SOURCE / file).read_bytes())
    folder = tmp_path_factory.mktemp("site")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", folder)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, copy], check=True, timeout=120
    )
    assert not (folder / "pyproject.toml").exists()
    return folder


@pytest.fixture
def lamp(tmp_path: Path, site: Path) -> Mind:
    """Return `mind` beside which the plugin is installed, with a store of one agent."""
    environment = {**clean_environment(tmp_path), "PYTHONPATH": str(site)}
    mind = Mind(tmp_path, environment, forked=False)
    mind("init")
    mind("agent", "new", "ava", "--model", "lamp/loud", "--trust", "tool:*")
    return mind


@pytest.mark.heavy
def test_a_model_and_a_tool_of_plugins_live_a_cycle(lamp: Mind) -> None:
    lamp("agent", "set", "ava", "--tool", "lamp")
    lamp("inbox", "push", "--agent", "ava", "--text", "Is it lit?")
    report = lamp("think", "--agent", "ava").record()
    assert (report["outcome"], report["calls"], report["model"]) == ("done", 1, "lamp:loud")
    assert report["summary"].startswith("YOU SAID:")
    assert "the lamp is lit" in lamp("history", "show", "--agent", "ava").text


@pytest.mark.heavy
def test_an_importer_of_a_plugin_fills_a_history(lamp: Mind) -> None:
    told = ("history", "import", "--agent", "ava", "--format", "lamp")
    receipt = lamp(*told, stdin="bea: Is it lit?\nlamp: It is.\n").record()
    assert receipt["format"] == "lamp"
    assert "It is." in lamp("history", "show", "--agent", "ava").text
    refused = lamp.run(*told, stdin="no such log\n")
    assert (refused.status, refused.words.count("\n")) == (65, 1)
    assert "the plugin lamp of mindpipe.importers" in refused.words


@pytest.mark.heavy
def test_a_reader_and_an_embedding_model_of_plugins_serve_memory(lamp: Mind) -> None:
    lamp("memory", "add", "--agent", "ava", "--text", "I have a lamp", "--speaker", "Bea")
    lamp("consolidate", "--agent", "ava", "--reader", "lamp")
    assert "has a lamp" in lamp("observation", "list", "--agent", "ava").text
    assert lamp("recall", "embed", "--agent", "ava", "--model", "lamp").record()["vectors"] == 2
    lamp.environment["MIND_EMBED_MODEL"] = "lamp"
    assert "vector" in lamp("recall", "--agent", "ava", "lamp", "--explain").records()[0]["why"]


@pytest.mark.parametrize("name", ["lamp", "lamp/loud", "lamp:loud"])
def test_a_name_is_the_plugins_alone_or_with_a_rest(lamp: Mind, name: str) -> None:
    answer = lamp("complete", "--model", name, stdin=REQUEST).text
    assert ("YOU SAID: HELLO" if "loud" in name else "You said: hello") in answer


@pytest.mark.parametrize(
    ("name", "words", "status"),
    [
        (
            "absent",
            "the plugin absent of mindpipe.models (package mind-lamp 1.0) fails: Module",
            69,
        ),
        ("lamp/dark", "the plugin lamp of mindpipe.models (package mind-lamp 1.0) fails: Val", 69),
        ("broken", "the plugin broken of mindpipe.models (package mind-lamp 1.0) fails: Val", 1),
        ("lump", "(or a plugin's: absent, broken, lamp)", 2),
    ],
)
def test_what_a_plugin_does_wrong_is_one_line_that_names_it(
    lamp: Mind, name: str, words: str, status: int
) -> None:
    ran = lamp.run("complete", "--model", name, stdin=REQUEST)
    said = ran.words + ran.text
    assert (ran.status, words in said) == (status, True), said
    assert "Traceback" not in said
    assert said.count("\n") == 1


@pytest.mark.heavy
def test_a_price_that_nobody_knows_keeps_no_cap(lamp: Mind) -> None:
    """A plugin's model is a provider's as any other: free only where models.toml says so."""
    lamp.environment["MIND_CAPS_CALL_MICROS"] = "1000"
    refused = lamp.run("complete", "--model", "lamp/loud", stdin=REQUEST)
    assert "the price of lamp:loud is not known" in refused.words + refused.text
    (lamp.folder / "models.toml").write_text(
        "[prices.loud]\ninput = 0\noutput = 0\ncache_read = 0\ncache_write = 0\n"
    )
    lamp("complete", "--model", "lamp/loud", stdin=REQUEST)


def test_two_packages_with_plugins_of_one_name_are_refused(lamp: Mind, site: Path) -> None:
    other = lamp.folder / "other"
    for file in ("METADATA", "entry_points.txt"):
        text = (site / "mind_lamp-1.0.dist-info" / file).read_text()
        (other / "mind_lump-1.0.dist-info").mkdir(parents=True, exist_ok=True)
        changed = text.replace("Name: mind-lamp", "Name: mind-lump")
        (other / "mind_lump-1.0.dist-info" / file).write_text(changed)
    lamp.environment["PYTHONPATH"] = f"{site}:{other}"
    refused = lamp.run("complete", "--model", "lamp", stdin=REQUEST)
    assert refused.status == 69
    assert "mind-lamp and mind-lump; uninstall one" in refused.words


def test_an_author_runs_the_suite_of_a_kind_with_one_command(lamp: Mind) -> None:
    found = lamp("plugin", "check", "models", "mind_lamp:model", "loud").records()
    assert len(found) == 4
    assert all(one["passed"] for one in found)
    broken = lamp.run("plugin", "check", "models", "broken")
    assert (broken.status, len(broken.records())) == (1, 4)
    assert "mind plugin check: broken fails 4 checks of 4." in broken.words
    named = {(one["kind"], one["name"]) for one in lamp("plugin", "list").records()}
    assert {("models", "lamp"), ("readers", "lamp"), ("models", "absent")} <= named


@pytest.mark.parametrize("kind", PluginKind)
def test_a_suite_passes_what_is_sound(
    kind: PluginKind, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(site)
    samples = {PluginKind.IMPORTERS: "bea: Is it lit?\n", PluginKind.READERS: "I have a lamp.\n"}
    sample = tmp_path / "sample"
    sample.write_text(samples.get(kind, ""))
    plugin = plugin_of(kind, "lamp")
    assert plugin is not None
    found = check(plugin, str(sample))
    assert len(found) >= 3
    assert [one for one in found if not one.passed] == []


def test_an_importer_is_given_a_file_of_which_no_more_is_held_than_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ends.py").write_text(
        "from mindpipe.core.plugins import ForeignConversation\n"
        "def read(file):\n"
        "    first = file.read(5)\n"
        "    file.seek(-4, 2)\n"
        "    assert file.read() == b'last' and file.read() == b''\n"
        "    yield ForeignConversation(form='openai-chat', octets=first)\n"
        "def make(name):\n"
        "    return read\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plugin = Plugin(PluginKind.IMPORTERS, "ends", "", EntryPoint("ends", "ends:make", "x"))
    with (tmp_path / "large").open("w+b") as file:
        file.write(b"first")
        file.seek(1 << 32)
        file.write(b"last")
        file.flush()
        octets = FileOctets(file, name="large")
        (found,) = plugin_conversations(octets, plugin=plugin, source="large")
    assert found.octets == b"first"


@pytest.mark.parametrize(
    ("kind", "body", "broken"),
    [
        ("models", "return 7", "it can be made"),
        (
            "models",
            "return M((CallPart(id='', tool='t', args={}, args_text='{}'),), Finish.CALLS)",
            "It answers a request with a reply whose parts and finish agree",
        ),
        (
            "models",
            "return M((TextPart(text='a'),), Finish.END, heard='b')",
            "A preview that hears of a reply's text hears all of it, in order",
        ),
        (
            "models",
            "return M((TextPart(text='a'),), Finish.END, raw=b'[]')",
            "Raw bytes, where there are any, are one JSON object",
        ),
        (
            "embedders",
            "return E(lambda texts: [[1.0]] * 3)",
            "It gives one vector for each text, all of one length, whatever the texts are",
        ),
        (
            "embedders",
            "return E(lambda texts: [[float('inf')] for _ in texts])",
            "Every number of a vector is finite, and a text of English words has one that is not 0",
        ),
        (
            "embedders",
            "return E(lambda texts: [[1.0 + len(texts)] for _ in texts])",
            "The same text has the same vector, alone and among others",
        ),
        (
            "tools",
            "return [{'name': 'recall', 'description': '', 'command': ['true']}]",
            "Its manifests are those that a file could hold, under names that are not built in",
        ),
        (
            "tools",
            "return [{'name': 'a', 'description': '', 'command': ['/absent']}]",
            "Every command begins with a program that is there",
        ),
        (
            "importers",
            "return lambda file: [ForeignConversation(form='openai-chat', octets=b'[7]')]",
            "It reads the file, every conversation without a problem, and with messages",
        ),
        (
            "importers",
            "return lambda file: []",
            "It raises ValueError for what is no such file",
        ),
        (
            "readers",
            "return R('attribute')",
            "It reads statements, each of an attribute that there is, on characters of its words",
        ),
        (
            "readers",
            "return R('owns', end=10**6)",
            "It reads statements, each of an attribute that there is, on characters of its words",
        ),
        (
            "readers",
            "return R('owns', reader='x')",
            "Its name is NAME/VERSION, and stands in every",
        ),
    ],
)
def test_a_suite_finds_what_is_broken(
    kind: str, body: str, broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"broken_{hashlib.sha256(body.encode()).hexdigest()[:8]}"
    (tmp_path / f"{module}.py").write_text(BROKEN.replace("BODY", body))
    monkeypatch.syspath_prepend(tmp_path)
    named = PluginKind[kind.upper()]
    plugin = Plugin(named, module, "", EntryPoint(module, f"{module}:make", named.value))
    sample = str(tmp_path / f"{module}.py") if named is PluginKind.IMPORTERS else None
    failed = [one.check for one in check(plugin, sample) if not one.passed]
    assert any(name.startswith(broken) for name in failed), failed


BROKEN = """\
from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import Finish, ModelReply, Target
from mindpipe.core.plugins import ForeignConversation
from mindpipe.language.records import Statement

class M:
    target = Target(provider="m", api="program", model="m", family="m")
    def __init__(self, parts, finish, heard="", raw=b""):
        self.parts, self.finish, self.heard, self.raw = parts, finish, heard, raw
    def reply(self, request, preview=None):
        if preview is not None and self.heard:
            preview.text(self.heard)
        return ModelReply(parts=self.parts, finish=self.finish, provider_finish="", raw=self.raw)

class E:
    name = "e"
    def __init__(self, vectors):
        self.vectors = vectors

class R:
    name = "r/1"
    def __init__(self, attribute, end=1, reader="r/1"):
        self.given = dict(speaker="a", subject="a", attribute=attribute, value="x", start=0,
                          end=end, reader=reader)
    def read(self, said):
        return [(Statement(**self.given),) if one.text else () for one in said]

def make(name):
    BODY
"""


@pytest.mark.heavy
def test_what_is_built_in_looks_for_no_plugin(lamp: Mind) -> None:
    """A start loads importlib.metadata only for a name that nothing built in has."""
    (lamp.folder / "sitecustomize.py").write_text(
        "import atexit, sys\n"
        "atexit.register(lambda: sys.stderr.write(str('importlib.metadata' in sys.modules)))\n"
    )
    lamp.environment["PYTHONPATH"] += f":{lamp.folder}"
    lamp("agent", "set", "ava", "--model", "program:./answer")
    quiet = lamp("inbox", "push", "--agent", "ava", "--text", "x", "--source", "operator")
    assert quiet.words.endswith("False")
    assert lamp("complete", "--model", "lamp", stdin=REQUEST).words.endswith("True")
