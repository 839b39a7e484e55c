"""Says whether a lockfile fetches from anywhere else than before (review §8.2).

A lockfile's lines are too many to read, and its versions are the resolver's business. Where the code comes from is not:
every added place must be one that the lockfile named before, or an ecosystem's public registry.
"""

import re
from collections.abc import Iterable, Iterator
from posixpath import basename

import re2

from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.diff.patches import Patch

_REGISTRIES = re2.compile(
    r"(?:sparse\+|registry\+)?https://(?:pypi\.org/simple|files\.pythonhosted\.org/packages|registry\.npmjs\.org"
    r"|registry\.yarnpkg\.com|rubygems\.org|index\.crates\.io|static\.crates\.io"
    r"|github\.com/rust-lang/crates\.io-index|proxy\.golang\.org)(?:/.*)?"
)
# A line holds many short matches, for which the standard library is the faster one; every part that could give back
# what it took is bounded, so the time stays linear.
_SOURCE = re.compile(
    r"[a-z][a-z0-9+.\-]{0,20}://[^\s\"'<>,)}\]]+"  # addresses; a digest may hold two slashes as well
    r"|\b(?:file|link|portal|exec|patch|workspace|github|gitlab|bitbucket|gist|git\+[a-z]+|ssh|hg|svn|bzr):[^\s\"',)}\]]+"
    r"|\bnpm:@?[a-z][^\s\"',)}\]]*"  # another package under this one's name
    r"|\b[\w.\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,5}:[\w./~\-]{1,200}",  # a host as ssh writes it
    re.IGNORECASE,
)
_LOCAL = re.compile(
    r"""\b(?:path|directory|editable|virtual|git|url|remote|source|registry|index|tarball|type|link|owner|repo|host)\b"""
    r"""["']?\s*[:=]\s*(?:["'][^"']*["']|[^\s,{}]+)""",
    re.IGNORECASE,
)
_FUNDING = re2.compile(r"""\s*"(?:url|type)"\s*:.*""")
_SCRIPT = re2.compile(
    r"(?i)[\"']?(?:hasInstallScript|requiresBuild|preinstall|postinstall|install_script)[\"']?\s*:\s*\S+"
)
_NPM = re2.compile(r"https://registry\.(?:npmjs\.org|yarnpkg\.com)/((?:@[^/]+/)?[^/]+)/-/[^/]+\.tgz(?:[#?].*)?")
_GO_SUM = re2.compile(r"(\S+ \S+) (h1:\S+)")
_NAMED = re2.compile(r"""(?:^|[\s"'/,])((?:@[\w.\-]+/)?[\w.\-]+)(?:"|@)""")
_REVISION = re2.compile(r"[#?].*$|[0-9a-f]{40}")


def changes_sources(file: ChangedFile, patch: Patch) -> bool:
    """Say whether the added lines name a source, or an install script, that was not there before.

    What was there is the base's whole text where it was read, else the lines of the patch that the base holds. A
    package of a public registry must be one that the lockfile names itself, and a digest of ``go.sum`` must not change
    under the same version.
    """
    added = list(patch.texts("+"))
    before = file.base.text.split("\n") if file.base and file.base.text is not None else list(patch.texts("- "))
    if basename(file.path) == "go.sum":
        return _changes_digest(added, before)
    if basename(file.path) == "package-lock.json":
        added = [line for line in added if not _FUNDING.fullmatch(line)]
    if not set(_sources(added)) <= set(_sources(before)):
        return True
    return _installs(added) > _installs(patch.texts("-")) or _takes_other_package(added, before)


def _sources(lines: Iterable[str]) -> Iterator[str]:
    """Give each source but the public registries, without the revision that it names."""
    for line in lines:
        if ":" in line or "=" in line:
            for source in _SOURCE.findall(line):
                if not _REGISTRIES.fullmatch(source):
                    yield _REVISION.sub("", source)
            for local in _LOCAL.findall(line):
                if not _REGISTRIES.search(local):
                    yield _REVISION.sub("", " ".join(local.split()))


def _installs(lines: Iterable[str]) -> int:
    return sum(1 for line in lines if _SCRIPT.search(line))


def _takes_other_package(added: Iterable[str], before: Iterable[str]) -> bool:
    """Say whether an npm entry is fetched from a package that the lockfile does not name as one of its own."""
    fetched = {match for line in added for match in _NPM.findall(line)}
    if not fetched:
        return False
    known = {match for line in before for match in _NPM.findall(line)}
    named = {name for line in added if "://" not in line for name in _NAMED.findall(line)}
    return any(package.replace("%2f", "/") not in named for package in fetched - known)


def _changes_digest(added: Iterable[str], before: Iterable[str]) -> bool:
    digests = {match[1]: match[2] for line in before if (match := _GO_SUM.fullmatch(line.strip()))}
    return any(
        digests.get(match[1], match[2]) != match[2] for line in added if (match := _GO_SUM.fullmatch(line.strip()))
    )
