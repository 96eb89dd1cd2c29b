"""Settings of prompts: their style, and what a space shows."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(
        name="context.style",
        kind=str,
        default="continuous",
        help="How agents that name no style are shown their life.",
        choices=("continuous", "timeline"),
    ),
    Setting(
        name="context.space_messages",
        kind=int,
        default=50,
        help="Most messages of one space that a prompt shows whole.",
        least=1,
        most=1000,
    ),
    Setting(
        name="context.max_chain_depth",
        kind=int,
        default=5,
        help="Hops from agent to agent after which messages start no more runs.",
        least=1,
        most=100,
    ),
    Setting(
        name="context.wait_seconds",
        kind=float,
        default=300.0,
        help="How long a run waits for a reply, in seconds.",
        least=1,
    ),
)
