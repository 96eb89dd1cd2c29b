"""A build that matches patterns of schemas by going back; as a program, it matches one."""

import re
import sys

from mindpipe.agents import json_schema
from mindpipe.engine.tools.calls import fault_by_schema
from support.broken_builds import broken

PATCHES = ((json_schema, "matcher", lambda pattern: re.compile(pattern).search),)

if __name__ == "__main__":
    schema = {"type": "object", "properties": {"a": {"pattern": sys.argv[1]}}}
    with broken(PATCHES):
        sys.exit(fault_by_schema({"a": sys.argv[2]}, schema))
