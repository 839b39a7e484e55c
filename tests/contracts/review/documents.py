"""The files of a review, each with its model, the most bytes it may have, and where its schema and its sample are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoswe.contracts.model import Contract
from autoswe.contracts.review.agent_verdict import MAX_VERDICT_BYTES, AgentVerdict
from autoswe.contracts.review.candidates import MAX_CANDIDATES_BYTES, MAX_STATE_BYTES, Candidates, StateFile
from autoswe.contracts.review.judgement import MAX_CHECK_BYTES, MAX_RESULT_BYTES, Check, Result
from autoswe.contracts.review.ledger import MAX_LEDGER_BYTES, LedgerDocument
from autoswe.contracts.review.report import MAX_REPORT_BYTES, ReportDocument
from autoswe.contracts.review.selection import (
    MAX_ENTRY_BYTES,
    MAX_MATRIX_BYTES,
    MAX_SELECTION_BYTES,
    Matrix,
    SelectedPull,
    Selection,
)
from autoswe.contracts.review.sides import MAX_SIDES_BYTES, Sides
from tests.support.places import ROOT


@dataclass(frozen=True)
class Published:
    """One file: its name without ``.json``, its model, and the most bytes it may have."""

    name: str
    model: type[Contract]
    max_bytes: int

    @property
    def schema_file(self) -> Path:
        """Where the schema is published."""
        return ROOT / "docs" / "schemas" / "review" / f"{self.name}.schema.json"

    @property
    def golden_file(self) -> Path:
        """Where the sample is kept."""
        return Path(__file__).parent / "golden" / f"{self.name}.json"

    def schema(self) -> dict[str, Any]:
        """Make the schema from the model."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **self.model.model_json_schema(by_alias=True),
        }


PUBLISHED = (
    Published("selection", Selection, MAX_SELECTION_BYTES),
    Published("pull", SelectedPull, MAX_ENTRY_BYTES),
    Published("matrix", Matrix, MAX_MATRIX_BYTES),
    Published("candidates", Candidates, MAX_CANDIDATES_BYTES),
    Published("state", StateFile, MAX_STATE_BYTES),
    Published("files", Sides, MAX_SIDES_BYTES),
    Published("ledger", LedgerDocument, MAX_LEDGER_BYTES),
    Published("verdict", AgentVerdict, MAX_VERDICT_BYTES),
    Published("check", Check, MAX_CHECK_BYTES),
    Published("result", Result, MAX_RESULT_BYTES),
    Published("report", ReportDocument, MAX_REPORT_BYTES),
)
