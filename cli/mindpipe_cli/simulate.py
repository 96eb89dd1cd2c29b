"""`mind simulate`: persons with a body, a psyche and thoughts, in simulated time."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    changing_options,
    file_argument,
    jobs_option,
    life_at_option,
    name_option,
    on_error_options,
    parallel_option,
    person_option,
    persons_events_option,
    voice_options,
    whole,
)
from mindpipe_cli.plotting import plot
from mindpipe_cli.session import Session
from mindpipe_cli.validating import validate

read_option = click.option(
    "--read",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="What of a person is read into its states.",
)
late_option = click.option(
    "--late",
    type=click.Choice(["refuse", "now"]),
    default="refuse",
    show_default=True,
    help="What is done with events before the time of their person.",
)


@command("new", example="mind simulate new --name Mara --seed 7 > mara.jsonl")
@name_option
@click.option("--id", "id_", metavar="ID", help="The id that lines name it by [from its name].")
@click.option("--trait", "traits", multiple=True, metavar="T=X", help="o, c, e, a or n, 0 to 1.")
@click.option("--chronotype", type=click.FloatRange(-4, 4), metavar="H", help="Hours, + is late.")
@click.option("--count", type=whole(1, 999_999), metavar="N", help="Make many, traits drawn.")
@life_at_option
@changing_options
def new(session: Session, **wishes: object) -> None:
    """Make a person, or many, and print a person line and a state line for each.

    It begins asleep at midnight of day 0; with --at it lives until then. --seed makes its chance
    its own. With --store it lives in the store, with an inbox of its own that mind inbox push and
    spaces reach.
    """
    from mindpipe_cli.simulating import beginning

    beginning.begin(session, wishes)


@command("tick", example="cat mara.jsonl morning.jsonl | mind simulate tick --dt 60")
@file_argument
@click.option("--dt", metavar="SPAN", help="How long, e.g. 60, 90s or 2h [60].")
@click.option("--to", metavar="INSTANT", help="Until when instead, e.g. 2d16:00.")
@persons_events_option
@click.option("--think", is_flag=True, help="Let persons think.")
@read_option
@late_option
@jobs_option
@changing_options
@voice_options("none (no thoughts)")
@person_option
@on_error_options
def tick(session: Session, **wishes: object) -> None:
    """Let persons live on for a while: person, state and event lines in, the same persons out.

    Events of the lines and of --events are applied; those after the end are printed again, so that
    no file of events need be given twice: an event that is there already is ignored. Other lines
    pass through. Any split of a span into ticks gives the same states. What mind simulate run
    printed is taken too: everybody lives on from the latest state. With --store or --person it
    lives on in the store as mind simulate run does.
    """
    from mindpipe_cli.simulating import ticking

    ticking.tick(session, wishes)


@command("run", example="mind simulate run mara.jsonl --until 1d --every 10m > day1.jsonl")
@file_argument
@click.option("--until", metavar="INSTANT", required=True, help="The end, e.g. 1d or 2d16:00.")
@click.option("--every", metavar="SPAN", default="10m", show_default=True, help="Between states.")
@persons_events_option
@click.option("--speed", type=click.FloatRange(0, min_open=True), help="1 is real time [fast].")
@parallel_option
@read_option
@late_option
@jobs_option
@changing_options
@voice_options("none (no thoughts)")
@person_option
@click.option(
    "--review/--no-review", default=None, help="Print an observer's notes [setting review]."
)
@click.option("--keep-states", is_flag=True, help="Keep every state in the store, not the latest.")
@on_error_options
def run(session: Session, **wishes: object) -> None:
    """Let persons live and think, and print states, triggers, thoughts and memories as they come.

    What it printed can be given to it again: it goes on from the latest state of each person, and
    prints what an unbroken run would have printed. States of a person stand in the order of time.
    Events after the end did not happen; give their file again, and those that did are ignored.

    With --store or --person it lives on from the latest tick of the persons in the store, with
    what was pushed into their inboxes, and keeps every tick: an event whose body has a type that
    happens to persons is that, with its fields; any other is heard as speech, by its text and its
    sender. There --parallel lets several persons live at a time, and --jobs is refused; --set and
    --const change them for good. A call of a voice that fails is a line of kind failure, and the
    run goes on. On a terminal it shows the first person live and prints no records: add | tee
    FILE, or > FILE, to have them.
    """
    from mindpipe_cli.simulating import running

    running.run(session, wishes)


COMMAND = group("simulate", new, tick, run, validate, plot)
