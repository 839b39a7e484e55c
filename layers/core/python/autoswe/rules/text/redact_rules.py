"""The shapes of credentials, one rule each, for logs that reach a model and changes that reach a branch (feedback §4).

Patterns are RE2. They see text that begins with a line end and holds no terminal escapes and no hidden characters. A
group named ``secret`` is what must not be shown; without it the whole match is. The shapes are those that the issuers
document or show in public.
"""

from collections.abc import Callable
from dataclasses import dataclass

import re2


@dataclass(frozen=True, slots=True)
class RedactionRule:
    """One shape of a credential; ``is_secret``, where given, must hold for the secret part as well."""

    id: str
    pattern: str
    is_secret: Callable[[str], bool] | None = None


# Logs escape line ends: the letter after a backslash does not belong to the word.
START = r"(?:[^A-Za-z0-9]|\\[nrt])"
"""What stands before a token that its own shape gives away."""
# A token may be wrapped over lines, or put together from string literals.
_SPLIT = r"""(?:\\?\r?\n[ \t]*|["'][ \t]*\+?[ \t]*["'])?"""

_IDENTIFIER = r"[A-Za-z]*\d{0,2}(?:_[A-Za-z]*\d{0,2})+"
_MEMBER = r"[A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+"
_CODE = re2.compile(rf"{_IDENTIFIER}|{_MEMBER}|.*[(\[]")
_TEMPLATE = re2.compile(r"[$%&@!#]?[<{(\[].*|\$\w+|%\w+%?")
_REFERENCE = re2.compile(
    r"arn:.*|.*://.*|[.~]*(?:[/\\][A-Za-z0-9_.@-]+)+|[a-z0-9_.-]+(?:/[a-z0-9_.-]+)+|#[0-9A-Fa-f]{3,8}"
)
_PLACEHOLDER = re2.compile(
    r"(?i)(?:a|an|access|admin|api|auth|bar|baz|change|client|default|dummy|example|fake|false|foo|here|id|key|me|mock|"
    r"my|new|no|none|not|null|oauth|old|pass|passwd|password|pwd|real|redacted|refresh|root|sample|secret|session|some|"
    r"string|super|test|testing|the|this|token|true|undefined|user|value|your|"
    r"x+|\*+|\.+|0+|1?2?3?4?5?6?7?8?9?|[_\-. ])+"
)


def _is_filled_in(value: str) -> bool:
    """Judge a value that something else gives away: neither a placeholder, a variable nor a documented example."""
    return not (_PLACEHOLDER.fullmatch(value) or _TEMPLATE.fullmatch(value) or "EXAMPLE" in value)


def _is_quoted_secret(value: str) -> bool:
    """Judge the value of a name such as ``password``: a word of a language mixes in no digits and no symbols."""
    mixed = any(map(str.isalpha, value)) and any(char.isdigit() or char in "@#$%^*+~" for char in value)
    return mixed and _is_filled_in(value) and not _REFERENCE.fullmatch(value)


def _is_bare_secret(value: str) -> bool:
    """Judge a value without quotes, which may be a piece of code as well."""
    return _is_quoted_secret(value) and not _CODE.fullmatch(value)


def _token(prefix: str, alphabet: str, length: int, tail: str = "") -> str:
    """Describe a token: a prefix, at least ``length`` characters of an alphabet, and more of it or of ``tail``."""
    return rf"{START}(?P<secret>{prefix}(?:{_SPLIT}[{alphabet}]){{{length}}}[{alphabet}{tail}]*)"


_ALNUM = "A-Za-z0-9"
_URL_SAFE = r"A-Za-z0-9_\-"

_NAMES = (
    r"token|secret|passw(?:or)?d|passphrase|pwd|credential|"
    r"(?:api|access|account|auth|client|encryption|private|secret|shared|signing|storage)[_\-. ]?key"
)
_NAME = rf"(?i:(?:{_NAMES})s?(?:[_\-.]?(?:value|b64|base64|string|\d+))?)"
_ASSIGNS = r"(?:[ \t]*:[ \t]*[A-Za-z][A-Za-z0-9_.\[\] |]{0,40})?[ \t]*[:=!]?={1,2}>?"
_GIVES = rf"(?:{_ASSIGNS}|[ \t]*:)[ \t]*"
# A colon without a space also joins the parts of a resource's name, where another colon stands before.
_GIVES_BARE = rf"(?:{_ASSIGNS}|[ \t]*:[ \t])[ \t]*"
_QUOTED_GIVES = r"""["'\\]*\s*(?:=>|:=|=|:)\s*["'\\]*"""
_ALONE = r"[^:A-Za-z0-9_.\-][A-Za-z0-9_.\-]*"
_BARE = r"""[^\s"'`&;,(){}<>\[\]]{6,}[(\[]?"""

