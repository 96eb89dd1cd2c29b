"""The page of a life: small enough, the same prompt as was sent, nothing in it is markup."""

import gzip
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from mindpipe.monitoring.page.document import MOST_BYTES, STYLE
from support.browser import Rendered, rendered
from support.command import Mind, make_private
from support.every_command import beginning, fill
from support.hostile import WORDS
from support.long_lives import multiply

ANSWER = """#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Done."}' ;;
*) echo '{"tool_calls":[{"name":"set_memory","arguments":{"key":"k","value":"tea"}}]}' ;;
esac
"""
OWNED = "document.documentElement.dataset.owned='yes'"
MARKUP = (
    f'</script></title><img src=x onerror="{OWNED}"><script>{OWNED}</script>'
    "<style>main{display:none}</style><!-- \u202egnp.exe\u202c &lt;b&gt; javascript:1 ' \" ` "
)
PLACES = ("/cycles", "/cycle/1", "/prompt/1/1", "/beliefs", "/windows", "/matters", "/search/img")
LEAST_CONTRAST = 4.5
LEAST_OF_SHAPES = 3.0


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return a life of ten cycles, the first of which are folded, with what it believes."""
    mind = Mind(make_private(tmp_path_factory.mktemp("lived") / "life"))
    answer = mind.folder / "answer"
    answer.write_text(ANSWER)
    answer.chmod(0o700)
    mind("init")
    mind("agent", "new", "ava", "--model", "program:./answer", "--trust", "web")
    mind("agent", "set", "ava", "--batch", "1")
    said = ["I live in Bremen, near the harbour.", *(f"Cake number {n}." for n in range(9))]
    for words in said:
        mind(
            "inbox", "push", "--agent", "ava", "--source", "web", "--sender", "jo", "--text", words
        )
    mind("run", "--agent", "ava", "--once")
    mind("compact", "--agent", "ava", "--keep-cycles", "3")
    mind("inbox", "push", "--agent", "ava", "--text", "And now?")
    mind("think", "--agent", "ava")
    mind("consolidate", "--agent", "ava")
    return mind


def page_of(mind: Mind, name: str = "life.html") -> Path:
    """Write the page of the agent and return where it is."""
    path = mind.folder / name
    mind("view", "--agent", "ava", "--output", str(path))
    return path


def messages_shown(page: Rendered) -> list[int]:
    """Return the numbers of the messages that a view shows, in order."""
    cards = [one.attributes.get("href") or "" for one in page.all("a")]
    return [int(found[1]) for one in cards if (found := re.fullmatch(r"#/message/(\d+)", one))]


def test_the_prompt_of_a_page_is_the_one_that_was_sent(lived: Mind) -> None:
    turns = [(3, 1), (3, 2), (11, 1), (11, 2)]
    pages = rendered(page_of(lived), *(f"/prompt/{cycle}/{turn}" for cycle, turn in turns))
    for (cycle, turn), page in zip(turns, pages, strict=True):
        wanted = ("--cycle", str(cycle), "--turn", str(turn), "--json")
        sent = json.loads(lived("context", "show", "--agent", "ava", *wanted).stdout)
        seqs = [one["seq"] for one in sent["messages"]]
        shown = messages_shown(page)
        # What opens a folded window is made of its summary, which stands above the messages.
        assert shown == seqs[len(seqs) - len(shown) :]
        assert len(seqs) - len(shown) == (cycle == 11)


def test_a_belief_leads_to_its_quotation_and_to_the_prompt_in_three_clicks(lived: Mind) -> None:
    clicks = ("click #/belief/", "click #/message/", "click #/prompt/")
    _, belief, message, prompt = rendered(page_of(lived), "/beliefs", *clicks)
    words = "I live in Bremen, near the harbour."
    assert belief.all("blockquote")[0].text == words
    assert [one.text for one in message.all("mark")] == [words]
    assert prompt.all("h1")[0].text == "Exact prompt of cycle 1, turn 1"


def test_so_does_one_that_stands_on_what_was_never_said_in_a_cycle(mind: Mind) -> None:
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    mind("init")
    mind("agent", "new", "ava", "--model", "program:./answer")
    mind("memory", "add", "--agent", "ava", "--speaker", "jo", "--text", "I live in Bremen.")
    mind("consolidate", "--agent", "ava")
    clicks = ("/beliefs", "click #/belief/", "click #/kept/")
    _, belief, kept = rendered(page_of(mind), *clicks)
    assert [one.all("blockquote")[0].text for one in (belief, kept)] == ["I live in Bremen."] * 2
    assert "no message on this page has its words" in kept.all("main")[0].text
    mind("inbox", "push", "--agent", "ava", "--text", "Where does jo live?")
    mind("think", "--agent", "ava")
    *_, kept, prompt = rendered(page_of(mind), *clicks, "click #/prompt/")
    assert "jo lives in Bremen." in [one.text for one in kept.all("li")]
    assert prompt.all("h1")[0].text == "Exact prompt of cycle 1, turn 1"
    assert "I live in Bremen." in prompt.all("main")[0].text


def test_a_page_is_built_to_be_read_by_everybody(lived: Mind) -> None:
    for page in rendered(page_of(lived), "/cycles", "/cycle/3", "/beliefs", "/windows"):
        assert page.is_ready()
        assert page.all("html")[0].attributes["lang"] == "en"
        assert [len(page.all(one)) for one in ("header", "main", "footer", "h1")] == [1, 1, 1, 1]
        levels = [int(one.name[1]) for one in page.all("h1", "h2", "h3", "h4")]
        assert all(after - before <= 1 for before, after in pairwise(levels)), levels
        named = {one.attributes.get("for") for one in page.all("label")}
        free = [
            one.attributes
            for one in page.all("input")
            if one.attributes.get("id") not in named and one.attributes.get("type") != "checkbox"
        ]
        assert free == []
        assert [one.text for one in page.all("a", "button", "summary") if not one.text] == []
        assert all(one.attributes.get("scope") for one in page.all("th"))
        assert all(one.attributes.get("aria-label") for one in page.all("nav", "svg"))
        here = [one.text for one in page.all("a") if one.attributes.get("aria-current") == "page"]
        assert len(here) == 1
        ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
        assert len(ids) == len(set(ids))


def test_what_is_trusted_is_nowhere_said_not_to_be(lived: Mind) -> None:
    pages = rendered(page_of(lived), "/cycles", "/prompt/11/1", "/beliefs", "/windows", "/matters")
    told = [one.text for page in pages for one in page.all("main")]
    assert "Folded" in told[3]
    assert [text for text in told if "not trusted: " in text] == []


def test_a_page_says_in_words_what_a_cycle_began_with_and_finds_the_rest_by(
    mind: Mind, lived: Mind
) -> None:
    mind.like(lived.folder)
    body = {"path": "seen/notes.txt", "open": False, "lines": ["Buy milk.", "Call Bo."]}
    event = {"type": "observation", "source": "observe", "body": body}
    mind("inbox", "push", "--agent", "ava", stdin=json.dumps(event))
    mind("agent", "set", "ava", "--style", "timeline", "--batch", "20")
    mind("think", "--agent", "ava")
    path = page_of(mind)
    commit = "3f786850e387550fdab836ed7e6dc881de23001b"
    named = f'"terms":["{commit}","varnish"]'
    path.write_text(re.sub(r'"terms":\[[^]]*\]', named, path.read_text()))
    shown = rendered(path, "/cycles", "/cycle/12", "/windows")
    rows, cycle, windows = (one.text for page in shown for one in page.all("main"))
    said = "observe: path seen/notes.txt, open no, lines Buy milk., lines Call Bo."
    assert said in cycle
    assert said in rows
    assert "jo: Cake number 3." in rows
    assert "The rest: searched in the history by “varnish”, 1 id" in windows


def test_no_column_of_a_table_is_hidden_by_a_long_word(mind: Mind, lived: Mind) -> None:
    mind.like(lived.folder)
    mind("inbox", "push", "--agent", "ava", "--text", f"See {'0123456789abcdef' * 8} now.")
    mind("think", "--agent", "ava")
    pages = rendered(page_of(mind), "/cycles", "/beliefs", "/matters", "/search/see")
    tables = [one for page in pages for one in page.all("div")]
    assert any(one.attributes.get("class") == "table" for one in tables)
    assert [one.text[:40] for one in tables if "data-hidden" in one.attributes] == []


@pytest.mark.heavy
def test_words_of_others_neither_run_nor_style_anything(tmp_path: Path) -> None:
    mind = Mind(make_private(tmp_path / "hostile"))
    words = MARKUP + WORDS
    for one in beginning(mind.folder, words):
        assert mind.run(*one.arguments, stdin=one.stdin).status == 0
    fill(mind.folder / "mind.db", words)
    path = page_of(mind)
    assert b"<img" not in path.read_bytes()
    for page in rendered(path, *PLACES):
        assert page.is_ready()
        assert page.all("img", "iframe", "object", "link") == []
        assert "data-owned" not in page.all("html")[0].attributes
        assert len(page.all("style")) == 1
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.all("main")[0].text)
        places = [one.attributes.get("href") for one in page.all("a")]
        assert all(place and place.startswith("#") for place in places)
        assert not [one for one in page.elements if any(a[:2] == "on" for a in one.attributes)]


def test_without_a_script_the_beginning_of_a_life_is_read(tmp_path: Path, lived: Mind) -> None:
    text = page_of(lived, "plain.html").read_text()
    (short,) = re.findall(r"<noscript>(.*?)</noscript>", text, re.DOTALL)
    lines = re.findall(r"<li>(.*)</li>", short)
    assert lines[1] == "11 cycles, 55 messages"
    assert "Held: jo lives in Bremen." in lines
    mind = Mind(make_private(tmp_path / "hostile"))
    mind("init")
    mind("agent", "new", "ava", "--name", MARKUP[:200])
    (short,) = re.findall(r"<noscript>(.*?)</noscript>", page_of(mind).read_text(), re.DOTALL)
    assert not re.search(r"<(?!/?(p|ul|li)>)|\u202e", short)


def test_a_script_that_comes_in_is_not_run(lived: Mind) -> None:
    page = page_of(lived, "policy.html")
    incoming = f"<script>{OWNED}</script><main"
    page.write_text(page.read_text().replace("<main", incoming, 1))
    (shown,) = rendered(page, "/cycles")
    assert shown.is_ready()
    assert "data-owned" not in shown.all("html")[0].attributes


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("times", "words"),
    [
        (99, 5),
        (99, 200),
        pytest.param(999, 5, marks=pytest.mark.long),
        pytest.param(999, 40, marks=pytest.mark.long),
    ],
)
def test_a_page_has_a_bounded_size(mind: Mind, lived: Mind, times: int, words: int) -> None:
    mind.like(lived.folder)
    cycles = multiply(mind.folder / "mind.db", agent="ava", times=times, words=words)
    page = page_of(mind)
    history = mind("history", "show", "--agent", "ava", "--json").stdout
    assert cycles > 10 * times
    assert page.stat().st_size <= MOST_BYTES + len(gzip.compress(history, 6)) // 2
    if words == 5 and times == 99:
        return
    shown, late = rendered(page, "/cycles", f"/cycle/{cycles}")
    assert shown.all("h1")[0].text == "Cycles"
    assert f"{cycles:,} cycles" in shown.all("main")[0].text
    assert "And now?" in late.all("main")[0].text


@pytest.mark.heavy
def test_long_words_are_cut_and_named(mind: Mind, lived: Mind) -> None:
    mind.like(lived.folder)
    mind("inbox", "push", "--agent", "ava", "--text", "long " + "word " * 6_000)
    mind("think", "--agent", "ava")
    page = page_of(mind)
    blocks = re.findall(r'<script type="application/json">(.*)</script>', page.read_text())
    texts = [
        part["text"]
        for message in json.loads(blocks[-1])["messages"]
        for part in message["parts"]
        if isinstance(part["text"], dict)
    ]
    assert [len(text["sha256"]) for text in texts] == [64]
    (shown,) = rendered(page, "/cycle/12")
    assert texts[0]["sha256"] in shown.all("main")[0].text
    assert "mind history show --agent ava --cycle 12 --json" in shown.all("main")[0].text


def test_a_person_without_kept_states_has_no_curves_and_no_nights(mind: Mind) -> None:
    mind("init")
    for person, keep in (("mara", ()), ("ida", ("--keep-states",))):
        mind("simulate", "new", "--name", person, "--seed", "7", "--store", "mind.db")
        mind("simulate", "run", "--person", person, "--until", "02:00", *keep)
        path = mind.folder / f"{person}.html"
        path.write_bytes(mind("view", "--person", person).stdout)
    shown = {}
    for person in ("mara", "ida"):
        (page,) = rendered(mind.folder / f"{person}.html", "/person/0")
        kinds = [one.attributes.get("class") or "" for one in page.all("polyline", "rect")]
        told = any("no curves: run with --keep-states" in one.text for one in page.all("svg"))
        shown[person] = (sum("curve" in kind for kind in kinds), kinds.count("sleep"), told)
    assert shown == {"mara": (0, 0, True), "ida": (6, 1, False)}


def test_what_is_folded_up_is_open_on_paper(lived: Mind) -> None:
    places = ("/windows", "event beforeprint", "event afterprint")
    seen, printed, again = rendered(page_of(lived), *places)
    folded = len(seen.all("details"))
    assert folded >= 2, "the keys, and what a compaction summed up"
    opened = [
        sum("open" in one.attributes for one in page.all("details"))
        for page in (seen, printed, again)
    ]
    assert opened == [0, folded - 1, 0]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return a life of three cycles, a fork of it at the second, and a person who fell or not."""
    mind = Mind(make_private(tmp_path_factory.mktemp("two") / "life"))
    answer = mind.folder / "answer"
    answer.write_text(ANSWER)
    answer.chmod(0o700)
    mind("init")
    mind("agent", "new", "ava", "--model", "program:./answer")
    for words in ("One.", "Two.", "Three."):
        mind("inbox", "push", "--agent", "ava", "--text", words)
        mind("think", "--agent", "ava")
    mind("life", "fork", "ava", "--at", "2", "--as", "eva")
    mind("inbox", "push", "--agent", "ava", "--store", "eva.db", "--text", f"Other. {MARKUP}")
    mind("think", "--agent", "ava", "--store", "eva.db")
    mind("life", "export", "ava", "--store", "eva.db", "--output", "eva.life")
    mind("simulate", "new", "--store", "mind.db", "--name", "Mara", "--seed", "7", "--at", "8h")
    fall = {"kind": "event", "id": "fall", "at": "08:20", "type": "injury", "nrs": 7}
    fall |= {"class": "fracture", "text": f"You fall. {MARKUP}"}
    mail = {"kind": "event", "id": "mail", "at": "08:05", "type": "news", "importance": 0.6}
    mail |= {"text": "your sister is coming to dinner", "valence": 0.5}
    (mind.folder / "fall.jsonl").write_text(f"{json.dumps(mail)}\n{json.dumps(fall)}\n")
    ran = ("--person", "mara", "--until", "09:30", "--events", "fall.jsonl", "--every", "30m")
    mind("simulate", "run", *ran)
    mind("life", "fork", "mara", "--as", "ida", "--without", "fall")
    mind("life", "export", "mara", "--store", "ida.db", "--output", "ida.life")
    return mind


