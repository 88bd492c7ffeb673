"""torch's own tables of kernels, asked in a process of its own.

mindtorch never imports torch: here it is a program that is run, where it is installed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

__all__ = ["OracleError", "available", "tables"]

#: What the other process runs: names in, tables out. null for an op that torch does not have.
_PROGRAM = """
import json, sys, torch
names = json.load(sys.stdin)
known = set(torch._C._dispatch_get_all_op_names())
dump = torch._C._dispatch_dump_table
tables = {n: dump(n) if n in known else None for n in names}
composites = [k for k in torch._C.DispatchKey.__members__ if k.startswith("Composite")]
has = torch._C._dispatch_has_kernel_for_dispatch_key
registered = {n: [k for k in composites if has(n, k)] for n in names if n in known}
# An op with a kernel at every key that can be named: its table lists the keys in their order.
lib = torch._C._dispatch_library("FRAGMENT", "mindtorch_diff", "")
lib.def_("order(Tensor x) -> Tensor")
for key in torch._C.DispatchKey.__members__:
    try:
        lib.impl_t_t("order", key)
    except RuntimeError:
        pass  # marks such as StartOfDenseBackends
order = [line.partition(":")[0] for line in dump("mindtorch_diff::order").splitlines()]
json.dump({"version": torch.__version__, "tables": tables, "order": order,
           "composites": registered}, sys.stdout)
"""


class OracleError(RuntimeError):
    """torch cannot be asked; the text says why."""


def available() -> bool:
    """Whether torch is installed for this interpreter."""
    return find_spec("torch") is not None


def tables(names: list[str]) -> dict[str, Any]:
    """``version`` of torch, for each op in ``tables`` what ``_dispatch_dump_table`` prints, and in
    ``order`` the runtime keys, lowest first; in ``composites`` for each op the composite keys at
    which it has a kernel.

    Raises :class:`OracleError` where torch is not installed or fails.
    """
    if not available():
        raise OracleError(
            "torch is not installed here, so there is nothing to compare with; "
            "install it beside mindtorch: pip install torch"
        )
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise OracleError(f"torch could not be asked: {last}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
