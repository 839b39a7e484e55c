"""Contracts as rows: the attributes of a row are the fields of its model, beside what only the table needs."""

import json
from typing import TypeVar

from pydantic import ValidationError

from autoswe.contracts.model import Contract
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.rows import Row

C = TypeVar("C", bound=Contract)


def to_row(model: Contract) -> Row:
    """Spell a model as attributes; a field without a value is left out."""
    return model.model_dump(mode="json", exclude_none=True)


def from_row(kind: type[C], row: Row) -> C:
    """Read a model from a row's attributes; raises ``MalformedRow``, naming the row and its first wrong field."""
    fields = {name: row[name] for name in kind.model_fields if name in row}
    try:
        return kind.model_validate_json(json.dumps(fields))
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        raise MalformedRow(f"the row {row['pk']} / {row['sk']} is wrong at {first['loc']}: {first['msg']}") from None
