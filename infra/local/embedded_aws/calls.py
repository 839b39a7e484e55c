"""Every request to a service of the embedded AWS: recorded in order, and the one place where faults come in."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

Answer = TypeVar("Answer")


class Call(NamedTuple):
    """One request: the service by its boto3 name, the operation by its API name, such as dynamodb PutItem."""

    service: str
    operation: str


class ServiceFault(Exception):
    """An error answer of a service: ``code`` in the service's words, ``status`` an HTTP status."""

    def __init__(self, code: str, message: str = "injected fault", status: int = 400) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


Effect = Callable[[], None]
Around = Callable[[Call, Effect], None]


def undisturbed(_call: Call, effect: Effect) -> None:
    """Let a request have its effect and its answer."""
    effect()


class ServiceCalls:
    """Records requests and lets ``around`` decide what becomes of each.

    ``around`` gets the call and its effect, and calls the effect. It injects a fault by raising ``ServiceFault`` (the
    service answers with an error) or ``ConnectionError`` (the connection breaks), either instead of the effect or after
    it, when the effect happened and its answer is lost.
    """

    def __init__(self) -> None:
        self.log: list[Call] = []
        self.around: Around = undisturbed

    def perform(self, service: str, operation: str, effect: Callable[[], Answer]) -> Answer:
        """Record a request, then have ``around`` perform it."""
        call = Call(service, operation)
        self.log.append(call)
        answers: list[Answer] = []
        self.around(call, lambda: answers.append(effect()))
        if not answers:
            raise RuntimeError(f"the hook around calls neither performed {service} {operation} nor raised a fault")
        return answers[-1]
