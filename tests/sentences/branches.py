"""Finds a branch in a module's source and inverts it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tests.sentences.sentence import Branch, Inversion


class BranchNotFound(LookupError):
    """The source holds no such scope, or its expression not exactly once; the message says which and how often."""


@dataclass(frozen=True)
class _Span:
    """A piece of source by its ends: lines from 1, columns in bytes."""

    first_line: int
    first_column: int
    last_line: int
    last_column: int

    @classmethod
    def of(cls, node: ast.expr | ast.stmt | ast.keyword, end: ast.expr | None = None) -> "_Span":
        """Reach from the start of a node to its end, or to that of another."""
        last = node if end is None else end
        return cls(node.lineno, node.col_offset, last.end_lineno or 0, last.end_col_offset or 0)


@dataclass(frozen=True)
class _Place:
    """Where a branch stands, and what leaves it out."""

    span: _Span
    nothing: str = ""


def invert(source: str, branch: Branch) -> str:
    """Return the source with the branch inverted; raises ``BranchNotFound``."""
    place = _find(source, branch)
    before, within, after = _cut(source, place.span)
    if branch.inversion is Inversion.LEFT_OUT:
        return before + place.nothing + after
    if _normal(within) != _normal(branch.expression):
        # Before Python 3.12 nobody tells where an expression stands in a formatted string.
        raise BranchNotFound(f"{branch.module}:{branch.scope} holds {branch.expression!r} where it cannot be cut out")
    return f"{before}(not ({within})){after}"


def _find(source: str, branch: Branch) -> _Place:
    scope = _scope(ast.parse(source), branch)
    wanted = _normal(branch.expression)
    places = _expressions if branch.inversion is Inversion.NEGATED else _dispensables
    found = [place for node in ast.walk(scope) for text, place in places(node) if text == wanted]
    if len(found) > 1:
        whole = {_Span.of(part) for node in ast.walk(scope) for part in _decisive(node)}
        found = [place for place in found if place.span in whole]
    if len(found) != 1:
        raise BranchNotFound(f"{branch.module}:{branch.scope} holds {len(found)} times {wanted!r}, not once")
    return found[0]


def _normal(expression: str) -> str:
    """Spell an expression, a starred one or a keyword with its value as ``ast.unparse`` does."""
    call = ast.parse(f"_({expression})", mode="eval").body
    if not isinstance(call, ast.Call) or len(spelt := [*call.args, *call.keywords]) != 1:
        raise BranchNotFound(f"{expression!r} is no single expression")
    return ast.unparse(spelt[0])


def _decisive(node: ast.AST) -> Iterator[ast.expr]:
    """Give what the node decides by, or the value that it gives a name."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield node.test
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        yield node.value


def _scope(tree: ast.AST, branch: Branch) -> ast.AST:
    for name in branch.scope.split("."):
        named = [node for node in ast.iter_child_nodes(tree) if _name(node) == name]
        if len(named) != 1:
            raise BranchNotFound(f"{branch.module} holds {len(named)} times {branch.scope}, not once")
        tree = named[0]
    return tree


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else None


def _expressions(node: ast.AST) -> Iterator[tuple[str, _Place]]:
    """Give the node if it is an expression that is read."""
    if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield ast.unparse(node), _Place(_Span.of(node))


def _dispensables(node: ast.AST) -> Iterator[tuple[str, _Place]]:
    """Give what can be left out of the node, or the node itself: statements and elements."""
    if isinstance(node, ast.Expr):
        yield ast.unparse(node), _Place(_Span.of(node), "pass")
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                yield ast.unparse(key), _Place(_Span.of(key, value), "**{}")
    elif isinstance(node, ast.Set | ast.List | ast.Tuple | ast.Call):
        for element in node.args if isinstance(node, ast.Call) else node.elts:
            yield ast.unparse(element), _Place(_Span.of(element), "*()")
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            yield ast.unparse(keyword), _Place(_Span.of(keyword), "**{}")


def _cut(source: str, span: _Span) -> tuple[str, str, str]:
    """Cut a source in three at the ends of a span."""
    lines = source.encode().splitlines(keepends=True)
    whole = b"".join(lines)
    start = sum(map(len, lines[: span.first_line - 1])) + span.first_column
    end = sum(map(len, lines[: span.last_line - 1])) + span.last_column
    return whole[:start].decode(), whole[start:end].decode(), whole[end:].decode()
