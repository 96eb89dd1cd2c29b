"""What an agent wants to be told at a certain time, once or again and again."""
