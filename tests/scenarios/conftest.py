"""The assembly that the stories of one module share."""

from collections.abc import Iterator

import pytest

from infra.local.assembly import LocalAssembly
from infra.local.review.assembly import ReviewSite, review_task
from tests.scenarios.review.pulls import new_repository
from tests.scenarios.review.story import ReviewStory
from tests.scenarios.story import Story
from tests.support.containers.warm import warm_task


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with LocalAssembly(tmp_path_factory.mktemp("assembly"), task=warm_task()) as running:
        yield running


@pytest.fixture
def story(assembly: LocalAssembly) -> Story:
    return Story.begin(assembly)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewSite]:
    root = tmp_path_factory.mktemp("assembly")
    with LocalAssembly(root, more_tasks=[warm_task(review_task())]) as running:
        yield ReviewSite.open(running, [new_repository(running.host, "first")])


@pytest.fixture
def review(site: ReviewSite) -> Iterator[ReviewStory]:
    story = ReviewStory.begin(site)
    yield story
    story.undisturbed()
