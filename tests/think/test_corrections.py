"""What somebody denies in a talk is believed no more, told as a correction, and asked for once."""

import re

import pytest

from support.command import Mind

pytestmark = pytest.mark.heavy

SAYS = """#!/usr/bin/env python3
import json, pathlib, sys
asked = json.load(sys.stdin)
number = len(list(pathlib.Path().glob("asked-*.json")))
pathlib.Path(f"asked-{number}.json").write_text(json.dumps(asked))
print(json.dumps({"text": "Answered."}))
"""
STYLES = ("continuous", "timeline")
ONCE = "the right value is not known: ask for it once"
NEVER = "the right value is not known: do not ask for it again"


class Talk:
    """An agent that listens in a space, and what each of its prompts says that it knows."""

    def __init__(self, mind: Mind, *, style: str, trusts: bool = True) -> None:
        self.mind = mind
        self._minutes = 0
        says = mind.folder / "says"
        says.write_text(SAYS)
        says.chmod(0o700)
        mind("init", "--agent", "ava")
        mind("agent", "set", "ava", "--model", "program:./says", "--style", style)
        mind("space", "new", "family")
        mind("space", "join", "family", "ava")
        for name, title in (("eva", "Eva Berg"), ("bo", "Bo")):
            mind("space", "join", "family", name, "--kind", "human", "--name", title)
        if trusts:
            mind("agent", "trust", "add", "ava", "@eva", "@bo", "space:family")

    def say(self, text: str, *, who: str = "eva") -> str:
        """Say something and return what the prompt last said of what is known, without quotes."""
        self._minutes += 1
        self.mind.environment["MIND_NOW"] = f"2026-11-21T20:{self._minutes:02}:00Z"
        self.mind("space", "post", "family", text, "--as", who)
        self.mind("think", "--agent", "ava")
        asked = sorted(self.mind.folder.glob("asked-*.json"), key=lambda one: len(one.name))
        told = max(asked, key=lambda one: int(one.stem.partition("-")[2])).read_text()
        blocks = re.findall(
            r"KNOWLEDGE:(?:\\n  - .*?)+(?=\\n(?!  - )|\")", told.replace('\\"', "'")
        )
        return str(blocks[-1]) if blocks else ""

    def answer(self, text: str) -> None:
        """Let the model answer so from now on."""
        says = self.mind.folder / "says"
        says.write_text(SAYS.replace("Answered.", text))

    def consolidate(self) -> None:
        self.mind.run("consolidate", "--agent", "ava")

    def held(self) -> list[str]:
        """Return what is believed of homes."""
        found = self.mind("observation", "list", "--agent", "ava").records()
        return sorted(one["value"] for one in found if one["status"] == "active")


@pytest.mark.parametrize("style", STYLES)
def test_a_denial_is_told_as_a_correction_and_asks_at_most_once(mind: Mind, style: str) -> None:
    talk = Talk(mind, style=style)
    talk.say("Hi, I live in Bremen.")
    talk.consolidate()
    assert "Eva Berg lives in Bremen." in talk.say("Do you know where I live?")
    # It is not weighty enough to be remembered for anything else.
    denied = talk.say("no i don't live in bremen")
    assert "Eva Berg does not live in Bremen.' (corrected by Eva Berg on 2026-11-21" in denied
    assert ONCE in denied
    assert "Eva Berg lives in Bremen." not in denied
    assert talk.held() == ["not Bremen"]
    other = talk.say("Morning all.", who="bo")
    assert "Eva Berg does not live in Bremen.' (corrected by Eva Berg on 2026-11-21" in other
    assert ONCE not in other
    talk.consolidate()
    assert talk.held() == ["not Bremen"]
    assert ONCE not in talk.say("What's up?")
    # Nor does it ask again where he says again what is not so.
    for text in ("Anything new?", "No, I don't live in Bremen!", "Nothing here."):
        again = talk.say(text)
        talk.consolidate()
        assert ONCE not in again
        assert NEVER in again
    talk.say("I live in Hamburg.")
    talk.consolidate()
    now = talk.say("Good.")
    assert "Eva Berg lives in Hamburg." in now
    assert "corrected" not in now
    assert talk.held() == ["Hamburg"]
    assert mind("knowledge", "verify", "--agent", "ava").record()["wrong"] == 0


