"""Makes each comment of a round once, and afterwards goes by the id that is on record (feedback §4, §10)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from autoswe.contracts.records.platform import Decision
from autoswe.ports.clock import Clock
from autoswe.ports.feedback.hosts import ReportHost
from autoswe.ports.feedback.rounds import Rounds, Written
from autoswe.ports.github import Barred, Forbidden, Gone, HostError, NotYet, RateLimited, Refused
from autoswe.rules.feedback.activity import Activity
from autoswe.rules.feedback.lag import is_recent, may_still_show
from autoswe.rules.github.facts import PostedComment
from autoswe.rules.text.kinds import Neutralised
from autoswe.rules.text.markers import MarkerKind, read_markers

CLOCK_DRIFT = timedelta(minutes=10)
"""How far the host's clock may be behind ours."""

WRITES_A_TRY = 5
"""How many writes one call of a step makes; the workflow calls again for the rest."""

SECONDS_APART = 1.0
"""How far apart writes are (Best practices for using the REST API, "Pause between mutative requests")."""

_NOT_MADE = "nothing: it is to be tried again"


class WritesLeft(Exception):
    """A call of the step has made as many writes as it may; the next one goes on where it stopped."""


@dataclass
class Pace:
    """Lets a second pass before each write, so that two are never closer, whoever made the one before."""

    sleep: Callable[[float], None]
    left: int = WRITES_A_TRY

    def __call__(self) -> None:
        """Wait for the next write's turn; raises ``WritesLeft``."""
        if not self.left:
            raise WritesLeft(f"{WRITES_A_TRY} writes are made; the others come with the next call")
        self.left -= 1
        self.sleep(SECONDS_APART)


@dataclass
class CommentWrites:
    """Announces each write, makes it, and records what it left.

    What is on record as written is not looked for. Only an announcement that left nothing known is: its comment is
    found by its marker, which counts only in a comment of our own bot. Raises ``NotYet`` while an earlier try of a
    write may still come to light, or its comment may still show.
    """

    decision: Decision
    bot_id: int
    rounds: Rounds
    host: ReportHost
    clock: Clock
    pace: Pace
    _doubted: list[NotYet] = field(default_factory=list)
    """What kept replies from being made that may be made in a moment; raised by ``finish``."""
    _listed: tuple[PostedComment, ...] | None = None

    def reply(self, key: str, root_comment_id: int, body: Neutralised) -> bool:
        """Reply in the thread that a comment opened, unless that is done; say whether the reply stands."""
        write = f"reply:{key}"
        seen = self.rounds.written(self.decision, write)
        if seen is not None and seen.effect not in {None, _NOT_MADE}:
            return _id(seen) is not None
        try:
            self._post(
                write,
                seen,
                lambda: self._find(self._replies(), MarkerKind.REPLY, key),
                lambda: self.host.reply(self.decision.pull_number, root_comment_id, body),
                body,
            )
        except (Gone, Refused, Forbidden):
            # A thread that was deleted or locked takes no reply; the summary still tells its outcome.
            return False
        except NotYet as later:
            self._doubted.append(later)
            return False
        return True

    def put_summary(self, key: str, body: Neutralised) -> str:
        """Post the summary, or edit the one on record.

        Say which of ``posted``, ``edited``, ``kept`` or ``refused`` it was: a conversation that is locked takes none.
        """
        write = f"summary:{key}"
        seen = self.rounds.written(self.decision, write)
        try:
            if seen is not None and (comment_id := _id(seen)) is not None:
                if seen.content == _digest(body):
                    return "kept"
                if self._edited(write, seen, comment_id, body):
                    return "edited"
            return self._posted_summary(write, seen, key, body)
        except Barred:
            self.rounds.note(self.decision, Activity.REPORT_REFUSED)
            return "refused"

    def finish(self) -> None:
        """Raise what is to be tried again, now that everything else is done."""
        if self._doubted:
            raise self._doubted[0]

    def _edited(self, write: str, seen: Written, comment_id: int, body: Neutralised) -> bool:
        self.pace()
        try:
            self.host.edit(comment_id, body)
        except Gone:
            if may_still_show(seen.intended_at, self.clock()):
                raise NotYet(f"the comment {comment_id} was posted just now and may still show") from None
            return False
        self.rounds.settle(self.decision, write, seen, str(comment_id), _digest(body))
        return True

    def _posted_summary(self, write: str, seen: Written | None, key: str, body: Neutralised) -> str:
        number = self.decision.pull_number
        made = self._post(
            write,
            seen,
            lambda: self._find(self.host.comments(number), MarkerKind.SUMMARY, key),
            lambda: self.host.comment(number, body),
            body,
        )
        if made.body == body:
            return "posted"
        # It is an earlier try's, which told less.
        found = self.rounds.written(self.decision, write)
        if found is None or not self._edited(write, found, made.comment_id, body):
            raise NotYet("the summary was found and is gone again")
        return "edited"

    def _post(
        self,
        write: str,
        seen: Written | None,
        find: Callable[[], PostedComment | None],
        post: Callable[[], PostedComment],
        body: Neutralised,
    ) -> PostedComment:
        """Post a comment that is not on record, or find the one that an earlier try posted without learning its id."""
        if seen is not None and seen.effect is None:
            if (found := find()) is not None:
                self.rounds.settle(self.decision, write, seen, str(found.comment_id), _digest(found.body))
                return found
            if may_still_show(seen.intended_at, self.clock()):
                raise NotYet("an earlier try of this write may still appear on the host")
        self.pace()
        announced = self.rounds.announce(self.decision, write, seen)
        if announced is None:
            raise NotYet("another try is about to make this write")
        try:
            posted = post()
        except (RateLimited, Gone, Refused, Forbidden) as error:
            # Each of these says that there is no comment, so that nobody has to look for it.
            final = self._is_final(write, error)
            effect = f"refused: {type(error).__name__}" if final else _NOT_MADE
            self.rounds.settle(self.decision, write, announced, effect, None)
            if final or isinstance(error, RateLimited):
                raise
            raise NotYet(str(error)) from error
        self.rounds.settle(self.decision, write, announced, str(posted.comment_id), _digest(body))
        return posted

    def _is_final(self, write: str, error: HostError) -> bool:
        """Decide whether a refusal stands: it does when the host says why, or when it lasted for long enough."""
        if isinstance(error, RateLimited):
            return False
        return isinstance(error, Refused | Barred) or not is_recent(self.rounds.doubted_seconds(self.decision, write))

    def _find(self, comments: tuple[PostedComment, ...], kind: MarkerKind, key: str) -> PostedComment | None:
        ours = (one for one in comments if one.author_id == self.bot_id)
        return next((one for one in ours if (kind, key) in read_markers(one.body)), None)

    def _replies(self) -> tuple[PostedComment, ...]:
        """Read, once, the inline comments among which a reply of this round can be.

        None of them is older than the round, and a busy pull request has thousands of others.
        """
        if self._listed is None:
            since = datetime.fromisoformat(self.decision.decided_at) - CLOCK_DRIFT
            self._listed = self.host.replies(self.decision.pull_number, since)
        return self._listed


def _id(seen: Written) -> int | None:
    return int(seen.effect) if seen.effect is not None and seen.effect.isdecimal() else None


def _digest(body: str) -> str:
    return sha256(body.encode()).hexdigest()
