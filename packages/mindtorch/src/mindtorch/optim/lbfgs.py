"""Steps along an approximation of Newton's: LBFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..tensor import Tensor as Tensor
from .declared import DeclaredOptimizer
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import RATE
from .step_options import _to_scalar

__all__ = ["LBFGS"]

#: A point on the line: how far along, the loss, the gradient, its slope along the line.
_Point = tuple[Any, Any, Any, Any]


def _cubic_interpolate(
    x1: Any, f1: Any, g1: Any, x2: Any, f2: Any, g2: Any, bounds: tuple[Any, Any] | None = None
) -> Any:
    """Where the cubic through two points with their slopes is least, within *bounds*."""
    low, high = bounds if bounds is not None else ((x1, x2) if x1 <= x2 else (x2, x1))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    root = square.sqrt() if isinstance(square, torch.Tensor) else square**0.5
    if x1 <= x2:
        least = x2 - (x2 - x1) * ((g2 + root - d1) / (g2 - g1 + 2 * root))
    else:
        least = x1 - (x1 - x2) * ((g1 + root - d1) / (g1 - g2 + 2 * root))
    return min(max(least, low), high)


def _strong_wolfe(
    obj_func: Callable[..., Any],
    x: Any,
    t: Any,
    d: Any,
    f: Any,
    g: Any,
    gtd: Any,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance_change: float = 1e-9,
    max_ls: int = 25,
) -> tuple[Any, Any, Any, int]:
    """A step length along *d* that fulfils Wolfe's strong conditions.

    Returns loss and gradient there, the length, and how often the loss was computed.
    """
    d_norm = d.abs().max()
    g = g.clone(memory_format=torch.contiguous_format)
    f_new, g_new = obj_func(x, t, d)
    evaluations = 1
    slope = g_new.dot(d)
    # First: walk until a stretch must hold such a length.
    before: _Point = (0, f, g, gtd)
    stretch: list[_Point] = []
    done = False
    searched = 0
    while searched < max_ls:
        here = (t, f_new, g_new.clone(memory_format=torch.contiguous_format), slope)
        if f_new > (f + c1 * t * gtd) or (searched > 1 and f_new >= before[1]):
            stretch = [before, here]
            break
        if abs(slope) <= -c2 * gtd:
            stretch, done = [(t, f_new, g_new, slope)], True
            break
        if slope >= 0:
            stretch = [before, here]
            break
        least, most = t + 0.01 * (t - before[0]), t * 10
        was, t = (
            t,
            _cubic_interpolate(
                before[0], before[1], before[3], t, f_new, slope, bounds=(least, most)
            ),
        )
        before = (was, *here[1:])
        f_new, g_new = obj_func(x, t, d)
        evaluations += 1
        slope = g_new.dot(d)
        searched += 1
    if searched == max_ls:
        stretch = [(0, f, g, gtd), (t, f_new, g_new, slope)]
    # Then: make the stretch smaller.
    stalled = False
    low, high = (0, 1) if len(stretch) == 1 or stretch[0][1] <= stretch[-1][1] else (1, 0)
    while not done and searched < max_ls:
        ends = [point[0] for point in stretch]
        if abs(ends[1] - ends[0]) * d_norm < tolerance_change:
            break
        t = _cubic_interpolate(
            ends[0], stretch[0][1], stretch[0][3], ends[1], stretch[1][1], stretch[1][3]
        )
        # A length at an end of the stretch twice in a row makes no headway.
        margin = 0.1 * (max(ends) - min(ends))
        if min(max(ends) - t, t - min(ends)) < margin:
            if stalled or t >= max(ends) or t <= min(ends):
                far = abs(t - max(ends)) < abs(t - min(ends))
                t = max(ends) - margin if far else min(ends) + margin
                stalled = False
            else:
                stalled = True
        else:
            stalled = False
        f_new, g_new = obj_func(x, t, d)
        evaluations += 1
        slope = g_new.dot(d)
        searched += 1
        here = (t, f_new, g_new.clone(memory_format=torch.contiguous_format), slope)
        if f_new > (f + c1 * t * gtd) or f_new >= stretch[low][1]:
            stretch[high] = here
            low, high = (0, 1) if stretch[0][1] <= stretch[1][1] else (1, 0)
        else:
            if abs(slope) <= -c2 * gtd:
                done = True
            elif slope * (stretch[high][0] - stretch[low][0]) >= 0:
                stretch[high] = stretch[low]
            stretch[low] = here
    t, f_new, g_new, _ = stretch[low if len(stretch) > 1 else 0]
    return f_new, g_new, t, evaluations


class LBFGS(DeclaredOptimizer):
    """Steps along an approximation of Newton's, of what earlier steps tell of the curvature.

    :param max_iter: so many steps each call of :meth:`step` makes at most.
    :param max_eval: so often the loss is computed at most; by default 1.25 times *max_iter*.
    :param tolerance_grad: a gradient that is nowhere larger ends the call.
    :param tolerance_change: a change of loss or parameters that is no larger does, too.
    :param history_size: so many earlier steps are kept.
    :param line_search_fn: ``"strong_wolfe"``, or None for steps of *lr*.

    It takes one group of parameters alone.
    """

    _OPTIONS_ = (
        "lr", "max_iter", "max_eval", "tolerance_grad", "tolerance_change", "history_size",
        "line_search_fn",
    )  # fmt: skip
    _RULES_ = RATE

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, locals())
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]
        self._numel_cache: int | None = None

    def _numel(self) -> int:
        """How many real numbers the parameters hold."""
        if self._numel_cache is None:
            self._numel_cache = sum(
                2 * p.numel() if torch.is_complex(p) else p.numel() for p in self._params
            )
        return self._numel_cache

    def _gather_flat_grad(self) -> torch.Tensor:
        """All gradients in one vector; zeros for those that are not there."""
        return torch.cat([self._flat_grad_(p) for p in self._params], 0)

    @staticmethod
    def _flat_grad_(p: torch.Tensor) -> torch.Tensor:
        """The gradient of one parameter as real numbers in a row."""
        if p.grad is None:
            flat = p.new_zeros(p.numel())
        else:
            flat = (p.grad.to_dense() if p.grad.is_sparse else p.grad).view(-1)
        return torch.view_as_real(flat).view(-1) if torch.is_complex(flat) else flat

    def _add_grad(self, step_size: Any, direction: torch.Tensor) -> None:
        """Move all parameters along a vector."""
        offset = 0
        for p in self._params:
            if torch.is_complex(p):
                p = torch.view_as_real(p)
            n = p.numel()
            p.add_(direction[offset : offset + n].view_as(p), alpha=step_size)
            offset += n
        if offset != self._numel():
            raise AssertionError(f"Expected offset {offset} to equal {self._numel()}")

    def _clone_param(self) -> list[torch.Tensor]:
        return [p.clone(memory_format=torch.contiguous_format) for p in self._params]

    def _set_param(self, params_data: list[torch.Tensor]) -> None:
        for p, data in zip(self._params, params_data):
            p.copy_(data)

    def _directional_evaluate(
        self, closure: Callable[[], Any], x: list[torch.Tensor], t: Any, d: torch.Tensor
    ) -> tuple[float, torch.Tensor]:
        """Loss and gradient at *x* + *t* *d*; the parameters are at *x* afterwards."""
        self._add_grad(t, d)
        found = float(closure()), self._gather_flat_grad()
        self._set_param(x)
        return found

    @torch.no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]  # it must be given
        """Up to ``max_iter`` steps. Returns what *closure* returned first.

        :param closure: computes the loss and its gradients anew.
        """
        group, *others = self.param_groups
        if others:
            raise AssertionError(
                f"Expected exactly one param_group, but got {len(self.param_groups)}"
            )
        closure = torch.enable_grad()(closure)
        lr = _to_scalar(group["lr"])
        tolerance_grad, tolerance_change = group["tolerance_grad"], group["tolerance_change"]
        search = group["line_search_fn"]
        # All state is that of the first parameter: groups of one's own do not exist.
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        flat_grad = self._gather_flat_grad()
        if flat_grad.abs().max() <= tolerance_grad:
            return first_loss
        d, t = state.get("d"), state.get("t")
        old_dirs, old_stps, ro = state.get("old_dirs"), state.get("old_stps"), state.get("ro")
        h_diag, prev_flat_grad = state.get("H_diag"), state.get("prev_flat_grad")
        prev_loss = state.get("prev_loss")
        n_iter = 0
        while n_iter < group["max_iter"]:
            n_iter, state["n_iter"] = n_iter + 1, state["n_iter"] + 1
            if state["n_iter"] == 1:
                old_dirs, old_stps, ro, h_diag = [], [], [], 1
                d = flat_grad.neg()
            else:
                change, moved = flat_grad.sub(prev_flat_grad), d.mul(t)
                curvature = change.dot(moved)
                if curvature > 1e-10:  # it is worth remembering
                    h_diag = curvature / change.dot(change)
                    new = (change, moved, 1.0 / curvature)
                    for kept, value in zip((old_dirs, old_stps, ro), new):
                        del kept[: max(0, len(kept) + 1 - group["history_size"])]
                        kept.append(value)
                d = self._direction_(state, group, flat_grad, old_dirs, old_stps, ro, h_diag)
            if prev_flat_grad is None:
                prev_flat_grad = flat_grad.clone(memory_format=torch.contiguous_format)
            else:
                prev_flat_grad.copy_(flat_grad)
            prev_loss = loss
            t = min(1.0, 1.0 / flat_grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            gtd = flat_grad.dot(d)
            if gtd > -tolerance_change:
                break
            made = 0
            if search is not None:
                if search != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = self._clone_param()
                loss, flat_grad, t, made = _strong_wolfe(
                    lambda x, t, d: self._directional_evaluate(closure, x, t, d),
                    start,
                    t,
                    d,
                    loss,
                    flat_grad,
                    gtd,
                    max_ls=group["max_eval"] - evaluations,
                )
                self._add_grad(t, d)
                small = flat_grad.abs().max() <= tolerance_grad
            else:
                self._add_grad(t, d)
                small = False
                if n_iter != group["max_iter"]:  # at the end nobody would use it
                    loss = float(closure())
                    flat_grad = self._gather_flat_grad()
                    small = flat_grad.abs().max() <= tolerance_grad
                    made = 1
            evaluations += made
            state["func_evals"] += made
            if n_iter == group["max_iter"] or evaluations >= group["max_eval"] or small:
                break
            if d.mul(t).abs().max() <= tolerance_change:
                break
            if abs(loss - prev_loss) < tolerance_change:
                break
        state["d"], state["t"] = d, t
        state["old_dirs"], state["old_stps"], state["ro"] = old_dirs, old_stps, ro
        state["H_diag"], state["prev_flat_grad"] = h_diag, prev_flat_grad
        state["prev_loss"] = prev_loss
        return first_loss

    def _direction_(
        self,
        state: dict[str, Any],
        group: dict[str, Any],
        flat_grad: torch.Tensor,
        old_dirs: list[Any],
        old_stps: list[Any],
        ro: list[Any],
        h_diag: Any,
    ) -> torch.Tensor:
        """The inverse of the curvature times the gradient, downwards: by two loops."""
        if "al" not in state:
            state["al"] = [None] * group["history_size"]
        al = state["al"]
        q = flat_grad.neg()
        for i in range(len(old_dirs) - 1, -1, -1):
            al[i] = old_stps[i].dot(q) * ro[i]
            q.add_(old_dirs[i], alpha=-al[i])
        d = torch.mul(q, h_diag)
        for i in range(len(old_dirs)):
            d.add_(old_stps[i], alpha=al[i] - old_dirs[i].dot(d) * ro[i])
        return d
