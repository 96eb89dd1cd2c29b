"""What model calls cost, and the caps that no worker can pass."""
