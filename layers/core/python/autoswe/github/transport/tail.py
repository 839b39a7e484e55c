"""The end of what is downloaded."""

from io import BytesIO
from typing import Any


class Tail(BytesIO):
    """Keeps the last bytes of what is written, from its start or from where it was last emptied."""

    def __init__(self, most: int) -> None:
        """``most`` is how many bytes are kept; ``cut`` says whether there were more."""
        super().__init__()
        self._most = most
        self.cut = False

    def truncate(self, size: int | None = None, /) -> int:
        """Begin anew: what is kept from now on is not cut yet."""
        self.cut = False
        return super().truncate(size)

    def write(self, chunk: Any, /) -> int:
        """Take what comes next."""
        kept = self.getvalue() + bytes(chunk)
        cut = self.cut or len(kept) > self._most
        self.seek(0)
        self.truncate()
        super().write(kept[-self._most :])
        self.cut = cut
        return len(chunk)
