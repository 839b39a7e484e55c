"""No credential survives in a text that reaches a model or a branch, and ordinary text survives (feedback §4)."""

import base64
import hashlib
import json
import uuid
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.redact import find_secrets, redact
from autoswe.rules.text.redact_rules import REDACTION_RULES

# Every credential is put together here, so that no scanner takes this file for a leak.
MIXED = "a1B2c3D4e5F6g7H8i9J0"
LOWER_HEX = hashlib.sha256(b"credential").hexdigest()


def letters(length: int) -> str:
    return (MIXED * 10)[:length]


def encoded(length: int) -> str:
    return base64.b64encode(b"credential" * 40).decode()[:length]


JWT = ".".join(["ey" + "JhbGciOiJSUzI1NiJ9", "ey" + "JzdWIiOiIxMjM0In0", letters(40)])
KEY_LINES = [encoded(64), encoded(64), encoded(24)]
BEGIN, END = ("-----{} RSA PRIVATE" + " KEY-----").format("BEGIN"), ("-----{} RSA PRIVATE" + " KEY-----").format("END")
PEM = "\n".join([BEGIN, *KEY_LINES, END])

TOKENS = {
    "github_token": "gh" + "p_" + letters(36),
    "github_app_token": "gh" + "s_" + "12345_" + JWT,
    "github_fine_grained_token": "github" + "_pat_" + letters(22) + "_" + letters(59),
    "aws_access_key_id": "AK" + "IA" + "ABCDEFGHIJ234567",
    "age_key": "AGE-SECRET" + "-KEY-1" + letters(58).upper(),
    "jwt": JWT,
    "slack_token": "xo" + "xb-" + "123456789012-" + letters(24),
    "telegram_token": "123456789" + ":AA" + letters(33),
    "npm_token": "np" + "m_" + letters(36),
    "pypi_token": "py" + "pi-AgE" + letters(80),
    "rubygems_token": "ruby" + "gems_" + LOWER_HEX[:48],
    "docker_token": "dck" + "r_pat_" + letters(27),
    "gitlab_token": "gl" + "pat-" + letters(20),
    "stripe_key": "sk" + "_live_" + letters(24),
    "stripe_webhook_secret": "wh" + "sec_" + letters(32),
    "google_api_key": "AI" + "za" + letters(35),
    "google_oauth_token": "ya" + "29." + letters(60),
    "google_client_secret": "GOC" + "SPX-" + letters(28),
    "azure_client_secret": "a1B" + "8Q~" + letters(34),
    "anthropic_key": "sk-" + "ant-api03-" + letters(80),
    "openai_key": "sk-" + "proj-" + letters(60),
    "model_key": "sk-" + letters(48),
    "huggingface_token": "h" + "f_" + letters(34),
    "groq_key": "gs" + "k_" + letters(52),
    "sendgrid_key": "S" + "G." + letters(22) + "." + letters(43),
    "twilio_key": "S" + "K" + LOWER_HEX[:32],
    "digitalocean_token": "do" + "p_v1_" + LOWER_HEX,
    "hashicorp_token": "hv" + "s." + letters(40),
    "terraform_token": letters(14) + ".atlas" + "v1." + letters(60),
    "databricks_token": "da" + "pi" + LOWER_HEX[:32],
    "grafana_token": "gl" + "sa_" + letters(32) + "_" + LOWER_HEX[:8],
    "atlassian_token": "AT" + "ATT3" + letters(100) + "=" + LOWER_HEX[:8].upper(),
    "shopify_token": "shp" + "at_" + LOWER_HEX[:32],
    "linear_key": "lin" + "_api_" + letters(40),
    "sentry_token": "sntr" + "ys_" + letters(60),
    "newrelic_key": "NR" + "AK-" + letters(27).upper(),
}
"""Tokens that their own shape gives away, by the rule that must find them."""

