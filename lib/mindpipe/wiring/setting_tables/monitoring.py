"""Settings of logs and alerts."""

from mindpipe.wiring.setting import Setting

RULES = """\
critical: queue_depth > 100
critical: iteration_time > 30
critical: consecutive_errors > 5
critical: consistency_check_failure > 0
warning: queue_depth > 50
warning: iteration_time > 10
warning: memory_growth > 10"""

SETTINGS = (
    Setting(
        name="logging.path",
        kind=str,
        default=None,
        help="Folder in which mind run keeps its log, or none.",
    ),
    Setting(
        name="logging.level",
        kind=str,
        default="INFO",
        help="What is logged: DEBUG adds causes, WARNING leaves all but the odd.",
        choices=("DEBUG", "INFO", "WARNING", "ERROR"),
    ),
    Setting(
        name="logging.rotation",
        kind=str,
        default="daily",
        help="When a new log file is begun.",
        choices=("hourly", "daily", "weekly"),
    ),
    Setting(
        name="logging.retention_days",
        kind=int,
        default=30,
        help="How many days a log file is kept.",
        least=1,
        most=3650,
    ),
    Setting(
        name="alerts.rules",
        kind=str,
        default=RULES,
        help="SEVERITY: METRIC > VALUE [until VALUE]; semicolons or lines between.",
    ),
    Setting(
        name="alerts.hysteresis",
        kind=float,
        default=0.2,
        help="Share by which a figure must fall below its rule before an alert clears.",
        least=0,
        most=1,
    ),
    Setting(
        name="alerts.window",
        kind=int,
        default=1000,
        help="How many of the newest iterations figures are made of.",
        least=10,
        most=100000,
    ),
)
