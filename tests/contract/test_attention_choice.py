"""Which way attention takes where ``sdpa_kernel`` allows some: results, refusals and warnings."""

from __future__ import annotations

import importlib
from typing import Any

import mindtorch
import pytest
import torch

from .batches import every
from .hearing import hearing
from .rows import Outcome, compare, report, warning_text

#: Sizes of query, key and value, and what else is given.
CALLS: dict[str, tuple[Any, ...]] = {
    "plain": ((1, 2, 4, 8),),
    "float64": ((1, 2, 4, 8), "float64"),
    "integers": ((1, 2, 4, 8), "int64"),
    "complex": ((1, 2, 4, 8), "complex64"),
    "other heads": ((1, 2, 4, 8), (1, 3, 4, 8)),
    "other batch": ((1, 2, 4, 8), (2, 2, 4, 8)),
    "other heads of values": ((1, 2, 4, 8), (1, 2, 4, 8), (1, 1, 4, 8)),
    "other width": ((1, 2, 4, 8), (1, 2, 4, 6)),
    "other width of values": ((1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 4, 6)),
    "shared heads": ((1, 4, 4, 8), (1, 2, 4, 8), {"enable_gqa": True}),
    "heads that cannot be shared": ((1, 3, 4, 8), (1, 2, 4, 8), {"enable_gqa": True}),
    "heads shared otherwise": ((1, 4, 4, 8), (1, 2, 4, 8), (1, 4, 4, 8), {"enable_gqa": True}),
    "no heads": ((1, 4, 4, 8), (1, 0, 4, 8), {"enable_gqa": True}),
    "no queries": ((1, 2, 0, 8), (1, 2, 4, 8)),
    "no keys": ((1, 2, 4, 8), (1, 2, 0, 8)),
    "no width": ((1, 2, 4, 0),),
    "width of values alone": ((1, 2, 4, 0), (1, 2, 4, 0), (1, 2, 4, 6)),
    "three dims": ((2, 4, 8),),
    "five dims": ((1, 2, 2, 4, 8),),
    "one dim": ((8,),),
    "dims differ": ((1, 2, 4, 8), (2, 4, 8)),
    "dropout": ((1, 2, 4, 8), {"dropout_p": 1.0}),
    "causal": ((1, 2, 4, 8), {"is_causal": True}),
    "causal and a mask": ((1, 2, 4, 8), (4, 4), {"is_causal": True}),
    "mask of three dims": ((1, 2, 4, 8), {"mask": (2, 4, 4)}),
    "mask of one dim": ((1, 2, 4, 8), {"mask": (4,)}),
    "mask too wide": ((1, 2, 4, 8), {"mask": (4, 5)}),
    "mask of another batch": ((1, 2, 4, 8), {"mask": (3, 1, 4, 4)}),
    "mask": ((1, 2, 4, 8), {"mask": (1, 1, 4, 4)}),
    "mask with a gradient": ((1, 2, 4, 8), {"mask": (4, 4), "grad": True}),
    "strided": ((1, 2, 8, 4), {"transposed": True}),
    "meta": ((1, 2, 4, 8), {"device": "meta"}),
}
CHOICES = ("FLASH_ATTENTION", "MATH", "EFFICIENT_ATTENTION", "FLASH_ATTENTION MATH")


def run(t: Any, choice: str, call: tuple[Any, ...]) -> Outcome:
    """What attention gives where *choice* alone is allowed."""
    attention = importlib.import_module(f"{t.__name__}.nn.attention")
    options = dict(call[-1]) if isinstance(call[-1], dict) else {}
    dtype = next((c for c in call if isinstance(c, str)), "float32")
    sizes = [c for c in call if isinstance(c, tuple)]
    three = [*sizes, *[sizes[-1]] * 2][:3]
    device, transposed = options.pop("device", "cpu"), options.pop("transposed", False)
    made = [t.ones(s, dtype=getattr(t, dtype), device=device) for s in three]
    if transposed:
        made = [x.transpose(-1, -2) for x in made]
    mask, grad = options.pop("mask", None), options.pop("grad", False)
    if mask is not None:
        options["attn_mask"] = t.zeros(mask, requires_grad=grad)
    allowed = [getattr(attention.SDPBackend, name) for name in choice.split()]
    with hearing() as heard:
        try:
            with attention.sdpa_kernel(allowed):
                found = t.nn.functional.scaled_dot_product_attention(*made, **options)
            error = None
        except Exception as raised:
            found, error = None, raised
    return Outcome(found, error, tuple(map(warning_text, heard)))


@pytest.mark.parametrize("choice", CHOICES)
@every("name", CALLS)
def test_attention_takes_the_ways_that_are_allowed(choice: str, name: str) -> None:
    """Where none serves, the reason is warned of before the refusal."""
    ours, oracle = run(mindtorch, choice, CALLS[name]), run(torch, choice, CALLS[name])
    found = compare(ours, oracle, tolerance=(1e-6, 1e-6))
    if ours.warned != oracle.warned:
        found.append(f"warned {ours.warned}, torch {oracle.warned}")
    report(found)


def test_the_choice_holds_for_calls_that_were_made_before() -> None:
    """What was worked out while the operator was allowed is not taken when it is not."""

    def names(t: Any) -> list[str]:
        attention = importlib.import_module(f"{t.__name__}.nn.attention")
        q = t.ones(1, 2, 4, 8, requires_grad=True)
        found = []
        for choice in ("FLASH_ATTENTION", "MATH", "FLASH_ATTENTION", "MATH"):
            for _ in range(3):
                with attention.sdpa_kernel(getattr(attention.SDPBackend, choice)):
                    made = t.nn.functional.scaled_dot_product_attention(q, q, q)
                found.append(type(made.grad_fn).__name__)
        return found

    assert names(mindtorch) == names(torch)


def test_the_order_of_choices_is_told_back():
    """Programs ask for it, and set it; outside of a context it is as before."""

    def run(t):
        attention = importlib.import_module(f"{t.__name__}.nn.attention")
        kinds, native = attention.SDPBackend, t._C

        def told():
            ordered = attention._cur_sdpa_kernel_backends(with_priority=True)
            return native._get_sdp_priority_order(), [str(each) for each in ordered]

        found = [told()]
        for chosen in (
            [kinds.MATH, kinds.FLASH_ATTENTION],
            [kinds.EFFICIENT_ATTENTION],
            kinds.CUDNN_ATTENTION,
            [kinds.MATH, kinds.EFFICIENT_ATTENTION, kinds.FLASH_ATTENTION],
        ):
            for priority in (False, True):
                with attention.sdpa_kernel(chosen, set_priority=priority):
                    found.append(told())
        found.append(told())
        for order in ([0, 1], [4, 3, 2, 1, 0], [], 3, [1.5], [1, 2, 0, 3, 4]):
            try:
                native._set_sdp_priority_order(order)
            except RuntimeError as error:
                found.append(str(error))
            found.append(native._get_sdp_priority_order())
        return found

    assert run(mindtorch) == run(torch)
