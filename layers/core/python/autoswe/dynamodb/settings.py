"""Settings as the table holds them (feedback §6)."""

from autoswe.dynamodb.attributes import flag, from_item, to_item
from autoswe.dynamodb.client import Table
from autoswe.dynamodb.keys import key


def setting_key(name: str) -> dict[str, str]:
    """Spell the key of a platform-wide setting."""
    return {"pk": key("SETTING", "admin"), "sk": name}


def switched_on(table: Table, name: str) -> bool:
    """Read an on/off setting, consistently; one that was never saved is off. Raises ``MalformedRow``."""
    answer = table.client().get_item(TableName=table.name, Key=to_item(setting_key(name)), ConsistentRead=True)
    return "Item" in answer and flag(from_item(answer["Item"]), "value")
