"""Every row over the dtypes of which torch has few kernels: what it computes, and what it refuses.

8-bit floats, complex32, bits, narrow integers, and unsigned integers of 16 to 64 bits.
"""

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import unlisted
from .rows import NAMES, compare, forms, mapped, outcome, own_self, samples

HERE = "test_rows_scarce_dtypes.py"
SCARCE = (
    "float8_e4m3fn",
    "float8_e8m0fnu",
    "bits8",
    "int4",
    "complex32",
    "uint16",
)
#: Only bytes: no numbers can be cast to them.
OPAQUE = ("bits8", "int4")
#: torch's kernel, and so the name in its refusal, depends on the shape or the layout; or it refuses
#: (or does not) because of a step inside a composite that mindtorch does otherwise, or rounds it.
OTHERWISE = frozenset(
    """
    __lshift__.Scalar __rshift__.Scalar _pad_enum cummaxmin_backward gather_backward
    index_select_backward infinitely_differentiable_gelu_backward masked_select_backward
    trace_backward
    _chunk_cat _neg_view _scaled_mm _unsafe_masked_index_put_accumulate addbmm addcdiv addmm
    all.dims any.dims cauchy cauchy_ column_stack constant_pad_nd conv1d.padding conv3d
    conv3d.padding conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input
    cummax cummin cumprod cumsum dstack embedding_renorm_ exponential fill.Tensor fill_.Tensor
    index_add index_fill.int_Scalar kl_div kthvalue linear masked_fill.Scalar max.dim
    max_pool1d min.dim mode msort native_batch_norm_backward pad random.from random.to
    rms_norm scatter.value scatter.value_reduce smooth_l1_loss_backward soft_margin_loss sort
    sort.stable std std.correction std.dim topk uniform var var.correction var.dim rot90
    """.split()
)
TESTED = [n for n in NAMES if ROWS[n].samples and not n.startswith(("empty", "new_empty"))]
TESTED = [n for n in TESTED if n not in OTHERWISE]


def scarce(t, name):
    """*t*, if it is float32, with its numbers in the dtype *name*."""
    home = mindtorch if isinstance(t, mindtorch.Tensor) else torch
    if t.dtype is not home.float32:
        return t
    dtype = getattr(home, name)
    t = t.detach()
    if name in OPAQUE:
        return home.zeros(t.shape, dtype=home.uint8, device=t.device).view(dtype)
    if name.startswith("uint"):
        return t.abs().to(home.int64).to(dtype)
    return t.to(dtype)


def readable(t):
    """*t* in a dtype that numpy has: its numbers, or its bytes."""
    home = mindtorch if isinstance(t, mindtorch.Tensor) else torch
    name = str(t.dtype).removeprefix("torch.")
    if name in OPAQUE:
        return t.detach().view(home.uint8)
    if name.startswith("float8"):
        return t.detach().float()
    return t.detach().to(home.complex64) if name == "complex32" else t


def differences(name, dtype, number=0):
    """What one sample of a row comes to that torch's does not."""
    row = ROWS[name]
    form = forms(row)[0]
    for sample in samples(row)[number : number + 1]:
        sides = [mapped(own_self(row, c), lambda t: scarce(t, dtype)) for c in sample[1:]]
        got = outcome(form.ours, sides[0], seed=row.random)
        want = outcome(form.oracle, sides[1], seed=row.random)
        if want.error is not None and "INTERNAL ASSERT" in str(want.error):
            continue
        same = str(getattr(got.value, "dtype", "")) == str(getattr(want.value, "dtype", ""))
        if same:
            got, want = (o._replace(value=mapped(o.value, readable)) for o in (got, want))
        for line in compare(got, want, tolerance=(4e-3, 4e-3)):
            yield f"{name} {sample!r}: {line}"


@pytest.mark.parametrize("dtype", SCARCE)
def test_rows_refuse_and_compute_as_torch(dtype):
    lines: list[str] = []
    for name in TESTED:
        case = f"{HERE}::test_rows_refuse_and_compute_as_torch[{dtype}-{name}]"
        lines += unlisted(case, list(differences(name, dtype)))
    assert not lines, "\n".join(lines)
