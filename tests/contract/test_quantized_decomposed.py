"""Operators of quantization in plain dtypes are the oracle's: schemas, numbers, layouts, errors."""

from __future__ import annotations

import inspect
from typing import Any

import mindtorch
import mindtorch.ao.quantization.fx._decomposed as ours
import mindtorch.ao.quantization.utils
import pytest
import torch
import torch.ao.quantization.fx._decomposed as oracle
import torch.ao.quantization.utils

NAMES = """
_choose_qparams_per_token_asymmetric_impl choose_qparams.tensor choose_qparams_per_token
choose_qparams_per_token_asymmetric choose_qparams_symmetric.tensor convert_element_type.no_fuse
dequantize_per_channel dequantize_per_channel_group dequantize_per_tensor
dequantize_per_tensor.tensor dequantize_per_tensor.tensor2 dequantize_per_token
fake_quant_per_channel quantize_per_channel quantize_per_channel_group quantize_per_tensor
quantize_per_tensor.tensor quantize_per_tensor.tensor2 quantize_per_token
""".split()

OF_DTYPES = """
q.quantize_per_tensor({x},.5,1,-128,127,t.int8)
q.quantize_per_tensor.tensor({x},S,Z,-128,127,t.int8)
q.quantize_per_tensor.tensor2({x},S,Z,lo,hi,t.int8)
q.choose_qparams.tensor({x},-128,127,1e-5,t.int8)
q.choose_qparams_symmetric.tensor({x},-127,127,1e-5,t.int8)
q.quantize_per_channel({x},SC,ZC,0,-128,127,t.int8)
q.choose_qparams_per_token({x},t.int8)
q.choose_qparams_per_token_asymmetric({x},t.int8)
q._choose_qparams_per_token_asymmetric_impl({x},t.int8)
q.quantize_per_token({x},ST,ZT,-128,127,t.int8)
q.quantize_per_channel_group({x},SG,ZG,-128,127,t.int8,2)
q.fake_quant_per_channel({x},SC,ZC,0,-128,127)
q.convert_element_type.no_fuse({x},t.float16)
""".strip().splitlines()