def pair_of(mind: Mind, *lives: str) -> Path:
    path = mind.folder / f"{lives[0]}-two.html"
    mind("view", *lives, "--output", str(path))
    return path


@pytest.mark.parametrize(
    ("lives", "words"),
    [(("ava", "eva.life"), "Other."), (("mara", "ida.life"), "You fall.")],
)
def test_two_lives_part_where_they_first_differ(
    two: Mind, lives: tuple[str, str], words: str
) -> None:
    page = pair_of(two, *lives)
    assert len(page.read_bytes()) < MOST_BYTES
    seen, printed, again = rendered(page, "/pair", "event beforeprint", "event afterprint")
    assert seen.is_ready()
    (meant,) = [one for one in seen.all("article") if one.attributes.get("id") == "meant"]
    assert words in meant.text
    levels = [int(one.name[1]) for one in seen.all("h1", "h2", "h3", "h4")]
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    ids = [one.attributes["id"] for one in seen.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    assert all(one.attributes.get("aria-label") for one in seen.all("nav", "svg"))
    folded = [one for one in seen.all("summary") if one.text.startswith("What both share")]
    assert len(folded) == 1
    opened = [
        sum("open" in one.attributes for one in each.all("details"))
        for each in (seen, printed, again)
    ]
    assert opened == [0, len(seen.all("details")) - 1, 0]
    # What others wrote is no markup and no script, on this page too.
    assert b"<img" not in page.read_bytes()
    assert seen.all("img", "iframe", "object", "link") == []
    assert "data-owned" not in seen.all("html")[0].attributes


def test_two_persons_have_both_their_curves(two: Mind) -> None:
    (page,) = rendered(pair_of(two, "mara", "ida.life"), "/pair")
    kinds = [one.attributes.get("class") or "" for one in page.all("polyline")]
    assert len(kinds) == 12
    assert sum("second" in kind for kind in kinds) == 6


def test_what_is_searched_is_found_in_two_lives(two: Mind) -> None:
    (page,) = rendered(pair_of(two, "ava", "eva.life"), "/search/other")
    assert page.is_ready()
    assert "with all of these words" in page.all("main")[0].text
    assert any(one.attributes.get("href") == "#/pair" for one in page.all("a"))


def palettes() -> list[dict[str, str]]:
    """Return the colours of each theme by name, light, dark and printed."""
    found = re.findall(r":root \{(.*?)\}", STYLE.read_text(), re.DOTALL)
    themes = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", one)) for one in found]
    light = themes[0]
    return [light, *(light | one for one in themes[1:])]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2, relative luminance)."""

    def luminance(colour: str) -> float:
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            for share in shares
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_palette_can_be_read() -> None:
    themes = palettes()
    assert len(themes) == 3
    assert re.search(r"@media screen and [^{]*dark\) \{\s*:root", STYLE.read_text()), "not on paper"
    for theme in themes:
        for name in ("ink", "soft", "link", "failed", "open", "taint", "kept", "masked", "folded"):
            for ground in ("page", "card"):
                found = contrast(theme[name], theme[ground])
                assert found >= LEAST_CONTRAST, (name, ground, found)
        assert contrast(theme["mark-ink"], theme["mark"]) >= LEAST_CONTRAST
        for shape in ("done", "failed", "skipped", "open", "kept", "masked", "folded"):
            assert contrast(theme[shape], theme["page"]) >= LEAST_OF_SHAPES