NAMED = {
    "aws_secret_access_key": ("AWS_SECRET_ACCESS_KEY={}", encoded(40)),
    "aws_session_token": ('"SessionToken": "{}"', encoded(200)),
    "aws_signature": ("https://b.s3.amazonaws.com/k?X-Amz-Signature={}&x=1", LOWER_HEX),
    "url_password": ("git clone https://x-access-token:{}@github.com/o/r", "s3cr3t"),
    "url_token": ("git clone https://{}@github.com/o/r", LOWER_HEX[:40]),
    "authorization": ('curl -H "Authorization: Basic {}"', encoded(30)),
    "bearer": ("sent bearer {} to the host", letters(30)),
    "basic_option": ("curl -u me:{} https://example.com", "pa55word"),
    "netrc": ("machine example.com login me password {}", "pa55word"),
    "slack_webhook": ("https://hooks.slack.com/{}", "services/T00000000/B00000000/" + letters(24)),
    "discord_webhook": ("https://discord.com/{}", "api/webhooks/1234/" + letters(68)),
    "npm_auth": ("//registry.example.com/:_authToken={}", LOWER_HEX[:40]),
    "azure_key": ("AccountName=a;AccountKey={};EndpointSuffix=x", encoded(86) + "=="),
    "azure_signature": ("https://a.blob.example.com/c?sv=1&sig={}", encoded(44)),
    "quoted_secret": ('password = "{}"', "hunter2-hunter"),
    "bare_secret": ("DATABASE_PASSWORD={}", "hunter2"),
    "option_secret": ("deploy --api-key {} --verbose", letters(20)),
    "private_key": ("key:\n{}\ndone", PEM),
    "private_key_end": ("…{}\ndone", "\n".join([*KEY_LINES, END])),
}
"""Secrets that only their surroundings give away, by the rule that must find them."""

SAMPLES = {
    **{rule: ("log: {} done", token) for rule, token in TOKENS.items()},
    **NAMED,
}


@pytest.mark.parametrize("rule", [rule.id for rule in REDACTION_RULES])
def test_every_rule_finds_its_credential_and_leaves_the_rest(rule: str) -> None:
    place, secret = SAMPLES[rule]
    assert redact(place.format(secret)).text == place.format(f"[redacted:{rule}]")
    assert rule in find_secrets(place.format(secret))


