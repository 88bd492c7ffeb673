"""Tensors of one call on several devices: what the entry of each op says of them.

Which ops look, and how their wrappers are called, is read off the file that torch's own code is
generated from; the installed torch has no accelerator, so its texts are made up here by the rules
of that generator, with NPU for CUDA.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import mindtorch
import pytest
import torch
import torchgen
from mindtorch.call.arguments import full_arguments
from mindtorch.call.device_checks import device_check, is_resized
from mindtorch.call.dispatch_entry import OVERLOADS, run

from .batches import every
from .rows import mapped, own_self, samples, tensors_in

TEXT = (
    "Expected all tensors to be on the same device, but got {} is on {}, different from other "
    "tensors on {} (when checking argument in method wrapper_NPU_{})"
)


@cache
def makes() -> dict[str, str]:
    """Overload -> the make of its wrapper on CUDA: ``structured``, ``plain`` or ``resized``."""
    source = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    found = {}
    for entry in re.split(r"(?m)^- func: ", source.read_text("utf-8"))[1:]:
        says = {key: bool(re.search(rf"(?m)^ +{text}", entry)) for key, text in FACTS.items()}
        name = entry.partition("(")[0]
        if says["unchecked"]:
            if says["structured"] and not says["delegated"] and not says["iterator"]:
                found[name] = "resized"
        elif says["structured"] or says["on_cuda"]:
            found[name] = "structured" if says["structured"] else "plain"
    return found


FACTS = {
    "unchecked": "device_check: NoCheck",
    "structured": "structured(_delegate)?: ",
    "delegated": "structured_delegate: ",
    "iterator": "structured_inherits: ",
    "on_cuda": r"(\w+, )*CUDA(, \w+)*: ",
}
#: Ops that torch has no kernel of, and what is called in their place: the op, its arguments.
ELSEWHERE = {
    "batch_norm": "native_batch_norm input weight bias running_mean running_var",
    "complex": "complex.out real imag",
    "convolution": "cudnn_convolution self weight",
    "dot.out": "dot self tensor",
    "embedding": "index_select self index",
    "huber_loss_backward": "huber_loss_backward.out self grad_output target",
    "masked_scatter": "masked_scatter_ self mask source",
    "mv": "addmv.out mat vec",
    "mv.out": "addmv.out out mat vec",
    "polar": "polar.out abs angle",
    "put": "put_ self index source",
    "smooth_l1_loss_backward": "smooth_l1_loss_backward.grad_input self grad_output target",
    "sort.values": "sort.values_stable values indices self",
    "stack": "cat tensors",
    "stack.out": "cat.out out tensors",
    "vdot.out": "vdot self other",
}


def schema(name: str) -> Any:
    base, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")._schema


def checked(name: str) -> list[str]:
    """The arguments that the wrapper of an overload looks at, in order."""
    arguments = [a for a in schema(name).arguments if "Tensor" in str(a.type)]
    inputs = [a.name for a in arguments if not a.is_out and not a.kwarg_only]
    return [a.name for a in arguments if a.is_out] + inputs


def method(name: str) -> str:
    base, _, overload = name.partition(".")
    if any(a.is_out for a in schema(name).arguments):
        base += "_out"
    if makes()[name] == "structured":
        return f"{base}_{overload}" if overload else base
    return f"{overload}_{base}"


def entries() -> dict[str, tuple[str, list[str]]]:
    """Overload of ours -> method and names of arguments that torch would tell."""
    found = {}
    for qualified in list(OVERLOADS):
        name = qualified.removeprefix("aten::")
        if name in ELSEWHERE:
            op, *arguments = ELSEWHERE[name].split()
            found[name] = method(op), arguments
        elif qualified.startswith("aten::") and makes().get(name, "resized") != "resized":
            several = checked(name)
            if len(several) > 1 or "Tensor[]" in str(schema(name)):
                found[name] = method(name), several
    return found


def test_every_op_has_the_check_that_torch_generates() -> None:
    mine, resized = {}, set()
    for qualified, overload in list(OVERLOADS.items()):
        name = qualified.removeprefix("aten::")
        check = device_check(overload)
        if check is not None:
            mine[name] = check.method, [argument for _, argument in check.arguments]
        if is_resized(overload):
            resized.add(name)
    assert mine == entries()
    assert resized == {n for n, make in makes().items() if make == "resized"} & {
        q.removeprefix("aten::") for q in OVERLOADS
    }
    assert len(mine) > 250


def told() -> list[str]:
    """Functional and in-place overloads that look at two tensors or more."""
    return [n for n in entries() if OVERLOADS["aten::" + n].kind != "out" and n != "convolution"]


@every("name", told())
def test_the_first_tensor_elsewhere_is_named(name: str) -> None:
    overload = OVERLOADS["aten::" + name]
    check = device_check(overload)
    assert check is not None
    cases = 0
    for dtype in ("float32", "int64"):
        for sample in samples(overload.row, dtype, most=2):
            cases += placements(overload, check, own_self(overload.row, sample.ours))
    if not cases:
        pytest.skip("no sample with two tensors")


def placements(overload: Any, check: Any, call: Any) -> int:
    """Each tensor of a call in turn away from the others, and what is said of it."""
    if sum(not a.has_default_value() for a in overload.schema.arguments) > len(call.args) + len(
        call.kwargs
    ):
        return 0  # of another overload of the name
    args = full_arguments(overload, call.args, call.kwargs)
    looked_at = [(p, n) for p, n in check.arguments if tensors_in((args[p],))]
    if len(looked_at) < 2 or (overload.kind == "inplace" and misfit(overload, args)):
        return 0
    for at, name in looked_at:
        for near, far in (("npu:0", "npu:1"), ("npu:0", "cpu"), ("cpu", "npu:0")):
            devices = {p: far if p == at else near for p, _ in looked_at}
            given = [
                mapped(a, lambda t, d=devices.get(i, near): t.to(d)) for i, a in enumerate(args)
            ]
            first, second = looked_at[:2]
            blamed = second[1] if at == first[0] else name
            there, others = (near, far) if at == first[0] else (far, near)
            with pytest.raises(RuntimeError) as caught:
                run(overload, tuple(given))
            assert str(caught.value) == TEXT.format(blamed, there, others, check.method)
    return 1


def misfit(overload: Any, args: tuple[Any, ...]) -> bool:
    """Whether what comes of a sample does not fit into its first tensor."""
    try:
        run(overload, (args[0].clone(), *args[1:]))
    except RuntimeError:
        return True
    return False


def one(device: str, *size: int) -> Any:
    return mindtorch.ones(*size, device=device)


#: Calls on ``a`` and ``b``, each on a device of its own, and what they say; ``{m}`` is the device
#: that torch's iterator compares with (the first that is not the host), ``{o}`` the other.
OWN_WORDS = {
    "a(2).masked_fill(b(2) > 0, 1.0)": (
        "expected self and mask to be on the same device, but got mask on {b} and self on {a}"
    ),
    "mindtorch.take_along_dim(a(2), b(2).long())": (
        "Expected tensor to have {a} Device, but got tensor with {b} Device (while checking "
        "arguments for torch.take_along_dim():)"
    ),
    "mindtorch.block_diag(a(2), b(2))": (
        "torch.block_diag: input tensors must all be on the same device. Input 0 is on device {a} "
        "and input 1 is on device {b}"
    ),
    "mindtorch.nn.GRU(2, 2, device=str(b(1).device))(a(2, 2))": (
        "Input and parameter tensors are not at the same device, found input tensor at {a} and "
        "parameter tensor at {b}"
    ),
    "mindtorch.nn.LSTM(2, 2, device=str(a(1).device))(a(2, 2), (b(1, 2), b(1, 2)))": (
        "Input and hidden tensors are not at the same device, found input tensor at {a} and "
        "hidden tensor at {b}"
    ),
    "a(2) + b(2)": (
        "Expected all tensors to be on the same device, but found at least two devices, {m} and "
        "{o}!"
    ),
    "mindtorch.exp(b(2), out=a(2))": (
        "Expected all tensors to be on the same device, but found at least two devices, {m} and "
        "{o}!"
    ),
    "mindtorch.sum(a(2), 0, out=b(1))": (
        "Expected out tensor to have device {a}, but got {b} instead"
    ),
    "mindtorch.mm(a(2, 2), a(2, 2), out=b(2, 2))": TEXT.format("self", "{a}", "{b}", "mm_out_out"),
    "a(2, 2) @ b(2, 2)": TEXT.format("mat2", "{b}", "{a}", "mm"),
    "mindtorch.equal(a(2), b(3))": TEXT.format("other", "{b}", "{a}", "_equal"),
    "mindtorch.nn.functional.linear(a(2, 2), b(2, 2), b(2))": TEXT.format(
        "mat1", "{a}", "{b}", "addmm"
    ),
    "mindtorch.nn.functional.embedding(a(2).long(), b(2, 2))": TEXT.format(
        "index", "{a}", "{b}", "_index_select"
    ),
    "mindtorch.clamp(a(2), b(1)[0])": TEXT.format("min", "{b}", "{a}", "clamp_Tensor"),
}


@every("call", OWN_WORDS)
def test_each_op_says_it_in_its_words(call: str) -> None:
    for here, there in (("npu:0", "npu:1"), ("npu:0", "cpu"), ("cpu", "npu:0")):
        main, other = (there, here) if here == "cpu" else (here, there)
        names = {
            "a": lambda *size, at=here: one(at, *size),
            "b": lambda *size, at=there: one(at, *size),
        }
        with pytest.raises(RuntimeError) as caught:
            eval(call, {"mindtorch": mindtorch, **names})
        assert str(caught.value) == OWN_WORDS[call].format(a=here, b=there, m=main, o=other)


def test_parameters_of_a_convolution_are_of_the_inputs_type() -> None:
    x, near, far = (one(d, 1, 1, 2, 2) for d in ("npu:0", "cpu", "npu:1"))
    conv = mindtorch.nn.functional.conv2d
    for args, text in (
        (
            (x, near),
            "Input type (torch.npu.FloatTensor) and weight type (torch.FloatTensor) should be the "
            "same",
        ),
        (
            (near, x),
            "Input type (torch.FloatTensor) and weight type (torch.npu.FloatTensor) should be the "
            "same or input should be a MKLDNN tensor and weight is a dense tensor",
        ),
        ((x, far), TEXT.format("weight", "npu:1", "npu:0", "_cudnn_convolution")),
    ):
        with pytest.raises(RuntimeError) as caught:
            conv(*args)
        assert str(caught.value) == text


def test_numbers_on_the_host_still_follow() -> None:
    x, number = one("npu:0", 2), mindtorch.tensor(3.0)
    mask = x > 0
    assert (x + number).tolist() == [4.0, 4.0]
    assert x.masked_fill(mask, number).tolist() == [3.0, 3.0]
    assert mindtorch.where(mask, number, x).tolist() == [3.0, 3.0]
    assert x.masked_fill_(mask, number).tolist() == [3.0, 3.0]
    assert x.fill_(mindtorch.tensor(2.0)).tolist() == [2.0, 2.0]
