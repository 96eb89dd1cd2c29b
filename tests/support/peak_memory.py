"""Run a command and write the most memory it took, in MiB, to a file.

Linux counts in what the process that started it held; so a small one has to start it.
"""

import resource
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    done = subprocess.run(sys.argv[2:], check=False)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    Path(sys.argv[1]).write_text(str(most))
    sys.exit(done.returncode)
