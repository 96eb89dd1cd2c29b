"""What a structured prompt is allowed to take: sections, their shares, and what did not fit."""
