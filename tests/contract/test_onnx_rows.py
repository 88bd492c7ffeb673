"""Every translated operator, on its samples: ONNX's reference implementation gives the same."""

from __future__ import annotations

from itertools import islice

import mindtorch
import numpy as np
import pytest
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS
from mindtorch.onnx._internal.exporter._errors import ConversionError, DispatchError
from mindtorch.onnx._internal.exporter._registration import TRANSLATIONS, overload

from ..samples import Maker, find
from .batches import every
from .onnx_models import array_of, checked, leaves, model_of_call, run

load_all()
#: What a translation says it cannot do, by the beginnings of its words.
REFUSED = (
    "an operator of ONNX does not take",
    "ONNX reads no bits",
    "ONNX has no inverse",
    "ONNX smooths no corners",
    "strides of a tensor",
    "attention with a mask of what is dropped",
    "ONNX has no tensors of",
    "no translation gives result",
)
#: What the reference implementation does not run, or runs otherwise than the specification says:
#: groups of transposed convolutions, blocks of one dimension, names of activations.
NOT_RUN = {
    ("conv_transpose2d.input", 0), ("col2im", 4), ("rnn_relu.input", 0), ("rnn_relu.input", 1),
}  # fmt: skip
#: Where torch itself says otherwise: places of NaN in what is sorted, rounding of a size times its
#: scale, windows of no elements, negative powers of integers.
OTHERWISE = {
    "median.dim": (3,), "adaptive_max_pool2d": (2, 3), "upsample_nearest2d": (3,),
    "upsample_nearest3d": (3,),
    "pow.Tensor_Tensor": (0,),
}  # fmt: skip
NAMES = sorted(
    n
    for n in TRANSLATIONS
    if isinstance(n, str)
    and n in ROWS
    and ROWS[n].samples
    and not ROWS[n].random
    and not n.startswith(("empty", "new_empty", "_assert"))
)
TOLERANCES = {"float32": (1e-4, 1e-5), "float64": (1e-9, 1e-9)}


def distance(name, dtype, version=20, count=4):
    """How the model of each sample of an operator differs: a line each."""
    op, row, lines = overload(name), ROWS[name], []
    for number, sample in enumerate(
        islice(find(row.samples)(Maker(mindtorch, dtype=dtype)), count)
    ):
        if (name, number) in NOT_RUN or number in OTHERWISE.get(name, ()):
            continue
        try:
            result = op(*sample.args, **sample.kwargs)
        except (RuntimeError, NotImplementedError, IndexError, TypeError, ValueError):
            continue
        tensors = leaves((sample.args, sample.kwargs, result))
        if not leaves(result) or any(t.dtype.is_complex for t in tensors):
            continue
        try:
            model, arrays = model_of_call(op, sample.args, sample.kwargs, result, version)
        except ConversionError as error:
            if not isinstance(error.__cause__, DispatchError):
                raise
            assert str(error.__cause__).startswith(REFUSED), str(error.__cause__)
            continue
        got = run(checked(model), arrays)
        for mine, tensor in zip(got, leaves(result), strict=True):
            wanted = array_of(tensor)
            assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape), (name, number)
            rtol, atol = TOLERANCES.get(wanted.dtype.name, (1e-2, 1e-2))
            a, b = (np.asarray(v).astype(np.float64) for v in (mine, wanted))
            if not np.allclose(a, b, rtol, atol, equal_nan=True):
                lines.append(f"{name}#{number}: {a.ravel()[:4]} {b.ravel()[:4]}")
    return lines


@pytest.mark.filterwarnings("ignore")
@every("name", NAMES)
@every("dtype", ("float32", "int64"))
def test_translation_gives_the_same(name, dtype):
    """The model of a call is one that ONNX's checker takes, and computes what the operator does."""
    assert not distance(name, dtype)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["add.Tensor", "sum.dim_IntList", "softmax.int", "layer_norm"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "bool", "int8", "float64"])
def test_translation_of_other_dtypes(name, dtype):
    """An operator that ONNX has for fewer dtypes computes in a wider one, and casts back."""
    assert not distance(name, dtype)
