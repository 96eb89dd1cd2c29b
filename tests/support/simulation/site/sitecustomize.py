"""Let the children that a simulated worker starts by itself live in its time as well."""

import os

if os.environ.get("SIMULATED_CHILD"):
    from support.simulation import times

    for owner, name, part in times.PATCHES:
        setattr(owner, name, part)
