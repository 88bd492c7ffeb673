"""Views that ``__torch_dispatch__`` makes: wherever they lie, autograd knows them for views."""

from __future__ import annotations

from typing import Any

from .programs import submodule, suite

program, test_same_program_same_notes = suite()


def wrapper(torch: Any) -> Any:
    """A class whose tensors hold another, and the list of what it is asked for."""
    tree_map = submodule(torch, "utils._pytree").tree_map
    asked: list[str] = []

    class Wrapper(torch.Tensor):
        inner: Any

        @staticmethod
        def __new__(cls, inner: Any) -> Any:
            made = torch.Tensor._make_wrapper_subclass(
                cls,
                inner.shape,
                dtype=inner.dtype,
                strides=inner.stride(),
                requires_grad=inner.requires_grad,
            )
            made.inner = inner.detach()
            return made

        @classmethod
        def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            asked.append(str(func))
            bare = tree_map(lambda x: x.inner if isinstance(x, cls) else x, (args, kwargs or {}))
            made = func(*bare[0], **bare[1])
            return tree_map(lambda x: cls(x) if isinstance(x, torch.Tensor) else x, made)

    return Wrapper, asked


def told(t: Any, base: Any) -> Any:
    """What a tensor says of its history."""
    node = None if t.grad_fn is None else type(t.grad_fn).__name__
    return t._is_view(), t._base is base, t.requires_grad, node, t._version


@program
def a_change_of_a_view_is_one_of_its_base(torch, ns, note):
    cls, asked = wrapper(torch)
    base, leaf = cls(torch.zeros(2, 3)), torch.ones(2, 1, requires_grad=True)
    view = base[:, :1]
    note(told(view, base))
    view.copy_(leaf)
    note([told(view, base), told(base, None), asked])
    note(torch.autograd.grad(base, leaf, torch.arange(6.0).view(2, 3)))


@program
def gradients_know_what_was_overwritten(torch, ns, note):
    cls, asked = wrapper(torch)
    leaf = cls(torch.ones(2, 3).requires_grad_())
    y = leaf * 2
    y[0] = 0
    y[:, 1].mul_(3)
    found = torch.autograd.grad(y, leaf, cls(torch.ones(2, 3)))
    note([found[0].inner, type(y.grad_fn).__name__, asked])


@program
def views_of_views_have_one_base(torch, ns, note):
    cls, asked = wrapper(torch)
    base, leaf = cls(torch.zeros(2, 3)), cls(torch.ones(2).requires_grad_())
    view = base.t()[1]
    note(told(view, base))
    view.mul_(leaf)
    note([told(view, base), told(base, None), asked])


@program
def forbidden_changes_are_refused(torch, ns, note):
    cls, _ = wrapper(torch)
    leaf = cls(torch.ones(2, 3).requires_grad_())
    base = cls(torch.zeros(2, 3))
    part = base.split(2, 1)[0]
    note(told(part, base))
    note(lambda: part.mul_(leaf[:, :2]))
    with torch.no_grad():
        silent = leaf[0]
    note(told(silent, leaf))
    note(lambda: silent.mul_(2))
    note(lambda: leaf[0].mul_(2))


@program
def a_change_of_the_base_is_seen_by_what_a_view_saved(torch, ns, note):
    cls, _ = wrapper(torch)
    leaf = cls(torch.ones(3).requires_grad_())
    y = leaf * 1
    view = y.view(3)
    square = view * view
    y.mul_(2)
    note(lambda: torch.autograd.grad(square, leaf, cls(torch.ones(3))))


@program
def fake_views_are_views(torch, ns, note):
    mode = submodule(torch, "_subclasses.fake_tensor").FakeTensorMode
    with mode():
        base, leaf = torch.empty(2, 3), torch.empty(3, requires_grad=True)
        for view in (
            base.t(),
            base.split(1)[0],
            base.unbind()[1],
            base.diagonal(),
            base.detach(),
            base.expand(2, 2, 3),
            base.reshape(6),
            base.view(3, 2)[0],
        ):
            note(told(view, base))
        base[0].copy_(leaf)
        note(told(base, None))
        base.sum().backward()
        note(leaf.grad.shape)


@program
def views_that_the_class_is_not_asked_for_lie_in_the_wrappers_storage(torch, ns, note):
    cls, _ = wrapper(torch)
    for shape in ((2, 6), (0, 2)):
        for made in (
            lambda w: w.view(w.shape),
            lambda w: w.t(),
            lambda w: w[:, 1:],
            lambda w: w.unsqueeze(0),
            lambda w: torch.ops.aten.alias(w),
            lambda w: torch.ops.aten._unsafe_view(w, w.shape),
        ):
            base = cls(torch.ones(shape))
            with torch._C._DisableTorchDispatch():
                view = made(base)
                note([view.untyped_storage().nbytes(), view.storage_offset(), view.stride()])
                note(lambda view=view: view.as_strided((2, 2), (2, 1)).shape)
            note(base.untyped_storage().nbytes())
