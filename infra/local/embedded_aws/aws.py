"""The embedded AWS: everything in it started together and gone together."""

import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Lock, RLock
from time import monotonic
from types import TracebackType
from typing import Self

from moto import mock_aws
from moto.dynamodb.models import dynamodb_backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app

from infra.local.embedded_aws import local_time
from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.embedded_aws.calls import Around, Call, ServiceCalls
from infra.local.embedded_aws.clock import LocalClock
from infra.local.embedded_aws.dynamodb import expiry, transactions, updates
from infra.local.embedded_aws.dynamodb.gate import DynamoDbGate
from infra.local.embedded_aws.dynamodb.index_lag import IndexLag
from infra.local.embedded_aws.dynamodb.requests import RequestRules
from infra.local.embedded_aws.dynamodb.transaction_tokens import TransactionTokens
from infra.local.embedded_aws.ecs.containers import TaskDefinition
from infra.local.embedded_aws.ecs.run_task import Tasks
from infra.local.embedded_aws.ecs.tasks import Task
from infra.local.embedded_aws.event_bus import BusDefinition, EventBus
from infra.local.embedded_aws.functions import cut_off
from infra.local.embedded_aws.functions.failure_destination import FailureDestination
from infra.local.embedded_aws.functions.functions import Functions, Handler, Hooks
from infra.local.embedded_aws.functions.stream_pump import EventSource, Stream, StreamPump
from infra.local.embedded_aws.loopback import serve
from infra.local.embedded_aws.patches import Patches
from infra.local.embedded_aws.process_environment import only_dummy_credentials
from infra.local.embedded_aws.request_gate import RequestGate
from infra.local.embedded_aws.s3.object_requests import ObjectGate
from infra.local.embedded_aws.step_functions import engine, payload_sizes, service_integrations
from infra.local.embedded_aws.step_functions.execution_events import ExecutionEvents
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.embedded_aws.step_functions.nested_executions import NestedExecution
from infra.local.embedded_aws.step_functions.state_machines import StateMachines, refuse_as_on_aws
from infra.local.embedded_aws.storage import TableDefinition, create_bucket, create_table

_MOTO_SETTINGS = {
    "core": {
        "mock_credentials": False,
        "passthrough": {"urls": [], "services": []},
        "reset_boto3_session": True,
        "service_whitelist": None,
    },
    "stepfunctions": {"execute_state_machine": True},
}
_one_at_a_time = Lock()


