"""``nonzero`` as a tuple, flat indices, numbers of several elements, views of ``no_grad``."""

from __future__ import annotations

import mindtorch
import pytest
import torch

from .batches import every
from .helpers import assert_same_value, assert_torch_error, both


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (0, 2)])
@pytest.mark.parametrize("as_tuple", [True, False])
def test_nonzero_gives_a_matrix_or_a_vector_per_dimension(shape, as_tuple):
    """The places of elements that are not zero, in torch's strides."""
    assert_same_value(*both(lambda t: t.nonzero(t.ones(shape), as_tuple=as_tuple)))
    assert_same_value(*both(lambda t: t.ones(shape).nonzero(as_tuple=as_tuple)))


def test_nonzero_writes_no_tuple():
    """``out=`` goes with the matrix alone."""

    def call(t):
        out = t.empty(0, dtype=t.int64)
        return t.nonzero(t.ones(2), as_tuple=True, out=out)

    assert_torch_error(*both(call))


@pytest.mark.parametrize("number", [int, float, complex])
@pytest.mark.parametrize("count", [0, 2])
def test_a_tensor_of_several_elements_is_no_number(number, count):
    """``int(t)`` raises ValueError where ``t.item()`` raises RuntimeError."""
    assert_torch_error(*both(lambda t: number(t.ones(count))))
    assert_torch_error(*both(lambda t: t.ones(count).item()))


def view_made_in_no_grad(t, requires_grad):
    """A view of a fresh tensor."""
    base = t.ones(4, requires_grad=requires_grad)
    with t.no_grad():
        return base.view(2, 2)


@pytest.mark.parametrize("requires_grad", [True, False])
def test_a_view_made_in_no_grad_takes_no_gradient(requires_grad):
    """Changed in place in grad mode by what requires grad, it would lose it silently."""

    def call(t):
        weight = t.ones(2, 2, requires_grad=True)
        return view_made_in_no_grad(t, requires_grad).mul_(weight)

    assert_torch_error(*both(call))


#: Programs with a view made in ``no_grad`` of something that requires grad, and its base.
USES_OF_UNTRACKED_VIEWS = {
    "facts": lambda t, v, z: (v.requires_grad, v.is_leaf, v.grad_fn is None, v._base is z),
    "repr": lambda t, v, z: repr(v),
    "numpy": lambda t, v, z: v.numpy(),
    "backward": lambda t, v, z: (v.sum().backward(), v.grad_fn is None)[1:],
    "sum": lambda t, v, z: v.sum(),
    "sum's node": lambda t, v, z: str(v.sum().grad_fn.next_functions),
    "product's gradient": lambda t, v, z: t.autograd.grad((v * z[1]).sum(), z),
    "detached": lambda t, v, z: v.detach().requires_grad,
    "constant": lambda t, v, z: v.mul_(2),
    "zero_": lambda t, v, z: v.zero_(),
    "copy_": lambda t, v, z: v.copy_(t.ones(3)),
    "subscript": lambda t, v, z: v.__setitem__(0, 2.0),
    "view of it": lambda t, v, z: v[:2],
    "view of it changed": lambda t, v, z: v[:2].mul_(2),
    "base changed": lambda t, v, z: (z.mul_(2), v.requires_grad)[1],
    "base changed, read": lambda t, v, z: (z.mul_(2), v.tolist())[1],
    "base changed, printed": lambda t, v, z: (z.mul_(2), repr(v))[1],
    "base changed, used": lambda t, v, z: (z.mul_(2), v + 1),
    "base changed, asked": lambda t, v, z: (z.mul_(2), v.grad_fn),
}


@pytest.mark.parametrize("leaf", [True, False])
@pytest.mark.parametrize("use", USES_OF_UNTRACKED_VIEWS)
def test_a_view_made_in_no_grad_of_what_requires_grad(use, leaf):
    """It requires grad without a history: reading is fine, changing it is refused."""

    def call(t):
        base = t.ones(2, 3, requires_grad=True)
        base = base if leaf else base * 2
        with t.no_grad():
            view = base[0]
        return USES_OF_UNTRACKED_VIEWS[use](t, view, base)

    ours, oracle = both(call)
    try:
        oracle()
    except Exception:
        assert_torch_error(ours, oracle)
    else:
        assert_same_value(ours, oracle)


def test_a_view_made_in_no_grad_is_changed_in_no_grad():
    """Both in the block: nothing is recorded, the base shows it."""

    def call(t):
        base = t.ones(4)
        with t.no_grad():
            base.view(2, 2).mul_(t.ones(2, 2, requires_grad=True) * 3)
        return base

    assert_same_value(*both(call))


def test_sizes_below_minus_one_are_refused():
    """numpy would take any negative size for the one to be inferred."""
    for size in ((-2, 3), (-10,), (2, -3)):
        assert_torch_error(*both(lambda t, size=size: t.ones(2, 3).view(size)))
        assert_torch_error(*both(lambda t, size=size: t.ones(2, 3).reshape(size)))


INDICES = (
    "tensor(5)", "tensor([5, 1])", "tensor([[5, 1]], dtype=torch.uint8)",
    "tensor(50)", "tensor(-1)", "tensor([5.0])", "tensor([True])", "tensor([1j])",
    "tensor([], dtype=torch.int32)",
)  # fmt: skip
SIZES = ("(2, 3)", "(2, 1, 3)", "6", "[4]", "()", "(2, 0)", "(2, -3)", "-2", "'a'", "(2, 1.5)",
         "None", "torch.tensor(3)", "(True, 2)", "torch.Size([2, 3])")  # fmt: skip


@every("sizes", SIZES)
def test_coordinates_of_flat_indices(sizes):
    for indices in INDICES:

        def call(t, indices=indices):
            shape, flat = (eval(text, {"torch": t}) for text in (sizes, f"torch.{indices}"))
            found = t.unravel_index(flat, shape)
            return [(x.tolist(), str(x.dtype).split(".")[1], x.stride()) for x in found]

        answers = []
        for t in (torch, mindtorch):
            try:
                answers.append(call(t))
            except Exception as error:
                text = str(error).replace("mindtorch_storage.dtype.", "torch.")
                answers.append((type(error).__name__, text.replace("mindtorch", "torch")))
        assert answers[1] == answers[0], indices
