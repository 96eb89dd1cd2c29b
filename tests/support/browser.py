"""Headless Chromium, where it is there: what a page comes to once its own script has run."""

import base64
import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 180
_BUDGET_MILLISECONDS = 60_000
_DRIVER = """
(async () => {
  const later = () => new Promise((done) => setTimeout(done, 50));
  const told = [];
  while (document.documentElement.dataset.ready !== "yes") await later();
  for (const place of PLACES) {
    if (place.startsWith("click "))
      document.querySelector(`main a[href^="${place.slice(6)}"]`).click();
    else if (place.startsWith("event ")) dispatchEvent(new Event(place.slice(6)));
    else location.hash = place;
    await later();
    for (const one of document.querySelectorAll(".table"))
      if (one.scrollWidth > one.clientWidth) one.dataset.hidden = one.scrollWidth - one.clientWidth;
    const seen = document.documentElement.cloneNode(true);
    for (const one of seen.querySelectorAll("script[type]")) one.remove();
    told.push(seen.outerHTML);
  }
  const all = document.createElement("pre");
  all.className = "told";
  all.textContent = JSON.stringify(told);
  document.body.append(all);
})();
"""
"""It waits for a turn of the page's own events, of virtual time, so that no load disturbs it."""


class Element:
    """An element of a rendered page: its name, its attributes, and all text in it."""

    def __init__(self, name: str, attributes: Mapping[str, str | None]) -> None:
        self.name = name
        self.attributes = dict(attributes)
        self.text = ""

    def is_told(self) -> bool:
        """Tell whether it holds what was seen at all places."""
        return self.attributes.get("class") == "told"


class Rendered(HTMLParser):
    """A page as it stands when it was rendered."""

    VOID = frozenset({"meta", "input", "br", "hr", "img", "link"})

    def __init__(self, dump: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(dump)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, dict(attrs))
        self.elements.append(made)
        if tag not in self.VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().name != tag:
            pass

    def handle_data(self, data: str) -> None:
        for one in self._open:
            one.text += data

    def all(self, *names: str) -> list[Element]:
        """Return the elements of some names, in order."""
        return [one for one in self.elements if one.name in names]

    def is_ready(self) -> bool:
        """Tell whether the page's own script ran to its end."""
        return self.all("html")[0].attributes.get("data-ready") == "yes"


def rendered(page: Path, *places: str) -> list[Rendered]:
    """Return what a page shows at some places (`/beliefs`), one after the other.

    `click #/belief/` is a click on the first link of the content that begins so, and
    `event beforeprint` an event of the browser's. What goes from place to place is one script more,
    which the policy of this copy allows by its hash, and no other. The test is skipped where there
    is no Chromium.
    """
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"there is no Chromium ({', '.join(NAMES)}) to render the page")
    driven, profile = page.with_suffix(".driven.html"), page.with_suffix(".profile")
    driven.write_text(_driven(page.read_text(), places))
    done = subprocess.run(
        [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            f"--user-data-dir={profile}",
            f"--virtual-time-budget={_BUDGET_MILLISECONDS}",
            "--dump-dom",
            driven.as_uri(),
        ],
        capture_output=True,
        timeout=SECONDS,
        check=True,
    )
    shutil.rmtree(profile, ignore_errors=True)
    (told,) = [one.text for one in Rendered(done.stdout.decode()).all("pre") if one.is_told()]
    return [Rendered(one) for one in json.loads(told)]


def _driven(page: str, places: Sequence[str]) -> str:
    """Return a page with the script that goes to some places and tells what is shown there."""
    script = _DRIVER.replace("PLACES", json.dumps(places))
    coded = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = page.replace("script-src ", f"script-src &#x27;sha256-{coded}&#x27; ", 1)
    before, end, after = allowed.rpartition("</body>")
    return f"{before}<script>{script}</script>{end}{after}"