PROGRAMS = """
q.quantize_per_tensor(X,.5,1,0,255,t.uint8)
q.quantize_per_tensor(X,.5,1,-128,127,t.uint8)
q.quantize_per_tensor(X,.5,1,-129,127,t.int8)
q.quantize_per_tensor(X,.5,1,-128,128,t.int8)
q.quantize_per_tensor(X,.5,1,0,65535,t.uint16)
q.quantize_per_tensor(X,.5,1,-32768,32767,t.int16)
q.quantize_per_tensor(X,.5,1,-2**31,2**31-1,t.int32)
q.quantize_per_tensor(X,.5,1,-448,448,t.float8_e4m3fn)
q.quantize_per_tensor(X,.5,1,-57344,57344,t.float8_e5m2)
q.quantize_per_tensor(X,.5,1,-8,7,t.int4)
q.quantize_per_tensor(X,.5,1,-8,7,t.int64)
q.quantize_per_tensor(X,.5,1,-8,7,t.float32)
q.quantize_per_tensor(X,.5,1,-8,7,t.int8)
q.quantize_per_tensor(X,.1,0,-8,7,t.int8)
q.quantize_per_tensor(X.t(),.5,1,-8,7,t.int8)
q.quantize_per_tensor(X[:,::2],.5,1,-8,7,t.int8)
q.quantize_per_tensor(X*float('nan'),.5,1,-8,7,t.int8)
q.quantize_per_tensor(X.clone().requires_grad_(),.5,1,-8,7,t.int8)
q.quantize_per_tensor(X)
q.quantize_per_tensor(X,S,Z,-128,127,t.int8)
q.quantize_per_tensor.tensor(X,S1,Z1,-128,127,t.int8)
q.quantize_per_tensor.tensor(X,SC,ZC,-128,127,t.int8)
q.quantize_per_tensor.tensor(X,S,ZC,-128,127,t.int8)
q.quantize_per_tensor.tensor2(X,SC,Z,lo,hi,t.int8)
q.quantize_per_tensor.tensor2(X,S,ZC,lo,hi,t.int8)
q.quantize_per_tensor.tensor2(X,S,Z,lo-1,hi,t.int8)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.uint8)
q.dequantize_per_tensor(I,.5,1,-128,127,t.int32)
q.dequantize_per_tensor(Q,.5,1,-129,127,t.int8)
q.dequantize_per_tensor(Q.t(),.5,1,-128,127,t.int8)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8,out_dtype=t.float16)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8,out_dtype=t.bfloat16)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8,out_dtype=t.float64)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8,out_dtype=t.int32)
q.dequantize_per_tensor(Q.to(t.uint16),.5,1,0,65535,t.uint16)
q.dequantize_per_tensor(Q.to(t.float8_e4m3fn),.5,0,-448,448,t.float8_e4m3fn)
q.dequantize_per_tensor(Q.long(),.5,0,-448,448,t.int64)
q.dequantize_per_tensor(X,.5,0,-448,448,t.float32)
q.dequantize_per_tensor.tensor(Q,S,Z,-128,127,t.int8)
q.dequantize_per_tensor.tensor(Q,S1,Z1,-128,127,t.int8)
q.dequantize_per_tensor.tensor(Q,SC,ZC,-128,127,t.int8)
q.dequantize_per_tensor.tensor(Q,S,ZC,-128,127,t.int8)
q.dequantize_per_tensor.tensor(I,S,Z,-128,127,t.int8)
q.dequantize_per_tensor.tensor(Q,S,Z,-128,127,t.int8,out_dtype=t.float16)
q.dequantize_per_tensor.tensor2(Q,S,Z,lo,hi,t.int8)
q.dequantize_per_tensor.tensor2(Q,SC,Z,lo,hi,t.int8)
q.dequantize_per_tensor.tensor2(I,S,Z,lo,hi,t.int8)
q.dequantize_per_tensor.tensor2(Q,S,Z,lo,hi,t.int8,out_dtype=t.float16)
q.choose_qparams.tensor(X,0,255,1e-5,t.uint8)
q.choose_qparams.tensor(X*0,0,255,1e-5,t.uint8)
q.choose_qparams.tensor(X.abs(),0,255,1e-5,t.uint8)
q.choose_qparams.tensor(-X.abs(),-128,127,.1,t.int8)
q.choose_qparams.tensor(X,255,0,1e-5,t.uint8)
q.choose_qparams.tensor(X,5,5,1e-5,t.uint8)
q.choose_qparams.tensor(X,-8,7,1e-5,t.int64)
q.choose_qparams.tensor(X,-8,7,1e-5,t.float32)
q.choose_qparams.tensor(X,-8,7,1e-5,t.float8_e4m3fn)
q.choose_qparams.tensor(X,-8,7,1e-5,t.float8_e5m2)
q.choose_qparams.tensor(X,0,255,1e-5,t.int8)
q.choose_qparams.tensor(X[:0],0,255,1e-5,t.uint8)
q.choose_qparams_symmetric.tensor(X,0,255,1e-5,t.uint8)
q.choose_qparams_symmetric.tensor(X,-127,127,1e-5,t.int8)
q.choose_qparams_symmetric.tensor(X,-8,7,1e-5,t.int64)
q.choose_qparams_symmetric.tensor(X,7,-8,1e-5,t.int8)
q.choose_qparams_symmetric.tensor(X*0,-8,7,1e-5,t.int8)
q.quantize_per_channel(X,S4,Z4,1,-128,127,t.int8)
q.quantize_per_channel(X,S4,Z4,-1,-128,127,t.int8)
q.quantize_per_channel(X,S4,Z4,2,-128,127,t.int8)
q.quantize_per_channel(X,S4,Z4,0,-128,127,t.int8)
q.quantize_per_channel(X,S4,Z4.int(),1,-128,127,t.int8)
q.quantize_per_channel(X,S4.double(),Z4.int(),1,-128,127,t.int8)
q.quantize_per_channel(X,S4,Z4.int(),1,-129,127,t.int8)
q.quantize_per_channel(X,SC,ZC,0,0,255,t.uint8)
q.quantize_per_channel(X[None].expand(2,2,4),SC,ZC,1,-128,127,t.int8)
q.dequantize_per_channel(Q,SC,ZC,0,-128,127,t.int8)
q.dequantize_per_channel(Q,SC,None,0,-128,127,t.int8)
q.dequantize_per_channel(Q,S4,Z4,1,-128,127,t.int8)
q.dequantize_per_channel(Q,S4,Z4,-1,-128,127,t.int8)
q.dequantize_per_channel(Q,SC.double(),ZC,0,-128,127,t.int8)
q.dequantize_per_channel(Q,SC,ZC.float(),0,-128,127,t.int8)
q.dequantize_per_channel(Q,SC,ZC,0,-128,127,t.uint8)
q.dequantize_per_channel(I,SC,ZC,0,-128,127,t.int8)
q.dequantize_per_channel(Q,SC,ZC,0,-129,127,t.int8)
q.dequantize_per_channel(Q,SC,ZC,0,-128,127,t.int8,out_dtype=t.float16)
q.dequantize_per_channel(Q,SC,None,0,-128,127,t.int8,out_dtype=t.float16)
q.choose_qparams_per_token(X,t.int4)
q.choose_qparams_per_token(X,t.int16)
q.choose_qparams_per_token(X,t.uint8)
q.choose_qparams_per_token(X*0,t.int8)
q.choose_qparams_per_token(X[None],t.int8)
q.choose_qparams_per_token_asymmetric(X,t.int4)
q.choose_qparams_per_token_asymmetric(X,t.uint8)
q.choose_qparams_per_token_asymmetric(X*0,t.int8)
q.choose_qparams_per_token_asymmetric(X[None],t.int8)
q.choose_qparams_per_token_asymmetric(X[0],t.int8)
q.quantize_per_token(X,SC,ZC,-128,127,t.int8)
q.quantize_per_token(X,ST,ZT[:1],-128,127,t.int8)
q.quantize_per_token(X,ST[:1],ZT[:1],-128,127,t.int8)
q.quantize_per_token(X,ST,ZT,-129,127,t.int8)
q.quantize_per_token(X[0],S1,Z1,-128,127,t.int8)
q.quantize_per_token(X[None],ST[None],ZT[None],-128,127,t.int8)
q.dequantize_per_token(Q,ST,ZT,-128,127,t.int8,t.float32)
q.dequantize_per_token(Q,ST,ZT,-128,127,t.int8,t.float16)
q.dequantize_per_token(Q,ST,ZT,-128,127,t.int8,t.float64)
q.dequantize_per_token(Q,ST,ZT,-128,127,t.int8)
q.dequantize_per_token(Q,ST.double(),ZT,-128,127,t.int8,t.float32)
q.quantize_per_channel_group(X,SG,ZG,-8,7,t.int8,3)
q.quantize_per_channel_group(X,SG,ZG,-8,7,t.int8,1)
q.quantize_per_channel_group(X,SG,ZG,-8,7,t.int8,5)
q.quantize_per_channel_group(X,SG,ZG,-8,7,t.int4,2)
q.quantize_per_channel_group(X,SG,ZG,-8,7,t.int8)
q.quantize_per_channel_group(X,SG[:,:1],ZG[:,:1],-8,7,t.int8,4)
q.quantize_per_channel_group(X[None],SG,ZG,-8,7,t.int8,2)
q.quantize_per_channel_group(X,SC,ZC,-8,7,t.int8,2)
q.dequantize_per_channel_group(Q,SG,ZG,-8,7,t.int8,2,t.float32)
q.dequantize_per_channel_group(Q,SG,None,-8,7,t.int8,2,t.float32)
q.dequantize_per_channel_group(Q,SG,ZG,-8,7,t.int8,2,t.float16)
q.dequantize_per_channel_group(Q,SG.half(),ZG,-8,7,t.int8,2,t.float32)
q.dequantize_per_channel_group(Q,SG,ZG,-8,7,t.int8,3,t.float32)
q.dequantize_per_channel_group(Q,SG,ZG,-8,7,t.int8,1,t.float32)
q.dequantize_per_channel_group(Q,SG,ZG,-8,7,t.int8,5,t.float32)
q.dequantize_per_channel_group(Q[None],SG,ZG,-8,7,t.int8,2,t.float32)
q.fake_quant_per_channel(X.clone().requires_grad_(),SC,ZC,0,-8,7)
q.fake_quant_per_channel(X,S4,Z4,1,-8,7)
q.fake_quant_per_channel(X,S4,Z4,-1,-8,7)
q.fake_quant_per_channel(X,SC,ZC.int(),0,-8,7)
q.fake_quant_per_channel(X,SC.double(),ZC,0,-8,7)
(lambda x: t.autograd.grad(q.fake_quant_per_channel(x,SC,ZC,0,-8,7),x,X))(+X.requires_grad_())
(lambda x: t.autograd.grad(q.fake_quant_per_channel(x,S4,Z4,1,-8,7),x,X))(+X.requires_grad_())
q.fake_quant_per_channel(X,SC.clone().requires_grad_(),ZC,0,-8,7)
q.convert_element_type.no_fuse(X,t.int8)
q.convert_element_type.no_fuse(X,t.float32)
q.convert_element_type.no_fuse(X.t(),t.float16)
q.dequantize_per_tensor(Q,.5,1,-128,127,t.int8).sum()
t.vmap(lambda x: q.quantize_per_tensor(x,.5,1,-8,7,t.int8))(X)
""".strip().splitlines()


