"""What a REST answer that is no success means (Best practices for using the REST API, Troubleshooting the REST API)."""

from datetime import datetime

from httpx import Headers, codes
from pydantic import JsonValue, TypeAdapter

from autoswe.github.transport.http import Answer, Refusal, Request
from autoswe.github.transport.shape import Shape, Unreadable, read_shape
from autoswe.ports.github import Barred, Forbidden, Gone, RateLimited, Refused, RuleBroken, Unavailable

_LONGEST_EXPLANATION = 300
_UNSTATED_WAIT_SECONDS = 60.0
_DENIED = {codes.UNAUTHORIZED, codes.FORBIDDEN}
_ABSENT = {codes.NOT_FOUND, codes.GONE}
_WORDS_OF_LIMITS = ("rate limit", "submitted too quickly", "abuse detection")
_CODE_OF_A_LIMIT = "abuse"
_WORDS_OF_RULES = ("rule violation", "protected branch")
_WORDS_OF_ENDS = ("issue is locked", "conversation is locked", "archived")


class _Explanation(Shape):
    message: str
    errors: list[JsonValue] | str | None = None


_EXPLANATION = TypeAdapter(_Explanation)


def judge(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    """Decide by status and message what a refusal is; success is none.

    ``RateLimited``: a limit, also where it comes as 403 or 422. ``Barred``: 451, or a 403 whose words say that the
    conversation is locked or the repository archived. ``Forbidden``: 401 or any other 403; to a fresh credential it may
    pass in a moment. ``Gone``: 404, 410, or moved elsewhere. ``Unavailable``: 5xx. ``RuleBroken``: the host speaks of
    a rule. ``Refused``: every other status.
    """
    status = answer.status
    if codes.is_success(status):
        return None
    message = _explain(answer.content)
    sentence = f"{request.name}: {status} {message}".rstrip()
    if status == codes.TOO_MANY_REQUESTS or _throttled(answer, message):
        return limited(request, answer, now)
    if status == codes.UNAVAILABLE_FOR_LEGAL_REASONS or (status == codes.FORBIDDEN and _is_final(message)):
        return Refusal(Barred(sentence))
    if status in _DENIED:
        return Refusal(Forbidden(sentence), 0.0 if _is_fresh(request, now) else None)
    if status in _ABSENT or codes.is_redirect(status):
        return Refusal(Gone(sentence))
    if codes.is_server_error(status):
        return Refusal(Unavailable(sentence), _whole_number(answer.headers, "retry-after") or 0.0)
    return Refusal(refused(sentence))


def refused(sentence: str) -> Refused:
    """Name a write that the host rejects: ``RuleBroken`` when its words are about a rule, else ``Refused``."""
    said = sentence.lower()
    return (RuleBroken if any(words in said for words in _WORDS_OF_RULES) else Refused)(sentence)


def about_a_limit(message: str) -> bool:
    """Say whether a host's words are about one of its limits.

    The one on content made too quickly comes under several names (Rate limits for the REST API, secondary rate limits).
    """
    said = message.lower()
    return _CODE_OF_A_LIMIT in said.split("; ") or any(words in said for words in _WORDS_OF_LIMITS)


def _is_final(message: str) -> bool:
    return any(word in message.lower() for word in _WORDS_OF_ENDS)


def limited(request: Request, answer: Answer, now: datetime) -> Refusal:
    """Name the limit and how long it lasts: what the host says, else until its reset, else a minute."""
    wait = _whole_number(answer.headers, "retry-after")
    if wait is None and answer.headers.get("x-ratelimit-remaining") == "0":
        reset = _whole_number(answer.headers, "x-ratelimit-reset")
        wait = None if reset is None else max(0.0, reset - now.timestamp())
    wait = _UNSTATED_WAIT_SECONDS if wait is None else wait
    return Refusal(RateLimited(f"{request.name}: limited by the host for {wait:.0f} seconds"), wait)


def one_line(message: str) -> str:
    """Make a host's message fit for one of ours: a single printable line of bounded length."""
    line = " ".join(message.split())
    return "".join(character if character.isprintable() else "?" for character in line)[:_LONGEST_EXPLANATION]


def _throttled(answer: Answer, message: str) -> bool:
    # A missing permission and a limit share a status, and so do a rejected write and content that came too quickly.
    if answer.status == codes.UNPROCESSABLE_ENTITY:
        return about_a_limit(message)
    told = "retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0"
    return answer.status == codes.FORBIDDEN and (told or about_a_limit(message))


def _is_fresh(request: Request, now: datetime) -> bool:
    until = request.credential.fresh_until if request.credential else None
    return until is not None and now < until


def _explain(content: bytes) -> str:
    try:
        explanation = read_shape(_EXPLANATION, content)
    except Unreadable:
        return ""
    errors = explanation.errors if isinstance(explanation.errors, list) else [explanation.errors]
    return one_line("; ".join([explanation.message, *filter(None, map(_detail, errors))]))


def _detail(error: JsonValue) -> str:
    if isinstance(error, dict):
        error = error.get("message") or error.get("code")
    return error if isinstance(error, str) else ""


def _whole_number(headers: Headers, name: str) -> float | None:
    text = headers.get(name, "")
    return float(text) if text.isdecimal() else None
