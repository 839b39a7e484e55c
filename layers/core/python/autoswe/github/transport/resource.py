"""The base of every group of questions about one repository."""

from autoswe.github.transport.api import Api


class Resource:
    """Asks through one repository's API; a host is made of several."""

    def __init__(self, api: Api) -> None:
        self._api = api
