"""Notes on a person who lives at its own pace: few, the same however it is run, and never felt."""

import json
from pathlib import Path

import pytest

from mindpipe.person.calendar import DAY_US
from support.command import Mind, make_private

pytestmark = pytest.mark.heavy

NEWS = (
    '{"kind":"event","person":"mara","at":"10:00","type":"news","valence":-1,"importance":1,'
    '"class":"sadness","text":"the hospital calls: your mother is dead"}\n'
)
FAILING = "#!/bin/sh\necho 'I am ill.' >&2\nexit 1\n"
CAREFUL = (
    '#!/bin/sh\ncat >> asked.jsonl\necho >> asked.jsonl\necho \'{"text": "A careful note."}\'\n'
)


@pytest.fixture(scope="module")
def mourning(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return a folder with mara on a day on which something happens to her."""
    mind = Mind(make_private(tmp_path_factory.mktemp("mourning") / "life"))
    mind.shell("mind simulate new --name Mara --seed 7 --at 09:00 > mara.jsonl")
    Path(mind.folder, "news.jsonl").write_text(NEWS)
    for name, text in (("failing", FAILING), ("careful", CAREFUL)):
        program = Path(mind.folder, name)
        program.write_text(text)
        program.chmod(0o700)
    return mind


RUN = ("simulate", "run", "mara.jsonl", "--events", "news.jsonl", "--until", "15:00")


def parted(lines: bytes) -> tuple[list[bytes], list[dict]]:
    """Return what is printed of a person, and what of its observer."""
    person, observed = [], []
    for line in lines.splitlines():
        record = json.loads(line)
        if record["kind"] in ("observation", "review_failure"):
            observed.append(record)
        elif record["kind"] not in ("person", "chart"):
            person.append(line)
    return person, observed


@pytest.fixture(scope="module")
def watched(mourning: Mind) -> bytes:
    return mourning(*RUN).stdout


def test_a_note_says_what_the_mood_follows(watched: bytes) -> None:
    _, notes = parted(watched)
    (first, *_) = notes
    assert first["t_us"] == 36_000_000_000, "at the next look"
    assert "the hospital calls: your mother is dead" in first["content"]
    assert "the mood fell" in first["content"]
    assert 1 <= len(notes) <= 8, "silent where nothing changed"


def test_the_person_lives_the_same_whoever_watches(mourning: Mind, watched: bytes) -> None:
    alone, none = parted(mourning(*RUN, "--no-review").stdout)
    assert none == []
    assert parted(watched)[0] == alone
    failing = mourning(*RUN, "--set", "review_model=program:./failing")
    assert parted(failing.stdout)[0] == alone


def test_a_failing_observer_is_one_notice_and_the_composed_one_goes_on(
    mourning: Mind, watched: bytes
) -> None:
    ran = mourning(*RUN, "--set", "review_model=program:./failing")
    _, observed = parted(ran.stdout)
    assert [one["kind"] for one in observed].count("review_failure") == 1
    notes = [one for one in observed if one["kind"] == "observation"]
    assert notes == parted(watched)[1]
    assert ran.stderr.count(b"I am ill") == 1


def test_a_model_is_asked_only_where_there_is_something_to_note(
    mourning: Mind, watched: bytes
) -> None:
    _, observed = parted(mourning(*RUN, "--set", "review_model=program:./careful").stdout)
    before = parted(watched)[1]
    assert [one["t_us"] for one in observed] == [one["t_us"] for one in before]
    assert {one["content"] for one in observed} == {"A careful note."}
    asked = Path(mourning.folder, "asked.jsonl").read_text().splitlines()
    prompt = json.loads(asked[0])["messages"][0]["parts"][0]["text"]
    assert "What has changed:\n- " in prompt
    assert "Valence: -" in prompt


def test_calls_of_a_day_are_counted_and_the_composed_observer_goes_on(mourning: Mind) -> None:
    options = ("--set", "review_model=program:./careful", "--set", "max_calls=6")
    ran = mourning(*RUN, *options)
    _, observed = parted(ran.stdout)
    models = [one["model"] for one in observed]
    assert models[0] == "program:./careful"
    assert set(models[1:]) <= {"composed"}
    assert ran.words.count("max_calls") == 1


def test_a_budget_that_voice_and_observer_share_is_told_once(mourning: Mind) -> None:
    ran = mourning(*RUN, "--set", "max_calls=4", "--model", "program:./careful")
    assert ran.words.count("max_calls") == 1, ran.words


def test_the_filter_notes_the_same_as_the_run(mourning: Mind, watched: bytes) -> None:
    del watched
    lived = mourning(*RUN).stdout
    person, notes = parted(lived)
    mara = Path(mourning.folder, "mara.jsonl").read_bytes().splitlines()[:1]
    assert mourning("review", stdin=b"\n".join([*mara, *person])).records() == notes


def test_a_run_that_goes_on_notes_what_an_unbroken_one_notes(
    mourning: Mind, watched: bytes
) -> None:
    half = mourning(*RUN[:-1], "12:30").stdout
    Path(mourning.folder, "half.jsonl").write_bytes(half)
    later = mourning("simulate", "run", "half.jsonl", "--until", "15:00").stdout
    first, second = parted(half)[1], parted(later)[1]
    assert second == parted(watched)[1]
    assert [one for one in second if one["t_us"] <= 45_000_000_000] == first


def test_a_store_keeps_what_the_observer_goes_on_by(mourning: Mind, tmp_path: Path) -> None:
    def notes(*ends: str) -> list[dict]:
        mind = Mind(make_private(tmp_path / "-".join(ends).replace(":", "")))
        mind("init")
        mind("simulate", "new", "--store", "mind.db", "--name", "Mara", "--seed", "7")
        Path(mind.folder, "news.jsonl").write_text(NEWS)
        events = ("--events", "news.jsonl")
        ran = [
            mind("simulate", "run", "--person", "mara", "--until", end, *events).records()
            for end in ends
        ]
        return [one for run in ran for one in run if one["kind"] == "observation"]

    whole = notes("15:00")
    assert len(whole) > 1
    assert notes("07:03", "10:05", "12:34", "15:00") == whole


def test_a_quiet_day_has_a_few_notes(mourning: Mind) -> None:
    mourning.shell("mind simulate new --name Mara --seed 7 > quiet.jsonl")
    _, notes = parted(mourning("simulate", "run", "quiet.jsonl", "--until", "1d").stdout)
    assert 1 <= len(notes) <= 8
    assert all(one["t_us"] < DAY_US for one in notes)
