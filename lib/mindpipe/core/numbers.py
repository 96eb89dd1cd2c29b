"""The largest whole number that travels and rests."""

MOST_WHOLE = 2**53 - 1
"""Every JSON reader takes it as it is (RFC 8259, section 6), and every column of a row holds it."""
