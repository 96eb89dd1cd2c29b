"""What can be done with agents: themselves, their goals and notes, and the lease on each."""
