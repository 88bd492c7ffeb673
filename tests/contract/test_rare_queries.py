"""``torch.ops`` of questions that a program asks through functions, methods and attributes."""

from __future__ import annotations

import pytest

from tests.contract.both_frameworks import same


def retained(t):
    x = t.ones(2, requires_grad=True) * 2
    x.retain_grad()
    return t.ops.aten.retains_grad(x), t.ops.aten.retains_grad(t.ones(2))


@pytest.mark.parametrize(
    "program",
    [
        lambda t: t.ops.aten.promote_types(t.float32, t.int64),
        lambda t: t.ops.aten.promote_types.default(t.uint8, t.int8),
        lambda t: t.ops.aten.result_type(t.ones(2), 1),
        lambda t: t.ops.aten.result_type(1, 2.5),
        lambda t: t.ops.aten.result_type.Tensor(t.ones(2).bfloat16(), t.ones(1).half()),
        lambda t: t.ops.aten.result_type.Scalar_Scalar(True, 1j),
        lambda t: t.ops.aten.can_cast(t.float32, t.int64),
        lambda t: str(t.promote_types(t.uint8, t.int8)),
        lambda t: t.ops.aten.get_device(t.ones(2)),
        lambda t: t.get_device(t.ones(2, device="meta")),
        lambda t: t.ops.aten.is_distributed(t.ones(2)),
        lambda t: t.ops.aten.is_vulkan_available(),
        lambda t: t.ops.aten._use_cudnn_rnn_flatten_weight(),
        lambda t: t._debug_has_internal_overlap(t.ones(2, 1).expand(2, 3)),
        lambda t: t._debug_has_internal_overlap(t.ones(2, device="meta").expand(3, 2)),
        lambda t: t._has_compatible_shallow_copy_type(t.ones(2), t.ones(2, device="meta")),
        lambda t: t._has_compatible_shallow_copy_type(t.ones(2), t.eye(2).to_sparse()),
        lambda t: t.ops.aten._has_same_storage_numel(t.ones(2), t.ones(3)[:2]),
        retained,
    ],
)
def test_questions_are_answered_as_the_oracle_does(program):
    """Dtypes by their numbers where ``torch.ops`` is asked."""
    same(program)
