"""Each step's host is what the step asks for, and no more."""

from autoswe.ports.feedback.hosts import CheckHost, EvidenceHost, GatherHost, PushHost, ReportHost
from autoswe.ports.github import SourceHost
from autoswe.ports.intake.starts import HeadHost
from autoswe.ports.review.hosts import ApproveHost, RereadHost, ScanHost
from tests.adapters.github.scripted import Script

WRITING = {
    "make_tree",
    "make_commit",
    "make_ref",
    "drop_ref",
    "move_ref",
    "comment",
    "edit",
    "reply",
    "approve",
}


def _offered(host: object) -> set[str]:
    return {name for name in dir(host) if not name.startswith("_")}


def _asked(port: type) -> set[str]:
    return {name for name in vars(port) if not name.startswith("_")}


def test_each_host_offers_exactly_what_its_step_asks_for(script: Script) -> None:
    github = script.github()
    head: HeadHost = github.head_host("octo/widgets")
    gather: GatherHost = github.gather_host("octo/widgets")
    push: PushHost = github.push_host("octo/widgets")
    check: CheckHost = github.check_host("octo/widgets")
    report: ReportHost = github.report_host("octo/widgets")
    evidence: EvidenceHost = github.evidence_host("octo/widgets")
    scan: ScanHost = github.scan_host()
    reread: RereadHost = github.reread_host()
    approve: ApproveHost = github.approve_host()
    source: SourceHost = github.review_source_host("octo/widgets")
    for host, port in (
        (head, HeadHost),
        (gather, GatherHost),
        (push, PushHost),
        (check, CheckHost),
        (report, ReportHost),
        (evidence, EvidenceHost),
        (scan, ScanHost),
        (reread, RereadHost),
        (approve, ApproveHost),
        (source, SourceHost),
    ):
        assert _offered(host) == _asked(port)


def test_hosts_that_only_read_offer_nothing_that_writes(script: Script) -> None:
    github = script.github()
    for host in (
        github.head_host("octo/widgets"),
        github.gather_host("octo/widgets"),
        github.check_host("octo/widgets"),
        github.evidence_host("octo/widgets"),
        github.scan_host(),
        github.reread_host(),
        github.review_source_host("octo/widgets"),
    ):
        assert not _offered(host) & WRITING
