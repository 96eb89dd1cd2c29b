"""Figures as Prometheus reads them, judged by its own parser."""

from prometheus_client.parser import text_string_to_metric_families

from mindpipe.monitoring.records import Metric
from mindpipe_cli.metrics import exposed

FIGURES = [
    Metric(agent="ava", name="queue_depth", value=3.0, help="Events that wait."),
    Metric(agent="ava", name="crash_count", value=2.0, kind="counter", help="Crashes."),
    Metric(agent='b"o\nb', name="queue_depth", value=0.5, help="Events that wait."),
    Metric(
        agent="ava", name="mode_distribution", labels={"mode": "sleep"}, value=1.0, help="Modes."
    ),
]


def test_what_is_written_is_read_back_by_name_agent_and_label() -> None:
    families = {one.name: one for one in text_string_to_metric_families(exposed(FIGURES).decode())}
    assert {name: one.type for name, one in families.items()} == {
        "mindpipe_crash_count": "counter",
        "mindpipe_mode_distribution": "gauge",
        "mindpipe_queue_depth": "gauge",
    }
    queues = {one.labels["agent"]: one.value for one in families["mindpipe_queue_depth"].samples}
    assert queues == {"ava": 3.0, 'b"o\nb': 0.5}
    (mode,) = families["mindpipe_mode_distribution"].samples
    assert mode.labels == {"agent": "ava", "mode": "sleep"}
    assert families["mindpipe_queue_depth"].documentation == "Events that wait."


def test_no_figure_is_no_line() -> None:
    assert exposed([]) == b""
