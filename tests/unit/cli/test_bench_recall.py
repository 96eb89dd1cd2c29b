"""What recall found, as the scorers ask for it."""

from mindpipe_cli.benchmarks.recall import TurnHit, in_turns


def test_a_belief_is_handed_in_as_the_turns_that_it_rests_on() -> None:
    found = [TurnHit(query="q", rank=1, ref="ob_1"), TurnHit(query="q", rank=2, ref="D1:3")]
    handed = [(one.rank, one.ref) for one in in_turns(found, {"ob_1": ["D2:1", "D2:5"]})]
    assert handed == [(1, "D2:1"), (1.5, "D2:5"), (2, "D1:3")]
