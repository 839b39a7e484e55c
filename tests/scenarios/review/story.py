"""One repository of an organisation whose pull requests are reviewed, on an assembly that many stories share."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import boto3

from autoswe.dynamodb.table.attributes import from_item, to_item
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.rules.review.run.lease import LeaseAnswer
from autoswe.rules.review.run.naming import namespace_of
from autoswe.rules.settings.registry import REVIEWS
from autoswe.runtime.review.wiring import report_run
from autoswe.steps.review.report_run import Ports
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.calls import undisturbed
from infra.local.embedded_aws.functions.functions import Hooks, Invocation
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite
from tests.scenarios.review.pulls import ORG, new_repository, open_pull

_numbers = count(1)


@dataclass(repr=False)
class ReviewStory:
    """A repository with a person who opens pull requests and one who reviews some of them."""

    site: ReviewSite
    repository: Repository
    developer: Account
    reviewer: Account

    @classmethod
    def begin(cls, site: ReviewSite) -> "ReviewStory":
        """Begin with a fresh repository that the App is installed on."""
        name = f"r{next(_numbers)}"
        host = site.assembly.host
        repository = new_repository(host, name)
        site.include(repository)
        # An hour between stories: runs are put in order by the second in which they began.
        site.assembly.clock.advance(3_600)
        return cls(site, repository, host.add_user(f"{name}-developer"), host.add_user(f"{name}-reviewer"))

    def open(self, title: str = "words", *, author: Account | None = None) -> Pull:
        """Open a pull request that changes documentation alone, and so may be approved."""
        return open_pull(self.repository, author or self.developer, title)

    def open_code(self) -> Pull:
        """Open a pull request that changes code, which the rules leave to a person."""
        return open_pull(self.repository, self.developer, "code", {"app.py": "limit = 2\n"})

    def inputs(self, **inputs: object) -> dict[str, object]:
        """Name the inputs of a live run of this repository, with others beside or in place of them."""
        return {"org": ORG, "repositories": self.repository.name, "dry_run": False, **inputs}

    def run(self, **inputs: object) -> Execution:
        """Run a live review of this repository to its end."""
        return self.finish(self.site.begin(inputs=self.inputs(**inputs)))

    def replay(self, execution: Execution) -> Execution:
        """Go on with a run, as an operator does from the console."""
        return self.finish(self.site.begin(**execution.input | {"replay_of": execution.arn}))

    def finish(self, execution: str) -> Execution:
        """Wait for an execution's end."""
        return self.site.assembly.aws.wait(execution, 120)

    def before(self, state: str, act: Callable[[Invocation], object]) -> None:
        """Act each time a state is about to call its function."""

        def before(invocation: Invocation) -> None:
            if invocation.state == state:
                act(invocation)

        self.site.assembly.aws.hooks.before_invoke = before

    def undisturbed(self) -> None:
        """Let everything pass again: invocations, AWS, GitHub and the time."""
        aws = self.site.assembly.aws
        aws.hooks.before_invoke, aws.hooks.after_invoke = Hooks().before_invoke, Hooks().after_invoke
        aws.around_calls(undisturbed)
        self.site.assembly.clock.on_wait = None
        self.site.assembly.host.faults.clear()

    def results(self, execution: Execution) -> dict[int, dict[str, Any]]:
        """Read the results of a run's report, by the pull request's number."""
        return {result["number"]: result for result in self.site.report(execution)["results"]}

    def result(self, execution: Execution) -> dict[str, Any]:
        """Read the one result of a run."""
        [result] = self.results(execution).values()
        return result

    def verdicts(self, execution: Execution) -> dict[int, str]:
        """Read the verdicts of a run's report, by the pull request's number."""
        return {number: result["verdict"] for number, result in self.results(execution).items()}

    def skipped(self, execution: Execution) -> list[str]:
        """List the reasons for which a run's report skips pull requests, by their numbers."""
        rows = sorted(self.site.report(execution)["skipped"], key=lambda row: row["number"])
        return [row["reason"] for row in rows]

    def outcome(self, execution: Execution) -> str:
        """Return how the run that an execution began stands on record."""
        run = self._ports.runs.run(namespace_of(execution.arn))
        assert run is not None
        return run.outcome.value

    def switch(self, on: bool) -> None:
        """Turn the kill switch of reviews."""
        self.site.assembly.records.save_setting(REVIEWS, on, by="operator", at=self.site.assembly.clock.now())

    def hold(self, execution: str) -> None:
        """Let another execution have the organisation for a day."""
        answer = self._ports.leases.ask(ORG, execution, self.site.assembly.clock.now(), 86_400)
        assert answer is LeaseAnswer.HELD

    def give_back(self, execution: str) -> None:
        """Let another execution give the organisation back."""
        self._ports.leases.release(ORG, execution)

    @property
    def _ports(self) -> Ports:
        return report_run(self.site.assembly.process)

    def lease(self) -> dict[str, Any]:
        """Read the row of the organisation's lease."""
        row = boto3.client("dynamodb", region_name=REGION).get_item(
            TableName=self.site.assembly.aws.table_name, Key=to_item({"pk": key("LOCK", "review", ORG), "sk": SINGLE})
        )
        return dict(from_item(row.get("Item", {})))

    def is_free(self) -> bool:
        """Whether no run holds the organisation."""
        return "holder" not in self.lease()
