"""The observer behind glass: reads a person's thoughts and states, and never touches them."""
