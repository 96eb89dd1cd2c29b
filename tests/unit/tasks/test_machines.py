"""Whether a program that works on a task is there, seen from its machine and from another one."""

import os
from pathlib import Path

from mindpipe.engine.worker.task_programs import LocalWorkers
from mindpipe.io.clock import SystemClock, machine_boot, process_place
from mindpipe.io.processes import born_of
from mindpipe.store.address import address_of
from mindpipe.store.postgres import clock
from mindpipe.tasks.records import Identity


def lives(workers: LocalWorkers, here: str) -> list[bool]:
    """Tell of who is here, who was here before, and who is elsewhere whether it is there."""
    who = ((born_of(os.getpid()), here), ("before", here), ("before", "another machine"))
    return [
        workers.lives(Identity(pid=os.getpid(), born=born or "", boot=boot)) for born, boot in who
    ]


def test_a_file_has_one_machine_whose_earlier_boots_are_over() -> None:
    workers = LocalWorkers({}, store=Path("mind.db"), clock=SystemClock())
    assert lives(workers, machine_boot()) == [True, False, False]


def test_on_a_server_a_process_of_another_machine_is_not_taken_for_gone() -> None:
    address = address_of("postgresql://mind@/fleet?host=/nowhere")
    clock.told(address, 1_795_000_000.0)
    told = clock.ServerClock(address, SystemClock(), stands=False)
    workers = LocalWorkers({}, store=address, clock=told)
    assert lives(workers, process_place()) == [True, False, True]


def test_nobody_says_anything_while_a_server_is_away() -> None:
    address = address_of("postgresql://mind@/fleet?host=/far")
    workers = LocalWorkers({}, store=address, clock=SystemClock())
    assert workers.heard_since() == ""
    for instant in (1_795_000_000.0, 1_795_000_020.0):
        clock.told(address, instant)
    assert workers.heard_since() == ""
    clock.told(address, 1_795_000_620.0)
    assert workers.heard_since() == "2026-11-18T11:17:00Z"
    assert LocalWorkers({}, store=Path("mind.db"), clock=SystemClock()).heard_since() == ""
