"""A Ray cluster of some nodes on this machine, as a program: it ends when its stdin does.

It prints two lines, where a node of it and where a client finds it.
"""

import os
import shutil
import socket
import sys
import tempfile

_OBJECT_BYTES = 80 << 20


def main(nodes: int, processors: int) -> None:
    """Run a cluster of so many nodes, each with so many processors, until stdin ends."""
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "GRPC_ENABLE_FORK_SUPPORT": "0",  # the server of clients starts programs beside threads
        "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "5",
    }
    from ray.cluster_utils import Cluster

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    node = {"num_cpus": processors, "object_store_memory": _OBJECT_BYTES}
    head = node | {"include_dashboard": False, "ray_client_server_port": port, "temp_dir": kept}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**node)
        sys.stdout.write(f"{cluster.address}\nray://127.0.0.1:{port}\n")
        sys.stdout.flush()
        sys.stdin.read()
    finally:
        cluster.shutdown()
        shutil.rmtree(kept, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
