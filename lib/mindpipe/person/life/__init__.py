"""Life: persons through simulated time, alone and side by side, on lines and in a store."""
