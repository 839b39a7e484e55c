"""``autoswe review``: runs, and their rules at work on files without any account (review §5, §8.2, §9.2)."""

from pathlib import Path
from typing import Annotated

import typer

from autoswe.cli.ending import stop
from autoswe.cli.review.runs import report, run

review = typer.Typer(no_args_is_help=True, help="Start and read review runs, and judge recorded ones offline.")
review.command()(run)
review.command()(report)

StateOption = Annotated[Path, typer.Option(help="A state file: one pull request, and what a run selects by.")]
RunOption = Annotated[Path, typer.Option(help="The folder of a recorded run.")]


@review.command()
def check(
    entry: Annotated[Path, typer.Option(help="The entry of selection.json that the session was about.")],
    summary: Annotated[Path, typer.Option(help="The session's session-summary.md.")],
    files: Annotated[Path | None, typer.Option(help="files.json: both sides of the changed files.")] = None,
    usage: Annotated[Path | None, typer.Option(help="The session's usage.json.")] = None,
    tiers: Annotated[str, typer.Option(help="What may be approved: trivial,low-risk or trivial or none.")] = (
        "trivial,low-risk"
    ),
) -> None:
    """Judge what a session concluded, and print ``check.json``.

    With ``--files`` it is judged as in a live run, which must have read both sides of the files that need it.
    """
    from autoswe.cli.review.recorded_run import Unreadable, check_files, read_file  # noqa: PLC0415 - a command's own needs
    from autoswe.contracts.review.selection import MAX_ENTRY_BYTES, SelectedPull  # noqa: PLC0415 - as above
    from autoswe.rules.review.run.inputs import APPROVE_TIERS  # noqa: PLC0415 - as above

    if tiers not in APPROVE_TIERS:
        stop(f"--tiers cannot be {tiers!r}: it must be one of {' or '.join(APPROVE_TIERS)}")
    for file in (summary, *(given for given in (files, usage) if given is not None)):
        if not file.exists():
            stop(f"{file} cannot be read: there is no such file")
    try:
        judged = check_files(
            read_file(SelectedPull, entry, MAX_ENTRY_BYTES),
            summary,
            APPROVE_TIERS[tiers],
            usage=usage,
            sides=files,
            sides_required=files is not None,
        )
    except Unreadable as unreadable:
        stop(str(unreadable))
    print(judged.model_dump_json(by_alias=True, indent=2, ensure_ascii=True))


@review.command()
def explain(state: StateOption) -> None:
    """Print the first reason to leave a pull request out, or ``selected``."""
    from autoswe.cli.review.recorded_run import Unreadable, read_file  # noqa: PLC0415 - a command's own needs
    from autoswe.contracts.review.candidates import MAX_STATE_BYTES, StateFile  # noqa: PLC0415 - as above
    from autoswe.rules.review.pulls.simulation import explain as explain_candidate  # noqa: PLC0415 - as above

    try:
        file = read_file(StateFile, state, MAX_STATE_BYTES)
    except Unreadable as unreadable:
        stop(str(unreadable))
    print(explain_candidate(file.policy.policy(), file.policy.remembered(), file.candidate))


@review.command()
def simulate(run: RunOption) -> None:
    """Decide a recorded run again under the rules of today, and print what would differ.

    The folder holds ``selection.json``, ``candidates.json``, and ``entries/KEY/`` with what each entry's session left
    (``session-summary.md``, ``usage.json``, ``files.json``) and the ``check.json`` that was made of it.
    """
    from autoswe.cli.review.recorded_run import Unreadable, run_differences  # noqa: PLC0415 - a command's own needs

    try:
        found = run_differences(run)
    except Unreadable as unreadable:
        stop(str(unreadable))
    for difference in found:
        print(difference.sentence)
    if not found:
        print("nothing would differ")
