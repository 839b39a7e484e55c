"""The synthesised template, and questions to it.

``python -m tests.infra.template.built`` writes the snapshot anew; look at the difference before it is committed.
"""

import fcntl
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any


@dataclass
class Shared:
    """The folder that all workers of a test run see; ``tests/infra/conftest.py`` names it."""

    folder: Path = field(default_factory=Path)


SHARED = Shared()
SNAPSHOT = Path(__file__).with_name("snapshot_template.json")

REVIEW_MODEL = {"review_agent": "copilot", "review_model_domains": ("*.githubcopilot.com",)}

_PSEUDO = {
    "AWS::Partition": "aws",
    "AWS::Region": "REGION",
    "AWS::AccountId": "ACCOUNT",
    "AWS::URLSuffix": "amazonaws.com",
}
_ID_HASH = re.compile(r"[0-9A-F]{8}$")


@dataclass(frozen=True)
class Right:
    """One action that is allowed on one resource, under a condition spelt as JSON or under none."""

    action: str
    resource: str
    condition: str = ""


@dataclass(frozen=True)
class Template:
    """A CloudFormation template, with the folder it was synthesised into."""

    body: dict[str, Any]
    folder: Path

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Give the properties of every resource of a type, by plain name."""
        return {
            plain(name): resource.get("Properties", {})
            for name, resource in self.body["Resources"].items()
            if resource["Type"] == kind
        }

    def only(self, kind: str) -> dict[str, Any]:
        """Give the properties of the one resource of a type."""
        (properties,) = self.of_type(kind).values()
        return properties

    def workflow(self, name: str) -> dict[str, Any]:
        """Give the properties of a workflow by the name of its file."""
        (machine,) = (
            machine
            for machine in self.of_type("AWS::StepFunctions::StateMachine").values()
            if machine["StateMachineName"] == f"autoswe-{name}"
        )
        return machine

    def raw(self, name: str) -> dict[str, Any]:
        """Give a whole resource by its plain name."""
        (resource,) = (body for identity, body in self.body["Resources"].items() if plain(identity) == name)
        found: dict[str, Any] = resource
        return found

    def functions(self) -> dict[str, dict[str, Any]]:
        """Give the properties of every Lambda function, by the name of its folder."""
        return {
            function["FunctionName"].removeprefix("autoswe-"): function
            for function in self.of_type("AWS::Lambda::Function").values()
        }

    def role_of(self, function: str) -> str:
        """Name a function's role."""
        return spell(self.functions()[function]["Role"]).strip("<>").removesuffix(".Arn")

    def image_of(self, task: str) -> tuple[str, Path]:
        """Give the stage of a task's Dockerfile that is its image, and the folder that it is built from."""
        images = json.loads((self.folder / "autoswe.assets.json").read_text())["dockerImages"].values()
        (source,) = (
            image["source"] for image in images if image["source"]["dockerFile"] == f"functions/{task}/Dockerfile"
        )
        return source["dockerBuildTarget"], self.folder / source["directory"]

    def rights(self, role: str) -> set[Right]:
        """List what a role's policies allow, one action and one resource at a time."""
        granted: set[Right] = set()
        for policy in self.of_type("AWS::IAM::Policy").values():
            if f"<{role}>" in map(spell, policy["Roles"]):
                for statement in policy["PolicyDocument"]["Statement"]:
                    assert statement["Effect"] == "Allow"
                    granted |= set(_expand(statement))
        return granted

    def may(self, function: str, action: str, resource: str) -> bool:
        """Tell whether a function's role allows an action on a resource, conditions put aside."""
        return any(
            fnmatchcase(action, right.action) and fnmatchcase(resource, right.resource)
            for right in self.rights(self.role_of(function))
        )


def synthesise(*egress_domains: str) -> Template:
    """Synthesise the stack as ``cdk.json`` describes it, security checks included, but leave the packages unpacked."""
    return _synthesised_once("-".join(("template", *egress_domains)), egress_domains=egress_domains)


