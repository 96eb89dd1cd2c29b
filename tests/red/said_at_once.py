"""A build whose messages are sent by the tool, not when their turn enters history."""

import msgspec

from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, Post

_post = spaces.post


def _post_at_once(
    store: Store, clock: Clock, chance: Chance, *, space: str, post: NewPost, deliver: Deliver
) -> Post:
    at_once = msgspec.structs.replace(post, holder=None)
    return _post(store, clock, chance, space=space, post=at_once, deliver=deliver)


PATCHES = ((spaces, "post", _post_at_once),)
