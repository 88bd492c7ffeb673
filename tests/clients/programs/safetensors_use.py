"""safetensors: torch's functions."""

import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model


def _tensors():
    return {"a": torch.arange(6.0).reshape(2, 3), "b": torch.ones(3, dtype=torch.bfloat16)}


def step_bytes():
    return load(save(_tensors()))


def step_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.safetensors")
        save_file(_tensors(), path, metadata={"format": "pt"})
        return load_file(path)


def step_open():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.safetensors")
        save_file(_tensors(), path)
        with safe_open(path, framework="pt", device="cpu") as f:
            return [
                sorted(f.keys()),
                f.get_tensor("b"),
                f.get_slice("a")[:, 1:],
                f.get_slice("a").get_shape(),
            ]


def step_model():
    model = torch.nn.Linear(3, 2)
    again = torch.nn.Linear(3, 2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.safetensors")
        save_model(model, path)
        missing = load_model(again, path)
    return [torch.equal(model.weight, again.weight), [list(m) for m in missing]]


def step_shared():
    x = torch.zeros(3)
    try:
        save({"a": x, "b": x})
    except RuntimeError as error:
        return str(error)[:60]
