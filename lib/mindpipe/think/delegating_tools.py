"""The built-in tools by which a model delegates tasks, and works on those of others."""

from typing import Annotated

import msgspec

from mindpipe.core.records import Record
from mindpipe.tasks.records import IfLate, IfLost, IfPartial

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=65536)]
Json = Annotated[object, msgspec.Meta(extra_json_schema={"description": "Any JSON."})]
Share = Annotated[float, msgspec.Meta(ge=0, le=1, description="How far it is, 0-1.")]


class Delegate(Record):
    """Arguments of delegate."""

    to: Annotated[
        str,
        msgspec.Meta(min_length=1, max_length=64, description="An agent or a worker, by name."),
    ]
    text: Annotated[Words, msgspec.Meta(description="What is to be done.")]
    kind: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_.-]{0,63}(?!\n)$")] = "work"
    input: Annotated[dict[str, Json], msgspec.Meta(description="What it needs for it.")] = {}
    due_minutes: Annotated[
        float, msgspec.Meta(ge=1, le=525_600, description="After how long it is late.")
    ] = 60.0
    if_lost: IfLost = "resume"
    if_late: IfLate = "escalate"
    if_partial: IfPartial = "finish"


class GetTasks(Record):
    """Arguments of get_tasks."""


class ReportTask(Record):
    """Arguments of report_task: a result or an error ends the task."""

    task: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    progress: Share | None = None
    checkpoint: Annotated[
        dict[str, Json] | None, msgspec.Meta(description="What one could go on from.")
    ] = None
    result: Annotated[Words | None, msgspec.Meta(description="What was asked for.")] = None
    error: Annotated[Words | None, msgspec.Meta(description="Why it cannot be done.")] = None


TOOLS: tuple[tuple[str, type[Record], str], ...] = (
    (
        "delegate",
        Delegate,
        "Give a task to another agent or a worker. You get what became of it as an event.",
    ),
    ("get_tasks", GetTasks, "List the open tasks that you delegated and that were given to you."),
    (
        "report_task",
        ReportTask,
        "Say how far you are with a task that was given to you, or what its result is.",
    ),
)
"""Names, arguments and what a model is told."""
