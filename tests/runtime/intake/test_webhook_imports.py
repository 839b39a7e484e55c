"""The webhook starts cold many times a day: what it does not need, it does not import."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.intake import deliveries
from tests.support.places import FUNCTIONS

UNWANTED = (
    "pydantic",
    "httpx",
    "boto3",
    "markdown_it",
    "aws_lambda_powertools",
    "stamina",
    "jwt",
    "cryptography",
    "re2",
)

PROGRAM = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from autoswe.runtime.process import Process, running_as
class Secrets:
    def webhook_secrets(self, connection):
        return (sys.argv[2],)
process = Process({"AUTOSWE_TABLE": "t", "AUTOSWE_SECRETS_PREFIX": "p", "AWS_REGION": "eu-west-1"})
process.once("secrets", Secrets)
with running_as(process):
    answer = module.handler(json.load(sys.stdin), None)
print(json.dumps([answer["statusCode"], json.loads(answer["body"])]))
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def handle(comment: str) -> tuple[list[object], list[str]]:
    """Handle one comment in a fresh interpreter: the answer, and the packages that were imported."""
    arguments = [sys.executable, "-c", PROGRAM, str(FUNCTIONS / "receive_delivery" / "handler.py"), deliveries.SECRET]
    event = json.dumps(deliveries.request(deliveries.discussion_comment(comment)))
    done = subprocess.run(arguments, input=event, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    answer, packages = done.stdout.splitlines()[-2:]
    return json.loads(answer), json.loads(packages)


def test_a_plain_comment_is_handled_without_a_library_but_botocore() -> None:
    answer, packages = handle("Looks good to me.")
    assert answer == [202, {"outcome": "ignored", "reason": "no_trigger"}]
    assert "botocore" in packages
    assert set(UNWANTED).isdisjoint(packages)


def test_a_comment_that_may_hold_a_command_is_read_as_markdown_and_nothing_more_is_imported() -> None:
    answer, packages = handle("> /auto-swe fix")
    assert answer == [202, {"outcome": "ignored", "reason": "no_trigger"}]
    assert set(UNWANTED).intersection(packages) == {"markdown_it"}