def _operands(t: Any, device: str) -> dict[str, Any]:
    x = t.tensor([[-3.0, -0.26, 0.25, 0.75], [1.5, 2.5, 200.0, 0.0]], device=device)
    quantized = t.tensor([[-128, -5, 0, 3], [7, 11, 127, 2]], dtype=t.int8, device=device)
    scales, zeros = t.tensor([0.5, 0.25], device=device), t.tensor([1, -2], device=device)
    return {
        "t": t,
        "q": t.ops.quantized_decomposed,
        "X": x, "H": x.half(), "B": x.bfloat16(), "D": x.double(),
        "Q": quantized, "I": quantized.int(),
        "S": t.tensor(0.5, device=device), "Z": t.tensor(1, device=device),
        "S1": t.tensor([0.5], device=device), "Z1": t.tensor([1], device=device),
        "SC": scales, "ZC": zeros, "ST": scales[:, None], "ZT": zeros[:, None],
        "S4": t.tensor([0.5, 0.25, 2.0, 1.0], device=device),
        "Z4": t.tensor([0, 1, 2, 3], device=device),
        "SG": t.tensor([[0.5, 0.25], [1.0, 2.0]], device=device),
        "ZG": t.tensor([[0, 1], [2, 3]], dtype=t.int32, device=device),
        "lo": t.tensor(-128, device=device), "hi": t.tensor(127, device=device),
    }  # fmt: skip


