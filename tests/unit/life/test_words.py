"""What differs between two lives is told to people in words: what was done first, then sums."""

from mindpipe.life.records import LifeDifference
from mindpipe.life.words import in_words

NOTE = LifeDifference(
    what="note", key="tea", change="only_second", first=None, second={"value": "black"}
)
PROMPT = LifeDifference(
    what="prompt",
    key="2 1",
    change="changed",
    first={"request_sha256": "a" * 64},
    second={"request_sha256": "b" * 64},
)
SPENT = [
    LifeDifference(
        what="spend",
        key=f"ava/{cycle}/1/1",
        change="only_second",
        first=None,
        second={"model": "m", "micros": 600},
    )
    for cycle in (2, 3)
]


def test_prompts_and_spend_are_told_as_sums() -> None:
    said = [
        (one.what, one.change, one.first, one.second) for one in in_words([NOTE, PROMPT, *SPENT])
    ]
    assert said == [
        ("note", "only_second", "", "black"),
        ("prompt", "changed", "1 request", "1 request"),
        ("spend", "only_second", "", "2 calls, 1,200 micros"),
    ]


def test_of_tools_only_what_differs_is_told() -> None:
    same = {"name": "pick", "description": "Picks."}
    lamp = {"name": "lamp", "description": "Shines.", "approval": "never"}
    found = LifeDifference(
        what="settings",
        key="ava",
        change="changed",
        first={"tools": [same, lamp]},
        second={"tools": [same, {**lamp, "approval": "fork"}]},
    )
    (said,) = in_words([found])
    assert said.first == 'tools: [{"name":"lamp","approval":"never"}]'
    assert said.second == 'tools: [{"name":"lamp","approval":"fork"}]'


def test_in_full_each_is_told() -> None:
    said = [(one.what, one.key) for one in in_words([PROMPT, *SPENT], full=True)]
    assert said == [("prompt", "2 1"), ("spend", "ava/2/1/1"), ("spend", "ava/3/1/1")]
