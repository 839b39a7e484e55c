"""Says from a path what a file is for, and so by which rules a change to it is judged (review §8.2).

Where two kinds fit, the one with more consequences wins: a workflow with a document's name is a workflow.
"""

from enum import StrEnum
from fnmatch import fnmatchcase
from posixpath import basename

import re2


class FileKind(StrEnum):
    """What a file is for.

    ``workflow`` and ``action`` are GitHub Actions files; ``pre_commit``, ``dockerfile``, ``requirements``,
    ``pyproject``, ``package_json``, ``go_mod`` and ``cargo_toml`` are the manifests whose pins may change;
    ``lockfile``, ``document`` and ``image`` say themselves. All else, and what instructs an agent, is ``other``.
    """

    WORKFLOW = "workflow"
    ACTION = "action"
    PRE_COMMIT = "pre_commit"
    DOCKERFILE = "dockerfile"
    REQUIREMENTS = "requirements"
    PYPROJECT = "pyproject"
    PACKAGE_JSON = "package_json"
    GO_MOD = "go_mod"
    CARGO_TOML = "cargo_toml"
    LOCKFILE = "lockfile"
    DOCUMENT = "document"
    IMAGE = "image"
    OTHER = "other"


ACTIONS_KINDS = frozenset({FileKind.WORKFLOW, FileKind.ACTION})
DOCUMENT_KINDS = frozenset({FileKind.DOCUMENT, FileKind.IMAGE})
BOTH_SIDES_READ = frozenset(FileKind) - DOCUMENT_KINDS - {FileKind.OTHER}
"""The kinds whose text a live run reads on both sides: workflows, actions, manifests and lockfiles."""

_LOCKFILES = frozenset(
    (
        "uv.lock",
        "poetry.lock",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "Cargo.lock",
        "go.sum",
        "Gemfile.lock",
    )
)
_NAMED = {
    "action.yml": FileKind.ACTION,
    "action.yaml": FileKind.ACTION,
    ".pre-commit-config.yaml": FileKind.PRE_COMMIT,
    "pyproject.toml": FileKind.PYPROJECT,
    "package.json": FileKind.PACKAGE_JSON,
    "go.mod": FileKind.GO_MOD,
    "cargo.toml": FileKind.CARGO_TOML,
}
_WORKFLOW = re2.compile(r"(?i)\.github/workflows/[^/]+\.ya?ml")
_DOCUMENT_ENDING = re2.compile(r"(?i).+\.(?:md|markdown|rst|adoc)")
# A licence may be named after its terms (LICENSE-APACHE, LICENSE.BSD, NOTICE.txt), never after a program's language.
_LICENCE = re2.compile(r"(?:LICENSE|NOTICE)S?(?:[-_.][A-Za-z0-9+]+)*")
_LICENCE_ENDING = re2.compile(r"[^.]*|.*\.(?:[A-Z0-9]+|[0-9]+[-A-Za-z0-9]*|txt|html)")
_IMAGE = re2.compile(r"(?i)(?:.*/)?docs/.*\.(?:png|jpe?g|gif|webp|svg|ico|bmp|avif)")
# What tools and agents take as instructions, whatever its ending.
_INSTRUCTION_NAMES = (
    *(
        "codeowners*",
        "requirements*",
        "agent*.md",
        "claude*.md",
        "gemini*.md",
        "copilot*.md",
        "skill*.md",
    ),
    *("codex*.md", "cursor*.md", "qwen*.md", "warp.md", "jules.md", "crush.md", "llms*.md", "prompt*", "*.prompt.*"),
    *("*.prompts.*", "*.instructions.*", "*instructions.md", "*.agent.*", "*.chatmode.*", "*.mode.*", "*-prompt.*"),
    "*_prompt.*",
)
_INSTRUCTION_FOLDERS = frozenset(("prompt", "prompts", "instructions", "agents", "skills", "chatmodes"))
_PLAIN_PATH = re2.compile(r"[\pL\pN\pM !#$%&'()+,\-./=@\[\]^_{}~]+")


def file_kind(path: str) -> FileKind:
    """Say what the file at this path is for; a path with odd characters or parts is never more than ``other``."""
    name = basename(path)
    folded = name.casefold()
    if _WORKFLOW.fullmatch(path):
        return FileKind.WORKFLOW
    if folded in _NAMED:
        return _NAMED[folded]
    if folded.startswith("requirements") and folded.endswith((".txt", ".in")):
        return FileKind.REQUIREMENTS
    if folded.startswith("dockerfile"):
        return FileKind.DOCKERFILE
    if name in _LOCKFILES or name.endswith(".lock"):
        return FileKind.LOCKFILE
    return _document_kind(path, name) if _is_plain(path) and not _instructs(path) else FileKind.OTHER


def _document_kind(path: str, name: str) -> FileKind:
    if _DOCUMENT_ENDING.fullmatch(name) or (_LICENCE.fullmatch(name) and _LICENCE_ENDING.fullmatch(name)):
        return FileKind.DOCUMENT
    return FileKind.IMAGE if _IMAGE.fullmatch(path) else FileKind.OTHER


def _is_plain(path: str) -> bool:
    return bool(_PLAIN_PATH.fullmatch(path)) and not {"", ".", ".."} & set(path.split("/"))


def _instructs(path: str) -> bool:
    """Say whether owners, tools or agents take their instructions from the file.

    So they do from what stands in a hidden folder, other than documents of the host's own folder ``.github``.
    """
    *folders, name = path.casefold().split("/")
    return (
        any(fnmatchcase(name, pattern) for pattern in _INSTRUCTION_NAMES)
        or any(folder in _INSTRUCTION_FOLDERS for folder in folders)
        or any(folder.startswith(".") and folder != ".github" for folder in folders)
    )
