"""Runs the steps of one client program and writes what they gave.

``python tests/clients/steps.py PROGRAM OUTPUT`` imports PROGRAM, calls each of its functions that
begins with ``step_`` in order, and writes a JSON object: step -> value or error, and seconds. A
step that fails does not stop the others. Values are numbers, text, lists, tensors and arrays.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
import warnings
from typing import Any

warnings.filterwarnings("ignore")
for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TORCH_COMPILE_DISABLE", "1")  # torch would look for a C++ compiler


def plain(value: Any) -> Any:
    """*value* as JSON has it; floats keep their digits."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        value = (value.float() if value.is_floating_point() else value).tolist()
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(v) for v in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, complex):
        return [value.real, value.imag]
    return str(value)


def declare_torchvision_ops(torch: Any) -> None:
    """Let torchvision be imported where its compiled ops are for another build of torch."""
    if "+cpu" in torch.__version__:
        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        sys.modules["client_library"] = library  # it lives as long as the process


def run(path: str) -> dict[str, dict[str, Any]]:
    """The outcome of each step of the program at *path*."""
    import torch

    declare_torchvision_ops(torch)
    found: dict[str, dict[str, Any]] = {}
    folder, name = os.path.split(path)
    sys.path.insert(0, folder)  # so that processes that a step starts find the program, too
    try:
        program = importlib.import_module(name.removesuffix(".py"))
    except BaseException as error:
        traceback.print_exc()
        return {"import": {"error": f"{type(error).__name__}: {error}", "seconds": 0.0}}
    found["import"] = {"value": None, "seconds": 0.0}
    for name, function in list(vars(program).items()):
        if not name.startswith("step_"):
            continue
        torch.manual_seed(0)
        begin = time.perf_counter()
        try:
            outcome: dict[str, Any] = {"value": plain(function())}
        except Exception as error:
            traceback.print_exc()
            outcome = {"error": f"{type(error).__name__}: {error}"}
        outcome["seconds"] = time.perf_counter() - begin
        found[name.removeprefix("step_")] = outcome
    return found


if __name__ == "__main__":
    results = run(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(results, file)
    sys.stdout.flush()
    os._exit(0)  # a library's threads do not matter any more