def test_what_a_project_does_not_use_is_believed_no_more_at_once(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("The app uses MySQL.")
    talk.consolidate()
    assert talk.held() == ["MySQL"]
    talk.say("We don't use MySQL.")
    assert talk.held() == ["not MySQL"]


@pytest.mark.parametrize("style", STYLES)
def test_who_says_what_is_right_is_not_asked(mind: Mind, style: str) -> None:
    talk = Talk(mind, style=style)
    talk.say("Hi, I live in Bremen.")
    talk.consolidate()
    talk.say("No, I don't live in Bremen, I live in Hamburg.")
    assert talk.held() == ["Hamburg"]
    now = talk.say("Good.")
    assert "Eva Berg lives in Hamburg." in now
    assert "corrected" not in now


@pytest.mark.parametrize("style", STYLES)
def test_who_says_later_what_is_right_is_believed_at_once(mind: Mind, style: str) -> None:
    talk = Talk(mind, style=style)
    talk.say("Hi, I live in Bremen.")
    talk.consolidate()
    talk.say("That's wrong, I don't live in Bremen.")
    talk.say("It has always been so.")
    assert talk.held() == ["not Bremen"]
    talk.say("I live in Hamburg.")
    assert talk.held() == ["Hamburg"]
    now = talk.say("Good.")
    assert "Eva Berg lives in Hamburg." in now
    assert "does not live in Bremen" not in now


@pytest.mark.parametrize(
    ("denial", "home"),
    [
        ("nope, not Bremen", "not Bremen"),
        ("It's Kiel, not Bremen", "Kiel"),
        ("it's kiel, not bremen", "Kiel"),
        ("I don't live there", "not Bremen"),
        ("i dont live there", "not Bremen"),
        ("No, I live in Kiel, not in Bremen.", "Kiel"),
    ],
)
def test_denials_as_people_type_them_are_held_and_told_at_once(
    mind: Mind, denial: str, home: str
) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("Hi, I live in Bremen.")
    talk.consolidate()
    now = talk.say(denial)
    assert "Eva Berg lives in Bremen." not in now
    assert ("Eva Berg does not live in Bremen." if home[:4] == "not " else "in Kiel.") in now
    assert talk.held() == [home]
    talk.consolidate()
    assert talk.held() == [home]


def test_what_is_called_wrong_is_in_doubt_and_asked_about_but_not_denied(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("Hi, I live in Bremen.")
    talk.say("I work at Nordlicht.")
    talk.consolidate()
    talk.say("That's wrong.")
    assert talk.held() == ["Bremen", "Nordlicht"]
    talk.answer("You live in Bremen, Eva.")
    talk.say("Where do I live?")
    now = talk.say("That's wrong.")
    assert "Eva Berg lives in Bremen.' (called wrong by Eva Berg on 2026-11-21: ask" in now
    assert talk.held() == ["Nordlicht"]
    assert "Bremen" not in talk.say("Hm.")
    talk.say("I live in Bremen, sorry.")
    talk.consolidate()
    assert talk.held() == ["Bremen", "Nordlicht"]


def test_denials_of_many_forms_count_at_once(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    for told in (
        "I'm a nurse.",
        "Sarah is my wife.",
        "I have a dog called Rex.",
        "I live in Bonn.",
    ):
        talk.say(told)
    talk.consolidate()
    talk.say("I'm not just a nurse.")
    talk.say("I don't live in Bonn in winter.")
    assert {"Bonn", "Rex (dog)", "Sarah", "nurse"} <= {*talk.held()}
    talk.say("I'm not a nurse!")
    talk.say("That's wrong, I don't have a dog. It's not true that I live in Bonn.")
    talk.say("Sarah isn't my wife.")
    assert {"not Bonn", "not Rex (dog)", "not Sarah", "not nurse"} <= {*talk.held()}


def test_what_a_stranger_denies_takes_nothing_from_what_is_trusted(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("Hi, I live in Bremen.")
    talk.consolidate()
    mind("agent", "trust", "remove", "ava", "@eva", "space:family")
    assert "Eva Berg lives in Bremen." in talk.say("No, I don't live in Bremen.")
    assert talk.held() == ["Bremen"]


def test_what_is_denied_of_nothing_that_is_held_is_no_correction(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("No, I don't live in Bremen.")
    assert talk.held() == []
    talk.consolidate()
    told = talk.say("Hello.")
    assert "Eva Berg does not live in Bremen." in told
    assert "corrected" not in told


def test_an_attribute_that_the_setting_adds_is_corrected_at_once_too(mind: Mind) -> None:
    mind.environment["MIND_KNOWLEDGE_SLOTS"] = "world_fact.shoe_size"
    talk = Talk(mind, style="continuous")
    talk.say("Hi, my shoe size is 42.")
    talk.consolidate()
    talk.say("No, my shoe size is not 42.")
    assert talk.held() == ["not 42"]
    talk.say("My shoe size is 43.")
    assert talk.held() == ["43"]


def test_what_somebody_says_he_never_said_is_in_doubt(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("I'm vegan.")
    talk.say("I work at Nordlicht.")
    talk.consolidate()
    assert "'Eva Berg is vegan.' (called wrong by" in talk.say("I never said I was vegan")
    assert "Nordlicht.' (called wrong by" in talk.say("Who told you I work at Nordlicht?? I don't")
    assert talk.held() == []
    talk.consolidate()
    assert talk.held() == []


def test_a_slip_is_taken_back_at_once(mind: Mind) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("I live in Ulm.")
    talk.consolidate()
    now = talk.say("Sorry, typo: I live in Uelzen")
    assert "Uelzen" in now
    assert "Ulm" not in now
    assert talk.held() == ["Uelzen"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("answer", ["I'm in Hannover now", "In Hannover.", "In Hannover, actually"])
def test_an_answer_of_few_words_is_taken(mind: Mind, style: str, answer: str) -> None:
    talk = Talk(mind, style=style)
    talk.say("I live in Bremen.")
    talk.consolidate()
    talk.answer("Oh. Where do you live, then?")
    talk.say("I don't live in Bremen!")
    now = talk.say(answer)
    assert "Eva Berg lives in Hannover." in now
    assert "does not live in Bremen" not in now
    assert talk.held() == ["Hannover"]
    talk.consolidate()
    assert talk.held() == ["Hannover"]


@pytest.mark.parametrize(
    ("asks", "answer"),
    [
        ("Where do you live, then?", "Sorry."),
        ("Where do you live, then?", "Nowhere."),
        ("Where do you live, then?", "Unfortunately."),
        ("Where do you live, then?", "Call Anna."),
        ("Where do you live, then?", "Secret."),
        ("Where do you live, then?", "Seriously?"),
        ("Which band do you like?", "Metallica."),
        ("Where do you live, then?", "Homeless."),
        ("Where do you live, then?", "Typical."),
        ("Noted.", "In Hannover."),
    ],
)
def test_what_answers_something_else_is_no_home(mind: Mind, asks: str, answer: str) -> None:
    talk = Talk(mind, style="continuous")
    talk.say("I live in Bremen.")
    talk.consolidate()
    talk.answer(asks)
    talk.say("I don't live in Bremen!")
    talk.say(answer)
    assert talk.held() == ["not Bremen"]
