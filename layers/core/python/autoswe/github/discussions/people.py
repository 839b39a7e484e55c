"""What a person may do (Get repository permissions for a user)."""

from pydantic import TypeAdapter

from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Author, Permission


class _User(Shape):
    id: int


class _Permission(Shape):
    permission: str
    user: _User


_PERMISSION = TypeAdapter(_Permission)


class People(Resource):
    """Reads people's permissions."""

    def permission(self, author: Author) -> Permission:
        """Read an account's permission on the repository; an account that is not there has none.

        The host is asked by login, which can be renamed and taken by somebody else meanwhile: an answer about another
        account is none. Only the coarse permission counts: a role's name may be an organisation's own invention.
        """
        try:
            read = self._api.read(_PERMISSION, "collaborators", author.login, "permission")
        except Gone:
            return Permission.NONE
        if read.user.id != author.account_id:
            return Permission.NONE
        try:
            return Permission(read.permission)
        except ValueError:
            raise PartialAnswer(f"the permission of {author.login!r} is none of those we know") from None
