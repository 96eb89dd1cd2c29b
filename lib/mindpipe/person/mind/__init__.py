"""The mind: what a person becomes aware of, what comes to it, and what it keeps."""
