"""Decides whether a review run may begin, before any token is minted (review §4.4, §9, §11).

In order: the release, the kill switch, the inputs, the shapes of the credentials, the run's record, and for a live run
the organisation's lease. Called again while it waits, it judges all of it anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.rows import ReviewRun, RunOutcome
from autoswe.contracts.review.run import (
    Preflighted,
    PreflightOutcome,
    ReviewRequest,
    ReviewState,
    RunFacts,
    RunInputs,
    StartedBy,
)
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.review.runs import Leases, ReviewRecords, ReviewRuns
from autoswe.rules.review.run.inputs import BadInput, BadInputs, ReviewInputs, read_inputs
from autoswe.rules.review.run.lease import LeaseAnswer
from autoswe.rules.review.run.naming import evidence_key, namespace_of, run_number
from autoswe.rules.review.run.preflight import (
    WITHOUT_MODEL,
    Configuration,
    PreflightCheck,
    Refusal,
    judge_configuration,
    judge_model_credential,
    judge_release,
)
from autoswe.rules.settings.registry import LIVE_REVIEWS, REVIEWS
from autoswe.rules.settings.resolution import PLATFORM, StoredSettings
from autoswe.steps.review.review_run import RunSuperseded

LOOK_AGAIN_SECONDS = 300
"""How long a run waits before it asks for its organisation again."""

BESIDE_SESSION_SECONDS = 15 * 60
"""How much longer than its session a task may take: to start, to fetch and to upload."""

BEGINNING_SECONDS = 15 * 60
"""How long a run that has just begun has its organisation; selecting makes it longer.

A run that is aborted while it begins may be closed before it has the lease: then nobody frees it.
"""

LONGEST_SESSION_MINUTES = 44
"""A session's task must end before its signed addresses do, an hour after they were signed."""

_PUBLIC_API = "api.github.com"


@dataclass(frozen=True)
class Ports:
    """What preflight reads and writes.

    ``release`` is the digest of the installed program. ``agent`` is the reviewer that this deployment names.
    ``private_key`` and ``model_credential`` read a connection's secrets, ``None`` where there is none; of neither more
    is looked at than its shape.
    """

    clock: Clock
    records: ReviewRecords
    runs: ReviewRuns
    leases: Leases
    artifacts: Artifacts
    release: str
    agent: str
    private_key: Callable[[str], str | None]
    model_credential: Callable[[str], str | None]


class _Stop(Exception):
    """Leaves preflight early with its answer; never seen outside this module."""

    def __init__(self, answer: Preflighted) -> None:
        super().__init__(answer.outcome)
        self.answer = answer


def preflight(request: ReviewRequest, ports: Ports) -> Preflighted:
    """Let the run proceed, or say why not: it waits, it was replaced, reviews are off, or something refuses it."""
    try:
        return _preflight(request, ports)
    except _Stop as stop:
        return stop.answer


def _preflight(request: ReviewRequest, ports: Ports) -> Preflighted:
    state = request.state
    _refuse(judge_release(ports.release, state.release or ""))
    settings = ports.records.settings(PLATFORM, REVIEWS, LIVE_REVIEWS)
    if not settings.is_on(REVIEWS):
        raise _Stop(Preflighted(outcome=PreflightOutcome.OFF, reason="kill_switch_off"))
    connection = ports.records.connection(state.connection)
    inputs = _inputs(state, settings, connection)
    if ports.agent == WITHOUT_MODEL:
        # Selection and approvals name the model, and none is asked.
        inputs = replace(inputs, model=WITHOUT_MODEL)
    _judge_credentials(state, inputs, connection, ports)
    run = _run(request, inputs, ports)
    if not run.dry_run:
        _take_lease(run, ports.leases)
    return Preflighted(outcome=PreflightOutcome.PROCEED, run=_facts(run, inputs))


def _refuse(*refusals: Refusal | None) -> None:
    found = [refusal for refusal in refusals if refusal is not None]
    if found:
        raise _Stop(_refused(found[0].check, *(refusal.sentence for refusal in found)))


def _refused(reason: str, *sentences: str) -> Preflighted:
    return Preflighted(outcome=PreflightOutcome.REFUSED, reason=reason, sentences=sentences)


def type_inputs(given: Mapping[str, object], connection: Connection | None) -> ReviewInputs | BadInputs:
    """Type the inputs of a run on a connection of the review App, and hold them to what the platform can do."""
    host = _web_host(connection.api_url) if connection is not None else "github.com"
    inputs = read_inputs(given, host=host, has_app=connection is not None)
    if isinstance(inputs, BadInputs) or inputs.max_runtime_minutes <= LONGEST_SESSION_MINUTES:
        return inputs
    allowed = f"at most {LONGEST_SESSION_MINUTES}, because a session's signed addresses live for an hour"
    return BadInputs((BadInput("max_runtime_minutes", f"{inputs.max_runtime_minutes} here", allowed),))


