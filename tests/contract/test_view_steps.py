"""Views that were told how they were made: again of another base, undone, with other sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch
import torch

#: Views, and the shape and dtype of their base. ``a`` is ``torch.ops.aten``.
VIEWS = {
    "a.alias.default(x)": (2, 2),
    "t.as_strided(x, (4,), (1,))": (2, 2),
    "t.as_strided(x, (2,), (3,), 1)": (3, 3),
    "t.chunk(x, 2, -1)": (2, 4),
    "t.diagonal(x)": (4, 4),
    "t.diagonal(x, 1, 0, 2)": (3, 2, 4),
    "a.expand.default(x, (-1, 3))": (4, 1),
    "t.narrow(x, 0, 1, 1)": (2, 2),
    "t.permute(x, (1, 2, 0))": (2, 3, 4),
    "t.select(x, 1, -1)": (2, 3),
    "a.slice.Tensor(x, 1, 1, 4, 2)": (2, 5),
    "t.split(x, 2)": (3, 2),
    "t.split_with_sizes(x, [1, 3], -1)": (2, 4),
    "t.squeeze(x)": (2, 1, 4),
    "t.squeeze(x, 1)": (2, 1, 4),
    "t.squeeze(x, [1, 2])": (2, 1, 1, 4),
    "t.t(x)": (2, 4),
    "t.transpose(x, 0, 1)": (2, 4),
    "t.unbind(x)": (2, 5),
    "x.unfold(1, 3, 2)": (1, 5),
    "t.unsqueeze(x, -2)": (2, 4),
    "x.view(-1, 5, 2)": (2, 10),
    "x.unsqueeze(-1).transpose(-1, -2).squeeze(1)": (2, 4),
    "x.chunk(2, -1)[0].transpose(0, 1).unsqueeze(-1)": (2, 3, 4),
    "x.split_with_sizes([1, 3], -1)[1].chunk(2, 0)": (2, 3, 4),
    "t.view_as_complex(x)": (3, 2),
    "t.view_as_real(x.to(t.complex64))": (3, 2),
    "x[None, 1:, ..., 0]": (3, 2, 2),
}


def told(run: Callable[[], Any]) -> str:
    """What came of it."""
    try:
        return repr(run()).replace("mindtorch", "torch")
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def lies(x: Any) -> Any:
    """Elements, and where they lie."""
    return x.shape, x.stride(), x.storage_offset(), str(x.dtype)[-9:], x.tolist()


def asked(t: Any, code: str, shape: Any) -> Any:
    """Each view again of another base and undone, of what was recorded as one and was not."""
    found = []
    for recorded in (True, False):
        with t.autograd._force_original_view_tracking(recorded):
            x = t.arange(float(mindtorch.Size(shape).numel())).reshape(shape)
            views = eval(code, {"t": t, "x": x, "a": t.ops.aten})
        for view in views if isinstance(views, (tuple, list)) else (views,):
            base = view._base

            def back(view: Any = view, base: Any = base) -> Any:
                start = view.detach()
                made = view._rev_view_func_unsafe(start)
                return lies(made)[:4], made._base is start, told(lambda: lies(made))

            found.append(told(lambda v=view, b=base: lies(v._view_func(b * 2))))
            found.append(told(back))

            def more(view: Any = view, base: Any = base) -> Any:
                return lies(view._view_func(base * 2, symint_visitor_fn=lambda n: max(n - 1, 0)))

            found.append(told(more) if recorded and "view" not in code else None)
    return found


def test_views_are_made_again_and_undone_as_the_oracles() -> None:
    """Chains of views, pieces, broadcast and strided ones; sizes that a function changes."""
    for code, shape in VIEWS.items():
        got, want = asked(mindtorch, code, shape), asked(torch, code, shape)
        for place, pair in enumerate(zip(got, want, strict=True)):
            assert pair[0] == pair[1], (code, place)


def test_what_saves_a_tensor_is_made_again_of_another() -> None:
    """``slice_inverse`` lies as the tensor that it was given."""

    def made(t: Any) -> Any:
        with t.autograd._force_original_view_tracking(True):
            base = t.arange(60.0).reshape(3, 4, 5)
            part = base[:, 2:3, :].detach()
            view = t.ops.aten.slice_inverse(part, base, 1, 2, 3, 1)
            other = t.ones(3, 4, 5)[:, 2:3, :].detach()
            new = view._view_func(other, tensor_visitor_fn=lambda x: t.ones(1, 2, 3))
            return lies(new), lies(view._view_func(part))

    assert made(mindtorch) == made(torch)
