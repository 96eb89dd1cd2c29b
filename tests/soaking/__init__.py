"""What a soak measures inside the processes it starts."""
