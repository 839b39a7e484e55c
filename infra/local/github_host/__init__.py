"""A faithful GitHub in one process: REST, GraphQL, Apps and webhooks over real bare git repositories.

Its rooms stand on each other, and each knows only those before it:

1. ``identifiers``, ``limits`` and ``answers`` need nothing: numbers, bounds, and what answers are made of.
2. ``people`` are accounts and Apps; ``events`` say what one of them did; ``state`` is what all rooms share.
3. ``git`` has repositories with their branches, ``checks`` what CI says of them, ``pulls`` the pull requests between
   them, and ``repository`` puts the three together.
4. ``access`` installs Apps on repositories, ``host_state`` is then everything on the host, and ``replicas`` what was.
5. ``documents`` shows it as JSON, ``webhooks`` sends that to Apps, ``rest`` and ``graphql`` carry out what callers ask.
6. ``http`` takes requests, ``host`` is what a scenario holds in its hand, and ``sample_deliveries`` plays one on it.
"""

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.links import Links
from infra.local.github_host.checks.checks import CheckRun, WorkflowRun
from infra.local.github_host.git.history import File
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment, Review, ReviewComment, ReviewThread
from infra.local.github_host.repository import Repository
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery

__all__ = [
    "Account",
    "App",
    "Attempt",
    "CheckRun",
    "Delivery",
    "File",
    "GitHubHost",
    "InlineComment",
    "Installation",
    "IssueComment",
    "Links",
    "Pull",
    "Repository",
    "Review",
    "ReviewComment",
    "ReviewThread",
    "WorkflowRun",
]
