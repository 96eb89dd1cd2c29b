"""The model of a simulated household: it does what each new mark asks for.

A mark is `#e0000012:KIND#`. Run as a program, with the program protocol on its stdin and stdout;
its name says whose model it is. It remembers nothing but what it is shown.
"""

import json
import re
import sys
from pathlib import Path

MARK = re.compile(r"#e\d{7}:([a-z]+)#")
"""What is asked for, among the words of an event."""
NEWS = re.compile(r"\[NEW\]|← TRIGGER|← RESUME")
TIMELINE = re.compile(r'"  \[(?:NEW|SEEN)\][^"]*$')
"""How a message ends in a timeline; what somebody says ends with a quotation mark."""
RECALLED = re.compile(r"^(EARLIER CYCLES|EPISODES|FACTS|LESSONS)", re.MULTILINE)
"""What begins the blocks of what came back, in which nothing is new."""
REPORT = re.compile(r'"title": "The report one", "window": "(\S+?)"')
"""When a report is due, in an event of its plan; one that failed is told in words besides."""
FAILED = "counts as not carried out"
SURE = {"propose": 0.95, "consider": 0.75, "suggest": 0.6, "wonder": 0.2}


def unanswered(messages: list[dict]) -> list[str]:
    """Return the lines said since the model spoke last, without old cycles that came back."""
    texts: list[str] = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        if message["role"] != "tool":
            parts = [part["text"] for part in message["parts"] if part["type"] == "text"]
            texts[:0] = [RECALLED.split(text, maxsplit=1)[0] for text in parts]
    lines = "\n".join(texts).splitlines()
    return [line for line in lines if NEWS.search(line)] if is_timeline(lines) else lines


def is_timeline(lines: list[str]) -> bool:
    """Tell whether these are lines of a timeline, which marks what is new and what is not."""
    return any(TIMELINE.search(line) for line in lines)


def forgets(window: str) -> bool:
    """Tell whether the report of an instant is left out until somebody misses it: one of four."""
    day, hour = (int(part) for part in re.findall(r"\d\d", window)[3:5])
    return (day + hour) % 4 == 1


def reports_in(lines: list[str]) -> list[tuple[str, dict[str, object]]]:
    """Return the calls that write the reports which are due, or were missed."""
    found = ((line, REPORT.search(line)) for line in lines)
    windows = [one[1] for line, one in found if one and (FAILED in line or not forgets(one[1]))]
    return [("set_memory", {"key": "report", "value": f"Of {one}."}) for one in windows]


def call_of(kind: str, mark: str, log: str) -> tuple[str, dict[str, object]]:
    """Return the tool, and its arguments, that a mark asks for."""
    bare = mark.strip("#").replace(":", "-")
    if kind in SURE:
        action = {"kind": kind, "tool": "send_message", "confidence": SURE[kind]}
        words = {"space": log, "text": f"proposed {bare}"}
        return "propose", {**action, "arguments": words, "importance": 0.9}
    question = {"space": "family", "text": f"Sarah, what of {bare}?"}
    waits = {"wait": True, "wait_for": "sarah", "wait_minutes": 30}
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "say": ("send_message", {"space": log, "text": f"read {mark}"}),
        "lamp": ("lamp", {"mark": bare}),
        "weather": ("town_Get-Weather", {"town": bare}),
        "ask": ("send_message", {**question, **waits}),
        "plan": ("set_plan", {"title": f"Think of {bare}", "text": f"Of {bare}.", "after": "3h"}),
        "note": ("set_memory", {"key": "newest", "value": bare}),
        "delegate": ("delegate", {"to": "scribe", "text": f"write {bare}", "due_minutes": 600}),
    }
    return calls[kind]


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    name = Path(sys.argv[0]).name.removeprefix("model-")
    lines = unanswered(request["messages"])
    text = "\n".join(lines)
    marks = list(dict.fromkeys(found[0] for found in MARK.finditer(text)))
    wanted = [call_of(mark.split(":")[1].strip("#"), mark, f"log-{name}") for mark in marks]
    wanted += reports_in(lines)
    # A wait ends the process: it comes last, and what one cycle is told is told as read first.
    wanted.sort(key=lambda one: bool(one[1].get("wait")))
    calls = [{"name": tool, "arguments": arguments} for tool, arguments in wanted]
    answer = {"tool_calls": calls} if calls else {"text": "Done: all that was asked for."}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
