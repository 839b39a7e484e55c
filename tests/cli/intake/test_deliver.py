"""``autoswe deliver`` posts what GitHub would post, and says in one sentence why it cannot."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from autoswe.rules.intake.signature import SignatureVerdict, verify
from tests.support.intake import deliveries
from tests.support.intake.deliveries import GUID, SECRET


@dataclass
class Webhook:
    """A server that keeps what is posted to it."""

    url: str = ""
    status: int = 202
    posted: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    kept = Webhook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            kept.posted.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(kept.status)
            self.end_headers()
            self.wfile.write(b'{"outcome": "decided"}')

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
            """Keep the test's output clean."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        kept.url = f"http://127.0.0.1:{server.server_port}"
        yield kept
        server.shutdown()
        thread.join()


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    file = tmp_path / "delivery.json"
    kept = {"event": "issue_comment", "delivery": GUID, "payload": deliveries.discussion_comment("größer")}
    file.write_text(json.dumps(kept))
    return file


def run(*arguments: object, secret: str | None = SECRET) -> Result:
    environment = {"WEBHOOK_SECRET": secret}
    return CliRunner().invoke(assemble([]), ["deliver", *map(str, arguments)], env=environment)


def test_a_delivery_is_posted_to_its_connection_as_github_signs_and_labels_it(webhook: Webhook, delivery: Path) -> None:
    result = run(delivery, "--url", webhook.url, "--secret-env", "WEBHOOK_SECRET", "--connection", "review")
    assert (result.exit_code, result.stdout) == (0, '202 {"outcome": "decided"}\n')
    ((path, headers, body),) = webhook.posted
    assert path == "/github/review"
    assert (headers["x-github-event"], headers["x-github-delivery"]) == ("issue_comment", GUID)
    assert headers["content-type"] == "application/json"
    assert verify(headers["x-hub-signature-256"], body, [SECRET]) is SignatureVerdict.VALID
    assert json.loads(body) == deliveries.discussion_comment("größer")


def test_a_delivery_goes_to_the_feedback_connection_unless_another_is_named(webhook: Webhook, delivery: Path) -> None:
    assert run(delivery, "--url", f"{webhook.url}/", "--secret-env", "WEBHOOK_SECRET").exit_code == 0
    assert webhook.posted[0][0] == "/github/feedback"


def test_a_delivery_that_is_refused_fails_the_command(webhook: Webhook, delivery: Path) -> None:
    webhook.status = 401
    result = run(delivery, "--url", webhook.url, "--secret-env", "WEBHOOK_SECRET")
    assert (result.exit_code, result.stdout.split()[0]) == (1, "401")


@pytest.mark.parametrize(
    "kept", ["", "[]", "{}", '{"event": 1, "delivery": "g", "payload": {}}', '{"event": "e", "delivery": "g"}']
)
def test_a_file_that_holds_no_delivery_is_named(tmp_path: Path, kept: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(kept)
    result = run(file, "--url", "http://127.0.0.1:1", "--secret-env", "WEBHOOK_SECRET")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file} ")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere.json", "--url", "http://127.0.0.1:1", "--secret-env", "WEBHOOK_SECRET")
    assert (result.exit_code, result.stderr) == (
        2,
        f"{tmp_path / 'nowhere.json'} cannot be read: No such file or directory\n",
    )


@pytest.mark.parametrize("secret", [None, ""])
def test_without_a_secret_nothing_is_posted(webhook: Webhook, delivery: Path, secret: str | None) -> None:
    result = run(delivery, "--url", webhook.url, "--secret-env", "WEBHOOK_SECRET", secret=secret)
    assert (result.exit_code, result.stderr) == (2, "the environment variable WEBHOOK_SECRET is not set\n")
    assert webhook.posted == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nowhere", "http://[", "ftp://127.0.0.1"])
def test_a_webhook_that_does_not_answer_is_named(delivery: Path, url: str) -> None:
    result = run(delivery, "--url", url, "--secret-env", "WEBHOOK_SECRET")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{url} did not answer: ")


def plug_in(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, "autoswe.commands")


def greet() -> None:
    """Greet whoever asks."""
    typer.echo("good day")


def test_a_command_of_another_package_is_a_command_of_the_program() -> None:
    app = assemble([plug_in("greet", f"{__name__}:greet")])
    result = CliRunner().invoke(app, ["greet"])
    assert (result.exit_code, result.stdout) == (0, "good day\n")
    assert "Greet whoever asks." in CliRunner().invoke(app, ["--help"]).stdout


def test_a_command_that_is_not_installed_says_what_is_missing_and_leaves_the_others_alone() -> None:
    app = assemble([plug_in("gone", "no_such_package.commands:gone")])
    result = CliRunner().invoke(app, ["gone"])
    assert (result.exit_code, result.stderr) == (2, "gone is not installed here: there is no module no_such_package\n")
    assert "deliver" in CliRunner().invoke(app, ["--help"]).stdout
