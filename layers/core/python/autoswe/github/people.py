"""What a person may do (Get repository permissions for a user)."""

from pydantic import TypeAdapter

from autoswe.github.resource import Resource
from autoswe.github.shape import Shape
from autoswe.ports import Gone, PartialAnswer
from autoswe.rules.host import Permission


class _User(Shape):
    login: str


class _Permission(Shape):
    permission: str
    user: _User


_PERMISSION = TypeAdapter(_Permission)


class People(Resource):
    """Reads people's permissions."""

    def permission(self, login: str) -> Permission:
        """Read a user's permission on the repository; somebody unknown has none.

        Only the coarse permission counts: a role's name may be an organisation's own invention.
        """
        try:
            read = self._api.read(_PERMISSION, "collaborators", login, "permission")
        except Gone:
            return Permission.NONE
        if read.user.login.lower() != login.lower():
            raise PartialAnswer(f"the permission of {login!r} was asked for, that of another account came")
        try:
            return Permission(read.permission)
        except ValueError:
            raise PartialAnswer(f"the permission of {login!r} is none of those we know") from None
