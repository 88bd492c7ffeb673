"""Programs that write down what they see: ``program(module, log)``, in mindtorch and in torch."""

from __future__ import annotations

import mindtorch
import torch


def shown(value):
    """A value without the framework's name: tensors by shape, errors by text."""
    if isinstance(value, (mindtorch.Tensor, torch.Tensor)):
        return f"{type(value).__name__}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if isinstance(value, type):
        return value.__name__
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)


class Log(list):
    """What a program wrote down."""

    def __call__(self, *values):
        self.append(shown(values))

    def error(self, call):
        """The error of *call*, or its result."""
        try:
            self(call())
        except Exception as raised:
            self(type(raised).__name__, str(raised).replace("mindtorch", "torch"))


def assert_same_log(program):
    """*program* writes down the same lines with both, in the same order."""
    mine, theirs = Log(), Log()
    program(torch, theirs)
    program(mindtorch, mine)
    assert theirs, "the program wrote nothing: there is nothing to compare"
    assert mine == theirs
