"""The changes that no approval may carry, whatever a reviewer concludes (review §8.2)."""

from dataclasses import dataclass
from enum import StrEnum


class VetoRule(StrEnum):
    """Which rule forbids an approval.

    Of the patch: ``unreadable_patch``, ``renamed_into_place`` (a rename brings in content that the patch does not
    show). Of the entry itself: ``submodule``, ``link``, ``unread_side`` (a live run did not read what it must),
    ``unreadable_file`` (no YAML that all readers agree on), ``odd_yaml`` (a spelling that a diff alone cannot judge).
    Of workflows and actions: ``pull_request_target``, ``write_permission``, ``permissions_removed``, ``secret``,
    ``unpinned_action``, ``interface_removed``. Of any file: ``piped_download``.
    """

    UNREADABLE_PATCH = "unreadable_patch"
    RENAMED_INTO_PLACE = "renamed_into_place"
    SUBMODULE = "submodule"
    LINK = "link"
    UNREAD_SIDE = "unread_side"
    UNREADABLE_FILE = "unreadable_file"
    ODD_YAML = "odd_yaml"
    PULL_REQUEST_TARGET = "pull_request_target"
    WRITE_PERMISSION = "write_permission"
    PERMISSIONS_REMOVED = "permissions_removed"
    SECRET = "secret"  # noqa: S105 - the name of a rule, not a secret
    UNPINNED_ACTION = "unpinned_action"
    INTERFACE_REMOVED = "interface_removed"
    PIPED_DOWNLOAD = "piped_download"


@dataclass(frozen=True, slots=True, order=True)
class Veto:
    """One reason against any approval: the rule, the file, and a sentence that may quote both of the file's sides."""

    path: str
    rule: VetoRule
    reason: str