MORE_FORMS = {
    "an installation token": ("{}", "gh" + "s_" + letters(36)),
    "a token after an escaped line end": ("first\\n{}", "gh" + "p_" + letters(36)),
    "a token in JSON": ('{{"token":"{}"}}', "gh" + "o_" + letters(36)),
    "a token in a query": ("https://example.com/?access_token={}&x=1", letters(20)),
    "a named key in YAML": ("  api_key: {}", letters(32)),
    "a named key in JSON": ('{{"clientSecret": "{}", "id": 1}}', "Q~" + letters(20)),
    "a named key in JSON in JSON": ('"{{\\"password\\": \\"{}\\"}}"', "hunter2-hunter"),
    "a named key in a dictionary": ("config['db_password'] = '{}'", "hunter2-hunter"),
    "a name behind a name": ("token: my_password: {}", "hunter2-hunter"),
    "an option behind an option": ("deploy --token --password {}", "hunter2-hunter"),
    "a header": ("X-Api-Key: {}", letters(20)),
    "a typed constant": ('API_TOKEN: Final[str] = "{}"', letters(20)),
    "a comparison": ('if token == "{}":', letters(20)),
    "a hash rocket": ("'secret' => '{}'", letters(20)),
    "a masked scheme's credential": ("http.extraheader=AUTHORIZATION: basic {}", encoded(40)),
    "a truncated key": ("{}\nBuild failed", "\n".join([BEGIN, *KEY_LINES])),
    "a key with escaped line ends": ('"private_key": "{}\\n", "x": 1', "\\n".join([BEGIN, *KEY_LINES, END])),
    "a key with time stamps": (
        "2026-01-01T00:00:00.0000000Z {}\n2026-01-01T00:00:00.0000000Z done",
        "\n2026-01-01T00:00:00.0000000Z ".join([BEGIN, *KEY_LINES, END]),
    ),
    "a key of a container's log": ("web_1  | {}\nweb_1  | done", "\nweb_1  | ".join([BEGIN, *KEY_LINES, END])),
    "a key in a diff": ("+{}\n+done", "\n+".join([BEGIN, *KEY_LINES, END])),
    "a key on one line": ("KEY={} done", " ".join([BEGIN, *KEY_LINES, END])),
    "an encrypted key": (
        "{}",
        "\n".join([BEGIN, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,AB12", "", *KEY_LINES, END]),
    ),
    "a key with CRLF": ("{}\r\ndone", PEM.replace("\n", "\r\n")),
}


@pytest.mark.parametrize(("place", "secret"), MORE_FORMS.values(), ids=MORE_FORMS.keys())
def test_credentials_are_found_in_every_form_logs_and_code_give_them(place: str, secret: str) -> None:
    before, after = place.format("\0", "\0").split("\0")[0], place.format("\0").split("\0")[1]
    redacted = redact(place.format(secret)).text
    assert redacted.startswith(before)
    assert redacted.endswith(after)
    assert redacted.count("[redacted:") == 1
    assert len(redacted) <= len(before) + len("[redacted:github_fine_grained_token]") + len(after)


@given(
    st.sampled_from(list(TOKENS.values())),
    st.integers(1, 19),
    st.sampled_from(["\x1b[0m", "\x1b[1;31m", "\x1b]0;t\x07", "\x08", "\u200b", "\0"]),
)
def test_escapes_and_hidden_characters_split_no_token(token: str, at: int, hidden: str) -> None:
    assert redact(f"log: {token[:at]}{hidden}{token[at:]} done").text == redact(f"log: {token} done").text


@pytest.mark.parametrize("glue", ["\n", "\\\n", "\r\n    ", "' + '", "' '", '" + "'])
@pytest.mark.parametrize(
    "rule", ["github_token", "github_fine_grained_token", "slack_token", "npm_token", "pypi_token", "anthropic_key"]
)
def test_a_wrapped_or_concatenated_token_is_found_whole(rule: str, glue: str) -> None:
    token = TOKENS[rule]
    assert redact(f"log: {token[:20]}{glue}{token[20:]} done").text == f"log: [redacted:{rule}] done"


KEPT = [
    "Build succeeded in 3 min 12 s: 412 passed, 3 skipped.",
    hashlib.sha1(b"x").hexdigest(),
    LOWER_HEX,
    hashlib.sha512(b"x").hexdigest(),
    str(uuid.UUID(int=2**127 + 12345)),
    f"sha256:{LOWER_HEX}",
    "integrity sha512-" + base64.b64encode(hashlib.sha512(b"x").digest()).decode(),
    "Merge pull request #12 from octo-org/fix-token-refresh",
    "https://github.com/octo-org/repo/actions/runs/1234567890",
    "https://example.com/a?token=&page=2",
    "ssh://git@github.com/o/r.git and git@github.com:o/r.git",
    "postgres://user:password@localhost:5432/test",
    "postgres://${USER}:${PASSWORD}@localhost/db",
    'password = os.environ["DATABASE_PASSWORD"]',
    "password = getpass.getpass()",
    "token: str | None = None",
    "def login(user: str, password: str) -> None:",
    "api_key=settings.openai_api_key2,",
    "api_key=openai_key2,",
    "token = request.headers['X-Token-V2']",
    'token = "<your-token>"',
    'password = "password123"',
    'password = "Xylophone"',
    'secret: "${{ secrets.DEPLOY_KEY_2 }}"',
    "GITHUB_TOKEN: ***",
    "AUTHORIZATION: basic ***",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "tokens: 12345 in, 678 out",
    "token_url = 'https://auth.example.com/v1/token2'",
    "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-a1B2c3",
    "secret_name = projects/12/secrets/db2",
    "aws_access_key_id = AK" + "IAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCYzEXAMPLEKEY",
    "private_key = Ed25519PrivateKey.generate()",
    "token = base64_bytes.decode('ascii')",
    "auth_token = b64encode(value)",
    "self.oauth2_credential = oauth2_credential",
    'Token: "#d8dee9",',
    "self.master_user_password = master_user_password",
    '{"SecretArn": "arn:aws:secretsmanager:us-east-1:000000000000:secret:evs!env-1234567890_Admin-MnTMEi"}',
    "The access key ID and the secret are both required.",
    "A bearer token is required for authentication-scheme-2.",
    "class='sk-spinner-circle-fade-in-and-out-animation'",
    "it_weighs_the_total_cost_of_every_single_item_in_the_list",
    "-----BEGIN CERTIFICATE-----\n" + encoded(64) + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + encoded(64) + "\n-----END PUBLIC KEY-----",
    "emoji 👩‍👩‍👧 and می‌خواهم stay",
    "col1\tcol2\r\n",
    "",
]


@pytest.mark.parametrize("text", KEPT)
def test_ordinary_text_hashes_and_references_stay(text: str) -> None:
    assert redact(text) == redact("").__class__(text, ())


@given(st.lists(st.sampled_from([*KEPT, " ", "\n"])).map("\n".join))
def test_ordinary_text_stays_in_any_company(text: str) -> None:
    assert redact(text).text == text


@given(st.text(alphabet=ascii_letters + digits + " .,-_/:\n"), st.sampled_from(sorted(SAMPLES)))
def test_the_secret_is_gone_whatever_surrounds_it(surroundings: str, rule: str) -> None:
    place, secret = SAMPLES[rule]
    redacted = redact(f"{surroundings}\n{place.format(secret)}\n{surroundings}").text
    assert secret not in redacted


@given(st.lists(st.sampled_from([*(place.format(secret) for place, secret in SAMPLES.values()), "and", "\n"])))
def test_redacting_again_changes_nothing(texts: list[str]) -> None:
    redacted = redact(" ".join(texts)).text
    assert redact(redacted).text == redacted


def test_several_credentials_of_one_kind_all_go_and_what_stands_between_them_stays() -> None:
    token = TOKENS["npm_token"]
    redaction = redact(f"one {token} two {token} three")
    assert redaction.text == "one [redacted:npm_token] two [redacted:npm_token] three"
    assert redaction.found == ("npm_token",)


def test_joiners_between_latin_letters_go() -> None:
    assert redact("a\u200db\u200c\u200dc").text == "abc"


def test_the_opening_line_of_a_key_alone_is_no_secret() -> None:
    assert find_secrets(f"marker = '{BEGIN}'\nif marker in text:") == ()


def test_a_secret_that_two_rules_find_is_removed_once_and_named_by_the_first() -> None:
    token = TOKENS["github_token"]
    redaction = redact(f"GITHUB_TOKEN={token}")
    assert redaction.text == "GITHUB_TOKEN=[redacted:github_token]"
    assert redaction.found == ("github_token",)


def test_terminal_escapes_and_control_characters_go_with_or_without_a_secret() -> None:
    assert redact("\x1b[32mok\x1b[0m\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\\x07\tdone\n").text == "oklink\tdone\n"


def test_any_text_can_be_redacted() -> None:
    assert redact("half a pair \ud800 of surrogates").text == "half a pair ? of surrogates"


@given(st.text())
def test_a_text_is_redacted_without_failing(text: str) -> None:
    assert json.dumps(redact(text).text)


def test_the_ids_of_rules_are_unique() -> None:
    assert len({rule.id for rule in REDACTION_RULES}) == len(REDACTION_RULES)
