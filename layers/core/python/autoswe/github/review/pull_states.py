"""The states of pull requests as selection asks for them (GitHub: "Objects: PullRequest")."""

from pydantic import AwareDatetime, TypeAdapter

from autoswe.contracts.model import Count, Sha
from autoswe.github.review.pull_lists import ListsNode, Queries, complete_lists
from autoswe.github.transport.shape import GraphqlShape
from autoswe.rules.review.pulls.candidate import PullState

QUERY = "pull_states"


class _Rollup(GraphqlShape):
    state: str


class StateNode(ListsNode):
    """A pull request's state, with the beginnings of its lists."""

    state: str
    is_draft: bool
    mergeable: str
    head_ref_oid: Sha
    base_ref_name: str
    base_ref_oid: Sha
    updated_at: AwareDatetime
    changed_files: Count
    status_check_rollup: _Rollup | None

    def pull_state(self, queries: Queries) -> PullState:
        """Return it as the rules know it, with every list read on."""
        lists = complete_lists(queries, self)
        return PullState(
            state=self.state,
            is_draft=self.is_draft,
            mergeable=self.mergeable,
            head_sha=self.head_ref_oid,
            base_sha=self.base_ref_oid,
            updated_at=self.updated_at,
            rollup=self.status_check_rollup.state if self.status_check_rollup else None,
            changed_files=self.changed_files,
            reviews=lists.reviews,
            requested=lists.requested,
            threads=lists.threads,
        )


STATE = TypeAdapter(StateNode)
