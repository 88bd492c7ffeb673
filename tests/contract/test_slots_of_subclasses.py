"""Subclasses of Tensor that keep what they wrap in slots, as PyTorch's own test classes do."""

from __future__ import annotations

import pytest
import torch._decomp.decompositions_for_jvp  # noqa: F401 (it warns when it is first imported)

from .both_frameworks import agree

pytestmark = pytest.mark.oracle


def wrapping(t):
    """A class that wraps tensors, and one below it with a slot more."""

    class Wrapping(t.Tensor):
        __slots__ = ["elem", "never"]

        @staticmethod
        def __new__(cls, elem, note=""):
            made = t.Tensor._make_wrapper_subclass(cls, elem.size(), dtype=elem.dtype)
            made.elem = elem
            return made

        def __init__(self, elem, note=""):
            pass

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            tree = t.utils._pytree
            given = tree.tree_map(lambda x: x.elem if isinstance(x, cls) else x, args)
            found = func(*given, **(kwargs or {}))
            return tree.tree_map(lambda x: cls(x, "made") if isinstance(x, t.Tensor) else x, found)

    class Noted(Wrapping):
        __slots__ = ["note"]

        def __init__(self, elem, note=""):
            self.note = note

    return Wrapping, Noted


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_in_slots_goes_with_a_tensor_whose_tangent_is_taken_off(which):
    def run(t):
        made, fw = wrapping(t)[which], t.autograd.forward_ad
        with fw.dual_level():
            dual = fw.make_dual(made(t.ones(2), "given"), made(t.ones(2) * 3, "tangent"))
            value, tangent = fw.unpack_dual(dual * 2)
        return (
            [type(x).__name__ for x in (value, tangent)],
            value.elem,
            tangent.elem,
            getattr(value, "note", None),
            hasattr(value, "never"),
        )

    agree(run)


@pytest.mark.parametrize("dim", [None, 0])
@pytest.mark.parametrize("values", [[2.0, 3.0], [0.0, 3.0], [0.0, 0.0]])
def test_the_gradient_of_a_product_reads_no_number_of_a_subclass(values, dim):
    """Also where the gradient that comes in is an ordinary tensor."""

    def run(t):
        class Quiet(wrapping(t)[0]):
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                assert func is not t.ops.aten._local_scalar_dense.default
                return super().__torch_dispatch__(func, types, args, kwargs)

        x = Quiet(t.tensor(values)).requires_grad_()
        y = x.prod() if dim is None else x.prod(dim)
        (g,) = t.autograd.grad(y, x, t.ones(()))
        return g.elem if type(g) is Quiet else g

    agree(run)
