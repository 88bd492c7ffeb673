"""Who calls: a program, or this package for itself.

Note [Who is calling]
    torch asks ``__torch_function__`` at the border between Python and C++. What is C++ there is
    Python here (kernels, composite ops, formulas of gradients), and its calls of functions and
    methods must not be overridden again. The border is recognised by the calling frame: code of
    this package calls for itself, except in the namespaces that are Python in torch too. Frames
    are only looked at where a call is overridden.

"""

from __future__ import annotations

import sys

#: Namespaces that are Python in torch: calls from there are overridden like a user's.
_PYTHON = (
    "mindtorch._dynamo.",
    "mindtorch._functorch.",
    "mindtorch._higher_order_ops.",
    "mindtorch._library.custom_op.",
    "mindtorch.linalg.utils.",
    "mindtorch.linalg.lobpcg.",
    "mindtorch.linalg.lowrank.",
    "mindtorch.ao.",
    "mindtorch.compiler.",
    "mindtorch.tensor.defaults.",
    "mindtorch.distributed.",
    "mindtorch.distributions.",
    "mindtorch.jit.",
    "mindtorch.autograd.functional.",
    "mindtorch.autograd.functional_checks.",
    "mindtorch.autograd.roots.",
    "mindtorch.func.",
    "mindtorch.fx.",
    "mindtorch.functional.",
    "mindtorch.call.torch_function.",
    "mindtorch.library.",
    "mindtorch.masked.",
    "mindtorch.nested.",
    "mindtorch.nn.",
    "mindtorch.optim.",
    "mindtorch._decomp.",
    "mindtorch.export.",
    "mindtorch.overrides.",
    "mindtorch.profiler.",
    "mindtorch.quasirandom.",
    "mindtorch.signal.",
    "mindtorch.sparse.",
    "mindtorch.testing.",
    "mindtorch.utils.",
    "mindtorch.tensor.protocol.",  # iteration asks for dim() and unbind()
)
#: The machinery between a caller and here.
_MACHINERY = frozenset(
    (
        "mindtorch._library.foreign",
        "mindtorch.aten.function_mode_points",
        "mindtorch._library.op_overload",
        "mindtorch._ops",
        "mindtorch.call.bound",
        "mindtorch.call.known_call",
        "mindtorch.call.code",
        "mindtorch.call.code_shapes",
        "mindtorch.call.dispatch_entry",
        "mindtorch.call.entrance",
        "mindtorch.call.overload_entrance",
        "mindtorch.core.late_bound",
        "mindtorch.functionality.argument_preparation",
        "mindtorch.functionality.backend_select",
        "mindtorch.functionality.batching",
        "mindtorch.functionality.batching_rules",
        "mindtorch.functionality.transform_guards",
        "mindtorch.functionality.autograd",
        "mindtorch.functionality.conj_neg",
        "mindtorch.functionality.copy_on_write",
        "mindtorch.functionality.forward",
        "mindtorch.functionality.freed",
        "mindtorch.functionality.functionalization",
        "mindtorch.functionality.functionalization_levels",
        "mindtorch.functionality.inference",
        "mindtorch.functionality.inplace_or_view",
        "mindtorch.functionality.not_implemented",
        "mindtorch.functionality.pipeline",
        "mindtorch.functionality.python",
        "mindtorch.call.intercept",
        "mindtorch.aten.alias",  # calls for whoever called the second name
        "mindtorch.aten.subscript",
        "mindtorch.aten.subscript_assignment",
        "mindtorch.aten.operators",
        "mindtorch.aten.register",
        "mindtorch.aten.subscript_plans",
        "mindtorch.call.specialize",
        "mindtorch.functionality.streamed",
        "mindtorch.functionality.tracing",
        "mindtorch.functionality.whole_calls",
        "mindtorch_autograd.grad_mode",
        "mindtorch_dispatch.dispatcher",
        "mindtorch_dispatch.operator",
        "mindtorch_dispatch.trace",
    )
)


def is_ourselves(module: str) -> bool:
    """Whether code of *module* is C++ in torch."""
    if module.startswith("torch."):  # ours under torch's name: see import_alias
        module = f"mind{module}"
    return module.startswith("mindtorch") and not f"{module}.".startswith(_PYTHON)


def called_by_ourselves(depth: int = 1) -> bool:
    """Whether the function being called was called by code that is C++ in torch.

    :param depth: how many frames above this one to begin.
    """
    frame = sys._getframe(depth)
    while True:
        name = frame.f_globals.get("__name__", "")
        if name not in _MACHINERY and f"mind{name}" not in _MACHINERY:
            return is_ourselves(name)
        if frame.f_back is None:
            return False
        frame = frame.f_back
