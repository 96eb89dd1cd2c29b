"""`mind config`: settings and where each came from."""

from mindpipe_cli.command import command, group
from mindpipe_cli.session import Session


@command("show", example="mind config show")
def show(session: Session) -> None:
    """Print every setting, its value and where that came from."""
    session.write(session.settings.all(), columns=("name", "value", "source"))


COMMAND = group("config", show)
