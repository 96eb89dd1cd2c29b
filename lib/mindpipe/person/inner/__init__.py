"""The inner voice: what is felt, what comes to mind, what is asked, and what is kept of it."""
