"""One cycle of one agent: claim, ask, act, fold; every step a transaction that can be resumed."""
