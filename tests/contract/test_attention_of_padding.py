"""Attention where a query may see no key: rows of padding give zeros, not NaN."""

import pytest

from tests.contract.both_frameworks import agree, same

INFINITE = float("-inf")


def _rounded(x):
    return [round(v, 3) + 0.0 for v in x.detach().double().flatten().tolist()]


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_query_that_sees_no_key_gets_zeros(kind, dtype):
    def run(t):
        t.manual_seed(0)
        q, k, v = (
            t.randn(2, 2, 3, 4, dtype=getattr(t, dtype), requires_grad=True) for _ in range(3)
        )
        mask = t.tensor([[True, False, True], [False, False, False], [True, True, True]])
        if kind == "float":
            mask = t.zeros(3, 3, dtype=q.dtype).masked_fill(~mask, INFINITE)
        out = t.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        (out * t.arange(24.0).reshape(2, 3, 4)[:, None]).sum().backward()
        return [_rounded(x) for x in (out, q.grad, k.grad, v.grad)]

    assert agree(run)[0][4:8] == [0.0] * 4


def test_softmax_of_nothing_but_minus_infinity():
    same(
        lambda t: t._safe_softmax(t.tensor([[0.0, INFINITE], [INFINITE, INFINITE]]), -1, t.float64)
    )
    same(lambda t: t._safe_softmax(t.tensor(INFINITE), 0))
    same(lambda t: t._safe_softmax(t.ones(2, 2).long(), 0))
    same(lambda t: t._safe_softmax(t.ones(2, 2).long(), 0, dtype=t.float32))
    same(lambda t: t._safe_softmax(t.ones(2, 2), 5))


def test_associative_scan_has_a_module_of_its_own():
    def run(t):
        from importlib import import_module

        scan = import_module(f"{t.__name__}._higher_order_ops")
        return callable(scan.associative_scan)

    assert agree(run) is True