_GAP = r"""(?:\\+[nrt]|[\s"'`+,>])"""
_STAMP = r"(?:[0-9][0-9T:.,+\-/ ]{7,40}Z?[ \t]+|[\w.\-]{1,40}[ \t]*\|)?"
_LINE = rf"{_GAP}*{_STAMP}{_GAP}*"
_BODY = r"[A-Za-z0-9+/=]{20,}"
_SHORT_BODY = r"[A-Za-z0-9+/=]{1,76}"
_PEM_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\r\n\\]*"
_PEM_END = rf"(?:{_LINE}{_SHORT_BODY}{_GAP}){{0,2}}{_LINE}-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----"

REDACTION_RULES = (
    RedactionRule(
        "private_key",
        rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----(?:{_LINE}(?:{_PEM_HEADER}|{_BODY}))+(?:{_PEM_END})?",
    ),
    RedactionRule("private_key_end", rf"(?:{_BODY}{_LINE})+{_PEM_END}"),
    RedactionRule("github_app_token", rf"{START}(?P<secret>ghs_[0-9]+_eyJ[A-Za-z0-9_.\-]+)"),
    RedactionRule("jwt", rf"{START}(?P<secret>eyJ[\w\-]{{8,}}\.eyJ[\w\-]{{8,}}(?:\.[\w\-]*)?)"),
    RedactionRule("github_token", _token("gh[pousr]_", _ALNUM, 36, r"_.\-")),
    RedactionRule("github_fine_grained_token", _token("github_pat_", r"A-Za-z0-9_", 22)),
    RedactionRule("aws_access_key_id", rf"{START}(?P<secret>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}})\b", _is_filled_in),
    RedactionRule(
        "aws_secret_access_key",
        rf"(?i)secret_?access_?key{_QUOTED_GIVES}(?P<secret>[A-Za-z0-9/+]{{40}})",
        _is_filled_in,
    ),
    RedactionRule(
        "aws_session_token",
        rf"(?i)(?:session_?|security-)token{_QUOTED_GIVES}(?P<secret>[A-Za-z0-9/+=%]{{100,}})",
        _is_filled_in,
    ),
    RedactionRule("aws_signature", r"(?i)x-amz-signature[=:]\s*(?P<secret>[0-9a-f]{64})"),
    RedactionRule("age_key", _token("AGE-SECRET-KEY-1", "0-9A-Z", 58)),
    RedactionRule(
        "url_password", r"""[A-Za-z][A-Za-z0-9+.\-]*://[^\s/:@"'<>\[]*:(?P<secret>[^\s/@"'<>\[]+)@""", _is_filled_in
    ),
    RedactionRule("url_token", r"""[A-Za-z][A-Za-z0-9+.\-]*://(?P<secret>[^\s/:@"'<>]{20,})@""", _is_bare_secret),
    RedactionRule(
        "authorization",
        r"""(?i)authorization["'\\]*\s*[:=,]\s*["'\\]*(?:basic|bearer|token|apikey|negotiate|digest)\s+"""
        r"""(?P<secret>[^\s"'\\,;]{6,})""",
        _is_filled_in,
    ),
    RedactionRule("bearer", rf"(?i){START}bearer\s+(?P<secret>[A-Za-z0-9._~+/=\-]{{16,}})", _is_bare_secret),
    RedactionRule("basic_option", r"""(?:-u|--user)[ =]["']?[^\s:"']+:(?P<secret>[^\s"']{6,})""", _is_bare_secret),
    RedactionRule("netrc", r"""(?i)login\s+\S+\s+password\s+(?P<secret>\S{6,})""", _is_bare_secret),
    RedactionRule("slack_token", _token("(?:xox[abceoprs]-|xapp-)", r"A-Za-z0-9\-", 24)),
    RedactionRule(
        "slack_webhook", r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9/_\-]{20,})"
    ),
    RedactionRule("discord_webhook", r"discord(?:app)?\.com/(?P<secret>api/webhooks/[0-9]+/[\w\-]{20,})"),
    RedactionRule("telegram_token", rf"{START}(?P<secret>[0-9]{{8,10}}:AA[\w\-]{{33}})"),
    RedactionRule("npm_token", _token("npm_", _ALNUM, 36)),
    RedactionRule(
        "npm_auth", r"""[\s/:]_(?:authToken|auth|password)\s*=\s*["']?(?P<secret>[^\s"']{8,})""", _is_bare_secret
    ),
    RedactionRule("pypi_token", _token("pypi-AgE", _URL_SAFE, 50)),
    RedactionRule("rubygems_token", _token("rubygems_", "0-9a-f", 48)),
    RedactionRule("docker_token", _token("dckr_(?:pat|oat)_", _URL_SAFE, 20)),
    RedactionRule("gitlab_token", _token("gl(?:pat|dt|ptt|rt|soat|agent|cbt|imt|ft|oas)-", _URL_SAFE, 20, ".")),
    RedactionRule("stripe_key", _token("(?:sk|rk)_(?:live|test)_", _ALNUM, 16)),
    RedactionRule("stripe_webhook_secret", _token("whsec_", _ALNUM, 24, "+/=")),
    RedactionRule("google_api_key", _token("AIza", _URL_SAFE, 35)),
    RedactionRule("google_oauth_token", _token(r"ya29\.", _URL_SAFE, 20, ".")),
    RedactionRule("google_client_secret", _token("GOCSPX-", _URL_SAFE, 28)),
    RedactionRule("azure_key", r"(?i)(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/=]{40,})"),
    RedactionRule("azure_signature", r"(?i)[?&;]sig=(?P<secret>[A-Za-z0-9%+/=]{40,})"),
    RedactionRule("azure_client_secret", rf"{START}(?P<secret>[A-Za-z0-9_~.]{{3}}[0-9]Q~[A-Za-z0-9_~.\-]{{31,34}})"),
    RedactionRule("anthropic_key", _token("sk-ant-", _URL_SAFE, 20)),
    RedactionRule("openai_key", _token("sk-(?:proj|svcacct|admin|or-v1)-", _URL_SAFE, 20)),
    RedactionRule("model_key", _token("sk-", _ALNUM, 32)),
    RedactionRule("huggingface_token", _token("hf_", _ALNUM, 30)),
    RedactionRule("groq_key", _token("gsk_", _ALNUM, 40)),
    RedactionRule("sendgrid_key", _token(r"SG\.", _URL_SAFE, 22, ".")),
    RedactionRule("twilio_key", rf"{START}(?P<secret>SK[0-9a-f]{{32}})\b"),
    RedactionRule("digitalocean_token", _token("do[opr]_v1_", "0-9a-f", 64)),
    RedactionRule("hashicorp_token", _token(r"hv[sbr]\.", _URL_SAFE, 24)),
    RedactionRule("terraform_token", rf"{START}(?P<secret>[A-Za-z0-9]{{14}}\.atlasv1\.[\w\-=]{{60,}})"),
    RedactionRule("databricks_token", rf"{START}(?P<secret>dapi[0-9a-f]{{32}})"),
    RedactionRule("grafana_token", _token("gl(?:sa|c)_", "A-Za-z0-9_", 32, "+/=")),
    RedactionRule("atlassian_token", _token("ATATT3", _URL_SAFE, 60, "=")),
    RedactionRule("shopify_token", _token("shp(?:at|ca|pa|ss)_", "0-9a-fA-F", 32)),
    RedactionRule("linear_key", _token("lin_api_", _ALNUM, 40)),
    RedactionRule("sentry_token", _token("sntry[su]_", r"A-Za-z0-9_+/=\-", 40)),
    RedactionRule("newrelic_key", _token("NRAK-", "0-9A-Z", 27)),
    RedactionRule(
        "quoted_secret",
        rf"""{_NAME}["'\]\\]*{_GIVES}[rbfu]?\\*["'](?P<secret>[^\s"'\\]{{6,}})\\*["']""",
        _is_quoted_secret,
    ),
    RedactionRule(
        "bare_secret",
        # One name may follow another; taken for a value, it would hide the value behind it.
        rf"""(?:(?:[\w.\-]*{_NAME}["'\]\\]*{_GIVES_BARE})+|{_ALONE}{_NAME}["'\]\\]*:)(?P<secret>{_BARE})""",
        _is_bare_secret,
    ),
    RedactionRule("option_secret", rf"""--[\w\-]*{_NAME}[ =]["']?(?P<secret>[^\s"'\-]{_BARE})""", _is_bare_secret),
)
"""All rules in the order they apply, each to what the earlier ones left: shapes that may hold another one lead."""
