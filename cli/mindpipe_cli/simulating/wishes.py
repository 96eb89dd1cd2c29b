"""What the options of `mind simulate tick` and `mind simulate run` ask for."""

from mindpipe_cli.simulating.person_lines import Given


class Wish(Given):
    """What both have: where persons come from, who they are, what is read and who finds words."""

    read: str = "all"
    jobs: int = 1
    settings: tuple[str, ...] = ()
    consts: tuple[str, ...] = ()
    model: str | None = None
    record: str | None = None
    person: str | None = None


class TickWish(Wish):
    """How far one tick goes, and whether persons think in it."""

    dt: str | None = None
    to: str | None = None
    think: bool = False


class RunWish(Wish):
    """How far a run goes, how fast, what it prints and keeps."""

    until: str
    every: str = "10m"
    speed: float | None = None
    parallel: int = 1
    keep_states: bool = False
    review: bool | None = None
