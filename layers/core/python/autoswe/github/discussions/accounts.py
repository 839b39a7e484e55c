"""Who wrote something, as both of GitHub's APIs tell it."""

from pydantic import AliasChoices, Field

from autoswe.github.transport.shape import Shape
from autoswe.rules.github.facts import Author

_BOT_SUFFIX = "[bot]"


class Account(Shape):
    """An account in an answer; GraphQL shows an id only for the types its documents ask it for."""

    login: str
    type: str = Field(validation_alias=AliasChoices("type", "__typename"))
    account_id: int | None = Field(default=None, validation_alias=AliasChoices("id", "databaseId"))


def author(account: Account | None) -> Author | None:
    """Read an author; nobody, when the account is gone, has no id, or is neither a person's nor a bot's.

    A placeholder for an imported identity, an organisation or a type unknown to us has no membership to judge by.
    GraphQL names a bot without REST's suffix, with which its login cannot be a person's.
    """
    if account is None or account.account_id is None or account.type not in {"User", "Bot"}:
        return None
    is_bot = account.type == "Bot"
    login = f"{account.login.removesuffix(_BOT_SUFFIX)}{_BOT_SUFFIX}" if is_bot else account.login
    return Author(account.account_id, login, is_bot)
