"""The same program in mindtorch and in torch: what it returns, raises and warns about."""

import importlib

import torch

from tests.contract.hearing import hearing

ours = importlib.import_module("mindtorch")
BOTH = (ours, torch)


def part(t, name):
    """The module *name* of framework *t*."""
    return importlib.import_module(f"{t.__name__}.{name}")


def plain(value, t):
    """*value* of framework *t* in terms that both frameworks share."""
    if isinstance(value, t.nn.Module):
        return f"module {type(value).__name__} {value!r}"
    if isinstance(value, t.Tensor):
        kind = "Parameter" if isinstance(value, t.nn.Parameter) else "Tensor"
        return (kind, value.tolist(), str(value.dtype), value.requires_grad)
    if isinstance(value, dict):
        return [(k, plain(v, t)) for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(v, t) for v in value]
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value


def outcome(fn, t):
    """What *fn* returns, raises and warns about, comparable between frameworks."""
    with hearing() as heard:
        try:
            result = ("value", plain(fn(t), t))
        except Exception as e:
            result = (type(e).__name__, str(e).replace("'mindtorch.", "'torch."))
    return result, [(str(w.message), w.category.__name__) for w in heard]


def same(fn):
    """Both frameworks do the same; returns what they did."""
    got, want = outcome(fn, ours), outcome(fn, torch)
    assert got == want
    return want


def agree(fn):
    """Both frameworks return the same, and neither raises."""
    result, _ = same(fn)
    assert result[0] == "value", result
    return result[1]


def refuse(fn):
    """Both frameworks raise the same."""
    result, _ = same(fn)
    assert result[0] != "value", "the oracle raised nothing"
    return result


def groups(m, t):
    d = m.__dict__
    names = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set")
    own = {k: v for k, v in d.items() if not k.startswith("_") and k != "training"}
    return [plain(d[n], t) for n in names], plain(own, t)
