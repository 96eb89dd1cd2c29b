"""Keys that are nobody's: they stand where secrets do, and must be found nowhere else."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

CANARIES: Mapping[str, str] = {
    "ANTHROPIC_API_KEY": "sk-ant-canary-5d41402abc4b2a76b9719d911017c592",
    "ANTHROPIC_AUTH_TOKEN": "kanarie.7d793037a0760186574b0282f2f435e7",
    "OPENAI_API_KEY": "kanarie0cc175b9c0f1b6a831c399e269772661",
    "OPENROUTER_API_KEY": "sk-or-v1-kanarie92eb5ffee6ae2fec3ad71c777531578f",
    "GEMINI_API_KEY": "AIzaKanarie4a8a08f09d37b73795649038408b5",
    "GITHUB_TOKEN": "ghp_kanarie8277e0910d750195b448797616e0",
    "AWS_SECRET_ACCESS_KEY": "kanarie/e1671797c52e15f763380b45e841ec32",
}
"""By the variable of the environment that holds each."""


def leaked_into(*places: Path, canaries: Mapping[str, str] = CANARIES) -> list[str]:
    """Return every file below the places that holds a canary, without reading any twice."""
    there = [str(place) for place in places if place.exists()]
    if not there:
        return []
    # Through a pipe: a test beside this one may be reading every command line there is.
    found = subprocess.run(
        ["grep", "-rlaFs", "--devices=skip", "-f", "-", *there],
        input="\n".join(canaries.values()),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return found.stdout.splitlines()


def leaked_in(text: str) -> list[str]:
    """Return the variables whose canaries a text holds."""
    return [name for name, canary in CANARIES.items() if canary in text]
