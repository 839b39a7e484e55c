"""What one sweep found and did: names, fixed words and numbers, nothing that somebody wrote."""

from enum import StrEnum

from autoswe.contracts.model import Contract, Count


class SweepOutcome(StrEnum):
    """Whether the sweep did anything: ``kill_switch_off`` means that it looked at nothing and asked for nothing."""

    SWEPT = "swept"
    KILL_SWITCH_OFF = "kill_switch_off"


class ListingEnd(StrEnum):
    """How far back a connection's deliveries were listed.

    ``whole``: to the end of the list, or as far back as counts. ``page_limit``, ``out_of_time``: not beyond the sweep's
    bounds. ``unreadable``: a page could not be read. Whatever was listed until then is acted on in any case.
    """

    WHOLE = "whole"
    PAGE_LIMIT = "page_limit"
    OUT_OF_TIME = "out_of_time"
    UNREADABLE = "unreadable"


class AskOutcome(StrEnum):
    """What became of a delivery that was to be attempted again.

    ``asked``: GitHub will attempt it. ``host_refused``: GitHub does not attempt this one any more. ``out_of_time``: the
    sweep's time was over.
    """

    ASKED = "asked"
    HOST_REFUSED = "host_refused"
    OUT_OF_TIME = "out_of_time"


class SweptConnection(Contract):
    """What was found of one connection.

    ``listed`` counts attempts. ``asked`` are the GUIDs of deliveries that GitHub will attempt again, ``started`` the
    ids of decisions whose rounds were started. The others count deliveries, decisions and intakes by what became of
    them, in the words of ``LeaveReason`` and ``AskOutcome``, ``StartOutcome`` and ``IntakeOutcome``.
    """

    connection: str
    listed: Count
    listing: ListingEnd | None
    asked: tuple[str, ...]
    started: tuple[str, ...]
    deliveries: dict[str, Count]
    decisions: dict[str, Count]
    intakes: dict[str, Count]


class SweepFailure(Contract):
    """Something that could not be done: what it was about, the error's name, and what it says."""

    subject: str
    reason: str
    detail: str


class Swept(Contract):
    """One sweep.

    ``left_over`` names what there was more of than a sweep looks at: ``decisions`` or ``intakes``.
    """

    outcome: SweepOutcome
    connections: tuple[SweptConnection, ...] = ()
    left_over: tuple[str, ...] = ()
    failures: tuple[SweepFailure, ...] = ()
