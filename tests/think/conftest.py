"""What the tests of this folder share."""

from support.loopback.fixtures import loopback_server as loopback_server
from support.loopback.fixtures import provider as provider
