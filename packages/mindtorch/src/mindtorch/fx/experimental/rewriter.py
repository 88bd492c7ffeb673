"""Functions rewritten so that they can be traced: ``assert`` becomes ``torch._assert``."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import textwrap
from types import FunctionType
from typing import Any

from ... import nn
from ...core.source_code import run_source
from .._symbolic_trace import Tracer


class AST_Rewriter(ast.NodeTransformer):
    """Rewrites asserts and typed assignments."""

    def rewrite(self, fn: FunctionType) -> Any:
        """*fn*, rewritten, with the same globals."""
        lines, _ = inspect.getsourcelines(fn)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        tree = ast.fix_missing_locations(self.visit(tree))
        scope = dict(fn.__globals__)
        before = set(scope)
        run_source(tree, scope, "")
        new = [k for k in scope if k not in before]
        name = fn.__name__ if fn.__name__ in scope else new[-1]
        made = scope[name]
        rewritten = FunctionType(
            made.__code__, fn.__globals__, name=made.__name__, argdefs=made.__defaults__,
            closure=made.__closure__,
        )  # fmt: skip
        rewritten.__kwdefaults__ = fn.__kwdefaults__
        return functools.update_wrapper(rewritten, fn)

    def visit_Assert(self, node: ast.Assert) -> ast.Expr:
        """``assert x, m`` -> ``torch._assert(x, m)``."""
        call = ast.parse("torch._assert()", mode="eval").body
        assert isinstance(call, ast.Call)
        call.args = [node.test, node.msg if node.msg else ast.Constant(value="", kind=None)]
        return ast.copy_location(ast.Expr(value=call), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        """``x: T = y`` -> ``x = annotate(y, T)``."""
        source = "annotate()"
        call = ast.parse(source, mode="eval").body
        assert isinstance(call, ast.Call)
        call.func = ast.parse(
            "__import__('importlib').import_module(torch.__name__ + '.fx.annotate').annotate",
            mode="eval",
        ).body
        assert node.value is not None
        call.args = [node.value, node.annotation]
        return ast.copy_location(ast.Assign(targets=[node.target], value=call), node)


class RewritingTracer(Tracer):
    """Traces what is rewritten."""

    def trace(self, root: Any, concrete_args: dict[str, Any] | None = None) -> Any:
        """The graph of *root*, in which asserts are nodes."""
        return super().trace(_rewrite(root), concrete_args)


def _rewrite(fn: Any) -> Any:
    if not isinstance(fn, nn.Module):
        return AST_Rewriter().rewrite(fn)

    def rewrite_module(m: nn.Module) -> nn.Module:
        class RewrittenModule(nn.Module):
            def __init__(self, orig: nn.Module) -> None:
                super().__init__()
                for k, v in vars(orig).items():
                    inner = rewrite_module(v) if isinstance(v, nn.Module) else v
                    self.__dict__[k] = copy.copy(inner)

        forward: Any = type(m).forward
        made: Any = RewrittenModule
        made.forward = AST_Rewriter().rewrite(forward)
        return RewrittenModule(m)

    return rewrite_module(fn)
