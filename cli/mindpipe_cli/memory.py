"""`mind memory`: all that agents remember, whatever form it has."""

from mindpipe_cli.command import command, group
from mindpipe_cli.options import any_agent_option, dry_run_option, source_option
from mindpipe_cli.session import Session


@command("revoke", example="mind memory revoke --source web --dry-run")
@source_option(required=True)
@any_agent_option
@dry_run_option
def revoke(session: Session, source: str, agent: str | None, *, dry_run: bool) -> None:
    """Forget every note, goal and plan that was written under words of a source; print them.

    The source may end in *, leave its sender out (space:family), or be who speaks in spaces
    (husam). The log is not touched. Nothing that depends on it is exit status 3.
    """
    from mindpipe.context.verbs import memories

    gone = memories.revoke(session.store, source=source, agent=agent, dry_run=dry_run)
    session.write(gone, columns=("kind", "agent", "subject", "text", "sources"))


COMMAND = group("memory", revoke)
