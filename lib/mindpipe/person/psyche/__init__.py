"""The psyche: drives, coping and distortions, read off the body."""
