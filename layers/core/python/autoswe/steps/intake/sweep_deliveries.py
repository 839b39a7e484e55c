"""Sweep up what was lost on the way: deliveries, unstarted decisions, unresolved intakes (architecture §4).

Nothing is lost for good, and nothing is done twice: a delivery that arrives again is decided once, a decision has one
execution, and a start makes sure of the pull request first. So two sweeps at once do no harm either.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from autoswe.contracts.intake.deliveries import NEW_TEXT_EVENTS
from autoswe.contracts.intake.sweep import AskOutcome, ListingEnd, SweepOutcome, Swept
from autoswe.contracts.records.platform import Connection
from autoswe.ports.clock import Clock
from autoswe.ports.github import Gone, Refused
from autoswe.ports.intake.starts import Deliveries, HookHost, IntakeKey, Unstarted
from autoswe.ports.records import Connections
from autoswe.rules.intake.redelivery import LOOK_BACK, AskAgain, Attempt, Leave, judge_deliveries, leave_recorded
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.steps.intake import resolve_intake as resolving
from autoswe.steps.intake import start_workflow as starting
from autoswe.steps.intake.resolve_intake import resolve_intake
from autoswe.steps.intake.start_workflow import StartOutcome, start_workflow
from autoswe.steps.intake.sweep_report import SweepReport, Tally

YOUNGEST = timedelta(minutes=2)
"""How old a decision or an intake must be: until then the table's stream is about to bring it."""

MOST_WAITING = 200
"""How many decisions, and how many intakes, one sweep looks at; the oldest come first."""

MOST_PAGES = 30
"""How many pages of 100 attempts are listed of one connection."""

SWEEP_TIME = timedelta(minutes=4)
"""How long a sweep may last; what is waiting gets half of it, and each connection its fair share of what is left."""

T = TypeVar("T")


@dataclass(frozen=True)
class Ports:
    """What sweeping reads and writes; ``open_host`` asks as a connection's App itself."""

    clock: Clock
    starting: starting.Ports
    unstarted: Unstarted
    resolving: resolving.Ports
    connections: Connections
    deliveries: Deliveries
    open_host: Callable[[Connection], HookHost]


def sweep_deliveries(ports: Ports) -> Swept:
    """Start what waits, resolve what waits, and have GitHub attempt again what never arrived.

    With the kill switch off everywhere nothing is looked at. Whatever fails is told, and keeps nothing else from being
    done.
    """
    if not ports.starting.records.on_somewhere(KILL_SWITCH):
        return Swept(outcome=SweepOutcome.KILL_SWITCH_OFF)
    report = SweepReport()
    began = ports.clock()
    waiting = _Waiting(ports, report, before=began - YOUNGEST, deadline=began + SWEEP_TIME / 2)
    waiting.start_decisions()
    waiting.resolve_intakes()
    with report.going_on("connections"):
        connections = ports.connections.connections()
        for number, connection in enumerate(connections):
            now = ports.clock()
            share = (began + SWEEP_TIME - now) / (len(connections) - number)
            _Redelivery(ports, report, connection, deadline=now + share).sweep()
    return report.result()


class _Waiting:
    """Acts on what was written down and waits in the table."""

    def __init__(self, ports: Ports, report: SweepReport, before: datetime, deadline: datetime) -> None:
        self._ports = ports
        self._report = report
        self._before = before
        self._deadline = deadline

    def start_decisions(self) -> None:
        self._each("decisions", self._ports.unstarted.decisions(self._before), self._start)

    def resolve_intakes(self) -> None:
        self._each("intakes", self._ports.unstarted.intakes(self._before), self._resolve)

    def _each(self, what: str, places: Iterable[T], act: Callable[[T], None]) -> None:
        with self._report.going_on(what):
            for number, place in enumerate(places):
                if number == MOST_WAITING or self._ports.clock() >= self._deadline:
                    self._report.left_over.append(what)
                    return
                with self._report.going_on(str(place)):
                    act(place)

    def _start(self, decision_id: str) -> None:
        decision = self._ports.unstarted.decision(decision_id)
        if decision is None:
            return
        outcome = start_workflow(decision, self._ports.starting)
        tally = self._report.of(decision.connection)
        tally.decisions[outcome] += 1
        if outcome is StartOutcome.STARTED:
            tally.started.append(decision.decision_id)

    def _resolve(self, place: IntakeKey) -> None:
        intake = self._ports.unstarted.intake(place)
        if intake is not None:
            resolution = resolve_intake(intake, self._ports.resolving)
            self._report.of(intake.offer.connection).intakes[resolution.outcome] += 1


class _Redelivery:
    """Asks for the deliveries of one connection that never arrived."""

    def __init__(self, ports: Ports, report: SweepReport, connection: Connection, deadline: datetime) -> None:
        self._ports = ports
        self._report = report
        self._connection = connection
        self._deadline = deadline

    def sweep(self) -> None:
        name = self._connection.name
        tally = self._report.of(name)
        with self._report.going_on(f"deliveries of {name}"):
            host = self._ports.open_host(self._connection)
            now = self._ports.clock()
            verdicts = judge_deliveries(self._list(host, tally, now), NEW_TEXT_EVENTS, now)
            lost = [verdict.guid for verdict in verdicts if isinstance(verdict, AskAgain)]
            verdicts = leave_recorded(verdicts, self._ports.deliveries.recorded(name, lost))
            tally.deliveries.update(verdict.reason for verdict in verdicts if isinstance(verdict, Leave))
            for verdict in verdicts:
                if isinstance(verdict, AskAgain):
                    self._ask(verdict, host, tally)

    def _list(self, host: HookHost, tally: Tally, now: datetime) -> list[Attempt]:
        attempts: list[Attempt] = []
        tally.listing = ListingEnd.UNREADABLE
        with self._report.going_on(f"the listing of {self._connection.name}"):
            tally.listing = self._read(host.pages(), attempts, now)
        tally.listed = len(attempts)
        return attempts

    def _read(self, pages: Iterator[Sequence[Attempt]], attempts: list[Attempt], now: datetime) -> ListingEnd:
        for _ in range(MOST_PAGES):
            if self._ports.clock() >= self._deadline:
                return ListingEnd.OUT_OF_TIME
            page = next(pages, None)
            attempts += page or ()
            if page is None or (page and now - page[-1].delivered_at > LOOK_BACK):
                return ListingEnd.WHOLE
        return ListingEnd.PAGE_LIMIT

    def _ask(self, delivery: AskAgain, host: HookHost, tally: Tally) -> None:
        outcome = AskOutcome.OUT_OF_TIME
        if self._ports.clock() < self._deadline:
            outcome = _ask(delivery, host)
        tally.deliveries[outcome] += 1
        if outcome is AskOutcome.ASKED:
            tally.asked.append(delivery.guid)


def _ask(delivery: AskAgain, host: HookHost) -> AskOutcome:
    try:
        host.ask_again(delivery.attempt_id)
    except (Gone, Refused):
        return AskOutcome.HOST_REFUSED
    return AskOutcome.ASKED
