"""Each rule that a body can break has a bad body that breaks it alone, and a sound neighbour."""

from pathlib import Path

import msgspec

from mindpipe.validator.check import check, check_continuation
from mindpipe.validator.profiles import profile_for
from mindpipe.validator.records import Finding
from mindpipe.validator.rules import RULES
from support.tables import each_row

FOLDER = Path(__file__).parents[3] / "fixtures" / "validator"
BAD = sorted(FOLDER.glob("*/bad*.json"))
GOOD = sorted(FOLDER.glob("*/good*.json"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def find(path: Path) -> tuple[dict[str, list[str]], list[Finding]]:
    case = msgspec.json.decode(path.read_bytes())
    later = case.get("later_request", case.get("body"))
    model = later.get("model") if isinstance(later, dict) else None
    profile = profile_for(
        model, sdk=case.get("sdk", 6), strict_roles=case.get("strict_roles", False)
    )
    if "later_request" in case:
        findings = check_continuation(
            case["earlier_request"], case["earlier_reply"], later, profile=profile
        )
        findings += check(case["format"], later, profile=profile)
    else:
        if "fill" in case:
            later["messages"][0]["content"][0]["text"] = "x" * case["fill"]
        findings = check(case["format"], later, profile=profile)
    return case, [finding for finding in findings if finding.severity != "note"]


@each_row("path", BAD)
def test_bad_body_breaks_exactly_its_rule(path: Path) -> None:
    case, findings = find(path)
    assert {finding.rule for finding in findings} == set(case.get("rules", [path.parent.name]))


@each_row("path", BAD)
def test_severity_follows_certainty(path: Path) -> None:
    _, findings = find(path)
    for finding in findings:
        rule = RULES[finding.rule]
        assert finding.severity == ("error" if rule.sure != "K" or rule.ours else "warning")


@each_row("path", GOOD)
def test_good_neighbour_is_clean(path: Path) -> None:
    _, findings = find(path)
    assert findings == []


@each_row("rule", [name for name, rule in RULES.items() if rule.seen != "behaviour"])
def test_rule_has_a_bad_body_and_a_neighbour_for_each(rule: str) -> None:
    bad = {path.stem.removeprefix("bad") for path in (FOLDER / rule).glob("bad*.json")}
    good = {path.stem.removeprefix("good") for path in (FOLDER / rule).glob("good*.json")}
    assert bad
    assert bad == good


def test_no_folder_without_a_rule() -> None:
    assert {path.name for path in FOLDER.iterdir()} <= set(RULES)