def synthesise_asking() -> Template:
    """Synthesise a deployment whose fixer and whose reviewer ask a model each, of different makers."""
    fixer = {"agent": "claude", "model": "model-1", "model_domains": ("api.anthropic.com",)}
    return _synthesised_once("asking", **fixer, **REVIEW_MODEL)


@cache
def _synthesised_once(name: str, **context: str | tuple[str, ...]) -> Template:
    """Synthesise a stack that these values of the context describe, once for all workers of a test run."""
    folder = SHARED.folder / name.replace("*", "any")
    with folder.with_suffix(".lock").open("w") as lock:
        # Another worker may be at it: synthesis takes long enough to wait for that one.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "manifest.json").exists():
            synthesise_with(folder, **context)
    return Template(json.loads((folder / "autoswe.template.json").read_text()), folder)


def synthesise_with(folder: Path, **context: object) -> Template:
    """Synthesise into ``folder`` a stack that other values of the context than those of ``cdk.json`` describe."""
    # Importing CDK starts Node, which only who synthesises should pay for.
    from infra.cloud.app import build_app, read_context

    told = {name: list(value) if isinstance(value, tuple) else value for name, value in context.items()}
    build_app(read_context() | {"aws:cdk:bundling-stacks": []} | told, str(folder)).synth()
    return Template(json.loads((folder / "autoswe.template.json").read_text()), folder)


def spell(value: Any) -> str:
    """Write an intrinsic function as readable text: ``<StateTable.Arn>``, ``arn:aws:…:REGION:ACCOUNT:…``."""
    match value:
        case {"Ref": name}:
            return _PSEUDO.get(name) or f"<{plain(name)}>"
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{plain(name)}.{attribute}>"
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(map(spell, parts))
        case {"Fn::Sub": text}:
            return re.sub(r"\$\{(AWS::\w+)\}", lambda found: _PSEUDO[found[1]], text)
        case str():
            return value
    raise AssertionError(f"no spelling for {value!r}")


def plain(name: str) -> str:
    """Strip the hash that CDK adds to a logical id."""
    return _ID_HASH.sub("", name)


def as_list(value: Any) -> list[Any]:
    """Read what IAM lets be one thing or a list of things."""
    return value if isinstance(value, list) else [value]


def normalised(body: dict[str, Any]) -> str:
    """Write a template so that it changes only when infrastructure does: no hashes of code, no workflow text."""
    text = json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False)
    text = re.sub(r'"DefinitionString": ".*"', '"DefinitionString": "infra/workflows"', text)
    return re.sub(r"[0-9a-f]{64}|(?<=CurrentVersion)[0-9A-Fa-f]{40}", "HASH", text) + "\n"


def _expand(statement: dict[str, Any]) -> Iterator[Right]:
    condition = json.dumps(_spell_all(statement["Condition"]), sort_keys=True) if "Condition" in statement else ""
    for action in as_list(statement["Action"]):
        for resource in as_list(statement["Resource"]):
            yield Right(action, spell(resource), condition)


def _spell_all(condition: Any) -> Any:
    """Spell what a condition compares with; operators and keys are plain already."""
    match condition:
        case {"Ref": _} | {"Fn::GetAtt": _} | {"Fn::Join": _}:
            return spell(condition)
        case dict():
            return {key: _spell_all(value) for key, value in condition.items()}
        case list():
            return [_spell_all(value) for value in condition]
    return condition


def write_snapshot() -> None:
    """Write the snapshot anew."""
    with tempfile.TemporaryDirectory() as folder:
        SHARED.folder = Path(folder)
        SNAPSHOT.write_text(normalised(synthesise().body), encoding="utf-8")


def all_of(*groups: Iterable[Right]) -> set[Right]:
    """Join groups of rights."""
    return {right for group in groups for right in group}


if __name__ == "__main__":
    write_snapshot()
