"""A faithful GitHub in one process: REST, GraphQL, Apps and webhooks over real bare git repositories."""

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
