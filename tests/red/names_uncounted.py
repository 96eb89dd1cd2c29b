"""Run `mind` as a broken build would: a store with several names is written under each."""

from mindpipe.store import place
from support.broken_builds import run_broken

PATCHES = ((place, "several_names", lambda _path: None),)

if __name__ == "__main__":
    run_broken(PATCHES)
