"""What has to be true before a run may mint a token, and before it may use one (review §4.4).

Each rule judges values that the run already holds, and refuses by naming the check and never what it read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MIN_KEY_CHARACTERS = 1_000
MAX_KEY_CHARACTERS = 16_384
"""A 2048-bit RSA key, the least that GitHub issues, is about 1,700 characters of PEM; nothing near 16 KiB is one."""

WITHOUT_MODEL: Final = "rules"
"""The reviewer that asks no model, and so has no credential."""

MODEL_CREDENTIAL_PREFIXES: Mapping[str, str | None] = {
    "copilot": "github_pat_",
    "claude": "sk-ant-",
    "codex": "sk-",
    "command": None,
    WITHOUT_MODEL: None,
}
"""How each agent's credential begins; of ``command`` nobody can tell, and ``rules`` has none."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_SLUG = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,98}")
_APP_ID = re.compile(r"[1-9][0-9]{0,11}|Iv[0-9][0-9A-Za-z]{17}|Iv1\.[0-9a-f]{16}")
_PEM = re.compile(
    r"\s*-----BEGIN (?P<kind>(?:RSA )?PRIVATE KEY)-----\r?\n[A-Za-z0-9+/=\r\n]+-----END (?P=kind)-----\s*"
)
_CREDENTIAL = re.compile(r"[!-~]{20,1024}")
_FORBIDDEN = ("push", "maintain", "admin")


class PreflightCheck(StrEnum):
    """What is checked, in order.

    Before the token for reading: ``release_digest``: the installed program is the one that the workflow was deployed
    with. ``app_slug``: the configuration names one App, by a slug. ``app_id``, ``private_key``: they look like what
    they should be. ``model_credential``: it has the prefix that its agent's credentials have. ``app_configured``: a
    live run has an App. After it: ``read_token_app``: the App that minted it is the configured one.
    ``read_token_permissions``: it can neither push nor maintain nor administer. Before the approval:
    ``write_token_app``.
    """

    RELEASE_DIGEST = "release_digest"
    APP_CONFIGURED = "app_configured"
    APP_SLUG = "app_slug"
    APP_ID = "app_id"
    PRIVATE_KEY = "private_key"
    MODEL_CREDENTIAL = "model_credential"
    READ_TOKEN_APP = "read_token_app"  # noqa: S105 - a check's name
    READ_TOKEN_PERMISSIONS = "read_token_permissions"  # noqa: S105 - a check's name
    WRITE_TOKEN_APP = "write_token_app"  # noqa: S105 - a check's name


@dataclass(frozen=True)
class Refusal:
    """The run must not go on; ``sentence`` says why without quoting what was read."""

    check: PreflightCheck
    sentence: str


@dataclass(frozen=True)
class Configuration:
    """The App as configured: its slug, its id or client id, and its private key, absent when a key service holds it."""

    slug: str
    app_id: str
    private_key: str | None


def judge_release(installed: str, deployed: str) -> Refusal | None:
    """Require that the digest of the installed program is the one that the workflow was deployed with."""
    if _DIGEST.fullmatch(installed) and installed == deployed:
        return None
    return Refusal(
        PreflightCheck.RELEASE_DIGEST, "the installed program is not the one that the workflow was deployed with"
    )


def judge_configuration(app: Configuration | None, *, dry_run: bool) -> tuple[Refusal, ...]:
    """Judge the shapes of the App's configuration; only a dry run may go without one."""
    if app is None:
        return () if dry_run else (Refusal(PreflightCheck.APP_CONFIGURED, "a live run needs the review App"),)
    judged = (
        (PreflightCheck.APP_SLUG, _SLUG.fullmatch(app.slug), "the App's slug is not one lower-case slug"),
        (PreflightCheck.APP_ID, _APP_ID.fullmatch(app.app_id), "the App's id is neither an id nor a client id"),
        (
            PreflightCheck.PRIVATE_KEY,
            app.private_key is None or _is_private_key(app.private_key),
            "the App's private key is not one key in PEM of a plausible length",
        ),
    )
    return tuple(Refusal(check, sentence) for check, holds, sentence in judged if not holds)


def judge_model_credential(agent: str, credential: str | None) -> Refusal | None:
    """Require the prefix that tells an agent's own credential from any other; an unknown agent is refused.

    The prefix cannot tell what else a credential is good for. Only ``rules`` goes without one.
    """
    if agent not in MODEL_CREDENTIAL_PREFIXES:
        return _bad_credential("nobody knows what the agent's credential looks like")
    if agent == WITHOUT_MODEL:
        return None if credential is None else _bad_credential("an agent without a model was given a credential")
    if credential is None or not _CREDENTIAL.fullmatch(credential):
        return _bad_credential("the model's credential is missing, or does not look like one")
    prefix = MODEL_CREDENTIAL_PREFIXES[agent]
    if prefix is not None and not credential.startswith(prefix):
        return _bad_credential(f"the model's credential does not begin with {prefix}")
    if agent == "codex" and credential.startswith("sk-ant-"):
        return _bad_credential("the model's credential is another agent's")
    return None


def judge_read_token(
    configured_slug: str, minted_by: str | None, permissions: Mapping[str, object] | None
) -> tuple[Refusal, ...]:
    """Judge a token for reading by the App that minted it and by what the repository says that it may do.

    ``permissions`` is the repository's own answer to that token; without one, or with an answer that leaves anything
    open, the token is refused.
    """
    found = [judge_slug(PreflightCheck.READ_TOKEN_APP, configured_slug, minted_by)]
    if permissions is None or any(permissions.get(power) is not False for power in _FORBIDDEN):
        found.append(
            Refusal(
                PreflightCheck.READ_TOKEN_PERMISSIONS,
                "the token for reading can push, maintain or administer, or nobody says that it cannot",
            )
        )
    return tuple(refusal for refusal in found if refusal is not None)


def judge_write_token(configured_slug: str, minted_by: str | None) -> Refusal | None:
    """Judge the one token that can approve by the App that minted it."""
    return judge_slug(PreflightCheck.WRITE_TOKEN_APP, configured_slug, minted_by)


def judge_slug(check: PreflightCheck, configured: str, minted_by: str | None) -> Refusal | None:
    """Require that the App that minted a token is the configured one, spelt exactly so."""
    if minted_by is not None and minted_by == configured and _SLUG.fullmatch(minted_by):
        return None
    return Refusal(check, "a token was minted by another App than the configured one")


def _is_private_key(text: str) -> bool:
    return MIN_KEY_CHARACTERS <= len(text) <= MAX_KEY_CHARACTERS and _PEM.fullmatch(text) is not None


def _bad_credential(sentence: str) -> Refusal:
    return Refusal(PreflightCheck.MODEL_CREDENTIAL, sentence)