def _plain(found: Any) -> Any:
    if isinstance(found, (tuple, list)):
        return [_plain(one) for one in found]
    numbers = None if found.is_meta else found.tolist()
    kind = str(found.dtype).rpartition(".")[2], tuple(found.shape), found.stride()
    return kind, numbers, found.requires_grad


def _said(t: Any, program: str, device: str) -> Any:
    try:
        return _plain(eval(program, _operands(t, device)))
    except Exception as error:
        text = str(error).replace("mindtorch.", "torch.").partition("\n")[0]
        return type(error).__name__, text


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_the_oracles(name):
    base, _, overload = name.partition(".")
    schemas = [
        str(getattr(getattr(t.ops.quantized_decomposed, base), overload or "default")._schema)
        for t in (mindtorch, torch)
    ]
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results_and_errors_are_the_oracles(program, device):
    """On meta few arguments are looked at."""
    assert _said(mindtorch, program, device) == _said(torch, program, device)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("operand", ["X", "H", "B", "D", "I"])
@pytest.mark.parametrize("program", OF_DTYPES)
def test_dtypes_of_operands_are_the_oracles(program, operand, device):
    program = program.format(x=operand)
    assert _said(mindtorch, program, device) == _said(torch, program, device)


def test_a_shape_that_does_not_fit_is_refused():
    """On meta the oracle says so in the words of its decompositions."""
    program = "q.fake_quant_per_channel(X, S4, Z4, 0, -8, 7)"
    assert _said(mindtorch, program, "cpu") == _said(torch, program, "cpu")


def _functions(module: Any) -> dict[str, Any]:
    names = [name for name in vars(oracle) if not name.startswith("__")]
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


def test_functions_take_what_the_oracles_take():
    """By the same names, with the same defaults."""
    for name, function in _functions(oracle).items():
        if inspect.isfunction(function) and function.__module__ == oracle.__name__:
            taken = [
                [(p.name, p.kind) for p in inspect.signature(f).parameters.values()]
                for f in (_functions(ours)[name], function)
            ]
            assert taken[0] == taken[1], name


def test_constants_are_the_oracles():
    for name in ("_DTYPE_TO_QVALUE_BOUNDS", "_INTEGER_DTYPES", "_FLOAT_DTYPES"):
        assert repr(getattr(ours, name)).replace("mindtorch.", "torch.") == repr(
            getattr(oracle, name)
        )


@pytest.mark.parametrize("scheme", ["per_tensor_affine", "per_tensor_symmetric",
                                    "per_channel_affine", "per_channel_symmetric",
                                    "per_channel_affine_float_qparams"])  # fmt: skip
@pytest.mark.parametrize("dtype", ["int8", "quint8"])
@pytest.mark.parametrize("between", [(-1.0, 2.0), ([-1.0, 0.5], [2.0, 3.0]), ([], [])], ids=str)
def test_parameters_are_the_oracles(scheme, dtype, between):
    """In float64 and int64, where observers have float32 and int32."""
    found = []
    for t in (mindtorch, torch):
        least, most = (t.tensor(number) for number in between)
        determine = t.ao.quantization.utils.determine_qparams
        arguments = -8, 7, getattr(t, dtype), t.tensor([1e-5]), True, getattr(t, scheme)
        found.append(_plain(determine(least, most, *arguments)))
    assert found[0] == found[1]
