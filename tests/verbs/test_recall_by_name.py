"""Questions by the name that a speaker goes by, which is not that under which he speaks."""

import json

from support.command import Mind

TOLD = (
    ("root", "Hi, I'm Paul."),
    ("root", "I live in Graz with my wife Anna."),
    ("u17", "My name is Rita."),
    ("u17", "I live in Linz and I'm allergic to soy."),
    ("u18", "I'm Igor."),
    ("u18", "I live in Ulm."),
    ("u18", "Rita lives in Kiel."),
)
ASKED = (
    ("Where does Paul live?", "root lives in Graz."),
    ("Who is Paul's wife?", "Anna is root's partner."),
    ("Where does Rita live?", "u17 lives in Linz."),
    ("What is Rita allergic to?", "u17 is allergic to soy."),
    ("Where does Igor live?", "u18 lives in Ulm."),
)


def test_who_is_called_so_is_found_before_who_only_says_the_name(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    answered(mind)


def answered(mind: Mind) -> None:
    """Tell an agent all, and hold what it finds for each question against what is expected."""
    items = (
        {"id": f"m{n}", "speaker": who, "at": f"2026-03-{n + 1:02}T10:00:00Z", "text": text}
        for n, (who, text) in enumerate(TOLD)
    )
    mind("memory", "add", "--agent", "ava", stdin="".join(f"{json.dumps(one)}\n" for one in items))
    mind("consolidate", "--agent", "ava")
    for question, expected in ASKED:
        found = mind("recall", "--agent", "ava", question).records()
        assert found[0]["text"] == expected, question
