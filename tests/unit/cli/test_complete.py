"""What a model's fault is to whoever called `mind complete`."""

from mindpipe.core.errors import ExitStatus, MindError
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.problems import Problem
from mindpipe_cli.complete import error_of
from support.tables import each_row

STATUSES = {
    FaultClass.TRANSIENT: ExitStatus.TEMPORARY,
    FaultClass.LONG_WAIT: ExitStatus.TEMPORARY,
    FaultClass.OUR_ACCOUNT: ExitStatus.UNAVAILABLE,
}


@each_row("kind", FaultClass)
def test_every_class_has_its_status(kind: FaultClass) -> None:
    fault = ModelFault("it broke.", fault=kind)
    error = error_of(fault, Problem(source="in.jsonl", line=3, message=str(fault)))
    assert isinstance(error, MindError)
    assert error.status is STATUSES.get(kind, ExitStatus.FAILED)
    advice = " Try again." if error.status is ExitStatus.TEMPORARY else ""
    assert str(error) == f"in.jsonl:3: it broke.{advice}"
