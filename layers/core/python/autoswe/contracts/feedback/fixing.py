"""What travels between a round's functions and its three containers.

``FixerBrief`` and the manifests are written by trusted functions.
``Outcome``, ``Change`` and ``GateReport`` come out of containers that ran a model or repository code: they are hostile
until they were fetched under a byte cap, parsed into these bounded models and cross-checked (architecture §5).
"""

import base64
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from autoswe.contracts.containers import AgentName, Command, Download, Upload, Usage
from autoswe.contracts.model import Contract, Label, Path, PositiveInt, Sha, Sha256
from autoswe.rules.agents.answer_form import MAX_NOTE_CHARACTERS, MAX_PLACES

MAX_OUTCOME_BYTES = 256 * 1024
MAX_CHANGE_BYTES = 16 * 1024 * 1024
MAX_GATES_BYTES = 256 * 1024
MAX_CHANGED_FILES = 200
MAX_FILE_BYTES = 2 * 1024 * 1024

ShortText = Annotated[str, StringConstraints(max_length=2000)]


class BriefSuggestion(Contract):
    """A reviewer's suggestion block that may be applied as it stands.

    ``lines`` replace lines ``start_line`` to ``end_line``, both 1-based and inclusive.
    """

    label: Label
    path: Path
    start_line: PositiveInt
    end_line: PositiveInt
    lines: tuple[str, ...]


class BriefThread(Contract):
    """One open review thread as the agent sees it; ``text`` is already fenced.

    ``unusable`` says why a suggestion block in it is not applied as it stands (a reason of the suggestion rules).
    """

    label: Label
    path: Path | None
    line: PositiveInt | None
    text: str
    unusable: str | None = None


class FailedCi(Contract):
    """What a CI follow-up is about; both are fenced.

    ``evidence`` is what the failures say of themselves, ``remarks`` what reviewers had asked for: the pushed commit
    answers it, and the repair must not take that back.
    """

    evidence: str
    remarks: str


class FixerBrief(Contract):
    """Everything an agent is told about a round; ``trigger_notes`` is the fenced text of the trigger itself, if any.

    ``failed_ci`` is set on a CI follow-up alone, which has no threads of its own. ``task`` is what the agent run was
    asked to do that opened the pull request, as it was written; absent on any other pull request.
    """

    head_sha: Sha
    trigger_notes: str | None
    threads: tuple[BriefThread, ...]
    suggestions: tuple[BriefSuggestion, ...]
    failed_ci: FailedCi | None = None
    task: str | None = None


class GateName(StrEnum):
    """The gates of a round, in the order they run (feedback §3)."""

    LINT = "lint"
    TYPECHECK = "typecheck"
    TESTS = "tests"


class GateCommand(Contract):
    """One gate: what it is called, what it runs and how long it may take."""

    name: GateName
    command: Command
    timeout_seconds: PositiveInt


class GatePlan(Contract):
    """Set-up commands first, then the gates; both may be empty, and then nothing is run."""

    setup: tuple[Command, ...]
    setup_timeout_seconds: PositiveInt
    gates: tuple[GateCommand, ...]


class AgentManifest(Contract):
    """What the agent container is handed: the source, the brief, and where its outcome goes."""

    kind: Literal["agent"] = "agent"
    agent: AgentName
    source: Download
    brief: Download
    outcome: Upload
    timeout_seconds: PositiveInt


class CollectManifest(Contract):
    """What the collect container is handed: the pristine source and where the change goes."""

    kind: Literal["collect"] = "collect"
    head_sha: Sha
    source: Download
    change: Upload


class GatesManifest(Contract):
    """What the gates container is handed: the pristine source, where to read the change, what to run, where to report.

    The change was written by the collect container after the manifest was signed, so its digest is not known here:
    the report is bound to the digest of what was read.
    """

    kind: Literal["gates"] = "gates"
    source: Download
    change_url: str
    plan: GatePlan
    report: Upload


