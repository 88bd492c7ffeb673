"""Files that are read and written under a mode of fake tensors: shapes without numbers."""

from __future__ import annotations

import importlib
import io
from types import ModuleType
from typing import Any

import mindtorch as ours
import pytest
import torch

#: What is saved; ``t`` is torch.
SAVED = (
    "t.ones(2)",
    "t.ones(2, 3).t()",
    "[(b := t.ones(6)), b[2:], b.view(2, 3)[1]]",
    "t.nn.Parameter(t.ones(2))",
    "{'a': t.ones(4)[1:3], 'b': 3}",
    "t.ones(2).requires_grad_()",
    "t.ones(2, dtype=t.complex64).conj()",
    "t.ones(2).bool()",
    "t.ones(2).to(t.uint16)",
    "t.ones(2, device='meta')",
    "t.nn.Linear(2, 3).state_dict()",
)
#: Where it goes, and how it is read.
READ = (
    "t.load(f)",
    "t.load(f, map_location='meta')",
    "t.load(f, map_location='cpu')",
    "t.load(f, map_location={'cpu': 'meta'})",
    "t.load(f, map_location=lambda storage, tag: storage)",
    "t.load(f, weights_only=False)",
)


def leaves(t: ModuleType, value: Any) -> Any:
    """What a program sees of the tensors in *value*."""
    if isinstance(value, (list, tuple)):
        return [leaves(t, each) for each in value]
    if isinstance(value, dict):
        return {key: leaves(t, each) for key, each in value.items()}
    if not isinstance(value, t.Tensor):
        return value
    storage = value.untyped_storage()
    facts = (value.stride(), value.storage_offset(), value.requires_grad, storage.nbytes())
    parameter = isinstance(value, t.nn.Parameter)
    kind = type(value).__name__, str(value.device), value.is_conj(), parameter
    return repr(value), facts, kind, storage._checkpoint_offset


def outcome(program: Any, *args: Any) -> Any:
    """What *program* gives, or the error that it raises."""
    try:
        return program(*args)
    except RuntimeError as e:
        return type(e), str(e)


def mode_of(t: ModuleType) -> Any:
    return importlib.import_module(f"{t.__name__}._subclasses.fake_tensor").FakeTensorMode()


def file_of(t: ModuleType, source: str) -> io.BytesIO:
    f = io.BytesIO()
    t.save(eval(source, {"t": t}), f)
    f.seek(0)
    return f


def read(t: ModuleType, source: str, how: str) -> Any:
    f = file_of(t, source)
    with mode_of(t):
        return leaves(t, eval(how, {"t": t, "f": f}))


@pytest.mark.parametrize("how", READ)
@pytest.mark.parametrize("source", SAVED)
def test_load(source, how):
    """Where the file says that it lay, or where *map_location* says."""
    assert outcome(read, ours, source, how) == outcome(read, torch, source, how)


def into_module(t: ModuleType) -> Any:
    """A module that is described by what was saved of a real one."""
    f = file_of(t, "t.nn.Linear(2, 3).state_dict()")
    with mode_of(t):
        module = t.nn.Linear(2, 3)
        told = module.load_state_dict(t.load(f), assign=True)
    return str(told), repr(module.weight), repr(module.bias)


def materialized(t: ModuleType) -> Any:
    """What a file has of tensors that have no numbers."""
    with mode_of(t) as mode:
        x = t.ones(2, 3)
        saved = {"x": x, "part": x[1], "turned": x.t(), "parameter": t.nn.Parameter(x)}
    f = io.BytesIO()
    with t.serialization.skip_data(materialize_fake_tensors=True):
        t.save(saved, f)
        with mode:
            t.save(x, io.BytesIO())
    f.seek(0)
    found = t.load(f)
    one = {each.untyped_storage().data_ptr() for each in found.values()}
    shapes = [(type(v).__name__, v.shape, v.stride(), v.storage_offset()) for v in found.values()]
    return shapes, [str(v.device) for v in found.values()], len(one)


def on_meta(t: ModuleType) -> Any:
    """Without a mode windows and places in the file are known, too."""
    return leaves(t, t.load(file_of(t, SAVED[2]), map_location="meta"))


@pytest.mark.parametrize("program", [into_module, materialized, on_meta])
def test_programs(program):
    assert outcome(program, ours) == outcome(program, torch)
