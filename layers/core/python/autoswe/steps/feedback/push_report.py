"""What a push leaves to be told: each thread's outcome as far as the pushed change bears it out (feedback §4)."""

from collections.abc import Mapping, Sequence

from autoswe.contracts.feedback.round import ReportThread, RoundReport, ThreadIndex, ThreadReference
from autoswe.rules.feedback.push_gate import ChangedFile
from autoswe.rules.feedback.report import Place, changed_ranges, corroborates
from autoswe.steps.feedback.fixer_results import FixerResults


def report_push(
    execution: str, index: ThreadIndex, results: FixerResults, before: Mapping[str, bytes | None]
) -> RoundReport:
    """Report a collected change; ``before`` holds files as they were, as far as they were read."""
    changed = {file.path: _ranges(file, before, results) for file in results.files}
    return RoundReport(
        execution=execution,
        threads=tuple(_report_thread(thread, results, changed) for thread in index.threads),
        changed_paths=tuple(file.path for file in results.files),
        gates=results.gates,
    )


def report_follow_up(first: RoundReport, report: RoundReport, commit_sha: str | None) -> RoundReport:
    """Tell a follow-up with the first verdict: its threads as they were judged, the files of both, the new gates."""
    paths = tuple(dict.fromkeys((*first.changed_paths, *report.changed_paths)))
    return report.model_copy(update={"threads": first.threads, "changed_paths": paths, "follows_up": commit_sha})


def _ranges(file: ChangedFile, before: Mapping[str, bytes | None], results: FixerResults) -> Sequence[tuple[int, int]]:
    content = before.get(file.path)
    if file.before is not None and content is None:
        # What could not be read, or was not needed for a judgement, bears out nothing about lines.
        return ()
    return changed_ranges(content, results.contents.get(file.path))


def _report_thread(
    thread: ThreadReference, results: FixerResults, changed: Mapping[str, Sequence[tuple[int, int]]]
) -> ReportThread:
    outcome = results.outcomes.get(thread.label)
    place = Place(thread.path, thread.start_line, thread.end_line)
    return ReportThread(
        label=thread.label,
        root_comment_id=thread.root_comment_id,
        path=thread.path,
        outcome=outcome.outcome if outcome else "needs_person",
        claims_addressed=outcome is not None and corroborates(place, outcome.places, changed),
        note=outcome.note if outcome else "",
    )
