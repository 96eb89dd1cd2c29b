"""The argument vector of a sandbox, and the refusal where there is none."""

from pathlib import Path

import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import ProgramCall, Sandbox
from mindpipe.core.tools import ToolManifest
from mindpipe.io import sandbox
from mindpipe.io.programs import LocalPrograms
from support.tables import each_row

HOME = "/tmp/mind-1"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "/usr/bin/bwrap")


@pytest.mark.usefixtures("installed")
def test_a_program_is_shut_in_with_its_home_and_the_system(tmp_path: Path) -> None:
    seen, missing = tmp_path / "look", tmp_path / "missing"
    seen.touch()
    shut = Sandbox(visible=(str(seen), str(missing)))
    words = " ".join(sandbox.shut_in(("look", "--bind"), shut, HOME))
    assert words == (
        "/usr/bin/bwrap --die-with-parent --new-session --unshare-all"
        " --ro-bind-try /usr /usr --ro-bind-try /bin /bin --ro-bind-try /sbin /sbin"
        " --ro-bind-try /lib /lib --ro-bind-try /lib32 /lib32 --ro-bind-try /lib64 /lib64"
        " --ro-bind-try /etc /etc --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run"
        f" --ro-bind {seen} {seen} --bind {HOME} {HOME} --chdir {HOME} -- look --bind"
    )


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("network", [False, True])
def test_it_has_a_network_only_if_it_is_given_one(*, network: bool) -> None:
    words = sandbox.shut_in(("look",), Sandbox(network=network), HOME)
    assert ("--share-net" in words) is network


@each_row(
    ("labels", "network"),
    [
        ((), False),
        (("reads_private",), False),
        (("sends_out",), True),
        (("reads_untrusted",), True),
    ],
)
def test_labels_and_whole_paths_of_a_manifest_open_a_sandbox(
    labels: tuple[str, ...], *, network: bool
) -> None:
    tool = ToolManifest(
        name="look",
        description="Look.",
        command=("/opt/look", "{town}", "rel", "/srv/docs"),
        verify=("/opt/verify",),
        labels=labels,  # type: ignore[arg-type]  # a table of labels
        sandbox="bubblewrap",
    )
    visible = ("/opt/look", "/srv/docs", "/opt/verify")
    assert tool.shut_in() == Sandbox(network=network, visible=visible)


def test_without_bubblewrap_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    call = ProgramCall(argv=("touch", str(tmp_path / "ran")), sandbox=Sandbox())
    with pytest.raises(UnavailableError, match="install it"):
        LocalPrograms().run(call)
    assert list(tmp_path.iterdir()) == []
