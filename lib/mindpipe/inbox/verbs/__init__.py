"""What can be done with an inbox: `push` fills it, `queue` works it off, `look` shows it."""
