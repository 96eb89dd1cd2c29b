"""How a window is divided is read from the settings, and holds together."""

import pytest

from mindpipe.context.budget.records import Allocations, allocations_of
from mindpipe.core.errors import BadInputError
from mindpipe.engine.verbs import config
from mindpipe.settings import Settings


def of(**variables: str) -> Settings:
    return Settings(options={}, environment={"HOME": "/nonexistent", **variables})


def test_the_defaults_divide_the_whole_window() -> None:
    assert allocations_of(of()) == Allocations()
    assert Allocations().sum == Allocations().context_window


def test_settings_change_it() -> None:
    found = allocations_of(
        of(
            MIND_MEMORY_CONTEXT_WINDOW_TOKENS="200000",
            MIND_MEMORY_ALLOCATIONS_OBSERVATIONS="90000",
        )
    )
    assert (found.context_window, found.observations, found.self_model) == (200_000, 90_000, 10_000)


def test_more_than_the_window_is_refused_and_named() -> None:
    settings = of(MIND_MEMORY_ALLOCATIONS_TASK_CONTEXT="10001")
    with pytest.raises(BadInputError) as caught:
        allocations_of(settings)
    assert str(caught.value) == (
        "MIND_MEMORY_ALLOCATIONS_TASK_CONTEXT: memory.context_window_tokens: 100000 is 1 less than "
        "memory.allocations take together (system_prompt 5000 + self_model "
        "10000 + observations 15000 + working_memory 30000 + retrieved_memories 25000 + "
        "task_context 10001 + scratch_space 5000 = 100001); raise it, or lower some of them."
    )
    assert config.check(settings) == caught.value.problems


def test_an_index_that_is_not_there_is_named() -> None:
    [problem] = config.check(of(MIND_RECALL_INDEX="nope.yaml"))
    assert problem.source == "MIND_RECALL_INDEX"
    assert problem.message.startswith("recall.index: nope.yaml")
