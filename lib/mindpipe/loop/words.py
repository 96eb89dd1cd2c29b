"""What an agent is told of a crash and of an error in its loop."""

from collections.abc import Sequence

from mindpipe.loop.records import Life, UnderWay
from mindpipe.think.records import Call, CallState, Turn, TurnState

_DOING = {
    TurnState.ASKING: "asking the model",
    TurnState.RECORDED: "doing what the model asked for",
    TurnState.FOLDED: "between two turns",
    TurnState.ABANDONED: "between two turns",
}


def under_way(
    cycle: int, events: tuple[str, ...], turn: Turn | None, calls: Sequence[Call]
) -> UnderWay:
    """Return what the journal of an open cycle says of the worker that left it."""
    doing = "taking up its events" if turn is None else f"{_DOING[turn.state]}, turn {turn.turn}"
    return UnderWay(
        cycle=cycle,
        events=events,
        doing=doing,
        done=tuple(call.tool for call in calls if call.state is CallState.DONE),
        unknown=tuple(
            call.tool for call in calls if call.state in {CallState.STARTED, CallState.UNKNOWN}
        ),
    )


def of_crash(run: Life, found: UnderWay, *, at: str, dead: Sequence[str]) -> str:
    """Return the memory of a crash: when, what was under way, what is done, what is not known."""
    where = "no cycle was open" if found.cycle is None else f"cycle {found.cycle}: {found.doing}"
    said = [
        f"Your worker that began at {run.started} crashed; this was found at {at}.",
        f"Under way: {where}.",
        f"Done in it: {', '.join(found.done) or 'no tool call'}.",
    ]
    if found.unknown:
        said.append(f"Not known whether it ran: {', '.join(found.unknown)}.")
    if dead:
        said.append(f"Dead after 3 crashes: {', '.join(dead)}.")
    return " ".join(said)


def of_error(words: str) -> str:
    """Return what an agent is told of an error in its loop."""
    return f"An error in your loop: {words}"
