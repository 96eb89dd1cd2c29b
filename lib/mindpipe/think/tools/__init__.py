"""What the built-in tools do; each runs inside the transaction that journals its answer."""
