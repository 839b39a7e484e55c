"""What the functions of a scheduled review ask of AWS is what their roles allow, no less and no more."""

from collections.abc import Iterator

import pytest

from autoswe.rules.review.run.naming import REVIEWS, Kept
from infra.local.assembly import LocalAssembly
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite, review_task
from tests.infra.template.functions_table import row_kinds
from tests.infra.template.needs import (
    REVIEW_LAMBDAS,
    TABLE,
    Interference,
    Need,
    forbidden,
    idle,
    kinds_read,
    unwritten,
    watched,
)
from tests.support.containers.warm import warm_task

ORG = "octo"
ARTIFACTS = {f"<StateBucket.Arn>/{REVIEWS}/{kept}/*" for kept in Kept}


@pytest.fixture(scope="module")
def needs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[Need]]]:
    """Play a dry run, a live one of which nothing can be applied and whose report is told twice, and its replay."""
    root = tmp_path_factory.mktemp("assembly")
    with (
        LocalAssembly(root, more_tasks=[warm_task(review_task())]) as assembly,
        watched(assembly) as interference,
    ):
        repository = assembly.host.add_repository(f"{ORG}/widgets", private=False)
        pull = open_pull(repository, assembly.host.add_user("a-developer"))
        site = ReviewSite.open(assembly, [repository])
        site.run(ORG, dry_run=True)
        fail_and_replay(site, interference)
        assert len(site.approvals(pull)) == 1
        yield interference.recorder.needs


def open_pull(repository: Repository, author: Account) -> Pull:
    """Open a pull request that may be approved."""
    repository.commit("main", {"README.md": "# A project\n"}, "Begin")
    sha = repository.commit("words", {"README.md": "# The project\n"}, "Reword", author=author)
    repository.check_run(sha, "tests", conclusion="success")
    return repository.open_pull("words", "main", author, "Reword")


def fail_and_replay(site: ReviewSite, interference: Interference) -> None:
    """Lose what a live run would apply and the answer of its report, and go on with it."""
    interference.failing, interference.unheard = {"apply_review"}, {"report_run"}
    failed = site.run(ORG, dry_run=False)
    assert site.report(failed)["counts"]["failed"] == 1
    interference.failing = set()
    replay = site.begin(**failed.input | {"replay_of": failed.arn})
    replayed = site.assembly.aws.wait(replay, 300)
    assert site.report(replayed)["counts"]["approved"] == 1
    assert interference.unheard == set()


def test_every_function_took_part(needs: dict[str, set[Need]]) -> None:
    assert set(needs) == set(REVIEW_LAMBDAS)


def test_a_function_asks_for_nothing_that_its_role_forbids(needs: dict[str, set[Need]]) -> None:
    assert forbidden(needs) == set()


def test_a_role_allows_nothing_on_rows_and_artifacts_that_its_function_never_asks_for(
    needs: dict[str, set[Need]],
) -> None:
    assert idle(needs, {TABLE, *ARTIFACTS}) == set()


def test_a_role_allows_writing_to_no_partition_that_its_function_never_writes_to(needs: dict[str, set[Need]]) -> None:
    assert unwritten(needs) == {}


@pytest.mark.parametrize("function", REVIEW_LAMBDAS)
def test_the_rows_that_a_function_reads_are_those_the_table_names(needs: dict[str, set[Need]], function: str) -> None:
    assert row_kinds(function, "reads") == kinds_read(needs[function])
