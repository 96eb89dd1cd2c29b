"""Lines from a pipe come in groups, each as soon as it is due."""

import os

import pytest

from mindpipe.core.problems import Problem
from mindpipe.io.lines import line_groups


@pytest.fixture
def pipe() -> tuple[int, int]:
    return os.pipe()


def test_a_group_comes_before_the_end_of_the_stream(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    groups = line_groups(reading, limit=100, source="stdin", setting="x.max")
    os.write(writing, b"one\ntwo\nthr")
    assert next(groups) == [(1, b"one\ntwo\n")]
    os.write(writing, b"ee\n")
    assert next(groups) == [(3, b"three\n")]
    os.write(writing, b"four")
    os.close(writing)
    assert list(groups) == [[(4, b"four")]]
    os.close(reading)


def test_a_group_has_at_most_a_hundred_lines(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"".join(b"%d\n" % number for number in range(1, 251)))
    os.close(writing)
    groups = list(line_groups(reading, limit=1 << 20, source="stdin", setting="x.max"))
    os.close(reading)
    lines = [
        sum(one[1].count(b"\n") for one in group if isinstance(one, tuple)) for group in groups
    ]
    assert lines == [100, 100, 50]
    assert [group[0][0] for group in groups if isinstance(group[0], tuple)] == [1, 101, 201]


def test_a_long_line_is_a_problem_in_its_group(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"one\n" + b"x" * 50 + b"\nthree\n")
    os.close(writing)
    groups = list(line_groups(reading, limit=8, source="stdin", setting="x.max"))
    os.close(reading)
    found = [one for group in groups for one in group]
    problem = Problem(
        source="stdin", line=2, message="longer than 8 bytes; split it or raise x.max"
    )
    assert found == [(1, b"one\n"), problem, (3, b"three\n")]


def test_nothing_gives_no_group(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.close(writing)
    assert list(line_groups(reading, limit=8, source="stdin", setting="x.max")) == []
    os.close(reading)
