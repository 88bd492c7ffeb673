"""What is said of a decision that depends on data: where in the program it is, and what helps."""

from __future__ import annotations

import logging
import traceback
from collections import defaultdict
from types import FrameType

from ..aten.symbolic_numbers import SymInt
from ..core.tracebacks import users_frame
from ..fx.experimental._shape_errors import GuardOnDataDependentSymNode
from ..fx.experimental._symbolic_context import with_sympy
from ..tensor import Tensor
from ..utils._pytree import keystr, tree_leaves_with_path

__all__ = ["tell_where"]

log = logging.getLogger("torch.fx.experimental.symbolic_shapes")


def tell_where(error: GuardOnDataDependentSymNode) -> None:
    """Add to the text of *error* the call of the program, and checks that would decide it.

    Nothing is added where the program asked a symbol itself.
    """
    frame, asked = None, ""
    entry = error.__traceback__
    while entry is not None:
        if users_frame(entry.tb_frame) is entry.tb_frame:
            frame, asked = entry.tb_frame, ""
        elif not asked:
            asked = entry.tb_frame.f_globals.get("__name__", "")
        entry = entry.tb_next
    if frame is None or asked == SymInt.__bool__.__globals__["__name__"]:
        return
    place = traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    told = "".join(traceback.StackSummary.from_list([place]).format())
    error.args = (f"{error.args[0]}\n\nThe following call raised this error:\n{told}",)
    if getattr(error.cond, "is_Boolean", False) or getattr(error.cond, "is_Relational", False):
        _suggest_checks(error, _names_of_symbols(frame))


def _names_of_symbols(frame: FrameType) -> dict[str, list[str]]:
    """How the program calls what symbols are, by the names of these."""
    found: dict[str, list[str]] = defaultdict(list)
    for variable, value in frame.f_locals.items():
        for path, leaf in tree_leaves_with_path(value):
            name = variable + keystr(path)
            if isinstance(leaf, SymInt):
                found[str(leaf.node.expr)].append(name)
            elif isinstance(leaf, Tensor):
                for i, size in enumerate(leaf.shape):
                    if isinstance(size, SymInt):
                        found[str(size.node.expr)].append(f"{name}.shape[{i}]")
    return found


def _suggest_checks(error: GuardOnDataDependentSymNode, names: dict[str, list[str]]) -> None:
    cond = error.cond
    symbols = sorted(cond.free_symbols, key=str)
    unknown = ", ".join(s.name for s in symbols if s.name not in names)
    if unknown:
        log.warning("Unable to find user code corresponding to {%s}", unknown)
        return
    text = with_sympy(__package__.rpartition(".")[0] + ".utils._sympy.printers").python_text
    called = {symbol: names[symbol.name][0] for symbol in symbols}
    told = "\nTo fix the error, insert one of the following checks before this call:"
    for i, fix in enumerate((cond, ~cond), 1):
        told += f"\n  {i}. torch._check({text(fix, called)})"
    replaced = ", ".join(f"`{s}` with {' or '.join(names[s.name])}" for s in symbols)
    told += (
        f"\n\n(These suggested fixes were derived by replacing {replaced} in {cond} and its "
        "negation.)"
    )
    error.args = (error.args[0] + told,)
