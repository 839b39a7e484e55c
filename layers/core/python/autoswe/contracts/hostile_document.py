"""JSON that a container wrote, judged before it is parsed.

A parser makes up to some three hundred bytes of memory of three bytes of text (an empty list and its comma), and an
error of every value that is wrong. So a cap on a document's bytes does not bound what reading it takes; a cap on its
values does.
"""

import re
from itertools import islice

MAX_TOKENS = 20_000
"""How many strings, commas, and opening brackets and braces a container's document may hold together.

The largest that the contracts allow, an outcome of 100 threads with 50 places each, holds fewer than 12,000.
"""

# No part gives back what it took, and a string may lack its end: however hostile, each byte is looked at once.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[,\[{]', re.DOTALL)


def holds_too_many_values(document: bytes) -> bool:
    """Say whether ``document`` is to be refused unparsed; looks no further than the first token too many."""
    return sum(1 for _ in islice(_TOKEN.finditer(document), MAX_TOKENS + 1)) > MAX_TOKENS
