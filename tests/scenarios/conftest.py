"""The assembly that the stories of one module share."""

from collections.abc import Iterator

import pytest

from infra.local.assembly import LocalAssembly
from tests.scenarios.story import Story
from tests.support.warm_containers import warm_task


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with warm_task() as task, LocalAssembly(tmp_path_factory.mktemp("assembly"), task=task) as running:
        yield running


@pytest.fixture
def story(assembly: LocalAssembly) -> Story:
    return Story.begin(assembly)
