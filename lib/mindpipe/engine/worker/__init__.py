"""The worker that stays: its loop, modes, timing, attention, interrupts and recovery."""
