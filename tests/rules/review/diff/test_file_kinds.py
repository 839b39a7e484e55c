"""A path says what a file is for, and where two kinds fit the one with more consequences wins (review §8.2)."""

import pytest

from autoswe.rules.review.diff.file_kinds import FileKind, file_kind


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "a/b.markdown",
        "x.rst",
        "guide.adoc",
        "LICENSE",
        "LICENSE.txt",
        "LICENSE-APACHE",
        "LICENSE.BSD",
        "NOTICE",
        "NOTICE.txt",
        "NOTICES.md",
        "CHANGELOG.MD",
        ".github/PULL_REQUEST_TEMPLATE.md",
        "docs/naïve.md",
    ],
)
def test_documents_are_known_by_name(path: str) -> None:
    assert file_kind(path) is FileKind.DOCUMENT


@pytest.mark.parametrize("path", ["docs/a.png", "docs/img/a.JPG", "site/docs/logo.svg"])
def test_images_under_docs_are_documentation(path: str) -> None:
    assert file_kind(path) is FileKind.IMAGE


@pytest.mark.parametrize(
    "path",
    [
        "notes.txt",
        "allow.txt",
        "logo.png",
        "docs/x.py",
        "LICENSE.py",
        "LICENSE.sh",
        "LICENSER",
        "md",
        "README.md.sh",
        "README.mdx",
        "docs/a.png.sh",
        "docs.png",
        "mydocs/a.png",
        "NOTICE-server.js",
        "CODEOWNERS",
        "docs/CODEOWNERS",
        ".github/CODEOWNERS",
        "CODEOWNERS.md",
        "requirements.md",
        "requirements-dev.rst",
    ],
)
def test_what_only_looks_like_a_document_is_none(path: str) -> None:
    assert file_kind(path) not in {FileKind.DOCUMENT, FileKind.IMAGE}


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "sub/agents.md",
        "AGENT.md",
        "AGENTS.override.md",
        "CLAUDE.md",
        "claude.local.md",
        "GEMINI.md",
        "SKILL.md",
        ".github/copilot-instructions.md",
        ".github/instructions/py.md",
        ".github/prompts/x.prompt.md",
        "prompts/a.md",
        "prompt/review.md",
        ".claude/commands/go.md",
        ".cursor/rules/x.md",
        "skills/deploy/notes.md",
        "agents/fixer.md",
        "x.agent.md",
        "x.chatmode.md",
        "system_prompt.md",
        ".changeset/a.md",
    ],
)
def test_what_instructs_an_agent_or_a_tool_is_code(path: str) -> None:
    assert file_kind(path) is FileKind.OTHER


@pytest.mark.parametrize(
    "path", ["../README.md", "a//b.md", "./a.md", "a\\b.md", "a\u202egnp.md", "a\n.md", "a\u200b.md"]
)
def test_a_path_with_odd_parts_or_characters_is_no_document(path: str) -> None:
    assert file_kind(path) is FileKind.OTHER


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".github/workflows/LICENSE.yml", FileKind.WORKFLOW),
        (".github/workflows/NOTICE-check.yaml", FileKind.WORKFLOW),
        (".GitHub/Workflows/ci.YML", FileKind.WORKFLOW),
        ("action.yml", FileKind.ACTION),
        ("docs/action.yaml", FileKind.ACTION),
        ("Dockerfile.md", FileKind.DOCKERFILE),
        ("requirements-dev.txt", FileKind.REQUIREMENTS),
        ("requirements/requirements.in", FileKind.REQUIREMENTS),
        (".pre-commit-config.yaml", FileKind.PRE_COMMIT),
        ("a/pyproject.toml", FileKind.PYPROJECT),
        ("package.json", FileKind.PACKAGE_JSON),
        ("go.mod", FileKind.GO_MOD),
        ("Cargo.toml", FileKind.CARGO_TOML),
    ],
)
def test_workflows_actions_and_manifests_are_known_whatever_else_fits(path: str, kind: FileKind) -> None:
    assert file_kind(path) is kind


@pytest.mark.parametrize(
    "path",
    [
        "uv.lock",
        "poetry.lock",
        "a/package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "Cargo.lock",
        "go.sum",
        "Gemfile.lock",
        "flake.lock",
    ],
)
def test_lockfiles_are_known_by_name(path: str) -> None:
    assert file_kind(path) is FileKind.LOCKFILE


@pytest.mark.parametrize("path", [".github/workflows/deep/ci.yml", "workflows/ci.yml", ".github/workflows/run.sh"])
def test_only_what_the_host_runs_as_a_workflow_is_one(path: str) -> None:
    assert file_kind(path) is FileKind.OTHER
