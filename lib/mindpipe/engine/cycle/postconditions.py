"""Look, once the event of a plan's window is over, whether what the plan expects is there."""

from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.core.ports import ProgramCall
from mindpipe.core.text import one_line, storable_text
from mindpipe.engine.dependencies import Dependencies
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.plans import claims, postconditions
from mindpipe.plans import verbs as plans
from mindpipe.plans.postconditions import Postcondition
from mindpipe.plans.records import WindowOutcome
from mindpipe.spaces import verbs as spaces

JUDGE = "judge"
"""The kind of operation under which it is recorded where no cycle was lived before."""

COMMAND_SECONDS = 60.0
_TAIL = 300


def judge(deps: Dependencies, *, agent: str) -> int:
    """Judge every attempt at a window whose event is over; return how many failed.

    A failed one is told to its agent. A command may run again where its worker dies over it.
    """
    failed = 0
    for outcome in plans.unjudged(deps.store, agent=agent):
        key = claims.key_of(outcome.plan, outcome.window, attempt=outcome.attempt)
        event = inbox.find(deps.store, agent=agent, source=claims.SOURCE, key=key)
        if event is None or event.state not in {EventState.DONE, EventState.DEAD}:
            continue
        why = f"its event died ({event.reason})"
        if event.state is EventState.DONE:
            why = _missing(deps, agent, outcome)
        made = plans.judge(
            deps.store, deps.clock, outcome=outcome, why=why or None, deliver=deps.tools.deliver
        )
        failed += made.why is not None
    return failed


def _missing(deps: Dependencies, agent: str, outcome: WindowOutcome) -> str:
    """Return in words what is not as a plan expects, nothing where all is."""
    plan = plans.show(deps.store, plan=outcome.plan)
    found = (
        _fault(deps, agent, postconditions.parse(text), since=outcome.since)
        for text in plan.expects
    )
    return "; ".join(filter(None, found))


def _fault(deps: Dependencies, agent: str, wanted: Postcondition, *, since: str) -> str:
    """Return in words why one postcondition does not hold, nothing where it does."""
    match wanted.kind:
        case "post":
            said = spaces.has_said(deps.store, space=wanted.what, name=agent, since=since)
            return "" if said else f"{agent} said nothing in {wanted.what} since {since}"
        case "note":
            return _note_fault(deps, agent, wanted.what, since)
        case "file":
            written = deps.tools.written(wanted.what)
            if written is None:
                return f"there is no file {wanted.what}"
            return "" if written >= since else f"{wanted.what} was last written at {written}"
        case _:
            return _command_fault(deps, wanted)


def _note_fault(deps: Dependencies, agent: str, key: str, since: str) -> str:
    """Return in words why a note is not there, or not as new as a window."""
    found = next((one for one in notes.list_(deps.store, agent=agent) if one.key == key), None)
    if found is None:
        return f"there is no note {key}"
    return "" if found.updated >= since else f"the note {key} is of {found.updated}"


def _command_fault(deps: Dependencies, wanted: Postcondition) -> str:
    """Return in words how a command failed; it runs in an empty folder of its own."""
    call = ProgramCall(argv=wanted.argv(), seconds=COMMAND_SECONDS)
    try:
        ended = deps.tools.programs.run(call)
    except UnavailableError as error:
        return str(error).rstrip(".")
    if ended.status == 0:
        return ""
    if ended.status is None:
        return f"{wanted.what} had not ended after {COMMAND_SECONDS:.0f} s"
    said, _ = storable_text(ended.stderr or ended.stdout)
    try:
        tail = one_line(" ".join(said.split())[-_TAIL:], field="what it said", limit=_TAIL)
    except MindError:
        tail = "it said nothing"
    return f"{wanted.what} ended with status {ended.status} ({tail})"