class EmbeddedAws:
    """A context manager within which this process's boto3 clients talk to AWS as described here, and to nothing else.

    ``functions`` are the Lambda handlers by name; ``tasks`` the ECS task definitions; ``definition`` the table's.
    ``failed_execution_targets`` names the function that is told of executions that FAILED, TIMED_OUT or were ABORTED,
    by the state machine's name or for all of them;
    ``bus`` describes a bus for events of others.
    ``function_timeout_seconds`` is what handlers see as their time limit; ``task_timeout_seconds`` replaces the
    time-out of every ECS task; ``stop_grace_seconds`` is how long a stopped container may take to end by itself.
    ``root`` is where tasks leave their output; without it they leave it in a folder that goes when the block ends.
    ``pump_in_background`` delivers stream records promptly after each write, else ``pump_until_idle`` does when asked.

    Clients must be made inside the block and not outlive it. There can be one embedded AWS in a process at a time, and
    any number one after another, each empty at its start. Raises ``PatchTargetMissing`` when moto is not as expected,
    ``ValueError`` for a stream mapping or target whose function is missing, ``RuntimeError`` while another one runs.
    """

    def __init__(
        self,
        functions: Mapping[str, Handler],
        tasks: Sequence[TaskDefinition] = (),
        *,
        table_name: str = "auto-swe",
        bucket_name: str = "auto-swe-artifacts",
        definition: TableDefinition | None = None,
        clock: LocalClock | None = None,
        failed_execution_targets: Mapping[str, str] | str | None = None,
        bus: BusDefinition | None = None,
        function_timeout_seconds: float = 900.0,
        task_timeout_seconds: float | None = None,
        stop_grace_seconds: float = 2.0,
        root: Path | None = None,
        pump_in_background: bool = False,
    ) -> None:
        self.table_name = table_name
        self.bucket_name = bucket_name
        self.definition = definition or TableDefinition.load()
        self.clock = clock or LocalClock()
        self.hooks = Hooks()
        self.index_lag = IndexLag(self.clock.now)
        self._calls = ServiceCalls()
        self._task_definitions = tasks
        self._task_timeout_seconds = task_timeout_seconds
        self._stop_grace_seconds = stop_grace_seconds
        self._root = root
        self._pump_in_background = pump_in_background
        self._leave = ExitStack()
        self.functions = Functions(functions, self._calls, self.hooks, function_timeout_seconds)
        self.events = ExecutionEvents(self.functions, failed_execution_targets)
        self.bus = EventBus(bus, self.functions, self.clock.now) if bus else None
        targets = failed_execution_targets or {}
        wanted = {mapping.function for mapping in self.definition.stream_mappings}
        wanted |= {targets} if isinstance(targets, str) else set(targets.values())
        wanted |= {bus.target} if bus else set()
        if missing := sorted(name for name in wanted if name not in self.functions):
            raise ValueError(f"no handler was given for {', '.join(missing)}")

    def __enter__(self) -> Self:
        with ExitStack() as entering:
            entering.enter_context(_alone())
            self.endpoint_url = entering.enter_context(serve(DomainDispatcherApplication(create_backend_app)))
            entering.enter_context(only_dummy_credentials(self.endpoint_url))
            entering.enter_context(_quiet_engine())
            entering.enter_context(mock_aws(config=_MOTO_SETTINGS))
            root = self._root or Path(entering.enter_context(tempfile.TemporaryDirectory(prefix="embedded-aws-")))
            self._install(entering.enter_context(Patches()), root)
            entering.callback(self._stop)
            self._leave = entering.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave.close()

    def _install(self, patches: Patches, root: Path) -> None:
        self._lock = lock = RLock()
        self.tasks = Tasks(self._task_definitions, self._calls, root, self._stop_grace_seconds)
        self.workflows = StateMachines(self.events)
        written = Event()
        rules = RequestRules(self.definition)
        dynamodb = DynamoDbGate(rules, TransactionTokens(self.clock.now), self.index_lag)
        RequestGate(self._calls, lock, written.set, dynamodb, ObjectGate(self.clock.now)).install(patches)
        local_time.install(patches, self.clock)
        updates.install(patches, rules, in_transaction=transactions.install(patches))
        self.index_lag.install(patches)
        payload_sizes.install(patches)
        cut_off.install(patches)
        engine.install(patches, self.clock, self.workflows.ended)
        service_integrations.install(
            patches,
            self.functions,
            self.tasks,
            nested_execution=lambda execution_arn: NestedExecution(self.workflows, execution_arn),
            start_execution=self.workflows.start,
            task_timeout_seconds=self._task_timeout_seconds,
        )
        refuse_as_on_aws(patches)
        if self.bus:
            self.bus.install(patches)
        stream_arn = create_table(self.table_name, self.definition)
        create_bucket(self.bucket_name)
        self._calls.log.clear()
        stream = Stream(self.table_name, stream_arn, lock)
        sources = [
            EventSource(
                mapping, self.functions, FailureDestination(self.bucket_name, lock, self.clock.now), self.clock.now
            )
            for mapping in self.definition.stream_mappings
        ]
        self.pump = StreamPump(stream, sources, written)
        if self._pump_in_background:
            self.pump.start()

    def _stop(self) -> None:
        if self.bus:
            self.bus.stop()
        self.pump.stop()
        self.workflows.stop_all()
        self.tasks.stop_all()

    @property
    def calls(self) -> list[Call]:
        """Every request to a service so far, in order; it may be cleared."""
        return self._calls.log

    def around_calls(self, around: Around) -> None:
        """Have ``around`` decide what becomes of each request from now on (see ``ServiceCalls``)."""
        self._calls.around = around

    def deploy(self, name: str, definition: str, substitutions: Mapping[str, str]) -> str:
        """Create a workflow and return its ARN (see ``StateMachines.deploy``)."""
        return self.workflows.deploy(name, definition, substitutions)

    def start(self, state_machine_arn: str, name: str, input_: str) -> str:
        """Start an execution and return its ARN; ``input_`` is JSON."""
        return self.workflows.start({"stateMachineArn": state_machine_arn, "name": name, "input": input_})

    def executions(self) -> tuple[Execution, ...]:
        """List every execution, in the order in which they were started."""
        return self.workflows.executions()

    def wait(self, execution_arn: str, timeout_seconds: float = 60.0) -> Execution:
        """Wait until an execution has ended and its event was delivered (see ``StateMachines.wait``)."""
        return self.workflows.wait(execution_arn, timeout_seconds)

    def stop(self, execution_arn: str) -> None:
        """Abort an execution."""
        self.workflows.stop(execution_arn)

    def pump_until_idle(self) -> bool:
        """Deliver what is in the table's stream until nothing is left; tell whether there was anything."""
        return self.pump.pump_until_idle()

    def sweep_expired_items(self) -> int:
        """Delete the items whose time to live is over by the local time and return how many; see ``expiry``."""
        with self._lock:
            table = dynamodb_backends[ACCOUNT_ID][REGION].get_table(self.table_name)
            return expiry.sweep(table, self.definition.ttl, self.clock.now())

    def settle(self, timeout_seconds: float = 120.0) -> None:
        """Go on until no event and no stream record is left and no execution runs.

        Raises ``ExecutionUnfinished`` when one still runs after ``timeout_seconds`` of real time.
        """
        end = monotonic() + timeout_seconds
        while True:
            moved = bool(self.bus and self.bus.settle()) | self.pump_until_idle()
            running = [execution for execution in self.executions() if not self.workflows.has_ended(execution.arn)]
            for execution in running:
                self.wait(execution.arn, max(0.0, end - monotonic()))
            if not moved and not running:
                return

    def failed_tasks(self) -> list[Task]:
        """List the tasks that ended without success, with what their containers wrote."""
        return [task for task in self.tasks.started if task.wait(0) and not task.succeeded]


@contextmanager
def _alone() -> Iterator[None]:
    if not _one_at_a_time.acquire(blocking=False):
        raise RuntimeError("an embedded AWS runs in this process already")
    try:
        yield
    finally:
        _one_at_a_time.release()


@contextmanager
def _quiet_engine() -> Iterator[None]:
    """Keep moto from logging each failed state; what failed is in the execution."""
    logger = logging.getLogger("moto.stepfunctions")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
