"""Replies of models, whole or streamed, into canonical parts; pure functions over bytes."""
