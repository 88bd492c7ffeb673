"""Python's own evaluation of frames, which torch's Dynamo takes over and at times keeps.

After a backend of ``torch.compile`` has failed, each call of a Python function goes by Dynamo
for the rest of the process. That takes half as long again, and CPython 3.11 keeps the arguments of
such calls twice.
"""

from __future__ import annotations

import ctypes

import torch

__all__ = ["give_back", "take_over"]


def give_back() -> None:
    """Let Python evaluate its frames itself."""
    python = ctypes.pythonapi
    python.PyInterpreterState_Get.restype = ctypes.c_void_p
    set_evaluator = python._PyInterpreterState_SetEvalFrameFunc
    set_evaluator.argtypes, set_evaluator.restype = [ctypes.c_void_p, ctypes.c_void_p], None
    default = ctypes.cast(python._PyEval_EvalFrameDefault, ctypes.c_void_p)
    set_evaluator(python.PyInterpreterState_Get(), default)


def take_over() -> None:
    """Let a backend of the oracle fail, after which frames are Dynamo's."""

    def failing(graph: object, inputs: object) -> None:
        raise ValueError("fails")

    try:
        torch.compile(torch.neg, backend=failing)(torch.ones(1))
    except torch._dynamo.exc.BackendCompilerFailed:
        return
    raise AssertionError("the backend did not fail")
