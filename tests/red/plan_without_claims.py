"""Run `mind` as a broken build would: nothing keeps a row for a window of a plan."""

from mindpipe.core.ports import Rows
from mindpipe.plans import tables
from mindpipe.plans.records import Claim, WindowState
from mindpipe_cli.main import main


def _keep_nothing(_rows: Rows, _claim: Claim, _state: WindowState) -> bool:
    """Say that the window is ours without keeping a row for it."""
    return True


tables.add_window = _keep_nothing

if __name__ == "__main__":
    main()
