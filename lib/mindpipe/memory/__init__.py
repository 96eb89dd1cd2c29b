"""What a mind remembers: items, reflections, lessons and entities."""
