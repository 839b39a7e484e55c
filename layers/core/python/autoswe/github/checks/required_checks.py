"""What must pass before a branch takes a pull request (Get a branch, Get rules for a branch)."""

from pydantic import TypeAdapter

from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import PartialAnswer
from autoswe.rules.github.facts import RequiredCheck


class _ProtectedCheck(Shape):
    context: str
    app_id: int | None


class _ProtectedChecks(Shape):
    enforcement_level: str = ""
    contexts: list[str]
    checks: list[_ProtectedCheck]

    def required(self) -> list[RequiredCheck]:
        if self.enforcement_level == "off":
            return []
        # The older list names the same checks without their Apps.
        bound = {check.context for check in self.checks}
        return [
            *(_required(check.context, check.app_id) for check in self.checks),
            *(RequiredCheck(context) for context in self.contexts if context not in bound),
        ]


class _Protection(Shape):
    required_status_checks: _ProtectedChecks | None = None


class _Branch(Shape):
    name: str
    protected: bool
    protection: _Protection | None = None


class _RuleCheck(Shape):
    context: str
    integration_id: int | None = None


class _RuleParameters(Shape):
    required_status_checks: list[_RuleCheck] | None = None


class _Rule(Shape):
    type: str
    parameters: _RuleParameters | None = None


_BRANCH = TypeAdapter(_Branch)
_RULES = TypeAdapter(list[_Rule])


class RequiredChecks(Resource):
    """Reads what a branch requires."""

    def required(self, branch: str) -> tuple[RequiredCheck, ...]:
        """Read what rulesets and the branch's own protection require together.

        A protected branch that does not show how, and a rule that does not say what it requires, are ``PartialAnswer``.
        """
        read = self._api.read(_BRANCH, "branches", branch)
        if read.name != branch:
            raise PartialAnswer(f"branch {branch!r} was asked for, {read.name!r} came")
        if read.protected and read.protection is None:
            raise PartialAnswer(f"branch {branch!r} is protected, but not shown how")
        protection = read.protection.required_status_checks if read.protection else None
        found = protection.required() if protection else []
        for page in self._api.pages(_RULES, "rules", "branches", branch):
            found += [one for rule in page if rule.type == "required_status_checks" for one in _of_rule(branch, rule)]
        return tuple(dict.fromkeys(found))


def _of_rule(branch: str, rule: _Rule) -> list[RequiredCheck]:
    if rule.parameters is None or rule.parameters.required_status_checks is None:
        raise PartialAnswer(f"the rules of branch {branch!r}: one requires checks, but not which")
    return [_required(check.context, check.integration_id) for check in rule.parameters.required_status_checks]


def _required(name: str, app_id: int | None) -> RequiredCheck:
    # Any App is written as no number, and was written as -1.
    return RequiredCheck(name, app_id if app_id is not None and app_id > 0 else None)
