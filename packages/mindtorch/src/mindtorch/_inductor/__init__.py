"""``torch._inductor``: the options of torch's compiler. Graphs run as they are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..core.unavailable import COMPILER, refusals

_MODULES = (
    "async_compile codecache codegen compile_fx config custom_graph_pass decomposition exc graph "
    "test_case utils"
).split()
_COMPILERS = "aot_compile aoti_compile_and_package aoti_load_package standalone_compile".split()


def compile(gm: Any, example_inputs: list[Any], options: dict[str, Any] | None = None) -> Any:
    """Return a function that runs the graph *gm*: see ``compile_fx``."""
    found: Callable[..., Any] = import_module(".compile_fx", __name__).compile_fx
    return found(gm, example_inputs, config_patches=options)


def list_mode_options(mode: str | None = None, dynamic: bool | None = None) -> dict[str, Any]:
    """The options that a mode of ``torch.compile`` stands for; of all modes if None."""
    modes: dict[str, dict[str, Any]] = {
        "default": {},
        "lite": {
            "fallback_by_default": True,
            "selective_decompose": True,
            "reorder_for_peak_memory": False,
            "reorder_for_compute_comm_overlap": False,
            "triton.reorder_for_reducing_graph_partitions": False,
            "use_pre_grad_passes": False,
            "use_joint_graph_passes": False,
            "use_post_grad_passes": False,
            "use_dce": False,
            "allow_buffer_reuse": False,
        },
        "reduce-overhead": {"triton.cudagraphs": True},
        "max-autotune-no-cudagraphs": {"max_autotune": True, "coordinate_descent_tuning": True},
        "max-autotune": {
            "max_autotune": True,
            "triton.cudagraphs": True,
            "coordinate_descent_tuning": True,
        },
    }
    if mode is None:
        return modes
    if mode not in modes:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(modes)}")
    return modes[mode]


def list_options() -> list[str]:
    """The names of the options of ``torch.compile``."""
    return list(import_module(".config", __name__).shallow_copy_dict())


def cudagraph_mark_step_begin() -> None:
    """Say that a new step of a CUDA graph begins: nothing."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _COMPILERS:
        return refusals("torch._inductor", [name], COMPILER)[name]
    raise AttributeError(f"module 'torch._inductor' has no attribute '{name}'")
