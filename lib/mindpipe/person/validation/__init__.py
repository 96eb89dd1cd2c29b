"""The person beside the literature: trials, what is measured of them, and what is expected."""
