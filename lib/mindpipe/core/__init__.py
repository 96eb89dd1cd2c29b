"""Words, arithmetic and ports that every other package stands on; does no input or output."""