def _inputs(state: ReviewState, settings: StoredSettings, connection: Connection | None) -> ReviewInputs:
    """Type the inputs; a schedule's run is live only where the setting says so (review §9.2)."""
    is_live = settings.is_on(LIVE_REVIEWS)
    by_schedule = state.started_by is StartedBy.SCHEDULE
    given = {"dry_run": not is_live, **state.inputs} if by_schedule else state.inputs
    inputs = type_inputs(given, connection)
    if isinstance(inputs, BadInputs):
        raise _Stop(_refused(inputs.found[0].name, *(bad.sentence for bad in inputs.found)))
    return replace(inputs, dry_run=True) if by_schedule and not is_live else inputs


def _web_host(api_url: str) -> str:
    host = urlsplit(api_url).netloc
    return "github.com" if host == _PUBLIC_API else host


def _judge_credentials(state: ReviewState, inputs: ReviewInputs, connection: Connection | None, ports: Ports) -> None:
    if connection is None:
        # Even a dry run reads the host as the App: without one there is nobody to read as.
        refusal = Refusal(PreflightCheck.APP_CONFIGURED, f"there is no connection {state.connection} of a review App")
        _refuse(refusal)
        return
    # A key that is missing is not one that a key service holds.
    key = ports.private_key(connection.name) or ""
    app = Configuration(slug=connection.app_slug, app_id=str(connection.app_id), private_key=key)
    credential = (
        None if inputs.skip_agent else judge_model_credential(ports.agent, ports.model_credential(state.connection))
    )
    _refuse(*judge_configuration(app, dry_run=inputs.dry_run), credential)


def _run(request: ReviewRequest, inputs: ReviewInputs, ports: Ports) -> ReviewRun:
    """Return the run's record: a new one, this execution's own, or that of the run which it replays."""
    namespace = namespace_of(request.state.replay_of or request.execution)
    known = ports.runs.run(namespace)
    if known is None:
        return _begin(request, namespace, inputs, ports)
    if known.execution == request.execution:
        return known
    asked = (request.state.connection, inputs.org.casefold(), inputs.dry_run)
    if asked != (known.connection, known.org.casefold(), known.dry_run):
        sentence = "replay_of cannot name a run of another connection, organisation or mode than the inputs"
        raise _Stop(_refused("replay_of", sentence))
    since = _began(ports)
    replay = known.model_copy(
        update={
            "execution": request.execution,
            "attempt": known.attempt + 1,
            "since": since,
            "outcome": RunOutcome.RUNNING,
        }
    )
    if not ports.runs.go_on(known, replay):
        raise RunSuperseded("another execution has gone on with this run")
    return replay


def _begin(request: ReviewRequest, namespace: str, inputs: ReviewInputs, ports: Ports) -> ReviewRun:
    if request.state.replay_of is not None:
        raise _Stop(_refused("replay_of", "replay_of names no run that is on record"))
    run = ReviewRun(
        namespace=namespace,
        connection=request.state.connection,
        org=inputs.org,
        dry_run=inputs.dry_run,
        attempt=1,
        execution=request.execution,
        since=_began(ports),
        inputs=ports.artifacts.put(evidence_key(namespace, "inputs.json"), RunInputs.of(inputs).dump()),
    )
    if not ports.runs.begin(run):
        raise RunSuperseded("another execution has begun this run")
    return run


def _began(ports: Ports) -> str:
    return ports.clock().replace(microsecond=0).isoformat()


def _take_lease(run: ReviewRun, leases: Leases) -> None:
    answer = leases.ask(run.org, run.execution, datetime.fromisoformat(run.since), BEGINNING_SECONDS)
    if answer is LeaseAnswer.WAIT:
        raise _Stop(
            Preflighted(outcome=PreflightOutcome.WAIT, reason="an earlier live run", seconds=LOOK_AGAIN_SECONDS)
        )
    if answer is LeaseAnswer.REPLACED:
        raise _Stop(Preflighted(outcome=PreflightOutcome.REPLACED, reason="a later live run"))


def _facts(run: ReviewRun, inputs: ReviewInputs) -> RunFacts:
    return RunFacts(
        namespace=run.namespace,
        attempt=run.attempt,
        run_id=run_number(run.namespace),
        org=run.org,
        dry_run=run.dry_run,
        max_concurrent_agents=inputs.max_concurrent_agents,
        task_seconds=inputs.max_runtime_minutes * 60 + BESIDE_SESSION_SECONDS,
    )
