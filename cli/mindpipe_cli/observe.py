"""`mind observe`: what happens outside becomes events: files, commits, processes."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import any_agent_option, dry_run_option
from mindpipe_cli.session import Session

Wish = str | bool | None

config_option = click.option(
    "--config", metavar="FILE", help="What to observe, as YAML [observe.config]."
)
once_option = click.option("--once", is_flag=True, help="Look or run once, and end.")
state_option = click.option(
    "--since-state", metavar="FILE", help="Keep what was seen in this file, not in the store."
)
deliver_option = click.option(
    "--deliver",
    is_flag=True,
    help="Put events into the inbox, in one transaction with what was seen.",
)


@command("observe", example="mind observe --agent ava --config observe.yaml")
@any_agent_option
@config_option
def alone(session: Session, agent: str | None, config: str | None) -> None:
    """Look once at all that is observed, and print what the next iteration would take up.

    What is new in folders and repositories, and plans that are due, go into the agent's inbox. What
    is taken up is what the mode of its loop (mind run mode) lets it.
    In it, concern is whose turn it is (mind concern; others are events of no concern, consolidation
    is the program's own work in idle time). Without --agent it is agent: of the configuration.
    Without a configuration only plans are looked at. mind run does this by itself, all the time,
    where observe.config names a file.
    """
    from mindpipe_cli import observing

    observing.attend(session, agent=agent, config=config)


@command(
    "files",
    example="mind observe files --config observe.yaml | mind inbox push --stream --agent ava",
)
@config_option
@any_agent_option
@once_option
@state_option
@deliver_option
@dry_run_option
def files(session: Session, **wishes: Wish) -> None:
    """Print an event for each change of the files that observation points mean.

    A change is told once nothing moved for half a second, one for each file; what happened while
    nobody looked is told at the next look. The first look at a folder only remembers what is there,
    unless the configuration says "initial: report". Where the reader of stdout dies, what it had
    not taken may come again, under the same keys; with --deliver nothing is lost or doubled.
    On a terminal nothing is remembered as seen, unless --deliver or --since-state is given.
    """
    from mindpipe_cli import observing

    observing.observe(session, "files", observing.wish_of(wishes))


@command("git", example="mind observe git --config observe.yaml --once")
@config_option
@any_agent_option
@once_option
@state_option
@deliver_option
@dry_run_option
def git(session: Session, **wishes: Wish) -> None:
    """Print an event for each new commit, and for branches and tags that were made or moved.

    Each commit is told once, the oldest first, however many branches have it. A branch that was
    forced elsewhere is told as ref_reset. On a terminal nothing is remembered as seen, unless
    --deliver or --since-state is given.
    """
    from mindpipe_cli import observing

    observing.observe(session, "git", observing.wish_of(wishes))


@command("processes", example="mind observe processes --config observe.yaml")
@config_option
@any_agent_option
@state_option
@deliver_option
@dry_run_option
def processes(session: Session, **wishes: Wish) -> None:
    """Print when processes start and how they end: those that run, by pid, and commands to run.

    Ends when all have ended. Of a process that somebody else began the status is not known.
    """
    from mindpipe_cli import observing

    observing.observe(session, "processes", observing.wish_of(wishes))


@command("program", example="mind observe program --config observe.yaml --deliver")
@config_option
@any_agent_option
@deliver_option
@once_option
def program(session: Session, **wishes: Wish) -> None:
    """Run programs that stay and print an event for each line of theirs.

    A line is an event as mind inbox push reads it; one that is none is named on stderr and left
    out. A program that ends is started again, after 1 s at first and 60 s at most; with --once it
    is not.
    """
    from mindpipe_cli import observing

    observing.observe(session, "programs", observing.wish_of(wishes))


@command("http", example="mind observe http --config observe.yaml --deliver")
@config_option
@any_agent_option
@deliver_option
def http(session: Session, **wishes: Wish) -> None:
    """Listen on 127.0.0.1 and print an event for each line of signed requests to POST /events.

    X-Mind-Signature is "sha256=" and the HMAC-SHA256 of X-Mind-Time, a dot, X-Mind-Key, a dot and
    the body. The time is Unix seconds, at most 5 minutes off. A key stands for its request: sent
    again it changes nothing. Status 200 comes when all is stored, or printed.
    """
    from mindpipe_cli import observing

    observing.observe(session, "http", observing.wish_of(wishes))


@command("plans", example="mind observe plans --agent ava | mind inbox push")
@any_agent_option
@deliver_option
def plans(session: Session, agent: str | None, *, deliver: bool) -> None:
    """Print an event for each plan that is due, as mind plan due does.

    Nothing due is exit status 3.
    """
    from mindpipe_cli import observing

    observing.plans(session, agent=agent, deliver=deliver)


@command("check", example="mind observe check --config observe.yaml")
@config_option
def check(session: Session, config: str | None) -> None:
    """Check a configuration and print what it observes; faults are named with their lines.

    Folders, repositories, programs and the secret must be there, and where there is a store the
    agents. Anything wrong is exit status 65.
    """
    from mindpipe_cli import observing

    observing.check(session, config)


COMMAND = group("observe", files, git, processes, program, http, plans, check, alone=alone)
