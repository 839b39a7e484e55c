"""moto's parts that the embedded AWS stands on, imported without the services that nobody here calls.

moto's Step Functions engine imports its Batch service for one enumeration, and with it all of EC2: half of the time a
start takes. While the engine is imported, a module that holds just that enumeration stands in.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from types import ModuleType


class _JobStatus(Enum):
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


@contextmanager
def _without_batch() -> Iterator[None]:
    if "moto.batch" in sys.modules:
        yield
        return
    batch, names = ModuleType("moto.batch"), ModuleType("moto.batch.utils")
    vars(names)["JobStatus"] = _JobStatus
    sys.modules.update({"moto.batch": batch, "moto.batch.utils": names})
    try:
        yield
    finally:
        del sys.modules["moto.batch"], sys.modules["moto.batch.utils"]


with _without_batch():
    from moto.stepfunctions.parser.models import StepFunctionsParserBackend, stepfunctions_parser_backends

__all__ = ["StepFunctionsParserBackend", "stepfunctions_parser_backends"]
