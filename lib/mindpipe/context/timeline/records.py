"""What a timeline tells of: who, where, what was said, and why the agent is awake."""

from mindpipe.core.messages import FilePart
from mindpipe.core.records import Natural, Record


class Party(Record):
    """Somebody who says something: the title, kind and id that others see; `own` is the agent."""

    title: str
    kind: str
    id: str
    own: bool = False


class TimelineSpace(Record):
    """A space by its name, and the title that is shown."""

    name: str
    title: str


class SpokenReason(Record):
    """Why the agent spoke somewhere else: what was asked, by whom, and where."""

    who: str
    text: str
    space: str


class TimelineEntry(Record, omit_defaults=True):
    """One message of a space.

    `new` tells that it came since the agent's last run, `waits` that its sender waits for a reply,
    `trigger` that it began the run, `resumes` that it ended what the run waited for. `files` went
    along with it.
    """

    id: str
    at: str
    by: Party
    text: str
    new: bool = False
    waits: bool = False
    trigger: bool = False
    resumes: bool = False
    because: SpokenReason | None = None
    files: tuple[FilePart, ...] = ()


class EarlierMessages(Record):
    """The messages of a space before those that are shown whole.

    There are `count` of them; `lines` say in short what the last ones did, `told` in number, from
    `since` to `until`.
    """

    count: Natural
    told: Natural
    since: str
    until: str
    lines: tuple[str, ...] = ()


class SpaceHistory(Record, omit_defaults=True):
    """What was said in one space, oldest first.

    `waited` is how long a run waited in vain for a reply here, in seconds.
    """

    place: TimelineSpace
    entries: tuple[TimelineEntry, ...] = ()
    earlier: EarlierMessages | None = None
    waited: float | None = None


class EndedWait(Record, omit_defaults=True):
    """What a run waited for, and who ended that; `by` is null where its time ran out.

    `asked` are the agent's own words, `seconds` how long it waited.
    """

    run: str
    post: str
    asked: str
    place: TimelineSpace
    seconds: float
    by: Party | None = None


class WakeReason(Record, omit_defaults=True):
    """Why the agent is awake.

    `name` is the title of a plan or the source of an event, `subject` the id of a plan, `level`
    that of an interrupt. Of a run that goes on, `began` is why it once began.
    """

    type: str
    at: str
    name: str = ""
    subject: str = ""
    place: TimelineSpace | None = None
    sender: Party | None = None
    text: str = ""
    post: str = ""
    payload: dict[str, object] = {}
    expects_reply: bool = False
    depth: Natural = 0
    level: Natural | None = None
    resumed: EndedWait | None = None
    began: "WakeReason | None" = None


class PlanLine(Record, omit_defaults=True):
    """One plan: its rule, when it comes due next, and after how many seconds it was asked for.

    `sources` are the untrusted ones that it was written under.
    """

    id: str
    title: str
    cron: str | None = None
    zone: str = "UTC"
    next: str | None = None
    after: int | None = None
    sources: tuple[str, ...] = ()


class RunLine(Record, omit_defaults=True):
    """One run that has not ended.

    `why` is the type of its trigger, `who` and `space` where that was said; `waits_in` is where it
    waits for a reply, `waits_for` are those who may give one, `until` is when it waits no longer.
    """

    id: str
    this: bool
    state: str
    why: str
    who: str = ""
    space: str = ""
    name: str = ""
    waits_in: str = ""
    waits_for: tuple[str, ...] = ()
    until: str = ""
