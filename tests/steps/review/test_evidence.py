"""What selection leaves for every later step, each object by its reference (review §4, §12)."""

from autoswe.contracts.review.selection import Matrix, Selection
from autoswe.rules.review.run.naming import evidence_key
from tests.support.review.fakes import ORG
from tests.support.review.stage import ReviewStage


def test_selection_and_matrix_are_kept_as_the_references_say() -> None:
    stage = ReviewStage(inputs={"org": ORG})
    selected = stage.begin()
    selection = Selection.model_validate_json(stage.artifacts.get(selected.selection))
    matrix = stage.artifacts.fetch(evidence_key(stage.namespace, "matrix.json"), 10**6)
    assert selected.selection.key == evidence_key(stage.namespace, "selection.json")
    assert Matrix.model_validate_json(matrix) == Matrix.of(selection)
    assert [entry.key for entry in selected.entries] == [pull.key for pull in selection.pull_requests]