class ThreadOutcomeKind(StrEnum):
    """What the agent says it did about one thread."""

    ADDRESSED = "addressed"
    NEEDS_PERSON = "needs_person"
    DECLINED = "declined"


class ThreadOutcome(Contract):
    """One thread's outcome; ``note`` is the agent's own words, ``places`` the paths it changed for this thread."""

    label: Label
    outcome: ThreadOutcomeKind
    note: ShortText
    places: Annotated[tuple[Path, ...], Field(max_length=MAX_PLACES)] = ()


class AnsweredThread(Contract):
    """What a model says about one thread, in the answer that it was asked for; its own words throughout."""

    label: Label
    outcome: ThreadOutcomeKind
    note: Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS)]
    places: Annotated[tuple[Path, ...], Field(max_length=MAX_PLACES)]


class AgentAnswer(Contract):
    """A model's final answer; ``head_sha`` is the commit it was asked about, which no file of that commit can name."""

    head_sha: Sha
    threads: Annotated[tuple[AnsweredThread, ...], Field(max_length=100)]


class Outcome(Contract):
    """``outcome.json``: what the agent says about each thread of its brief."""

    schema_version: Literal[1] = 1
    agent: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,32}$")]
    threads: Annotated[tuple[ThreadOutcome, ...], Field(max_length=100)]
    usage: Usage = Usage()


class ChangeOperation(StrEnum):
    """What happened to one path."""

    ADD = "add"
    MODIFY = "modify"
    DELETE = "delete"


class FileMode(StrEnum):
    """The only modes a change may carry: a regular file, executable or not."""

    REGULAR = "100644"
    EXECUTABLE = "100755"


class ContentRefused(ValueError):
    """The content of a changed file cannot be used; the message is what can be said of it: "is not base64"."""


class FileChange(Contract):
    """One changed file.

    ``base_blob`` is the git blob id before (none for an addition), ``content_base64`` the content after (none for a
    deletion), as base64 of at most ``MAX_FILE_BYTES`` bytes once decoded.
    """

    path: Path
    mode: FileMode
    op: ChangeOperation
    base_blob: Sha | None
    content_base64: Annotated[str, StringConstraints(max_length=(MAX_FILE_BYTES + 2) // 3 * 4)] | None

    def decode_content(self) -> bytes | None:
        """Return the content after, nothing for a deletion; ``ContentRefused`` when it is not as agreed.

        Only the one spelling that encoding gives is taken, so that no two readers can make different bytes of it.
        """
        if self.content_base64 is None:
            return None
        try:
            content = base64.b64decode(self.content_base64, validate=True)
        except ValueError:
            raise ContentRefused("is not base64") from None
        if base64.b64encode(content).decode() != self.content_base64:
            raise ContentRefused("is not base64")
        if len(content) > MAX_FILE_BYTES:
            raise ContentRefused(f"is larger than {MAX_FILE_BYTES} bytes")
        return content


class Change(Contract):
    """``change.json``: the workspace's difference from the pristine source, made by the collect container."""

    schema_version: Literal[1] = 1
    head_sha: Sha
    files: Annotated[tuple[FileChange, ...], Field(max_length=MAX_CHANGED_FILES)]


class GateStatus(StrEnum):
    """How one gate ended.

    ``already_failing`` failed on the pristine source as well and does not block a push; ``setup_failed`` could not run.
    """

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    ALREADY_FAILING = "already_failing"
    SETUP_FAILED = "setup_failed"


class GateResult(Contract):
    """One gate's end.

    ``seconds`` is wall time. ``exit_code`` is the program's, 0 to 255, none when it was killed or never ran.
    """

    name: GateName
    status: GateStatus
    exit_code: Annotated[int, Field(ge=0, le=255)] | None
    seconds: Annotated[float, Field(ge=0, le=86_400)]


class GateReport(Contract):
    """``gates.json``, bound by ``change_sha256`` to the bytes of the ``change.json`` it judged."""

    schema_version: Literal[1] = 1
    change_sha256: Sha256
    gates: Annotated[tuple[GateResult, ...], Field(max_length=10)]
