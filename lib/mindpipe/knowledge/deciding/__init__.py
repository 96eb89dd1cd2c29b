"""What becomes of a claim: it supports, refines, replaces, contradicts or ends what is held."""
