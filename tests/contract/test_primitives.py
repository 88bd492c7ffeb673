"""torch's primitives (``torch.ops.prims``, ``torch._prims``): what they give, refuse, and are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from .both_frameworks import ours, outcome, part

#: A call on each line; ``p`` is the module, ``t`` makes a tensor.
CALLS = [
    line
    for line in Path(__file__).with_name("primitives.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
NAMES = sorted(n for n in dir(torch.ops.prims) if not n.startswith(("__", "_dir")) and n != "name")
#: Those whose meta kernels of torch read memory that is not there, or make no view.
WITHOUT_META = {"imag", "item", "real"}


def _same(program: Any) -> None:
    mine, theirs = outcome(program, ours), outcome(program, torch)
    assert repr(mine).replace("mindtorch", "torch") == repr(theirs)


def rounded(value: Any) -> Any:
    """Numbers with five digits, for functions may differ in the last bits."""
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, complex):
        return rounded(value.real), rounded(value.imag)
    return float(f"{value:.5g}") if isinstance(value, float) else value


def shown(value: Any, t: Any) -> Any:
    """What a result is: its elements, and how it lies in memory."""
    if isinstance(value, t.Tensor):
        elements = None if value.is_meta else rounded(value.tolist())
        kept = (value.requires_grad, value.is_conj(), value._is_view())
        return (elements, str(value.dtype), tuple(value.shape), value.stride(), *kept)
    return [shown(v, t) for v in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("call", CALLS)
def test_calls(call: str) -> None:
    def run(t: Any) -> Any:
        t.manual_seed(0)
        given = {"torch": t, "t": t.tensor, "p": part(t, "_prims")}
        value = eval(f"p.{call}", given)
        return shown(value, t) if "empty" not in call else (value.shape, value.stride())

    _same(run)


@pytest.mark.parametrize("name", NAMES)
def test_operators(name: str) -> None:
    """Schema, tags, and what each gives for operands of several dtypes, where all are tensors."""

    def run(t: Any) -> Any:
        packet = getattr(t.ops.prims, name)
        schema = packet.default._schema
        tags = sorted(str(tag) for tag in packet.default.tags)
        found = [str(schema), packet.overloads(), tags if name != "convert_element_type" else None]
        if any(str(a.type) != "Tensor" for a in schema.arguments):
            return found
        for values in ([0.5, 0.25], [0.5 + 1j, 0.25], [2, 3], [True, False]):
            for device in ("cpu", "meta")[: 1 + (name not in WITHOUT_META)]:
                x = t.tensor(values, device=device)
                x.requires_grad = x.is_floating_point() or x.is_complex()
                try:
                    y = packet(*[x] * len(schema.arguments))
                    found.append(shown(y, t))
                    found.append(type(y[0] if isinstance(y, tuple) else y).__name__)
                except (RuntimeError, TypeError) as error:
                    found.append((type(error).__name__, str(error)))
        return found

    _same(run)


def test_no_primitive_has_a_gradient() -> None:
    def run(t: Any) -> Any:
        found = []
        x = t.ones(2, 3, requires_grad=True)
        for y in (t.ops.prims.sin(x), t.ops.prims.transpose(x, [1, 0])):
            found.append(type(y.grad_fn).__name__)
            try:
                y.sum().backward()
            except RuntimeError as error:
                found.append(str(error))
        return found

    _same(run)


def test_names_of_the_module() -> None:
    def run(t: Any) -> Any:
        module = part(t, "_prims")
        names = [n for n in part(torch, "_prims").__all__ if n != "slice"]
        kinds = [(n, type(getattr(module, n)).__name__) for n in names]
        returned = [str(getattr(getattr(module, n), "return_type", None)) for n in names]
        return kinds, returned, list(map(str, module.RETURN_TYPE))

    _same(run)


def test_graphs_and_tensors_without_memory() -> None:
    def run(t: Any) -> Any:
        prims = t.ops.prims
        make_fx = part(t, "fx.experimental.proxy_tensor").make_fx
        traced = make_fx(lambda x: prims.convert_element_type(prims.sin(x), t.float64))(t.ones(2))
        with part(t, "_subclasses.fake_tensor").FakeTensorMode():
            x = t.ones(2, 3)
            fakes = [prims.transpose(x, [1, 0]), prims.sum(x, [0]), prims.device_put(x, "cpu")]
            shapes = [(type(y).__name__, y.shape, str(y.device)) for y in fakes]
        return traced.code, shapes

    _same(run)
