"""The one way in which the host refuses an API call."""

from collections.abc import Mapping, Sequence


class ApiError(Exception):
    """A refusal as GitHub answers it.

    ``status`` is the HTTP status, ``message`` GitHub's own words, ``errors`` the optional list of a 422 answer.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Sequence[object] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = tuple(errors)
        self.headers = dict(headers or {})


def not_found() -> ApiError:
    """Refuse what does not exist or may not be seen; GitHub does not say which."""
    return ApiError(404, "Not Found")


def unprocessable(message: str, *errors: object) -> ApiError:
    """Refuse a well-formed request whose content cannot be carried out."""
    return ApiError(422, message, errors=errors)
