"""What a source told all agents is forgotten by each who lives here, and who does not is named."""

from support.command import Mind


def test_who_lives_elsewhere_keeps_nobody_else_from_forgetting(mind: Mind) -> None:
    mind("init")
    for name in ("ava", "bea", "cleo"):
        mind("agent", "new", name)
        said = ("--text", "The code is 7.", "--source", "web")
        mind("memory", "add", "--agent", name, *said)
    mind("life", "export", "bea", "--move", "--output", "bea.life")
    dry = mind("memory", "revoke", "--source", "web", "--dry-run").records()
    ran = mind.run("memory", "revoke", "--source", "web")
    assert ran.status == 4
    assert "bea" in ran.words
    assert {one["agent"] for one in ran.records()} == {"ava", "cleo"}
    assert [one["agent"] for one in dry] == [one["agent"] for one in ran.records()]
    for name in ("ava", "cleo"):
        assert mind.run("memory", "revoke", "--source", "web", "--agent", name).status == 3
