"""The voice that needs no model: sentences composed from how a person is."""
