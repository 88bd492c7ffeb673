"""Every row over lazy copies: what it only reads stays one, what it writes does not.

As PyTorch's own test of copy-on-write inputs does for its table of ops.
"""

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .rows import NAMES, forms, mapped, outcome, own_self, report, samples, tensors_in

READ = [n for n in NAMES if ROWS[n].samples and not ROWS[n].random]


def lazy(t):
    """A lazy copy of *t*, a leaf as *t* is; what has no memory to copy stays as it is."""
    if t.requires_grad or t.is_conj() or t.is_neg():
        return t
    return _home(t)._lazy_clone(t.clone())


def _home(t):
    return mindtorch if isinstance(t, mindtorch.Tensor) else torch


def _is_cow(t):
    return _home(t)._C._is_cow_tensor(t)


#: torch asks these for memory to write though they only read it.
_READ_AS_WRITTEN = (
    *("_dirichlet_grad", "_standard_gamma_grad", "_weight_norm", "_weight_norm_interface"),
    *("channel_shuffle", "ldexp.Tensor", "fake_quantize_per_channel_affine"),
    *("fake_quantize_per_tensor_affine", "fake_quantize_per_tensor_affine.tensor_qparams"),
    *("_fake_quantize_learnable_per_tensor_affine", "_fake_quantize_learnable_per_channel_affine"),
    "_fake_quantize_learnable_per_tensor_affine_backward",
    "_fake_quantize_learnable_per_channel_affine_backward",
    *("_fused_moving_avg_obs_fq_helper", "_fused_moving_avg_obs_fq_helper_functional"),
    "fused_moving_avg_obs_fake_quant",
    *("_reshape_from_tensor", "_scaled_mm", "native_channel_shuffle", "_int_mm"),
)
#: The op that it comes to here may write its statistics.
_MAY_WRITE = ("_native_batch_norm_legit_no_training",)
#: It does nothing to real numbers: torch does not even touch the memory.
_NOTHING = ("conj_physical_",)


@pytest.mark.parametrize("part", range(4))
def test_reading_makes_no_copy(part):
    """What each argument is after the call, and the errors, are the oracle's."""
    lines, lazy_ones = [], 0
    for name in READ[part::4]:
        if name in _READ_AS_WRITTEN + _NOTHING + _MAY_WRITE:
            continue
        row = ROWS[name]
        form = forms(row)[0]
        for sample in samples(row, most=1):
            ours, oracle = (mapped(own_self(row, c), lazy) for c in (sample.ours, sample.oracle))
            got, want = outcome(form.ours, ours), outcome(form.oracle, oracle)
            if (got.error is None) != (want.error is None):
                lines.append(f"{name} {sample!r}: {got.error}, torch {want.error}")
            a = [_is_cow(t) for t in tensors_in(ours)]
            b = [_is_cow(t) for t in tensors_in(oracle)]
            if a != b:
                lines.append(f"{name} {sample!r}: {a}, torch {b}")
            lazy_ones += sum(b)
    report(lines)
    assert lazy_ones > 60
