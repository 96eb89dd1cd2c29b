"""The small language of patterns: what each of its signs means."""

from mindpipe.person.mind.parsers.patterns import clauses, lemma, matches, pattern
from support.tables import each_row


@each_row(
    ("text", "said", "stands"),
    [
        ("make a plan", "making a plan", True),
        ("make a plan", "make plan", False),
        ("let it|this go", "letting this go", True),
        ("let it|this go", "let that go", False),
        ("fail on_purpose|often", "failed on purpose", True),
        ("fail on_purpose|often", "failed on", False),
        ("all ~ bad", "all bad", True),
        ("all ~ bad", "all of it bad", True),
        ("all ~ bad", "all of it is bad", False),
        ("all ~ bad", "all not bad", False),
        ("all ~~ bad", "all of it is so very bad", True),
        ("all ~~ bad", "all of it is so very very bad", False),
        ("be so? bad", "is bad", True),
        ("be so? bad", "is so bad", True),
        ("be so? bad", "is too bad", False),
        ("be =boring", "is boring", True),
        ("be =boring", "is bored", False),
        ("have =*ed", "have waited", True),
        ("have =*ed", "have gone", False),
        ("a @dud", "a loser", True),
        ("a @dud", "a winner", False),
        ("it be fine !weather", "it is fine", True),
        ("it be fine !weather", "it is fine now", True),
        ("it be fine !weather", "it is fine weather", False),
        ("do not feel $", "do not feel", True),
        ("do not feel $", "do not feel it", False),
        ("do not feel ¬", "do not feel it", True),
    ],
)
def test_a_pattern_stands_or_does_not(text: str, said: str, *, stands: bool) -> None:
    (clause,) = clauses(said)
    assert matches(pattern(text), clause, 0) is stands


def test_a_pattern_stands_only_where_it_begins() -> None:
    (clause,) = clauses("so it is bad")
    assert [at for at in range(4) if matches(pattern("it be"), clause, at)] == [1]


@each_row(
    ("word", "form"),
    [
        ("am", "be"), ("has", "have"), ("did", "do"), ("thinking", "think"), ("felt", "feel"),
        ("kept", "keep"), ("lost", "lose"), ("hidden", "hide"), ("making", "make"),
        ("said", "say"), ("known", "know"), ("got", "get"), ("went", "go"), ("goes", "go"),
        ("dying", "die"), ("letting", "let"), ("ruined", "ruin"), ("ok", "okay"),
        ("happening", "happen"), ("used", "use"), ("going", "going"), ("feelings", "feeling"),
        ("nothing", "nothing"), ("always", "always"), ("useless", "useless"), ("indeed", "indeed"),
        ("replaying", "replay"), ("solving", "solve"), ("ignored", "ignore"), ("stopped", "stop"),
        ("telling", "tell"), ("passed", "pass"), ("buzzing", "buzz"), ("tries", "try"),
        ("worried", "worry"), ("friends", "friend"), ("this", "this"), ("focus", "focus"),
        ("loss", "loss"), ("bus", "bus"), ("red", "red"), ("sing", "sing"), ("ties", "tie"),
    ],
)  # fmt: skip
def test_a_word_has_its_lemma(word: str, form: str) -> None:
    assert lemma(word) == form


@each_row(
    ("said", "words"),
    [
        ("I can’t, I cannot", [["i", "can", "not", "i", "can", "not"]]),
        ("I won't", [["i", "will", "not"]]),
        ("I'm sure they're late", [["i", "am", "sure", "they", "are", "late"]]),
        ("I've seen it'll do", [["i", "have", "seen", "it", "will", "do"]]),
        ("nothing's wrong, let's go", [["nothing", "is", "wrong", "let", "us", "go"]]),
        ("I'd say I'm gonna", [["i", "would", "say", "i", "am", "going", "to"]]),
        ("dont, cant, im, ive", [["do", "not", "can", "not", "i", "am", "i", "have"]]),
        ("I came, but he left", [["i", "came"], ["he", "left"]]),
        ("I came and he left", [["i", "came", "and", "he", "left"]]),
        ("I came, so he left", [["i", "came", "therefore", "he", "left"]]),
        ("One. Two! 3?\nFour", [["one"], ["two"], ["3"], ["four"]]),
        ("I run although it rains", [["i", "run"], ["it", "rains"]]),
        (" ... ", []),
    ],
)
def test_a_thought_is_taken_apart(said: str, words: list[list[str]]) -> None:
    assert [list(clause.words) for clause in clauses(said)] == words
