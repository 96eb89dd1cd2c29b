"""What the tests of this folder share."""

from loopback.fixtures import loopback_server as loopback_server
from loopback.fixtures import provider as provider
